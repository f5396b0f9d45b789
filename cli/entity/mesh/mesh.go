// Package mesh provides the entity of MeSH headings, the vocabulary with which PubMed is indexed.
package mesh

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

type heading struct {
	UI         string   `json:"ui"`
	Name       string   `json:"name"`
	Synonyms   []string `json:"synonyms"`
	ScopeNote  string   `json:"scope_note"`
	TreeNumber []string `json:"tree_numbers"`
	Kind       string   `json:"type"`
}

// Entity returns the entity of MeSH headings.
func Entity() entity.Entity {
	return entity.Entity{Name: "mesh", Search: entity.Search(entity.SearchSpec[heading]{
		Name: "mesh", Synonyms: []string{"heading", "mesh-term", "meshterm", "descriptor"}, Placeholder: "<term>",
		Command: command.Command{
			Short: "Find MeSH headings, with their synonyms and scope",
			Help: command.Help{
				Purpose: "MeSH is the vocabulary with which PubMed is indexed. Use a heading found here with " +
					"search article --mesh.",
				Input:  "A word or a phrase: a heading, a synonym or a part of one.",
				Output: "One row per heading.",
			},
			Examples: []command.Example{{Line: `biomcp search mesh "heart attack"`,
				Explanation: "what MeSH calls a heart attack"}},
		},
		Source: "MeSH", Sources: []string{"MeSH (NCBI)"}, Key: "results", Label: "Headings",
		Pages: entity.Pages{Limit: 10, Max: 100},
		Find:  findHeadings, Alternatives: entity.Alternatives{Spell: spelling.Correct},
		Rows: entity.Rows[heading]{
			Columns: []string{"UI", "Heading", "Also called", "Scope"},
			Row: func(h *heading) []string {
				return []string{h.UI, h.Name, entity.EtAl(h.Synonyms, 5), h.ScopeNote}
			},
		},
		Next: func(h *heading) []result.Argv { return []result.Argv{{"search", "article", "--mesh", h.Name}} },
	})}
}

// findHeadings searches NCBI. With --offline it falls back to the local table.
func findHeadings(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[heading], error) {
	found, err := in.App.Entrez().MeshTerms(ctx, q.Text, q.Offset, q.Limit)
	if httpclient.IsKind(err, httpclient.Unreachable) && in.Bool("offline") {
		if page, inTable := fromTable(ctx, in, q); inTable == nil {
			return page, nil
		}
	}
	if found == nil {
		return nil, err
	}
	p := &entity.Page[heading]{
		Total: &found.Search.Count, Retrieved: found.Read, Dropped: found.Search.DroppedTerms(), Err: err,
	}
	for _, m := range found.Items {
		p.Hits = append(p.Hits, &heading{UI: m.UI, Name: m.Name, Synonyms: m.EntryTerms, ScopeNote: m.ScopeNote,
			TreeNumber: m.TreeNumbers, Kind: m.RecordType})
	}
	if len(found.Missing) > 0 {
		p.State = result.Degraded
		p.Notices = append(p.Notices, "NCBI gave no description of "+strings.Join(found.Missing, ", "))
	}
	if found.Unread != nil {
		p.State, p.Notices = result.Degraded, append(p.Notices, found.Unread.Error())
	}
	return p, nil
}

// fromTable searches the local table of MeSH.
func fromTable(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[heading], error) {
	a, err := local.FindInSets(ctx, in, q.Offset, q.Limit, local.Part[heading]{
		Set: bulk.MeSH, Query: table.Query{Text: q.Text}, Hit: func(r table.Record, _ table.Info) (heading, error) {
			h, err := local.Read[sets.Heading](r)
			if err != nil {
				return heading{}, err
			}
			return heading{UI: h.UI, Name: h.Name, Synonyms: h.EntryTerms, ScopeNote: h.ScopeNote,
				TreeNumber: h.TreeNumbers, Kind: h.Class}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	if a.Asked == 0 {
		return nil, local.AbsentFailure("headings", bulk.MeSH)
	}
	notices := append([]string{"--offline: the headings come from the local table: " + strings.Join(a.Counts, "")},
		a.Notices...)
	return &entity.Page[heading]{Hits: entity.Pointers(a.Hits), Total: a.Total, Notices: notices,
		Sections: a.Sections}, nil
}
