package archive

// Limits bound what an archive may hold. Lengths are in bytes.
type Limits struct {
	Entries int   // files and folders, those included that are only part of a name
	Member  int64 // of one file
	Total   int64 // of the tar file, unpacked from gzip
	Names   int64 // of all names, with what the archive says of each
}

// Most is what a study may have.
var Most = Limits{Entries: 100_000, Member: 1 << 30, Total: 8 << 30, Names: 1 << 20}
