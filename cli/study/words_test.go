package study_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// For words without their flags, the error suggests the intended command, which works.
func TestStudyWordsWithoutFlagsAreCorrected(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study survival TP53":                                 "study survival --gene TP53 --study synthetic_demo",
		"study survival synthetic_demo TP53":                  "study survival --study synthetic_demo --gene TP53",
		"study survival TP53 pfs -s synthetic_demo":           "study survival -s synthetic_demo --gene TP53 --endpoint pfs",
		"study survival TP53 --json":                          "study survival --gene TP53 --study synthetic_demo --json",
		"study query TP53":                                    "study query --gene TP53 --study synthetic_demo",
		"study query TP53 cna":                                "study query --gene TP53 --type cna --study synthetic_demo",
		"study query TP53,KRAS EGFR":                          "study query --gene TP53,KRAS,EGFR --study synthetic_demo",
		"study cohort synthetic_demo TP53":                    "study cohort --study synthetic_demo --gene TP53",
		"study filter TP53":                                   "study filter --mutated=TP53 --study synthetic_demo",
		"study compare TP53 EGFR":                             "study compare --gene TP53 --target EGFR --study synthetic_demo",
		"study co-occurrence TP53 KRAS":                       "study co-occurrence --genes TP53,KRAS --study synthetic_demo",
		"survival TP53":                                       "study survival --gene TP53 --study synthetic_demo",
		"study survival AGE":                                  "study survival --study synthetic_demo --by AGE",
		"study compare synthetic_demo SEX EGFR":               "study compare --study synthetic_demo --target EGFR --by SEX",
		"study survival --gene TP53":                          "study survival --gene TP53 --study synthetic_demo",
		"study top-mutated":                                   "study top-mutated --study synthetic_demo",
		"top-mutated -s synthetic_demo":                       "study top-mutated -s synthetic_demo",
		"study survival synthetic_demo TP53 --limit 3":        "study survival --help",
		"study survival TP53 KRAS EGFR":                       "study survival --help",
		"study query -s synthetic_demo -g TP5 -t cna":         "study query --study synthetic_demo --type cna --gene TP53",
		"study query -s synthetic_demo -g TP5 -t expr":        "study query --study synthetic_demo --type expr --gene TP53",
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

// A line without --study suggests the same line for the only study, or the list if there are
// several. The help says that the flag is required.
func TestTheOnlyStudyIsFilledIn(t *testing.T) {
	app := commandtest.Study(t)
	lines := map[string]string{
		"study survival --gene TP53 --plot surv.png": "study survival --gene TP53 --chart survival --output surv.png --study synthetic_demo",
		"study survival --gene TP53 --output x.png":  "study survival --gene TP53 --output x.png --chart survival --study synthetic_demo",
		"study survival TP53":                        "study survival --gene TP53 --study synthetic_demo",
		"study cohort -g TP53":                       "study cohort --gene TP53 --study synthetic_demo",
	}
	for line, want := range lines {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.HasSuffix(text, "try:   biomcp "+want+"\n") {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
	meta, err := os.ReadFile(filepath.Join(app.Env.StudyDir, "synthetic_demo", "meta_study.txt"))
	other := filepath.Join(app.Env.StudyDir, "other")
	if err == nil {
		err = cmp.Or(os.Mkdir(other, 0o700), os.WriteFile(filepath.Join(other, "meta_study.txt"), []byte(strings.ReplaceAll(string(meta), "synthetic_demo", "other")), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range lines {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.HasSuffix(text, "try:   biomcp study list\n") {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
	for name := range strings.FieldsSeq("summary top-mutated query filter cohort survival compare co-occurrence") {
		if text, _ := clitest.Ask(t, app, command.Person, "study "+name+" --help"); !strings.Contains(text, "--study <text>` | required: ") {
			t.Errorf("help of %s does not say that --study is required: %s", name, text)
		}
	}
}

// An error quotes the input on one line and suggests a similar gene.
func TestMistypedGenes(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study query -s synthetic_demo -g 'TP53\n<SCRIPT>'":                 "error: \"TP53 <SCRIPT>\" is not a gene symbol\n",
		"study query -s 'a\nb' -g TP53":                                     `error: "a b" is not the id of a study`,
		"study query -s synthetic_demo -g TP53 -t 'x\ny'":                   `error: --type: "x y" is not one of mutations`,
		"study query -s synthetic_demo -g TP5":                              "error: TP5 is in no data and no gene list of synthetic_demo; did you mean TP53?\ntry:   biomcp study query --study synthetic_demo --gene TP53\n",
		"study query -s synthetic_demo -g TP5 -t sv":                        "error: TP5 is in no data and no gene list of synthetic_demo; did you mean TP53?\ntry:   biomcp study query --study synthetic_demo --type sv --gene TP53\n",
		"study survival -s synthetic_demo -g TP35":                          "did you mean TP53?\ntry:   biomcp study survival --study synthetic_demo --gene TP53\n",
		"study co-occurrence -s synthetic_demo -g KRAS,TP5":                 "did you mean TP53?\ntry:   biomcp study co-occurrence --study synthetic_demo --genes KRAS,TP53\n",
		"study compare -s synthetic_demo -g TP53 -t mutations --target KRA": "did you mean KRAS?\ntry:   biomcp study compare --study synthetic_demo --gene TP53 --type mutations --target KRAS\n",
		"study filter -s synthetic_demo --mutated TP35":                     "or the file uses another symbol; did you mean TP53?\n",
		"study filter --mutated TP53,KRAS --deleted VHL":                    "repeat the flag for more, all of which must hold\ntry:   biomcp study filter --deleted=VHL --mutated=TP53 --mutated=KRAS --study synthetic_demo\n",
		"study compare --by SEX -g EGFR":                                    "try:   biomcp study compare --by SEX --target EGFR --study synthetic_demo\n",
		"study compare -s synthetic_demo -g TP53":                           "try:   biomcp study compare --study synthetic_demo --gene TP53 --all\n",
		"study survival -s synthetic_demo -g VHLX":                          "error: VHLX is in no data and no gene list of synthetic_demo",
		"study survival -s synthetic_demo -g AGE":                           "error: AGE is a clinical attribute of synthetic_demo, not a gene in its data\ntry:   biomcp study survival --study synthetic_demo --by AGE\n",
		"study compare -s synthetic_demo -g TP53 --target AGE":              "--target AGE --type clinical\n",
		"study survival -s synthetic_demo --by AGE --cut 60,70":             "takes one number, such as 60; the default is the median, and --quantiles makes several groups\ntry:   biomcp study survival --study synthetic_demo --by AGE --cut 60\n",
		"study filter -s synthetic_demo --expression-below 'EGFR<-1.5'":     "try:   biomcp study filter --study synthetic_demo --expression-below EGFR:-1.5\n",
		"study filter -s synthetic_demo --amplified EGFR gain":              "only flags: \"gain\"\ntry:   biomcp study filter -s synthetic_demo --amplified EGFR\n",
		"study filter -s synthetic_demo --expression-above EGFR 1":          "try:   biomcp study filter -s synthetic_demo --expression-above EGFR:1\n",
		"study survival -s synthetic_demo -g FGFR3":                         "FGFR3-wildtype | 46 | ",
		"study filter -s synthetic_demo --amplified EGF":                    "data_cna.txt has no row of EGF: no sample can be tested for the criterion; did you mean EGFR?\n",
		"study cohort -s synthetic_demo -g ZZZZ":                            "error: ZZZZ is in no data and no gene list of synthetic_demo\ntry:   biomcp study top-mutated --study synthetic_demo\n",
	} {
		t.Run(line, func(t *testing.T) {
			if text, _ := clitest.Ask(t, app, command.Agent, line); !strings.Contains(text, want) {
				t.Errorf("%s: %s", line, text)
			}
		})
	}
}
