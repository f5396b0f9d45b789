package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// Publication types and languages are accepted in their usual short forms and rejected if
// PubMed does not know them, because the hits would be of any. Every policy and format
// suggests a better spelling for other dropped words and reports operators in lower case.
func TestWhatIsNotSearchedForIsNotDroppedInSilence(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, want := range map[string]struct {
		exit int
		text string
	}{
		`search article mushrooms --pub-type "Jornal Article"`:        {2, "try:   biomcp search article mushrooms --pub-type 'journal Article'\n"},
		`search article mushrooms --language klingon`:                 {2, "PubMed does not know the value \"klingon\" of --language; known values include afrikaans, albanian, "},
		`search article mushrooms --pub-type "Expression of Concern"`: {2, "known values include Case Reports, Clinical Trial, Guideline"},
		`search article mushrooms --pub-type reviews`:                 {0, "--pub-type reviews is read as Review"},
		`search article mushrooms --pub-type Reveiw`:                  {2, "try:   biomcp search article mushrooms --pub-type Review\n"},
		`search article mushrooms --language turkish --count`:         {0, "**Hits:** 0"},
		`search article mushrooms --author Nobody --csv`:              {1, "PubMed dropped the filter --author Nobody"},
		`search article mushrooms --language en`:                      {0, "--language en is read as english"},
		`search article mushrooms --language sv`:                      {0, "--language sv is read as swedish"},
		`search article ergothionein mushrooms`:                       {0, "did you mean “ergothioneine mushrooms”?"},
		`search article ergothionein mushrooms --strict`:              {1, "try:   biomcp search article 'ergothioneine mushrooms' --strict"},
		`search article 'ergothionein AND xqzzyblorp' --strict`:       {1, "try:   biomcp search article 'ergothionein AND xqzzyblorp'\n"},
		`search article ergothioneine or mushrooms`:                   {0, "“or” is not an operator here"},
		`search article ergothioneine not mushrooms`:                  {0, "“not” is not an operator here"},
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				if text, code := clitest.Ask(t, app, may, line); code != want.exit || !strings.Contains(text, want.text) {
					t.Errorf("exit %d: %s", code, text)
				}
			}
		})
	}
	app = commandtest.NCBI(t, entreztest.New(t, entreztest.File("../../demo/sample.xml"), entreztest.NoLimit()))
	for form, want := range map[string]string{
		"--json":  `did you mean Imagin Redox Biol?`,
		"--pmids": "--pmids --journal 'Imagin Redox Biol'\n",
	} {
		if text, _ := clitest.Ask(t, app, command.Person, "search article 1900:2100[edat] --journal 'Imagin Redox Bio' "+form); !strings.Contains(text, want) {
			t.Errorf("%s: %s", form, text)
		}
	}
	app = commandtest.NCBI(t, commandtest.PubMed(t))
	for _, line := range []string{`search article '"ergothioneine or mushrooms"'`, "search article ergothioneine OR mushrooms"} {
		if text, _ := clitest.Ask(t, app, command.Agent, line); strings.Contains(text, "no operator") {
			t.Errorf("%s: %s", line, text)
		}
	}
}

// A search without hits reports no dropped words; the answer shows its query.
func TestWhatFoundNothingWasNotDropped(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, want := range map[string]string{
		"search article xqzzyblorp":                     "PubMed does not know: “xqzzyblorp”",
		"search article --author Nobodyatall":           "PubMed found nothing for the filter --author Nobodyatall",
		"search article mushrooms --author Nobodyatall": "PubMed dropped the filter --author Nobodyatall",
	} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 0 || !strings.Contains(text, want) || strings.Contains(want, "dropped") != strings.Contains(text, "dropped") {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
}

// If the words and the subject filters are dropped, hits by kind or date alone are not shown,
// and each filter is named once.
func TestHitsOfAKindAreNoHitsOfWhatWasDropped(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, line := range []string{
		"search article zzqblorp --journal 'Nosuch Jrnl' --pub-type 'Journal Article' --count", "search article --mesh Nosuchheading --pub-type 'Journal Article' --count",
		"search article zzqblorp --mesh Zzqblorp --pub-type 'Journal Article'", "search article --mesh Nosuchheading --date-from 1990 --count",
	} {
		for door, text := range clitest.AnswersByFormat(t, app, line) {
			if !strings.Contains(text, "the source dropped every word of the query") || strings.Count(text, "the filter --") != 1 || strings.Contains(text, "apart") {
				t.Errorf("%s of %s: %s", door, line, text)
			}
		}
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "search article mushrooms --mesh Mushrooms --count"); strings.Count(text, "Note:") != 1 {
		t.Errorf("the filter is named twice: %s", text)
	}
}

// A word that is a filter and its value is suggested as the flag.
func TestFilterWithinTheQueryIsOfferedAsAFlag(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, want := range map[string]string{
		"search article author:Brandt mushrooms":            "search article mushrooms --author Brandt",
		"search article mushrooms AND year:2020":            "search article mushrooms --date-from 2020 --date-to 2020",
		"search article mesh:Mice journal:Lancet":           "search article --mesh Mice --journal Lancet",
		"search article gene:BRAF mushrooms --author Fox":   "search article mushrooms --author=Fox --gene BRAF",
		"search gene organism:mouse BRAF":                   "search gene BRAF --organism mouse",
		"search article author:Brandt OR mushrooms":         "",
		"search article foo:Brandt mushrooms":               "",
		"search article author:Brandt mushrooms --author X": "",
	} {
		t.Run(line, func(t *testing.T) {
			for door, text := range clitest.AnswersByFormat(t, app, line) {
				offered := strings.Contains(text, "did you mean --")
				if offered != (want != "") || !strings.Contains(text, want) {
					t.Errorf("%s: %s", door, text)
				}
			}
		})
	}
}
