package library

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	ranked "biomcp/rag/library"
	"biomcp/store/library"
)

// hit is a file that matches a search.
type hit struct {
	file
	Snippet *string  `json:"snippet"` // null if the file has no text
	Score   *float64 `json:"score"`   // null without a query
}

// snippetLength is the approximate length of a snippet in bytes.
const snippetLength = 240

// Entity returns the definition of the library entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[fileText]{
		Name: "library", Synonyms: []string{"note", "notes", "notebook"},
		IDs: entity.IDs{Placeholder: "<project>/<file>", Max: 1},
		Get: command.Command{
			LocalOnly: true,
			Args:      command.Args{Min: 1, Max: 1, Name: "one file: <project>/<file>", FreeText: true},
			Short:     "Read a file of your research library",
			Help: command.Help{
				Purpose: "The library is a folder of projects (BIOMCP_LIBRARY_DIR), each with markdown files. " +
					"An MCP client reads the same files as research:// resources.",
				Input:  "A project and a file of it, as search library lists them, or its research:// address.",
				Output: "The text of the file, front matter included, and nothing else.",
				Surprises: "--lines reads a part of a long file. Links are not followed, and names are written " +
					"as the folder has them.",
			},
			Examples: []command.Example{{
				Line: "biomcp get library glp1-obesity/README.md", Explanation: "the text of one file",
			}},
			Flags: func(f *command.Flags) {
				f.String("lines", "", "which lines of the text: 12 or 3-40 or 41-")
				f.Group(command.OutputFlags, "lines")
			},
		},
		Fetch: get, Smaller: fewerLines,
		Search: search(),
	})
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[hit]{
		Name: "library", Placeholder: "[query]", AllowEmpty: true,
		Command: command.Command{
			LocalOnly: true,
			Short:     "Search the notes and articles of your research library",
			Help: command.Help{
				Purpose: "The library is a folder of projects (BIOMCP_LIBRARY_DIR), each with markdown files " +
					"whose front matter gives title, category, tags and created.",
				Input: "Words, in the grammar of search corpus: \"a phrase\", prefix*, AND, OR, NOT. " +
					"Without a query every file is listed.",
				Output: "The files with the passages that match, the best first; without a query a table by " +
					"project and name. Titles count most, then tags.",
				Surprises: "A file without category or tags has those of its project's README.md. Changes in " +
					"the folder are seen at once.",
			},
			Examples: []command.Example{
				{Line: "biomcp search library weight loss", Explanation: "your notes on weight loss"},
				{
					Line:        "biomcp search library --tag glp-1 --category obesity",
					Explanation: "every file of a category with a tag",
				},
			},
			Flags: func(f *command.Flags) { f.Rare("project", "category", "tag") },
		},
		Source: "Research library", Sources: []string{"research library"}, Key: "results", Label: "Files",
		Filters: []entity.Filter{
			{Flag: "category", Usage: "category, as the file or its project's README.md has it", Single: true},
			{Flag: "tag", Usage: "tag"},
			{Flag: "project", Usage: "files of one project", Single: true},
		},
		Pages: entity.Pages{Limit: 20, Max: 200},
		Find:  find,
		Alternatives: entity.Alternatives{
			Count: func(ctx context.Context, in *command.Input, q *entity.Query) (int, error) {
				_, found, err := ask(ctx, in, q)
				if err != nil {
					return 0, err
				}
				return len(found.Hits), nil
			},
			OtherSearches: func(_ context.Context, _ *command.Input, q *entity.Query) ([]result.Argv, string) {
				if q.Text == "" {
					return nil, ""
				}
				return []result.Argv{{"search", "article", q.Text}}, ""
			},
		},
		Rows: entity.Rows[hit]{
			Columns: []string{"File", "Title", "Category", "Tags", "Created"},
			Row: func(h *hit) []string {
				day, _, _ := strings.Cut(h.Created, "T")
				return []string{h.id(), h.Title, entity.Deref(h.Category), strings.Join(h.Tags, ", "), day}
			},
		},
		Next: func(h *hit) []result.Argv { return []result.Argv{{"get", "library", h.id()}} },
	})
}

