package result

import "testing"

// Explanations of terms begin in one column. That of a long term, and of every term on a narrow
// terminal, begins on the next line.
func TestTermsAlignTheirExplanations(t *testing.T) {
	table := Table{Terms: true, Columns: Columns("Flag", "What it does"), Rows: [][]string{
		{"--gene <text>", "a symbol, in title or abstract"},
		{"--one-with-a-long-name <text>", "explained below"},
	}}
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, "  --gene <text>  a symbol, in title or abstract\n" +
			"  --one-with-a-long-name <text>\n                 explained below\n"},
		{120, "  --gene <text>                  a symbol, in title or abstract\n" +
			"  --one-with-a-long-name <text>  explained below\n"},
		{40, "  --gene <text>\n      a symbol, in title or abstract\n" +
			"  --one-with-a-long-name <text>\n      explained below\n"},
	} {
		got, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{table}}}}, Format{Terminal: true, Width: c.width})
		if got != c.want {
			t.Errorf("at %d columns: got %q, want %q", c.width, got, c.want)
		}
	}
}

// In markdown the cells of a column of code have no backslashes, so that they can be copied.
func TestColumnOfCode(t *testing.T) {
	table := Table{Columns: []Column{{Name: "Flag", Code: true}, {Name: "What it does"}}, Rows: [][]string{
		{"--genotype <text>", `such as "CYP2C19 *2/*17"`}, {"--kind <a|b>", "a <b>"}, {"", "-"},
	}}
	got, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{table}}}}, Format{})
	want := "| Flag | What it does |\n| --- | --- |\n| `--genotype <text>` | such as \"CYP2C19 *2/*17\" |\n" +
		"| `--kind <a\\|b>` | a \\<b> |\n| - | - |\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
