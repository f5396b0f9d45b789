package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// figures holds the measured figures that documents quote, a row each: what was measured,
// its value, the command and the date. Documents take them from here and state none of
// their own.
//
//go:embed figures.tsv
var figures string

// figureTable returns the ranking of the default search, from the text of
// rag/evaluate/RESULTS.md, and the rows of a file such as figures.tsv, as a table in
// markdown. It returns an error if a set or a column is missing.
func figureTable(results, figures string) (string, error) {
	var s strings.Builder
	s.WriteString("| Measured on two cores | Value | Command | Date |\n| --- | ---: | --- | --- |\n")
	for _, set := range []string{"PubMedQA", "MED"} {
		ndcg, ok := ranking(results, set)
		if !ok {
			return "", fmt.Errorf("RESULTS.md has no row %q, %q", set, "both")
		}
		fmt.Fprintf(&s, "| nDCG@10 on %s, by words and meaning | %s | `go run ./build eval DIR` "+
			"| in CI, if the collections are present |\n", set, ndcg)
	}
	for i, line := range strings.Split(strings.TrimSpace(figures), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != 4 {
			return "", fmt.Errorf("figures.tsv, line %d: want 4 columns, got %d", i+1, len(cells))
		}
		if i > 0 {
			fmt.Fprintf(&s, "| %s | %s | `%s` | %s |\n", cells[0], cells[1], cells[2], cells[3])
		}
	}
	return s.String(), nil
}

// ranking returns the nDCG@10 of the search by words and meaning on a set, from the first
// table of RESULTS.md that has it.
func ranking(results, set string) (ndcg string, ok bool) {
	_, row, ok := strings.Cut(results, "\n| "+set+" | both | ")
	ndcg, _, _ = strings.Cut(row, " ")
	return ndcg, ok
}
