package study_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

type tested struct {
	Kind      string
	Name      string
	P         *float64 `json:"p_value"`
	Q         *float64
	Effect    *float64
	Statistic *float64
}

// agrees reports whether two numbers agree to a relative difference of 1e-8. Numbers below 1e-12 agree with 0.
func agrees(got, want *float64) bool {
	if got == nil || want == nil {
		return got == want
	}
	return math.Abs(*got-*want) <= 1e-8*math.Abs(*want)+1e-12
}

// randomStudies writes the 40 random studies of testdata/differences.R and passes each to check.
func randomStudies(t *testing.T, dir string, check func(id string, tests []tested, coexpressed []correlated)) {
	t.Helper()
	f, err := os.Open("testdata/differences.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Studies []struct {
			ID    string
			Files map[string]string
			Tests []struct {
				tested
				P *float64
			}
			Coexpressed []struct {
				correlated
				P *float64
			}
		}
	}
	if err := json.NewDecoder(packed).Decode(&all); err != nil || len(all.Studies) != 40 {
		t.Fatalf("%d studies, %v", len(all.Studies), err)
	}
	for _, s := range all.Studies {
		s.Files["meta_study.txt"] = "cancer_study_identifier: " + s.ID + "\ntype_of_cancer: mixed\nname: Random\ndescription: Made up.\n"
		handwrite(t, dir, s.ID, s.Files)
		var tests []tested
		for _, one := range s.Tests {
			one.tested.P = one.P
			tests = append(tests, one.tested)
		}
		var pairs []correlated
		for _, one := range s.Coexpressed {
			one.correlated.P = one.P
			pairs = append(pairs, one.correlated)
		}
		check(s.ID, tests, pairs)
	}
}

// Every test, effect, p and q of --all agrees with R, and none is missing; half of the studies define their
// groups with --group.
func TestCompareAllAgreesWithR(t *testing.T) {
	app := commandtest.Disk(t)
	n := 0
	randomStudies(t, app.Env.StudyDir, func(id string, tests []tested, _ []correlated) {
		groups := "--by ARM"
		if n++; n%2 == 0 {
			samples, err := os.ReadFile(app.Env.StudyDir + "/" + id + "/samples.txt")
			if groups = ""; err != nil {
				t.Fatal(err)
			}
			for _, arm := range []string{"A", "B", "C", "D"} {
				if strings.Contains(string(samples), "\t"+arm+"\t") {
					groups += fmt.Sprintf(" --group %s=ARM=%s", arm, arm)
				}
			}
		}
		text, code := clitest.Ask(t, app, command.Agent, "study compare --all --json --limit 500 -s "+id+" "+groups)
		var got struct {
			Rows    []tested
			Omitted []struct{ Name, Reason string } `json:"not_tested"`
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
			t.Fatalf("%s %s: exit %d, %v: %s", id, groups, code, err, text)
		}
		found := map[string]tested{}
		for _, row := range got.Rows {
			if row.Name != "ARM" { // a test of the groups themselves
				found[row.Kind+" "+row.Name] = row
			}
		}
		if len(found) != len(tests) {
			t.Errorf("%s: got %d tests, R has %d", id, len(found), len(tests))
		}
		qs := !strings.Contains(groups, "--group") // otherwise ARM is one of the clinical tests
		for _, want := range tests {
			row := found[want.Kind+" "+want.Name]
			same := agrees(row.P, want.P) && agrees(row.Effect, want.Effect) && (want.Statistic == nil || agrees(row.Statistic, want.Statistic))
			if !same || (qs || want.Kind != "clinical") && !agrees(row.Q, want.Q) {
				t.Errorf("%s, %s %s: got p %v, q %v, effect %v, statistic %v; R has %v, %v, %v, %v", id, want.Kind, want.Name,
					show(row.P), show(row.Q), show(row.Effect), show(row.Statistic),
					show(want.P), show(want.Q), show(want.Effect), show(want.Statistic))
			}
		}
	})
}

