package article

import (
	"context"

	"biomcp/entrez"
)

// citations are how many articles in PMC cite each of some articles, by PMID, nil
// where that is not known.
type citations struct {
	of      map[string]*int
	notices []string
}

// countCitations asks ESummary. An article is whole without the number.
func countCitations(ctx context.Context, client *entrez.Client, pmids []string) citations {
	out := citations{of: map[string]*int{}}
	sums, err := client.Summaries(ctx, "pubmed", pmids)
	if err != nil {
		out.notices = []string{"how often articles are cited is missing: " + err.Error()}
		return out
	}
	for _, s := range sums.Items {
		out.of[s.UID] = s.CitedInPMC
	}
	return out
}
