package entrez

import (
	"context"

	"biomcp/entrez/ncbi"
)

// MeshTerm is a MeSH descriptor, qualifier or supplementary concept. Name is the
// first of its terms, the others are entry terms.
type MeshTerm struct {
	UI          string // D009369
	Name        string
	RecordType  string
	ScopeNote   string
	EntryTerms  []string
	TreeNumbers []string
}

// MeshTerms are what db=mesh has for a word, in NCBI's order. Search carries the
// total and the words NCBI dropped; Missing the UIDs found that NCBI did not
// describe.
type MeshTerms struct {
	Items   []MeshTerm
	Missing []string
	Search  *SearchResult
}

// meshMost is how many terms one call gives: one page of summaries.
const meshMost = summaryCap

// MeshTerms looks a word up in MeSH: ESearch and ESummary of db=mesh, for the
// terms from offset on.
func (c *Client) MeshTerms(ctx context.Context, term string, offset, limit int) (*MeshTerms, error) {
	found, err := c.Search(ctx, SearchParams{DB: "mesh", Term: term, RetStart: offset, RetMax: min(limit, meshMost)})
	if err != nil {
		return nil, err
	}
	out := &MeshTerms{Items: []MeshTerm{}, Missing: []string{}, Search: found}
	if len(found.IDs) == 0 {
		return out, nil
	}
	docs, _, err := summariesAs(ctx, c, "mesh", found.IDs, docSumOf)
	if err != nil {
		return nil, err
	}
	for _, id := range found.IDs {
		d, ok := docs[id]
		if !ok || len(d.MeshTerms) == 0 {
			out.Missing = append(out.Missing, id)
			continue
		}
		t := MeshTerm{
			UI: string(d.MeshUI), Name: d.MeshTerms[0], RecordType: string(d.RecordType),
			ScopeNote: string(d.ScopeNote), EntryTerms: ncbi.List(d.MeshTerms[1:]), TreeNumbers: []string{},
		}
		for _, l := range d.IdxLinks {
			if l.TreeNum != "" {
				t.TreeNumbers = append(t.TreeNumbers, string(l.TreeNum))
			}
		}
		out.Items = append(out.Items, t)
	}
	return out, nil
}
