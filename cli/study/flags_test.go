package study_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A gene given where an attribute is expected is understood. The error for an unknown name
// lists the available ones and suggests a command that works.
func TestFirstWordsOfStudies(t *testing.T) {
	app := commandtest.Study(t)
	const attributes = "; available: AGE, SEX, STAGE, OS_STATUS, OS_MONTHS, PFS_STATUS, PFS_MONTHS, CANCER_TYPE, SAMPLE_TYPE"
	for line, want := range map[string]struct{ says, try string }{
		"survival -s synthetic_demo --by TP53": {
			"TP53 is a gene, not a clinical attribute: --by TP53 is read as --gene TP53", "",
		},
		"survival -s synthetic_demo --by tp53 --chart survival":        {"TP53-mutant", ""},
		"survival -s synthetic_demo -g TP53 --by GENE":                 {"# Study Survival: TP53", ""},
		"compare -s synthetic_demo --by TP53 -t clinical --target AGE": {"Stratify gene: TP53", ""},
		"survival -s synthetic_demo --by GENE": {
			"--gene is missing, or --by with a clinical attribute; the gene mutated most often is TP53",
			"study survival --study synthetic_demo --gene TP53",
		},
		"survival synthetic --by TP53": {
			"(understood as: biomcp study survival --by TP53 --study synthetic)",
			"study survival --by TP53 --study synthetic_demo",
		},
		"survival synthetic_demo --by TP53": {
			"understood as: biomcp study survival --by TP53 --study synthetic_demo", "",
		},
		"summary Synthetic_Demo": {
			"understood as: biomcp study summary --study Synthetic_Demo", "",
		},
		"top-mutated synthetic_demo -l 3": {
			"understood as: biomcp study top-mutated -l 3 --study synthetic_demo", "",
		},
		"survival -s synthetic --by TP53": {
			`no local study "synthetic"; did you mean synthetic_demo?`,
			"study survival --by TP53 --study synthetic_demo",
		},
		"survival -s synthetic_demo --by STAGES": {
			`no clinical attribute "STAGES"` + attributes, "study survival --study synthetic_demo --by STAGE",
		},
		"survival -s synthetic_demo --by NOPE": {
			`no clinical attribute "NOPE"` + attributes, "study summary --study synthetic_demo",
		},
		"survival -s synthetic_demo -g TP53 --by TP52": {
			attributes, "study summary --study synthetic_demo",
		},
		"survival -s synthetic_demo -g TP53 --adjust AGE,STAGES": {
			attributes, "study survival --study synthetic_demo --gene TP53 --adjust AGE,STAGE",
		},
		"survival -s synthetic_demo -g TP53 --strata NOPE": {
			attributes, "study summary --study synthetic_demo",
		},
		"survival -s synthetic_demo -g TP53 -e dfs": {
			`no survival endpoint "dfs"; available: os, pfs`,
			"study summary --study synthetic_demo",
		},
		"survival -s synthetic_demo -g TP53 -e PFI": {
			`no survival endpoint "PFI"; available: os, pfs`,
			"study summary --study synthetic_demo",
		},
		"compare -s synthetic_demo --by SEX": {
			"--target names what is compared", "study compare --study synthetic_demo --by SEX --all",
		},
		"compare -s synthetic_demo --by STAGE": {
			"--target names what is compared", "study compare --study synthetic_demo --by STAGE --all",
		},
		"compare -s synthetic_demo --by AGE": {
			"--target names what is compared", "study compare --help",
		},
		"compare -s synthetic_demo --by NOPE -t clinical --target AGE": {
			attributes, "study summary --study synthetic_demo",
		},
		"compare -s synthetic_demo --by SEX -t clinical --target AGES": {
			attributes, "study compare --study synthetic_demo --by SEX --type clinical --target AGE",
		},
		"survival -s nope,nada -g TP53": {
			`--study takes one study; no local study "nope", "nada"; available: synthetic_demo`, "study list",
		},
		"survival -s nope,synthetic_demo -g TP53": {
			`--study takes one study; no local study "nope"`, "study survival --gene TP53 --study synthetic_demo",
		},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "study "+line)
			contains(t, text, want.says)
			equal(t, "succeeds", code == 0, want.try == "")
			if want.try != "" {
				suggests(t, text, want.try)
			}
			if t.Failed() {
				return
			}
			for range 2 { // at most two suggestions are needed to get an answer
				_, next, _ := strings.Cut(text, "try:   biomcp ")
				if code == 0 {
					return
				}
				text, code = clitest.Ask(t, app, command.Agent, strings.TrimSpace(next))
			}
			if code != 0 {
				t.Errorf("still failing after two suggestions: %s", text)
			}
		})
	}
}

// For a file name given to --chart, the error suggests --output.
func TestAFileAsKindOfChart(t *testing.T) {
	app := commandtest.Study(t)
	text := askFor(t, app, command.Person, "study survival -s synthetic_demo -g TP53 --chart KM.png", 2)
	suggests(t, text, "study survival --study synthetic_demo --gene TP53 --chart survival --output KM.png")
	app.Env.StudyDir = t.TempDir()
	text, _ = clitest.Ask(t, app, command.Person, "study list")
	contains(t, text, "biomcp study download --list")
}

