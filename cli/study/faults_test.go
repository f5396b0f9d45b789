package study_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// addFiles adds files to a study.
func addFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Without a list of the examined samples there is no rate of structural variants.
func TestStructuralVariantsWithoutAListHaveNoRate(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "fused", times(8, func(int) string { return "1:DECEASED" }), "0 1", nil)
	addFiles(t, filepath.Join(app.Env.StudyDir, "fused"), map[string]string{
		"meta_sv.txt": "stable_id: structural_variants\ngenetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
		"sv.txt": "Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\tTumor_Split_Read_Count\tNormal_Split_Read_Count\n" +
			"S2\tEML4\tALK\t12\tNA\n",
	})
	const reason = "no list says which samples were examined for structural variants"
	asks(t, app, map[string]string{
		"query -s fused -g ALK -t sv": "1 sample with a structural variant; no rate, because " + reason + " && tumor 12/normal -",
		"query -s fused -g ALK -t sv --json": `"frequency":null && "frequency_reason":"` + reason +
			`" && "tumor_split_read_count":12,"normal_split_read_count":null && "unique_samples":1`,
		"summary -s fused":        "so there are counts and no rate",
		"summary -s fused --json": `"profiled_samples":null,"basis":"no list of the samples examined for structural variants"`,
	})
}

// An unreadable file of patients is an error of the commands that need it and a notice of the
// others. A file of other samples is an error, and unknown samples and classes are named.
func TestFaultsOfFilesAreReported(t *testing.T) {
	app := commandtest.Disk(t)
	alive := func(int) string { return "0:LIVING" }
	spoil := func(id, spoilt string, change func(text string) string) {
		handmade(t, app.Env.StudyDir, id, times(8, alive), "0 1", func(file, text string) string {
			if file == spoilt {
				return change(text)
			}
			return text
		})
	}
	spoil("patients", "patients.txt", func(text string) string { return strings.Replace(text, "PATIENT_ID", "PATIENT", 1) })
	spoil("cr", "patients.txt", func(text string) string { return strings.ReplaceAll(text, "\n", "\r") })
	spoil("other", "mutations.txt", func(text string) string { return strings.ReplaceAll(text, "\tS", "\tP") })
	spoil("some", "mutations.txt", func(text string) string {
		return text + "TP53\tX7\tMissense_Mutation\nTP53\tS3\todd_class\nTP53\tS4\tintron_variant\n"
	})
	const fault = "patients.txt, line 1: no column PATIENT_ID"
	asks(t, app, map[string]string{
		"survival -s patients -g TP53":           "error: " + fault,
		"survival -s patients --by ARM":          "error: " + fault,
		"query -s patients -g TP53":              fault + " && | Unique samples | 2 |",
		"query -s patients -g TP53 --json":       fault,
		"top-mutated -s patients":                fault,
		"cohort -s patients -g TP53":             fault,
		"co-occurrence -s patients -g TP53,KRAS": fault,
		"summary -s patients":                    fault + " && Unknown: a clinical file cannot be read.",
		"summary -s cr":                          "| os | Overall Survival (OS) | 8 | 0 |",
		"query -s other -g TP53":                 "error: mutations.txt: it names patients, such as P0, where samples belong, such as S0",
		"top-mutated -s other":                   "error: mutations.txt: it names patients",
		"filter -s other --mutated TP53":         "error: mutations.txt: it names patients",
		"query -s other -g TP53 --json":          `"code":"STORE"`,
		"query -s some -g TP53":                  "1 variant of TP53 in a sample that is not in the study (such as X7) is not counted && unknown variant classes count as changing the protein: odd_class (1) && | Unique samples | 3 | && 1 variant of TP53 that does not change the protein is not counted",
		"top-mutated -s some":                    "odd_class (1) && (such as X7)",
	})
	for _, id := range []string{"patients", "other"} {
		if _, code := clitest.Ask(t, app, command.Person, "study survival -s "+id+" -g TP53"); code != 1 {
			t.Errorf("%s: exit status %d, want 1", id, code)
		}
	}
}

// Spellings of one category are one group, stages have an order, and an unknown gene of a list
// costs that gene alone.
func TestCategoriesAndListsOfGenes(t *testing.T) {
	app := commandtest.Disk(t)
	patients := times(16, func(i int) string { return []string{"1:DECEASED", "0:LIVING", "1:DECEASED"}[i%3] })
	for i := range patients {
		patients[i][2] = []string{"Stage IV", "Stage I", "stage i", "Stage II"}[i%4]
	}
	handmade(t, app.Env.StudyDir, "staged", patients, "0 1 5", nil)
	const merged = "ARM: Stage I is one value, written Stage I, stage i"
	const unknown = "the rate of NOSUCH in staged is unknown"
	asks(t, app, map[string]string{
		"survival -s staged --by ARM --trend":         merged + " && Trend p-value: && | Stage II vs Stage I | 4 vs 8 |",
		"survival -s staged --by ARM --json":          merged + ` && "group_name":"Stage IV"`,
		"summary -s staged":                           merged + " && Stage I (8), Stage II (4), Stage IV (4)",
		"query -s staged -g NOSUCH,TP53":              unknown + " && | Unique samples | 3 |",
		"query -s staged -g NOSUCH,TP53,KRAS --json":  unknown + ` && "gene":"TP53" && "gene":"KRAS"`,
		"query -s staged -g NOSUCH,NOTHER":            "error: " + unknown,
		"co-occurrence -s staged -g TP53,NOSUCH,KRAS": unknown + " && | TP53 | KRAS |",
		"co-occurrence -s staged -g TP53,NOSUCH":      "error: " + unknown,
	})
}
