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