func ask(ctx context.Context, in *command.Input, q *entity.Query) (*ranked.Searcher, *ranked.Answer, error) {
	searcher, err := in.App.Library()
	if err != nil {
		return nil, nil, err
	}
	found, err := searcher.Search(ctx, ranked.Query{
		Text: q.Text, Project: q.Value("project"), Category: q.Value("category"), Tags: q.Values("tag"),
	})
	return searcher, found, err
}

func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	searcher, found, err := ask(ctx, in, q)
	if err != nil {
		return nil, err
	}
	total := len(found.Hits)
	p := &entity.Page[hit]{Total: &total, Notices: append(unknownValues(q, found), problems(found.Problems)...)}
	if q.Text != "" && !entity.IsData(in) {
		p.Payload = func(h *entity.Hits[hit]) result.Payload { return passages{h} }
	}
	from := min(q.Offset, total)
	for _, h := range found.Hits[from:min(from+q.Limit, total)] {
		row := &hit{file: fileOf(&h.File)}
		if q.Text != "" {
			row.Score = new(math.Round(h.Score*1e6) / 1e6)
		}
		// a file deleted since then has no passage
		if f, body, err := searcher.Library.Read(h.Project, h.Name); err == nil {
			if snippet := found.Snippet(f, body, snippetLength); snippet != "" {
				row.Snippet = &snippet
			}
		}
		p.Hits = append(p.Hits, row)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return p, nil
}

// passages is the answer of a search with a query.
type passages struct{ *entity.Hits[hit] }

func (p passages) Doc() result.Doc {
	doc := p.Hits.Doc()[:2] // keep the title and the number of hits
	for i, h := range p.PageOf.Hits {
		day, _, _ := strings.Cut(h.Created, "T")
		doc = append(doc, result.Heading{Level: 2, Text: fmt.Sprintf("%d. %s", p.Offset+i+1, h.Title)}, result.Fields{
			{Name: "File", Value: h.id()}, {Name: "Category", Value: entity.Deref(h.Category)},
			{Name: "Tags", Value: strings.Join(h.Tags, ", ")}, {Name: "Created", Value: day},
		})
		if h.Snippet != nil {
			doc = append(doc, result.Quote{Text: *h.Snippet})
		}
		doc = append(doc, result.ItemEnd{})
	}
	return doc
}

// maxProblems is the maximum number of unreadable files that notices name.
const maxProblems = 5

func problems(all []string) []string {
	if len(all) <= maxProblems {
		return all
	}
	return append(slices.Clone(all[:maxProblems]), fmt.Sprintf("and %d more files or folders cannot be served",
		len(all)-maxProblems))
}

// unknownValues returns notices for filter values that no file has, with the available values.
func unknownValues(q *entity.Query, found *ranked.Answer) (notices []string) {
	if len(found.Files) == 0 {
		return []string{"the library is empty: its owner adds files to it with library init and library add, " +
			"or any editor"}
	}
	for _, c := range []struct {
		flag   string
		values func(*library.File) []string
	}{
		{"category", func(f *library.File) []string { return []string{f.Category} }},
		{"tag", func(f *library.File) []string { return f.Tags }},
		{"project", func(f *library.File) []string { return []string{f.Project} }},
	} {
		var names []string
		for i := range found.Files {
			names = append(names, c.values(&found.Files[i])...)
		}
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" })
		for _, v := range q.Values(c.flag) {
			if !slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, v) }) {
				there := "no file has any"
				if near := command.Nearest(v, names); near != "" {
					there = "did you mean " + near + "?"
				} else if len(names) > 0 {
					there = "available: " + entity.EtAl(names, 20)
				}
				notices = append(notices, fmt.Sprintf("no file has the %s %q; %s", c.flag, command.Clip(v), there))
			}
		}
	}
	return notices
}
