package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
)

// A word after an id that is a section of another entity, or belongs to another command, is not
// a second id. No request is sent, and the refusal names the right command.
func TestSectionsElsewhere(t *testing.T) {
	srv := breadth(t)
	for line, want := range map[string]string{
		"get gene BRAF expression":               "belongs to study compare --type expression",
		"get gene BRAF safety":                   "sections: articles, variants, diseases, proteins, go, orthologs, diagnostics, trials, drugs, pathways, pgx, evidence, validity, dosage, all; it belongs to get drug",
		"get gene BRAF interaction":              "belongs to get drug",
		"get gene BRAF recruiting":               "belongs to search trial --status RECRUITING",
		"get drug fictinib expression":           "belongs to study compare --type expression",
		"get drug fictinib safety":               "adverse-events",
		"get drug fictinib eligibility":          "belongs to get trial",
		"get disease MONDO:0007947 pathways":     "belongs to get gene",
		"get variant rs113488022 dosing":         "belongs to get drug",
		"batch gene BRAF safety":                 "belongs to get drug",
		"get disease MONDO:0007947 phenotype":    "phenotypes",
		"get article 32051057 expression --json": "study compare --type expression",
	} {
		t.Run(line, func(t *testing.T) {
			text, code, asked := exchanges(t, srv, line)
			if code != 2 || !strings.Contains(text, want) || len(asked) > 0 {
				t.Errorf("exit %d, asked %v: %s", code, asked, text)
			}
		})
	}
	if text, code := ask(t, ncbiApp(t, srv), command.Agent, "get gene braf TP53"); code != 0 {
		t.Errorf("exit %d: %s", code, text)
	}
}
