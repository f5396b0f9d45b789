package variant

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variantname"
	"biomcp/entrez/variation"
)

// titleForm matches a ClinVar title: NM_004333.6(BRAF):c.1799T>A (p.Val600Glu).
var titleForm = pattern.Lazy(`^([NX][MR]_[0-9.]+)(?:\([^)]*\))?:([cnr]\.[^ ]+)(?: \((p\.[^)]+)\))?`)

// titleGene returns the gene of a record on whose transcript its title numbers the change, or "" if the record lacks it,
// as after a change of the symbol.
func titleGene(r *clinvar.Record) string {
	before, _, _ := strings.Cut(r.Title, "):")
	_, gene, _ := strings.Cut(before, "(")
	if !slices.Contains(r.Genes, gene) {
		return ""
	}
	return gene
}

// FromClinVar converts a ClinVar summary to a Variant.
func FromClinVar(r *clinvar.Record) *Variant {
	v := &Variant{}
	v.ID, v.VCV, v.VariationID, v.RSID, v.CAID = r.Accession, r.Accession, r.ID, r.RSID, r.CAID
	v.Title, v.SPDI, v.Type, v.Consequences = r.Title, r.SPDI, r.Type, r.Consequences
	v.Classifications, v.Submissions, v.Locations = r.Classifications, &r.Submissions, r.Locations
	v.URL = clinvar.Page(r.ID)
	v.Gene = titleGene(r)
	v.setGenes(r.Genes, r.GenesTotal)
	if m := titleForm().FindStringSubmatch(r.Title); m != nil {
		v.HGVS.Transcript, v.HGVS.C, v.HGVS.P = m[1], acceptedName(m[1]+":"+m[2]), acceptedName(v.Gene+" "+m[3])
	}
	v.addSPDI()
	return v
}

// setGenes sets the genes, and the gene if there is only one. total is the number of all if names does not have them.
func (v *Variant) setGenes(names []string, total int) {
	if total = max(total, len(names)); total > 0 {
		v.GenesTotal = &total
	}
	if len(names) > 0 {
		v.Genes = names
	}
	if v.Gene == "" && total == 1 && len(names) == 1 {
		v.Gene = names[0]
	}
}

// read adds the facts of ClinVar's whole record.
func (v *Variant) read(r *clinvar.VCV) {
	v.Whole = r
	v.CAID, v.GnomAD = cmp.Or(v.CAID, r.CAID), cmp.Or(r.GnomAD, v.GnomAD)
	v.Impacts, v.Functional = []string{}, []FunctionalEvidence{}
	v.Split = append([]clinvar.Conflict{}, r.Conflicts...)
	v.Earlier = append([]clinvar.PastClassification{}, r.PastClassifications...)
	for _, s := range r.Submissions {
		if s.Impact != "" && !slices.Contains(v.Impacts, s.Impact) {
			v.Impacts = append(v.Impacts, s.Impact)
		}
		for _, e := range s.Functional {
			v.Functional = append(v.Functional, FunctionalEvidence{s.Accession, s.Submitter, e})
		}
	}
	if r.MANE != "" && v.HGVS.Transcript != "" {
		v.HGVS.MANE = new(r.MANE == v.HGVS.Transcript)
	}
}

// acceptedName returns name if [Client.Find] accepts it, else "".
func acceptedName(name string) string {
	if variantname.Parse(name, assembly.GRCh38).Kind == variantname.None {
		return ""
	}
	return name
}

// addSPDI adds what follows from the canonical SPDI: the bases on its assembly and,
// for a one-base change, the HGVS and gnomAD names.
func (v *Variant) addSPDI() {
	s, ok := variation.Parse(v.SPDI)
	if !ok {
		return
	}
	name, chromosome := assembly.Lookup(s.Sequence)
	if name == "" {
		return
	}
	for i := range v.Locations {
		if l := &v.Locations[i]; l.Assembly == name && l.Ref+l.Alt == "" && s.OneBase() {
			l.Ref, l.Alt = s.Deleted, s.Inserted
		}
	}
	if !v.isOn(name) {
		l := clinvar.Location{Assembly: name, Chromosome: chromosome, Ref: s.Deleted, Alt: s.Inserted}
		l.Start, l.End = span(s)
		v.Locations = append(v.Locations, l)
	}
	if s.OneBase() && name == assembly.GRCh38 {
		v.GnomAD = fmt.Sprintf("%s-%d-%s-%s", chromosome, s.Position+1, s.Deleted, s.Inserted)
	}
	if s.OneBase() && v.HGVS.G == "" {
		kind := ":g."
		if chromosome == "MT" {
			kind = ":m."
		}
		v.HGVS.G = s.Sequence + kind + strconv.Itoa(s.Position+1) + s.Deleted + ">" + s.Inserted
	}
}

// span returns the range, counted from 1, of the bases that s replaces, or the two
// bases between which it inserts.
func span(s variation.SPDI) (start, end int) {
	if s.Deleted == "" {
		return max(1, s.Position), s.Position + 1
	}
	return s.Position + 1, s.Position + len(s.Deleted)
}

