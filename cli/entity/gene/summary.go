package gene

import (
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/datasets"
	"biomcp/entrez/ncbi"
)

// States of a record.
const live, replaced, discontinued = "live", "replaced", "discontinued"

// wireSummary is a DocSum of db=gene, of today and of ten years ago.
type wireSummary struct {
	Name         ncbi.Text            `json:"name"`
	Description  ncbi.Text            `json:"description"`
	Status       ncbi.Text            `json:"status"`
	CurrentID    ncbi.Text            `json:"currentid"`
	MapLocation  ncbi.Text            `json:"maplocation"`
	Aliases      ncbi.Text            `json:"otheraliases"`
	Designations ncbi.Text            `json:"otherdesignations"`
	Symbol       ncbi.Text            `json:"nomenclaturesymbol"`
	FullName     ncbi.Text            `json:"nomenclaturename"`
	MIM          ncbi.Texts           `json:"mim"`
	Places       ncbi.Many[wirePlace] `json:"genomicinfo"`
	History      ncbi.Many[struct {
		wirePlace
		Assembly ncbi.Text `json:"assemblyaccver"`
	}] `json:"locationhist"`
	Summary  ncbi.Text `json:"summary"`
	Organism struct {
		Name  ncbi.Text `json:"scientificname"`
		TaxID ncbi.Text `json:"taxid"`
	} `json:"organism"`
	OrgName ncbi.Text `json:"orgname"` // until about 2015
	TaxID   ncbi.Text `json:"taxid"`
}

// wirePlace is from 0 at both ends, and the other way round on the minus strand.
type wirePlace struct {
	Chromosome ncbi.Text `json:"chrloc"`
	Accession  ncbi.Text `json:"chraccver"`
	Start      ncbi.Text `json:"chrstart"`
	Stop       ncbi.Text `json:"chrstop"`
	Exons      ncbi.Text `json:"exoncount"`
}

// place is a wirePlace from 1, the lower end first; nil where it is none.
func (w wirePlace) place(assemblyName string) *location {
	start, err := strconv.Atoi(string(w.Start))
	stop, err2 := strconv.Atoi(string(w.Stop))
	if err != nil || err2 != nil || w.Accession == "" {
		return nil
	}
	p := &location{Assembly: assemblyName, Accession: string(w.Accession), Chromosome: string(w.Chromosome), Start: start + 1, End: stop + 1, Strand: "+"}
	if start > stop {
		p.Start, p.End, p.Strand = stop+1, start+1, "-"
	}
	if name, chromosome := assembly.Of(p.Accession); name != "" {
		p.Assembly, p.Chromosome = name, chromosome
	}
	if n, err := strconv.Atoi(string(w.Exons)); err == nil {
		p.Exons = &n
	}
	return p
}

// grch37 is the assembly of GRCh37 in locationhist, which has others too.
const grch37 = "GCF_000001405.25"

func readSummary(doc entrez.Doc) (*Gene, error) {
	var w wireSummary
	if err := doc.Decode(&w); err != nil {
		return nil, err
	}
	g := &Gene{
		ID: doc.UID, Symbol: string(w.Name), Name: string(w.Description), Cytoband: string(w.MapLocation),
		Aliases: ncbi.List(strings.Split(string(w.Aliases), ",")), OtherNames: ncbi.List(strings.Split(string(w.Designations), "|")),
		OMIM: ncbi.List(w.MIM), Summary: string(w.Summary), Status: live,
		Organism: organism{string(w.Organism.Name), string(w.Organism.TaxID)}, OtherLocations: []location{},
	}
	if g.Organism.TaxID == "" {
		g.Organism = organism{string(w.OrgName), string(w.TaxID)}
	}
	if none(w.Status) == "" {
	} else if g.ReplacedBy = none(w.CurrentID); g.ReplacedBy != "" {
		g.Status = replaced
	} else {
		g.Status = discontinued
	}
	for _, h := range w.History {
		if h.Assembly == grch37 && g.Location37 == nil {
			g.Location37 = h.place(string(h.Assembly))
		}
	}
	for _, wire := range w.Places {
		assemblyName := ""
		for _, h := range w.History {
			if h.Accession == wire.Accession && assemblyName == "" {
				assemblyName = string(h.Assembly)
			}
		}
		switch p := wire.place(assemblyName); {
		case p == nil:
		case g.Location == nil:
			g.Location = p
		default:
			g.OtherLocations = append(g.OtherLocations, *p)
		}
	}
	return g, nil
}

// none is a number that NCBI writes as 0 or "" where there is none.
func none(t ncbi.Text) string { return strings.TrimPrefix(string(t), "0") }

// add puts what Datasets says to what ESummary says.
func (g *Gene) add(r *datasets.Gene) {
	g.URL = "https://www.ncbi.nlm.nih.gov/gene/" + g.ID
	for _, list := range []*[]string{&g.Ensembl, &g.UniProt, &g.OMIM, &g.Aliases, &g.OtherNames} {
		if *list == nil {
			*list = []string{}
		}
	}
	if g.OtherLocations == nil {
		g.OtherLocations = []location{}
	}
	if r == nil {
		return
	}
	g.report, g.HGNC, g.Ensembl, g.UniProt, g.Type = r, r.HGNC, r.Ensembl, r.SwissProt, r.Type
	fill := func(to *string, from string) {
		if *to == "" {
			*to = from
		}
	}
	fill(&g.Symbol, r.Symbol)
	fill(&g.Name, r.Name)
	fill(&g.Summary, r.Summary)
	fill(&g.Organism.Name, r.Organism)
	fill(&g.Organism.TaxID, r.TaxID)
	fill(&g.ReplacedBy, r.ReplacedBy)
	for _, list := range []struct {
		to   *[]string
		from []string
	}{{&g.OMIM, r.OMIM}, {&g.Aliases, r.Synonyms}, {&g.OtherNames, r.OtherNames}} {
		if len(*list.to) == 0 {
			*list.to = list.from
		}
	}
}
