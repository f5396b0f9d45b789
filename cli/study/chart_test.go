package study_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/mcpshell"
)

// drawn is the picture of a charted call: its description, and its texts in order, each on a
// line.
func drawn(t *testing.T, app *command.App, line string) (describe, texts string) {
	t.Helper()
	reply := cli.Parser(app)(clitest.Words(t, line)).Run(t.Context(), false)
	if reply.IsError || len(reply.Images) != 1 {
		t.Fatalf("%s: %d images, %s", line, len(reply.Images), reply.Text)
	}
	var picture struct {
		Desc  string   `xml:"desc"`
		Texts []string `xml:"text"`
	}
	if err := xml.Unmarshal(reply.Images[0].Data, &picture); err != nil {
		t.Fatal(err)
	}
	return picture.Desc, "\n" + strings.Join(picture.Texts, "\n") + "\n"
}

// Each chart has the statistics of its answer, in the picture and its description.
func TestChartsHaveTheirStatistics(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]struct{ has, hasNot string }{
		"survival -g TP53 --chart survival":                              {"; TP53-mutant HR 2.94 (1.83 to 4.72), p 8.62e-06", "not estimable"},
		"survival -g TP53 --adjust AGE,STAGE --chart survival":           {"TP53-mutant HR 2.87 (1.72 to 4.78), p && HR adjusted for AGE, STAGE", ""},
		"survival -g TP53 --strata SEX --chart survival":                 {", 1 df, stratified by SEX)", ""},
		"survival --by STAGE --chart survival":                           {"I (n=37, 15 events, median 61.6 months; HR 1, reference)\n && ; HR 3.43 (1.83 to 6.44), p 1.24e-04)", "STAGE HR"},
		"survival -g TP53 --adjust AGE,STAGE --chart forest":             {"\n120 && 52 vs 68 && 40 vs 28 && 120 patients with 68 events. && adjusted for AGE, STAGE: likelihood ratio p", "log-rank"},
		"survival -g TP53 --chart forest":                                {"log-rank p && 60 vs 78 && \nEvents", "likelihood"},
		"survival -g TP53 --chart bar":                                   {"\n71.7 %\n && TP53-mutant (43 of 60) && Event rate (%) && (Wilson)", "0.7"},
		"compare -g TP53 -t mutations --target KRAS --chart bar":         {"Mutation rate (%) && (Wilson) && Fisher p", "\n0.2"},
		"compare -g TP53 -t mutations --target KRAS --chart stacked-bar": {"Samples (%) && Fisher p && \n100\n", ""},
		"compare -g TP53 -t clinical --target STAGE --chart bar":         {"Fisher p && Patients", "Number of"},
		"compare -g TP53 --target EGFR --chart scatter":                  {"Pearson r 0.144 (-0.052 to 0.331), p 0.150; Spearman rho 0.168, p 0.094; n=101", "Mann-Whitney"},
		"co-occurrence -g TP53,KRAS --chart bar":                         {"TP53 / KRAS contingency && TP53 only && Neither && \n47\n && \n71\n", "Gene pair"},
		"co-occurrence -g TP53,KRAS,EGFR --chart bar":                    {"Gene pair && TP53 + EGFR", "Neither"},
		"co-occurrence -g TP53,KRAS,EGFR --chart heatmap":                {"Odds ratio", "q < 0.05"},
	} {
		t.Run(line, func(t *testing.T) {
			_, texts := drawn(t, app, "study "+strings.Replace(line, " ", " -s synthetic_demo ", 1))
			joined := texts + strings.ReplaceAll(texts, "\n", " ") // long lines are wrapped
			for part := range strings.SplitSeq(want.has, " && ") {
				if !strings.Contains(joined, part) {
					t.Errorf("no %q in %s", part, texts)
				}
			}
			if want.hasNot != "" && strings.Contains(texts, want.hasNot) {
				t.Errorf("%q in %s", want.hasNot, texts)
			}
		})
	}
}

