package cli

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
)

// A text of one record that is too long for MCP comes in parts that add up to what a pipe gets.
func TestLongTextOverMCPComesInParts(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	long := func(_ int, m *entreztest.SyntheticRecord) {
		for i := range 1500 {
			m.Authors = append(m.Authors, fmt.Sprintf("Müller%d|Zoë %d|Z", i, i))
		}
	}
	if err := srv.Add(entreztest.Generate(1, 1, long)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	parser := Parser(app)
	for _, form := range []string{"xml", "medline"} {
		t.Run(form, func(t *testing.T) {
			line := "get article " + generated(1)[0] + " --format " + form
			want, _ := ask(t, app, command.Person, line)
			var got strings.Builder
			for parts := 0; line != ""; parts++ {
				blocks, notices, failed := callTool(t, parser, line, false)
				if failed || parts > 20 {
					t.Fatalf("part %d, %s: failed: %v: %.300s", parts, line, failed, blocks[0].Text)
				}
				if n := len([]rune(blocks[0].Text)); n > maxAnswer {
					t.Errorf("part %d has %d characters, want at most %d", parts, n, maxAnswer)
				}
				got.WriteString(blocks[0].Text)
				_, line, _ = strings.Cut(strings.Join(notices, "\n"), "characters: biomcp ")
			}
			if got.Len() <= maxAnswer || got.String() != want {
				t.Errorf("the parts have %d bytes, want the %d bytes of a pipe", got.Len(), len(want))
			}
			// JSON, which is never cut, leads to the text.
			blocks, _, failed := callTool(t, parser, "get article "+generated(1)[0]+" --format "+form, true)
			if text := blocks[0].Text; !failed || !strings.Contains(text, "--format "+form+`"}`) {
				t.Errorf("JSON: %.400s, want to be led to the text", text)
			}
		})
	}
}
