package sets_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// hpoRows returns the rows of HPO's files after spoil, by ID.
func hpoRows(file string, spoil func(string) string) (map[string]*table.Row, sets.Report, error) {
	files := texts(bulk.HPO)
	files[file] = []byte(spoil(string(files[file])))
	list, report, err := rows(bulk.HPO, files)
	byID := map[string]*table.Row{}
	for _, r := range list {
		byID[r.ID] = r
	}
	return byID, report, err
}

func same(s string) string { return s }

func TestHPORecords(t *testing.T) {
	got, report, err := hpoRows("hp.obo", same)
	if err != nil || report.Skipped > 0 || len(got) != 21 {
		t.Fatalf("%d rows, want 21; %+v, %v", len(got), report, err)
	}
	for id, want := range map[string]any{
		"HP:0001250": sets.Phenotype{ID: "HP:0001250", Name: "Seizure", AltIDs: []string{"HP:0001275"}, Synonyms: []sets.PhenotypeName{
			{Text: "Epileptic seizure", Scope: "exact"}, {Text: "Seizures", Scope: "exact"}, {Text: `So-called "fits"`, Scope: "related"}}},
		"HP:0002344": sets.Phenotype{ID: "HP:0002344", Name: "obsolete Synthetic fits", Obsolete: true, ReplacedBy: []string{"HP:0001250"}},
		"HP:0002345": sets.Phenotype{ID: "HP:0002345", Name: "obsolete Synthetic jerks", Obsolete: true, Consider: []string{"HP:0001250", "HP:0001251"}},
	} {
		if !reflect.DeepEqual(got[id].Body, want) {
			t.Errorf("%s: got %+v, want %+v", id, got[id].Body, want)
		}
	}
	disease := got["OMIM:990001"].Body.(*sets.DiseaseFeatures)
	first := disease.Features[0]
	if disease.Name != "Synthetic epilepsy with ataxia" || len(disease.Features) != 4 || first.HPO != "HP:0001250" || first.Frequency != "9/10" ||
		first.Onset != "HP:0003593" || first.Aspect != "P" || first.Reference != "PMID:90000001" || first.Not {
		t.Errorf("got %+v, want the annotation of the file", disease)
	}
	if f := got["OMIM:990004"].Body.(*sets.DiseaseFeatures).Features[1]; f.HPO != "HP:0001250" {
		t.Errorf("an annotation with a former id has %s, want the current id HP:0001250", f.HPO)
	}
	model := got[sets.ModelKind].Body.(sets.PhenotypeModel)
	if model.Ontology != "2026-09-01" || model.Annotations != "2026-09-02" || len(model.Model.Terms) != 13 || len(model.Model.Diseases) != 5 || model.Model.Check() != nil {
		t.Errorf("got the model of %q and %q with %d terms and %d diseases, want 2026-09-01, 2026-09-02, 13, 5", model.Ontology, model.Annotations,
			len(model.Model.Terms), len(model.Model.Diseases))
	}
}

// Every form of a frequency gives the same number as its fraction in ten-thousandths.
func TestFrequenciesOfHPO(t *testing.T) {
	for text, want := range map[string]uint16{
		"9/10": 9000, "0/3": 0, "1/3": 3333, "1/99999": 1, "25%": 2500, "12.5%": 1250, "100%": 10000, "": 7350, // the mean of the other four
		"HP:0040280": 10000, "HP:0040281": 8950,
		"HP:0040282": 5450, "HP:0040283": 1700, "HP:0040284": 250, "HP:0040285": 0,
	} {
		got, report, err := hpoRows("phenotype.hpoa", func(s string) string { return strings.Replace(s, "9/10", text, 1) })
		if err != nil || report.Skipped != 0 {
			t.Fatalf("%q: %+v, %v", text, report, err)
		}
		m := got[sets.ModelKind].Body.(sets.PhenotypeModel).Model
		for i, disease := range m.Diseases {
			for j := m.Ends[i] - 4; disease == "OMIM:990001" && j < m.Ends[i]; j++ {
				if m.Terms[m.Annotated[j]] == 1250 && m.Frequencies[j] != want {
					t.Errorf("%q: frequency %d, want %d", text, m.Frequencies[j], want)
				}
			}
		}
	}
	for _, text := range []string{"often", "3/2", "1/0", "-1/2", "101%", "x%", "HP:0040299"} {
		_, report, err := hpoRows("phenotype.hpoa", func(s string) string { return strings.Replace(s, "9/10", text, 1) })
		if err != nil || report.Skipped != 1 || !strings.Contains(report.Problem, "OMIM:990001 HP:0001250 "+text) {
			t.Errorf("%q: skipped %d with %q, %v; want 1 and the row named", text, report.Skipped, report.Problem, err)
		}
	}
}

// Future tags and stanzas change nothing.
func TestOtherTagsOfHPO(t *testing.T) {
	want, _, _ := hpoRows("hp.obo", same)
	tags, _, err := hpoRows("hp.obo", func(s string) string {
		return strings.Replace(s, "name: Ataxia\n", "name: Ataxia\nfuture_tag: x\n", 1) + "\n[Instance]\nid: HP:9999999\nname: no term\n"
	})
	if err != nil || !reflect.DeepEqual(tags, want) {
		t.Errorf("with a future tag and stanza: %d rows, %v; want %d", len(tags), err, len(want))
	}
}

func TestDamagedFilesOfHPO(t *testing.T) {
	for want, c := range map[string]struct {
		file  string
		spoil func(string) string
	}{
		`it has no column "hpo_id"`:                            {"phenotype.hpoa", func(s string) string { return strings.Replace(s, "hpo_id", "term_id", 1) }},
		"phenotype.hpoa is not in the expected form":           {"phenotype.hpoa", func(s string) string { return s[:len(s)-60] }},
		"it is cut off in its last row":                        {"phenotype.hpoa", func(s string) string { return s[:len(s)-60] }},
		"it has no rows":                                       {"phenotype.hpoa", func(s string) string { return s[:strings.Index(s, "OMIM:990001")] }},
		"it begins with \"<html>\"":                            {"hp.obo", func(string) string { return "<html>\n</html>\n" }},
		"hp.obo is not in the expected format: it has no rows": {"hp.obo", func(s string) string { return s[:strings.Index(s, "[Term]")] }},
		`the parent "HP:0000707" of HP:0001250 is m`:           {"hp.obo", func(s string) string { return strings.Replace(s, "id: HP:0000707", "id: HP:0000708", 1) }},
		"it is cut off in its last term":                       {"hp.obo", func(s string) string { return s[:strings.Index(s, "name: Febrile")] + "name" }},
	} {
		_, _, err := hpoRows(c.file, c.spoil)
		if !errors.As(err, new(*sets.FormatError)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want a FormatError with %q", c.file, err, want)
		}
	}
	_, report, err := hpoRows("hp.obo", func(s string) string { return strings.Replace(s, "name: Febrile seizure\n", "", 1) })
	if err != nil || report.Skipped != 2 || !strings.Contains(report.Problem, "HP:0002373") {
		t.Errorf("a term without a name: skipped %d with %q, %v; want 2: the term and its annotation", report.Skipped, report.Problem, err)
	}
}

func FuzzHPO(f *testing.F)           { fuzz(f, bulk.HPO, "hp.obo") }
func FuzzHPOAnnotation(f *testing.F) { fuzz(f, bulk.HPO, "phenotype.hpoa") }
