package corpus_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// An answer with documents names the words of the query that none of them holds.
func TestWordsThatNoDocumentHoldsAreNamed(t *testing.T) {
	app := commandtest.Disk(t)
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t))
	const says = "no document of this answer holds "
	for query, lacking := range map[string]string{
		"ergothioneine": "", "ergothioneine qqzzxv": "qqzzxv", "qqzzxv ergothioneine mushrooms": "qqzzxv",
		"ergothioneine qqzzxv qqyyxw": "qqzzxv, qqyyxw", "ergothioneine -qqzzxv": "", "the ergothioneine": "",
	} {
		for _, form := range []string{"", " --json", " --csv", " --pmids", " --explain --json"} {
			line := "search corpus '" + query + "'" + form
			stdout, stderr, code := clitest.RunForPerson(t, app, line)
			reply := clitest.AskAgent(t, app, "search corpus '"+query+"'"+strings.TrimSuffix(form, " --json"), strings.HasSuffix(form, "json"))
			for door, text := range map[string]string{"a terminal": stdout + stderr, "MCP": reply.Text + reply.Stderr} {
				if lacking == "" && strings.Contains(text, says) {
					t.Errorf("%s at %s: want no notice of absent words, got %s", line, door, text)
				}
				if n := strings.Count(text, says+lacking); code != 0 || lacking != "" && n != 1 {
					t.Errorf("%s at %s: exit %d, want %q once, got %s", line, door, code, says+lacking, text)
				}
			}
		}
	}
}
