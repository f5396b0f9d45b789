package entity

import (
	"context"
	"slices"

	"biomcp/cli/command"
	"biomcp/entrez/httpclient"
)

// hasOtherNames reports whether any filter supports other names.
func (s *SearchOf[H]) hasOtherNames() bool {
	return slices.ContainsFunc(s.Filters, func(f Filter) bool { return f.OtherNames != nil })
}

// resolveNames adds other names to the filters of a query, each with a notice, unless --exact is given.
// If a source does not answer, the search goes on without its names.
func (s *SearchOf[H]) resolveNames(ctx context.Context, in *command.Input, q *Query) {
	if !s.hasOtherNames() || in.Bool("exact") {
		return
	}
	notices := make([]string, len(q.Filters))
	var asks []func(context.Context)
	for i := range q.Filters {
		for _, f := range s.Filters {
			if applied := &q.Filters[i]; f.Flag == applied.Flag && f.OtherNames != nil {
				asks = append(asks, func(ctx context.Context) {
					other, err := f.OtherNames(ctx, in, applied.Value)
					notices[i] = applied.AddNames(other, err, f.Term)
				})
			}
		}
	}
	_ = httpclient.FetchOptional(ctx, asks...) // the search reports a cancelled ctx
	for _, n := range notices {
		if n != "" {
			q.Notices = append(q.Notices, n)
		}
	}
}
