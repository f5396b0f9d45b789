package sets_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// cpicBody returns the body of a record by its id.
func cpicBody(t *testing.T, rows []*table.Row, id string) any {
	t.Helper()
	i := slices.IndexFunc(rows, func(r *table.Row) bool { return r.ID == id })
	if i < 0 {
		t.Fatalf("no record %q", id)
	}
	return rows[i].Body
}

func TestRecordsOfCPIC(t *testing.T) {
	all, report, err := rows(bulk.CPIC, texts(bulk.CPIC))
	if err != nil || report.Skipped > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	const guideline = "CYP2C19 and Clopidogrel"
	url, label := "https://www.clinpgx.org/guideline/SYN001", "Actionable PGx"
	for id, want := range map[string]any{
		"drug clopidogrel":       sets.CPICDrug{Name: "clopidogrel", RxCUI: "32968"},
		"change":                 sets.CPICChange{Date: "2026-06-01"}, // the first of the synthetic file; the service sends the newest alone
		"guideline " + guideline: sets.CPICGuideline{Name: guideline, URL: url, Drugs: []string{"clopidogrel"}},
		"pair 1001": sets.CPICPair{Gene: "CYP2C19", Drug: "clopidogrel", Level: "A", Testing: &label, Guideline: new(guideline), GuidelineURL: &url,
			PMIDs: []string{"90100001"}},
		"pair 1002": sets.CPICPair{Gene: "CES1", Drug: "clopidogrel", Level: "C", Provisional: true, PMIDs: []string{}},
		"recommendation 2008": sets.CPICRecommendation{
			Drug: "amitriptyline", Guideline: "CYP2D6, CYP2C19 and Tricyclic Antidepressants", GuidelineURL: "https://www.clinpgx.org/guideline/SYN002",
			Key: map[string]string{"CYP2D6": "0.0", "CYP2C19": "No Result"}, Phenotypes: map[string]string{"CYP2D6": "Poor Metabolizer", "CYP2C19": "No Result"},
			ActivityScores: map[string]string{"CYP2D6": "0.0", "CYP2C19": "n/a"},
			Implications:   map[string]string{"CYP2D6": "Synthetic implication of CYP2D6 0.0", "CYP2C19": "Synthetic implication of CYP2C19 No Result"},
			Text:           "Synthetic advice: avoid, CYP2C19 No Result", Classification: "Optional", Population: "general",
		},
	} {
		if got := cpicBody(t, all, id); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", id, got, want)
		}
	}
	gene := cpicBody(t, all, "gene CYP2D6").(sets.CPICGene)
	result := func(allele, other string) sets.CPICResult {
		return gene.Results[cpicBody(t, all, "allele CYP2D6 "+allele).(*sets.CPICAllele).Partners[other]]
	}
	for _, c := range []struct {
		first, second string
		want          sets.CPICResult
	}{
		{"*4", "*4", sets.CPICResult{Phenotype: "Poor Metabolizer", ActivityScore: "0.0", Lookup: "0.0"}},
		{"*4", "*1x2", sets.CPICResult{Phenotype: "Normal Metabolizer", ActivityScore: "2.0", Lookup: "2.0"}},
		{"*1", "*1x2", sets.CPICResult{Phenotype: "Ultrarapid Metabolizer", ActivityScore: "≥3.0", Lookup: "≥3.0"}},
		{"*22", "*1", sets.CPICResult{Phenotype: "Indeterminate", Lookup: "n/a"}},
	} {
		for _, pair := range [][2]string{{c.first, c.second}, {c.second, c.first}} {
			if got := result(pair[0], pair[1]); got != c.want {
				t.Errorf("CYP2D6 %s/%s is %+v, want %+v", pair[0], pair[1], got, c.want)
			}
		}
	}
	if got := cpicBody(t, all, "gene HLA-B").(sets.CPICGene); len(got.Results) != 2 || got.Results[0].Phenotype != "*57:01 positive" {
		t.Errorf("HLA-B: %+v, want the status of its recommendations", got)
	}
	if got := cpicBody(t, all, "gene CES1").(sets.CPICGene); got.Method != "" || len(got.Results)+len(got.Alleles) > 0 || got.NCBI != "1066" {
		t.Errorf("CES1: %+v, want no results", got)
	}
}

func TestSplitDiplotype(t *testing.T) {
	for text, want := range map[string][2]string{
		"*2/*17": {"*2", "*17"}, "*4 / *10": {"*4", "*10"}, "A-": {"A-", ""}, "a/b/a/b": {"a/b", "a/b"}, "a/b/c": {"a/b/c", ""},
		"c.1129-5923C>G, c.1236G>A (HapB3)/Reference": {"c.1129-5923C>G, c.1236G>A (HapB3)", "Reference"},
	} {
		if first, second := sets.SplitDiplotype(text); first != want[0] || second != want[1] {
			t.Errorf("%q: %q and %q, want %q", text, first, second, want)
		}
	}
}

