package study_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/mcpshell"
)

// drawn returns the picture of a line with a chart: its description, and its texts in order,
// one per line.
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

// Each chart shows the statistics of its answer, in the picture and in its description.
func TestChartsHaveTheirStatistics(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]struct{ has, hasNot string }{
		"survival -g TP53 --chart survival": {
			"; TP53-mutant HR 2.94 (1.83 to 4.72), p 8.62e-06", "not estimable",
		},
		"survival -g TP53 --adjust AGE,STAGE --chart survival": {
			"TP53-mutant HR 2.87 (1.72 to 4.78), p && HR adjusted for Age, Stage", "STAGE",
		},
		"survival -g TP53 --strata SEX --chart survival": {", 1 df, stratified by Sex)", ""},
		"survival --by STAGE --chart survival": {
			"I (n=37, 15 events, median 61.6 months; HR 1, reference)\n && ; HR 3.43 (1.83 to 6.44), p 1.24e-04)",
			"STAGE HR",
		},
		"survival -g TP53 --adjust AGE,STAGE --chart forest": {
			"\n120 && 52 vs 68 && 40 vs 28 && 120 patients with 68 events. && adjusted for Age, Stage: " +
				"likelihood ratio p",
			"log-rank",
		},
		"survival -g TP53 --chart forest": {
			"log-rank p && 60 vs 78 && \nEvents", "likelihood",
		},
		"survival -g TP53 --chart bar": {
			"Survival at 60 months (%) && TP53-mutant (n=60, && at risk) && Lines are 95 % confidence intervals",
			"Event rate",
		},
		"survival -g TP53 --chart bar --months 12": {"TP53: Survival at 12 months && Survival at 12 months (%)", "60 months"},
		"compare -g TP53 -t mutations --target KRAS --chart bar": {
			"Mutation rate (%) && (Wilson) && Fisher p", "\n0.2",
		},
		"compare -g TP53 -t mutations --target KRAS --chart stacked-bar": {"Samples (%) && Fisher p && \n100\n", ""},
		"compare -g TP53 -t clinical --target STAGE --chart bar":         {"Fisher p && Patients", "Number of"},
		"compare -g TP53 --target EGFR --chart scatter": {
			"Pearson r 0.144 (-0.053 to 0.330), p 0.150; Spearman rho 0.167, p 0.095; n=101", "Mann-Whitney",
		},
		"co-occurrence -g TP53,KRAS --chart bar": {
			"TP53 / KRAS contingency && both expected in 15.2, odds ratio 1.51 (0.66 to 3.42), Fisher p 0.336 && TP53 only && Neither && \n47\n && \n71\n", "Gene pair",
		},
		"co-occurrence -g TP53,KRAS,EGFR --chart bar": {
			"Gene pair && TP53 + EGFR && 13 (expected 9.3) && Expected if independent", "Neither",
		},
		"co-occurrence -g TP53,KRAS,EGFR --chart heatmap": {"Odds ratio", "q < 0.05"},
	} {
		t.Run(line, func(t *testing.T) {
			_, texts := drawn(t, app, "study "+strings.Replace(line, " ", " -s synthetic_demo ", 1))
			joined := texts + strings.ReplaceAll(texts, "\n", " ") // long lines are wrapped
			for part := range strings.SplitSeq(want.has, " && ") {
				contains(t, joined, part)
			}
			if want.hasNot != "" {
				lacks(t, texts, want.hasNot)
			}
		})
	}
}

// The cells of the heatmap show the odds ratios of the answer, with an asterisk if q is below
// 0.05. The diagonal is empty.
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
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	equal(t, "number of pairs", len(got.Pairs), 6)
	describe, _ := drawn(t, app, line+" --chart heatmap")
	for _, p := range got.Pairs {
		cell := fmt.Sprintf("%s and %s: %.2f", p.A, p.B, p.Odds)
		if p.Q < .05 {
			cell += "*"
		}
		contains(t, describe, cell+";")
	}
	lacks(t, describe, "TP53 and TP53")
}

