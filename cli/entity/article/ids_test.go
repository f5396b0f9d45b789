package article_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

func TestGetArticleByDOIWithBrackets(t *testing.T) {
	const doi = "10.5555/0891-6640(2006)20[1389:roccel]2.0.co;2"
	srv := commandtest.GeneratedNCBI(t, 2, func(i int, m *entreztest.SyntheticRecord) { m.PMCID, m.DOI = "", []string{doi, "10.5555/other"}[i] })
	g, _ := clitest.Read(t, commandtest.NCBI(t, srv), "get article '"+doi+"'")
	if !slices.Equal(g.IDs(), commandtest.GeneratedPMIDs(1)) {
		t.Errorf("%v, want %v", g.IDs(), commandtest.GeneratedPMIDs(1))
	}
}

func TestGetArticleIDsInAnyForm(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 3, func(i int, m *entreztest.SyntheticRecord) {
		m.PMCID, m.DOI = fmt.Sprintf("PMC600%d", i), fmt.Sprintf("10.5555/a(%d)<x>,y", i)
	})
	app := commandtest.NCBI(t, srv)
	ids := commandtest.GeneratedPMIDs(3)
	for typed, n := range map[string]int{
		ids[0] + "," + ids[1] + ", " + ids[2]:                             3,
		ids[0] + "\r\n" + ids[1] + "\r\n\r\n":                             2,
		"PMC6000.1":                                                       1,
		"(" + ids[0] + "); " + ids[1] + ".":                               2,
		"https://www.doi.org/10.5555/a(0)%3Cx%3E,y":                       1,
		"doi.org/10.5555/a(0)<x>,y":                                       1,
		"doi:10.5555/a(0)<x>,y.":                                          1,
		"10.5555/a(0)<x>,y,10.5555/a(1)<x>,y":                             2,
		"https://pubmed.ncbi.nlm.nih.gov/" + ids[0] + "/?from_term=yeast": 1,
		"https://www.ncbi.nlm.nih.gov/pubmed/" + ids[0]:                   1,
		"https://pmc.ncbi.nlm.nih.gov/articles/PMC6000/pdf/main.pdf":      1,
		"PMID: " + ids[0] + " doi: 10.5555/a(1)<x>,y":                     2,
	} {
		t.Run(typed, func(t *testing.T) {
			out := cli.Run(t.Context(), app, command.IO{}, []string{"get", "article", typed, "--json"}, command.Person)
			text, failed := cli.RenderAnswer(out, true, 0)
			var g clitest.Reply
			if err := json.Unmarshal([]byte(text), &g); err != nil || failed || !slices.Equal(g.IDs(), ids[:n]) {
				t.Errorf("%q: %v, want the first %d: %.300s", typed, g.IDs(), n, text)
			}
		})
	}
	for door, got := range clitest.Notices(t, app, "get article '"+ids[0]+" PMC6000 10.5555/a(0)<x>,y "+ids[1]+"'") {
		if len(got) != 1 || !strings.HasPrefix(got[0], "2 of 4 ids repeat an article: PMC6000, 10.5555/a(0)") {
			t.Errorf("%s: %q", door, got)
		}
	}
	for _, line := range []string{"PMID: " + ids[0], "PMID " + ids[0] + " doi: 10.5555/a(0)<x>,y abstract", "pmc 6000"} {
		out := cli.Run(t.Context(), app, command.IO{}, append([]string{"get", "article", "--json"}, strings.Fields(line)...), command.Person)
		if text, failed := cli.RenderAnswer(out, true, 0); failed || !strings.Contains(text, `"pmid":"`+ids[0]+`"`) {
			t.Errorf("%q: %.300s", line, text)
		}
	}
}

