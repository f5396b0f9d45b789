package intake

// MemoryLimit is the soft limit of the memory that Go manages, in bytes
// (debug.SetMemoryLimit), for a program that keeps a corpus. The package does not set it.
//
// Without one the collector lets the heap grow to twice what is in use. While a model is
// fitted on a corpus of a million that is some 300 MB: two dense matrices of 75 MB, the
// sparse one of the sample, and pages of the index (store.Options.CacheBytes). Matrices
// also find no room among the pieces of memory that an import has left free, which
// without a limit go back to the system late. What is in use is far below the limit,
// whatever the size of the corpus, so it costs no time. SQLite's caches and the program
// itself, up to 150 MB, come on top of it; with them the process takes less than 1 GB.
const MemoryLimit = 768 << 20
