package eutils_test

import (
	"strings"
	"testing"

	"biomcp/cli/entity/eutils"
)

// Each form of a genomic entity names what was understood and leads to the search that finds it.
func TestExplainLeadsToTheSearchThatFindsTheForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entity, text, reason, try string }{
		{"gene", "EML4-ALK", "EML4::ALK", "search article EML4-ALK"},
		{"variant", "HTT CAG", "repeat in the gene HTT", "search article 'HTT CAG repeat'"},
		{"gene", "22q11.2", "band of a chromosome (22q11.2)", "search gene 22q11.2"},
		{"variant", "22q11.2", "band of a chromosome (22q11.2)", "search variant 22q11.2"},
		{"disease", "22q11.2 deletion", "change of a band", "search disease '22q11.2 deletion'"},
		{"variant", "APOE e4", "rs429358 C, rs7412 C", "get variant rs429358 rs7412"},
		{"variant", "APOE e3", "rs429358 T, rs7412 C", "get variant rs429358 rs7412"},
		{"variant", "APOE e2", "rs429358 T, rs7412 T", "get variant rs429358 rs7412"},
		{"variant", "NC_000022.11:g.(?_18900000)_(21500000_?)del", "between two positions",
			"search variant --region 22:18900000-21500000"},
		{"variant", "NC_000022.10:g.(?_18900000)_(21500000_?)del", "on GRCh37",
			"search variant --region 22:18900000-21500000 --assembly GRCh37"},
	} {
		t.Run(c.entity+" "+c.text, func(t *testing.T) {
			reason, try := eutils.Explain(c.entity, c.text)
			if !strings.Contains(reason, c.reason) {
				t.Errorf("reason %q, want it to contain %q", reason, c.reason)
			}
			if got := strings.TrimPrefix(try.String(), "biomcp "); got != c.try {
				t.Errorf("try %q, want %q", got, c.try)
			}
		})
	}
}

func TestExplainIsSilentOnOtherText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"BRAF", "rs113488022", "melanoma", "BRAF V600E", ""} {
		if reason, try := eutils.Explain("gene", text); reason != "" || try != nil {
			t.Errorf("Explain(%q) = %q, %q; want nothing", text, reason, try)
		}
	}
}
