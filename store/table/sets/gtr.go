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
	Name         string      `json:"name"`
	Type         string      `json:"type"`
	Genes        []string    `json:"genes"`
	Conditions   []Condition `json:"conditions"`
	Methods      []string    `json:"methods"`
	Lab          string      `json:"lab"`
	Institution  string      `json:"institution"`
	Country      string      `json:"country"`
	Manufacturer string      `json:"manufacturer"`
	Status       string      `json:"status"`
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

// ReadGTR reads test_condition_gene.txt, with a row per condition and gene of a test version, and
// then test_version.gz, with a row per version. It keeps the versions whose now_current is 1
// (https://ftp.ncbi.nlm.nih.gov/pub/GTR/data/).
func ReadGTR(files Files, put PutRow, report *Report) error {
	type testObjects struct {
		kind       string
		genes      []string
		conditions []Condition
	}
	known := map[string]*testObjects{}
	same := map[string]string{} // deduplicates texts to save memory
	once := func(s string) string {
		if _, ok := same[s]; !ok {
			same[s] = strings.Clone(s)
		}
		return same[s]
	}
	objects := sheet{file: "test_condition_gene.txt", comma: '\t',
		required: []string{"accession_version", "object", "object_name", "gtr_identifier", "gene_symbol"}}
	err := objects.each(files, report, func(r record) error {
		t := known[r.get("accession_version")]
		if t == nil {
			t = &testObjects{kind: once(r.get("test_type"))}
			known[strings.Clone(r.get("accession_version"))] = t
		}
		switch r.get("object") {
		case "gene":
			t.genes = append(t.genes, once(r.get("gene_symbol")))
		case "condition":
			t.conditions = append(t.conditions, Condition{once(r.get("object_name")), once(r.get("gtr_identifier"))})
		}
		return nil
	})
	if err != nil {
		return err
	}
	versions := sheet{file: "test_version.gz", comma: '\t',
		required: []string{"test_accession_ver", "now_current", "lab_test_name", "name_of_laboratory",
			"facility_country", "methods", "genes"}}
	return versions.each(files, report, func(r record) error {
		if r.get("now_current") != "1" {
			return nil
		}
		versioned := r.get("test_accession_ver")
		accession, version, _ := strings.Cut(versioned, ".")
		digits, found := strings.CutPrefix(accession, "GTR")
		if !found || digits == "" || strings.Trim(digits, "0123456789") != "" {
			report.skip("test_version.gz: %.40q is not an accession", versioned)
			return nil
		}
		t := Test{
			Accession: accession, Version: number(version), Name: r.get("lab_test_name"), Type: r.get("test_type"),
			Genes: splitList(r.get("genes")), Conditions: []Condition{}, Methods: splitList(r.get("methods")),
			Lab: r.get("name_of_laboratory"), Institution: r.get("name_of_institution"),
			Country: r.get("facility_country"), Manufacturer: r.get("manufacturer_test_name"), Status: r.get("test_currstat"),
		}
		t.Name = cmp.Or(t.Name, t.Manufacturer, t.Accession)
		if more := known[versioned]; more != nil {
			t.Genes = splitList(strings.Join(append(t.Genes, more.genes...), "|"))
			t.Conditions = append(t.Conditions, more.conditions...)
			t.Type = cmp.Or(t.Type, more.kind)
		}
		row := &table.Row{ID: t.Accession, Kind: "test", Name: t.Name, Body: t,
			ExtraText: t.Institution + "\n" + t.Manufacturer}
		row.Add(Gene, t.Genes...)
		row.Add(Method, append(t.Methods, splitList(r.get("method_categories"))...)...)
		row.Add(Lab, t.Lab, t.Institution)
		row.Add(Country, t.Country)
		for _, c := range t.Conditions {
			row.Add(ConditionField, c.Name)
			row.Add(CUI, c.CUI)
		}
		return put(row)
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
