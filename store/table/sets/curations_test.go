package sets_test

import (
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez/bulk"
	"biomcp/store/table/sets"
)

// bodies returns the bodies of a set's rows, read from its files after change.
func bodies[T any](t *testing.T, set *bulk.Set, change func(map[string][]byte)) (all []T) {
	t.Helper()
	files := texts(set)
	if change != nil {
		change(files)
	}
	got, report, err := rows(set, files)
	if err != nil || report.Skipped > 0 {
		t.Fatalf("%s: %+v, %v", set.Name, report, err)
	}
	for _, r := range got {
		if body, ok := r.Body.(T); ok {
			all = append(all, body)
		}
	}
	return all
}

func TestCurationsOfClinGen(t *testing.T) {
	got := bodies[sets.Validity](t, bulk.ClinGen, nil)
	want := sets.Validity{Gene: "KMT2D", HGNC: "HGNC:7133", Disease: "invented syndrome 1", DiseaseID: "MONDO:9900001",
		Classification: "Definitive", Inheritance: "Autosomal dominant", Submitter: "Invented Panel", Date: "2024-07-01",
		URL: "https://search.clinicalgenome.org/kb/gene-validity/synthetic-2024-07-01"}
	if len(got) != 5 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("the newest of three equal curations: got %d rows, %+v, want 5 rows, %+v", len(got), got[0], want)
	}
	// Files before 2021 have no expert panel.
	old := bodies[sets.Validity](t, bulk.ClinGen, func(files map[string][]byte) {
		text := strings.ReplaceAll(string(files["gene-validity.csv"]), `,"Invented Panel"`, "")
		files["gene-validity.csv"] = []byte(strings.Replace(text, `,"GCEP"`, "", 1))
	})
	if len(old) != 5 || old[0].Submitter != "" || old[0].Classification != "Definitive" {
		t.Errorf("an old file: got %d rows, %+v, want 5 rows without a panel", len(old), old[0])
	}
	dosage := bodies[sets.Dosage](t, bulk.ClinGen, nil)
	first := sets.Dosage{Gene: "KMT2D", HGNC: "HGNC:7133", Haplo: "Sufficient Evidence for Haploinsufficiency", HaploScore: new(3),
		Triplosensitivity: "No Evidence for Triplosensitivity", TriploScore: new(0), Date: "2025-09-24",
		URL: "https://search.clinicalgenome.org/kb/gene-dosage/HGNC:7133"}
	if len(dosage) != 2 || !reflect.DeepEqual(dosage[0], first) {
		t.Errorf("got %d rows, %+v, want 2 rows, %+v", len(dosage), dosage[0], first)
	}
	if d := dosage[1]; *d.HaploScore != 30 || d.TriploScore != nil {
		t.Errorf("got scores %v, %v of %q and %q, want 30 and none", d.HaploScore, d.TriploScore, d.Haplo, d.Triplosensitivity)
	}
}

func TestSubmissionsToGenCC(t *testing.T) {
	got := bodies[sets.Validity](t, bulk.GenCC, nil)
	want := sets.Validity{ID: "SGC-900001", Gene: "KMT2D", HGNC: "HGNC:7133", Disease: "invented syndrome 1", DiseaseID: "MONDO:9900001",
		Classification: "Strong", Inheritance: "Autosomal dominant", Submitter: "Invented Laboratory", Date: "2023-05-01",
		PMIDs: []string{"90000011", "90000012"}, URL: "https://search.thegencc.org/synthetic/SGC-900001"}
	if len(got) != 3 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("the newest version: got %d rows, %+v, want 3 rows, %+v", len(got), got[0], want)
	}
	old := bodies[sets.Validity](t, bulk.GenCC, func(files map[string][]byte) { // the form before versions
		text := strings.ReplaceAll(string(files["gencc-submissions.csv"]), `"sgc_id","version_number"`, `"uuid","other"`)
		files["gencc-submissions.csv"] = []byte(text)
	})
	if len(old) != 3 || old[0].ID != "SGC-900001" {
		t.Errorf("the older header: got %d rows, %+v, want 3 rows with the uuid as id", len(old), old[0])
	}
}

