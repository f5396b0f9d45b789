package study_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// askJSON runs a line with --json and decodes its answer.
func askJSON(t *testing.T, app *command.App, line string, into any) {
	t.Helper()
	text, code := clitest.Ask(t, app, command.Person, line+" --json")
	if code != 0 {
		t.Fatalf("%s: %s", line, text)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
}

type grouped struct {
	Groups []struct {
		Name    string   `json:"group_name"`
		N       int      `json:"n_patients"`
		Samples int      `json:"samples"`
		Unknown int      `json:"unknown_samples"`
		Matched []string `json:"matched_sample_ids"`
	}
	SampleGroups []struct {
		Name              string `json:"group_name"`
		Samples, Patients int
	} `json:"sample_groups"`
	Matched  []string `json:"matched_sample_ids"`
	Excluded []struct {
		Reason string
		N      int
	}
	Total   int `json:"total_study_samples"`
	Notices []string
	Pairs   []struct {
		Group string
		Both  int             `json:"both_mutated"`
		Basis struct{ N int } `json:"denominator"`
	}
}

func (g grouped) excluded() (n int) {
	for _, e := range g.Excluded {
		n += e.N
	}
	return n
}

// The samples of the groups and the excluded ones, each with a reason, are all samples.
func TestFilterByGroups(t *testing.T) {
	app := commandtest.Study(t)
	var a, kept grouped
	line := "study filter -s synthetic_demo --group A='TP53: MUT' --group B='KRAS: MUT & AGE>=60'"
	askJSON(t, app, line, &a)
	if len(a.Groups) != 2 || a.Groups[0].Samples+a.Groups[1].Samples+a.excluded() != a.Total {
		t.Errorf("%s: want groups and excluded samples that add up to %d, got %+v, %+v", line, a.Total, a.Groups, a.Excluded)
	}
	if all := slices.Sorted(slices.Values(slices.Concat(a.Groups[0].Matched, a.Groups[1].Matched))); !slices.Equal(all, a.Matched) {
		t.Errorf("%s: want the samples of both groups, got %d and %d", line, len(all), len(a.Matched))
	}
	several := slices.IndexFunc(a.Excluded, func(e struct {
		Reason string
		N      int
	}) bool {
		return e.Reason == "in several groups"
	})
	if several < 0 {
		t.Fatalf("%s: want samples in several groups to be excluded, got %+v", line, a.Excluded)
	}
	askJSON(t, app, line+" --overlap keep", &kept)
	if got := len(kept.Matched) - len(a.Matched); got != a.Excluded[several].N {
		t.Errorf("--overlap keep: want %d more samples, got %d", a.Excluded[several].N, got)
	}
	if n := a.Groups[0].Unknown; n == 0 {
		t.Errorf("%s: want samples that are unknown, got none", line)
	}
}

// A group by an expression is the group that the other flags make.
func TestGroupsAgreeWithFlags(t *testing.T) {
	app := commandtest.Study(t)
	var byGene, byGroup grouped
	askJSON(t, app, "study survival -s synthetic_demo --by SEX", &byGene)
	askJSON(t, app, "study survival -s synthetic_demo --group F=SEX=Female --group M='SEX = male'", &byGroup)
	for i, g := range byGroup.Groups {
		if g.N != byGene.Groups[i].N {
			t.Errorf("survival: want %d patients in %s, got %d", byGene.Groups[i].N, g.Name, g.N)
		}
	}
	for flag, group := range map[string]string{
		"--mutated TP53":                             "'TP53: MUT'",
		"--mutated TP53:R273H":                       "'TP53: MUT = R273H'",
		"--amplified EGFR --deleted PTEN":            "'EGFR: AMP & PTEN: HOMDEL'",
		"--expression-above EGFR:1":                  "'EGFR: EXP > 1'",
		"--cancer-type 'Lung Cancer' --mutated KRAS": "'CANCER_TYPE = Lung Cancer & KRAS: MUT'",
		"--expression-below EGFR:0 --mutated TP53":   "'EGFR: EXP < 0 AND TP53: MUT'",
	} {
		var want, got grouped
		askJSON(t, app, "study filter -s synthetic_demo "+flag, &want)
		askJSON(t, app, "study filter -s synthetic_demo --group "+group, &got)
		if !slices.Equal(want.Matched, got.Matched) || len(want.Matched) == 0 && !strings.Contains(flag, "PTEN") {
			t.Errorf("%s: want the samples of %s, %d, got %d", group, flag, len(want.Matched), len(got.Matched))
		}
	}
}

// co-occurrence answers for each group apart, in the samples of the group.
func TestCoOccurrenceByGroup(t *testing.T) {
	app := commandtest.Study(t)
	var all, a grouped
	askJSON(t, app, "study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR", &all)
	line := "study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR --group F=SEX=Female --group M=SEX=Male --group U='!(SEX=Female | SEX=Male)'"
	askJSON(t, app, line, &a)
	if len(a.Pairs) != 9 {
		t.Fatalf("%s: want 3 pairs in each of 3 groups, got %+v", line, a.Pairs)
	}
	for i := range 3 {
		if got := a.Pairs[i].Both + a.Pairs[3+i].Both + a.Pairs[6+i].Both; got > all.Pairs[i].Both || got < all.Pairs[i].Both-2 {
			t.Errorf("pair %d: want about %d samples with both in the groups together, got %d", i, all.Pairs[i].Both, got)
		}
		if a.Pairs[i].Group != "F" || a.Pairs[3+i].Group != "M" {
			t.Errorf("pair %d: want the groups F and M, got %s and %s", i, a.Pairs[i].Group, a.Pairs[3+i].Group)
		}
	}
}

// Each wrong group is an error with exit status 1 or 2 that suggests a line which runs, at each door.
func TestWrongGroups(t *testing.T) {
	app := commandtest.Study(t)
	for _, command := range []string{"survival", "compare --target EGFR", "filter", "co-occurrence -g TP53,KRAS"} {
		for group, want := range map[string]string{
			"'TP53 R273H'":           "column 6",
			"'A=TP5: MUT'":           "did you mean TP53",
			"'A=HER2: AMP'":          "alias of ERBB2",
			"'A=AGES>60'":            "no clinical attribute",
			"'A=STAGE>=2'":           "compares numbers",
			"'A=TP53: MUT_DRIVER'":   "cbp_driver",
			"'A=TP53: PROT > 2'":     "protein",
			"'A=TP53: MUTATED'":      "did you mean MUT",
			"Unsaved":                "not a saved group",
			"A=TP53 --group a=KRAS":  "two groups have the name",
			"'A=samples(/no/where)'": "samples(",
		} {
			line := "study " + command + " -s synthetic_demo --group " + group
			for _, may := range policies {
				text, code := clitest.Ask(t, app, may, line)
				if code == 0 || !strings.Contains(text, want) {
					t.Errorf("%s: want an error with %q, got %s", line, want, text)
				}
				_, try, found := strings.Cut(text, "try:   biomcp ")
				try, _, _ = strings.Cut(try, "\n")
				if !found {
					t.Errorf("%s: want a line to type, got %s", line, text)
				} else if text, code := clitest.Ask(t, app, may, strings.TrimSpace(try)); code != 0 {
					t.Errorf("%s: want a suggestion that runs, got for %s: %s", line, try, text)
				}
			}
		}
	}
	for _, c := range []string{"survival", "compare --target EGFR"} {
		line := "study " + c + " -s synthetic_demo --group A=TP53 --group B=KRAS --overlap keep"
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, "invalid") {
			t.Errorf("%s: want it refused, got %d: %s", line, code, text)
		}
	}
}

