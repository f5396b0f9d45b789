package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/sourcetest"
)

func TestOtherSections(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	for line, want := range map[string]struct{ text, schema string }{
		"get gene BRAF drugs --json":        {`"drugs":[{"name":"Syntheticinib","relation":"negative_correlate","articles":12,"pubtator":"@CHEMICAL_Syntheticinib"`, "get_gene.response"},
		"get gene BRAF drugs --limit 1":     {"drugs of BRAF are text-mined", ""},
		"get gene BRAF pathways pgx --json": {`"pathways":[{"id":"R-HSA-90000001","name":"Invented cascade","in_disease":false`, "get_gene.response"},
		"get gene TP53 pathways --json":     {`"pathways":[],"pathways_total":0`, "get_gene.response"},
		"get gene BRAF pgx":                 {"| BRAF | fictinib | A | Testing Required | BRAF and Fictinib |", ""},
		"get drug fictinib pgx --json":      {`"pgx":[{"gene":"BRAF","drug":"fictinib","cpic_level":"A","provisional":false`, "drug"},
		"get drug fictinib articles --json": {`"articles":[]`, "drug"},

		"get drug fictinib adverse-events --json": {`"reports_total":2,"adverse_events":[{"reaction":"Nausea","reports":2},{"reaction":"Invented pain","reports":1}]`, "drug"},
		"get drug fictinib adverse-events":        {"2 reports to FDA name fictinib (openFDA, as of 2026-11-02): they are reports, not patients", ""},
		"get disease melanoma plain --json":       {`"plain":[{"title":"Melanoma","summary":"Synthetic words: a tumor of pigment cells & skin.\nLook at moles","source":"MedlinePlus"`, "get_disease.response"},
		"get disease CN900003 plain":              {"MedlinePlus has no topic called Synthetic disorder of the eye; the nearest is Eye Diseases", ""},
		"get disease 44287 plain --json":          {`"plain":[]`, "get_disease.response"},

		"get gene BRAF diagnostics --json":              {`"diagnostics":[{"accession":"GTR000900005","name":"Synthetic BRAF test"`, "get_gene.response"},
		"get gene TP53 diagnostics":                     {"tests of TP53: GTR (live, as of ", ""},
		"get gene TPM4 diagnostics --json":              {`"diagnostics":[],"diagnostics_total":0`, "get_gene.response"},
		"get variant BRAF V600E diagnostics --json":     {"those of the gene BRAF: GTR does not name variants", "get_variant.response"},
		"get variant rs386571803 diagnostics --json":    {`"outcome":"data"`, "get_variant.response"},
		"get disease melanoma variants --json":          {`"vcv":"VCV000013961"`, "get_disease.response"},
		"get disease 44287 variants --json":             {`"variants":[],"variants_total":0`, "get_disease.response"},
		"get disease C0025202 diagnostics --json":       {`"route":"live"`, "get_disease.response"},
		"get disease melanoma drugs --json":             {`"drugs":[{"name":"Syntheticinib","relation":"treat","articles":7`, "get_disease.response"},
		"get disease 'Dent disease type 2' drugs":       {"PubTator3 has no concept for C1845167", ""},
		"get gene BRAF drugs --limit 99 --json":         {"limit lowered from 99 to 50", "get_gene.response"},
		"get variant BRAF V600E articles --limit 99":    {"limit lowered from 99 to 50", ""},
		"get disease melanoma diagnostics --limit 1000": {"limit lowered from 1000 to 50", ""},
	} {
		text, code, _ := asked(t, srv, line)
		if code != 0 || !strings.Contains(text, want.text) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
		if want.schema != "" {
			validate(t, want.schema, line, text)
		}
	}
}

// Trials of any record are one request more than the record.
func TestTrialsOfOtherEntities(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	for line, want := range map[string]struct {
		expression, text, schema string
	}{
		"get gene BRAF trials --json":            {`query.term=(AREA[EligibilityCriteria]("BRAF") OR `, `"nct_id":"NCT9900000`, "get_gene.response"},
		"get variant BRAF V600E trials --json":   {`OR AREA[Keyword]("BRAF"))) AND ((AREA[EligibilityCriteria]("V600E") OR `, `"nct_id":"NCT99000001"`, "get_variant.response"},
		"search trial -g egfr --json":            {`("egfr")`, "EGFR is also eGFR, the estimated glomerular filtration rate", ""},
		"get disease 44287 trials --json":        {`query.cond=Marfan syndrome`, `"trials":[],"trials_total":0`, "get_disease.response"},
		"get drug fictinib trials --json":        {`query.intr=fictinib`, `"nct_id":"NCT99000001"`, "drug"},
		"get variant rs386571803 trials --json":  {"", `"outcome":"inapplicable"`, "get_variant.response"},
		"get gene BRAF trials --limit 1 --json ": {`query.term=`, `Trials of BRAF: 1 of 3 shown`, "get_gene.response"},
	} {
		text, code, requests := asked(t, srv, line)
		sent := ""
		for _, r := range requests {
			if r.Endpoint == "studies" {
				for name, values := range r.Params {
					sent += name + "=" + values[0] + "\n"
				}
			}
		}
		if code != 0 || !strings.Contains(text, want.text) || !strings.Contains(sent, want.expression) || want.expression == "" && sent != "" {
			t.Errorf("%s: exit %d, %q: %s", line, code, sent, text)
		}
		if want.schema != "" {
			validate(t, want.schema, line, text)
		}
	}
}

// A source that is down costs its own section alone; where GTR is, its local table answers.
func TestSectionsOfDownSources(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	app := ncbiApp(t, srv)
	app.Env.Network.MaxRetries = 0
	if text, code := ask(t, app, command.Person, "sync gtr"); code != 0 {
		t.Fatal(text)
	}
	for endpoint, want := range map[string]string{
		"topics":       `{"key":"plain","label":"In plain words","outcome":"unavailable","sources":["MedlinePlus"]}`,
		"autocomplete": `{"key":"drugs","label":"Drugs","outcome":"unavailable","sources":["PubTator3"]}`,
		"esearch":      `{"key":"variants","label":"Variants","outcome":"unavailable","sources":["ClinVar"]},{"key":"diagnostics","label":"Diagnostics","outcome":"data","sources":["Genetic Testing Registry (local table)"]}`,
	} {
		if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.Down503, Times: -1}); err != nil {
			t.Fatal(err)
		}
		text, code := ask(t, app, command.Agent, "get disease 9944 variants diagnostics drugs trials plain --json --no-cache")
		if code != 0 || !strings.Contains(text, want) || !strings.Contains(text, `"key":"trials","label":"Trials","outcome":"`) {
			t.Errorf("%s: exit %d: %s", endpoint, code, text)
		}
		if endpoint == "esearch" && !strings.Contains(text, "tests of C0025202: Genetic Testing Registry (local table gtr, as of ") {
			t.Errorf("%s: %s", endpoint, text)
		}
		srv.Behave()
	}
}

// A local table that is not there does not hide what another source found.
func TestDiagnosticWithoutATable(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	text, code, _ := exchanges(t, srv, "get diagnostic GTR000900001 XYZ --json")
	if code != 0 || !strings.Contains(text, `"accession":"GTR000900001"`) || !strings.Contains(text, `"not_found":["XYZ"]`) || !strings.Contains(text, "the local table who-ivd is not on this machine") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code, _ := exchanges(t, srv, "get diagnostic XYZ --json"); code != 1 || !strings.Contains(text, "biomcp sync who-ivd") {
		t.Errorf("exit %d: %s", code, text)
	}
}
