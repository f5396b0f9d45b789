package study_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// crossing writes a study whose survival curves cross: half of the mutated patients die within
// 8 months and the others survive 60, while all of the wild type die between 20 and 40.
func crossing(t *testing.T, app *command.App, id string) {
	t.Helper()
	var patients [][3]string
	mutated := ""
	for i := range 60 {
		status, month, arm := "1:DECEASED", 20+float64(i*7%60)/3, []string{"a", "b", "c"}[i/2%3]
		switch i % 4 {
		case 0:
			month = 1 + float64(i*7%60)/8.5
		case 2:
			status, month = "0:LIVING", 60
		}
		if i%2 == 0 {
			mutated += fmt.Sprint(" ", i)
		}
		patients = append(patients, [3]string{status, fmt.Sprintf("%.2f", month), arm})
	}
	handmade(t, app.Env.StudyDir, id, patients, mutated, nil)
}

// A chart with hazard ratios repeats the caution of the answer that the hazards are not
// proportional, and with two groups it shows the difference of their restricted means.
func TestChartsCautionAboutHazardRatios(t *testing.T) {
	app := commandtest.Study(t)
	crossing(t, app, "cross")
	for _, kind := range []string{"survival", "forest"} {
		for _, c := range []struct{ line, want string }{
			{"-s cross -g TP53", "; HR is an average over time; difference of restricted means up to 3"},
			{"-s cross -g TP53 --adjust ARM", "; HR is an average over time"},
		} {
			t.Run(kind+" "+c.line, func(t *testing.T) {
				line := "study survival " + c.line
				contains(t, askFor(t, app, command.Person, line, 0), "the hazards are not proportional")
				_, texts := drawn(t, app, line+" --chart "+kind)
				joined := strings.ReplaceAll(texts, "\n", " ")
				contains(t, joined, "Caution: the hazards are not proportional (p ")
				contains(t, joined, c.want)
			})
		}
		_, texts := drawn(t, app, "study survival -s synthetic_demo -g TP53 --chart "+kind)
		lacks(t, strings.ReplaceAll(texts, "\n", " "), "not proportional")
	}
}

// Every chart of survival repeats the caution about a group with few events.
func TestChartsCautionAboutSmallGroups(t *testing.T) {
	app := commandtest.Study(t)
	handmade(t, app.Env.StudyDir, "small", times(24, func(i int) string { return fmt.Sprint(i % 2) }), "3 10 17", nil)
	for _, kind := range []string{"survival", "forest", "bar"} {
		_, texts := drawn(t, app, "study survival -s small -g TP53 --months 6 --chart "+kind)
		contains(t, strings.ReplaceAll(texts, "\n", " "), "Caution: TP53-mutant has 3 patients and ")
	}
}

// A bar chart without an estimate at any landmark is refused.
func TestLandmarkChartWithoutFollowUp(t *testing.T) {
	app := commandtest.Study(t)
	text := askFor(t, app, command.Agent, "study survival -s synthetic_demo -g TP53 --months 9999 --chart bar", 1)
	contains(t, text, "no survival at a landmark can be drawn")
	contains(t, text, "--chart survival")
}

// A chart shows the display name of an attribute, not its ID, and no name of a case list.
func TestChartsShowDisplayNames(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"survival --by STAGE --chart survival":                      "\nStage Overall Survival Kaplan-Meier\n",
		"survival --by STAGE --chart bar":                           "\nStage\n",
		"survival --by STAGE --chart forest":                        "\nStage hazard ratios (synthetic_demo)\n",
		"survival -g TP53 --strata sample_type --chart survival":    "stratified by Sample Type",
		"compare -g TP53 -t clinical --target AGE --chart violin":   "; 135 patients",
		"survival -g TP53 --adjust AGE,STAGE --chart forest":        "\nStage\nII vs I\n",
		"compare --by STAGE -t clinical --target SEX --chart bar":   "\nSex by Stage (synthetic_demo)\n",
		"compare --by STAGE -t clinical --target AGE --chart box":   "\nAge by Stage (synthetic_demo)\n",
		"compare --by STAGE -t mutations --target TP53 --chart bar": "\nTP53 mutation rate by Stage (synthetic_demo)\n",
		"compare --by SEX --target TP53 --chart violin":             " by Sex (synthetic_demo)\n",
	} {
		t.Run(line, func(t *testing.T) {
			_, texts := drawn(t, app, "study "+strings.Replace(line, " ", " -s synthetic_demo ", 1))
			contains(t, texts, want)
			for _, id := range []string{"STAGE", "SEX", "AGE", "case list"} {
				lacks(t, texts, id)
			}
		})
	}
}

// A chart of more than 12 survival curves is refused with a chart that can show the groups; the
// ticks of months are at multiples of 12.
func TestManyCurvesAreRefused(t *testing.T) {
	app := commandtest.Study(t)
	for n, code := range map[int]int{12: 0, 13: 2} {
		var patients [][3]string
		for i := range 6 * n {
			patients = append(patients, [3]string{fmt.Sprint(i % 2), fmt.Sprint(6 + i*11%66), "arm" + string(rune('a'+i%n))})
		}
		id := fmt.Sprint("arms", n)
		handmade(t, app.Env.StudyDir, id, patients, "1", nil)
		line := "study survival --by ARM -s " + id + " --chart survival"
		if code == 0 {
			_, texts := drawn(t, app, line)
			contains(t, texts, "\n0\n12\n24\n36\n48\n60\n")
			continue
		}
		text := askFor(t, app, command.Agent, line, code)
		contains(t, text, "13 curves look too similar; at most 12 are drawn: use --chart forest")
		contains(t, text, "--chart forest")
	}
}
