package variant

import (
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/clinvar"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variation"
)

// titleForm is a title of ClinVar: NM_004333.6(BRAF):c.1799T>A (p.Val600Glu).
var titleForm = pattern.Lazy(`^([NX][MR]_[0-9.]+)(?:\([^)]*\))?:([cnr]\.[^ ]+)(?: \((p\.[^)]+)\))?`)

func blank() *Variant {
	return &Variant{MergedFrom: []string{}, Locations: []location{}, Consequences: []string{}, Frequencies: []frequency{}}
}

// ofClinVar is a variant as ClinVar describes it.
func ofClinVar(r *clinvar.Record) *Variant {
	v := blank()
	v.ID, v.VCV, v.variationID, v.RSID, v.CAID = r.Accession, r.Accession, r.ID, r.RSID, r.CAID
	v.Title, v.SPDI, v.Type, v.Consequences = r.Title, r.SPDI, r.Type, r.Consequences
	v.Germline, v.Oncogenicity, v.ClinicalImpact = class(r.Germline), class(r.Oncogenicity), class(r.ClinicalImpact)
	v.Submissions, v.changes = &r.Submissions, r.ProteinChanges
	v.URL = "https://www.ncbi.nlm.nih.gov/clinvar/variation/" + r.ID + "/"
	if len(r.Genes) > 0 {
		v.Gene = r.Genes[0].Symbol
	}
	if m := titleForm().FindStringSubmatch(r.Title); m != nil {
		v.HGVS.Transcript, v.HGVS.C, v.HGVS.P = m[1], m[1]+":"+m[2], m[3]
		if m[3] != "" && v.Gene != "" {
			v.HGVS.P = v.Gene + " " + m[3]
		}
	}
	for _, l := range r.Locations {
		start, err := strconv.Atoi(l.Start)
		end, err2 := strconv.Atoi(l.End)
		if err == nil && err2 == nil {
			v.Locations = append(v.Locations, location{l.Assembly, l.Chromosome, start, end, l.Ref, l.Alt})
		}
	}
	v.addSPDI()
	return v
}

func class(c clinvar.Classification) *classification {
	if c.Description == "" {
		return nil
	}
	out := &classification{c.Description, c.Stars, c.ReviewStatus, c.Evaluated, []condition{}}
	for _, t := range c.Conditions {
		out.Conditions = append(out.Conditions, condition{t.Name, t.CUI})
	}
	return out
}

// addSPDI completes a variant with what follows from its canonical SPDI: the bases
// on GRCh38 and, of one base, the name in HGVS.
func (v *Variant) addSPDI() {
	s, ok := variation.Parse(v.SPDI)
	if !ok {
		return
	}
	name, chromosome := assembly.Of(s.Sequence)
	if name == "" {
		return
	}
	known := false
	for i := range v.Locations {
		if l := &v.Locations[i]; l.Assembly == name && l.Ref+l.Alt == "" && len(s.Deleted) == 1 && len(s.Inserted) == 1 {
			l.Ref, l.Alt = s.Deleted, s.Inserted
		}
		known = known || v.Locations[i].Assembly == name
	}
	if !known {
		v.Locations = append(v.Locations, location{name, chromosome, s.Position + 1, s.Position + max(1, len(s.Deleted)), s.Deleted, s.Inserted})
	}
	if len(s.Deleted) == 1 && len(s.Inserted) == 1 && v.HGVS.G == "" {
		v.HGVS.G = s.Sequence + ":g." + strconv.Itoa(s.Position+1) + s.Deleted + ">" + s.Inserted
	}
}

// snp is a summary of dbSNP. UID is what was asked, Number what it is now: they
// differ for a number that was merged.
type snp struct {
	UID, Number         string
	Gene                string
	Place38, Place37    string // "7:140753336"
	SPDIs, Consequences []string
	Class               string
	Frequencies         []frequency
	Names               []string // HGVS
}

