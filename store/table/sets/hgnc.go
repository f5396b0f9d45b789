package sets

import (
	"strings"

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
		several := func(column string) []string { return lists(strings.Trim(r.get(column), `"`), "|") }
		g := GeneNames{r.get("hgnc_id"), r.get("symbol"), strings.Trim(r.get("name"), `"`), r.get("entrez_id"), several("prev_symbol"), several("alias_symbol")}
		switch {
		case r.get("status") != "Approved": // withdrawn
			return nil
		case !strings.HasPrefix(g.HGNC, "HGNC:") || g.Symbol == "":
			report.skip("%s: %.40q is no gene", s.file, g.HGNC+" "+g.Symbol)
			return nil
		}
		row := &table.Row{ID: g.HGNC, Kind: Gene, Name: g.Symbol, Body: g, More: g.Name}
		row.Values = append(append(values(Symbol, g.Symbol), values(PreviousSymbol, g.Previous...)...), values(AliasSymbol, g.Aliases...)...)
		return put(row)
	})
}
