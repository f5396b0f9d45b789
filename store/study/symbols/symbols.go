// Package symbols knows the approved and the previous symbols of human genes, so that a study
// and a request may use different ones: PARK2 became PRKN in 2016. The table is HGNC's
// (https://www.genenames.org, CC0 1.0). build/symbols writes it and documents its source.
//
//	symbols.Names("MLL2") // KMT2D TNRC21 MLL2
//
// It has neither synonyms, such as HER2, nor identifiers. The table of biomcp sync hgnc is newer
// and has them.
package symbols

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

//go:embed symbols.txt.gz
var packed []byte

// table is the unpacked file and the line of each symbol in upper case.
type table struct {
	version string
	lines   map[string]string
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
	t := table{version, make(map[string]string, 48<<10)}
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		for symbol := range strings.SplitSeq(strings.ToUpper(line), " ") {
			t.lines[symbol] = line
		}
	}
	return t
})

// Version names the table and its date.
func Version() string { return load().version }

// Names returns the approved symbol and then the previous symbols of the gene with a symbol,
// ignoring case. It returns nil if no gene has the symbol. A previous symbol that several genes
// had, or that is the approved symbol of another gene, is not in the table.
func Names(symbol string) []string {
	line, ok := load().lines[strings.ToUpper(symbol)]
	if !ok {
		return nil
	}
	return strings.Fields(line)
}

var openReadingFrame = pattern.Lazy(`\bC([0-9]+|X|Y)ORF([0-9])`)

// Spell returns a symbol in HGNC's letter case: upper case except the orf of C17orf74.
func Spell(symbol string) string {
	symbol = strings.ToUpper(symbol)
	if !strings.Contains(symbol, "ORF") {
		return symbol
	}
	return openReadingFrame().ReplaceAllString(symbol, "C${1}orf$2")
}
