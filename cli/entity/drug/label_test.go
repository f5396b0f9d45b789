package drug_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
)

// A label belongs to a drug if its active ingredients are exactly the drug's, whatever its
// title says and whatever label is listed first.
func TestLabelIsOfTheDrugAlone(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		for line, want := range map[string]struct{ setid, notice string }{
			"get drug fictinib label":                        {"1", ""}, // not 3, a combination, nor 4, which only its ingredients show to be one
			"get drug syntheticillin label":                  {"5", ""}, // over the counter
			"get drug inventvac label":                       {"7", ""}, // a vaccine, identified by the UNII of its ingredient
			"get drug 'fictinib / syntheticillin' label":     {"3", ""},
			"get drug 'Syntheticillin and fictinib' label":   {"3", ""},
			"get drug syntheticillin+fictinib label":         {"3", ""},
			"get drug Doublet label":                         {"3", "Doublet is a brand of the combination fictinib / syntheticillin"},
			"get drug lonelyinib label":                      {"", "DailyMed has labels that name lonelyinib (1), but none was found whose active ingredients are exactly this (0 read; kinds: prescription, over-the-counter, vaccine, plasma derivative, cellular therapy)"},
			"get drug syntheticillin interactions":           {"", "the label of syntheticillin by Invented Pharma of 2026-08-01 has no section of interactions"},
			"get drug syntheticillin/fictinib interactions":  {"3", ""},
			"get drug 'fictinib / syntheticillin' chemistry": {"", "a combination has no structure"},
		} {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, _ := clitest.Ask(t, app, may, line+" --json")
				has := strings.Contains(text, `"setid":"00000000-0000-4000-8000-00000000000`+want.setid+`"`)
				if has != (want.setid != "") || !strings.Contains(text, want.notice) {
					t.Errorf("%s: want %+v: %s", line, want, text)
				}
			}
			if text, _ := clitest.Ask(t, app, command.Agent, line); want.notice != "" && !strings.Contains(text, want.notice) {
				t.Errorf("%s: %s", line, text)
			}
		}
		for _, asked := range srv.Requests("labels") {
			if asked.Params.Get("pagesize") != "100" {
				t.Errorf("%v", asked.Params)
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}

// An answer says which sections of the label it does not show and which it cuts. A section within another stands once.
func TestLabelSaysWhatItLacks(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		const line = "get drug inventvac label"
		for door, ask := range map[string]struct {
			policy command.Policy
			flag   string
		}{"terminal": {command.Person, ""}, "MCP": {command.Agent, ""}, "json": {command.Person, " --json"}} {
			text := clitest.Answer(t, app, ask.policy, line+ask.flag)
			clitest.WantText(t, text, "not shown of the label of inventvac: 3 further sections, "+
				"https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid=00000000-0000-4000-8000-000000000007", "HOW SUPPLIED", "USE OF THE SECOND PART", "No antidote is invented. Doses reached 10⁹ particles.",
				"this label is of one product; inventvac has products for several routes (Oral, Oral Liquid, Injectable), whose labels differ")
			if n := strings.Count(text, "Not with inventamine."); n != 1 {
				t.Errorf("%s: the interactions stand %d times, want once:\n%s", door, n, text)
			}
			clitest.WantText(t, clitest.Answer(t, app, ask.policy, "get drug inventvac interactions"+ask.flag), "Not with inventamine.",
				"INTERACTIONS OF THE SECOND PART", "Not with a tonic.")
			isCut := strings.Contains(text, "Cut after 1500 of 1833 characters; --json has all.")
			if isCut != (ask.flag == "") || strings.Contains(text, "Not known in pregnancy.") == isCut {
				t.Errorf("%s: cut %t:\n%s", door, isCut, text)
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}

// One route, even in two forms, needs no notice, and the interactions have the notice of the label.
func TestLabelOfOneRoute(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		for line, want := range map[string]bool{"get drug inventvac interactions": true, "get drug fictinib label interactions": false} {
			if text := clitest.Answer(t, app, command.Agent, line); strings.Contains(text, "whose labels differ") != want {
				t.Errorf("%s: %s\nwant a notice of routes: %t", line, text, want)
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}

// A combination has a card. Brands of its ingredients are excluded, and its own brands resolve
// to it.
func TestCombinations(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		type answer struct {
			Drugs []struct {
				Name, RxCUI string
				Brands      []string
				UNII, CID   any
			}
		}
		for name, want := range map[string]string{"fictinib": "fictinib 9001 Inventa,Inventa XR", "'fictinib / syntheticillin'": "fictinib / syntheticillin 9022 Doublet", "syntheticillin": "syntheticillin 9021 "} {
			text, code := clitest.Ask(t, app, command.Agent, "get drug "+name+" all --json")
			commandtest.Validate(t, "drug", name, text)
			var got answer
			if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 || len(got.Drugs) != 1 {
				t.Fatal(code, err, text)
			}
			if d := got.Drugs[0]; d.Name+" "+d.RxCUI+" "+strings.Join(d.Brands, ",") != want {
				t.Errorf("%s: %+v", name, d)
			}
		}
		text, code := clitest.Ask(t, app, command.Agent, "get drug Doublet --json")
		for _, want := range []string{"Doublet is a brand of a combination", `"canonical":"fictinib / syntheticillin","canonical_id":"9022"`, `"try":"biomcp get drug 'fictinib / syntheticillin'"`} {
			if code != 1 || !strings.Contains(text, want) {
				t.Errorf("exit %d, want %s: %s", code, want, text)
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}
