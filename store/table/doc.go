// Package table keeps data sets of institutions on this disk as tables that can be
// searched: tests, diagnostics, medicines, vaccines, headings (package sets reads their
// files). It knows of a data set its name, and of a record what it is found by.
//
//	t, err := table.Open(ctx, dir, true)
//	found, err := t.Find(ctx, "gtr", table.Query{Text: "hereditary cancer", Where: []table.Where{{Field: "gene", Text: "BRCA1", Exact: true}}, Limit: 20})
//
// # What holds
//
// All data sets are in one SQLite file. [Tables.Replace] puts a new version of one in
// the place of the old in one transaction: a reader sees the old version or the new,
// whole, and once Replace has returned neither SIGKILL nor the loss of power takes it
// back. Each version has tables of its name, made when it is stored and dropped when it
// is replaced.
//
// # Layout
//
// The table dataset has an [Info] for each set, as JSON. For a set S there are record_S
// (its records, as JSON, in the order of the files), value_S (each text by which records
// are filtered, once, by field, with the records that have it), and two indexes of FTS5
// without content: words_S over names and all values of records, terms_S over values.
// BenchmarkFind_64k asks a table as large as the largest, GTR.
package table
