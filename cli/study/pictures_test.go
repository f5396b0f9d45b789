package study_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A small picture says what it omits. A smaller one is refused with a line that draws it.
func TestSmallPicturesAreToldOrRefused(t *testing.T) {
	app := commandtest.Study(t)
	file := filepath.Join(t.TempDir(), "a.svg")
	draw := func(line, size string) (string, int) {
		return clitest.Ask(t, app, command.Person, "study "+line+" -s synthetic_demo "+size+" --force -o "+file)
	}
	const km = "survival -g TP53 --chart survival"
	if text, code := draw(km, "--width 480 --height 320"); code != 0 || !strings.Contains(text, "the picture is small: it omits") {
		t.Errorf("480 × 320: want a notice of what is omitted, got exit %d, %s", code, text)
	}
	if text, code := draw(km, "--width 900 --height 600"); code != 0 || strings.Contains(text, "the picture is small") {
		t.Errorf("900 × 600: want the whole picture, got exit %d, %s", code, text)
	}
	const forest = "survival --by STAGE --adjust AGE,SEX,CANCER_TYPE,SAMPLE_TYPE --chart forest"
	text, code := draw(forest, "--width 300 --height 160")
	if code != 2 || !strings.Contains(text, "this forest chart requires an image of at least ") {
		t.Errorf("300 × 160: want a refusal with the least size, got exit %d, %s", code, text)
	}
	size := regexp.MustCompile(`--width (\d+) .*--height (\d+)|--height (\d+) .*--width (\d+)`).FindString(text)
	if _, code := draw(forest, size); size == "" || code != 0 {
		t.Errorf("want the proposed size %q to be drawn, got exit %d", size, code)
	}
}

// A chart of skewed values proposes a logarithmic axis, which draws them.
func TestSkewedValuesProposeALogarithmicAxis(t *testing.T) {
	app := commandtest.Disk(t)
	write := func(id string, value func(i int) float64) {
		handmade(t, app.Env.StudyDir, id, times(40, func(int) string { return "" }), "0", func(file, text string) string {
			if file == "samples.txt" {
				text = samplesOf(20, "SAMPLE_ID\tPATIENT_ID\tBURDEN", func(p, s int) string { return fmt.Sprint(value(2*p + s)) })
			}
			return text
		})
	}
	write("skewed", func(i int) float64 { return math.Exp(float64(i) / 5) })
	write("even", func(i int) float64 { return float64(10 + i) })
	for id, proposed := range map[string]bool{"skewed": true, "even": false} {
		for _, kind := range []string{"violin", "box"} {
			line := "study compare --by ARM -t clinical --target BURDEN --chart " + kind + " -s " + id
			text, code := clitest.Ask(t, app, command.Person, line)
			if got := strings.Contains(text, "--log"); code != 0 || got != proposed {
				t.Errorf("%s: proposes --log: want %t, got %t, exit %d: %s", line, proposed, got, code, text)
			}
			if text, code := clitest.Ask(t, app, command.Person, line+" --log"); code != 0 || strings.Contains(text, "skewed; a log") {
				t.Errorf("%s --log: want no proposal, got exit %d: %s", line, code, text)
			}
		}
	}
}

// The lollipop of a protein ends at its length, which the mutation file gives, and names the changes of
// its highest peaks.
func TestLollipopKnowsTheProtein(t *testing.T) {
	app := commandtest.Study(t)
	text, _ := clitest.Ask(t, app, command.Agent, "study query -s synthetic_demo -g TP53 --json")
	for _, want := range []string{`"protein_length":393`, `"changes":[["p.R273C",`} {
		if !strings.Contains(text, want) {
			t.Errorf("want %s, got %s", want, text)
		}
	}
	file := filepath.Join(t.TempDir(), "a.svg")
	text, code := clitest.Ask(t, app, command.Person, "study query -s synthetic_demo -g TP53 --chart lollipop -o "+file)
	if code != 0 {
		t.Fatal(text)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	svg := string(b)
	for _, want := range []string{">R273C/H", ">393</text>", ">R175H</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("want %s in the picture", want)
		}
	}
	if strings.Contains(svg, "ends at the last position") {
		t.Error("want the axis to end at the length of the protein")
	}
}