// ShortChange returns the protein change in one-letter code, such as V600E; "" if the gene or
// the change is unknown.
func (v *Variant) ShortChange() string {
	m := titleForm().FindStringSubmatch(v.Title)
	if m == nil || v.Gene == "" {
		return ""
	}
	_, short, _ := variantname.Protein(m[3])
	return short
}

// isOn reports whether the variant's location on an assembly is known.
func (v *Variant) isOn(name string) bool {
	return slices.ContainsFunc(v.Locations, func(l clinvar.Location) bool { return l.Assembly == name })
}

// snp is a dbSNP summary. Number is the current rs number; it differs from the
// requested one if that was merged.
type snp struct {
	Number              string
	Genes               []string
	Place38, Place37    string // "7:140753336"
	SPDIs, Consequences []string
	Class               string
	Frequencies         []Frequency
	Names               []string // HGVS
}

func readSNP(d entrez.Doc) *snp {
	s := &snp{
		Number: cmp.Or(d.Text("snp_id"), d.UID), Genes: d.Texts("genes.#.name"), Place38: d.Text("chrpos"),
		Place37: d.Text("chrpos_prev_assm"),
		SPDIs:   d.Split("spdi", ","), Consequences: d.Split("fxn_class", ","), Class: d.Text("snp_class"),
	}
	for _, part := range d.Split("docsum", "|") {
		if names, ok := strings.CutPrefix(part, "HGVS="); ok {
			s.Names = ncbi.List(strings.Split(names, ","))
		}
	}
	for _, m := range d.Each("global_mafs") {
		s.Frequencies = append(s.Frequencies, parseFrequency(m.Text("study"), m.Text("freq")))
	}
	return s
}

// deletedAllele replaces dbSNP's "-" for a deleted allele, which our tables show for a missing value.
const deletedAllele = "del"

// parseFrequency parses "C=0.1505591/754": the allele, its frequency and the number of
// alleles counted. A number that cannot be parsed becomes nil.
func parseFrequency(study, text string) Frequency {
	allele, rest, _ := strings.Cut(text, "=")
	value, count, _ := strings.Cut(rest, "/")
	if allele == "-" {
		allele = deletedAllele
	}
	f := Frequency{Study: study, Allele: allele}
	if x, err := strconv.ParseFloat(value, 64); err == nil {
		f.Frequency = &x
	}
	if n, err := strconv.Atoi(count); err == nil {
		f.Count = &n
	}
	return f
}

// newSNPVariant converts a dbSNP summary to a Variant. allele is the SPDI of one of its alleles;
// "" stands for the rs number, which may cover several.
func newSNPVariant(s *snp, allele string) *Variant {
	v := &Variant{}
	v.ID, v.RSID, v.Type, v.Consequences = "rs"+s.Number, "rs"+s.Number, s.Class, s.Consequences
	v.setGenes(s.Genes, 0)
	v.URL = "https://www.ncbi.nlm.nih.gov/snp/rs" + s.Number
	v.Title = v.RSID
	if v.SPDI = allele; allele == "" && len(s.SPDIs) == 1 {
		v.SPDI = s.SPDIs[0]
	}
	v.addSPDI()
	v.add(s)
	return v
}

// bases returns how many bases of GRCh38 the alleles replace; 1 if dbSNP gives no SPDI.
func (s *snp) bases() int {
	for _, text := range s.SPDIs {
		if x, ok := variation.Parse(text); ok {
			first, last := span(x)
			return last - first + 1
		}
	}
	return 1
}

// add adds the facts of a dbSNP summary. Its HGVS names do not say which allele they
// describe, so with several alleles only the protein change known from ClinVar is used.
func (v *Variant) add(s *snp) {
	v.Frequencies = append([]Frequency{}, s.Frequencies...)
	alone := len(s.SPDIs) == 1 && s.SPDIs[0] == v.SPDI
	for _, place := range []struct{ name, text string }{{assembly.GRCh38, s.Place38}, {assembly.GRCh37, s.Place37}} {
		chromosome, text, _ := strings.Cut(place.text, ":")
		start, err := strconv.Atoi(text)
		if err == nil && !v.isOn(place.name) {
			v.Locations = append(v.Locations, clinvar.Location{
				Assembly: place.name, Chromosome: chromosome, Start: start, End: start + s.bases() - 1,
			})
		}
	}
	for _, n := range s.Names {
		sequence, change, _ := strings.Cut(n, ":")
		name, _ := assembly.Lookup(sequence)
		switch {
		case variantname.Parse(n, assembly.GRCh38).Kind == variantname.None: // a repeat
		case name == assembly.GRCh38 && v.HGVS.G == "" && alone:
			v.HGVS.G = n
		case strings.HasPrefix(change, "p.") && strings.HasSuffix(v.HGVS.P, " "+change):
			v.HGVS.P = n
		case strings.HasPrefix(change, "c.") && v.HGVS.C == "" && v.VCV == "" && alone:
			v.HGVS.C, v.HGVS.Transcript = n, sequence
		case strings.HasPrefix(change, "p.") && v.HGVS.P == "" && v.VCV == "" && alone:
			v.HGVS.P = n
		}
	}
}