// A lollipop labels a position with a change only if it has no other change there, so the count
// of a change is the same as in the table.
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
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	if len(got.Result.Positions) == 0 {
		t.Fatalf("no positions in %s", text)
	}
	counts := map[string]int{}
	for _, c := range got.Result.Changes {
		counts[c[0].(string)] = int(c[1].(float64))
	}
	several := 0
	for _, p := range got.Result.Positions {
		if p.Change == nil {
			several++
		} else {
			equal(t, "mutations at the position of "+*p.Change, p.Count, counts[*p.Change])
		}
	}
	if several == 0 {
		t.Error("no position has several changes, want at least one")
	}
	describe, _ := drawn(t, app, line+" --chart lollipop")
	contains(t, describe, "R273C/H/splice: 11")
	lacks(t, describe, "L407fs")
}

// The volcano shows the measure of the table and names it on the axis: the shift of KRAS is
// 0.952, not the difference of its medians, 0.566 and -0.339.
func TestVolcanoDrawsTheMeasureOfTheTable(t *testing.T) {
	app := commandtest.Study(t)
	for kind, want := range map[string]struct{ column, row, describes, axis string }{
		"expression": {"| Shift (Hodges-Lehmann, 95 % CI) |", "| KRAS | median 0.566 of 49 | median " +
			"-0.339 of 55 | 0.952 (0.615 to 1.288) |",
			" The effect is the Shift (Hodges-Lehmann, z-score). KRAS: effect 0.952",
			"\nShift (Hodges-Lehmann, z-score)\n"},
		"mutations": {
			"| Odds Ratio (95 % CI) |", "| MYC | 1 of 22 | 0 of 28 | ∞ (0.033 to ∞) |",
			" The effect is the Odds ratio.", "\nOdds ratio\n",
		},
	} {
		t.Run(kind, func(t *testing.T) {
			line := "study compare -s synthetic_demo -g TP53 --genes all -t " + kind
			text, _ := clitest.Ask(t, app, command.Agent, line)
			contains(t, text, want.column)
			contains(t, text, want.row)
			describe, texts := drawn(t, app, line+" --chart volcano")
			contains(t, describe, want.describes)
			contains(t, texts, want.axis)
		})
	}
}

// The correlation of a scatter chart is in every form of the answer, and absent without the
// chart.
func TestScatterCorrelation(t *testing.T) {
	app := commandtest.Study(t)
	line := "study compare -s synthetic_demo -g TP53 --target EGFR"
	for more, want := range map[string]string{
		" --chart scatter --json": `"correlation":{"n":101,"r":0.14`, " --json": `"correlation":null`,
		" --chart scatter": "with a value of both genes: Pearson r 0.144",
	} {
		text, _ := clitest.Ask(t, app, command.Agent, line+more)
		contains(t, text, want)
	}
}

// A chart of mutations shows their number, the number of mutated samples and the number of
// profiled samples.
func TestChartOfMutationsHasItsDenominator(t *testing.T) {
	for _, kind := range []string{"bar", "pie", "lollipop", "waterfall"} {
		_, texts := drawn(t, commandtest.Study(t), "study query -s synthetic_demo -g TP53 --chart "+kind)
		contains(t, strings.ReplaceAll(texts, "\n", " "), " 90 mutations in 65 of 154 samples ")
		lacks(t, texts, "case list")
	}
}

// A note below a lollipop chart counts the mutations without a position.
func TestMutationsWithoutAPosition(t *testing.T) {
	app := commandtest.Study(t)
	handmade(t, app.Env.StudyDir, "nowhere", times(6, func(int) string { return "1:DECEASED" }), "0", nil)
	handmade(t, app.Env.StudyDir, "nowhere2", times(6, func(int) string { return "1:DECEASED" }), "0 1", nil)
	for id, want := range map[string]string{
		"nowhere":  "\n1 mutation has no protein position and is not drawn.\n",
		"nowhere2": "\n2 mutations have no protein position and are not drawn.\n",
	} {
		_, texts := drawn(t, app, "study query -g TP53 --chart lollipop -s "+id)
		contains(t, texts, want)
	}
}

// For a time to an event or to the last follow-up, the answer warns that the comparison ignores
// events and names the right command.
func TestComparedTimesOfFollowUp(t *testing.T) {
	app := commandtest.Study(t)
	for target, want := range map[string]bool{"OS_MONTHS": true, "pfs_months": true, "AGE": false, "OS_STATUS": false} {
		line := "study compare -s synthetic_demo -g TP53 -t clinical --target " + target
		text := askFor(t, app, command.Agent, line, 0)
		note := strings.ToUpper(target) + " is the time to an event or to the last follow-up: " +
			"this comparison ignores who had the event; study survival does not"
		equal(t, target+" has the warning", strings.Contains(text, note), want)
	}
}

