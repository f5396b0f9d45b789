package study_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// An expression whose parts no operator joins is an error with exit status 2 at each door, which says what
// to write and suggests a line that runs.
func TestMissingOperators(t *testing.T) {
	app := commandtest.Study(t)
	for group, want := range map[string]string{
		"SEX!=Male, TP53":     "join conditions with &: SEX!=Male & TP53",
		"SEX!=Male TP53: MUT": "join conditions with &: SEX!=Male & TP53: MUT",
		"STAGE != iv, II":     "STAGE!=iv & STAGE!=II",
		"A=AGE>=60 TP53":      "is not a number; join conditions with &: AGE>=60 & TP53",
		"TP53: MUT NOT KRAS":  "write & !KRAS",
		"TP53: MUT KRAS":      "KRAS is a gene, not a protein change",
		"TP53: MUT wildtype":  "is not a protein change",
		"!TP53 KRAS":          "!(TP53 | KRAS) or !TP53 | KRAS",
	} {
		for _, asJSON := range []string{"", " --json"} {
			for _, may := range policies {
				line := "study filter -s synthetic_demo --group '" + group + "'" + asJSON
				text, code := clitest.Ask(t, app, may, line)
				if code != 2 || !strings.Contains(text, want) {
					t.Errorf("%s: want exit status 2 and %q, got %d: %s", line, want, code, text)
				}
				_, try, found := strings.Cut(text, "try:   biomcp ")
				if asJSON != "" {
					continue
				}
				if !found {
					t.Errorf("%s: want a line to type, got %s", line, text)
				} else if text, code := clitest.Ask(t, app, may, strings.TrimSpace(try)); code != 0 {
					t.Errorf("%s: want a suggestion that runs, got for %s: %s", line, try, text)
				}
			}
		}
	}
}

// and, or and not combine conditions in any letter case, and a value that no sample has is noted.
func TestOperatorsAfterValues(t *testing.T) {
	app := commandtest.Study(t)
	for words, signs := range map[string]string{
		"SEX!=Male and TP53: MUT":                     "SEX!=Male & TP53: MUT",
		"AGE>=60 and TP53: MUT":                       "AGE>=60 & TP53: MUT",
		"cancer_type=Lung Cancer or not SEX=Male":     `CANCER_TYPE="Lung Cancer" | !SEX=Male`,
		"CANCER_TYPE!=lung cancer And KRAS Or AGE<50": `CANCER_TYPE!="lung cancer" & KRAS | AGE<50`,
	} {
		var a, b grouped
		askJSON(t, app, "study filter -s synthetic_demo --group 'G="+words+"'", &a)
		askJSON(t, app, "study filter -s synthetic_demo --group 'G="+signs+"'", &b)
		if n := len(a.Matched); n == 0 || n != len(b.Matched) || n == a.Total {
			t.Errorf("%s: want some samples, as many as %s has, %d, got %d of %d", words, signs, len(b.Matched), n, a.Total)
		}
	}
	for _, op := range []string{"=", "!="} {
		var a grouped
		askJSON(t, app, "study survival -s synthetic_demo --group 'A=SEX"+op+"Mle | TP53' --group B=KRAS", &a)
		if notes := strings.Join(a.Notices, "; "); !strings.Contains(notes, "no sample has SEX=Mle") {
			t.Errorf("SEX%sMle: want a notice that no sample has the value, got %s", op, notes)
		}
		text, _ := clitest.Ask(t, app, command.Agent, "study filter -s synthetic_demo --group 'SEX"+op+"Mle'")
		if !strings.Contains(text, "no sample has SEX=Mle") {
			t.Errorf("SEX%sMle: want a notice that no sample has the value, got %s", op, text)
		}
	}
}
