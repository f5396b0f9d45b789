package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/store/study/studytest"
)

// handmade writes a synthetic study with one sample per patient. Each patient has OS_STATUS,
// OS_MONTHS and ARM; those listed in mutated have a mutation of TP53. change, if not nil, edits
// each file.
func handmade(t *testing.T, dir, id string, patients [][3]string, mutated string, change func(file, text string) string) {
	t.Helper()
	files := map[string]string{
		"meta_study.txt": "cancer_study_identifier: " + id + "\ntype_of_cancer: mixed\nname: " + id + "\ndescription: Made up.\n",
		"meta_p.txt":     "genetic_alteration_type: CLINICAL\ndatatype: PATIENT_ATTRIBUTES\ndata_filename: patients.txt\n",
		"meta_s.txt":     "genetic_alteration_type: CLINICAL\ndatatype: SAMPLE_ATTRIBUTES\ndata_filename: samples.txt\n",
		"meta_m.txt":     "stable_id: mutations\ngenetic_alteration_type: MUTATION_EXTENDED\ndatatype: MAF\ndata_filename: mutations.txt\n",
		"patients.txt":   "PATIENT_ID\tOS_STATUS\tOS_MONTHS\tARM\n", "samples.txt": "SAMPLE_ID\tPATIENT_ID\n",
		"mutations.txt":        "Hugo_Symbol\tTumor_Sample_Barcode\tVariant_Classification\n",
		"case_lists/cases.txt": "stable_id: " + id + "_sequenced\ncase_list_ids:",
	}
	for i, p := range patients {
		files["patients.txt"] += fmt.Sprintf("P%d\t%s\t%s\t%s\n", i, p[0], p[1], p[2])
		files["samples.txt"] += fmt.Sprintf("S%d\tP%d\n", i, i)
		files["case_lists/cases.txt"] += fmt.Sprintf("\tS%d", i)
	}
	for _, m := range strings.Fields(mutated) {
		files["mutations.txt"] += "TP53\tS" + m + "\tMissense_Mutation\n"
	}
	if change != nil {
		for name, text := range files {
			files[name] = change(name, text)
		}
	}
	handwrite(t, dir, id, files)
}

