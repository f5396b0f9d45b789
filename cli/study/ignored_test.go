package study_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// The notice of an ignored gene precedes the answer, and the next commands do not have the gene.
func TestIgnoredGeneIsNamedFirst(t *testing.T) {
	app := commandtest.Study(t)
	const line, notice = "study survival -s synthetic_demo -g TP53 --by SEX", "--gene TP53 is ignored: the patients are grouped by SEX"
	for door, may := range map[string]command.Policy{"a terminal": command.Person, "MCP": command.Agent} {
		text := clitest.Answer(t, app, may, line)
		before, after, _ := strings.Cut(text, "Study Survival")
		if !strings.Contains(before, notice) || strings.Contains(after, notice) {
			t.Errorf("%s: want %q only before the answer, got %s", door, notice, text)
		}
		if _, next, ok := strings.Cut(after, "## Next"); !ok || strings.Contains(next, "TP53") || !strings.Contains(next, "--by SEX") {
			t.Errorf("%s: want next commands by SEX and without the ignored gene, got %s", door, next)
		}
	}
	for _, form := range []string{" --json", " --csv"} {
		if stdout, stderr, code := clitest.RunForPerson(t, app, line+form); code != 0 || strings.Count(stdout+stderr, notice) != 1 {
			t.Errorf("%s: exit %d, want %q once, got %s%s", form, code, notice, stdout, stderr)
		}
	}
	if text := clitest.Answer(t, app, command.Person, "study survival -s synthetic_demo -g TP53"); !strings.Contains(text, "--gene TP53 --chart survival") && !strings.Contains(text, "-g TP53 --chart survival") {
		t.Errorf("want the next command with its gene, got %s", text)
	}
}

// The number of analysed patients is followed by the attributes that exclude patients without a value.
func TestAnalysedPatientsNameTheirCovariates(t *testing.T) {
	app := commandtest.Study(t)
	for flags, want := range map[string]string{
		"": ")\n", "--adjust AGE": "; with values of AGE)\n", "--adjust AGE,SEX": "; with values of AGE and SEX)\n",
		"--adjust AGE --strata SEX": "; with values of AGE and SEX)\n", "--strata SEX": "; with values of SEX)\n",
	} {
		text := clitest.Answer(t, app, command.Person, "study survival -s synthetic_demo -g TP53 "+flags)
		_, analysed, _ := strings.Cut(text, "Analysed: ")
		first, _, _ := strings.Cut(analysed, "\n")
		if !strings.HasSuffix(first+"\n", want) || flags == "" && strings.Contains(first, "with values of") {
			t.Errorf("%q: got Analysed: %s, want it to end with %q", flags, first, want)
		}
	}
}
