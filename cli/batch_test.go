package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/command"
)

func TestBatchReadsAListOfIDs(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string][3]string{
		"gene pathways": {"BRAF\nTP53, MLH1\n", `"input":"TP53"`, `"total":3,"found":3`},
		"variant":       {"MYD88 L265P\n13961\n", `"input":"MYD88 L265P"`, `"total":2,"found":2`},
		"article":       {"# none\n", "VALIDATION", "the input contains no ids"},
		"disease":       {"Marfan syndrome\r\nMelanoma\r\n", `"input":"Marfan syndrome"`, `"total":2,"found":2`},
	} {
		t.Run(line, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ids.txt")
			if err := os.WriteFile(file, []byte(want[0]), 0o600); err != nil {
				t.Fatal(err)
			}
			words := append([]string{"batch", "--json"}, strings.Fields(line)...)
			for _, from := range [][]string{{"--ids-from", file}, {"-"}} {
				out := Run(t.Context(), app, command.IO{In: strings.NewReader(want[0])}, append(words, from...), command.Person)
				if text, _ := RenderAnswer(out, true, 0); !strings.Contains(text, want[1]) || !strings.Contains(text, want[2]) {
					t.Errorf("%s %v: %s", line, from, text)
				}
			}
		})
	}
	if text, code := ask(t, app, command.Person, "batch gene --ids-from /nowhere/none.txt"); code != 2 || !strings.Contains(text, "cannot be read") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// The row of a failed name describes the failure, a suggestion follows, and no notice repeats
// it. A name that get does not accept is explained by a notice.
func TestBrandIsReportedOnce(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"batch drug fictinib inventa": "1 of 2 failed: inventa", "get drug fictinib inventa": "inventa is a brand, not a substance: biomcp get drug fictinib",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := ask(t, app, command.Person, line)
			if code != 0 || strings.Count(text, "inventa is a brand") != 1 || !strings.Contains(text, want) || strings.Contains(text, "not found") {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
			if strings.HasPrefix(line, "batch") && !strings.HasSuffix(text, "```\nbiomcp get drug fictinib\n```\n") {
				t.Errorf("%s: %s", line, text)
			}
		})
	}
}

// An id that was not found is not suggested again.
func TestBatchOffersNoAbsentID(t *testing.T) {
	t.Parallel()
	line := "batch article 90100001"
	for i := range 30 {
		line += fmt.Sprint(" ", 30000001+i)
	}
	text, code := ask(t, ncbiApp(t, breadth(t)), command.Agent, line)
	if code != 0 || !strings.Contains(text, "30 of 31 failed") || strings.Contains(text, "biomcp get article 3000") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// An unreadable id fails alone, even in a long list, and --follow reads a synonym in a list. A
// word after -- is an id even if it looks like a flag.
func TestBatchFailsByID(t *testing.T) {
	t.Parallel()
	many := ""
	for i := range 10 {
		many += fmt.Sprint(" ", 30000001+i)
	}
	app := ncbiApp(t, breadth(t))
	for line, want := range map[string]string{
		"batch article 90100001 not_an_id" + many:   "11 of 12 failed",
		"batch article -- --json 90100001":          "1 of 2 failed: --json",
		"batch gene BRAF HER2" + many + " --follow": "this is biomcp get gene ERBB2",
		"search all -- --help":                      "# --help",
		"search all -- --offline":                   "# --offline",
	} {
		if text, code := ask(t, app, command.Person, line); code != 0 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
	if text, code := ask(t, app, command.Person, "batch gene -- --help"); code != 1 || !strings.Contains(text, `"--help" is not an id`) {
		t.Errorf("exit %d: %s", code, text)
	}
}
