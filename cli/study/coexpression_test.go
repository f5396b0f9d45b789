package study_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/store/study/stats"
)

// expressed is a table of expression with ties, missing values, a constant gene, one with two values and
// one in the order of ERBB2.
const expressed = "Hugo_Symbol\tS0\tS1\tS2\tS3\tS4\tS5\tS6\tS7\n" +
	"ERBB2\t1.5\t2.5\t2.5\t4\tNA\t6\t7.5\t8\n" +
	"GRB7\t2\t1\t3\t3\t9\t5\t\t8\n" +
	"EGFR\t1\t1\t1\t1\t1\t1\t1\t1\n" +
	"KRAS\t1\tNA\tNA\tNA\tNA\t3\tNA\tNA\n" +
	"MYC\t10\t20\t20\t30\t0\t40\t50\t60\n" +
	"TP53\t9\t4\t7\t1\t5\t3\t2\t2\n"

// withExpression writes a study of 8 patients with the table. TP53 is mutated in S0 and S3, GRB7 in S3 and
// S7; S5 was not sequenced.
func withExpression(t *testing.T, dir, id string) {
	t.Helper()
	handmade(t, dir, id, times(8, func(int) string { return "" }), "0 3", func(file, text string) string {
		switch file {
		case "mutations.txt":
			return text + "GRB7\tS3\tMissense_Mutation\nGRB7\tS7\tMissense_Mutation\nGRB7\tS1\tSilent\n"
		case "case_lists/cases.txt":
			return strings.Replace(text, "\tS5", "", 1)
		}
		return text
	})
	handwrite(t, dir, id, map[string]string{
		"meta_expression.txt": "genetic_alteration_type: MRNA_EXPRESSION\ndatatype: LOG2-VALUE\nstable_id: mrna\ndata_filename: expression.txt\n",
		"expression.txt":      expressed,
	})
}

type correlated struct {
	Gene string
	N    int
	Rho  float64
	P    *float64 `json:"p_value"`
	Q    *float64
}

// A gene is correlated with each other gene, over the samples with a value of both. The numbers come from
// R 4.2.2: cor.test(method = "spearman", exact = FALSE), p.adjust(method = "BH").
func TestCoexpressionOfOneGene(t *testing.T) {
	app := commandtest.Disk(t)
	withExpression(t, app.Env.StudyDir, "expressed")
	text, code := clitest.Ask(t, app, command.Person, "study coexpression -s expressed -g erbb2 --json")
	var got struct {
		Gene                         string
		Tested, Untested, Incomplete int
		TestedGenes                  int `json:"tested_genes"`
		UntestedGenes                int `json:"untested_genes"`
		IncompleteGenes              int `json:"incomplete_genes"`
		Rows                         []correlated
		Notices                      []string
		Denominator                  struct{ N int }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, text)
	}
	equal(t, "tested", got.TestedGenes, 3)
	equal(t, "not testable", got.UntestedGenes, 2)
	equal(t, "incomplete", got.IncompleteGenes, 1)
	equal(t, "denominator", got.Denominator.N, 7)
	p := func(v float64) *float64 { return &v }
	for i, want := range []correlated{
		{"MYC", 7, 1, nil, nil},
		{"GRB7", 6, 0.867647058823529327, p(0.025116718400162871), p(0.045716790023125203)},
		{"TP53", 7, -0.763636363636363669, p(0.045716790023125203), p(0.045716790023125203)},
	} {
		row := got.Rows[i]
		equal(t, "gene", row.Gene, want.Gene)
		equal(t, "n of "+row.Gene, row.N, want.N)
		for what, v := range map[string][2]*float64{"rho": {&row.Rho, &want.Rho}, "p": {row.P, want.P}, "q": {row.Q, want.Q}} {
			if (v[0] == nil) != (v[1] == nil) || v[0] != nil && math.Abs(*v[0]-*v[1]) > 1e-8*math.Abs(*v[1]) {
				t.Errorf("%s of %s: got %s, want %s", what, row.Gene, show(v[0]), show(v[1]))
			}
		}
	}
	asks(t, app, map[string]string{
		"coexpression -s expressed -g ERBB2":                  "| TP53 | 7 | -0.764 | 0.046 | 0.046 | && no p-value of MYC && 1 gene has no value in some of these samples",
		"coexpression -s expressed -g ERBB2 --limit 1":        "shown 1 to 1 && --offset 1 && ERBB2,MYC --chart scatter",
		"coexpression -s expressed -g ERBC2":                  "gene ERBC2 has no row in expression.txt; did you mean ERBB2? && --gene ERBB2",
		"coexpression -s expressed -g ERBB2,GRB7,MYC":         "one gene, or two with a comma && --gene ERBB2,GRB7",
		"coexpression -s expressed":                           "--gene is missing",
		"coexpression -s expressed -g ERBB2,GRB7 -l 3":        "requires one gene",
		"coexpression -s expressed -g ERBB2 --include-silent": "requires two genes",
		"coexpression -s expressed -g ERBB2 --chart scatter":  "--chart volcano",
	})
}

