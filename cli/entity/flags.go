package entity

import (
	"maps"
	"slices"
	"strings"

	"biomcp/cli/command"
)

// flags defines the flags of a search: those of its filters, then those that every search has.
func (s *SearchOf[H]) flags(f *command.Flags) {
	for i := range s.Filters {
		s.Filters[i].Define(f)
	}
	if len(s.Sorts) > 0 {
		f.Enum("sort", s.Sorts[0], "order", append(slices.Clone(s.Sorts), slices.Sorted(maps.Keys(s.Aliases))...)...)
		f.AddSynonyms("sort", "order", "sort-by", "order-by", "rank")
		f.Group(command.OutputFlags, "sort")
	}
	if s.Strict {
		f.Bool("strict", false, "fail when "+s.Source+" drops a part of the query")
		f.Group(command.SubjectFlags, "strict")
	}
	if s.Pages.Limit > 0 {
		f.Page(s.Pages.Limit, s.Pages.Max)
	}
	if s.Pages.Tokens {
		f.String("page-token", "", "token of the next page, from the previous answer")
		f.Rare("page-token")
		f.Group(command.OutputFlags, "page-token")
		f.Excludes("page-token", "", "offset")
	}
	if s.hasOtherNames() {
		f.Bool("exact", false, "search for names as typed, without their other names")
		f.Rare("exact")
		f.Group(command.SubjectFlags, "exact")
	}
	if s.Counts {
		f.Bool("count", false, "only the number of hits, as --limit 0")
		f.AddSynonyms("count", "total", "count-only", "counts", "only-count")
		f.Group(command.OutputFlags, "count")
		f.Excludes("count", "", slices.Concat(dataFlags, s.Forms, []string{"fields", "offset"})...)
	}
	if s.Next != nil {
		f.Follow("if there is one hit, read it")
	}
	if s.Rows.Columns != nil {
		ValueFlags(f, s.exported())
	}
	if s.Command.Flags != nil {
		s.Command.Flags(f)
	}
}

// exported describes the rows that the search writes for another program.
func (s *SearchOf[H]) exported() string {
	if s.Pages.Limit == 0 {
		return "all hits, at most 10,000,"
	}
	return "all hits, at most 10,000 or --limit,"
}

// usage returns the name of the search with the placeholders of its arguments.
func (s *SearchOf[H]) usage() string {
	use := strings.TrimSpace(s.Name + " " + s.Placeholder)
	if len(s.Filters) > 0 {
		use += " [filters]"
	}
	return use
}
