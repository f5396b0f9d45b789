package study_test

import (
	"bytes"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

// Only the notice that a study is synthetic precedes an answer. The notices about how it was computed follow
// it and come before the next commands, at a terminal, in a pipe and for an agent.
func TestNotesFollowTheAnswer(t *testing.T) {
	app := commandtest.Study(t)
	for _, line := range []string{
		"study compare -s synthetic_demo -g TP53 --all", "study compare -s synthetic_demo -g TP53 --type mutations --genes all",
		"study survival -s synthetic_demo -g TP53", "study query -s synthetic_demo -g TP53", "study co-occurrence -s synthetic_demo -g TP53,KRAS",
	} {
		out := clitest.Run(t, app, command.Person, line)
		if out.Failure != nil {
			t.Fatalf("%s: %v", line, out.Failure)
		}
		for door, f := range map[string]result.Format{"pipe": {}, "terminal": {Terminal: true, Width: 80}, "agent": {Max: 60000}} {
			var b bytes.Buffer
			if err := result.Render(&b, &b, out, f); err != nil {
				t.Fatal(err)
			}
			title := strings.Index(b.String(), "Study ")
			if before := b.String()[:max(0, title)]; title < 0 || strings.Count(before, "Note:")+strings.Count(before, "! ") != 1 {
				t.Errorf("%s, %s: got %q before the title, want one notice", line, door, before)
			}
			answer, next, _ := strings.Cut(strings.Join(strings.Fields(b.String()), " "), "Next ")
			for _, n := range out.Result.Notices[1:] {
				first, _, _ := strings.Cut(n, " of ")
				if !strings.Contains(answer, first) || strings.Contains(next, first) {
					t.Errorf("%s, %s: the answer lacks %q before its next commands", line, door, first)
				}
			}
		}
	}
}

// At 80 columns the groups of a survival analysis stand side by side in a table.
func TestSurvivalIsATableAt80Columns(t *testing.T) {
	out := clitest.Run(t, commandtest.Study(t), command.Person, "study survival -s synthetic_demo -g TP53")
	var b bytes.Buffer
	if err := result.Render(&b, &b, out, result.Format{Terminal: true, Width: 80}); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{"Group TP53-mutant TP53-wildtype", "N 60 78", "KM Median (95 % CI) 19.8 (9.5 to 27.2) 61.4 (50.1 to 82.0)"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %q", b.String(), want)
		}
	}
}

// At 80 columns a comparison of everything or of pairs takes one line a test, with what may mislead;
// --long shows each test whole.
func TestComparisonIsShortOnATerminal(t *testing.T) {
	app := commandtest.Study(t)
	for line, most := range map[string]int{
		"study compare -s synthetic_demo -g TP53 --all":                           100,
		"study compare -s synthetic_demo -g TP53 --genes all":                     60,
		"study compare -s synthetic_demo -g TP53 --genes all --type mutations":    60,
		"study compare -s synthetic_demo --by SEX --all":                          100,
		"study compare -s synthetic_demo --by CANCER_TYPE --all --include-silent": 100,
		"study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR,PIK3CA":          50,
	} {
		out := clitest.Run(t, app, command.Person, line)
		if out.Failure != nil {
			t.Fatalf("%s: %v", line, out.Failure)
		}
		var short, long bytes.Buffer
		for to, whole := range map[*bytes.Buffer]bool{&short: false, &long: true} {
			if err := result.Render(to, to, out, result.Format{Terminal: true, Width: 80, Long: whole}); err != nil {
				t.Fatal(err)
			}
		}
		if n := strings.Count(short.String(), "\n"); n > most {
			t.Errorf("%s: got %d lines, want at most %d", line, n, most)
		}
		if a, b := strings.Count(short.String(), "\n"), strings.Count(long.String(), "\n"); a > b {
			t.Errorf("%s: got %d lines, and %d with --long", line, a, b)
		}
		hasNote := strings.Contains(strings.Join(strings.Fields(long.String()), " "), "ignores who")
		if hasNote != strings.Contains(strings.Join(strings.Fields(short.String()), " "), "ignores who") {
			t.Errorf("%s: the short form lacks what may mislead: %s", line, short.String())
		}
	}
}