// Rates are percentages with one decimal in every table, whose headings name the kind of
// interval.
func TestRatesArePerCent(t *testing.T) {
	app := commandtest.Study(t)
	fraction := regexp.MustCompile(`\| [01]\.\d{6} \|`)
	for line, want := range map[string]string{
		"survival -s synthetic_demo -g TP53": "| TP53-mutant | 60 | 43 | 17 | 71.7 % |",
		"query -s synthetic_demo -g TP53": "| Frequency | 42.2 % |\n| 95 " +
			"% interval (Wilson) | 34.7 % to 50.1 % |",
		"query -s synthetic_demo -g TP53,KRAS": "Frequency (95 % CI, Wilson)",
		"co-occurrence -s synthetic_demo -g TP53,KRAS": "| 0.413 | 1.51 (0.66 to 3.42) " +
			"| 0.336 | 0.336 | 0.432 (143) | none shown |",
		"top-mutated -s synthetic_demo":                                "Mutation Rate (95 % CI, Wilson) |",
		"compare -s synthetic_demo -g TP53 -t mutations --target KRAS": "Mutation Rate (95 % CI, Wilson) |",
		"query -s synthetic_demo -g ALK -t sv":                         " % (",
	} {
		t.Run(line, func(t *testing.T) {
			text, _ := clitest.Ask(t, app, command.Agent, "study "+line)
			contains(t, text, want)
			if fraction.MatchString(text) {
				t.Errorf("rate as a fraction in\n%s", text)
			}
		})
	}
}

// --log requires positive values. The error says so as early as possible.
func TestLogarithmicAxis(t *testing.T) {
	app := commandtest.Study(t)
	_, texts := drawn(t, app, "study compare -s synthetic_demo --by SEX -t clinical --target AGE --chart violin")
	if !strings.Contains(texts, "\n40\n") && !strings.Contains(texts, "\n50\n") {
		t.Errorf("neither 40 nor 50 on the axis: %s", texts)
	}
	lacks(t, texts, "\n-")
	_, texts = drawn(t, app, "study compare -s synthetic_demo --by SEX -t clinical --target OS_MONTHS --chart violin --log")
	contains(t, texts, "\n0.1\n1\n10\n100\n")
	for line, want := range map[string]string{
		"compare -s synthetic_demo -g TP53 --target EGFR --chart box --log": "--log: a logarithmic " +
			"axis cannot show negative values; the smallest is -2.5",
		"query -s nowhere -g TP53 --chart pie --log": "--log: pie has no " +
			"logarithmic axis; available for: ",
		"query -s synthetic_demo -g TP53 --log": "--log requires --chart",
	} {
		t.Run(line, func(t *testing.T) {
			contains(t, askFor(t, app, command.Agent, "study "+line, 2), want)
		})
	}
}

// An agent gets the picture format that --chart-format names, or else the environment variable.
// A PNG is 1,200 pixels wide, smaller than 150 kB, and accompanied by the SVG of the chart.
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
				if err != nil {
					t.Errorf("%s%s: %v", line, more, err)
				}
				equal(t, "type of the picture", image.MIME, "image/png")
				equal(t, "width", config.Width, 1200)
				if n := len(image.Data); n >= 150_000 {
					t.Errorf("%s%s: %d bytes, want fewer than 150000", line, more, n)
				}
				svg := pictureOf(t, line+more)
				equal(t, "the PNG has the SVG of the chart", bytes.Equal(svg.Data, image.SVG), true)
				equal(t, "SVG comes without a second SVG", svg.SVG == nil, true)
				equal(t, "description", image.Alt, svg.Alt)
			}
		})
	}
	line := "study query -s synthetic_demo -g TP53 --chart pie"
	app.Env.ChartImages = "png"
	equal(t, "type by the environment", pictureOf(t, line).MIME, "image/png")
	image := pictureOf(t, line+" --chart-format svg")
	equal(t, "type by the flag", image.MIME, "image/svg+xml")
	equal(t, "SVG comes without a second SVG", image.SVG == nil, true)
	for line, want := range map[string]string{
		line + " --chart-format gif":                               "gif",
		line + " --chart-format png -o chart.svg":                  "--output chart.svg does not match PNG",
		"study query -s synthetic_demo -g TP53 --chart-format png": "--chart-format requires --chart",
	} {
		contains(t, askFor(t, app, command.Person, line, 2), want)
	}
}
