package study_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Every answer about a study that two folders hold names them and the one it uses.
func TestAnswersNameTheFolderTheyUse(t *testing.T) {
	app := commandtest.Study(t)
	root := app.Env.StudyDir
	if err := os.CopyFS(filepath.Join(root, "copy"), os.DirFS(filepath.Join(root, "synthetic_demo"))); err != nil {
		t.Fatal(err)
	}
	const want = "the folders copy and synthetic_demo hold the study synthetic_demo; the folder synthetic_demo is used"
	for _, line := range []string{
		"summary -s synthetic_demo", "top-mutated -s synthetic_demo", "query -s Synthetic_Demo -g TP53", "query -s synthetic_demo -g EGFR -t cna",
		"query -s synthetic_demo -g EGFR -t expression", "query -s synthetic_demo -g ALK -t sv", "filter -s synthetic_demo --mutated TP53",
		"cohort -s synthetic_demo -g TP53", "survival -s synthetic_demo -g TP53", "compare -s synthetic_demo -g TP53 --target EGFR",
		"compare -s synthetic_demo -g TP53 --genes all", "co-occurrence -s synthetic_demo -g TP53,KRAS", "list", "download synthetic_demo",
		"remove synthetic_demo --yes",
	} {
		for _, form := range []string{" --json", ""} {
			if strings.HasPrefix(line, "remove") && form != "" {
				continue
			}
			text, code := clitest.Ask(t, app, command.Person, "study "+line+form)
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%s%s: want exit 0 and %q, got exit %d: %s", line, form, want, code, text)
			}
		}
	}
	if text, _ := clitest.Ask(t, app, command.Person, "study summary -s synthetic_demo"); strings.Contains(text, "hold the study") {
		t.Errorf("one folder is left: want no notice, got %s", text)
	}
}

// orfStudy writes a study with data of a gene whose symbol has small letters, C17orf58, next to TP53.
func orfStudy(t *testing.T, app *command.App, symbol string) {
	t.Helper()
	handmade(t, app.Env.StudyDir, "orf", times(12, func(i int) string { return []string{"1:DECEASED", "0:LIVING"}[i%2] }), "0 1 2",
		func(file, text string) string {
			if file == "mutations.txt" {
				text += symbol + "\tS0\tMissense_Mutation\n" + symbol + "\tS3\tMissense_Mutation\n" + symbol + "\tS5\tSilent\n"
			}
			return text
		})
	row := func(name string, step int) string {
		for i := range 12 {
			name += "\t" + []string{"-2", "0", "2", "1"}[(i+step)%4]
		}
		return name + "\n"
	}
	head := "Hugo_Symbol"
	for _, p := range strings.Fields("0 1 2 3 4 5 6 7 8 9 10 11") {
		head += "\tS" + p
	}
	matrix := head + "\n" + row("TP53", 0) + row(symbol, 1)
	addFiles(t, filepath.Join(app.Env.StudyDir, "orf"), map[string]string{
		"meta_c.txt": "stable_id: gistic\ngenetic_alteration_type: COPY_NUMBER_ALTERATION\ndatatype: DISCRETE\ndata_filename: cna.txt\n",
		"cna.txt":    matrix,
		"meta_e.txt": "stable_id: rna\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: Z-SCORE\ndata_filename: rna.txt\n",
		"rna.txt":    matrix,
		"meta_f.txt": "stable_id: structural_variants\ngenetic_alteration_type: STRUCTURAL_VARIANT\ndatatype: SV\ndata_filename: sv.txt\n",
		"sv.txt":     "Sample_Id\tSite1_Hugo_Symbol\tSite2_Hugo_Symbol\nS2\t" + symbol + "\tALK\n",
	})
}

var commandLine = regexp.MustCompile(`biomcp study [^\n"\x60]*`)

// Every answer and error writes a symbol in HGNC's letter case, however the file and the command write it.
func TestSymbolsHaveTheirLetterCase(t *testing.T) {
	for symbol, gene := range map[string]string{"C17orf58": "C17ORF58", "C17ORF58": "c17orf58", "c17orf58": "C17orf58"} {
		t.Run(symbol, func(t *testing.T) {
			app := commandtest.Disk(t)
			orfStudy(t, app, symbol)
			for _, line := range []string{
				"query -g @", "query -g TP53,@", "query -g @ -t cna", "query -g @ -t expression", "query -g TP53,@ -t expression",
				"query -g @ -t sv", "cohort -g @", "filter --mutated @", "filter --amplified @", "filter --expression-above @:0",
				"filter --deleted @", "survival -g @", "survival -g @ --by expression --quantiles 2", "survival -g @ --by cna",
				"survival --by @", "compare -g @ --target TP53", "compare -g TP53 --target @", "compare -g TP53 --target @ --chart scatter",
				"compare -g TP53 -t mutations --target @", "compare -g @ -t mutations --genes all", "compare -g TP53 -t mutations --genes all",
				"compare -g TP53 --genes all", "compare --by ARM -t clinical --target OS_MONTHS -g @", "co-occurrence -g TP53,@", "top-mutated",
				"summary", "co-occurrence -g @", "query -g @,NOSUCHGENE", "survival -g @ --by expression --quantiles 3 --chart forest",
				"query -g C17ORF59 -t cna", "query -g C17ORF591 -t expression", "compare -g TP53 --target C17ORF591",
			} {
				line = "study " + strings.ReplaceAll(line, "@", gene) + " -s orf"
				if gene == "c17orf58" {
					line = strings.ReplaceAll(line, "C17ORF59", "c17orf59")
				}
				for _, form := range []string{"", " --json"} {
					text, _ := clitest.Ask(t, app, command.Agent, line+form)
					text = commandLine.ReplaceAllString(text, "") // it repeats what was typed
					if strings.Contains(text, "C17ORF5") || strings.Contains(text, "c17orf5") {
						t.Errorf("%s%s, the file has %s: want C17orf58, got %s", line, form, symbol, text)
					}
				}
			}
		})
	}
}
