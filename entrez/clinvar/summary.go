package clinvar

import (
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/ncbi"
)

// Record is a variant of ClinVar. Lists are never nil. One of several changes, a
// haplotype or a genotype, has no SPDI, ids, places and changes of a protein: those are
// its members'.
type Record struct {
	ID             string // VariationID
	Accession      string // VCV000013961
	Title          string // NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)
	Type           string
	SPDI           string   // canonical, of GRCh38; "" of a variant that has none
	ProteinChanges []string // V600E, V512E: one for each transcript
	RSID, CAID     string
	Genes          []string // symbols
	Locations      []Location
	Consequences   []string
	Classifications
	Submissions int // submitted assertions
}

// Page is where the record of a VariationID is shown.
func Page(id string) string { return "https://www.ncbi.nlm.nih.gov/clinvar/variation/" + id + "/" }

// Location is a place in one assembly, from 1, both ends included. A length of the
// repeat in which a variant may be moved is in it.
type Location struct {
	Assembly   string `json:"assembly"`
	Chromosome string `json:"chromosome"`
	Start      int    `json:"start"`
	End        int    `json:"end"`
	Ref        string `json:"ref"`
	Alt        string `json:"alt"`
}

// Classifications are the three kinds; one that a variant lacks is nil.
type Classifications struct {
	Germline       *Classification `json:"germline"`
	Oncogenicity   *Classification `json:"oncogenicity"`
	ClinicalImpact *Classification `json:"clinical_impact"`
}

// Stars is the greatest number of stars of the three.
func (c Classifications) Stars() (most int) {
	for _, kind := range []*Classification{c.Germline, c.Oncogenicity, c.ClinicalImpact} {
		if kind != nil {
			most = max(most, kind.Stars)
		}
	}
	return most
}

// Classification is one of the three kinds.
type Classification struct {
	Description  string      `json:"classification"` // also words that were not known when this was written
	Stars        int         `json:"stars"`
	ReviewStatus string      `json:"review_status"`
	Evaluated    string      `json:"evaluated"` // 2025-11-07; "" where it is not known
	Conditions   []Condition `json:"conditions"`
}

// Condition is what a variant was classified for.
type Condition struct {
	Name string `json:"name"`
	CUI  string `json:"cui"` // MedGen
}

// Read reads a summary of db=clinvar.
func Read(d entrez.Doc) *Record {
	r := &Record{
		ID: d.UID, Accession: d.Text("accession"), Title: d.Text("title"), Type: d.Text("obj_type"),
		ProteinChanges: d.Split("protein_change", ","), Genes: d.Texts("genes.#.symbol"), Locations: []Location{},
		Consequences: d.Texts("molecular_consequence_list"), Submissions: len(d.Texts("supporting_submissions.scv")),
		Classifications: Classifications{class(d.Object, "germline"), class(d.Object, "oncogenicity"), class(d.Object, "clinical_impact")},
	}
	members := d.Each("variation_set")
	if len(members) != 1 { // a haplotype or genotype: each member has another record
		r.ProteinChanges = []string{}
		return r
	}
	v := members[0]
	r.SPDI = v.Text("canonical_spdi")
	for _, x := range v.Each("variation_xrefs") {
		switch x.Text("db_source") {
		case "dbSNP":
			r.RSID = "rs" + strings.TrimPrefix(x.Text("db_id"), "rs")
		case "ClinGen":
			r.CAID = x.Text("db_id")
		}
	}
	for _, l := range v.Each("variation_loc") {
		start, err := strconv.Atoi(l.Text("start"))
		end, err2 := strconv.Atoi(l.Text("stop"))
		if name := l.Text("assembly_name"); err == nil && err2 == nil && name != "" {
			r.Locations = append(r.Locations, Location{name, l.Text("chr"), start, end, l.Text("ref"), l.Text("alt")})
		}
	}
	return r
}

func class(d ncbi.Object, kind string) *Classification {
	w := d.At(kind + "_classification")
	c := &Classification{Description: w.Text("description"), ReviewStatus: w.Text("review_status"), Evaluated: Date(w.Text("last_evaluated")), Conditions: []Condition{}}
	if c.Description == "" {
		return nil
	}
	c.Stars = Stars(c.ReviewStatus)
	for _, t := range w.Each("trait_set") {
		condition := Condition{Name: t.Text("trait_name")}
		for _, x := range t.Each("trait_xrefs") {
			if x.Text("db_source") == "MedGen" && strings.HasPrefix(x.Text("db_id"), "C") {
				condition.CUI = x.Text("db_id")
			}
		}
		c.Conditions = append(c.Conditions, condition)
	}
	return c
}

// Word returns the classification without its comment, "" if there is none.
func (c *Classification) Word() string {
	if c == nil {
		return ""
	}
	return c.Description
}

// Date is a date of the E-utilities, "2025/11/07 00:00", as 2025-11-07; "" of the
// first of January of the year 1, which stands for no date.
func Date(text string) string {
	day, _, _ := strings.Cut(text, " ")
	if strings.HasPrefix(day, "1/") || len(day) < len("2025/1/1") {
		return ""
	}
	return strings.ReplaceAll(day, "/", "-")
}

// Stars are how well a classification was reviewed, 0 to 4.
func Stars(reviewStatus string) int {
	switch strings.ToLower(strings.TrimSpace(reviewStatus)) {
	case "practice guideline":
		return 4
	case "reviewed by expert panel":
		return 3
	case "criteria provided, multiple submitters, no conflicts", "criteria provided, multiple submitters": // the latter of a clinical impact
		return 2
	case "criteria provided, conflicting classifications", "criteria provided, conflicting interpretations", "criteria provided, single submitter":
		return 1
	}
	return 0
}
