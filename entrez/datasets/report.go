package datasets

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// wireGene is GeneDescriptor of the interface description (v2reports).
type wireGene struct {
	ID          ncbi.Text  `json:"gene_id"`
	Symbol      ncbi.Text  `json:"symbol"`
	Description ncbi.Text  `json:"description"`
	TaxID       ncbi.Text  `json:"tax_id"`
	Organism    ncbi.Text  `json:"taxname"`
	Type        ncbi.Text  `json:"type"`
	Orientation ncbi.Text  `json:"orientation"`
	Chromosomes ncbi.Texts `json:"chromosomes"`
	Authority   struct {
		ID ncbi.Text `json:"identifier"`
	} `json:"nomenclature_authority"`
	SwissProt ncbi.Texts `json:"swiss_prot_accessions"`
	Ensembl   ncbi.Texts `json:"ensembl_gene_ids"`
	OMIM      ncbi.Texts `json:"omim_ids"`
	Synonyms  ncbi.Texts `json:"synonyms"`
	Other     ncbi.Texts `json:"alternate_names"`
	Replaced  ncbi.Text  `json:"replaced_gene_id"`
	Ontology  struct {
		Functions ncbi.Many[wireTerm] `json:"molecular_functions"`
		Processes ncbi.Many[wireTerm] `json:"biological_processes"`
		Locations ncbi.Many[wireTerm] `json:"cellular_components"`
	} `json:"gene_ontology"`
	Summary ncbi.Many[struct {
		Text ncbi.Text `json:"description"`
	}] `json:"summary"`
}

type wireTerm struct {
	Name      ncbi.Text `json:"name"`
	ID        ncbi.Text `json:"go_id"`
	Evidence  ncbi.Text `json:"evidence_code"`
	Reference struct {
		PMIDs ncbi.Texts `json:"pmids"`
	} `json:"reference"`
}

// page reads a GeneDataReportPage: what has no gene (an unknown symbol) is left out.
func (c *Client) page(ctx context.Context, call *polite.Call) ([]Gene, error) {
	body, err := c.service.Do(ctx, call)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Reports ncbi.Many[struct {
			Gene  wireGene   `json:"gene"`
			Query ncbi.Texts `json:"query"`
		}] `json:"reports"`
	}
	if json.Unmarshal(body, &reply) != nil {
		return nil, call.Unreadable(errors.New("no JSON of the known shape"))
	}
	out := []Gene{}
	for _, r := range reply.Reports {
		if r.Gene.ID != "" {
			out = append(out, r.Gene.gene(ncbi.List(r.Query)))
		}
	}
	return out, nil
}

func (w *wireGene) gene(asked []string) Gene {
	g := Gene{
		Asked: asked, ID: string(w.ID), Symbol: string(w.Symbol), Name: string(w.Description), Type: typeName(string(w.Type)),
		Strand: map[ncbi.Text]string{"plus": "+", "minus": "-"}[w.Orientation],
		TaxID:  string(w.TaxID), Organism: string(w.Organism), Synonyms: ncbi.List(w.Synonyms), OtherNames: ncbi.List(w.Other),
		HGNC: string(w.Authority.ID), OMIM: ncbi.List(w.OMIM), Ensembl: ncbi.List(w.Ensembl), SwissProt: ncbi.List(w.SwissProt),
		ReplacedBy: string(w.Replaced), Chromosomes: ncbi.List(w.Chromosomes),
		Functions: terms(w.Ontology.Functions), Processes: terms(w.Ontology.Processes), Locations: terms(w.Ontology.Locations),
	}
	if len(w.Summary) > 0 {
		g.Summary = string(w.Summary[0].Text)
	}
	return g
}

func terms(list []wireTerm) []Term {
	out := []Term{}
	for _, t := range list {
		out = append(out, Term{ID: string(t.ID), Name: string(t.Name), Evidence: string(t.Evidence), PMIDs: ncbi.List(t.Reference.PMIDs)})
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
