package study

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/store/study/stats"
)

func TestTenThousandAttributes(t *testing.T) {
	head, row := strings.Builder{}, strings.Builder{}
	head.WriteString("PATIENT_ID")
	row.WriteString("P1")
	for i := range 10_000 {
		fmt.Fprintf(&head, "\tA%d", i)
		fmt.Fprintf(&row, "\t%d", i%7)
	}
	s := toy(t, map[string]string{"patients.txt": head.String() + "\n" + row.String() + "\nP2\tx\n"})
	list, err := s.Attributes()
	noError(t, err)
	if len(list) != 10_001 {
		t.Fatalf("got %d attributes, want 10001", len(list))
	}
	a, err := s.Attribute("a9999")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Values(a, list[0])
	noError(t, err)
	equal(t, "A9999 of P1", v[0].Patient[0], "3")
	equal(t, "A9999 of P2", v[0].Patient[1], "")
	equal(t, "A0 of P2", v[1].Patient[1], "x")
	equal(t, "A0 of the second sample", v[1].Sample[1], "0")
}

func TestAttributesAndEndpoints(t *testing.T) {
	s := toy(t, nil)
	list, err := s.Attributes()
	noError(t, err)
	if len(list) != 4 {
		t.Fatalf("got %d attributes, want 4: %+v", len(list), list)
	}
	equal(t, "ID of the first attribute", list[0].ID, "AGE")
	equal(t, "name of AGE", list[0].Name, "Age")
	equal(t, "description of AGE", list[0].Description, "Age in years")
	equal(t, "type of AGE", list[0].Type, "NUMBER")
	equal(t, "level of AGE", list[0].Level, "patient")
	equal(t, "ID of the last attribute", list[3].ID, "CANCER_TYPE")
	equal(t, "name of CANCER_TYPE", list[3].Name, "CANCER_TYPE")
	equal(t, "level of CANCER_TYPE", list[3].Level, "sample")
	_, err = s.Attribute("HEIGHT")
	errorOfKind(t, "unknown attribute", err, NotFound)
	e, err := s.Endpoint("Overall-Survival")
	noError(t, err)
	equal(t, "endpoint ID", e.ID, "os")
	equal(t, "endpoint name", e.Name, "Overall Survival (OS)")
	_, err = s.Endpoint("pfs")
	errorText(t, "unknown endpoint", err, `no survival endpoint "pfs"; available: os`)
	none := toy(t, map[string]string{"patients.txt": "PATIENT_ID\tOS_MONTHS\n"})
	_, err = none.Endpoint("os")
	errorOfKind(t, "endpoint of a study without any", err, NoData)
}

func TestPatientsAreExcludedOnce(t *testing.T) {
	rows := "PATIENT_ID\tOS_STATUS\tOS_MONTHS\tAGE\tSEX\nP1\t1\t10\t50\tM\nP2\tDECEASED\t20\tNA\tM\nP3\t0:LIVING\t30\t40\tM\nP4\t1\t-inf\tNA\tM\nP5\t?\t5\t40\tF\nP6\t?\t-3\t40\tF\nP7\t0\t8\t41\t\n"
	samples := "PATIENT_ID\tSAMPLE_ID\n"
	sequenced := "stable_id: toy_sequenced\ncase_list_ids:"
	for _, p := range []string{"P1", "P2", "P4", "P5", "P6", "P7"} {
		samples += p + "\t" + p + "\n"
		sequenced += "\t" + p
	}
	s := toy(t, map[string]string{"patients.txt": rows, "samples.txt": samples + "P3\tP3\n", "case_lists/sequenced.txt": sequenced, "mutations.maf": "Hugo_Symbol\tSample_Id\nTP53\tP1\n"})
	f := followUpOf(t, s)
	g, err := s.GeneMutations("TP53", false)
	if err != nil {
		t.Fatal(err)
	}
	groups := g.GroupByMutation()
	var covariates []Covariate
	for _, id := range []string{"AGE", "SEX"} {
		t.Run(id, func(t *testing.T) {
			a, err := s.Attribute(id)
			if err != nil {
				t.Fatal(err)
			}
			c, err := s.Covariate(a)
			if err != nil {
				t.Fatal(err)
			}
			covariates = append(covariates, c)
		})
	}
	c := Join(f, groups, covariates, nil)
	want := []ExclusionCount{
		{"not profiled for TP53", 1}, {BadTime, 2}, {BadStatus, 1}, {"no value of AGE", 1}, {"no value of SEX", 1},
	}
	equalSlices(t, "excluded", c.Excluded, want)
	equalSlices(t, "follow-up", c.Obs, []stats.Obs{{Time: 10, Event: true}})
	equalSlices(t, "groups", c.Group, []int{0})
	equalSlices(t, "columns", c.Names, []string{"AGE"}) // SEX has one category only
	if len(c.Columns) != 1 {
		t.Fatalf("got %d columns, want 1: %v", len(c.Columns), c.Columns)
	}
	equalSlices(t, "AGE", c.Columns[0], []float64{50})
	c = Join(f, groups, nil, nil)
	equalSlices(t, "groups without covariates", c.Group, []int{0, 1, 1})
	equal(t, "reasons without covariates", len(c.Excluded), 3)
}

