// Package entryterms knows the entry terms of MeSH headings: Heart Attack is one of Myocardial
// Infarction. The table is a part of NLM's MeSH (https://www.nlm.nih.gov/mesh), courtesy of the
// U.S. National Library of Medicine: the headings of categories A to G and N, and those of their
// entry terms that have other words than the heading. It is of an earlier year and does not
// reflect the most current data available from NLM. build/entryterms writes it and documents its
// source. The table of biomcp sync mesh is whole and current.
//
//	h, ok := entryterms.Find("heart attack") // h.Name is "Myocardial Infarction"
package entryterms

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"sort"
	"strconv"
	"strings"
	"sync"
)

//go:embed entryterms.txt.gz
var packed []byte

// A Heading is a MeSH descriptor.
type Heading struct {
	Name       string
	Categories string // letters of the categories of its tree numbers, such as "CG"
}

// table is the unpacked file. Each entry is a term in lower case, a tab and the index of its
// heading; they are sorted.
type table struct {
	version  string
	headings []Heading
	entries  []string
}

var load = sync.OnceValue(func() table {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	version, rest, _ := strings.Cut(string(text), "\n")
	headings, entries, _ := strings.Cut(rest, "\n\n")
	t := table{version: version, entries: strings.Split(strings.TrimSuffix(entries, "\n"), "\n")}
	for line := range strings.SplitSeq(headings, "\n") {
		name, categories, _ := strings.Cut(line, "\t")
		t.headings = append(t.headings, Heading{name, categories})
	}
	return t
})

// Version names the table and its year.
func Version() string { return load().version }

// Find returns the heading of an entry term, ignoring case and repeated spaces. It also finds
// headings of one word by their names.
func Find(term string) (h Heading, ok bool) {
	key := strings.ToLower(strings.Join(strings.Fields(term), " ")) + "\t"
	t := load()
	i := sort.Search(len(t.entries), func(i int) bool { return t.entries[i] >= key })
	if i == len(t.entries) || !strings.HasPrefix(t.entries[i], key) {
		return Heading{}, false
	}
	n, err := strconv.Atoi(t.entries[i][len(key):])
	if err != nil {
		panic(err) // the file is part of the program
	}
	return t.headings[n], true
}
