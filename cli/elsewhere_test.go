package cli

import (
	"strings"
	"testing"
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
	} {
		text, code, _ := asked(t, srv, line)
		if code != 0 || !strings.Contains(text, want.text) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
		if want.schema != "" {
			validate(t, schema(t, want.schema), line, text)
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
		validate(t, schema(t, want.schema), line, text)
	}
}
