package sets

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"biomcp/store/study/symbols"
	"biomcp/store/table"
)

// GeneNames lists the names of a human gene according to the HUGO Gene Nomenclature Committee.
type GeneNames struct {
	HGNC     string   `json:"hgnc_id" column:"hgnc_id"`
	Symbol   string   `json:"symbol" column:"symbol"` // approved symbol
	Name     string   `json:"name" column:"name"`
	Entrez   string   `json:"entrez_id" column:"entrez_id"`
	Previous []string `json:"previous"` // former symbols, some of which are now aliases of other genes
	Aliases  []string `json:"aliases"`
}

// HGNCSet is the name of the data set of genes.
const HGNCSet = "hgnc"

// Filter fields of genes.
const (
	Symbol         = "symbol"
	PreviousSymbol = "previous"
	AliasSymbol    = "alias"
)

// readHGNC reads the complete set of approved genes. Columns are separated by tabs; a list of
// symbols is quoted and separated by "|"
// (https://www.genenames.org/help/statistics-and-downloads/).
func readHGNC(r *reader) {
	readSheet(r, "hgnc_complete_set.txt", func(s *Sheet, g *GeneNames) error {
		switch {
		case s.Text("status") != "Approved": // withdrawn
			return nil
		case !strings.HasPrefix(g.HGNC, "HGNC:") || g.Symbol == "":
			return skip("%.40q is not a gene", g.HGNC+" "+g.Symbol)
		}
		several := func(column string) []string { return splitList(strings.Trim(s.Text(column), `"`)) }
		g.Name, g.Previous, g.Aliases = strings.Trim(g.Name, `"`), several("prev_symbol"), several("alias_symbol")
		row := &table.Row{ID: g.HGNC, Kind: Gene, Name: g.Symbol, Body: *g, ExtraText: g.Name}
		row.Add(Symbol, g.Symbol)
		row.Add(PreviousSymbol, g.Previous...)
		row.Add(AliasSymbol, g.Aliases...)
		return r.put(row)
	})
}

// BySymbol returns, for each term that is a symbol of one human gene, the symbols of that gene to
// search for, the approved one first. A term counts as a symbol if it has a digit or two capitals
// and is, ignoring case, the approved symbol of a gene or else a former symbol or alias of just one
// gene. Other symbols of the gene are included if they have a digit or four letters; shorter ones
// have too many meanings. The error is a *table.AbsentError if the HGNC set is not on this machine.
func BySymbol(ctx context.Context, t *table.Tables, terms []string) (map[string][]string, error) {
	asked := symbolLike(terms)
	held := map[string][]table.Record{}
	for i, field := range []string{Symbol, PreviousSymbol, AliasSymbol} {
		holders, err := t.RecordsByValue(ctx, HGNCSet, field, asked)
		if err != nil {
			return nil, err
		}
		for term, records := range holders {
			held[term] = append(held[term], records...)
		}
		if i == 0 { // an approved symbol is not looked up as an alias of another gene
			asked = slices.DeleteFunc(asked, func(term string) bool { return held[term] != nil })
		}
	}
	found := map[string][]string{}
	for term, records := range held {
		g, err := table.Decode[GeneNames](records[0])
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(records, func(r table.Record) bool { return r.ID != records[0].ID }) {
			continue
		}
		found[term] = distinctSymbols(g.Symbol, g.Previous, g.Aliases)
	}
	return found, nil
}

// builtInSymbols returns what BySymbol does, from the table in the program.
func builtInSymbols(terms []string) map[string][]string {
	found := map[string][]string{}
	for _, term := range symbolLike(terms) {
		if g, ok := symbols.Find(term); ok {
			found[term] = distinctSymbols(g.Symbol, g.Previous, g.Aliases)
		}
	}
	return found
}

// symbolLike returns the terms with the form of a symbol.
func symbolLike(terms []string) (like []string) {
	for _, term := range terms {
		if _, capitals, digits := countLetters(term); !strings.Contains(term, " ") && (digits > 0 || capitals > 1) {
			like = append(like, term)
		}
	}
	return like
}

// distinctSymbols returns the approved symbol of a gene and those of its others that have few
// other meanings.
func distinctSymbols(approved string, previous, aliases []string) []string {
	all := []string{approved}
	for _, other := range slices.Concat(previous, aliases) {
		if !isShort(other) {
			all = append(all, other)
		}
	}
	return all
}

// countLetters counts the letters of a text, its capitals and its digits.
func countLetters(text string) (letters, capitals, digits int) {
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
