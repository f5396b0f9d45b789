package trial_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/ctgov/ctgovtest"
	"biomcp/entrez/sourcetest"
)

// trials runs a test with a simulated ClinicalTrials.gov and an App that asks it, in a synctest
// bubble, where pacing takes no time.
func trials(t *testing.T, test func(*testing.T, *sourcetest.Server, *command.App)) {
	commandtest.WithRateLimits(t, test)
}

func TestTrialsMatchTheirSchemas(t *testing.T) { trials(t, testTrialsMatchTheirSchemas) }

func testTrialsMatchTheirSchemas(t *testing.T, _ *sourcetest.Server, app *command.App) {
	for line, name := range map[string]string{
		"get trial NCT99000001 --json": "trial", "get trial NCT99000001 NCT99000002 all --json": "trial",
		"get trial NCT99000004 arms results documents --json": "trial", "search trial melanoma --limit 1 --json": "trial.list",
		"search trial -c melanoma --mutation V600E --count --json": "trial.list",
	} {
		text, code := clitest.Ask(t, app, command.Agent, line)
		if code != 0 {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
		commandtest.Validate(t, name, line, text)
	}
}

// get trial takes one request for any sections, and a search one for each page; whole studies
// are never requested.
func TestRequestsForTrials(t *testing.T) { trials(t, testRequestsForTrials) }

func testRequestsForTrials(t *testing.T, srv *sourcetest.Server, app *command.App) {
	for line, want := range map[string]string{
		"get trial NCT99000001 NCT99000901 NCT99000002 all": "OutcomeMeasuresModule",
		"get trial NCT99000001 locations":                   "BriefTitle,HasResults,LastUpdatePostDate,LocationCity,LocationCountry,LocationFacility",
		"get trial NCT99000901":                             "EligibilityCriteria",
		"search trial -c melanoma":                          "NCTId,NCTIdAlias,BriefTitle",
		"search trial -c melanoma --count":                  "NCTId",
		"search trial -c melanoma --limit 1 --offset 2":     "NCTId",
		"search trial --mutation V600E":                     "EligibilityCriteria",
	} {
		srv.ClearRequests()
		text, code := clitest.Ask(t, app, command.Agent, line)
		if code != 0 || srv.Count() != 1 {
			t.Errorf("%s: exit %d, %d requests: %s", line, code, srv.Count(), text)
			continue
		}
		if fields := srv.Requests()[0].Params.Get("fields"); !strings.Contains(fields, want) || strings.Contains(line, "locations") && strings.Contains(fields, "Eligibility") {
			t.Errorf("%s: %s", line, fields)
		}
	}
}

// The next commands lead through all pages of the list, each with the total.
func TestPagesOfTrials(t *testing.T) { trials(t, testPagesOfTrials) }

func testPagesOfTrials(t *testing.T, _ *sourcetest.Server, app *command.App) {
	_, whole := clitest.Read(t, app, "search trial -c melanoma")
	var got []string
	line, pages := "search trial -c melanoma --limit 1 --json", 0
	for line != "" {
		page, text := clitest.Read(t, app, strings.TrimSuffix(strings.TrimPrefix(line, "biomcp "), " --json"))
		if page.Total != 4 || !strings.Contains(text, fmt.Sprintf(`"offset":%d,`, pages)) {
			t.Fatalf("page %d: %s", pages, text)
		}
		_, id, _ := strings.Cut(text, `"nct_id":"`)
		got = append(got, id[:11])
		line, pages = "", pages+1
		for _, next := range page.Meta.Next {
			if strings.Contains(next, "--page-token") {
				line = next
			}
		}
	}
	if len(got) != 4 || pages != 4 || strings.LastIndex(whole, got[3]) < strings.LastIndex(whole, got[2]) {
		t.Errorf("%d pages: %v", pages, got)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "search trial -c melanoma --offset 20000"); code != 2 || !strings.Contains(text, "--page-token of the next command") {
		t.Errorf("%d %s", code, text)
	}
}

// The eligibility text has no backslashes from the registry, and neither have the criteria.
func TestEligibilityHasNoBackslashes(t *testing.T) {
	trials(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		text, code := clitest.Ask(t, app, command.Agent, "get trial NCT99000001 eligibility --csv")
		if code != 0 || strings.Count(text, "Age >= 18 years") != 2 || strings.Contains(text, `\>`) {
			t.Errorf("exit %d: %s", code, text)
		}
	})
}

