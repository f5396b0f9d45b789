package study_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Words that are typed without their flags are answered with the line that was meant,
// which runs.
func TestStudyWordsWithoutFlagsAreCorrected(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study survival TP53":                                 "study list",
		"study survival synthetic_demo TP53":                  "study survival --study synthetic_demo --gene TP53",
		"study survival TP53 pfs -s synthetic_demo":           "study survival -s synthetic_demo --gene TP53 --endpoint pfs",
		"study survival TP53 --json":                          "study list",
		"study query TP53":                                    "study list",
		"study query TP53 cna":                                "study list",
		"study query TP53,KRAS EGFR":                          "study list",
		"study cohort synthetic_demo TP53":                    "study cohort --study synthetic_demo --gene TP53",
		"study filter TP53":                                   "study list",
		"study compare TP53 EGFR":                             "study list",
		"study co-occurrence TP53 KRAS":                       "study list",
		"survival TP53":                                       "study list",
		"top-mutated -s synthetic_demo":                       "study top-mutated -s synthetic_demo",
		"study survival synthetic_demo TP53 --limit 3":        "study survival --help",
		"study survival TP53 KRAS EGFR":                       "study survival --help",
		"study query -s synthetic_demo -g TP5 -t cna":         "study query --study synthetic_demo --type cna --gene TP53",
		"study query -s synthetic_demo -g KRAS,TP5 -t expr":   "study query --study synthetic_demo --type expr --gene KRAS,TP53",
		"study compare -s synthetic_demo -g TP53 --target EG": "study compare --study synthetic_demo --gene TP53 --target EGFR",
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, app, may, line)
				if code == 0 {
					t.Errorf("%s: %s", line, text)
				}
				if !strings.Contains(line, "--json") && !strings.HasSuffix(text, "try:   biomcp "+want+"\n") {
					t.Errorf("%s: %s", line, text)
				}
				if strings.Contains(line, "--json") && !strings.Contains(text, `"try":"biomcp `+want+`"`) {
					t.Errorf("%s: %s", line, text)
				}
			}
			if text, code := clitest.Ask(t, app, command.Agent, want); code != 0 {
				t.Errorf("%s: %s", want, text)
			}
		})
	}
	if text, _ := clitest.Ask(t, commandtest.Disk(t), command.Person, "study survival brca_tcga TP53"); !strings.HasSuffix(text, "try:   biomcp study survival --study brca_tcga --gene TP53\n") {
		t.Error(text)
	}
}

// What was typed is in a message as one line, and a gene that is near is named.
func TestMistypedGenes(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study query -s synthetic_demo -g 'TP53\n<SCRIPT>'": "error: \"TP53 <SCRIPT>\" is not a gene symbol\n",
		"study query -s 'a\nb' -g TP53":                     `error: "a b" is not the id of a study`,
		"study query -s synthetic_demo -g TP53 -t 'x\ny'":   `error: --type: "x y" is not one of mutations`,
		"study query -s synthetic_demo -g TP5":              "or the symbol is another one; did you mean TP53?\n",
		"study filter -s synthetic_demo --amplified EGF":    "data_cna.txt has no row of EGF: no sample can be said to meet the criterion; did you mean EGFR?\n",
		"study cohort -s synthetic_demo -g ZZZZ":            "or the symbol is another one\n",
	} {
		t.Run(line, func(t *testing.T) {
			if text, _ := clitest.Ask(t, app, command.Agent, line); !strings.Contains(text, want) {
				t.Errorf("%s: %s", line, text)
			}
		})
	}
}
