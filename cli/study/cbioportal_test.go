package study_test

import (
	"fmt"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A first line of a user of cBioPortal runs, or suggests a line that runs and answers it.
func TestFirstWordsOfCBioPortal(t *testing.T) {
	app := commandtest.Study(t)
	handmade(t, app.Env.StudyDir, "burdened", times(8, func(int) string { return "" }), "0", func(file, text string) string {
		if file == "samples.txt" {
			text = samplesOf(4, "SAMPLE_ID\tPATIENT_ID\tTMB_NONSYNONYMOUS", func(p, s int) string { return fmt.Sprint(2*p + s) })
		}
		return text
	})
	for _, c := range []struct{ line, try, answer string }{ // try is "" if the line runs
		{
			"lollipop -s synthetic_demo -g TP53",
			"study query --chart lollipop -s synthetic_demo -g TP53", "# Study Mutation Frequency: TP53",
		},
		{
			"lollipop synthetic_demo TP53",
			"study query --chart lollipop --study synthetic_demo --gene TP53", "# Study Mutation Frequency: TP53",
		},
		{"coexpression -s synthetic_demo -g ERBB2", "", "# Study Co-expression: ERBB2"},
		{
			"co-expression -s synthetic_demo -g 'TP53 vs MDM2'",
			"study coexpression --study synthetic_demo --gene TP53,MDM2", "TP53 mutated",
		},
		{"correlation -s synthetic_demo -g TP53,MDM2", "", "Pearson"},
		{"top-cna -s synthetic_demo", "study top-altered --type cna -s synthetic_demo", "Amplified"},
		{"cna synthetic_demo", "study top-altered --type cna --study synthetic_demo", "Amplified"},
		{"query -s synthetic_demo -t sv", "study top-altered --study synthetic_demo --type sv", "Structural Variant"},
		{"coexpression -s synthetic_demo -g TP53 --target MDM2", "", "# Study Co-expression: TP53 and MDM2"},
		{
			"top-mutated -s synthetic_demo -t cna",
			"study top-altered --study synthetic_demo --type cna", "Amplified",
		},
		{
			"structural-variant-genes -s synthetic_demo",
			"study top-altered --type sv -s synthetic_demo", "Structural Variant",
		},
		{
			"group-comparison -s synthetic_demo --group A=TP53:MUT --group B=KRAS:MUT",
			"study compare --all -s synthetic_demo --group 'A=TP53:MUT' --group 'B=KRAS:MUT'", "Differences with q < 0.05",
		},
		{
			"compare -s synthetic_demo --by STAGE", "study compare --study synthetic_demo --by STAGE --all", "Differences with q < 0.05",
		},
		{
			"compare -s synthetic_demo -g TP53 --target everything", "study compare --study synthetic_demo --gene TP53 --all",
			"Differences with q < 0.05",
		},
		{
			"volcano -s synthetic_demo -g TP53",
			"study compare --all --chart volcano -s synthetic_demo -g TP53", "Differences with q < 0.05",
		},
		{
			"differential-expression synthetic_demo TP53",
			"study compare --type expression --genes all --study synthetic_demo --gene TP53", "every gene by expression",
		},
		{"attributes synthetic_demo", "", "AGE"},
		{"clinical-attributes -s synthetic_demo", "", "AGE"},
		{"clinical synthetic_demo", "", "AGE"},
		{"cancer-types synthetic_demo", "", "CANCER_TYPE"},
		{"mutations synthetic_demo", "study top-mutated --study synthetic_demo", "# Study Top Mutated Genes"},
		{
			"structural-variants -s synthetic_demo -g ALK",
			"study query --type structural-variants -s synthetic_demo -g ALK", "ALK",
		},
		{
			"coexpression synthetic_demo TP53 MDM2",
			"study coexpression --study synthetic_demo --gene TP53,MDM2", "Spearman",
		},
		{
			"plots -s synthetic_demo --x ERBB2 --y EGFR",
			"study compare --chart scatter -s synthetic_demo --gene ERBB2 --target EGFR", "Spearman",
		},
		{
			"query -s synthetic_demo -g TP53:R175H",
			"study filter --study synthetic_demo --mutated TP53:R175H", "mutated TP53 R175H",
		},
		{
			"survival -s synthetic_demo -g TP53:R175H",
			"study filter --study synthetic_demo --mutated TP53:R175H", "mutated TP53 R175H",
		},
		{
			"cohort -s synthetic_demo -g tp53:p.R175H",
			"study filter --study synthetic_demo --mutated TP53:R175H", "mutated TP53 R175H",
		},
		{
			"query synthetic_demo TP53 R175H",
			"study filter --study synthetic_demo --mutated TP53:R175H", "mutated TP53 R175H",
		},
		{
			"query -s synthetic_demo 'TP53: MUT=R175H'",
			"study filter --study synthetic_demo --mutated TP53:R175H", "mutated TP53 R175H",
		},
		{
			"query -s synthetic_demo 'ERBB2: AMP'",
			"study filter --study synthetic_demo --amplified ERBB2", "amplified ERBB2",
		},
		{
			"query -s synthetic_demo -g 'PTEN: HOMDEL'",
			"study filter --study synthetic_demo --deleted PTEN", "deleted PTEN",
		},
		{
			"filter -s synthetic_demo 'TP53: MUT; ERBB2: AMP'",
			"study filter --study synthetic_demo --mutated TP53 --amplified ERBB2", "amplified ERBB2",
		},
		{
			"filter -s synthetic_demo --amplified MYC --mutated 'TP53: MUT; ERBB2: AMP'",
			"study filter --study synthetic_demo --mutated TP53 --amplified ERBB2 --amplified MYC", "amplified MYC",
		},
		{
			"compare -s synthetic_demo 'TP53 vs PTEN'",
			"study co-occurrence --study synthetic_demo --genes TP53,PTEN", "PTEN",
		},
		{
			"survival -s synthetic_demo -g 'TP53 vs PTEN'",
			"study survival --study synthetic_demo --gene TP53",
			"# Study Survival: TP53",
		},
		{"survival synthetic_demo --attribute STAGE", "", "# Study Survival: STAGE"},
		{
			"survival -s synthetic_demo --by AGE --cutoff median",
			"study survival --study synthetic_demo --by AGE", "divided at its median",
		},
		{
			"enrichment -s synthetic_demo --by SEX",
			"study compare --type mutations --genes all -s synthetic_demo --by SEX", "SEX",
		},
		{"compare -s synthetic_demo -g TP53 -t clinical", "study summary --study synthetic_demo", "AGE"},
		{"clinical -s synthetic_demo --attribute AGE", "", "AGE"},
		{"samples synthetic_demo", "study summary --study synthetic_demo", "Samples"},
		{"tmb synthetic_demo", "study summary --study synthetic_demo", "AGE"}, // it has no such attribute
		{"tmb burdened", "study summary --attribute tmb --study burdened", "TMB_NONSYNONYMOUS"},
		{"tmb -s burdened", "study summary --attribute tmb -s burdened", "0.00 to 7.00, median 3.50"},

		// nothing means the same
		{"plots synthetic_demo ERBB2 cna vs expression", "study --help", ""},
		{"query -s synthetic_demo -g 'TP53: MUT; ERBB2: AMP'", "study query --help", ""},
	} {
		t.Run(c.line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, app, may, "study "+c.line)
				equal(t, "the line runs", code == 0, c.try == "")
				if c.try != "" {
					suggests(t, text, c.try)
					text, code = clitest.Ask(t, app, may, c.try)
				}
				equal(t, "exit", code, 0)
				contains(t, text, c.answer)
			}
		})
	}
}

