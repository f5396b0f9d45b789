package cli

import (
	"strings"
	"testing"
)

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