// The cells of the heatmap are the odds ratios of the answer, with an asterisk where q is
// under 0.05, and nothing on the diagonal.
func TestHeatmapIsOfOddsRatios(t *testing.T) {
	app := commandtest.Study(t)
	line := "study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR,PIK3CA"
	text, _ := clitest.Ask(t, app, command.Agent, line+" --json")
	var got struct {
		Pairs []struct {
			A    string  `json:"gene_a"`
			B    string  `json:"gene_b"`
			Odds float64 `json:"odds_ratio"`
			Q    float64
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Pairs) != 6 {
		t.Fatal(err, text)
	}
	describe, _ := drawn(t, app, line+" --chart heatmap")
	for _, p := range got.Pairs {
		cell := fmt.Sprintf("%s and %s: %.2f", p.A, p.B, p.Odds)
		if p.Q < .05 {
			cell += "*"
		}
		if !strings.Contains(describe, cell+";") {
			t.Errorf("no %q in %s", cell, describe)
		}
	}
	if strings.Contains(describe, "TP53 and TP53") {
		t.Error(describe)
	}
}

// A position of a lollipop is called by a change only where it has no other, so that no
// change has another count than in the table.
func TestLollipopCountsPositions(t *testing.T) {
	app := commandtest.Study(t)
	line := "study query -s synthetic_demo -g TP53"
	text, _ := clitest.Ask(t, app, command.Agent, line+" --json")
	var got struct {
		Result struct {
			Changes   [][2]any `json:"top_protein_changes"`
			Positions []struct {
				Count  int
				Change *string
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Result.Positions) == 0 {
		t.Fatal(err, text)
	}
	counts := map[string]int{}
	for _, c := range got.Result.Changes {
		counts[c[0].(string)] = int(c[1].(float64))
	}
	several := 0
	for _, p := range got.Result.Positions {
		if p.Change == nil {
			several++
		} else if counts[*p.Change] != p.Count {
			t.Errorf("%s: %d at its position, %d in all", *p.Change, p.Count, counts[*p.Change])
		}
	}
	if describe, _ := drawn(t, app, line+" --chart lollipop"); several == 0 || !strings.Contains(describe, "position 407: 3") || strings.Contains(describe, "L407fs") {
		t.Errorf("%d positions with several changes: %s", several, describe)
	}
}

// The volcano draws the measure of the table, and its axis names it: the shift of KRAS is 1.139,
// which is not the difference of its medians, 0.853 and -0.226.
func TestVolcanoDrawsTheMeasureOfTheTable(t *testing.T) {
	app := commandtest.Study(t)
	for kind, want := range map[string]struct{ column, row, describes, axis string }{
		"expression": {"| Shift (Hodges-Lehmann, 95 % CI) |", "| KRAS | median 0.853 of 49 | median -0.226 of 55 | 1.139 (0.735 to 1.546) |",
			" The effect is the Shift (Hodges-Lehmann, z-score). KRAS: effect 1.139, q 3.296e-05.", "\nShift (Hodges-Lehmann, z-score)\n"},
		"mutations": {"| Odds Ratio (95 % CI) |", "| MYC | 1 of 22 | 0 of 28 | ∞ (0.033 to ∞) |", " The effect is the Odds ratio.", "\nOdds ratio\n"},
	} {
		t.Run(kind, func(t *testing.T) {
			line := "study compare -s synthetic_demo -g TP53 --genes all -t " + kind
			if text, _ := clitest.Ask(t, app, command.Agent, line); !strings.Contains(text, want.column) || !strings.Contains(text, want.row) {
				t.Error(text)
			}
			if describe, texts := drawn(t, app, line+" --chart volcano"); !strings.Contains(describe, want.describes) || !strings.Contains(texts, want.axis) {
				t.Error(describe, texts)
			}
		})
	}
}

// The correlation of a scatter is in every form of the answer; without the chart there is
// none.
func TestScatterCorrelation(t *testing.T) {
	app := commandtest.Study(t)
	line := "study compare -s synthetic_demo -g TP53 --target EGFR"
	for more, want := range map[string]string{" --chart scatter --json": `"correlation":{"n":101,"r":0.14`, " --json": `"correlation":null`, " --chart scatter": "with a value of both genes: Pearson r 0.144"} {
		if text, _ := clitest.Ask(t, app, command.Agent, line+more); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", more, want, text)
		}
	}
}

// The picture of mutations counts them, and the samples that have them of those profiled.
func TestChartOfMutationsHasItsDenominator(t *testing.T) {
	for _, kind := range []string{"bar", "pie", "lollipop", "waterfall"} {
		_, texts := drawn(t, commandtest.Study(t), "study query -s synthetic_demo -g TP53 --chart "+kind)
		if !strings.Contains(strings.ReplaceAll(texts, "\n", " "), " 90 mutations in 65 of 154 samples (case list synthetic_demo_sequenced and gene panel matrix) ") {
			t.Errorf("%s: %s", kind, texts)
		}
	}
}

// Mutations that a lollipop chart has no place for are counted below it.
func TestMutationsWithoutAPosition(t *testing.T) {
	app := commandtest.Study(t)
	handmade(t, app.Env.StudyDir, "nowhere", times(6, func(int) string { return "1:DECEASED" }), "0", nil)
	handmade(t, app.Env.StudyDir, "nowhere2", times(6, func(int) string { return "1:DECEASED" }), "0 1", nil)
	for id, want := range map[string]string{"nowhere": "\n1 mutation has no protein position and is not drawn.\n", "nowhere2": "\n2 mutations have no protein position and are not drawn.\n"} {
		if _, texts := drawn(t, app, "study query -g TP53 --chart lollipop -s "+id); !strings.Contains(texts, want) {
			t.Errorf("%s: %s", id, texts)
		}
	}
}

// A time to an event or to the last follow-up is no number that groups differ in: the answer
// says what is.
func TestComparedTimesOfFollowUp(t *testing.T) {
	app := commandtest.Study(t)
	for target, want := range map[string]bool{"OS_MONTHS": true, "pfs_months": true, "AGE": false, "OS_STATUS": false} {
		text, code := clitest.Ask(t, app, command.Agent, "study compare -s synthetic_demo -g TP53 -t clinical --target "+target)
		if note := strings.ToUpper(target) + " is the time to an event or to the last follow-up: this comparison ignores who had the event; study survival does not"; code != 0 || strings.Contains(text, note) != want {
			t.Errorf("%s: exit %d, %s", target, code, text)
		}
	}
}

// Rates are per cent with one decimal in every table, and say which interval they have.
func TestRatesArePerCent(t *testing.T) {
	app := commandtest.Study(t)
	fraction := regexp.MustCompile(`\| [01]\.\d{6} \|`)
	for line, want := range map[string]string{
		"survival -s synthetic_demo -g TP53":                           "| TP53-mutant | 60 | 43 | 17 | 71.7 % |",
		"query -s synthetic_demo -g TP53":                              "| Frequency | 42.2 % |\n| 95 % interval (Wilson) | 34.7 % to 50.1 % |",
		"query -s synthetic_demo -g TP53,KRAS":                         "Frequency (95 % CI, Wilson)",
		"co-occurrence -s synthetic_demo -g TP53,KRAS":                 "| 0.413 | 1.51 (0.66 to 3.42) | 0.336 | 0.336 | 0.432 (143) | none shown |",
		"top-mutated -s synthetic_demo":                                "Mutation Rate (95 % CI, Wilson) |",
		"compare -s synthetic_demo -g TP53 -t mutations --target KRAS": "Mutation Rate (95 % CI, Wilson) |",
		"query -s synthetic_demo -g ALK -t sv":                         " % (",
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study "+line)
			if !strings.Contains(text, want) || fraction.MatchString(text) {
				t.Errorf("no %q, or a fraction, in\n%s", want, text)
			}
		})
	}
}

