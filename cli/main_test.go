package cli

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "biomcp/build/testgc"
	"biomcp/cli/command"
	"biomcp/store/study/example"
)

// Most tests wait for the rate limit of a simulated NCBI rather than for a processor, so more
// of them run in parallel than there are processors.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// If a pipe does not get a requested chart, a notice says how to get it. There is no notice if
// the chart goes to a file or is drawn with characters.
func TestAChartIsNotDrawnIntoAPipe(t *testing.T) {
	app := diskApp(t)
	if _, err := example.Write(app.Env.StudyDir); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.svg")
	for more, want := range map[string]bool{"": false, " --chart survival": true, " --chart survival --json": true, " --chart survival --terminal": false, " --chart survival -o " + file: false} {
		c := parse(NewTree(), split(t, "study survival -s synthetic_demo -g TP53"+more), command.Person)
		out := c.run(t.Context(), app, command.IO{})
		if got := c.chartNotice(out); out.Failure != nil || strings.Contains(got, "--output FILE.svg writes it") != want {
			t.Errorf("%s: %q, %v", more, got, out.Failure)
		}
	}
}
