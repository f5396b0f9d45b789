package study_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Samples of one patient are not independent: the test is given with each patient counted
// once too. The figures come from pandas 2.3 and scipy 1.17 over the files of
// synthetic_demo (use: the samples profiled for both genes; mp: patients mutated in TP53):
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
	const note = "11 patients have several of the samples compared, which the test takes as independent"
	for line, want := range map[string]string{
		"-g TP53 --target EGFR":                             "Each patient counted once: Mann-Whitney p 0.125 (91 patients, of whom 11 have several samples)",
		"--by STAGE --target EGFR":                          "Each patient counted once: Kruskal-Wallis p ",
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
	if text, _ := clitest.Ask(t, app, command.Agent, "study co-occurrence -s synthetic_demo -g TP53,KRAS"); !strings.Contains(text, note) {
		t.Errorf("no %q in\n%s", note, text)
	}
	const unmutated = "65 of the 71 profiled samples of TP53-mutant are mutated; the others are of the same patients"
	for line, want := range map[string]bool{
		"cohort -g TP53": true, "compare -g TP53 --target EGFR": true, "compare -g TP53 -t mutations --target KRAS": true, "compare -g TP53 -t mutations --genes all": true,
		"compare -g TP53 -t clinical --target AGE": false, "compare --by STAGE --target EGFR": false, "co-occurrence -g TP53,KRAS": false, "cohort -g VHL": false,
	} {
		if text, _ := clitest.Ask(t, app, command.Agent, "study "+line+" -s synthetic_demo"); strings.Contains(text, unmutated) != want || strings.Contains(text, "of the same patients") != want {
			t.Errorf("%s: %s", line, text)
		}
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "study compare -s synthetic_demo -g TP53 -t clinical --target AGE"); strings.Contains(text, "several of the samples") {
		t.Errorf("patients are compared once: %s", text)
	}
}