func TestTrialPhaseInAnySpelling(t *testing.T) {
	trials(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		for typed, want := range map[string]string{
			"2": "PHASE2", "II": "PHASE2", "'phase 2'": "PHASE2", "phase-ii,3": "PHASE2,PHASE3", "1/2": "PHASE1/PHASE2", "'Phase I/II'": "PHASE1/PHASE2",
			"0": "EARLY_PHASE1", "'early phase 1'": "EARLY_PHASE1", "n/a": "NA",
		} {
			text, code := clitest.Ask(t, app, command.Agent, "search trial melanoma --limit 1 --json --phase "+typed)
			if code != 0 || !strings.Contains(text, `"flag":"phase","value":"`+want+`"`) {
				t.Errorf("%s: exit %d: %s", typed, code, text)
			}
		}
		text, code := clitest.Ask(t, app, command.Agent, "search trial melanoma --json --status 'not yet recruiting'")
		if code != 0 || !strings.Contains(text, `"value":"NOT_YET_RECRUITING"`) {
			t.Errorf("exit %d: %s", code, text)
		}
	})
}

// A distance needs a point; for the name of a place, the error says so.
func TestDistanceNeedsAPoint(t *testing.T) {
	trials(t, func(t *testing.T, _ *sourcetest.Server, app *command.App) {
		for line, want := range map[string]string{
			"--location Vienna --within 50": "--within requires --near with latitude and longitude in degrees, 48.2,16.4",
			"--near Vienna --within 50":     "--location takes the name of a place, without a distance",
		} {
			text, code := clitest.Ask(t, app, command.Agent, "search trial "+line)
			if code != 2 || !strings.Contains(text, want) || !strings.Contains(text, "try:   biomcp search trial --location Vienna\n") {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		}
	})
}

// A place without a comma must be one site; two names must belong to the same site, and the
// answer suggests that spelling.
func TestTrialsByThePlaceOfASite(t *testing.T) { trials(t, testTrialsByThePlaceOfASite) }

func testTrialsByThePlaceOfASite(t *testing.T, _ *sourcetest.Server, app *command.App) {
	for line, want := range map[string][]string{ // text in the answer, or the suggested command
		"--location Austria":                     {"NCT99000001", "NCT99000003", "NCT99000005"},
		"--location 'vienna, austria'":           {"NCT99000001", "NCT99000003", "NCT99000005"},
		"--location 'Linz, Austria'":             {"NCT99000003"},
		"--location 'Boston, Austria'":           {`"total":0`},
		"--location 'Boston, United States'":     {"NCT99000001", "NCT99000002"},
		"--location 'Linz Austria'":              {`"total":0`, "with a comma", "biomcp search trial --location 'Linz, Austria'"},
		"--location 'Wels Land Austria'":         {"--location 'Wels Land, Austria' --json\",\"biomcp search trial --location 'Wels, Land Austria'"},
		"--location 'Boston TX'":                 {`"next_commands":["biomcp search trial --help"]`},
		"--country Austria":                      {"understood as: biomcp search trial --location Austria"},
		"--city 'Linz, Austria'":                 {"understood as: biomcp search trial --location 'Linz, Austria'"},
		"--near Austria":                         {"try --location Austria"},
		"--near 'Linz, Austria' --within 50km":   {"try --location 'Linz, Austria'"},
		"--near 48.2":                            {"try --near 48.2,16.4"},
		"--near '48.2 16.4'":                     {`"flag":"near"`},
		"--location Austria --status RECRUITING": {"a site may have another: get trial NCT"},
		"--location Linz --within 50km":          {"try --location Linz"},
		"--location ,":                           {"try "},
	} {
		text, code := clitest.Ask(t, app, command.Agent, "search trial "+line+" --json")
		for _, w := range want {
			rest, try := strings.CutPrefix(w, "try ")
			if try && (code != 2 || !strings.Contains(text, `"try":"biomcp search trial `+rest)) || !try && (code != 0 || !strings.Contains(text, w)) {
				t.Errorf("%s: exit %d, want %s: %s", line, code, w, text)
			}
		}
		if n := strings.Count(text, `"nct_id"`); strings.HasPrefix(want[0], "NCT") && n != len(want) {
			t.Errorf("%s: %d trials: %s", line, n, text)
		}
	}
}

func TestGeneThatIsAlsoAMeasure(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial -g egfr --json", Text: "EGFR is also eGFR, the estimated glomerular filtration rate", Sent: `("egfr")`},
	})
}

