package study_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// A study in the form in which the datahub ships it yields the rates that pandas computes
// (testdata/shipped.py). It has a panel matrix without case lists, three columns with one name,
// PARK2 in the file and PRKN on the panel, and variants in the promoter of TERT.
func TestStudyAsTheDatahubShipsIt(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		text, code := clitest.Ask(t, app, command.Person, "study download synthetic_shipped_2026 --json")
		if code != 0 || !strings.Contains(text, `"downloaded":true`) || !strings.Contains(text, `"panels":["SYNTH2","SYNTH410"],"missing_panels":[]`) {
			t.Fatal(code, text)
		}
		for gene, want := range map[string]string{
			"KRAS": "5 5 12 0.4166666666666667", "PRKN": "8 7 12 0.5833333333333334", "PARK2": "8 7 12 0.5833333333333334",
			"TERT": "4 4 8 0.5", "TP53": "4 4 16 0.25",
		} {
			text, code := clitest.Ask(t, app, command.Agent, "study query -s synthetic_shipped_2026 --json -g "+gene)
			var got struct {
				Result struct {
					Mutations int     `json:"mutation_count"`
					Samples   int     `json:"unique_samples"`
					Profiled  int     `json:"total_samples"`
					Rate      float64 `json:"frequency"`
				}
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
				t.Fatal(gene, code, text)
			}
			r := got.Result
			if s := fmt.Sprint(r.Mutations, r.Samples, r.Profiled, r.Rate); s != want {
				t.Errorf("%s: %s, pandas has %s", gene, s, want)
			}
		}
		for line, want := range map[string]string{
			"query -s synthetic_shipped_2026 -g PARK2":                                   "the mutation file has PARK2 as PARK2 and PRKN: the same gene under another name",
			"query -s synthetic_shipped_2026 -g TERT":                                    "| Promoter | 4 |",
			"top-mutated -s synthetic_shipped_2026":                                      "| PRKN | 7 | 8 | 12 | 58.3 %",
			"summary -s synthetic_shipped_2026":                                          "| SYNTH410 | 8 | 3 |",
			"compare -s synthetic_shipped_2026 --by COMMENTS -t mutations --target TP53": "column COMMENTS: the column appears twice, as number 4 and as number 5",
		} {
			if text, _ := clitest.Ask(t, app, command.Agent, "study "+line); !strings.Contains(text, want) || strings.Contains(text, "study survival") { // the study has no endpoint
				t.Errorf("%s: no %q in\n%s", line, want, text)
			}
		}
	})
}

// Without the genes of a panel there is no rate. The answer, and that of summary, says how to
// get them.
func TestRateWithoutPanelIsAnError(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		text, code := clitest.Ask(t, app, command.Person, "study download synthetic_lost_2026")
		if code != 0 || !strings.Contains(text, "the genes of the panel LOST99 are unknown, so no rate can be calculated for samples assayed on it; cBioPortal did not provide them") {
			t.Error(code, text)
		}
		for line, want := range map[string]string{
			"query -g TP53":             "the genes of the panel LOST99 (1 sample) are unknown: study download synthetic_lost_2026 fetches them",
			"top-mutated":               "the panel LOST99",
			"cohort -g TP53":            "the panel LOST99",
			"filter --mutated TP53":     "the panel LOST99",
			"co-occurrence -g TP53,ATM": "the panel LOST99",
		} {
			name, rest, _ := strings.Cut(line, " ")
			text, code := clitest.Ask(t, app, command.Person, "study "+name+" -s synthetic_lost_2026 "+rest)
			if code != 1 || !strings.Contains(text, want) || !strings.Contains(text, "biomcp study download synthetic_lost_2026") {
				t.Errorf("%s: %d, %s", line, code, text)
			}
		}
		text, code = clitest.Ask(t, app, command.Agent, "study query -s synthetic_lost_2026 -g TP53 --json")
		if code != 1 || !strings.Contains(text, `"code":"NOT_FOUND"`) {
			t.Error(code, text)
		}
		text, _ = clitest.Ask(t, app, command.Agent, "study summary -s synthetic_lost_2026")
		if !strings.Contains(text, "| LOST99 | 1 | unknown |") || !strings.Contains(text, "biomcp study panels add FILE reads them from files") {
			t.Error(text)
		}
		if err := srv.Fail(sourcetest.Fault{Endpoint: "panel", Kind: sourcetest.Down503, Times: 9}); err != nil {
			t.Fatal(err)
		}
		if text, code = clitest.Ask(t, app, command.Person, "study download synthetic_lost_2026"); code != 1 || !strings.Contains(text, "cBioPortal") || strings.Contains(text, "datahub") {
			t.Error(code, text)
		}
		file := filepath.Join(t.TempDir(), "lost.txt")
		if err := os.WriteFile(file, []byte("stable_id: LOST99\ndescription: Synthetic.\ngene_list: TP53\tKRAS\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, code = clitest.Ask(t, app, command.Agent, "study panels add "+file); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
			t.Error(code, text)
		}
		if text, code = clitest.Ask(t, app, command.Person, "study panels add "+file); code != 0 || !strings.Contains(text, "| LOST99 | 2 |") {
			t.Error(code, text)
		}
		if text, code = clitest.Ask(t, app, command.Agent, "study query -s synthetic_lost_2026 -g TP53"); code != 0 || !strings.Contains(text, "Denominator: 2 samples (gene panel matrix)") {
			t.Error(code, text)
		}
	})
}

