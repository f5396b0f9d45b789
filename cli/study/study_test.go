package study_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/store/study/example"
)

// charted lists a line for every kind of answer, with all its charts.
var charted = []struct{ line, kinds string }{
	{"study query -s synthetic_demo -g TP53", "bar pie waterfall lollipop"},
	{"study query -s synthetic_demo -g TP53 -t cna", "bar pie"},
	{"study query -s synthetic_demo -g TP53 -t expression", "histogram density"},
	{"study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR", "bar pie heatmap"},
	{"study compare -s synthetic_demo -g TP53 --target EGFR", "box violin ridgeline scatter"},
	{"study compare -s synthetic_demo -g TP53 -t mutations --target KRAS", "bar stacked-bar"},
	{"study compare -s synthetic_demo -g TP53 -t mutations --genes all", "volcano"},
	{"study compare -s synthetic_demo -g TP53 -t expression --genes all", "volcano"},
	{"study compare -s synthetic_demo -g TP53 --all", "volcano"},
	{"study compare -s synthetic_demo -g TP53 -t clinical --target AGE", "box violin ridgeline"},
	{"study compare -s synthetic_demo -g TP53 -t clinical --target STAGE", "bar stacked-bar"},
	{"study top-altered -s synthetic_demo", "bar"},
	{"study coexpression -s synthetic_demo -g TP53", "volcano"},
	{"study coexpression -s synthetic_demo -g TP53,MDM2", "scatter"},
	{"study survival -s synthetic_demo -g TP53", "survival bar forest"},
	{"study survival -s synthetic_demo --group A='TP53: MUT'", "survival bar forest"},
	{"study oncoprint -s synthetic_demo -g 'TP53,KRAS,RET: FUSION' --clinical SEX,AGE --group F=SEX=Female --group M=SEX=Male", "oncoprint"},
	{"study survival -s synthetic_demo --by STAGE", "survival bar forest"},
}

