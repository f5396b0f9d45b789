package intake

// MemoryLimit is a soft memory limit for the Go runtime, in bytes (debug.SetMemoryLimit), for a
// program that keeps a corpus. This package does not set it.
//
// Without a limit the collector lets the heap grow to twice the memory in use. While a model is
// fitted on a corpus of a million, about 300 MB are in use: two dense matrices of 75 MB, the
// sparse matrix of the sample, and pages of the index (store.Options.CacheBytes). The matrices
// do not fit into the fragments that an import has left free, and without a limit these go back
// to the system late. The memory in use stays far below the limit for any size of the corpus,
// so the limit costs no time. SQLite's caches and the program itself add up to 150 MB. The
// process as a whole takes less than 1 GB.
const MemoryLimit = 768 << 20
