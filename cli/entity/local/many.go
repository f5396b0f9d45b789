package local

import (
	"context"
	"fmt"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
)

// A Part is the contribution of one data set to an answer from several: a query, and a function
// that converts its records to hits.
type Part[H any] struct {
	Set   *bulk.Set
	Query table.Query
	Hit   func(r table.Record, info table.Info) (H, error)
}

// An Answer is a page of records from several data sets, one set after the other.
type Answer[H any] struct {
	Hits     []H
	Total    *int // nil if a set is absent
	Counts   []string
	Notices  []string
	Sections []result.SectionSource
	Asked    int      // number of sets that answered
	Empty    []string // the sets without a hit, each with its date: "GenCC's table of 2026-11-21"
}

// FindInSets searches several data sets, in this order, for one page. An absent set is named in a notice
// and makes the total unknown.
func FindInSets[H any](ctx context.Context, in *command.Input, offset, limit int, parts ...Part[H]) (*Answer[H], error) {
	a := &Answer[H]{}
	total := 0
	for _, p := range parts {
		p.Query.Offset, p.Query.Limit = max(0, offset-total), limit-len(a.Hits)
		section := result.SectionSource{Key: p.Set.Name, Label: p.Set.Label, Outcome: result.Unavailable,
			Sources: []string{p.Set.Label}}
		found, err := Find(ctx, in.App, p.Set, p.Query)
		switch {
		case table.IsAbsent(err):
			notice := fmt.Sprintf("the local table %s (%s) is not on this machine and was not searched; "+
				"biomcp sync %s stores it", p.Set.Name, p.Set.Label, p.Set.Name)
			a.Notices = append(a.Notices, in.OwnerNotice(notice))
			a.Sections = append(a.Sections, section)
			continue
		case err != nil:
			return nil, err
		}
		for _, r := range found.Records {
			h, err := p.Hit(r, found.Info)
			if err != nil {
				return nil, err
			}
			a.Hits = append(a.Hits, h)
		}
		if found.Total == 0 {
			a.Empty = append(a.Empty, fmt.Sprintf("%s's table of %s", p.Set.Label, AsOf(found.Info)))
		}
		total += found.Total
		a.Asked++
		a.Counts = append(a.Counts, fmt.Sprintf("%s: %d", Origin(p.Set, found.Info), found.Total))
		if old := StaleNotice(in.App, p.Set, found.Info); old != "" {
			a.Notices = append(a.Notices, in.OwnerNotice(old))
		}
		section.Outcome = entity.DataOrEmpty(found.Total)
		a.Sections = append(a.Sections, section)
	}
	if a.Asked == len(parts) {
		a.Total = &total
	}
	return a, nil
}

// AsOf returns the day when the source last confirmed this version, in the form of answers.
func AsOf(info table.Info) string { return info.CheckedAt.Format(time.DateOnly) }
