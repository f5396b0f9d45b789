// Package entryterms knows the entry terms of MeSH headings: Heart Attack is one of Myocardial
// Infarction. The table is a part of NLM's MeSH (https://www.nlm.nih.gov/mesh), courtesy of the
// U.S. National Library of Medicine: the headings of categories A to G and N, and those of their
// entry terms that have other words than the heading. It is of an earlier year and does not
// reflect the most current data available from NLM. build/entryterms writes it and documents its
// source. The table of biomcp sync mesh is whole and current.
//
// A second table has all headings, for values of fields that name a heading (FindHeading).
//
//	h, ok := entryterms.Find("heart attack") // h.Name is "Myocardial Infarction"
package entryterms

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
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

// table is the unpacked file. It is searched as it is, because to split it would take longer than
// a search.
type table struct {
	version   string
	ambiguous string // terms, each between two tabs
	headings  string // lines of a name, a tab and the letters of its categories
	entries   string // sorted lines of a term, a tab and the place of its heading in headings
}

var load = sync.OnceValue(func() (t table) {
	rest := unpack(packed)
	t.version, rest, _ = strings.Cut(rest, "\n")
	t.ambiguous, rest, _ = strings.Cut(rest, "\n")
	t.ambiguous = "\t" + t.ambiguous + "\t"
	t.headings, t.entries, _ = strings.Cut(rest, "\n\n")
	return t
})

// unpack returns the text of a compressed file of the program.
func unpack(file []byte) string {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Version names the table and its year.
func Version() string { return load().version }

// IsAmbiguous reports whether term, ignoring case, is an entry term that usually means something
// else, such as who (World Health Organization) or treatment (Therapeutics). Find finds those that
// are typed in capitals and that MeSH writes so, such as AIDS.
func IsAmbiguous(term string) bool {
	return strings.Contains(load().ambiguous, "\t"+strings.ToLower(term)+"\t")
}

// Find returns the heading of an entry term, ignoring case and repeated spaces. It also finds
// headings of one word by their names. It does not find ambiguous terms.
func Find(term string) (h Heading, ok bool) {
	term = strings.Join(strings.Fields(term), " ")
	if h, ok = find(term); !ok {
		h, ok = find(strings.ToLower(term))
	}
	return h, ok
}

// find returns the heading of an entry term as it is written in the table.
func find(term string) (h Heading, ok bool) {
	t := load()
	line, found := searchLine(t.entries, term+"\t")
	if term == "" || !found {
		return Heading{}, false
	}
	at, err := strconv.Atoi(line[len(term)+1:])
	if err != nil {
		panic(err) // the file is part of the program
	}
	name, _, _ := strings.Cut(t.headings[at:], "\n")
	h.Name, h.Categories, _ = strings.Cut(name, "\t")
	return h, true
}

// searchLine returns the first of the sorted lines that begins with prefix.
func searchLine(lines, prefix string) (line string, ok bool) {
	from, to := 0, len(lines) // from begins a line, and so does to unless it is the end
	for from < to {
		middle := from + (to-from)/2
		begin := strings.LastIndexByte(lines[:middle], '\n') + 1
		line, _, _ = strings.Cut(lines[begin:], "\n")
		if line < prefix {
			from = begin + len(line) + 1
		} else {
			to = begin
		}
	}
	if from >= len(lines) {
		return "", false
	}
	line, _, _ = strings.Cut(lines[from:], "\n")
	return line, strings.HasPrefix(line, prefix)
}