// An id that the answer itself resolves is found, and one whose source does not answer is
// unavailable, never absent.
func TestIDsWhileTheConverterIsDown(t *testing.T) {
	for _, c := range []struct {
		line        string
		endpoints   []string
		unavailable []string
	}{
		{"get ids PMC99900001 90100001", []string{"idconv"}, nil},
		{"get ids PMC99900009 90100001", []string{"idconv"}, []string{"PMC99900009"}},
		{"get ids 10.9999/SYNTH.2023.101 90100001", []string{"idconv", "esearch"}, nil},
		{"get ids 10.9999/none 90100001", []string{"idconv", "esearch"}, []string{"10.9999/none"}},
		{"get article PMC99900001 90100001", []string{"idconv"}, nil},
		{"get article 10.9999/synth.2023.101 90100001", []string{"idconv", "esearch"}, nil},
		{"get article 10.9999/none 90100001", []string{"esearch"}, []string{"10.9999/none"}},
		{"get article PMC99900009 90100001 --format medline", []string{"idconv"}, []string{"PMC99900009"}},
	} {
		t.Run(c.line, func(t *testing.T) {
			srv := commandtest.PubMed(t)
			for _, endpoint := range c.endpoints {
				clitest.FailEndpoint(t, srv, endpoint)
			}
			app := commandtest.NCBI(t, srv)
			g, text := clitest.Read(t, app, c.line)
			if len(g.NotFound) > 0 {
				t.Errorf("not_found %q, want none: %s", g.NotFound, text)
			}
			if !slices.Equal(g.Unavailable, c.unavailable) {
				t.Errorf("unavailable %q, want %q: %s", g.Unavailable, c.unavailable, text)
			}
			if strings.Contains(c.line, "--format") { // NCBI's own text, whose notices are on standard error
				return
			}
			for door, text := range clitest.AnswersByFormat(t, app, c.line) {
				clitest.WantNoText(t, text, "failed: ", "not found: ")
				if lost := strings.Contains(text, "could not be looked for: "); lost != (len(c.unavailable) > 0) {
					t.Errorf("%s: an id could not be looked for: %v, want %v: %s", door, lost, !lost, text)
				}
			}
		})
	}
	// Without any record, the failure is the source's.
	srv := commandtest.PubMed(t)
	clitest.FailEndpoint(t, srv, "esearch")
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get article 10.9999/none --json")
	clitest.WantExit(t, code, 1, text)
	clitest.WantText(t, text, `"UPSTREAM"`)
}

// While PubMed's ESummary is down, the ID converter says which ids belong together. It does not say
// whether an article is retracted, and it does not know articles outside PMC.
func TestIDsWhileESummaryIsDown(t *testing.T) {
	srv := commandtest.PubMed(t)
	clitest.FailEndpoint(t, srv, "esummary")
	const notice = "PubMed did not answer, so the ids come from the PMC ID converter, and it is unknown whether an article is retracted ("
	for line, want := range map[string][]string{
		"get ids 90100001 PMC99900001": {"| PMC99900001 | 90100001 | PMC99900001 | 10.9999/synth.2023.101 | unknown |"},
		"get ids PMC99900001":          {"- **DOI:** 10.9999/synth.2023.101\n"},
		"get ids 90100001 --json":      {`"pmcid":"PMC99900001","doi":"10.9999/synth.2023.101","retracted":null`},
		"get ids 90100001 --csv":       {"90100001,90100001,PMC99900001,10.9999/synth.2023.101,\n"},
	} {
		for _, may := range []command.Policy{command.Person, command.Agent} {
			text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, line)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, want...)
			clitest.WantNoText(t, text, "not found: ")
		}
		if strings.Contains(line, "--") {
			continue
		}
		for door, got := range clitest.Notices(t, commandtest.NCBI(t, srv), line) {
			if !strings.HasPrefix(strings.Join(got, "\n"), notice) {
				t.Errorf("%s: %s: notices %q, want %q", line, door, got, notice)
			}
		}
	}
	g, text := clitest.Read(t, commandtest.NCBI(t, srv), "get ids 90100001 90100003")
	if want := []string{"90100003"}; !slices.Equal(g.Unavailable, want) || len(g.NotFound) > 0 {
		t.Errorf("unavailable %q, not found %q, want %q unavailable: %s", g.Unavailable, g.NotFound, want, text)
	}
	// Without the converter, too, the failure is PubMed's.
	clitest.FailEndpoint(t, srv, "idconv")
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get ids 90100001 --json")
	clitest.WantExit(t, code, 1, text)
	clitest.WantText(t, text, `"UPSTREAM"`, "NCBI E-utilities")
}

// The message about digits that are not an ID says what the kind of ID has.
func TestDigitsThatAreNoIDSayWhatAnIDHas(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, want := range map[string]string{
		"get article 99999999999":    "99999999999 is not a PMID: a PMID has 1 to 10 digits and is not 0",
		"get ids 0":                  "0 is not a PMID: a PMID has 1 to 10 digits and is not 0",
		"get article PMC99999999999": "99999999999 is not a PMCID: a PMCID has 1 to 10 digits and is not 0",
	} {
		if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, want 2 and %q, got %s", line, code, want, text)
		}
	}
}
