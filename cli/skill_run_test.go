package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/skills"
	"biomcp/store/study/example"
)

// simulated replaces names in the worked examples with names that the simulators know. They do
// not know every word, as --strict would require.
var simulated = strings.NewReplacer(
	"imatinib", "fictinib", "imatinb", "fictin", "warfarin", "syntheticillin", "NCT02576665", "NCT99000001", "GTR000500001", "GTR000900001",
	"32051057", "90100001", "23193287", "90100002", "32450107", "90100003", "9500320", "90100004", "10.1093/nar/gks1195", "90100001",
	"PMC3531190", "PMC8000001", "GLP-1 receptor agonist AND obesity", "ergothioneine", " --strict", "",
)

// The simulators answer every command of a worked example without an error, in the order of the
// text. The test skips commands that name a file of the reader, or a part of a text that the
// simulators do not have.
func TestEveryCommandOfAWorkedExampleRuns(t *testing.T) {
	withSimulators(t, func(t *testing.T, _ *entreztest.Server, app *command.App) {
		if _, err := example.Write(app.Env.StudyDir); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"sync cvx", "sync who", "sync who-ivd", "sync gtr", "sync ema"} {
			if text, code := ask(t, app, command.Person, line); code != 0 {
				t.Fatal(text)
			}
		}
		ran := map[string]bool{}
		for _, e := range skills.Catalogue() {
			for _, line := range commandsOf(e) {
				line = simulated.Replace(line)
				if ran[line] || strings.Contains(line, "ids.txt") || strings.Contains(line, "fulltext --part") || line == "sync pubmed" {
					continue
				}
				ran[line] = true
				if text, code := ask(t, app, command.Person, line); code != 0 {
					t.Errorf("%s: %s: exit %d: %s", e.Slug, line, code, text)
				}
			}
		}
	}, entreztest.File(sampleRecords), entreztest.File("../entrez/entreztest/testdata/synthetic.xml"), entreztest.PMC("../entrez/entreztest/testdata/synthetic.nxml"))
}

// commandsOf returns the commands of a worked example and its ladder.
func commandsOf(e *skills.Example) (lines []string) {
	for _, m := range typedLine.FindAllStringSubmatch(e.Text, -1) {
		lines = append(lines, m[1]+m[2])
	}
	if e.Ladder != nil {
		for _, s := range e.Ladder.Steps {
			lines = append(lines, strings.TrimPrefix(s.Command, "biomcp "))
		}
	}
	return lines
}
