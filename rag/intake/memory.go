package intake

// MemoryLimit is the soft limit of the memory that Go manages, in bytes
// (debug.SetMemoryLimit), for a program that keeps a corpus. The package does not set it.
//
// Without one the collector lets the heap grow to twice what is in use. When a model is
// fitted some 400 MB are: the sparse matrix of the sample and two dense ones of 75 MB, and
// pages of the index (store.Options.CacheBytes). Matrices also take no place
// between the pieces of memory that an import has left free, which without a limit go back
// to the system late. What is in use stays far below the limit, whatever the size of the
// corpus, so it costs no time. SQLite's caches, up to 150 MB, and the program itself come
// on top of it; with them the process takes less than 1 GB.
const MemoryLimit = 768 << 20
