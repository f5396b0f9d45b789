package datasets

import (
	"context"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// page reads a GeneDataReportPage: what has no gene (an unknown symbol) is left out.
// total is how many genes there are, also on further pages.
func (c *Client) page(ctx context.Context, call *polite.Call) (genes []Gene, total int, err error) {
	reply, err := ncbi.Ask(ctx, c.service, call)
	if err != nil {
		return nil, 0, err
	}
	genes = []Gene{}
	for _, r := range reply.Each("reports") {
		if r.Text("gene.gene_id") != "" {
			genes = append(genes, read(r))
		}
	}
	return genes, max(len(genes), int(reply.Get("total_count").Int())), nil
}

// read reads a report, of the type GeneDescriptor of the interface description
// (v2reports).
func read(r ncbi.Object) Gene {
	w := ncbi.Object{Result: r.Get("gene")}
	return Gene{
		Asked: r.Texts("query"), ID: w.Text("gene_id"), Symbol: w.Text("symbol"), Name: w.Text("description"), Type: typeName(w.Text("type")),
		TaxID: w.Text("tax_id"), Organism: w.Text("taxname"), Synonyms: w.Texts("synonyms"), OtherNames: w.Texts("alternate_names"),
		HGNC: w.Text("nomenclature_authority.identifier"), OMIM: w.Texts("omim_ids"), Ensembl: w.Texts("ensembl_gene_ids"),
		SwissProt: w.Texts("swiss_prot_accessions"), ReplacedBy: w.Text("replaced_gene_id"), Summary: w.Text("summary.0.description"),
		GO: terms(w),
	}
}

func terms(w ncbi.Object) []Term {
	out := []Term{}
	for _, of := range []struct{ aspect, list string }{{"function", "molecular_functions"}, {"process", "biological_processes"}, {"component", "cellular_components"}} {
		for _, t := range w.Each("gene_ontology." + of.list) {
			id := t.Text("go_id")
			out = append(out, Term{of.aspect, id, t.Text("name"), t.Text("evidence_code"), t.Texts("reference.pmids"), "https://amigo.geneontology.org/amigo/term/" + id})
		}
	}
	return out
}

// typeName is a type of gene in the words of NCBI Gene: PROTEIN_CODING is
// protein-coding, ncRNA stays.
func typeName(t string) string {
	if t == strings.ToUpper(t) {
		t = strings.ToLower(strings.ReplaceAll(t, "_", "-"))
	}
	return t
}
