// Package gene finds genes by their names: symbols and GeneIDs, and ids of HGNC and Ensembl. A record
// is merged from NCBI Gene, which has the names and locations, and NCBI Datasets, which has the ids of
// other sources.
//
// An alias is not a symbol: [Client.Find] returns a [resolve.Miss] that names the gene or genes with
// that alias. So RAD1 is the gene RAD1, although ERCC4 has the alias RAD1 too.
package gene

import (
	"fmt"
	"strings"

	"biomcp/entrez/datasets"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Source is the label of NCBI Gene.
const Source = "NCBI Gene"

// Max is the maximum number of words of one [Client.FindAll], the size of one ESummary.
const Max = 200

// A Gene is a record of NCBI Gene. If NCBI Datasets did not answer, ids that only it has
// are empty.
type Gene struct {
	Symbol         string     `json:"symbol"`
	Name           string     `json:"name"`
	ID             string     `json:"entrez_id"`
	HGNC           string     `json:"hgnc_id"`
	Ensembl        []string   `json:"ensembl_ids"`
	UniProt        []string   `json:"uniprot_ids"`
	OMIM           []string   `json:"omim_ids"`
	Type           string     `json:"type"`
	Organism       Organism   `json:"organism"`
	Aliases        []string   `json:"aliases"`
	OtherNames     []string   `json:"other_names"`
	Cytoband       string     `json:"cytoband"`
	Location       *Location  `json:"location"` // on the current assembly, GRCh38 for human genes
	Location37     *Location  `json:"location_grch37"`
	OtherLocations []Location `json:"other_locations"` // such as on Y if Location is on X
	Summary        string     `json:"summary"`
	Status         string     `json:"status"`      // Live, Superseded or Discontinued
	ReplacedBy     string     `json:"replaced_by"` // GeneID of the successor
	URL            string     `json:"url"`

	// Report is the report of NCBI Datasets, nil if it did not answer about the gene.
	Report *datasets.Gene `json:"-"`
}

// Values of Gene.Status.
const (
	Live         = "live"
	Superseded   = "replaced" // by the gene with the GeneID ReplacedBy
	Discontinued = "discontinued"
)

// Organism is the species of a gene.
type Organism struct {
	Name  string `json:"name"`  // "Homo sapiens"
	TaxID string `json:"taxid"` // in NCBI Taxonomy: "9606"
}

// Location is a range of bases counted from 1, both ends included, Start <= End.
type Location struct {
	Assembly   string `json:"assembly"`
	Accession  string `json:"accession"` // RefSeq accession of the chromosome
	Chromosome string `json:"chromosome"`
	Start      int    `json:"start"`
	End        int    `json:"end"`
	Strand     string `json:"strand"`     // "+" or "-"
	Exons      *int   `json:"exon_count"` // nil if unknown
}

// String renders a location such as "GRCh38 7:140719327-140924929 (-), 20 exons". It returns "" for nil.
func (p *Location) String() string {
	if p == nil {
		return ""
	}
	text := fmt.Sprintf("%s %s:%d-%d (%s)", p.Assembly, p.Chromosome, p.Start, p.End, p.Strand)
	if p.Exons != nil && *p.Exons > 0 {
		text += fmt.Sprintf(", %d exons", *p.Exons)
	}
	return text
}

// IsHuman reports whether the organism is Homo sapiens or unknown.
func (g *Gene) IsHuman() bool { return g.Organism.TaxID == datasets.Human || g.Organism.TaxID == "" }

var (
	registryID = pattern.Lazy(`(?i)^(HGNC:[0-9]{1,6}|ENSG[0-9]{11})$`)
	mouseForm  = pattern.Lazy(`^[A-Z][a-z]+[0-9]*[a-z]*[0-9]*$`)
)

// IsID reports whether a word is a GeneID.
func IsID(word string) bool { return ncbi.UIDForm().MatchString(word) }

// IsRegistryID reports whether a word is an id of HGNC or Ensembl: HGNC:1097, ENSG00000157764.
func IsRegistryID(word string) bool { return registryID().MatchString(word) }

// IsMouseStyle reports whether a symbol is capitalized as in mouse and rat: Trp53.
func IsMouseStyle(word string) bool { return mouseForm().MatchString(word) }

// taxa maps common names of organisms to taxids.
var taxa = [...]struct{ name, id string }{
	{"human", datasets.Human}, {"mouse", "10090"}, {"rat", "10116"}, {"zebrafish", "7955"}, {"fly", "7227"},
	{"worm", "6239"}, {"yeast", "559292"},
}

// TaxID returns the taxid for human, mouse, rat, zebrafish, fly, worm or yeast, or "" for another
// word.
func TaxID(organism string) string {
	for _, t := range taxa {
		if strings.EqualFold(t.name, organism) {
			return t.id
		}
	}
	return ""
}
