package cli

import (
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

// A suggested command that reads more of the same record repeats no line of the answer, except
// the lines that identify the record. Every section gives an answer.
func TestASecondStepRepeatsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in one goroutine")
	}
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	lines := func(words []string) []string {
		out := Run(t.Context(), app, command.IO{}, words, command.Agent)
		if out.Failure != nil {
			t.Fatalf("%q: %s", words, out.Failure.Message)
		}
		return bodyOf(out)
	}
	tree := NewTree()
	ids := map[string]string{
		"article": "90100001", "gene": "BRAF", "disease": "C0024796", "variant": "rs113488022", "drug": "fictinib", "trial": "NCT99000001",
	}
	steps := 0
	for _, c := range tree.Commands(tree.Member(tree.Root, "get")) {
		def, id := tree.Command(c), ids[c.Name()]
		if len(def.Sections) == 0 {
			continue
		}
		t.Run(c.Name(), func(t *testing.T) {
			if id == "" {
				t.Fatal("an entity with sections, of which no record is tried")
			}
			get := []string{"get", c.Name(), id}
			card := Run(t.Context(), app, command.IO{}, get, command.Agent)
			if card.Failure != nil {
				t.Fatal(card.Failure.Message)
			}
			first := bodyOf(card)
			var which []string // lines that identify the record
			for i, s := range def.Sections {
				if s.Name == "citation" || s.Name == "plain" { // texts for another program or from another source
					continue
				}
				own := lines(append(slices.Clone(get), s.Name))
				if i == 0 {
					which = own
				}
				which = slices.DeleteFunc(which, func(l string) bool { return !slices.Contains(own, l) })
			}
			if len(which) > 4 {
				t.Errorf("%d lines are in every section: %q", len(which), which)
			}
			for _, next := range card.Result.Next {
				if next[0] != "get" || next[1] != c.Name() {
					continue
				}
				steps++
				second := lines(next)
				if len(second) <= len(which) {
					t.Errorf("%s gives nothing: %q", next, second)
				}
				for _, l := range second {
					if slices.Contains(first, l) && !slices.Contains(which, l) {
						t.Errorf("%s repeats %q", next, l)
					}
				}
			}
		})
	}
	if steps < 8 {
		t.Errorf("%d steps are suggested", steps)
	}
}

// bodyOf returns the lines of an answer with content, without the suggested commands.
func bodyOf(out result.Outcome) (lines []string) {
	text, _ := RenderAnswer(out, false, 0)
	text, _, _ = strings.Cut(text, "\n## Next\n")
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "| ---") && !strings.HasPrefix(l, "**Note:**") {
			lines = append(lines, l)
		}
	}
	return lines
}
