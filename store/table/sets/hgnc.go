package sets

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"biomcp/store/table"
)

// GeneNames is a human gene with its names, as the HUGO Gene Nomenclature Committee
// has them.
type GeneNames struct {
	HGNC     string   `json:"hgnc_id"`
	Symbol   string   `json:"symbol"` // the approved one
	Name     string   `json:"name"`
	Entrez   string   `json:"entrez_id"`
	Previous []string `json:"previous"` // symbols that it had, which may be another gene's alias now
	Aliases  []string `json:"aliases"`
}

// HGNCSet is the name of the data set of genes.
const HGNCSet = "hgnc"

// Fields by which genes are found.
const (
	Symbol         = "symbol"
	PreviousSymbol = "previous"
	AliasSymbol    = "alias"
)

// ReadHGNC reads the complete set of approved genes: separated by tabs, several symbols
// within quotation marks and separated by "|" (https://www.genenames.org/help/statistics-and-downloads/).
func ReadHGNC(files Files, put Put, report *Report) error {
	s := sheet{file: "hgnc_complete_set.txt", comma: '\t', required: []string{"hgnc_id", "symbol", "name", "status", "alias_symbol", "prev_symbol", "entrez_id"}}
	return s.each(files, report, func(r record) error {
		several := func(column string) []string { return lists(strings.Trim(r.get(column), `"`)) }
		g := GeneNames{r.get("hgnc_id"), r.get("symbol"), strings.Trim(r.get("name"), `"`), r.get("entrez_id"), several("prev_symbol"), several("alias_symbol")}
		switch {
		case r.get("status") != "Approved": // withdrawn
			return nil
		case !strings.HasPrefix(g.HGNC, "HGNC:") || g.Symbol == "":
			report.skip("%s: %.40q is no gene", s.file, g.HGNC+" "+g.Symbol)
			return nil
		}
		row := &table.Row{ID: g.HGNC, Kind: Gene, Name: g.Symbol, Body: g, More: g.Name}
		row.Add(Symbol, g.Symbol)
		row.Add(PreviousSymbol, g.Previous...)
		row.Add(AliasSymbol, g.Aliases...)
		return put(row)
	})
}

// BySymbol returns, for each of the terms that is a symbol of one human gene, the symbols
// of that gene by which it is searched for, the approved one first. A term is a symbol if
// it has a digit or two capitals and is the approved one, whatever the letter case, or
// else one that a gene had or that is its alias, and that of no other. Of the others those
// with a digit or four letters are taken: shorter ones have too many meanings. The error is
// a *table.AbsentError where HGNC is not on this machine.
func BySymbol(ctx context.Context, t *table.Tables, terms []string) (map[string][]string, error) {
	var asked []string
	for _, term := range terms {
		if _, capitals, digits := count(term); !strings.Contains(term, " ") && (digits > 0 || capitals > 1) {
			asked = append(asked, term)
		}
	}
	held := map[string][]table.Record{}
	for i, field := range []string{Symbol, PreviousSymbol, AliasSymbol} {
		holders, err := t.Holders(ctx, HGNCSet, field, asked)
		if err != nil {
			return nil, err
		}
		for term, records := range holders {
			held[term] = append(held[term], records...)
		}
		if i == 0 { // approved symbols are no names of other genes
			asked = slices.DeleteFunc(asked, func(term string) bool { return held[term] != nil })
		}
	}
	symbols := map[string][]string{}
	for term, records := range held {
		g, err := table.Decode[GeneNames](records[0])
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(records, func(r table.Record) bool { return r.ID != records[0].ID }) {
			continue
		}
		symbols[term] = []string{g.Symbol}
		for _, other := range slices.Concat(g.Previous, g.Aliases) {
			if letters, _, digits := count(other); letters > 3 || letters > 0 && digits > 0 {
				symbols[term] = append(symbols[term], other)
			}
		}
	}
	return symbols, nil
}

// count counts the letters of a text, the capitals among them, and the digits.
func count(text string) (letters, capitals, digits int) {
	for _, r := range text {
		switch {
		case unicode.IsUpper(r):
			letters, capitals = letters+1, capitals+1
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	return letters, capitals, digits
}
