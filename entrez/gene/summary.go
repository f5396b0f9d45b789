package gene

import (
	"cmp"
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/datasets"
	"biomcp/entrez/ncbi"
)

// Page is the address of a gene's page, without the GeneID.
const Page = "https://www.ncbi.nlm.nih.gov/gene/"

// place returns a location counted from 1, the lower end first, or nil if w has no valid
// numbers. NCBI Gene counts from 0, and swaps the ends on the minus strand.
func place(w ncbi.Object, assemblyName string) *Location {
	start, err := strconv.Atoi(w.Text("chrstart"))
	stop, err2 := strconv.Atoi(w.Text("chrstop"))
	p := &Location{
		Assembly: assemblyName, Accession: w.Text("chraccver"), Chromosome: w.Text("chrloc"), Start: start + 1,
		End: stop + 1, Strand: "+",
	}
	if err != nil || err2 != nil || p.Accession == "" {
		return nil
	}
	if start > stop {
		p.Start, p.End, p.Strand = stop+1, start+1, "-"
	}
	if name, chromosome := assembly.Lookup(p.Accession); name != "" {
		p.Assembly, p.Chromosome = name, chromosome
	}
	if assemblyName == grch37 { // shares its mitochondrion with GRCh38
		p.Assembly = assembly.GRCh37
	}
	if n, err := strconv.Atoi(w.Text("exoncount")); err == nil {
		p.Exons = &n
	}
	return p
}

// grch37 is the accession of GRCh37 in locationhist, which lists other assemblies too.
const grch37 = "GCF_000001405.25"

// ParseSummary converts a DocSum of db=gene, in its current form or that of ten years ago.
func ParseSummary(d entrez.Doc) *Gene {
	g := &Gene{
		ID: d.UID, Symbol: d.Text("name"), Name: d.Text("description"), Cytoband: d.Text("maplocation"),
		URL:     Page + d.UID,
		Aliases: d.Split("otheraliases", ","), OtherNames: d.Split("otherdesignations", "|"),
		OMIM: d.Texts("mim"), Summary: d.Text("summary"), Status: Live,
		Organism: Organism{d.Text("organism.scientificname"), d.Text("organism.taxid")},
	}
	if g.Organism.TaxID == "" { // DocSums until about 2015
		g.Organism = Organism{d.Text("orgname"), d.Text("taxid")}
	}
	// NCBI writes 0 or "" for a missing number.
	if strings.TrimPrefix(d.Text("status"), "0") == "" {
	} else if g.ReplacedBy = strings.TrimPrefix(d.Text("currentid"), "0"); g.ReplacedBy != "" {
		g.Status = Superseded
	} else {
		g.Status = Discontinued
	}
	assemblies := map[string]string{} // by accession of the chromosome
	for _, h := range d.Each("locationhist") {
		name, accession := h.Text("assemblyaccver"), h.Text("chraccver")
		assemblies[accession] = cmp.Or(assemblies[accession], name)
		if name == grch37 && g.Location37 == nil {
			g.Location37 = place(h, name)
		}
	}
	for _, w := range d.Each("genomicinfo") {
		switch p := place(w, assemblies[w.Text("chraccver")]); {
		case p == nil:
		case g.Location == nil:
			g.Location = p
		default:
			g.OtherLocations = append(g.OtherLocations, *p)
		}
	}
	return g
}

// add merges the answer of Datasets into that of ESummary.
func (g *Gene) add(r *datasets.Gene) {
	g.URL = Page + g.ID
	if r == nil {
		return
	}
	g.Report, g.HGNC, g.Ensembl, g.UniProt, g.Type = r, r.HGNC, r.Ensembl, r.SwissProt, r.Type
	g.Symbol, g.Name, g.Summary = cmp.Or(g.Symbol, r.Symbol), cmp.Or(g.Name, r.Name), cmp.Or(g.Summary, r.Summary)
	g.Organism = Organism{cmp.Or(g.Organism.Name, r.Organism), cmp.Or(g.Organism.TaxID, r.TaxID)}
	g.OMIM, g.Aliases, g.OtherNames = firstNonEmpty(g.OMIM, r.OMIM), firstNonEmpty(g.Aliases, r.Synonyms),
		firstNonEmpty(g.OtherNames, r.OtherNames)
}

// firstNonEmpty returns a, or b if a is empty.
func firstNonEmpty(a, b []string) []string {
	if len(a) > 0 {
		return a
	}
	return b
}
