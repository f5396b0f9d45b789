package study_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Compared and excluded samples or patients add up to the whole study. The numbers were counted
// in the files of synthetic_demo with Python's csv, one reason for each sample or patient.
func TestComparisonsAccountForAll(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"--by STAGE --target EGFR":                  "102 samples; 52: not profiled for expression of EGFR; 3: no value of EGFR; 5: no value of STAGE",
		"-g TP53 --target EGFR":                     "102 samples; 8: not profiled for mutations of TP53; 49: not profiled for expression of EGFR; 3: no value of EGFR",
		"-g TP53 -t mutations --target VHL":         "50 samples; 8: not profiled for mutations of TP53; 104: not profiled for mutations of VHL",
		"--by SEX -t clinical --target AGE":         "142 patients; 8: no value of AGE",
		"-g KRAS -t clinical --target STAGE":        "133 patients; 7: not profiled for mutations of KRAS; 10: no value of STAGE",
		"--by SAMPLE_TYPE -t clinical --target AGE": "136 patients; 8: no value of AGE; 6: samples with different values of SAMPLE_TYPE",
		"-g TP53 -t mutations --genes all":          "154 samples; 8: not profiled for mutations of TP53",
		"--by SEX -t clinical --target CANCER_TYPE": "162 samples",
	} {
		text, _ := clitest.Ask(t, app, command.Agent, "study compare -s synthetic_demo --json "+line)
		var got struct {
			Denominator struct {
				N    int
				Unit string
			}
			Excluded []struct {
				N      int
				Reason string
			}
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Excluded == nil {
			t.Fatal(line, err, text)
		}
		d := got.Denominator
		all, reasons := map[string]int{"samples": 162, "patients": 150, "": 162}[d.Unit], []string{fmt.Sprint(d.N, " ", d.Unit)}
		if d.Unit == "" { // --genes all: each row has its own denominator
			d.Unit, d.N = "samples", 154
			reasons[0] = "154 samples"
		}
		var list strings.Builder
		for _, e := range got.Excluded {
			d.N += e.N
			reasons = append(reasons, fmt.Sprintf("%d: %s", e.N, e.Reason))
			fmt.Fprintf(&list, "- %d: %s\n", e.N, e.Reason)
		}
		if said := strings.Join(reasons, "; "); said != want || d.N != all {
			t.Errorf("%s: %s, %d of %d; want %s", line, said, d.N, all, want)
		}
		text, _ = clitest.Ask(t, app, command.Person, "study compare -s synthetic_demo "+line)
		heading := "## Excluded " + strings.ToUpper(d.Unit[:1]) + d.Unit[1:] + "\n\n"
		if len(got.Excluded) > 0 != strings.Contains(text, "## Excluded") || !strings.Contains(text, list.String()) || list.Len() > 0 && !strings.Contains(text, heading) {
			t.Errorf("%s: %s", line, text)
		}
	}
}

// A chart shows the number of excluded samples or patients.
func TestChartsOfComparisonsCountTheExcluded(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"--by STAGE --target EGFR --chart box":                  "60 samples excluded.",
		"-g TP53 -t mutations --target VHL --chart bar":         "112 samples excluded.",
		"-g KRAS -t clinical --target STAGE --chart bar":        "17 patients excluded.",
		"--by SEX -t clinical --target AGE --chart violin":      "8 patients excluded.",
		"-g TP53 -t mutations --genes all --chart volcano":      "8 samples excluded.",
		"--by SEX -t clinical --target SAMPLE_TYPE --chart bar": "",
	} {
		_, texts := drawn(t, app, "study compare -s synthetic_demo "+line)
		if !strings.Contains(texts, want) || want == "" && strings.Contains(texts, "excluded") {
			t.Errorf("%s: no %q in %s", line, want, texts)
		}
	}
}
