package entrez_test

import (
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/record"
)

// A phrase that NCBI did not find was dropped, unless the search has no hits and its translation
// contains each word of the phrase.
func TestDroppedPhrases(t *testing.T) {
	for name, c := range map[string]struct {
		found entrez.SearchResult
		want  record.DroppedTerm
	}{
		"the rest has hits":       {entrez.SearchResult{Count: 3, Translation: "9606[TID]"}, record.DroppedTerm{Phrase: "linked to BRAF", Action: "does not know, and dropped from the search", NotSearched: true}},
		"word by word":            {entrez.SearchResult{Translation: "(linked[All Fields] AND to[All Fields] AND BRAF[All Fields])"}, record.DroppedTerm{Phrase: "linked to BRAF", Action: "does not know"}},
		"the rest has no hits":    {entrez.SearchResult{Translation: "BRAF[All Fields]"}, record.DroppedTerm{Phrase: "linked to BRAF", Action: "does not know, and dropped from the search"}},
		"a part of another word":  {entrez.SearchResult{Translation: "BRAF[All Fields] AND unlinked[All Fields] AND to[All Fields]"}, record.DroppedTerm{Phrase: "linked to BRAF", Action: "does not know, and dropped from the search"}},
		"in capitals, with marks": {entrez.SearchResult{Translation: `"LINKED"[All Fields] AND "to-braf"[All Fields]`}, record.DroppedTerm{Phrase: "linked to BRAF", Action: "does not know"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.found.PhrasesNotFound = []string{"linked to BRAF"}
			if got := c.found.DroppedTerms(); len(got) != 1 || got[0] != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}
