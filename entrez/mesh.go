package entrez

import "context"

// MeshTerm is a MeSH descriptor, qualifier or supplementary concept. Name is its first term;
// EntryTerms are the others.
type MeshTerm struct {
	UI          string // D009369
	Name        string
	RecordType  string
	ScopeNote   string
	EntryTerms  []string
	TreeNumbers []string
}

// MeshTerms holds the terms of db=mesh for a word, in NCBI's order. Search holds the total count
// and the words that NCBI dropped. Missing lists the UIDs without a description. Unread, if not nil,
// names the terms whose summary is too large. Read is the number of terms about which NCBI answered.
type MeshTerms struct {
	Items   []MeshTerm
	Missing []string
	Unread  error
	Search  *SearchResult
	Read    int
}

// MeshTerms searches MeSH by ESearch and ESummary of db=mesh. It returns at most limit terms from
// offset. If a later request for summaries fails, it returns the terms read so far with the error.
func (c *Client) MeshTerms(ctx context.Context, term string, offset, limit int) (*MeshTerms, error) {
	found, docs, err := c.FindDocs(ctx, SearchParams{DB: "mesh", Term: term, RetStart: offset, RetMax: limit})
	if err != nil && (docs == nil || docs.Read() == 0) {
		return nil, err
	}
	out := &MeshTerms{Items: []MeshTerm{}, Missing: docs.Missing, Unread: docs.Unread(), Search: found, Read: docs.Read()}
	for _, d := range docs.Items {
		terms := d.Texts("ds_meshterms")
		if len(terms) == 0 {
			out.Missing = append(out.Missing, d.UID)
			continue
		}
		out.Items = append(out.Items, MeshTerm{
			UI: d.Text("ds_meshui"), Name: terms[0], RecordType: d.Text("ds_recordtype"),
			ScopeNote: d.Text("ds_scopenote"), EntryTerms: terms[1:], TreeNumbers: d.Texts("ds_idxlinks.#.treenum"),
		})
	}
	return out, err
}
