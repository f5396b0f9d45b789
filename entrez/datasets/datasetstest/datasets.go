// Package datasetstest simulates NCBI Datasets with a few genes. Their symbols and IDs are real,
// the rest is invented. Like the service, it treats an alias as a symbol.
package datasetstest

import (
	_ "embed"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"biomcp/entrez/datasets"
	"biomcp/entrez/sourcetest"
)

//go:embed genes.json
var genesFile []byte

type gene struct {
	ID        string           `json:"gene_id"`
	Symbol    string           `json:"symbol"`
	TaxID     string           `json:"tax_id"`
	Synonyms  []string         `json:"synonyms"`
	Rest      map[string]any   `json:"rest"`     // further members of the report
	Proteins  []map[string]any `json:"products"` // transcripts of the product report
	Orthologs []string         `json:"orthologs"`
}

// base is the path of version 2 of the service.
const base = "/datasets/v2/"

// AddTo makes the server simulate the service, with the endpoints "datasets-symbol",
// "datasets-id", "datasets-product" and "datasets-ortholog".
func AddTo(s *sourcetest.Server) {
	var genes []gene
	if err := json.Unmarshal(genesFile, &genes); err != nil {
		panic(err) // cannot happen with the embedded file
	}
	held := holder(genes)
	s.Add(sourcetest.Service{Source: &datasets.Source, Path: base, Endpoints: []sourcetest.Endpoint{
		{Name: "datasets-symbol", Path: "gene/symbol/{symbols}/taxon/{taxon}/dataset_report", Answer: held.bySymbol},
		{Name: "datasets-id", Path: "gene/id/{ids}/dataset_report", Answer: held.byID},
		{Name: "datasets-product", Path: "gene/id/{id}/product_report", Answer: held.products},
		{Name: "datasets-accession", Path: "gene/accession/{accessions}/product_report", Answer: held.byAccession},
		{Name: "datasets-ortholog", Path: "gene/id/{id}/orthologs", Answer: held.orthologs},
	}})
}

type holder []gene

// pathWords returns the words after gene/symbol/ or gene/id/ in the path.
func pathWords(c *sourcetest.Call) []string {
	return strings.Split(strings.Split(strings.TrimPrefix(c.Path, base), "/")[2], ",")
}

func (g gene) report(query string) map[string]any {
	out := map[string]any{"gene_id": g.ID, "symbol": g.Symbol, "tax_id": g.TaxID, "synonyms": g.Synonyms}
	maps.Copy(out, g.Rest)
	return map[string]any{"gene": out, "query": []string{query}}
}

// unknown returns the report on an unknown word, with the warning of the interface description
// (v2reportsWarningGeneWarningCode).
func unknown(word, kind string) map[string]any {
	return map[string]any{"query": []string{word},
		"warnings": []any{map[string]any{"gene_warning_code": "UNRECOGNIZED_GENE_" + kind,
			"unrecognized_identifier": word}}}
}

func page(reports []map[string]any) sourcetest.Reply {
	if reports == nil {
		reports = []map[string]any{}
	}
	return sourcetest.JSON(http.StatusOK, map[string]any{"reports": reports, "total_count": len(reports)})
}

func (h holder) bySymbol(c *sourcetest.Call) sourcetest.Reply {
	taxon := strings.Split(c.Path, "/")[7]
	var reports []map[string]any
	for _, word := range pathWords(c) {
		same := func(s string) bool { return strings.EqualFold(s, word) }
		i := slices.IndexFunc(h, func(g gene) bool { return g.TaxID == taxon && same(g.Symbol) })
		if i < 0 {
			i = slices.IndexFunc(h, func(g gene) bool {
				return g.TaxID == taxon && slices.ContainsFunc(g.Synonyms, same)
			})
		}
		if i >= 0 {
			reports = append(reports, h[i].report(word))
		} else {
			reports = append(reports, unknown(word, "SYMBOL"))
		}
	}
	return page(reports)
}

func (h holder) byID(c *sourcetest.Call) sourcetest.Reply {
	var reports []map[string]any
	for _, id := range pathWords(c) {
		if i := h.index(id); i >= 0 {
			reports = append(reports, h[i].report(id))
		} else {
			reports = append(reports, unknown(id, "ID"))
		}
	}
	return page(reports)
}

// index returns the index of a gene by its GeneID or that of a record merged into it, -1 if not found.
func (h holder) index(id string) int {
	return slices.IndexFunc(h, func(g gene) bool { return g.ID == id || g.Rest["replaced_gene_id"] == id })
}

func (h holder) products(c *sourcetest.Call) sourcetest.Reply {
	return h.productsOf(h.index(pathWords(c)[0]), pathWords(c)[0])
}

func (h holder) productsOf(i int, query string) sourcetest.Reply {
	if i < 0 || h[i].Proteins == nil {
		return page(nil)
	}
	product := map[string]any{"gene_id": h[i].ID, "symbol": h[i].Symbol, "transcripts": h[i].Proteins}
	return page([]map[string]any{{"product": product, "query": []string{query}}})
}

// byAccession answers with the gene of the accession of a transcript or protein, with or without version.
func (h holder) byAccession(c *sourcetest.Call) sourcetest.Reply {
	accession := pathWords(c)[0]
	is := func(v any) bool {
		text, _ := v.(string)
		return text == accession || strings.HasPrefix(text, accession+".")
	}
	return h.productsOf(slices.IndexFunc(h, func(g gene) bool {
		return slices.ContainsFunc(g.Proteins, func(t map[string]any) bool {
			protein, _ := t["protein"].(map[string]any)
			return is(t["accession_version"]) || is(protein["accession_version"])
		})
	}), accession)
}

func (h holder) orthologs(c *sourcetest.Call) sourcetest.Reply {
	var reports []map[string]any
	if i := h.index(pathWords(c)[0]); i >= 0 {
		for _, id := range h[i].Orthologs {
			if k := h.index(id); k >= 0 {
				reports = append(reports, h[k].report(id))
			}
		}
	}
	return page(reports)
}
