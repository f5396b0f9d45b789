// Package mesh is the entity of MeSH headings, the vocabulary that PubMed is
// indexed with.
package mesh

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// meshHits is the answer of `search mesh`.
type meshHits struct {
	Query   string    `json:"query"`
	Total   int       `json:"total"`
	Offset  int       `json:"offset"`
	Limit   int       `json:"limit"`
	Dropped []string  `json:"dropped_phrases"`
	Results []meshHit `json:"results"`
}

type meshHit struct {
	UI         string   `json:"ui"`
	Name       string   `json:"name"`
	Synonyms   []string `json:"synonyms"`
	ScopeNote  string   `json:"scope_note"`
	TreeNumber []string `json:"tree_numbers"`
	Kind       string   `json:"type"`
}

func (meshHits) Kind() string { return "mesh.list" }

// Entity is MeSH headings.
func Entity() entity.Entity {
	return entity.Entity{Name: "mesh", Search: &command.Command{
		Use:   "mesh <term>",
		Short: "Find MeSH headings, with their synonyms and scope",
		Help: command.Help{
			About:  "MeSH is the vocabulary PubMed is indexed with. A heading found here is what --mesh of search article takes.",
			Input:  "A word or a phrase: a heading, a synonym or a part of one.",
			Output: "One row a heading.",
		},
		Examples: []command.Example{{Line: `biomcp search mesh "heart attack"`, Does: "what MeSH calls a heart attack"}},
		Effect:   command.Reads,
		Args:     command.Args{Min: 1, Max: 1, Name: "one term"},
		Flags:    func(f *command.Flags) { f.Page(10, 100) },
		Run:      runMeshSearch,
	}}
}

func runMeshSearch(ctx context.Context, in *command.Input) (*result.Result, error) {
	term := strings.TrimSpace(in.Args[0])
	if err := entity.CheckTerm(term, "search", "mesh", "--help"); err != nil {
		return nil, err
	}
	limit, lowered, err := in.Limit()
	if err != nil {
		return nil, err
	}
	offset, err := entity.PageOffset(in)
	if err != nil {
		return nil, err
	}
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	found, err := client.MeshTerms(ctx, term, offset, limit)
	if err != nil {
		return nil, err
	}
	hits := meshHits{Query: term, Total: found.Search.Count, Offset: offset, Limit: limit, Dropped: found.Search.Dropped(), Results: []meshHit{}}
	for _, m := range found.Items {
		hits.Results = append(hits.Results, meshHit{UI: m.UI, Name: m.Name, Synonyms: m.EntryTerms, ScopeNote: m.ScopeNote, TreeNumber: m.TreeNumbers, Kind: m.RecordType})
	}
	res := &result.Result{Payload: hits, Notices: found.Search.Broadened()}
	if lowered != "" {
		res.Notice(lowered)
	}
	state := entity.DataOrEmpty(len(hits.Results))
	if len(found.Missing) > 0 {
		state = result.Degraded
		res.Notice("NCBI gave no description of " + strings.Join(found.Missing, ", "))
	}
	if notice := entity.ShortPage("MeSH", len(found.Search.IDs), found.Search.Count, offset, limit); notice != "" {
		state = result.Degraded
		res.Notice(notice)
	}
	if len(hits.Results) > 0 {
		res.Next = append(res.Next, result.Argv{"search", "article", "--mesh", hits.Results[0].Name})
	}
	res.Next = append(res.Next, entity.NextPage(in, len(found.Search.IDs), found.Search.Count, offset, limit)...)
	res.Sections = []result.SectionSource{{Key: "results", Label: "Headings", Outcome: state, Sources: []string{"MeSH (NCBI)"}}}
	res.Rest = entity.RestOfPage(in, offset, limit)
	return res, nil
}

// Doc is a table of the headings.
func (h meshHits) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: "MeSH: " + h.Query},
		result.Fields{{Name: "Headings", Value: entity.Shown(h.Total, h.Offset, len(h.Results))}},
	}
	if len(h.Results) == 0 {
		return doc
	}
	t := result.Table{Columns: result.Columns("UI", "Heading", "Also called", "Scope"), Main: true}
	for _, m := range h.Results {
		t.Rows = append(t.Rows, []string{m.UI, m.Name, entity.EtAl(m.Synonyms, 5), m.ScopeNote})
	}
	return append(doc, t)
}
