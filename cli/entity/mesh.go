package entity

import (
	"context"
	"strings"

	"biomcp/cli/command"
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

func mesh() Entity {
	return Entity{Name: "mesh", Search: &command.Command{
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
	if err := checkTerm(term, "search", "mesh", "--help"); err != nil {
		return nil, err
	}
	limit, lowered, err := in.Limit()
	if err != nil {
		return nil, err
	}
	offset, err := pageOffset(in)
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
	hits := meshHits{Query: term, Total: found.Search.Count, Offset: offset, Limit: limit, Dropped: dropped(found.Search), Results: []meshHit{}}
	for _, m := range found.Items {
		hits.Results = append(hits.Results, meshHit{UI: m.UI, Name: m.Name, Synonyms: m.EntryTerms, ScopeNote: m.ScopeNote, TreeNumber: m.TreeNumbers, Kind: m.RecordType})
	}
	res := &result.Result{Payload: hits, Notices: broadened(found.Search)}
	if lowered != "" {
		res.Notice(lowered)
	}
	state := dataOrEmpty(len(hits.Results))
	if len(found.Missing) > 0 {
		state = result.Degraded
		res.Notice("NCBI gave no description of " + strings.Join(found.Missing, ", "))
	}
	if notice := shortPage("MeSH", found.Search, offset, limit); notice != "" {
		state = result.Degraded
		res.Notice(notice)
	}
	if len(hits.Results) > 0 {
		res.Next = append(res.Next, result.Argv{"search", "article", "--mesh", hits.Results[0].Name})
	}
	res.Next = append(res.Next, nextPage(in, found.Search, offset, limit)...)
	res.Sections = []result.SectionSource{{Key: "results", Label: "Headings", Outcome: state, Sources: []string{"MeSH (NCBI)"}}}
	res.Rest = restOfPage(in, offset, limit)
	return res, nil
}

func dataOrEmpty(n int) result.State {
	if n == 0 {
		return result.Empty
	}
	return result.Data
}

// Doc is a table of the headings.
func (h meshHits) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: "MeSH: " + h.Query},
		result.Fields{{Name: "Headings", Value: shown(h.Total, h.Offset, len(h.Results))}},
	}
	if len(h.Results) == 0 {
		return doc
	}
	t := result.Table{Columns: result.Columns("UI", "Heading", "Also called", "Scope"), Main: true}
	for _, m := range h.Results {
		t.Rows = append(t.Rows, []string{m.UI, m.Name, etAl(m.Synonyms, 5), m.ScopeNote})
	}
	return append(doc, t)
}
