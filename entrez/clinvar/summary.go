package clinvar

import (
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/ncbi"
)

// Record is a variant of ClinVar. Lists are never nil.
type Record struct {
	ID             string // VariationID
	Accession      string // VCV000013961
	Version        string // VCV000013961.132
	Title          string // NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)
	Type           string
	SPDI           string // canonical, of GRCh38; "" of a variant that has none
	CDNA           string // c.1799T>A
	ProteinChanges []string
	RSID, CAID     string
	Genes          []Gene
	Locations      []Location
	Consequences   []string
	Germline       Classification
	Oncogenicity   Classification
	ClinicalImpact Classification
	Submissions    int // submitted assertions
	Frequencies    []Frequency
}

// Gene is one that a variant is in.
type Gene struct{ Symbol, ID, Strand string }

// Location is a place in one assembly, from 1, both ends included. A length of the
// repeat in which a variant may be moved is in it.
type Location struct {
	Assembly, Chromosome string
	Start, End           string
	Ref, Alt             string
}

// Classification is one of the three kinds. The zero value is none.
type Classification struct {
	Description  string // also words that were not known when this was written
	ReviewStatus string
	Stars        int
	Evaluated    string // 2025-11-07; "" where it is not known
	Conditions   []Condition
}

// Condition is what a variant was classified for.
type Condition struct {
	Name string `json:"name"`
	CUI  string `json:"cui"` // MedGen
}

// Frequency is that of an allele in one study.
type Frequency struct{ Source, Value string }

type wire struct {
	Accession ncbi.Text `json:"accession"`
	Version   ncbi.Text `json:"accession_version"`
	Title     ncbi.Text `json:"title"`
	Type      ncbi.Text `json:"obj_type"`
	Set       ncbi.Many[struct {
		CDNA  ncbi.Text `json:"cdna_change"`
		SPDI  ncbi.Text `json:"canonical_spdi"`
		XRefs ncbi.Many[struct {
			Source ncbi.Text `json:"db_source"`
			ID     ncbi.Text `json:"db_id"`
		}] `json:"variation_xrefs"`
		Locations ncbi.Many[struct {
			Assembly   ncbi.Text `json:"assembly_name"`
			Chromosome ncbi.Text `json:"chr"`
			Start      ncbi.Text `json:"start"`
			Stop       ncbi.Text `json:"stop"`
			Ref        ncbi.Text `json:"ref"`
			Alt        ncbi.Text `json:"alt"`
		}] `json:"variation_loc"`
		Frequencies ncbi.Many[struct {
			Source ncbi.Text `json:"source"`
			Value  ncbi.Text `json:"value"`
		}] `json:"allele_freq_set"`
	}] `json:"variation_set"`
	Submissions struct {
		SCV ncbi.Texts `json:"scv"`
	} `json:"supporting_submissions"`
	Germline       wireClass `json:"germline_classification"`
	ClinicalImpact wireClass `json:"clinical_impact_classification"`
	Oncogenicity   wireClass `json:"oncogenicity_classification"`
	Genes          ncbi.Many[struct {
		Symbol ncbi.Text `json:"symbol"`
		ID     ncbi.Text `json:"geneid"`
		Strand ncbi.Text `json:"strand"`
	}] `json:"genes"`
	Consequences  ncbi.Texts `json:"molecular_consequence_list"`
	ProteinChange ncbi.Text  `json:"protein_change"` // "V600E, V512E"
}

type wireClass struct {
	Description  ncbi.Text `json:"description"`
	Evaluated    ncbi.Text `json:"last_evaluated"`
	ReviewStatus ncbi.Text `json:"review_status"`
	Traits       ncbi.Many[struct {
		Name  ncbi.Text `json:"trait_name"`
		XRefs ncbi.Many[struct {
			Source ncbi.Text `json:"db_source"`
			ID     ncbi.Text `json:"db_id"`
		}] `json:"trait_xrefs"`
	}] `json:"trait_set"`
}

// Read reads a summary of db=clinvar.
func Read(doc entrez.Doc) (*Record, error) {
	var w wire
	if err := doc.Decode(&w); err != nil {
		return nil, err
	}
	r := &Record{
		ID: doc.UID, Accession: string(w.Accession), Version: string(w.Version), Title: string(w.Title), Type: string(w.Type),
		ProteinChanges: ncbi.List(strings.Split(string(w.ProteinChange), ",")), Genes: []Gene{}, Locations: []Location{},
		Consequences: ncbi.List(w.Consequences), Submissions: len(ncbi.List(w.Submissions.SCV)), Frequencies: []Frequency{},
		Germline: w.Germline.read(), ClinicalImpact: w.ClinicalImpact.read(), Oncogenicity: w.Oncogenicity.read(),
	}
	for _, g := range w.Genes {
		r.Genes = append(r.Genes, Gene{string(g.Symbol), string(g.ID), string(g.Strand)})
	}
	for i, v := range w.Set {
		for _, x := range v.XRefs {
			switch x.Source {
			case "dbSNP":
				r.RSID = "rs" + strings.TrimPrefix(string(x.ID), "rs")
			case "ClinGen":
				r.CAID = string(x.ID)
			}
		}
		if i > 0 { // of a haplotype: its parts have records of their own
			continue
		}
		r.CDNA, r.SPDI = string(v.CDNA), string(v.SPDI)
		for _, l := range v.Locations {
			if l.Start != "" && l.Assembly != "" {
				r.Locations = append(r.Locations, Location{string(l.Assembly), string(l.Chromosome), string(l.Start), string(l.Stop), string(l.Ref), string(l.Alt)})
			}
		}
		for _, f := range v.Frequencies {
			r.Frequencies = append(r.Frequencies, Frequency{string(f.Source), string(f.Value)})
		}
	}
	return r, nil
}

func (w wireClass) read() Classification {
	if w.Description == "" {
		return Classification{Conditions: []Condition{}}
	}
	c := Classification{
		Description: string(w.Description), ReviewStatus: string(w.ReviewStatus), Stars: Stars(string(w.ReviewStatus)),
		Evaluated: Date(string(w.Evaluated)), Conditions: []Condition{},
	}
	for _, t := range w.Traits {
		cond := Condition{Name: string(t.Name)}
		for _, x := range t.XRefs {
			if x.Source == "MedGen" && strings.HasPrefix(string(x.ID), "C") {
				cond.CUI = string(x.ID)
			}
		}
		c.Conditions = append(c.Conditions, cond)
	}
	return c
}

// Date is a date of the E-utilities, "2025/11/07 00:00", as 2025-11-07; "" of the
// first of January of the year 1, which is none.
func Date(text string) string {
	day, _, _ := strings.Cut(text, " ")
	if strings.HasPrefix(day, "1/") || len(day) < len("2025/1/1") {
		return ""
	}
	return strings.ReplaceAll(day, "/", "-")
}

// Stars is the greatest number of stars of the three classifications.
func (r *Record) Stars() int {
	return max(r.Germline.Stars, r.Oncogenicity.Stars, r.ClinicalImpact.Stars)
}