func readSNP(doc entrez.Doc) (*snp, error) {
	var w struct {
		Number ncbi.Text `json:"snp_id"`
		Genes  ncbi.Many[struct {
			Name ncbi.Text `json:"name"`
		}] `json:"genes"`
		Place38 ncbi.Text `json:"chrpos"`
		Place37 ncbi.Text `json:"chrpos_prev_assm"`
		SPDI    ncbi.Text `json:"spdi"`
		Effects ncbi.Text `json:"fxn_class"`
		Class   ncbi.Text `json:"snp_class"`
		MAFs    ncbi.Many[struct {
			Study ncbi.Text `json:"study"`
			Freq  ncbi.Text `json:"freq"`
		}] `json:"global_mafs"`
		Names ncbi.Text `json:"docsum"`
	}
	if err := doc.Decode(&w); err != nil {
		return nil, err
	}
	list := func(t ncbi.Text) []string { return ncbi.List(strings.Split(string(t), ",")) }
	s := &snp{
		UID: doc.UID, Number: string(w.Number), Place38: string(w.Place38), Place37: string(w.Place37), SPDIs: list(w.SPDI),
		Consequences: list(w.Effects), Class: string(w.Class), Frequencies: []frequency{},
	}
	if s.Number == "" {
		s.Number = doc.UID
	}
	if len(w.Genes) > 0 {
		s.Gene = string(w.Genes[0].Name)
	}
	for _, part := range strings.Split(string(w.Names), "|") {
		if names, ok := strings.CutPrefix(part, "HGVS="); ok {
			s.Names = ncbi.List(strings.Split(names, ","))
		}
	}
	for _, m := range w.MAFs {
		s.Frequencies = append(s.Frequencies, parseFrequency(string(m.Study), string(m.Freq)))
	}
	return s, nil
}

// parseFrequency reads "C=0.1505591/754": the allele, its frequency and how many
// alleles were counted with it. What is not a number is not known.
func parseFrequency(study, text string) frequency {
	allele, rest, _ := strings.Cut(text, "=")
	value, count, _ := strings.Cut(rest, "/")
	f := frequency{Study: study, Allele: allele}
	if x, err := strconv.ParseFloat(value, 64); err == nil {
		f.Frequency = &x
	}
	if n, err := strconv.Atoi(count); err == nil {
		f.Count = &n
	}
	return f
}

// ofSNP is a variant that only dbSNP has.
func ofSNP(s *snp) *Variant {
	v := blank()
	v.ID, v.RSID, v.Gene, v.Type, v.Consequences = "rs"+s.Number, "rs"+s.Number, s.Gene, s.Class, s.Consequences
	v.URL = "https://www.ncbi.nlm.nih.gov/snp/rs" + s.Number
	v.Title = v.RSID
	if len(s.SPDIs) == 1 {
		v.SPDI = s.SPDIs[0]
	}
	v.add(s)
	return v
}

// add puts what dbSNP says to a variant.
func (v *Variant) add(s *snp) {
	v.Frequencies = s.Frequencies
	for _, place := range []struct{ name, text string }{{assembly.GRCh38, s.Place38}, {assembly.GRCh37, s.Place37}} {
		chromosome, text, _ := strings.Cut(place.text, ":")
		start, err := strconv.Atoi(text)
		known := false
		for _, l := range v.Locations {
			known = known || l.Assembly == place.name
		}
		if err == nil && !known {
			v.Locations = append(v.Locations, location{place.name, chromosome, start, start, "", ""})
		}
	}
	for _, n := range s.Names {
		sequence, change, _ := strings.Cut(n, ":")
		name, _ := assembly.Of(sequence)
		switch {
		case name == assembly.GRCh38 && v.HGVS.G == "" && len(s.SPDIs) == 1:
			v.HGVS.G = n
		case strings.HasPrefix(change, "p.") && strings.HasSuffix(v.HGVS.P, " "+change):
			v.HGVS.P = n
		case strings.HasPrefix(change, "c.") && v.HGVS.C == "" && v.VCV == "":
			v.HGVS.C, v.HGVS.Transcript = n, sequence
		case strings.HasPrefix(change, "p.") && v.HGVS.P == "" && v.VCV == "":
			v.HGVS.P = n
		}
	}
	v.addSPDI()
}