var policies = []command.Policy{command.Person, command.Agent}

// A saved group is used by its name, kept with the study, and changed by a person only.
func TestSavedGroups(t *testing.T) {
	app := commandtest.Study(t)
	save := "study group save Hot 'TP53: R175H R273H' -s synthetic_demo"
	if text, code := clitest.Ask(t, app, command.Agent, save); code == 0 || !strings.Contains(text, "read-only") {
		t.Errorf("%s by an agent: want it refused, got %s", save, text)
	}
	if text, code := clitest.Ask(t, app, command.Person, save); code != 0 {
		t.Fatalf("%s: %s", save, text)
	}
	var saved, typed grouped
	askJSON(t, app, "study filter -s synthetic_demo --group hot", &saved)
	askJSON(t, app, "study filter -s synthetic_demo --group Hot='TP53: R175H R273H'", &typed)
	if len(saved.Matched) == 0 || !slices.Equal(saved.Matched, typed.Matched) {
		t.Errorf("want the samples of the expression, %v, got %v", typed.Matched, saved.Matched)
	}
	for _, may := range policies {
		text, code := clitest.Ask(t, app, may, "study group list -s synthetic_demo")
		if code != 0 || !strings.Contains(text, "TP53: MUT=R175H MUT=R273H") {
			t.Errorf("study group list: want the group, got %s", text)
		}
	}
	for line, want := range map[string]string{
		"study group save 'a>b' TP53 -s synthetic_demo":   "not a name",
		"study group save A 'TP5: MUT' -s synthetic_demo": "did you mean TP53",
		"study group save A 'TP53 MUT' -s synthetic_demo": "column 6",
		"study group remove Hott -s synthetic_demo":       "no group",
	} {
		text, code := clitest.Ask(t, app, command.Person, line)
		if code == 0 || !strings.Contains(text, want) {
			t.Errorf("%s: want an error with %q, got %s", line, want, text)
		}
	}
	if text, code := clitest.Ask(t, app, command.Person, "study group remove hot -s synthetic_demo"); code != 0 || !strings.Contains(text, "No saved groups") {
		t.Errorf("study group remove: want no group left, got %s", text)
	}
}