func TestCoexpressionAgreesWithR(t *testing.T) {
	app := commandtest.Disk(t)
	randomStudies(t, app.Env.StudyDir, func(id string, _ []tested, pairs []correlated) {
		text, code := clitest.Ask(t, app, command.Agent, "study coexpression -g TP53 --json -s "+id)
		var got struct{ Rows []correlated }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || len(got.Rows) != len(pairs) {
			t.Fatalf("%s: exit %d, %v: %s", id, code, err, text)
		}
		found := map[string]correlated{}
		for _, row := range got.Rows {
			found[row.Gene] = row
		}
		for _, want := range pairs {
			if row := found[want.Gene]; row.N != want.N || !agrees(&row.Rho, &want.Rho) || !agrees(row.P, want.P) || !agrees(row.Q, want.Q) {
				t.Errorf("%s, %s: got %d, %v, %v, %v; R has %d, %v, %v, %v", id, want.Gene, row.N, row.Rho, show(row.P), show(row.Q),
					want.N, want.Rho, show(want.P), show(want.Q))
			}
		}
	})
}

// withEverything writes a study of 8 patients in two arms of 4, with an attribute of each kind, TP53 mutated in
// S0 and S3, and data of every kind.
func withEverything(t *testing.T, dir, id string) {
	t.Helper()
	withAlterations(t, dir, id, true)
	samples := "SAMPLE_ID\tPATIENT_ID\tPURITY\tCODE\tSAME\n"
	for i := range 30 { // more values of CODE than categories are compared
		samples += fmt.Sprintf("S%d\tP%d\t%d\tcode%d\t1\n", i, i%8, i*i%17, i)
	}
	handwrite(t, dir, id, map[string]string{
		"samples.txt":         samples,
		"meta_expression.txt": "genetic_alteration_type: MRNA_EXPRESSION\ndatatype: LOG2-VALUE\nstable_id: mrna\ndata_filename: expression.txt\n",
		"expression.txt":      expressed,
	})
}

// The answer names each group, each kind of test and what could not be tested, and describes the strongest
// differences in words.
func TestCompareAllInWords(t *testing.T) {
	app := commandtest.Study(t)
	dir := app.Env.StudyDir
	withEverything(t, dir, "whole")
	handmade(t, dir, "bare", times(8, func(i int) string { return fmt.Sprint(i % 2) }), "0 3", nil)
	withAlterations(t, dir, "unlisted", false)
	const demo = "compare -s synthetic_demo "
	asks(t, app, map[string]string{
		demo + "-g TP53 --all": "| TP53-mutant | 71 | 63 | && | expression | 40 | 1 | 0 | Welch's t | && log2(1 + value) && ## Differences with q < 0.05 && " +
			"PFS_MONTHS has median 8.58 in TP53-mutant (n=63) and 26.22 in TP53-wildtype (n=80); && ignores who had the event && " +
			"OS_STATUS is 1:DECEASED in 43 of 60 patients of TP53-mutant (71.7 %) and 32 of 79 of TP53-wildtype (40.5 %); Cramér's V && !| mutation | TP53 |",
		demo + "--by STAGE --all": "| IV | 37 | && numbers: Kruskal-Wallis; categories: chi-square | && " +
			"OS_STATUS is 0:LIVING in 3 of 33 patients of IV (9.1 %), the lowest, and 22 of 37 of I (59.5 %), the highest && " +
			"!PFS_MONTHS has && !| clinical | STAGE |",
		demo + "--group A=TP53:MUT --group B=KRAS:MUT --all": "| A | TP53: MUT | && in several groups && " +
			"KRAS is mutated in 0 of 47 samples of A (0.0 %) and 18 of 18 of B (100.0 %); log2 ratio -∞",
		demo + "--by STAGE --all --chart volcano":        "a volcano plot shows two groups; STAGE makes 4 && compare --study synthetic_demo --by STAGE --all",
		demo + "-g TP53 --all --target EGFR":             "cannot be used with --all",
		demo + "-g TP53 --all --genes all":               "cannot be used with --all",
		demo + "-g TP53 --type all":                      "--all compares everything && compare --study synthetic_demo --gene TP53 --all",
		demo + "--by STAGE --type mutations --genes all": "makes 4; --all compares any number && compare --study synthetic_demo --by STAGE --all",
		demo + "--all": "--gene is missing, or --by with a clinical attribute, or --group",
		demo + "--group 'A=AGE>200' --group 'B=AGE>60' --all":             "fewer than two groups have samples",
		"compare -s whole -g TP53 --all":                                  "CODE: all values are equal: nearly every value is different && SAME: all values are equal && | clinical | ",
		"compare -s bare -g TP53 --all":                                   "bare has no expression data && no discrete copy number data && | clinical | ARM | Größe: 1 of 2 (50.0 %) |",
		"compare -s unlisted -g TP53 --all":                               "structural variant: no list says which samples were examined && !| structural variant |",
		"compare -s bare -g TP53 --all --include-silent --limit 1 --json": `"tested":3`,
	})
}

