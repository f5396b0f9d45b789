package disease_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// Sections answered by other sources.
func TestSectionsOfOtherSources(t *testing.T) {
	t.Parallel()
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get disease melanoma plain --json", Text: `"plain":[{"title":"Melanoma","summary":"Synthetic words: a tumor of pigment cells & skin.\nLook at moles","source":"MedlinePlus"`, Schema: "get_disease.response"},
		{Line: "get disease CN900003 plain", Text: "MedlinePlus has no topic called Synthetic disorder of the eye; the nearest is Eye Diseases"},
		{Line: "get disease 44287 plain --json", Text: `"plain":[]`, Schema: "get_disease.response"},
		{Line: "get disease C0025202 diagnostics --json", Text: `"route":"live"`, Schema: "get_disease.response"},
		{Line: "search disease mushroms", Text: "did you mean “mushrooms”?"},
		{Line: "get disease melanoma diagnostics --limit 1000", Text: "limit lowered from 1000 to 50"},
	})
}

// A source that is down affects only its own section; for GTR its local table answers.
func TestSectionsOfDownSources(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	app.Env.Network.MaxRetries = 0
	if text, code := clitest.Ask(t, app, command.Person, "sync gtr"); code != 0 {
		t.Fatal(text)
	}
	for endpoint, want := range map[string]string{
		"topics":       `{"key":"plain","label":"In plain words","outcome":"unavailable","sources":["MedlinePlus"]}`,
		"autocomplete": `{"key":"drugs","label":"Drugs","outcome":"unavailable","sources":["PubTator3"]}`,
		"esearch":      `{"key":"variants","label":"Variants","outcome":"unavailable","sources":["ClinVar"]},{"key":"diagnostics","label":"Diagnostics","outcome":"data","sources":["Genetic Testing Registry (local table)"]}`,
	} {
		t.Run(fmt.Sprintf("%.60s", endpoint), func(t *testing.T) {
			if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.Down503, Times: -1}); err != nil {
				t.Fatal(err)
			}
			text, code := clitest.Ask(t, app, command.Agent, "get disease 9944 variants diagnostics drugs trials plain --json --no-cache")
			if code != 0 || !strings.Contains(text, want) || !strings.Contains(text, `"key":"trials","label":"Trials","outcome":"`) {
				t.Errorf("%s: exit %d: %s", endpoint, code, text)
			}
			if endpoint == "esearch" && !strings.Contains(text, "tests of C0025202: Genetic Testing Registry (local table gtr, as of ") {
				t.Errorf("%s: %s", endpoint, text)
			}
			srv.ClearFaults()
		})
	}
}

// A Disease Ontology that never answers affects only its own ids.
func TestOntologyThatHangsHoldsUpNoOtherName(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if err := srv.Fail(sourcetest.Fault{Endpoint: "ols-search", Kind: sourcetest.Stall, Times: -1}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		text, code := clitest.Ask(t, app, command.Agent, "get disease DOID:14323 melanoma --json")
		if took := time.Since(began); code != 0 || took > httpclient.StragglerTimeout+3*time.Second || !strings.Contains(text, `"cui":"C0025202"`) || !strings.Contains(text, "could not be looked for: DOID:14323: Ontology Lookup Service did not answer within 5s of the others") {
			t.Errorf("exit %d after %v: %.3000s", code, took, text)
		}
	})
}

// ClinVar may know a disease by another name than MedGen. A search for the name in any field,
// announced as wider, finds it: MECP2 duplication syndrome is indexed as Xq28 duplication
// syndrome.
func TestVariantsOfADiseaseThatClinVarCallsOtherwise(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	line := "get disease CN900003 variants"
	clitest.RunCases(t, srv, []clitest.Case{{Line: line, Text: "None."}, {Line: line + " --json", Text: `"variants_total":0`}})
	srv.SetEntry("clinvar", entreztest.Entry{UID: "90400090", Summary: map[string]any{"accession": "VCV090400090", "title": "Synthetic change"},
		Terms: map[string][]string{"DIS": {"Synthetic other name"}, "VARNAM": {"Synthetic disorder of the eye"}}})
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: line, Text: `ClinVar has no condition called "Synthetic disorder of the eye": these records have it in any field`},
		{Line: line + " --json", Text: `"variants_total":1`},
	})
}

// "No disease is called ..." is qualified if only some of the matching concepts were read.
func TestOnlyTheFirstConceptsWereRead(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for i := range 30 {
		srv.SetEntry("medgen", entreztest.Entry{UID: fmt.Sprint(7700000 + i), Summary: map[string]any{"conceptid": fmt.Sprint("CN97000", i), "title": fmt.Sprint("Synthetic dystrophy ", i)}, Terms: map[string][]string{"TITL": {"Synthetic dystrophy"}}})
	}
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get disease 'synthetic dystrophy'", ExitStatus: 1, Text: "only the first 20 of 30 concepts of MedGen with these words were read"},
		{Line: "get disease 'synthetic dystrophy' melanoma --json", Text: `"not_found":["synthetic dystrophy"]`},
	})
}