func show(v *float64) any {
	if v == nil {
		return "null"
	}
	return *v
}

// Two genes are correlated over all samples and for each mutation status, and the points of --rows are
// sufficient for both numbers.
func TestCoexpressionOfTwoGenes(t *testing.T) {
	app := commandtest.Disk(t)
	withExpression(t, app.Env.StudyDir, "expressed")
	const line = "coexpression -s expressed -g TP53,GRB7"
	rows, text := rowsOf(t, app, line, "rows", "points.csv")
	var got struct {
		Correlation struct {
			N      int
			R, Rho float64
		}
		Groups []struct {
			Name string `json:"group_name"`
			N    int    `json:"sample_count"`
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	want, err := stats.Correlation(rows.numbers(t, "TP53"), rows.numbers(t, "GRB7"))
	if err != nil || got.Correlation.N != 7 || !near(got.Correlation.R, want.R.Estimate) || !near(got.Correlation.Rho, want.Rho) {
		t.Errorf("got %+v, want %+v, %v", got.Correlation, want, err)
	}
	for i, n := range []int{3, 1, 1, 1, 1} { // S6 has no value of GRB7
		equal(t, "samples, "+got.Groups[i].Name, got.Groups[i].N, n)
		equal(t, "rows, "+got.Groups[i].Name, len(rows.of("mutations", got.Groups[i].Name)), n)
	}
	silent, _ := clitest.Ask(t, app, command.Person, "study "+line+" --include-silent")
	contains(t, silent, "| wild type | 2 |")
	asks(t, app, map[string]string{
		line: "| all | 7 | && | wild type | 3 | && | TP53 mutated | 1 | && | GRB7 mutated | 1 | && | both mutated | 1 | && " +
			"| not profiled for mutations | 1 |",
		line + " --chart volcano": "--chart scatter",
	})
	handwrite(t, app.Env.StudyDir, "expressed", map[string]string{"meta_m.txt": "", "mutations.txt": ""})
	unmutated, code := clitest.Ask(t, app, command.Person, "study "+line)
	equal(t, "exit without mutations", code, 0)
	contains(t, unmutated, "the samples are not divided by mutation")
	contains(t, unmutated, "| not profiled for mutations | 7 |")
}

// A gene is not correlated with itself; the suggested line correlates it with the others.
func TestCoexpressionOfOneGeneTwice(t *testing.T) {
	app := commandtest.Study(t)
	for _, genes := range []string{"-g TP53,TP53", "-g TP53,tp53", "-g TP53 --target TP53", "-g tp53 --target TP53"} {
		line := "study coexpression -s synthetic_demo " + genes
		for _, may := range policies {
			text, code := clitest.Ask(t, app, may, line)
			if code != 2 || !strings.Contains(text, "the two genes are the same") {
				t.Errorf("%s: want exit 2 for equal genes, got %d: %.200s", line, code, text)
			}
			_, try, _ := strings.Cut(text, "try:   biomcp ")
			try, _, _ = strings.Cut(try, "\n")
			if text, code := clitest.Ask(t, app, may, try); code != 0 {
				t.Errorf("%s: want a suggestion that runs, got for %q: %s", line, try, text)
			}
		}
	}
}
