// Package salvage reads the undamaged part of a damaged SQLite file and its write-ahead journal, in
// SQL: each table by ranges of its keys, around the unreadable parts.
//
//	f, err := salvage.Open("corpus.db", first, plain) // first pages of files with the same tables
//	defer f.Close()
//	findings, err := f.Check(ctx)
//	notes := salvage.Table{Name: "note", Key: "id", Columns: "id, text", Last: 1 << 32}
//	unread, err := f.Each(ctx, notes, func(scan func(...any) error) error { … })
//
// SQLite reads the file through a virtual file system (vfs) of this package, which serves the
// newest image of each page and an intact first page if the file's is damaged. So this package
// writes nothing, takes no lock and creates no file, and a damaged page of the journal does not
// hide the later ones.
//
// It cannot reach the pages below a damaged inner page of a table. It does not interpret rows, so
// it may return a row with damaged contents. Formats: https://www.sqlite.org/fileformat2.html
package salvage
