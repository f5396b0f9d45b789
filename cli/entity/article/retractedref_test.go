package article_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A reference whose article has been retracted is marked in each form of the answer: a notice, the counts and the
// title. So is an ambiguous candidate.
func TestRetractedReferenceIsMarkedInEveryForm(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	file := filepath.Join(t.TempDir(), "refs.txt")
	const reference = "Retracta R, et al. Ergothioneine cures everything. J Synth Nutr. 2019;8(1):1-4."
	if err := os.WriteFile(file, []byte(reference+"\nPMID: 90100002\nPMID: 90100001\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const notice = "RETRACTED: article 90100002 has been retracted"
	for _, line := range []string{
		"search citation --from " + file, "search citation '" + reference + "'",
		"search citation --journal 'J Synth Nutr' --year 2019 --volume 8 --page 1",
	} {
		for _, form := range []string{"", " --json", " --csv", " --tsv", " --jsonl"} {
			stdout, stderr, code := clitest.RunForPerson(t, app, line+form)
			if code != 0 || strings.Count(stdout+stderr, notice) != 1 {
				t.Errorf("%s%s: exit %d, want %q once: %s%s", line, form, code, notice, stdout, stderr)
			}
		}
		for _, json := range []bool{false, true} {
			if strings.Contains(line, "--from") {
				break // an agent may not read files
			}
			if reply := clitest.AskAgent(t, app, line, json); strings.Count(reply.Text, notice) != 1 {
				t.Errorf("%s over MCP, JSON %t: want %q once: %s", line, json, notice, reply.Text)
			}
		}
	}
	if text, _ := clitest.Ask(t, app, command.Person, "search citation --from "+file); !strings.Contains(text, "- **Retracted:** 1\n") {
		t.Errorf("the counts lack the retracted article: %s", text)
	}
	bib := filepath.Join(t.TempDir(), "refs.bib")
	stdout, stderr, code := clitest.RunForPerson(t, app, "search citation --from "+file+" -o "+bib)
	if code != 0 || strings.Count(stdout+stderr, "RETRACTED") != 1 {
		t.Errorf("exit %d, want one notice with a file of citations: %s%s", code, stdout, stderr)
	}
}