// --log is for values on an axis that has no negative ones, which the refusal says, as soon
// as it can be known.
func TestLogarithmicAxis(t *testing.T) {
	app := commandtest.Study(t)
	_, texts := drawn(t, app, "study compare -s synthetic_demo --by SEX -t clinical --target AGE --chart violin")
	if !strings.Contains(texts, "\n40\n") && !strings.Contains(texts, "\n50\n") || strings.Contains(texts, "\n-") {
		t.Error(texts)
	}
	if _, texts := drawn(t, app, "study compare -s synthetic_demo --by SEX -t clinical --target OS_MONTHS --chart violin --log"); !strings.Contains(texts, "\n0.1\n1\n10\n100\n") {
		t.Error(texts)
	}
	for line, want := range map[string]string{
		"compare -s synthetic_demo -g TP53 --target EGFR --chart box --log": "--log: a logarithmic axis has no negative values, and the least is -2.3",
		"query -s nowhere -g TP53 --chart pie --log":                        "--log: pie has no logarithmic axis; it is for ",
		"query -s synthetic_demo -g TP53 --log":                             "--log requires --chart",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Agent, "study "+line); code != 2 || !strings.Contains(text, want) {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}

// First words: a gene where an attribute is asked for is understood; what a study has not is
// answered with what it has, and a line that runs.
func TestFirstWordsOfStudies(t *testing.T) {
	app := commandtest.Study(t)
	const attributes = "; available: AGE, SEX, STAGE, OS_STATUS, OS_MONTHS, PFS_STATUS, PFS_MONTHS, CANCER_TYPE, SAMPLE_TYPE"
	for line, want := range map[string]struct{ says, try string }{
		"survival -s synthetic_demo --by TP53":                         {"TP53 is a gene, not a clinical attribute: --by TP53 is read as --gene TP53", ""},
		"survival -s synthetic_demo --by tp53 --chart survival":        {"TP53-mutant", ""},
		"survival -s synthetic_demo -g TP53 --by GENE":                 {"# Study Survival: TP53", ""},
		"compare -s synthetic_demo --by TP53 -t clinical --target AGE": {"Stratify gene: TP53", ""},
		"survival -s synthetic_demo --by GENE":                         {"--gene is missing, or --by with a clinical attribute; the gene mutated most often is TP53", "study survival --study synthetic_demo --gene TP53"},
		"survival synthetic --by TP53":                                 {"(understood as: biomcp study survival --by TP53 --study synthetic)", "study survival --by TP53 --study synthetic_demo"},
		"survival synthetic_demo --by TP53":                            {"understood as: biomcp study survival --by TP53 --study synthetic_demo", ""},
		"summary Synthetic_Demo":                                       {"understood as: biomcp study summary --study Synthetic_Demo", ""},
		"top-mutated synthetic_demo -l 3":                              {"understood as: biomcp study top-mutated -l 3 --study synthetic_demo", ""},
		"survival -s synthetic --by TP53":                              {`no local study "synthetic"; did you mean synthetic_demo?`, "study survival --by TP53 --study synthetic_demo"},
		"survival -s synthetic_demo --by STAGES":                       {`no clinical attribute "STAGES"` + attributes, "study survival --study synthetic_demo --by STAGE"},
		"survival -s synthetic_demo --by NOPE":                         {`no clinical attribute "NOPE"` + attributes, "study summary --study synthetic_demo"},
		"survival -s synthetic_demo -g TP53 --by TP52":                 {attributes, "study summary --study synthetic_demo"},
		"survival -s synthetic_demo -g TP53 --adjust AGE,STAGES":       {attributes, "study survival --study synthetic_demo --gene TP53 --adjust AGE,STAGE"},
		"survival -s synthetic_demo -g TP53 --strata NOPE":             {attributes, "study summary --study synthetic_demo"},
		"survival -s synthetic_demo -g TP53 -e dfs":                    {`no survival endpoint "dfs"; available: os, pfs`, "study survival --study synthetic_demo --gene TP53 --endpoint os"},
		"compare -s synthetic_demo --by NOPE -t clinical --target AGE": {attributes, "study summary --study synthetic_demo"},
		"compare -s synthetic_demo --by SEX -t clinical --target AGES": {attributes, "study compare --study synthetic_demo --by SEX --type clinical --target AGE"},
		"survival -s nope,nada -g TP53":                                {`--study takes one study; no local study "nope", "nada"; available: synthetic_demo`, "study list"},
		"survival -s nope,synthetic_demo -g TP53":                      {`--study takes one study; no local study "nope"`, "study survival --gene TP53 --study synthetic_demo"},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "study "+line)
			if (code == 0) != (want.try == "") || !strings.Contains(text, want.says) || want.try != "" && !strings.HasSuffix(text, "try:   biomcp "+want.try+"\n") {
				t.Fatalf("exit %d, want %q and %q: %s", code, want.says, want.try, text)
			}
			for range 2 { // a line leads to the answer, at most by another one
				_, next, _ := strings.Cut(text, "try:   biomcp ")
				if code == 0 {
					return
				}
				text, code = clitest.Ask(t, app, command.Agent, strings.TrimSpace(next))
			}
			if code != 0 {
				t.Errorf("after two lines: %s", text)
			}
		})
	}
}

