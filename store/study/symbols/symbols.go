// Package symbols knows the symbols of human genes: the approved one, the previous ones, so that
// a study and a request may use different ones (PARK2 became PRKN in 2016), and the aliases, such
// as HER2. The table is HGNC's (https://www.genenames.org, CC0 1.0). build/symbols writes it and
// documents its source.
//
//	symbols.Names("MLL2") // KMT2D TNRC21 MLL2
//	symbols.Find("HER2")  // the gene ERBB2
//
// It has no identifiers. The table of biomcp sync hgnc is newer and has them.
package symbols

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

//go:embed symbols.txt.gz
var packed []byte

// A Gene lists the symbols of a human gene. Other genes may share its previous symbols and
// aliases.
type Gene struct {
	Symbol            string // approved symbol
	Previous, Aliases []string
}

// table is the unpacked file.
type table struct {
	version string
	words   map[string]bool
	genes   []Gene
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
	words, rest, _ := strings.Cut(rest, "\n")
	t := table{version: version, words: map[string]bool{}, genes: make([]Gene, 0, 48<<10)}
	for word := range strings.SplitSeq(words, " ") {
		t.words[word] = true
	}
	for line := range strings.Lines(rest) {
		approved, aliases, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		names := strings.Fields(approved)
		t.genes = append(t.genes, Gene{names[0], names[1:], strings.Fields(aliases)})
	}
	return t
})

// shared is the value of a symbol that several genes have and that is not approved.
const shared = -1

// approvedAndPrevious maps approved and previous symbols, in upper case, to indexes of genes.
var approvedAndPrevious = sync.OnceValue(func() map[string]int32 {
	return index(func(g Gene) []string { return g.Previous })
})

// allSymbols maps all symbols, in upper case, to indexes of genes.
var allSymbols = sync.OnceValue(func() map[string]int32 {
	return index(func(g Gene) []string { return slices.Concat(g.Previous, g.Aliases) })
})

// index maps the approved symbols and other symbols, in upper case, to indexes of genes. An
// approved symbol belongs only to its own gene.
func index(others func(Gene) []string) map[string]int32 {
	genes := load().genes
	at := make(map[string]int32, 3*len(genes))
	for i, g := range genes {
		at[strings.ToUpper(g.Symbol)] = int32(i)
	}
	for i, g := range genes {
		for _, other := range others(g) {
			other = strings.ToUpper(other)
			now, known := at[other]
			switch {
			case !known:
				at[other] = int32(i)
			case now != shared && now != int32(i) && !strings.EqualFold(genes[now].Symbol, other):
				at[other] = shared
			}
		}
	}
	return at
}

// Version names the table and its date.
func Version() string { return load().version }

// Names returns the approved symbol and then the previous symbols of the gene with a symbol,
// ignoring case. It returns nil if no gene has the symbol. It leaves out a previous symbol that
// several genes had, or that is the approved symbol of another gene.
func Names(symbol string) []string {
	at := approvedAndPrevious()
	i, ok := at[strings.ToUpper(symbol)]
	if !ok || i == shared {
		return nil
	}
	g := load().genes[i]
	names := []string{g.Symbol}
	for _, other := range g.Previous {
		if at[strings.ToUpper(other)] == i {
			names = append(names, other)
		}
	}
	return names
}

// Find returns the gene with a symbol, ignoring case: the approved symbol of a gene, or else a
// previous symbol or an alias of just one gene.
func Find(symbol string) (g Gene, ok bool) {
	i, ok := allSymbols()[strings.ToUpper(symbol)]
	if !ok || i == shared {
		return Gene{}, false
	}
	return load().genes[i], true
}

// IsWord reports whether a symbol of a gene, ignoring case, is also a common English word, such
// as CAT, REST or LARGE.
func IsWord(symbol string) bool { return load().words[strings.ToLower(symbol)] }

var openReadingFrame = pattern.Lazy(`\bC([0-9]+|X|Y)ORF([0-9])`)

// Spell returns a symbol in HGNC's letter case: upper case except the orf of C17orf74.
func Spell(symbol string) string {
	symbol = strings.ToUpper(symbol)
	if !strings.Contains(symbol, "ORF") {
		return symbol
	}
	return openReadingFrame().ReplaceAllString(symbol, "C${1}orf$2")
}