func TestTrialsByStartAndResults(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial melanoma --has-results", Text: "- **Trials:** 1, shown 1 to 1", Sent: "aggFilters=results:with"},
		{Line: "search trial melanoma --start-date 2024", Text: "understood as: biomcp search trial melanoma --date-from 2024", Sent: "AREA[StartDate]RANGE[2024-01-01, MAX]"},
		{Line: "search trial melanoma --date-from 2024-03 --date-to 2024-03", Sent: "AREA[StartDate]RANGE[2024-03-01, 2024-03-31]"},
		{Line: "search trial melanoma --date-to 2023 --count", Text: "- **Trials:** 0", Sent: "AREA[StartDate]RANGE[MIN, 2023-12-31]"},
	})
}

// References carry PubMed's marks; without its answer they are unknown.
func TestReferencesOfATrialAreMarked(t *testing.T) {
	srv := commandtest.PubMed(t)
	ctgovtest.AddTo(srv.Server)
	app := commandtest.NCBI(t, srv)
	text, code := clitest.Ask(t, app, command.Agent, "get trial NCT99000001 references")
	if code != 0 || !strings.Contains(text, "| RETRACTED: Muster J. A synthetic result") || strings.Contains(text, "| RETRACTED: Muster J. A synthetic reference") {
		t.Errorf("exit %d: %s", code, text)
	}
	text, _ = clitest.Ask(t, app, command.Agent, "get trial NCT99000001 references --json")
	for _, want := range []string{`"pmid":"90100002","type":"RESULT","retracted":true,"preprint":false`, `"DERIVED","retracted":null,"preprint":null`, `"sources":["ClinicalTrials.gov","PubMed"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if err := srv.Fail(sourcetest.Fault{Endpoint: "esummary", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	app = commandtest.NCBI(t, srv)
	if text, code = clitest.Ask(t, app, command.Agent, "get trial NCT99000001 references"); code != 0 ||
		!strings.Contains(text, "whether the references are retracted is not known: ") || !strings.Contains(text, "| Muster J. A synthetic result") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// --offset pages through any list of a record; the pages make up the whole list.
func TestPagesOfASection(t *testing.T) { trials(t, testPagesOfASection) }

func testPagesOfASection(t *testing.T, _ *sourcetest.Server, app *command.App) {
	for _, section := range []string{"references", "outcomes", "locations"} {
		rows := func(flags string) (list []string, text string) {
			text, _ = clitest.Ask(t, app, command.Agent, "get trial NCT99000001 "+section+flags+" --jsonl")
			lines := strings.Split(strings.TrimSpace(text), "\n")
			return lines, text
		}
		whole, _ := rows("")
		var pages []string
		for offset := range whole {
			page, _ := rows(fmt.Sprintf(" --limit 1 --offset %d", offset))
			pages = append(pages, page...)
		}
		if len(whole) < 2 || strings.Join(pages, "\n") != strings.Join(whole, "\n") {
			t.Errorf("%s: %q, by page %q", section, whole, pages)
		}
		if text, code := clitest.Ask(t, app, command.Agent, "get trial NCT99000001 "+section+" --limit 1"); code != 0 ||
			!strings.Contains(text, fmt.Sprintf("of NCT99000001: 1 of %d shown; the next: biomcp get trial NCT99000001 %s --limit 1 --offset 1", len(whole), section)) {
			t.Errorf("exit %d: %s", code, text)
		}
		if text, code := clitest.Ask(t, app, command.Agent, fmt.Sprintf("get trial NCT99000001 %s --offset %d", section, len(whole))); code != 2 || !strings.Contains(text, "past the end") {
			t.Errorf("exit %d: %s", code, text)
		}
	}
}