// The MCP reply to a line with a chart has the same text as without the chart and one picture
// smaller than 200 kB.
func TestChartedStudyCallIsTextAndImage(t *testing.T) {
	app := commandtest.Study(t)
	for _, c := range charted {
		plain := cli.Parser(app)(clitest.Words(t, c.line)).Run(t.Context(), false)
		if plain.IsError || len(plain.Images) != 0 {
			t.Fatalf("%s: %+v", c.line, plain)
		}
		for kind := range strings.FieldsSeq(c.kinds) {
			line := c.line + " --chart " + kind
			reply := cli.Parser(app)(clitest.Words(t, line)).Run(t.Context(), false)
			if reply.IsError || reply.Stderr != "" || len(reply.Images) != 1 {
				t.Errorf("%s: error %v, notices %q, %d images: %s", line, reply.IsError, reply.Stderr, len(reply.Images), reply.Text)
				continue
			}
			text, _, _ := strings.Cut(plain.Text, "## Next")
			wantParagraphs(t, line, reply.Text, text)
			image := reply.Images[0]
			if image.MIME != "image/svg+xml" || len(image.Data) > 200_000 {
				t.Errorf("%s: %s, %d bytes", line, image.MIME, len(image.Data))
			}
			if err := wellFormed(image.Data); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
		reply := cli.Parser(app)(clitest.Words(t, c.line+" --chart "+strings.Fields(c.kinds)[0]+" -o chart.svg")).Run(t.Context(), false)
		if !reply.IsError || !strings.Contains(reply.Text, "MCP chart responses do not support --output/-o") {
			t.Errorf("%s -o: %s", c.line, reply.Text)
		}
	}
}

// wantParagraphs claims that the answer to a line has the paragraphs of want in their order.
func wantParagraphs(t *testing.T, line, answer, want string) {
	t.Helper()
	rest := answer
	for paragraph := range strings.SplitSeq(strings.TrimSpace(want), "\n\n") {
		_, after, found := strings.Cut(rest, paragraph)
		if !found {
			t.Errorf("%s: got %s\nwant %q in its place", line, answer, paragraph)
			return
		}
		rest = after
	}
}

// All answers and charts of a synthetic study say so; those of a study that is only named so do not.
func TestSyntheticStudiesAreSaidToBe(t *testing.T) {
	app := commandtest.Study(t)
	notice := example.SyntheticNotice("synthetic_demo")
	lines := []string{"study summary -s synthetic_demo", "study top-mutated -s synthetic_demo", "study cohort -s synthetic_demo -g TP53", "study filter -s synthetic_demo --mutated TP53"}
	for _, c := range charted {
		lines = append(lines, c.line)
		for kind := range strings.FieldsSeq(c.kinds) {
			drawing := c.line + " --chart " + kind
			lines = append(lines, drawing)
			if _, texts := drawn(t, app, drawing); !strings.Contains(strings.Join(strings.Fields(texts), " "), notice) {
				t.Errorf("the picture of %s does not say it: %s", drawing, texts)
			}
		}
	}
	for _, line := range lines {
		if text, _ := clitest.Ask(t, app, command.Person, line); !strings.HasPrefix(text, "**Note:** "+notice) {
			t.Errorf("%s: %s", line, text)
		}
		if text, _ := clitest.Ask(t, app, command.Person, line+" --json"); !strings.Contains(text, notice) {
			t.Errorf("%s --json: %s", line, text)
		}
	}
	meta := filepath.Join(app.Env.StudyDir, "synthetic_demo", "meta_study.txt")
	text, err := os.ReadFile(meta)
	if err == nil {
		err = os.WriteFile(meta, []byte(strings.Replace(string(text), "synthetic: true", "short_name: real (made up)", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := clitest.Ask(t, app, command.Person, lines[0]); strings.Contains(text, notice) {
		t.Error(text)
	}
	for _, c := range charted { // without the notice, which names the study
		for kind := range strings.FieldsSeq(c.kinds) {
			if _, texts := drawn(t, app, c.line+" --chart "+kind); !strings.Contains(texts, "synthetic_demo") {
				t.Errorf("the picture of %s --chart %s does not name its study: %s", c.line, kind, texts)
			}
		}
	}
}

// The help for an agent has no examples that the agent may not run.
func TestExamplesAreForTheirReader(t *testing.T) {
	app := commandtest.Study(t)
	for may, shown := range map[command.Policy]bool{command.Person: true, command.Agent: false} {
		if text, code := clitest.Ask(t, app, may, "study query --help"); code != 0 || strings.Contains(text, "-o tp53.svg") != shown {
			t.Errorf("exit %d for %v: %s", code, may, text)
		}
	}
}

func wellFormed(svg []byte) error {
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Every JSON answer is an object with notices and _meta, without NaN or infinite numbers.
func TestStudyAnswersAsJSON(t *testing.T) {
	app := commandtest.Study(t)
	lines := []string{"study list", "study summary -s synthetic_demo", "study top-mutated -s synthetic_demo", "study cohort -s synthetic_demo -g TP53",
		"study filter -s synthetic_demo --mutated TP53 --amplified EGFR --expression-below KRAS:0", "study query -s synthetic_demo -g TP53 -t sv",
		"study query -s synthetic_demo -g FGFR3"}
	for _, c := range charted {
		lines = append(lines, c.line)
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, line+" --json")
			var got map[string]any
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
				t.Errorf("%s: exit %d, %v: %s", line, code, err, text)
				return
			}
			for _, key := range []string{"notices", "_meta"} {
				if got[key] == nil {
					t.Errorf("%s: no %s", line, key)
				}
			}
		})
	}
}

// Groups and excluded patients add up to all patients for every kind of grouping.
func TestSurvivalAccountsForEveryPatient(t *testing.T) {
	app := commandtest.Study(t)
	for _, by := range []string{"-g TP53", "-g EGFR", "-g TP53 --by cna", "-g TP53 --by expression", "-g TP53 --by expression --cut 0.5", "-g EGFR --by expression --quantiles 4 --trend",
		"--by STAGE", "--by AGE --quantiles 3", "--by STAGE --strata SEX", "-g TP53 --adjust AGE,STAGE", "-g TP53 -e pfs", "-g TP53 --strata STAGE"} {
		t.Run(by, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, "study survival -s synthetic_demo --json "+by)
			var got struct {
				Denominator struct{ N int }
				Groups      []struct {
					N        int `json:"n_patients"`
					Events   int `json:"n_events"`
					Censored int `json:"n_censored"`
				}
				Excluded []struct{ N int }
			}
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
				t.Errorf("%s: exit %d, %v: %s", by, code, err, text)
				return
			}
			all, groups := 0, 0
			for _, e := range got.Excluded {
				all += e.N
			}
			for _, g := range got.Groups {
				groups += g.N
				if g.N != g.Events+g.Censored {
					t.Errorf("%s: %+v", by, g)
				}
			}
			if all+groups != 150 || groups != got.Denominator.N || groups == 0 {
				t.Errorf("%s: %d in groups, %d analysed, %d excluded, of 150 patients", by, groups, got.Denominator.N, all)
			}
		})
	}
}

