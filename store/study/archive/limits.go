package archive

// Limits restricts the contents of an archive. Sizes are in bytes.
type Limits struct {
	Entries int   // files and folders, including folders that only occur in the name of an entry
	Member  int64 // size of one file
	Total   int64 // size of the tar file after decompression
	Names   int64 // total size of names and extended headers
}

// DefaultLimits holds the limits for a study.
var DefaultLimits = Limits{Entries: 100_000, Member: 1 << 30, Total: 8 << 30, Names: 1 << 20}