// edited returns the rows of a table after each was changed.
func edited(t *testing.T, text []byte, edit func(i int, row map[string]json.RawMessage)) []byte {
	t.Helper()
	var list []map[string]json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for i, row := range list {
		edit(i, row)
	}
	out, err := json.Marshal(list) // members in the order of their names: another order than the file's
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A new column and another order of columns change nothing. A column that is missing, in every row or in one, is named.
func TestColumnsOfCPIC(t *testing.T) {
	want, _, err := rows(bulk.CPIC, texts(bulk.CPIC))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range bulk.CPIC.Files {
		files := texts(bulk.CPIC)
		files[f.Name] = edited(t, files[f.Name], func(_ int, row map[string]json.RawMessage) { row["future"] = json.RawMessage(`{"new":[1]}`) })
		if got, _, err := rows(bulk.CPIC, files); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s with another column: %d rows, %v; want %d", f.Name, len(got), err, len(want))
		}
		for column := range strings.FieldsSeq(f.Reply) {
			for _, only := range []int{-1, 1} { // all rows, or the second
				files := texts(bulk.CPIC)
				files[f.Name] = edited(t, files[f.Name], func(i int, row map[string]json.RawMessage) {
					if only < 0 || i == only {
						delete(row, column)
					}
				})
				_, _, err := rows(bulk.CPIC, files)
				if want := f.Name + ` is not in the expected format: it has no column "` + column + `"`; err == nil || err.Error() != want {
					t.Errorf("%s without %s: error %v, want %q", f.Name, column, err, want)
				}
			}
		}
	}
}

// A table that is damaged, cut off, empty or has a row that cannot be read is rejected whole.
func TestDamagedTableOfCPIC(t *testing.T) {
	for _, f := range bulk.CPIC.Files {
		whole := texts(bulk.CPIC)[f.Name]
		first := strings.Fields(f.Reply)[0]
		for name, c := range map[string]struct{ text, want string }{
			"half":         {string(whole[:len(whole)/2]), "it is not JSON, or is cut off"},
			"web page":     {"<html></html>", "it is not JSON, or is cut off"},
			"an error":     {`{"code":"42703"}`, `it has no list "data"`},
			"no rows":      {"[]", "it has no rows"},
			"not a row":    {`[7]`, "an entry that is not an object"},
			"no first key": {string(edited(t, whole, func(_ int, row map[string]json.RawMessage) { row[first] = json.RawMessage("null") })), "row 1 has no name or key"},
		} {
			if f.Name == "pair_view.json" && name == "no first key" {
				continue // a pair without a level has a name
			}
			files := texts(bulk.CPIC)
			files[f.Name] = []byte(c.text)
			_, _, err := rows(bulk.CPIC, files)
			if !errors.As(err, new(*sets.FormatError)) || !strings.Contains(err.Error(), f.Name) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: error %v, want one that contains %q", f.Name, name, err, c.want)
			}
		}
	}
	files := texts(bulk.CPIC)
	files["recommendation_view.json"] = edited(t, files["recommendation_view.json"], func(i int, row map[string]json.RawMessage) {
		if i == 3 {
			row["lookupkey"] = json.RawMessage("{}")
		}
	})
	files["diplotype.json"] = edited(t, files["diplotype.json"], func(i int, row map[string]json.RawMessage) {
		switch i {
		case 0:
			row["lookupkey"] = json.RawMessage(`{"CYP2C19":null}`)
		case 1:
			row["lookupkey"], row["generesult"] = json.RawMessage("null"), json.RawMessage("null")
		}
	})
	got, _, err := rows(bulk.CPIC, files)
	if err != nil {
		t.Fatalf("null keys: %v", err)
	}
	gene := cpicBody(t, got, "gene CYP2C19").(sets.CPICGene)
	if want := "Normal Metabolizer"; gene.Results[0].Lookup != want || gene.Results[0].Phenotype != want {
		t.Errorf("a null key: %+v, want the phenotype", gene.Results[0])
	}
	if want := (sets.CPICResult{Phenotype: "no phenotype in CPIC's table"}); gene.Results[1] != want {
		t.Errorf("a null phenotype: %+v, want %+v", gene.Results[1], want)
	}
}

// A list or an object of another type is not an empty one: a guideline without drugs would look like no guideline. Numbers
// are read as texts.
func TestTypesOfCPIC(t *testing.T) {
	for _, c := range [][3]string{
		{"guideline_summary_view.json", "drugs", `"clopidogrel"`}, {"pair_view.json", "pmids", `{}`},
		{"recommendation_view.json", "implications", `["x"]`}, {"recommendation_view.json", "phenotypes", `"x"`}, {"diplotype.json", "lookupkey", `[]`},
	} {
		files := texts(bulk.CPIC)
		files[c[0]] = edited(t, files[c[0]], func(i int, row map[string]json.RawMessage) {
			if i == 1 {
				row[c[1]] = json.RawMessage(c[2])
			}
		})
		_, _, err := rows(bulk.CPIC, files)
		if want := `row 2 has another type of "` + c[1] + `"`; !errors.As(err, new(*sets.FormatError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s, %s: error %v, want %q", c[0], c[1], err, want)
		}
	}
	files := texts(bulk.CPIC)
	files["pair_view.json"] = edited(t, files["pair_view.json"], func(_ int, row map[string]json.RawMessage) { row["pmids"] = json.RawMessage(`[901, null]`) })
	all, _, err := rows(bulk.CPIC, files)
	if err != nil {
		t.Fatal(err)
	}
	if got := cpicBody(t, all, "pair 1001").(sets.CPICPair).PMIDs; !slices.Equal(got, []string{"901"}) {
		t.Errorf("PMIDs as numbers: got %q, want 901", got)
	}
}
