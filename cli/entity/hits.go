package entity

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/advice"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// PageOf holds the hits of one page in the order of the source.
type PageOf[H any] struct {
	Hits      []H
	Retrieved int                  // number of hits received, which exceeds len(Hits) if some lack a description
	Total     *int                 // nil if the source does not count
	Effective string               // the query as the source interpreted it, or "" if it does not say
	Dropped   []record.DroppedTerm // the parts of the query that the source ignored or changed
	Notices   []string
	Next      string                 // token of the next page if the search has Tokens; "" on the last page
	State     result.State           // state of the hits; "" means Data or Empty
	Sections  []result.SectionSource // additional sections
	Sources   []string               // the services that answered, if not those of the spec
	// Describe completes the hits. It is called after the page was accepted; a search with --strict
	// may reject it.
	Describe func(ctx context.Context) error
	// Err explains why the answer is incomplete. The answer is printed, but the command fails.
	Err error
	// Columns replaces the columns of the spec, unless nil.
	Columns []string
	// Template is a hit with the columns of all hits in an answer for another program. If nil, the type of
	// the hits has them.
	Template H
	// Records is a list that replaces the hits in an answer for another program, unless nil.
	Records any
	// Payload returns the answer if it is not the Hits themselves. It may be nil.
	Payload func(*HitsOf[H]) result.Payload
	// MoreHits is the command for more hits, if the search has no --limit.
	MoreHits result.Argv
	// Rest is the command for the hits after those of a partial answer, or nil.
	Rest result.Argv
	// Smaller returns the command for a share of the hits, if the search has no --limit.
	Smaller func(share float64) result.Argv
}

// Pointers returns pointers to the members of list, as a [Page] needs them.
func Pointers[H any](list []H) []*H {
	all := make([]*H, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// HitsOf is the answer of a search.
type HitsOf[H any] struct {
	*Query
	*PageOf[H]
	spec *SearchOf[H]
}

// MarshalJSON returns the query, the filters as typed and as sent, the total (null if the source
// does not count), the page and the hits. It omits members that do not apply to the search, such as
// the order.
func (h *HitsOf[H]) MarshalJSON() ([]byte, error) {
	answer := struct {
		Query          string          `json:"query"`
		Effective      string          `json:"effective_term,omitzero"`
		AppliedFilters []AppliedFilter `json:"applied_filters,omitzero"`
		Total          *int            `json:"total"`
		Offset         *int            `json:"offset,omitzero"`
		Limit          *int            `json:"limit,omitzero"`
		Sort           string          `json:"sort,omitzero"`
		Dropped        []string        `json:"dropped_phrases"`
		Results        any             `json:"results"`
		Next           **string        `json:"next_page_token,omitempty"` // null on the last page; omitted without tokens
	}{Query: h.Text, Effective: h.Effective, Total: h.Total, Sort: h.Sort, Dropped: advice.Phrases(h.Dropped), Results: h.Hits}
	if h.spec.Members != nil {
		list, err := members(h.Hits, h.spec.Members)
		if err != nil {
			return nil, err
		}
		answer.Results = list
	}
	if len(h.spec.Filters) > 0 {
		answer.AppliedFilters = h.Filters
	}
	if h.spec.Pages.Tokens {
		answer.Next = new(*string)
		if h.PageOf.Next != "" {
			*answer.Next = &h.PageOf.Next
		}
	}
	if h.spec.Pages.Limit > 0 {
		answer.Offset, answer.Limit = &h.Offset, &h.Limit
	}
	return result.JSON(answer)
}

// Doc returns the number of hits and a table of those on this page.
func (h *HitsOf[H]) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: command.ClipTo(300, h.title())},
		result.Fields{
			{Name: h.spec.Label, Value: hitCount(h.Total, h.Offset, len(h.Hits))},
			{Name: "Searched as", Value: command.ClipTo(1000, h.Effective)},
			{Name: "Order", Value: h.Sort},
		},
	}
	if len(h.Hits) == 0 {
		return doc
	}
	t := result.Table{Columns: result.Columns(h.Columns...), Rows: h.spec.rows(h.PageOf), Main: true, Hits: true}
	if len(t.Rows) == 0 {
		return doc
	}
	return append(doc, t)
}

// title returns the source and the query. If there are only filters and the page has hits, it uses
// the query as the source interpreted it, unless that is long.
func (h *HitsOf[H]) title() string {
	asked := h.Text
	if asked == "" && len(h.Effective) <= 80 && len(h.Hits) > 0 {
		asked = h.Effective
	}
	return strings.TrimSuffix(h.spec.Source+": "+asked, ": ")
}

// rows returns the rows of a page. A hit without a row is omitted.
func (s *SearchOf[H]) rows(page *PageOf[H]) (rows [][]string) {
	for _, h := range page.Hits {
		if row := s.Rows.Row(h); row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}