// The reference is the largest category among the analyzed patients.
func TestReferenceOfACovariate(t *testing.T) {
	stage := Covariate{Attribute: Attribute{ID: "STAGE"}}
	stage.Names, stage.Category = Categories([]string{"10", "2", "x", "10", "2", "2", ""})
	equalSlices(t, "categories", stage.Names, []string{"2", "10", "x"})
	names, columns := stage.columns([]int{0, 1, 2, 3, 4, 5})
	equalSlices(t, "columns", names, []string{"STAGE: 10 vs 2", "STAGE: x vs 2"})
	equalSlices(t, "10 vs 2", columns[0], []float64{1, 0, 0, 1, 0, 0})
	equalSlices(t, "x vs 2", columns[1], []float64{0, 0, 1, 0, 0, 0})
	names, columns = stage.columns([]int{0, 1, 3})
	equalSlices(t, "columns of three patients", names, []string{"STAGE: 2 vs 10"})
	equalSlices(t, "2 vs 10", columns[0], []float64{0, 1, 0})
}

// Copy-number codes have no mean: a patient with samples of -2 and 2 is neither diploid nor in
// both groups. -1.5 counts as -2.
func TestPatientsByCopyNumber(t *testing.T) {
	s := toy(t, map[string]string{
		"samples.txt":  "PATIENT_ID\tSAMPLE_ID\tKIND\nP1\tA\tfirst\nP1\tB\tlater\nP2\tC\tfirst\nP2\tD\tfirst\nP3\tE\t\nP3\tF\tlater\nP4\tG\t\n",
		"meta_cna.txt": cnaMeta, "cna.txt": "Hugo_Symbol\tA\tB\tC\tD\tE\tF\tG\nTP53\t-2\t2\t-1.5\t-2\tNA\t2\t0.7\n",
	})
	p, _ := s.Profile(CopyNumber)
	v, err := s.GeneValues(p, "TP53")
	if err != nil {
		t.Fatal(err)
	}
	g := v.GroupByCopyNumber(States, State)
	equalSlices(t, "groups by copy number", g.Group, []int{-2, 0, 4, -1})
	equal(t, "reason of P1", g.exclusionReason(0), "samples with different copy number of TP53")
	equal(t, "reason of P2", g.exclusionReason(1), "")
	equal(t, "reason of P4", g.exclusionReason(3), "not profiled for TP53")
	a, err := s.Attribute("KIND")
	noError(t, err)
	g, err = s.GroupByAttribute(a)
	noError(t, err)
	equalSlices(t, "groups by KIND", g.Group, []int{-2, 0, 1, -1})
}

// missing knows the words of cBioPortal's importer, with brackets and without.
func TestWordsForMissingValues(t *testing.T) {
	for word, want := range map[string]bool{
		"Not Available": true, "[Not Available]": true, "NOT_APPLICABLE": true, "na": true, "": true,
		"Pending": false, "None": false, "0": false,
	} {
		t.Run(word, func(t *testing.T) {
			equal(t, "missing", missing([]byte(word)), want)
		})
	}
}

// A study may have supplements to its clinical files. If two files have the same attribute, the
// first counts.
func TestSupplementOfAClinicalFile(t *testing.T) {
	s := toy(t, map[string]string{
		"meta_samples_supp.txt": "genetic_alteration_type: CLINICAL\ndatatype: " +
			"SAMPLE_ATTRIBUTES\ndata_filename: supp.txt\n",
		"supp.txt": "PATIENT_ID\tSAMPLE_ID\tHYPOXIA\tCANCER_TYPE\nP1\tP1-A\t7\tother\n",
	})
	list, err := s.Attributes()
	noError(t, err)
	if len(list) != 5 {
		t.Fatalf("got %d attributes, want 5: %+v", len(list), list)
	}
	equal(t, "last attribute", list[4].ID, "HYPOXIA")
	v, err := s.Values(list[4], list[3])
	noError(t, err)
	equal(t, "HYPOXIA of the first sample", v[0].Sample[0], "7")
	equal(t, "HYPOXIA of the second sample", v[0].Sample[1], "")
	if got := v[1].Sample[0]; got == "other" || got == "" {
		t.Errorf("CANCER_TYPE of the first sample: got %q, want the value of the main file", got)
	}
}