// handwrite writes files of a study.
func handwrite(t *testing.T, dir, id string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, id, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// times returns n patients with follow-up of 5, 6, ... months.
func times(n int, status func(i int) string) (list [][3]string) {
	for i := range n {
		list = append(list, [3]string{status(i), fmt.Sprint(5 + i), []string{"Größe", "Übrige"}[i%2]})
	}
	return list
}

// These studies are difficult for statistics programs. The numbers come from R 4.2.2 with
// survival 3.5-3 (survdiff, coxph, survfit with log-log intervals, fisher.test).
func TestHardStudies(t *testing.T) {
	app := commandtest.Disk(t)
	dead, alive := func(int) string { return "1:DECEASED" }, func(int) string { return "0:LIVING" }
	all, dir := times(8, dead), app.Env.StudyDir
	windows := func(_, text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	latin := func(_, text string) string {
		b, err := charmap.ISO8859_1.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	handmade(t, dir, "one_patient", times(1, dead), "0", nil)
	handmade(t, dir, "no_events", times(8, alive), "0 2", nil)
	handmade(t, dir, "all_events", all, "0 2 5", nil)
	handmade(t, dir, "all_events_windows", all, "0 2 5", windows)
	handmade(t, dir, "all_events_latin", all, "0 2 5", latin)
	handmade(t, dir, "one_group", times(8, func(i int) string { return fmt.Sprint(i % 2) }), "0 1 2 3 4 5 6 7", nil)
	var ties, missing [][3]string
	for i := range 18 {
		ties = append(ties, [3]string{fmt.Sprint(min(1, i%3)), fmt.Sprint(6 * (1 + i/6)), "x"})
	}
	handmade(t, dir, "ties", ties, "0 2 4 6 8 10 12 14 16", nil)
	for i := range 28 {
		missing = append(missing, [3]string{[]string{"1:DECEASED", "", "0:LIVING", "[Not Available]"}[i%4], []string{"12", "7", "", "NA", "-3", "inf", "30"}[i%7], []string{"x", "", "y", "NA"}[i%4]})
	}
	handmade(t, dir, "missing", missing, "0 4 8", nil)
	same := "Log-rank p-value: 0.270 (chi-square 1.215, 1 df) && TP53-mutant vs TP53-wildtype | 3 vs 5 | 3 vs 5 | 2.416 (0.479 to 12.173) | 0.285 | && Proportional hazards p-value: 0.910 && 7.0 (5.0 to -)"
	for line, want := range map[string]string{
		"survival -s one_patient -g TP53":        "no log-rank test: fewer than two groups to compare && Analysed: 1 patient ( && TP53-mutant | 1 | 1 | 0 | 100.0 % | 5.0 (- to -) |",
		"survival -s no_events -g TP53":          "no log-rank test: no events && TP53-wildtype | 6 | 0 | 6 | 0.0 % | - | && TP53-wildtype | 12 | 1.000 (- to -) | 1 |",
		"survival -s all_events -g TP53":         same,
		"survival -s all_events_windows -g TP53": same,
		"survival -s all_events_latin -g TP53":   same,
		"survival -s all_events_latin --by ARM":  "| Größe | 4 | && Übrige vs Größe",
		"survival -s one_group -g TP53":          "no log-rank test: fewer than two groups to compare && TP53-mutant | 8 | 4 | 4 | 50.0 % | 10.0 (6.0 to -) |",
		"survival -s ties -g TP53":               "Log-rank p-value: 1.000 (chi-square 0.000, 1 df) && 18.0 (6.0 to -) && TP53-mutant | 12 | 0.519 (0.164 to 0.788) | 6 |",
		"survival -s missing -g TP53":            "- 16: time missing, negative or not finite\n- 6: status missing or not understood && chi-square 4.898, 1 df && no finite estimate && Analysed: 6 patients",
		"survival -s ties --by ARM":              "no log-rank test: fewer than two groups to compare",
		"survival -s all_events -g GAPDH":        "the mutation file has no row of GAPDH && GAPDH-wildtype | 8 | 8 && ```\nbiomcp study top-mutated --study all_events\n```",
		"cohort -s all_events -g NOSUCH": "error: the rate of NOSUCH in all_events is unknown: no file of the study has the symbol, and neither has the HGNC complete set of " +
			"&& the server's owner can run: biomcp sync hgnc\n",
		"query -s all_events -g NOSUCH --json":                      `"code":"NOT_FOUND" && "owner":"biomcp sync hgnc"`,
		"query -s all_events -g TP35":                               "; did you mean TP53?\ntry:   biomcp study query --study all_events --gene TP53\n",
		"filter -s all_events --mutated NOSUCH":                     "no sample can be tested for a mutation of NOSUCH: the symbol is unknown && | mutated NOSUCH | 0 | 0 |",
		"filter -s all_events --mutated GAPDH":                      "| mutated GAPDH | 0 | 8 |",
		"cohort -s all_events -g GAPDH":                             "```\nbiomcp study top-mutated --study all_events\n```",
		"query -s all_events -g GAPDH":                              "```\nbiomcp study top-mutated --study all_events\n```",
		"compare -s one_patient -g TP53 -t mutations --target ACTB": "no Fisher test: fewer than two groups to compare",
		"compare -s all_events -g TP53 -t mutations --target ACTB":  "no Fisher test: all values are equal",
		"compare -s ties --by ARM -t clinical --target OS_MONTHS":   "ARM has 1 category; 2 to 20 can be compared",
		"compare -s all_events -g TP53 -t clinical --target ARM":    "Fisher p-value: 1.000",
		"top-mutated -s no_events":                                  "| TP53 | 2 | 2 | 8 | 25.0 % (7.1 % to 59.1 %) |",
		"summary -s missing":                                        "| os | Overall Survival (OS) | 6 | 3 |",
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study "+line)
			for part := range strings.SplitSeq(want, " && ") {
				if !strings.Contains(text, part) {
					t.Errorf("%s: no %q in\n%s", line, part, text)
				}
			}
		})
	}
}

// If no patient has a value there are no groups, and the answer has no table of them, no
// restricted mean and no chart.
func TestAttributeWithoutValues(t *testing.T) {
	app := commandtest.Disk(t)
	patients := times(6, func(int) string { return "1:DECEASED" })
	for i := range patients {
		patients[i][2] = "NA"
	}
	handmade(t, app.Env.StudyDir, "empty", patients, "0 1", nil)
	text, code := clitest.Ask(t, app, command.Agent, "study survival -s empty --by ARM")
	if code != 0 || !strings.Contains(text, "Analysed: 0 patients (patients with ARM)") || !strings.Contains(text, "- 6: no value of ARM") || strings.Contains(text, "RMST") || strings.Contains(text, "--chart") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// This study has ten thousand clinical attributes, and a gene that most samples were not assayed for.
func TestWideStudyAndGeneNotOnThePanel(t *testing.T) {
	app := commandtest.Disk(t)
	o := studytest.Options{ID: "wide", Seed: 3, Patients: 60, Genes: 40, Mutations: 400, Columns: 10_000, Panels: true}
	if _, err := o.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"summary -s wide": "ATTRIBUTE_",
		"survival -s wide --by ATTRIBUTE_9999 --quantiles 2":        "Log-rank p-value: ",
		"compare -s wide --by SEX -t clinical --target ATTRIBUTE_0": "Mann-Whitney U: ",
		"survival -s wide --by ATTRIBUTE_10000":                     "ATTRIBUTE_10000",
		"query -s wide -g FOXA1":                                    "Denominator: 19 samples (case list wide_sequenced and gene panel matrix)", // of 60, 20 had an exome, one of them not sequenced
		"cohort -s wide -g FOXA1":                                   "case list wide_sequenced and gene panel matrix",
		"query -s wide -g TP53":                                     "Denominator: 57 samples",
		"query -s wide -g TP53 -t cna":                              "wide has no discrete copy number data (-2 to 2)",
	} {
		t.Run(line, func(t *testing.T) {
			if text, _ := clitest.Ask(t, app, command.Agent, "study "+line); !strings.Contains(text, want) || len(text) > 100_000 {
				t.Errorf("%s: %d bytes, no %q in\n%.2000s", line, len(text), want, text)
			}
		})
	}
}

// The error for a malformed file gives line and column; commands that do not need the file work.
func TestMalformedStudyFileIsNamed(t *testing.T) {
	app := commandtest.Disk(t)
	edit := func(file, old, by string) func(string, string) string {
		return func(name, text string) string {
			if name == file {
				text = strings.Replace(text, old, by, 1)
			}
			return text
		}
	}
	alive := times(4, func(int) string { return "0:LIVING" })
	for i, c := range []struct{ file, old, by, line, want, other string }{
		{"mutations.txt", "TP53\tS2\t", "TP53\t\t", "top-mutated", "mutations.txt, line 3, column Tumor_Sample_Barcode: no sample", "survival --by ARM"},
		{"mutations.txt", "TP53\tS2\tMissense_Mutation", "TP53\tS2\tMissense_Mutation\tmore", "query -g TP53", "mutations.txt, line 3, column 4: the row has 4 fields, the header 3", "summary"},
		{"patients.txt", "P2\t", "P1\t", "survival --by ARM", "patients.txt, line 4, column PATIENT_ID: ", "top-mutated"},
		{"samples.txt", "S2\tP2", "S1\tP2", "top-mutated", "samples.txt, line 4, column SAMPLE_ID: ", ""},
		{"meta_m.txt", "stable_id: mutations", "stable_id", "top-mutated", "", "survival --by ARM"},
	} {
		t.Run(c.file, func(t *testing.T) {
			id := fmt.Sprintf("broken_%d", i)
			handmade(t, app.Env.StudyDir, id, alive, "0 2", edit(c.file, c.old, c.by))
			text, code := clitest.Ask(t, app, command.Agent, "study "+c.line+" -s "+id)
			if code != 1 || !strings.Contains(text, c.want) || strings.Contains(text, app.Env.StudyDir) {
				t.Errorf("%s of %s: exit %d, no %q in %s", c.line, c.file, code, c.want, text)
			}
			if c.other == "" {
				return
			}
			if text, code := clitest.Ask(t, app, command.Agent, "study "+c.other+" -s "+id); code != 0 {
				t.Errorf("%s of %s: exit %d, %s", c.other, c.file, code, text)
			}
		})
	}
	if text, code := clitest.Ask(t, app, command.Agent, "study list"); code != 0 || !strings.Contains(text, "meta_m.txt, line 1: expected a line such as cancer_study_identifier: my_study") {
		t.Errorf("exit %d, %s", code, text)
	}
}
