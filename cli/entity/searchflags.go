package entity

import (
	"maps"
	"slices"

	"biomcp/cli/command"
)

// flags defines the flags of a search: its filters, then those that searches share.
func (s *SearchOf[H]) flags(f *command.Flags) {
	for i := range s.Filters {
		s.Filters[i].define(f)
	}
	if len(s.Sorts) > 0 {
		f.Enum("sort", s.Sorts[0], "order", append(slices.Clone(s.Sorts), slices.Sorted(maps.Keys(s.Aliases))...)...)
		f.Also("sort", "order", "sort-by", "order-by", "rank")
	}
	if s.Strict {
		f.Bool("strict", false, "fail when "+s.Source+" drops a part of the query")
	}
	if s.Pages.Limit > 0 {
		f.Page(s.Pages.Limit, s.Pages.Max)
	}
	if s.Pages.Tokens {
		f.String("page-token", "", "the next page, by the token of the page before")
		f.Rare("page-token")
	}
	if s.named() {
		f.Bool("exact", false, "search for names as they are typed, not for their other names too")
		f.Rare("exact")
	}
	if s.Counts {
		f.Bool("count", false, "only how many hits there are, as --limit 0")
		f.Also("count", "total", "count-only", "counts", "only-count")
	}
	if s.Next != nil {
		f.Follow("where there is one hit, read it")
	}
	if s.Rows.Columns != nil {
		ValueFlags(f)
	}
	if s.Command.Flags != nil {
		s.Command.Flags(f)
	}
}