// The rows have the group and the value of each shown test, and the tables name each number.
func TestCompareAllRows(t *testing.T) {
	app := commandtest.Study(t)
	rows, text := rowsOf(t, app, "compare -s synthetic_demo -g TP53 --all --limit 60", "rows", "all.csv")
	var got struct {
		Rows []struct {
			Kind, Name, Unit string
			N, Altered       []int
			Mean             []float64
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, row := range got.Rows {
		column := row.Name + " " + row.Kind
		if row.Kind == "clinical" {
			column = row.Name
		}
		kinds[row.Kind] = true
		for g, name := range []string{"TP53-mutant", "TP53-wildtype"} {
			n, altered := 0, 0
			for _, i := range rows.of("group", name) {
				n += one(rows[column][i] != "")
				altered += one(rows[column][i] == "1")
			}
			if row.Unit == "samples" {
				equal(t, column+" of "+name, n, row.N[g])
			}
			if len(row.Altered) > 0 {
				equal(t, column+" altered in "+name, altered, row.Altered[g])
			}
		}
	}
	equal(t, "kinds of columns", len(kinds), 4)
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// The answer calls a test a difference only if its q is below 0.05. Otherwise it says that there is none, and lists
// the tests with the smallest q as such.
func TestCompareAllClaimsWhatTheTestsFound(t *testing.T) {
	app := commandtest.Study(t)
	handmade(t, app.Env.StudyDir, "bare", times(8, func(i int) string { return fmt.Sprint(i % 2) }), "0 3", nil)
	for _, line := range []string{
		"compare -s synthetic_demo -g TP53 --all", "compare -s synthetic_demo --by STAGE --all", "compare -s bare -g TP53 --all",
		"compare -s synthetic_demo --by SEX --all",
	} {
		out := clitest.Run(t, app, command.Person, "study "+line)
		if out.Failure != nil {
			t.Fatalf("%s: %v", line, out.Failure)
		}
		b, err := json.Marshal(out.Result.Payload)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Kinds     []struct{ Significant int }
			Strongest []string
		}
		if err := json.Unmarshal(b, &got); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, k := range got.Kinds {
			n += k.Significant
		}
		if len(got.Strongest) != min(n, 10) {
			t.Errorf("%s: want a sentence for each of %d differences, at most 10, got %q", line, n, got.Strongest)
		}
		none, items := false, 0
		for _, block := range out.Result.Doc() {
			switch b := block.(type) {
			case result.Heading:
				none = none || b.Text == "No Difference with q < 0.05"
			case result.List:
				if slices.ContainsFunc(b.Items, func(s string) bool { return strings.Contains(s, ", q ") }) {
					items = len(b.Items)
				}
			}
		}
		if none != (n == 0) || n > 0 && items != min(n, 10) || items == 0 {
			t.Errorf("%s: %d differences, no difference in the heading: %t, %d sentences", line, n, none, items)
		}
	}
}
