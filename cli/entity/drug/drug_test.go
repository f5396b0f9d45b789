package drug_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
)

// An alias takes two requests and a card five; a label and its interactions take two more.
func TestRequestsForDrugs(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		for line, want := range map[string]struct{ requests, exit int }{
			"get drug fictinib": {5, 0}, "get drug Inventa": {2, 1}, "get drug fictinib label interactions": {2 + 3, 0}, "get drug fictinib trials": {3, 0},
			"get drug fictinib classes": {3, 0}, "search drug fictin": {1, 0}, "get drug fictinib regulatory": {3, 0}, "search drug --class l01ex": {2, 0},
			"search drug inventa --region us": {1, 0}, "search drug inventa --region eu": {0, 1},
		} {
			srv.ClearRequests()
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code != want.exit || srv.Count() > want.requests {
				t.Errorf("%s: exit %d, %d requests: %s", line, code, srv.Count(), text)
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}

func TestDrugsMatchTheirSchema(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		for line, name := range map[string]string{
			"get drug fictinib --json": "drug", "get drug fictinib all --json": "drug", "get drug fictinib label --json": "drug", "search drug fictin --json": "drug.list", "search drug Inventa --json": "drug.list",
		} {
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code != 0 {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
			commandtest.Validate(t, name, line, text)
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}

// Only MeSH has research codes. A heading that is not a substance is not a drug.
func TestResearchCodesAreInMeSH(t *testing.T) {
	srv := commandtest.PubMed(t)
	rxnavtest.AddTo(srv.Server)
	for _, h := range []entreztest.Heading{
		{UI: "C900001", Terms: []string{"fictinib", "FCT-001", "Inventa"}}, {UI: "D900002", Terms: []string{"Invented Disease", "FCT disease"}, TreeNumbers: []string{"C04.1"}},
		{UI: "C900003", Terms: []string{"notapprovedib", "NAB 12"}},
		{UI: "D900004", Terms: []string{"Invented Receptor", "INVR"}, TreeNumbers: []string{"D08.811.1", "D12.776.5"}},
		{UI: "D900005", Terms: []string{"Inventedmab", "IMB 7"}, TreeNumbers: []string{"D12.776.124.486.485.114.1"}},
	} {
		if err := srv.SetHeading(h); err != nil {
			t.Fatal(err)
		}
	}
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]struct {
		exit int
		text string
	}{
		"get drug FCT-001 --json":            {1, `"canonical":"fictinib","canonical_id":"C900001","match_tier":"research_code","sources":["MeSH"]`},
		"get drug NAB-12 --json":             {1, `"canonical":"notapprovedib"`},
		"get drug notapprovedib --json":      {0, `"rxcui":null,"unii":null,"mesh":"C900003"`},
		"get drug 'Invented Disease' --json": {1, `no drug found for Invented Disease`},
		"get drug INVR --json":               {1, `no drug found for INVR`}, // an enzyme
		"get drug inventedmab --json":        {0, `"mesh":"D900005"`},
		"search drug FCT-001 --json":         {0, `"rxcui":null,"region":null,"kind":null,"category":null,"name":"fictinib"`},
		"search drug FCT-001":                {0, "**Note:** FCT-001 is a research code, not a name"},
		"search drug notapprovedib --json":   {0, `"url":"https://meshb.nlm.nih.gov/record/ui?ui=C900003"`},
		"search drug notapprovedib":          {0, "biomcp get drug notapprovedib\n"},
		"search drug Inventa --json":         {0, `"rxcui":"9001"`}, // the substance of a brand without similar names
		"search drug INVR":                   {0, "- **Drugs:** 0"},
	} {
		t.Run(line, func(t *testing.T) {
			srv.ClearRequests()
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code != want.exit || !strings.Contains(text, want.text) || code == 1 && srv.Count() > 4 {
				t.Errorf("%s: exit %d, %d requests: %s", line, code, srv.Count(), text)
			}
		})
	}
}

// A member that was not requested is absent; a requested one that is unknown is null.
func TestDrugMembersThatWereNotAskedFor(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for line, c := range map[string]struct{ with, without string }{
		"label": {`"rxcui":"9001","status"`, `null`}, "": {`"unii":"`, `"unii":null`}, "chemistry": {`"cid":`, `"unii"`}, "classes": {`"mesh":`, `"cid"`},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, "get drug fictinib --json "+line)
			text, _, _ = strings.Cut(text, `"_meta"`)
			if code != 0 || !strings.Contains(text, c.with) || strings.Contains(text, c.without) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

// If a source cannot be reached, its values are unknown in the card and in the section.
func TestDrugOfASourceThatIsDown(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		for _, endpoint := range []string{"classes", "compound"} {
			if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.URITooLarge, Times: -1}); err != nil {
				t.Fatal(err)
			}
		}
		text, code := clitest.Ask(t, app, command.Agent, "get drug fictinib all --json")
		for _, want := range []string{`"classes":null`, `"chemistry":null`, `"key":"classes","label":"Classes","outcome":"unavailable"`, `"key":"chemistry","label":"Chemistry","outcome":"unavailable"`} {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("exit %d, want %s: %s", code, want, text)
			}
		}
		if n := strings.Count(strings.ToLower(text), "classes of fictinib is missing") + strings.Count(text, "Classes is missing"); n > 1 {
			t.Errorf("%d notices of one failure: %s", n, text)
		}
		if text, code := clitest.Ask(t, app, command.Agent, "get drug ' ' --json"); code != 2 || !strings.Contains(text, "which drug?") {
			t.Errorf("exit %d: %s", code, text)
		}
		text, _ = clitest.Ask(t, app, command.Agent, "get drug fictinib classes")
		if strings.Contains(text, "None.") || !strings.Contains(text, "Not known: ") {
			t.Error(text)
		}
		for word, section := range map[string]string{"lable": "label", "warnings": "label", "side-effects": "adverse-events", "sideeffects": "adverse-events", "approval": "regulatory"} {
			text, code = clitest.Ask(t, app, command.Agent, "get drug fictinib "+word+" --json")
			if code != 2 || !strings.Contains(text, `"try":"biomcp get drug fictinib `+section) {
				t.Errorf("%s: exit %d: %s", word, code, text)
			}
		}
	}, rxnavtest.AddTo)
}

// If the second source does not answer, a notice says so, and the outcome is not empty.
func TestSearchByNameWithoutMeSH(t *testing.T) {
	srv := commandtest.EverySource(t)
	clitest.FailEndpoint(t, srv, "esearch")
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "search drug FCT-001 --json")
	if code != 0 || !strings.Contains(text, "whether there is such a drug is unknown: ") || !strings.Contains(text, `"outcome":"degraded"`) {
		t.Errorf("exit %d: %s", code, text)
	}
}
