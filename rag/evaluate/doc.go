// Package evaluate measures the ranking of the search on test collections: a folder
// with documents in PubMed XML, queries.jsonl and qrels.tsv, as those of BEIR have
// them. It compares the search by words, by meaning and by both with SQLite's FTS5,
// on the whole collection and on random parts of it.
//
// It ranks nothing itself (rag), and fetches no collection.
//
//	go run ./build eval DIR
package evaluate

import _ "embed"

// Results is RESULTS.md: the figures of retrieval and what was tried, in markdown.
//
//go:embed RESULTS.md
var Results string