// A file given to --chart is meant for --output.
func TestAFileAsKindOfChart(t *testing.T) {
	app := commandtest.Study(t)
	text, code := clitest.Ask(t, app, command.Person, "study survival -s synthetic_demo -g TP53 --chart KM.png")
	if code != 2 || !strings.HasSuffix(text, "\ntry:   biomcp study survival --study synthetic_demo --gene TP53 --chart survival --output KM.png\n") {
		t.Errorf("exit %d: %s", code, text)
	}
	app.Env.StudyDir = t.TempDir()
	if text, _ := clitest.Ask(t, app, command.Person, "study list"); !strings.Contains(text, "biomcp study download --list") {
		t.Errorf("without studies nothing leads to one: %s", text)
	}
}

// An agent gets the picture that the variable, or above it the flag, names; PNG is 1,200
// pixels wide and under 150 kB, with the same chart as SVG.
func TestChartFormatOfAnAgent(t *testing.T) {
	app := commandtest.Study(t)
	pictureOf := func(t *testing.T, line string) mcpshell.Image {
		reply := cli.Parser(app)(clitest.Words(t, line)).Run(t.Context(), false)
		if reply.IsError || len(reply.Images) != 1 {
			t.Fatalf("%s: %s", line, reply.Text)
		}
		return reply.Images[0]
	}
	for _, c := range charted {
		kind := strings.Fields(c.kinds)[0]
		t.Run(c.line, func(t *testing.T) {
			line := c.line + " --chart " + kind
			for _, more := range []string{"", " --width 480"} {
				image := pictureOf(t, line+more+" --chart-format png")
				config, err := png.DecodeConfig(bytes.NewReader(image.Data))
				if err != nil || image.MIME != "image/png" || config.Width != 1200 || len(image.Data) >= 150_000 {
					t.Errorf("%s%s: %s, %d wide, %d bytes, %v", line, more, image.MIME, config.Width, len(image.Data), err)
				}
				if svg := pictureOf(t, line+more); !bytes.Equal(svg.Data, image.SVG) || svg.SVG != nil || image.Alt != svg.Alt {
					t.Errorf("%s%s: another SVG", line, more)
				}
			}
		})
	}
	line := "study query -s synthetic_demo -g TP53 --chart pie"
	app.Env.ChartImages = "png"
	if image := pictureOf(t, line); image.MIME != "image/png" {
		t.Error(image.MIME)
	}
	if image := pictureOf(t, line+" --chart-format svg"); image.MIME != "image/svg+xml" || image.SVG != nil {
		t.Error(image.MIME)
	}
	for line, want := range map[string]string{
		line + " --chart-format gif":                               "gif",
		line + " --chart-format png -o chart.svg":                  "--output chart.svg does not match PNG",
		"study query -s synthetic_demo -g TP53 --chart-format png": "--chart-format requires --chart",
	} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, %s", line, code, text)
		}
	}
}