func TestFileThatIsNoPanelIsRefused(t *testing.T) {
	app := commandtest.Disk(t)
	file := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(file, []byte("TP53\nKRAS\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{file: "expected a line such as", filepath.Join(t.TempDir(), "none"): "cannot be opened"} {
		t.Run(name, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, "study panels add "+name); code != 2 || !strings.Contains(text, want) {
				t.Error(code, text)
			}
		})
	}
}

// If neither the file nor the panel has an Entrez ID, genes are matched by the previous symbols in
// the local HGNC table.
func TestRenamedGeneByTheTableOfHGNC(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		dir := app.Env.StudyDir
		handmade(t, dir, "renamed", times(8, func(int) string { return "0:LIVING" }), "0 2 5", func(file, text string) string {
			if file == "mutations.txt" {
				text = strings.ReplaceAll(text, "TP53", "PARK2")
			}
			return text
		})
		for name, text := range map[string]string{
			"renamed/meta_x.txt": "genetic_alteration_type: GENE_PANEL_MATRIX\ndatatype: GENE_PANEL_MATRIX\ndata_filename: x.txt\n",
			"renamed/x.txt":      "SAMPLE_ID\tmutations\nS0\tP\nS1\tP\nS2\tP\nS3\tP\nS4\tP\nS5\tP\nS6\tP\nS7\tP\n",
			"renamed/panel.txt":  "stable_id: P\ngene_list: PRKN\tTP53\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		rows := func(line, want string) {
			t.Helper()
			if text, _ := clitest.Ask(t, app, command.Agent, "study "+line); !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", line, want, text)
			}
		}
		for _, gene := range []string{"PARK2", "PRKN"} { // by the table that the program contains
			rows("query -s renamed -g "+gene, "Denominator: 8 samples")
			rows("query -s renamed -g "+gene, "| Unique samples | 3 |")
		}
		if text, code := clitest.Ask(t, app, command.Person, "sync hgnc"); code != 0 {
			t.Fatal(text)
		}
		for _, gene := range []string{"PARK2", "PRKN"} {
			rows("query -s renamed -g "+gene, "Denominator: 8 samples")
			rows("query -s renamed -g "+gene, "| Unique samples | 3 |")
		}
		rows("top-mutated -s renamed", "| PARK2 | 3 | 3 | 8 |")
		rows("survival -s renamed -g P53", "P53 is an alias of TP53, the name that renamed uses\ntry:   biomcp study survival --study renamed --gene TP53\n")
	})
}

// A sample with NA in the panel matrix is in no denominator, and every answer reports it.
func TestSamplesWithoutAPanelAreSaid(t *testing.T) {
	app := commandtest.Disk(t)
	handmade(t, app.Env.StudyDir, "paneled", times(6, func(int) string { return "1:DECEASED" }), "0 1", nil)
	for name, text := range map[string]string{
		"meta_matrix.txt": "genetic_alteration_type: GENE_PANEL_MATRIX\ndatatype: GENE_PANEL_MATRIX\ndata_filename: matrix.txt\n",
		"matrix.txt":      "SAMPLE_ID\tmutations\tmrna\nS0\tWES\tWES\nS1\tNA\tWES\nS2\tWES\tNA\n",
		"meta_e.txt":      "stable_id: mrna\ngenetic_alteration_type: MRNA_EXPRESSION\ndatatype: Z-SCORE\ndata_filename: expression.txt\n",
		"expression.txt":  "Hugo_Symbol\tS0\tS1\tS2\tS3\nTP53\t1\t2\t3\t4\n",
	} {
		if err := os.WriteFile(filepath.Join(app.Env.StudyDir, "paneled", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const mutations, expression = "1 sample excluded as not profiled: the gene panel matrix has NA for the mutation data.", "1 sample excluded as not profiled: the gene panel matrix has NA for the expression data."
	asks(t, app, map[string]string{
		"query -s paneled -g TP53":                    mutations + " && 5 samples (case list paneled_sequenced and gene panel matrix)",
		"query -s paneled -g TP53 --json":             mutations,
		"survival -s paneled -g TP53":                 mutations + " && - 1: not profiled for TP53",
		"top-mutated -s paneled":                      mutations,
		"filter -s paneled --expression-above TP53:1": expression,
		"compare -s paneled -g TP53 --genes all":      mutations + " && " + expression,
		"summary -s paneled":                          mutations + " && " + expression,
	})
}