func TestEvidenceOfCIViC(t *testing.T) {
	got := bodies[sets.Evidence](t, bulk.CIViC, nil)
	var order []string
	for _, e := range got {
		order = append(order, e.ID+" "+e.Scope)
	}
	wantOrder := []string{"9000001 variant", "9000006 variant", "9000002 variant", "9000005 class", "9000003 class", "9000009 class",
		"9000004 combination", "9000007 combination"}
	if !reflect.DeepEqual(order, wantOrder) { // without the item that is only submitted
		t.Errorf("got  %q\nwant %q", order, wantOrder)
	}
	v600e := sets.CIViCVariant{ID: "970001", Genes: []string{"BRAF"}, Name: "V600E", ClinVar: []string{"13961", "376069"}}
	want := sets.Evidence{ID: "9000001", Profile: "BRAF V600E", ProfileID: "980001", Scope: "variant", Disease: "Invented Melanoma",
		DOID: "990980001", Therapies: []string{"Fictinib", "Synthimab"}, Interaction: "Combination", Type: "Predictive", Origin: "Somatic", Level: "A",
		Direction: "Supports", Significance: "Sensitivity/Response", Rating: new(5), Statement: `Synthetic statement with an unpaired " mark.`,
		Citation: "Invented et al., 2025", SourceType: "PubMed", CitationID: "90000001", NCTs: []string{"NCT90000001", "NCT90000002"},
		URL: "https://civicdb.org/links/evidence_items/9000001", Variants: []sets.CIViCVariant{v600e}}
	if !reflect.DeepEqual(got[0], want) {
		t.Errorf("got  %+v\nwant %+v", got[0], want)
	}
	if e := got[2]; !e.Flagged || e.Rating != nil || len(e.NCTs) != 0 {
		t.Errorf("a flagged item: got %+v", e)
	}
	if e := got[5]; !reflect.DeepEqual(e.Variants[0].Genes, []string{"KIT"}) {
		t.Errorf("a fusion with any partner: got genes %q, want KIT", e.Variants[0].Genes)
	}
	// A profile that is in no other file is read from its name.
	if e := got[7]; len(e.Variants) != 2 || e.Variants[0].Name != "K601E" || e.Variants[1].ID != "970001" {
		t.Errorf("a profile by its name: got %+v", e.Variants)
	}
	// A variant that is not yet in its file keeps its gene.
	earlier := bodies[sets.Evidence](t, bulk.CIViC, func(files map[string][]byte) {
		text := string(files["VariantSummaries.tsv"])
		at := strings.Index(text, "970004")
		files["VariantSummaries.tsv"] = []byte(text[:at] + text[at+strings.Index(text[at:], "\n")+1:])
	})
	if e := earlier[6]; len(e.Variants) != 2 || !reflect.DeepEqual(e.Variants[1].Genes, []string{"KIT"}) {
		t.Errorf("a profile with an unknown variant: got %+v", e.Variants)
	}
	older := bodies[sets.Evidence](t, bulk.CIViC, func(files map[string][]byte) {
		text := string(files["VariantSummaries.tsv"])
		text = strings.Replace(text, "feature_name", "other", 1)
		files["VariantSummaries.tsv"] = []byte(text)
	})
	if !reflect.DeepEqual(older[0], want) {
		t.Errorf("an older header: got %+v", older[0])
	}
}

func FuzzCIViC(f *testing.F)   { fuzz(f, bulk.CIViC, "AcceptedClinicalEvidenceSummaries.tsv") }
func FuzzClinGen(f *testing.F) { fuzz(f, bulk.ClinGen, "gene-validity.csv") }
func FuzzGenCC(f *testing.F)   { fuzz(f, bulk.GenCC, "gencc-submissions.csv") }
