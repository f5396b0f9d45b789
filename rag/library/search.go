package library

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/store/library"
)

// A Searcher searches one library. It may be used by several goroutines.
type Searcher struct {
	Library *library.Library

	mu    sync.Mutex
	index index
}

// NewSearcher returns a Searcher of a library.
func NewSearcher(l *library.Library) *Searcher { return &Searcher{Library: l, index: newIndex()} }

// A Query describes a search. An empty field restricts nothing. Names are compared without
// regard to case.
type Query struct {
	Text     string
	Project  string
	Category string
	Tags     []string // a hit must have all of them
}

// A Hit is a matching file with its score, which is zero if the query has no text.
type Hit struct {
	library.File
	Score float64
}

// An Answer holds every hit, best first. If the query has no text, they are ordered by project
// and name.
type Answer struct {
	Hits     []Hit
	Files    []library.File // all files of the library
	Problems []string       // problems with files of the folder
	Query    rag.Query      // parsed text of the query
}

// Search finds the files that match a query, in their present state.
func (s *Searcher) Search(ctx context.Context, q Query) (*Answer, error) {
	files, problems, err := s.Library.Files(ctx)
	if err != nil {
		return nil, err
	}
	out := &Answer{Files: files, Problems: problems}
	if strings.TrimSpace(q.Text) == "" {
		for _, f := range files {
			if q.passes(&f) {
				out.Hits = append(out.Hits, Hit{File: f})
			}
		}
		return out, nil
	}
	out.Query = rag.ParseQuery(analyze.New(), q.Text)
	scorer, err := s.prepare(ctx, out)
	if err != nil {
		return nil, err
	}
	for i, f := range out.Files {
		if scorer.bags[i].Matches(out.Query.Lexical) && q.passes(&f) {
			out.Hits = append(out.Hits, Hit{f, scorer.score(i, out.Query.Lexical)})
		}
	}
	slices.SortStableFunc(out.Hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return out, nil
}

// prepare updates the index and returns a scorer, which later searches do not change.
func (s *Searcher) prepare(ctx context.Context, a *Answer) (*scorer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	files, err := s.index.update(ctx, s.Library, a.Files)
	if err != nil {
		return nil, err
	}
	a.Files = files
	docs := make([]*doc, len(files))
	for i := range files {
		docs[i] = s.index.docs[keyOf(&files[i])]
	}
	return newScorer(docs, s.index.queryTerms(a.Query.Lexical)), nil
}

func (q *Query) passes(f *library.File) bool {
	for _, tag := range q.Tags {
		if !slices.ContainsFunc(f.Tags, func(t string) bool { return strings.EqualFold(t, strings.TrimSpace(tag)) }) {
			return false
		}
	}
	return (q.Project == "" || strings.EqualFold(q.Project, f.Project)) &&
		(q.Category == "" || strings.EqualFold(strings.TrimSpace(q.Category), f.Category))
}

// Snippet returns the part of a file's text that fits the query best, as running text of at
// most about limit bytes. Without a query it returns the beginning.
func (a *Answer) Snippet(f *library.File, text string, limit int) string {
	body := plainText(library.Body(text), f.Title)
	if a.Query.Lexical == nil && len(body) > 4*limit {
		body = strings.ToValidUTF8(body[:4*limit], "")
	}
	return a.Query.Passage(analyze.New(), body, limit)
}

// marks matches the Markdown marks of a heading, a quotation or a list at the beginning of a
// line.
var marks = pattern.Lazy(`^((#{1,6}|[>*+-])\s+)+`)

// plainText converts Markdown to running text. It removes marks of emphasis and at the
// beginnings of lines, ends headings with a full stop, and leaves out the heading that is the
// title.
func plainText(body, title string) string {
	var b strings.Builder
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		heading := strings.HasPrefix(line, "#")
		line = strings.ReplaceAll(marks().ReplaceAllString(line, ""), "**", "")
		if heading && line == title || strings.Trim(line, "#>*-+=`~_|: ") == "" { // a rule or a fence
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(line)
		if heading && !strings.ContainsAny(line[len(line)-1:], ".:!?") {
			b.WriteByte('.')
		}
	}
	return b.String()
}
