package sets

import (
	"cmp"
	"strings"

	"biomcp/store/table"
)

// Test is a test of the Genetic Testing Registry, as in NCBI's files.
type Test struct {
	Accession    string      `json:"accession"` // without the version: "GTR000500001"
	Version      int         `json:"version"`
	Name         string      `json:"name" column:"lab_test_name"`
	Type         string      `json:"type" column:"test_type"`
	Genes        []string    `json:"genes"`
	Conditions   []Condition `json:"conditions"`
	Methods      []string    `json:"methods"`
	Lab          string      `json:"lab" column:"name_of_laboratory"`
	Institution  string      `json:"institution" column:"name_of_institution"`
	Country      string      `json:"country" column:"facility_country"`
	Manufacturer string      `json:"manufacturer" column:"manufacturer_test_name"`
	Status       string      `json:"status" column:"test_currstat"`
}

// Condition is a condition that a test is for, with its MedGen concept, or "" if none is given.
type Condition struct {
	Name string `json:"name"`
	CUI  string `json:"cui"`
}

// Filter fields of tests.
const (
	Gene           = "gene"
	ConditionField = "condition"
	CUI            = "cui"
	Method         = "method"
	Lab            = "lab"
	Country        = "country"
	Manufacturer   = "manufacturer"
)

// readGTR reads test_condition_gene.txt, with a row per condition and gene of a test version, and
// then test_version.gz, with a row per version. It keeps the versions whose now_current is 1
// (https://ftp.ncbi.nlm.nih.gov/pub/GTR/data/).
func readGTR(r *reader) {
	type testObjects struct {
		kind       string
		genes      []string
		conditions []Condition
	}
	known := map[string]*testObjects{}
	same := map[string]string{} // deduplicates texts to save memory
	once := func(s string) string {
		if _, ok := same[s]; !ok {
			same[s] = s
		}
		return same[s]
	}
	readSheet(r, "test_condition_gene.txt", func(s *Sheet, _ *struct{}) error {
		accession := s.Text("accession_version")
		t := known[accession]
		if t == nil {
			t = &testObjects{kind: once(s.Text("test_type"))}
			known[accession] = t
		}
		switch s.Text("object") {
		case "gene":
			t.genes = append(t.genes, once(s.Text("gene_symbol")))
		case "condition":
			t.conditions = append(t.conditions, Condition{once(s.Text("object_name")), once(s.Text("gtr_identifier"))})
		}
		return nil
	})
	readSheet(r, "test_version.gz", func(s *Sheet, t *Test) error {
		if s.Text("now_current") != "1" {
			return nil
		}
		versioned := s.Text("test_accession_ver")
		accession, version, _ := strings.Cut(versioned, ".")
		digits, found := strings.CutPrefix(accession, "GTR")
		if !found || digits == "" || strings.Trim(digits, "0123456789") != "" {
			return skip("%.40q is not an accession", versioned)
		}
		t.Accession, t.Version, t.Name = accession, number(version), cmp.Or(t.Name, t.Manufacturer, accession)
		t.Genes, t.Methods, t.Conditions = splitList(s.Text("genes")), splitList(s.Text("methods")), []Condition{}
		if more := known[versioned]; more != nil {
			t.Genes = splitList(strings.Join(append(t.Genes, more.genes...), "|"))
			t.Conditions = append(t.Conditions, more.conditions...)
			t.Type = cmp.Or(t.Type, more.kind)
		}
		row := &table.Row{ID: t.Accession, Kind: "test", Name: t.Name, Body: *t,
			ExtraText: t.Institution + "\n" + t.Manufacturer}
		row.Add(Gene, t.Genes...)
		row.Add(Method, append(t.Methods, splitList(s.Text("method_categories"))...)...)
		row.Add(Lab, t.Lab, t.Institution)
		row.Add(Country, t.Country)
		for _, c := range t.Conditions {
			row.Add(ConditionField, c.Name)
			row.Add(CUI, c.CUI)
		}
		return r.put(row)
	})
}

// number parses a decimal number. It returns 0 if s is not one.
func number(s string) (n int) {
	for _, r := range s {
		if r < '0' || r > '9' || n > 1<<30 {
			return 0
		}
		n = n*10 + int(r-'0')
	}
	return n
}
