package advice

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// A Search describes a search: its filters and the functions that ask its source.
type Search struct {
	Name    string // name of the entity
	Source  string // name of the source in messages: "PubMed"
	Filters []query.Filter
	Strict  bool // the line asks to fail if the source drops a part of the query
	Alternatives
}

// Alternatives provides suggestions for a query that was rejected or found nothing. Each function may be
// nil.
type Alternatives struct {
	// Similar returns the likely intended value of a filter that the source dropped, or "".
	Similar func(ctx context.Context, in *command.Input, f query.AppliedFilter) string
	// Spell returns a better spelling of the query, or "" if there is none.
	Spell func(ctx context.Context, in *command.Input, query string) string
	// Count returns the number of hits of q, which has some filters less than the query that
	// was asked. It stops counting at MaxCount, if MaxCount is not zero.
	Count    func(ctx context.Context, in *command.Input, q *query.Query) (int, error)
	MaxCount int
	// OtherSearches suggests searches of other entities. hits reports their number of hits, if counted:
	// "in the local corpus: 3".
	OtherSearches func(ctx context.Context, in *command.Input, q *query.Query) (lines []result.Argv, hits string)
}

// A Reply says how a source understood a query.
type Reply struct {
	Dropped   []record.DroppedTerm // parts of the query that the source ignored or changed
	Total     *int                 // nil if the source does not count
	Hits      int                  // number of hits of the page
	Effective string               // the query as the source interpreted it, or ""
	IsData    bool                 // the form of the answer has no place for notices
	Notices   []string             // the notices of the answer, to which rules add theirs
}

// Phrases returns the dropped parts of the query as the source names them. It is never nil.
func Phrases(dropped []record.DroppedTerm) []string {
	out := []string{}
	for _, d := range dropped {
		if d.Phrase != "" {
			out = append(out, d.Phrase)
		}
	}
	return out
}

// Broader marks the dropped filters of q. It returns a notice for each way in which the search was
// broader than the query, and the command line with the corrections, or nil if there are none. It
// returns an error if the answer would mislead: with --strict, in a form without notices, or if a filter
// has a value that the source does not know.
func (s *Search) Broader(ctx context.Context, in *command.Input, q *query.Query, reply *Reply) (
	notices []string, corrected result.Argv, err error,
) {
	b := &breadth{Search: s, in: in, q: q, reply: reply, text: q.Text, near: map[int]string{}, phrases: map[string][]string{}}
	for _, d := range reply.Dropped {
		for _, r := range droppedRules {
			if r(ctx, b, d) {
				break
			}
		}
	}
	notices, corrected = b.allNotices(), b.corrected()
	if err := s.checkKnownValues(in, q, corrected); err != nil {
		return nil, nil, err
	}
	if corrected == nil {
		if better := s.betterSpelling(ctx, in, q, reply); better != "" {
			corrected = in.Line([]string{better})
			notices[len(notices)-1] += "; did you mean “" + better + "”?"
		}
	}
	return notices, corrected, s.checkBreadth(in, q, reply, notices, corrected)
}

// NoHits adds suggestions to an answer without hits: the query in another spelling, its words as a
// record and a section or as filters, the query with fewer filters, and other entities.
func (s *Search) NoHits(ctx context.Context, in *command.Input, q *query.Query, res *result.Result) {
	n := &noHits{Search: s, in: in, q: q, res: res, text: q.Text}
	for _, r := range noHitsRules {
		r(ctx, n)
	}
	n.noticeCounts()
}
