// Package table keeps data sets of institutions as searchable local tables: genetic tests,
// diagnostics, medicines, vaccines, MeSH headings. Package sets reads their files. This package
// does not interpret a data set; it only searches the texts that a [Row] declares.
//
//	t, err := table.Open(ctx, dir, true)
//	brca1 := table.Condition{Fields: []string{"gene"}, Text: "BRCA1", Exact: true}
//	query := table.Query{Text: "hereditary cancer", Conditions: []table.Condition{brca1}, Limit: 20}
//	found, err := t.Find(ctx, "gtr", query)
//
// # Guarantees
//
// All data sets are in one SQLite file. [Tables.Replace] replaces a data set in one transaction: a
// reader sees either the whole old version or the whole new one. Once Replace has returned, the new
// version survives SIGKILL and power loss. Each data set has its own tables, which are dropped and
// created again when a new version is stored.
//
// # Layout
//
// The table dataset holds an [Info] per data set, as JSON. A data set S has the table record_S (its
// records, as JSON, in the order of the files), the table value_S (each distinct filter text of a
// field, with the IDs of its records), and two contentless FTS5 indexes: words_S over names and all
// values of records, and terms_S over values. BenchmarkFind_64k measures a table of the size of the
// largest, GTR.
package table