// The known values of a real cohort (TCGA LAML) are reproduced if its data is available. p is the
// upper tail of chi-square with one degree of freedom at 11.522362709.
func TestSurvivalOfARealCohort(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join(commandtest.Root(t), "../shared/data/study"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "laml_maftools")); err != nil {
		t.Skip("SKIPPED: the real study is not at hand")
	}
	app := commandtest.Disk(t)
	app.Env.StudyDir = dir
	text, _ := clitest.Ask(t, app, command.Person, "study survival -s laml_maftools -g DNMT3A --json")
	var got struct {
		Groups []struct {
			N      int     `json:"n_patients"`
			Events int     `json:"n_events"`
			Median float64 `json:"km_median_months"`
		}
		LogRank struct{ Chi2, P float64 } `json:"log_rank"`
		P       float64                   `json:"log_rank_p"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	if s := fmt.Sprintf("%v %.9f %.8e", got.Groups, got.LogRank.Chi2, got.P); s != "[{45 35 9.0349} {137 82 18.9569}] 11.522362709 6.87639358e-04" {
		t.Error(s)
	}
	text, _ = clitest.Ask(t, app, command.Person, "study cohort -s laml_maftools -g DNMT3A --json")
	if !strings.Contains(text, `"mutant_samples":48,"wildtype_samples":145`) || !strings.Contains(text, `"denominator":{"n":193,"unit":"samples"`) {
		t.Error(text)
	}
}

func TestStudyMistakesAreNamed(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study survival -s synthetic_demo -g TP53 --chart box":                              `--chart: "box" is not one of survival, bar, forest, which study survival has`,
		"study survival -s synthetic_demo -g TP53 --theme dark":                             "--theme requires --chart",
		"study survival -s synthetic_demo -g TP53 --chart survival --width 9999":            "--width must be 240-4096, not 9999",
		"study survival -s synthetic_demo -g TP53 --chart survival --theme neon":            "unknown chart theme",
		"study survival -s synthetic_demo -g TP53 --chart survival --palette neon":          "unknown chart palette",
		"study survival -s synthetic_demo -g TP53 --trend":                                  "--trend requires groups that have an order",
		"study survival -s synthetic_demo -g TP53 --months soon":                            "--months takes up to 20 numbers",
		"study survival -s synthetic_demo -g TP53 --by NOPE":                                "NOPE",
		"study survival -s synthetic_demo -g TP53 --quantiles 3":                            "--cut and --quantiles divide numbers",
		"study survival -s synthetic_demo --by SEX --quantiles 3":                           "SEX has categories, not numbers",
		"study survival -s synthetic_demo":                                                  "--gene is missing",
		"study survival -s synthetic_demo -g 'a b'":                                         `"A B" is not a gene symbol`,
		"study co-occurrence -s synthetic_demo -g TP53,KRAS --chart heatmap --palette wong": "--palette does not apply to a heatmap, which is always blue below 1 and red above",
		"study compare -s synthetic_demo -g TP53":                                           "--target names what is compared",
		"study compare -s synthetic_demo --target TP53":                                     "--gene is missing, or --by",
		"study compare -s synthetic_demo -g TP53 --by SEX --target TP53":                    "--gene cannot be used with --by",
		"study compare -s synthetic_demo --by STAGE -t mutations --genes all":               "--genes all compares two groups; STAGE makes 4",
		"study compare -s synthetic_demo -g TP53 -t methylation --target X":                 `--type: "methylation" is not one of expression, mutations, clinical`,
		"study compare -s synthetic_demo -g TP53 -t clinical --target STAGE --chart box":    "STAGE has categories",
		"study filter -s synthetic_demo --expression-above TP53":                            `--expression-above: "TP53" is not GENE:THRESHOLD`,
		"study query -s ../../etc -g TP53":                                                  `"../../etc" is not the id of a study`,
		"study query -s synthetic_demo -g TP53,KRAS --chart bar":                            "a chart shows one gene",
		"study query -s synthetic_demo -g NOPE -t expression":                               "gene NOPE has no row",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code == 0 || !strings.Contains(text, want) || strings.Contains(text, app.Env.StudyDir) {
				t.Errorf("%s: exit %d: %s, want %s", line, code, text, want)
			}
		})
	}
}

// A terminal chart has the width of the terminal unless --cols is given.
func TestDrawingsFitTheTerminal(t *testing.T) {
	app := commandtest.Study(t)
	for line, most := range map[string]int{"": 40, " --cols 60": 60} {
		out := clitest.Run(t, app, command.Person, "study survival -s synthetic_demo -g TP53 --chart survival --terminal"+line)
		var b bytes.Buffer
		if err := result.Render(&b, &b, out, result.Format{Terminal: true, Width: 40}); err != nil || out.Failure != nil {
			t.Fatal(err, out.Failure)
		}
		_, drawing, _ := strings.Cut(b.String(), "Survival probability")
		drawing, _, _ = strings.Cut(drawing, "Time (months)")
		widest := 0
		for l := range strings.Lines(drawing) {
			widest = max(widest, utf8.RuneCountInString(strings.TrimRight(l, "\n")))
		}
		if widest > most || widest < most-4 {
			t.Errorf("%q: %d columns, not %d:\n%s", line, widest, most, drawing)
		}
	}
}

// The help lists --log only if a chart can have a logarithmic axis. The error for a wrong --genes
// says what it takes.
func TestWhatIsOfferedCanBeHad(t *testing.T) {
	app := commandtest.Study(t)
	for name, has := range map[string]bool{"survival": false, "query": false, "co-occurrence": false, "compare": true} {
		if text, _ := clitest.Ask(t, app, command.Person, "study "+name+" --help"); strings.Contains(text, "`--log` |") != has {
			t.Errorf("study %s: %s", name, text)
		}
	}
	if text, code := clitest.Ask(t, app, command.Person, "study compare -s synthetic_demo -g TP53 --genes TP53,KRAS"); code != 2 || !strings.Contains(text, `--genes: "TP53,KRAS" is not all, its only value`) {
		t.Errorf("exit %d: %s", code, text)
	}
}
