package clinvar

import (
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/ncbi"
)

// A Record is the summary of a variant in ClinVar. Lists are never nil. A record of several changes, such as a
// haplotype or a genotype, has no SPDI, IDs, locations or protein changes; its members have them.
type Record struct {
	ID             string // VariationID
	Accession      string // VCV000013961
	Title          string // NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)
	Type           string
	SPDI           string   // canonical SPDI on GRCh38, "" if ClinVar gives none
	ProteinChanges []string // V600E, V512E: one per transcript
	RSID, CAID     string
	Genes          []string // symbols
	GenesTotal     int      // number of genes if Genes does not have all; 0 if it does
	Locations      []Location
	Consequences   []string
	Classifications
	Submissions int // number of submitted assertions
}

// Page returns the address of the web page of a VariationID.
func Page(id string) string { return "https://www.ncbi.nlm.nih.gov/clinvar/variation/" + id + "/" }

// A Location is a range of bases in one assembly, numbered from 1, both ends included. If a variant can be placed
// anywhere in a repeat, the range covers the whole repeat.
type Location struct {
	Assembly   string `json:"assembly"`
	Chromosome string `json:"chromosome"`
	Start      int    `json:"start"`
	End        int    `json:"end"`
	Ref        string `json:"ref"`
	Alt        string `json:"alt"`
}

// Classifications holds the three kinds of classification. A kind is nil if ClinVar has none for the variant.
type Classifications struct {
	Germline       *Classification `json:"germline"`
	Oncogenicity   *Classification `json:"oncogenicity"`
	ClinicalImpact *Classification `json:"clinical_impact"`
}

// Stars returns the highest number of stars of the three kinds.
func (c Classifications) Stars() (highest int) {
	for _, kind := range []*Classification{c.Germline, c.Oncogenicity, c.ClinicalImpact} {
		if kind != nil {
			highest = max(highest, kind.Stars)
		}
	}
	return highest
}

// StarsText returns the stars of the classifications, by kind if they differ: "2", "germline 2, oncogenicity 3".
func (c Classifications) StarsText() string {
	var stars, byKind []string
	for i, kind := range []*Classification{c.Germline, c.Oncogenicity, c.ClinicalImpact} {
		if kind != nil {
			stars = append(stars, strconv.Itoa(kind.Stars))
			byKind = append(byKind, Kinds[i]+" "+strconv.Itoa(kind.Stars))
		}
	}
	if stars = slices.Compact(stars); len(stars) > 1 {
		return strings.Join(byKind, ", ")
	}
	return strings.Join(stars, "")
}

// A Classification is the variant's classification of one kind, over all its submissions.
type Classification struct {
	Description  string      `json:"classification"` // ClinVar's word, such as Pathogenic; new words can appear
	Stars        int         `json:"stars"`
	ReviewStatus string      `json:"review_status"`
	Evaluated    string      `json:"evaluated"` // 2025-11-07; "" if unknown
	Conditions   []Condition `json:"conditions"`
}

// A Condition is a disease or trait for which a variant was classified.
type Condition struct {
	Name string `json:"name"`
	CUI  string `json:"cui"` // MedGen
}

// ParseSummary parses a summary of db=clinvar.
func ParseSummary(d entrez.Doc) *Record {
	r := &Record{
		ID: d.UID, Accession: d.Text("accession"), Title: d.Text("title"), Type: d.Text("obj_type"),
		ProteinChanges: d.Split("protein_change", ","), Genes: d.Texts("genes.#.symbol"), Locations: []Location{},
		Consequences: d.Texts("molecular_consequence_list"), Submissions: len(d.Texts("supporting_submissions.scv")),
		Classifications: Classifications{
			Germline:       readClassification(d.Object, "germline"),
			Oncogenicity:   readClassification(d.Object, "oncogenicity"),
			ClinicalImpact: readClassification(d.Object, "clinical_impact"),
		},
	}
	members := d.Each("variation_set")
	if len(members) != 1 { // a haplotype or genotype: each member has a record of its own
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

// readClassification parses the classification of a kind, or returns nil if there is none.
func readClassification(d ncbi.Object, kind string) *Classification {
	w := d.Member(kind + "_classification")
	c := &Classification{
		Description: w.Text("description"), ReviewStatus: w.Text("review_status"),
		Evaluated: Date(w.Text("last_evaluated")), Conditions: []Condition{},
	}
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

// StarsOrNil returns the stars, nil if there is no classification.
func (c *Classification) StarsOrNil() *int {
	if c == nil {
		return nil
	}
	return &c.Stars
}

// Date converts a date of the E-utilities, such as "2025/11/07 00:00", to the form 2025-11-07. It returns "" for
// January 1 of the year 1, which stands for an unknown date.
func Date(text string) string {
	day, _, _ := strings.Cut(text, " ")
	if strings.HasPrefix(day, "1/") || len(day) < len("2025/1/1") {
		return ""
	}
	return strings.ReplaceAll(day, "/", "-")
}

// Stars returns the stars of a review status, 0 to 4, or 0 if the status is unknown.
func Stars(reviewStatus string) int {
	switch strings.ToLower(oneLine(reviewStatus)) {
	case "practice guideline":
		return 4
	case "reviewed by expert panel":
		return 3
	case "criteria provided, multiple submitters, no conflicts",
		"criteria provided, multiple submitters": // for a clinical impact
		return 2
	case "criteria provided, conflicting classifications", "criteria provided, conflicting interpretations",
		"criteria provided, single submitter":
		return 1
	}
	return 0
}