// A file that is no picture is refused with a line that writes it, or the picture; none of
// these lines is refused itself.
func TestOutputOfATable(t *testing.T) {
	t.Chdir(t.TempDir())
	app := commandtest.Study(t)
	const query = "study query --study synthetic_demo --gene TP53"
	for line, want := range map[string]struct{ says, try string }{
		"query -s synthetic_demo -g TP53 -o x.csv":                             {"--output writes a chart, .svg or .png; --rows writes a row for each sample or patient to x.csv, and --json has the table of the answer", query + " --rows x.csv"},
		"query -s synthetic_demo -g TP53 -o x.TSV --title hi --width 300":      {"to x.TSV, and --json has the table of the answer", query + " --rows x.TSV"},
		"query -s synthetic_demo -g TP53 -o x.csv --rows y.xlsx":               {"to x.csv, and --json has the table of the answer", query + " --rows y.xlsx"},
		"query -s synthetic_demo -g TP53 -o x.csv --chart bar --title hi":      {"to x.csv, and --json has the table of the answer", query + " --chart bar --title hi --rows x.csv"},
		"query -s synthetic_demo -g ALK -t sv -o x.csv":                        {"to x.csv, and --json has the table of the answer", "study query --study synthetic_demo --gene ALK --type sv --rows x.csv"},
		"query -s synthetic_demo -g TP53,KRAS -o x.csv":                        {"to x.csv, and --json has the table of the answer", query + ",KRAS --rows x.csv"},
		"query -s synthetic_demo -g TP53,KRAS -o x.svg":                        {"study query of several genes has no charts", query + ",KRAS"},
		"query -s synthetic_demo -g TP53,KRAS --chart bar -o x.svg":            {"a chart shows one gene", "study query --study synthetic_demo --chart bar --output x.svg --gene TP53"},
		"query -s synthetic_demo -g TP53 -o fig/x.v2.jpg":                      {`"fig/x.v2.jpg" does not end in .svg or .png`, query + " --chart bar --output fig/x.v2.svg"},
		"survival -s synthetic_demo -g TP53 -o km":                             {`"km" does not end in .svg or .png`, "study survival --study synthetic_demo --gene TP53 --chart survival --output km.svg"},
		"co-occurrence -s synthetic_demo -g TP53,KRAS --chart heatmap -o x.md": {`"x.md" does not end in .svg or .png`, "study co-occurrence --study synthetic_demo --genes TP53,KRAS --chart heatmap --output x.svg"},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, "study "+line)
			if code != 2 || !strings.Contains(text, want.says) || !strings.HasSuffix(text, "try:   biomcp "+want.try+"\n") {
				t.Fatalf("exit %d: %s", code, text)
			}
			if err := os.MkdirAll("fig", 0o755); err != nil {
				t.Fatal(err)
			}
			if text, code := clitest.Ask(t, app, command.Person, want.try); code != 0 {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}

// A flag that would do nothing is refused, with the line that does without it.
func TestFlagsThatDoNothingAreRefused(t *testing.T) {
	app := commandtest.Study(t)
	const volcano = "study compare --study synthetic_demo --gene TP53 --genes all --type mutations"
	for line, want := range map[string]struct{ says, try string }{
		"query -s synthetic_demo -g ALK -t sv -o x.svg --title hi --terminal":      {"study query --type sv has no charts", "study query --study synthetic_demo --gene ALK --type sv"},
		"query -s synthetic_demo -g ALK -t sv --rows 20":                           {"has no charts", "study query --study synthetic_demo --gene ALK --type sv"},
		"query -s synthetic_demo -g TP53 --chart pie --terminal -o x.svg":          {"--terminal cannot be used with --output", "study query --study synthetic_demo --gene TP53 --chart pie --output x.svg"},
		"query -s synthetic_demo -g TP53 -t cna --include-silent":                  {"--include-silent requires --type mutations", "study query --study synthetic_demo --gene TP53 --type cna"},
		"filter -s synthetic_demo --amplified EGFR --include-silent":               {"--include-silent requires --mutated", "study filter --study synthetic_demo --amplified=EGFR"},
		"survival -s synthetic_demo --by STAGE --include-silent":                   {"--include-silent requires --by mutation", "study survival --study synthetic_demo --by STAGE"},
		"compare -s synthetic_demo --by STAGE --target EGFR --include-silent":      {"--include-silent requires --gene or --type mutations", "study compare --study synthetic_demo --by STAGE --target EGFR"},
		"compare -s synthetic_demo -g TP53 --target EGFR --limit 5":                {"--limit requires --genes all", "study compare --study synthetic_demo --gene TP53 --target EGFR"},
		"compare -s synthetic_demo -g TP53 --target EGFR --offset 5":               {"--offset requires --genes all", "study compare --study synthetic_demo --gene TP53 --target EGFR"},
		"compare -s synthetic_demo -g TP53 --target EGFR --genes all -t mutations": {"--target cannot be used with --genes all", volcano},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, "study "+line)
			if code != 2 || !strings.Contains(text, want.says) || !strings.HasSuffix(text, "try:   biomcp "+want.try+"\n") {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}

// What a file cannot say is an error or a notice, never as though the study had none of it.
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
	if text, code := clitest.Ask(t, app, command.Person, "study filter -s synthetic_demo --cancer-type Lung"); code == 0 || !strings.Contains(text, "CANCER_TYPE") || !strings.Contains(text, "twice") {
		t.Errorf("exit %d: %s", code, text)
	}
	spoil("data_gene_panel_matrix.txt", "SAMPLE_ID", "SAMPLE")
	if text, code := clitest.Ask(t, app, command.Person, "study summary -s synthetic_demo"); code != 0 || !strings.Contains(text, "data_mutations.txt: the profiled samples are unknown: ") {
		t.Errorf("exit %d: %s", code, text)
	}
	spoil("data_clinical_sample.txt", "\nSAMPLE_ID", "\nSAMPLE")
	if text, code := clitest.Ask(t, app, command.Person, "study list"); code != 0 || !strings.Contains(text, "synthetic_demo: the samples cannot be read: ") {
		t.Errorf("exit %d: %s", code, text)
	}
}