// samples(FILE) reads IDs of samples and patients for a person; an agent is refused.
func TestGroupOfAFile(t *testing.T) {
	app := commandtest.Study(t)
	file := filepath.Join(t.TempDir(), "ids.txt")
	if err := os.WriteFile(file, []byte("DEMO-00001\nsynthetic_demo:DEMO-00002-01, DEMO-00003-01\r\nnone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var a grouped
	line := "study filter -s synthetic_demo --group 'A=samples(" + file + ")'"
	askJSON(t, app, line, &a)
	if want := []string{"DEMO-00001-01", "DEMO-00001-02", "DEMO-00002-01", "DEMO-00003-01"}; !slices.Equal(a.Matched, want) {
		t.Errorf("%s: want %v, got %v", line, want, a.Matched)
	}
	if !slices.ContainsFunc(a.Notices, func(n string) bool { return strings.Contains(n, "1 ID of samples(FILE) not in the study") }) {
		t.Errorf("%s: want a notice of the unknown ID, got %q", line, a.Notices)
	}
	if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, "may not") {
		t.Errorf("%s by an agent: want it refused, got %s", line, text)
	}
}

// A list that may not end or is too long is an error, as is such a file of gene panels; none of them is read.
func TestFilesThatDoNotEnd(t *testing.T) {
	app := commandtest.Study(t)
	dir := t.TempDir()
	long := filepath.Join(dir, "long.txt")
	if err := os.WriteFile(long, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, 16<<20+1); err != nil { // a sparse file
		t.Fatal(err)
	}
	const person = command.Person
	for file, want := range map[string]string{
		dir: "not a regular file", os.DevNull: "not a regular file", long: "larger than",
		filepath.Join(dir, "none"): "cannot be read",
	} {
		for _, command := range []string{"filter", "oncoprint -g TP53", "survival"} {
			line := "study " + command + " -s synthetic_demo --group 'A=samples(" + file + ")'"
			if text, code := clitest.Ask(t, app, person, line); code != 2 || !strings.Contains(text, want) {
				t.Errorf("%s: want exit 2 with %q, got %d: %s", line, want, code, text)
			}
		}
	}
	line := "study panels add " + os.DevNull
	if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, "not a regular file") {
		t.Errorf("%s: want exit 2, got %d: %s", line, code, text)
	}
}
