package cli

import (
	"slices"
	"testing"

	"biomcp/entrez/entreztest"
)

func TestGetArticleByDOIWithBrackets(t *testing.T) {
	const doi = "10.5555/0891-6640(2006)20[1389:roccel]2.0.co;2"
	srv := made(t, 2, func(i int, m *entreztest.Made) { m.PMCID, m.DOI = "", []string{doi, "10.5555/other"}[i] })
	g, _ := read(t, ncbiApp(t, srv), "get article '"+doi+"'")
	if !slices.Equal(g.pmids(), generated(1)) {
		t.Errorf("%v, want %v", g.pmids(), generated(1))
	}
}