// The summary shows the attributes of a list alone, and refuses one that the study lacks.
func TestSummaryOfSomeAttributes(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"summary -s synthetic_demo --attribute age,SEX":        "| AGE | && | SEX | && !| STAGE |",
		"summary -s synthetic_demo --attribute os":             "| OS_STATUS | && | OS_MONTHS | && !| PFS_MONTHS |",
		"summary -s synthetic_demo --attribute AGE --json":     `"attribute_count":1`,
		"summary -s synthetic_demo --attribute AGE,AGX":        `no clinical attribute "AGX"; available: AGE && --attribute AGE,AGE`,
		"summary -s synthetic_demo --attribute AGX --json":     `"code":"NOT_FOUND"`,
		"summary -s synthetic_demo --attribute AGE --limit 10": "| AGE |",
	} {
		asks(t, app, map[string]string{line: want})
	}
}

// A criterion of one change counts only the samples with it.
func TestFilterByOneChange(t *testing.T) {
	app := commandtest.Study(t)
	all, _ := clitest.Ask(t, app, command.Person, "study query -s synthetic_demo -g CDKN2A --json")
	contains(t, all, `["p.H83Y",`)
	for line, want := range map[string]string{
		"--mutated CDKN2A:H83Y":   "mutated CDKN2A H83Y",
		"--mutated cdkn2a:p.h83y": "mutated CDKN2A H83Y",
	} {
		text, code := clitest.Ask(t, app, command.Person, "study filter -s synthetic_demo --json "+line)
		equal(t, line, code, 0)
		contains(t, text, want)
		contains(t, text, "DEMO-00127-01")
	}
	text, _ := clitest.Ask(t, app, command.Person, "study filter -s synthetic_demo --mutated CDKN2A:W1C --json")
	contains(t, text, `"matched_count":0`)
}
