// Package damaged reads what can be read of a damaged SQLite file and its write-ahead
// journal, in SQL: each table by ranges of its keys, around what cannot be read.
//
//	f, err := damaged.Open("corpus.db", first) // the first page of a file with the same tables
//	defer f.Close()
//	findings, err := f.Check(ctx)
//	err = f.Each(ctx, damaged.Table{Name: "note", Key: "id", Columns: "id, text", Last: 1 << 32}, func(scan func(...any) error) error { … })
//
// SQLite reads the file by a file system of this package (vfs), which puts the newest
// image of each page in the place of an older one, and a whole first page in the place of
// a damaged one. So nothing is written, no lock is taken, no file is made next to it, and
// a damaged page of the journal does not hide the later ones.
//
// What it cannot reach is what lies below a damaged inner page of a table. It does not
// know what the rows mean: a row may be read whose content is damaged.
// Formats: https://www.sqlite.org/fileformat2.html
package damaged
