// Package evaluate measures the ranking of the search on test collections. A collection is a
// folder with documents in PubMed XML, and queries.jsonl and qrels.tsv in the format of BEIR.
// It compares the searches by words, by meaning and by both with SQLite's FTS5, on the whole
// collection and on random parts of it.
//
// It does not rank (rag), and does not download collections.
//
//	go run ./build eval DIR
package evaluate

import _ "embed"

// Results is RESULTS.md: the figures of retrieval and what was tried, in markdown.
//
// Results is the text of RESULTS.md: retrieval figures and experiments, in Markdown.
//
//go:embed RESULTS.md
var Results string