// For a file that is not a picture, the error about a chart suggests a command that writes the table or a
// picture. These commands work.
func TestOutputOfATable(t *testing.T) {
	app := commandtest.Study(t)
	const query = "study query --study synthetic_demo --gene TP53"
	for line, want := range map[string]struct{ says, try string }{
		"query -s synthetic_demo -g TP53 -o x.csv --chart bar --title hi": {
			"to x.csv, and without --chart --output writes the table of the answer", query + " --chart bar --title hi --rows x.csv",
		},
		"query -s synthetic_demo -g TP53,KRAS -o x.svg": {
			"study query of several genes has no charts", query + ",KRAS",
		},
		"query -s synthetic_demo -g TP53,KRAS --chart bar -o x.svg": {
			"a chart shows one gene", "study query --study synthetic_demo --chart bar --output x.svg --gene TP53",
		},
		"query -s synthetic_demo -g TP53 -o fig/x.v2.jpg": {
			`"fig/x.v2.jpg" does not end in .svg or .png`, query + " --chart bar --output fig/x.v2.svg",
		},
		"survival -s synthetic_demo -g TP53 -o km": {
			`"km" does not end in .svg or .png`,
			"study survival --study synthetic_demo --gene TP53 --chart survival --output km.svg",
		},
		"co-occurrence -s synthetic_demo -g TP53,KRAS --chart heatmap -o x.md": {
			`"x.md" does not end in .svg or .png`,
			"study co-occurrence --study synthetic_demo --genes TP53,KRAS --chart heatmap --output x.svg",
		},
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := askFor(t, app, command.Person, "study "+line, 2)
			contains(t, text, want.says)
			suggests(t, text, want.try)
			if err := os.MkdirAll("fig", 0o755); err != nil {
				t.Fatal(err)
			}
			askFor(t, app, command.Person, want.try, 0)
		})
	}
}

// A flag without effect is an error, which suggests the command without the flag.
func TestFlagsThatDoNothingAreRefused(t *testing.T) {
	app := commandtest.Study(t)
	const volcano = "study compare --study synthetic_demo --gene TP53 --genes all --type mutations"
	for line, want := range map[string]struct{ says, try string }{
		"query -s synthetic_demo -g ALK -t sv -o x.svg --title hi --terminal": {
			"study query --type sv has no charts", "study query --study synthetic_demo --gene ALK --type sv",
		},
		"query -s synthetic_demo -g ALK -t sv --rows 20": {
			"has no charts", "study query --study synthetic_demo --gene ALK --type sv",
		},
		"query -s synthetic_demo -g TP53 --chart pie --terminal -o x.svg": {
			"--terminal cannot be used with --output",
			"study query --study synthetic_demo --gene TP53 --chart pie --output x.svg",
		},
		"query -s synthetic_demo -g TP53 -t cna --include-silent": {
			"--include-silent requires --type mutations", "study query --study synthetic_demo --gene TP53 --type cna",
		},
		"filter -s synthetic_demo --amplified EGFR --include-silent": {
			"--include-silent requires --mutated", "study filter --study synthetic_demo --amplified=EGFR",
		},
		"survival -s synthetic_demo --by STAGE --include-silent": {
			"--include-silent requires --by mutation", "study survival --study synthetic_demo --by STAGE",
		},
		"compare -s synthetic_demo --by STAGE --target EGFR --include-silent": {
			"--include-silent requires --gene or --type mutations",
			"study compare --study synthetic_demo --by STAGE --target EGFR",
		},
		"compare -s synthetic_demo -g TP53 --target EGFR --limit 5": {
			"--limit requires --genes all", "study compare --study synthetic_demo --gene TP53 --target EGFR",
		},
		"compare -s synthetic_demo -g TP53 --target EGFR --offset 5": {
			"--offset requires --genes all", "study compare --study synthetic_demo --gene TP53 --target EGFR",
		},
		"compare -s synthetic_demo -g TP53 --target EGFR --genes all -t mutations": {
			"--target cannot be used with --genes all", volcano,
		},
	} {
		t.Run(line, func(t *testing.T) {
			t.Chdir(t.TempDir())
			text := askFor(t, app, command.Person, "study "+line, 2)
			contains(t, text, want.says)
			suggests(t, text, want.try)
		})
	}
}

// Data that cannot be read is an error or a notice; the answer never looks as if the data were
// absent.
func TestWhatCannotBeReadIsSaid(t *testing.T) {
	app := commandtest.Study(t)
	spoil := func(file, from, to string) {
		path := filepath.Join(app.Env.StudyDir, "synthetic_demo", file)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.ReplaceAll(string(text), from, to)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	spoil("data_clinical_sample.txt", "\tSAMPLE_TYPE", "\tCANCER_TYPE")
	text, code := clitest.Ask(t, app, command.Person, "study filter -s synthetic_demo --cancer-type Lung")
	equal(t, "filter fails", code != 0, true)
	contains(t, text, "CANCER_TYPE")
	contains(t, text, "twice")
	spoil("data_gene_panel_matrix.txt", "SAMPLE_ID", "SAMPLE")
	text = askFor(t, app, command.Person, "study summary -s synthetic_demo", 0)
	contains(t, text, "data_mutations.txt: the profiled samples are unknown: ")
	spoil("data_clinical_sample.txt", "\nSAMPLE_ID", "\nSAMPLE")
	text = askFor(t, app, command.Person, "study list", 0)
	contains(t, text, "synthetic_demo: the samples cannot be read: ")
}
