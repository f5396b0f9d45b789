package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
)

// An estimate with its interval, an interval and a percentage stand on one line of every table of the
// studies, on a terminal of any width that has room for them.
func TestIntervalsOfStudiesStayOnOneLine(t *testing.T) {
	app := diskApp(t)
	if text, code := ask(t, app, command.Person, "study download synthetic_demo"); code != 0 {
		t.Fatal(text)
	}
	t.Chdir(t.TempDir())
	interval := regexp.MustCompile(`[\d.∞-]+(?: %)? \([\d.]+(?: %)? to [\d.∞-]+(?: %)?\)`)
	tree, checked := NewTree(), 0
	for _, c := range Runnable(tree, tree.Root, command.Person) {
		if path := command.Path(c); path[0] != "study" || tree.Command(c).Effect != command.Reads {
			continue
		}
		for _, x := range tree.Command(c).Examples {
			args, err := words.Split(strings.TrimPrefix(x.Line, "biomcp "))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(x.Line, "--chart") || strings.Contains(x.Line, "--csv") {
				continue // not a table on a terminal
			}
			out := parse(NewTree(), args, command.Person).run(t.Context(), app, command.IO{Err: &bytes.Buffer{}})
			if out.Failure != nil {
				continue
			}
			count := func(width int) int {
				var b bytes.Buffer
				if err := result.Render(&b, &b, out, result.Format{Terminal: true, Long: true, Width: width}); err != nil {
					t.Fatal(err)
				}
				return len(interval.FindAllString(b.String(), -1))
			}
			want := count(2000)
			checked += want
			for _, width := range []int{50, 60, 72, 80, 100, 120} {
				if got := count(width); got != want {
					t.Errorf("%s: at %d columns %d intervals stand on one line, want %d", x.Line, width, got, want)
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d intervals in the answers", checked)
	}
}
