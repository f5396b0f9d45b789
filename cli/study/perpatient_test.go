package study_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Samples of one patient are not independent, so the test is repeated with each patient counted
// once. The numbers come from pandas 2.3 and scipy 1.17 and the files of synthetic_demo (use: the
// samples profiled for both genes; mp: patients mutated in TP53):
//
//	v = pd.DataFrame({'p': [pat[i] for i in use], 'v': [z[i] for i in use]}).groupby('p').v.mean()
//	mannwhitneyu(v[v.index.isin(mp)], v[~v.index.isin(mp)], method='asymptotic', use_continuity=True)
//	v = pd.DataFrame({'p': [pat[i] for i in use], 'v': [i in kras for i in use]}).groupby('p').v.any()
//	fisher_exact([[19, 44], [17, 63]])
func TestEachPatientCountedOnce(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]struct {
		patients int
		p        float64
	}{
		"-g TP53 --target EGFR":              {91, 0.12466045665466728},
		"-g TP53 -t mutations --target KRAS": {143, 0.24825937214257487},
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study compare -s synthetic_demo --json "+line)
			var got struct {
				PerPatient struct {
					Patients int
					Several  int     `json:"with_several_samples"`
					P        float64 `json:"p_value"`
				} `json:"per_patient"`
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err, text)
			}
			if g := got.PerPatient; g.Patients != want.patients || g.Several != 11 || math.Abs(g.P/want.p-1) > 1e-9 {
				t.Errorf("%s: %+v, want %+v", line, g, want)
			}
		})
	}
	const note = "11 patients have several of the samples compared, which the test treats as independent"
	for line, want := range map[string]string{
		"-g TP53 --target EGFR":                             "Each patient counted once: Mann-Whitney p 0.125 (91 patients, of whom 11 have several samples)",
		"--by STAGE --target EGFR":                          "Each patient counted once: Kruskal-Wallis p ",
		"--by SAMPLE_TYPE --target EGFR":                    "(90 patients, of whom 6 have several samples; not counted: 6 patients with samples in several groups)",
		"-g TP53 -t mutations --genes all":                  note,
		"-g TP53 -t clinical --target SAMPLE_TYPE":          note,
		"--by SAMPLE_TYPE -t mutations --target TP53":       "Each patient counted once: Fisher p ",
		"--by SAMPLE_TYPE -t clinical --target CANCER_TYPE": "several of the samples compared",
	} {
		t.Run(line, func(t *testing.T) {
			if text, _ := clitest.Ask(t, app, command.Agent, "study compare -s synthetic_demo "+line); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", line, want, text)
			}
		})
	}
	const unmutated = "65 of the 71 profiled samples of TP53-mutant are mutated; the others are from the same patients"
	for line, want := range map[string]bool{
		"cohort -g TP53": true, "compare -g TP53 --target EGFR": true, "compare -g TP53 -t mutations --target KRAS": true, "compare -g TP53 -t mutations --genes all": true,
		"compare -g TP53 -t clinical --target AGE": false, "compare --by STAGE --target EGFR": false, "co-occurrence -g TP53,KRAS": false, "cohort -g VHL": false,
	} {
		if text, _ := clitest.Ask(t, app, command.Agent, "study "+line+" -s synthetic_demo"); strings.Contains(text, unmutated) != want || strings.Contains(text, "from the same patients") != want {
			t.Errorf("%s: %s", line, text)
		}
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "study compare -s synthetic_demo -g TP53 -t clinical --target AGE"); strings.Contains(text, "several of the samples") {
		t.Errorf("patients are compared once: %s", text)
	}
}

// If patients have several samples, the test is repeated with the first sample of each that was
// profiled for both genes. The numbers come from scipy 1.17 and the files of synthetic_demo:
//
//	fisher_exact([[17, 43], [18, 65]]), fisher_exact([[1, 18], [0, 28]])
//
// In the other study each of 6 patients has 4 equal samples, and 3 patients have both mutations:
// fisher_exact([[12, 0], [0, 12]]) yields 7.396e-07, but fisher_exact([[3, 0], [0, 3]]) 0.1, so no
// tendency is named.
func TestCoOccurrenceOfOneSampleAPatient(t *testing.T) {
	app := commandtest.Study(t)
	handmade(t, app.Env.StudyDir, "repeated", times(24, func(int) string { return "1:DECEASED" }), "0 1 2 3 4 5 6 7 8 9 10 11", func(file, text string) string {
		switch file {
		case "samples.txt":
			for i := range 24 {
				text = strings.Replace(text, fmt.Sprintf("S%d\tP%d\n", i, i), fmt.Sprintf("S%d\tP%d\n", i, i/4), 1)
			}
		case "mutations.txt":
			_, rows, _ := strings.Cut(text, "\n")
			text += strings.ReplaceAll(rows, "TP53", "KRAS")
		}
		return text
	})
	for line, want := range map[string]struct {
		p, once           float64
		patients, several int
		tendency, row     string
	}{
		"-s synthetic_demo -g TP53,KRAS": {0.3361796928889703, 0.43161799201865386, 143, 11, "none shown", "| 0.336 | 0.432 (143) | none shown |"},
		"-s synthetic_demo -g TP53,MYC":  {0.42, 0.4042553191489362, 47, 3, "none shown", "| 0.420 | 0.404 (47) | none shown |"},
		"-s repeated -g TP53,KRAS":       {7.39602301050679e-07, 0.1, 6, 6, "none shown", "| 7.40e-07 | 0.100 (6) | none shown |"},
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study co-occurrence --json "+line)
			var got struct {
				Pairs []struct {
					P          float64 `json:"p_value"`
					Tendency   string
					PerPatient struct {
						Patients int
						Several  int     `json:"with_several_samples"`
						P        float64 `json:"p_value"`
					} `json:"per_patient"`
				}
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Pairs) != 1 {
				t.Fatal(err, text)
			}
			g := got.Pairs[0]
			if math.Abs(g.P/want.p-1) > 1e-9 || math.Abs(g.PerPatient.P/want.once-1) > 1e-9 || g.PerPatient.Patients != want.patients || g.PerPatient.Several != want.several || g.Tendency != want.tendency {
				t.Errorf("%+v, want %+v", g, want)
			}
			text, _ = clitest.Ask(t, app, command.Agent, "study co-occurrence "+line)
			if !strings.Contains(text, want.row) || !strings.Contains(text, "which the test treats as independent; it is repeated with one sample per patient") || !strings.Contains(text, "\np-value (patients): one sample per patient, the first in the sample file that was profiled for both genes\n") {
				t.Errorf("no %q in\n%s", want.row, text)
			}
		})
	}
	handmade(t, app.Env.StudyDir, "single", times(9, func(int) string { return "1:DECEASED" }), "0 1 2", func(_, text string) string { return strings.Replace(text, "TP53\tS1", "KRAS\tS1", 1) })
	if text, _ := clitest.Ask(t, app, command.Agent, "study co-occurrence -s single -g TP53,KRAS"); strings.Contains(text, "patient") || !strings.Contains(text, "| p-value | q-value | Tendency |") || !strings.Contains(text, "Log Odds Ratio: 0.5 was added to each count of a pair with a 0") {
		t.Error(text)
	}
}
