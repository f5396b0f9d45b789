package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// A Filter restricts a search. It defines one flag, or two to four for a date range.
type Filter struct {
	Flag, Letter, Usage string
	Synonyms            []string         // synonyms of the flag
	ValueSynonyms       command.Synonyms // synonyms of its values
	Values              []string         // the allowed values; none allows any text
	Multiple            bool             // accepts several of Values, separated by commas
	// Spelling converts another spelling of a value to one of Values, and returns other words
	// unchanged.
	Spelling     func(word string) string
	RequireKnown bool   // an error if the source does not know the value
	Single       bool   // a text that can be given once; otherwise the flag can be repeated
	Switch       bool   // takes no value
	Exclude      bool   // excludes hits, and so is not a search by itself
	MatchAny     bool   // a hit must match one of the filters with MatchAny, not all
	Dates        *Dates // the filter is a date range, and Flag is its name in the answer

	// Term converts a value to the term that the source receives; nil sends the value itself. It
	// returns an error if the source could misread the value.
	Term func(value string) (string, error)
	// MatchesQuery reports whether a query that consists of text alone is a value of the filter, such as a
	// place on a chromosome. If nil, no query is.
	MatchesQuery func(text string) bool
	// OtherNames returns other names of the thing that value names, to search for them too. If nil, the
	// search uses the value alone.
	OtherNames func(ctx context.Context, in *command.Input, value string) (OtherNames, error)
}

// Dates defines the flags --date-from, --date-to and --last and, if there are Types, --date-type.
type Dates struct {
	From, To, Type string   // the usage of each flag
	Types          []string // the first is the default
	// Term converts the range to the term that the source receives, after filling in an open end of
	// s. If nil, the source receives the range itself.
	Term func(s *Span, dateType string) (term, notice string)
}

// AppliedFilter is a filter in use, both as the user typed it and as the source received it.
type AppliedFilter struct {
	Flag  string `json:"flag"`
	Value string `json:"value"`
	Term  string `json:"term"`
	// Dropped reports whether the source ignored the filter or a part of it.
	Dropped bool `json:"dropped"`

	Exclude  bool `json:"-"` // as in the Filter
	MatchAny bool `json:"-"`

	FullyDropped bool   `json:"-"` // the source ignored all of it
	Narrows      bool   `json:"-"` // it only narrows the hits, such as a date or a kind, and does not name a subject
	Alternatives string `json:"-"` // the names to search for, one per line, joined with OR; or ""
}

// Names returns the searched names: the value and its other names, or only the latter if the value
// is an ID.
func (f AppliedFilter) Names() []string { return strings.Split(cmp.Or(f.Alternatives, f.Value), "\n") }

// Define adds the flags of the filter.
func (f *Filter) Define(flags *command.Flags) {
	switch {
	case f.Dates != nil:
		flags.String("date-from", "", f.Dates.From)
		flags.String("date-to", "", f.Dates.To)
		flags.String("last", "", "the last years, months or days: 5y, 6m, 30d")
		flags.AddSynonyms("date-from", "since", "from", "after", "from-date", "start-date", "mindate", "min-date",
			"year-from", "from-year")
		flags.AddSynonyms("date-to", "until", "to", "before", "to-date", "end-date", "maxdate", "max-date", "year-to",
			"to-year")
		flags.AddSynonyms("last", "past", "recent", "within")
		flags.Group(command.FilterFlags, "date-from", "date-to", "last")
		flags.Excludes("last", "", "date-from", "date-to")
		if len(f.Dates.Types) > 0 {
			flags.Enum("date-type", f.Dates.Types[0], f.Dates.Type, f.Dates.Types...)
			flags.Group(command.FilterFlags, "date-type")
		}
		return
	case f.Switch:
		flags.Bool(f.Flag, false, f.Usage)
	case f.Multiple:
		flags.EnumList(f.Flag, "", f.Usage, f.Values...)
	case len(f.Values) > 0:
		flags.Enum(f.Flag, "", f.Usage, f.Values...)
	case f.Single:
		flags.String(f.Flag, "", f.Usage)
	default:
		flags.StringsP(f.Flag, f.Letter, f.Usage)
	}
	if f.narrows() {
		flags.Group(command.FilterFlags, f.Flag)
	} else {
		flags.Group(command.SubjectFlags, f.Flag)
	}
	if f.Spelling != nil {
		flags.Spelling(f.Flag, f.Spelling)
	}
	if f.ValueSynonyms != nil {
		flags.AddValueSynonyms(f.Flag, f.ValueSynonyms)
	}
	if len(f.Synonyms) > 0 {
		flags.AddSynonyms(f.Flag, f.Synonyms...)
	}
}

// Read adds the filter to q, once for each value on the command line.
func (f *Filter) Read(in *command.Input, q *Query, help []string) error {
	if f.Dates != nil {
		return f.readDates(in, q, help)
	}
	var values []string
	switch {
	case f.Switch:
		if in.Bool(f.Flag) {
			values = []string{"true"}
		}
	case f.Single || len(f.Values) > 0:
		if v := strings.TrimSpace(in.String(f.Flag)); v != "" {
			values = []string{v}
		}
	default:
		values = in.Strings(f.Flag)
	}
	for _, v := range values {
		if err := CheckText("--"+f.Flag, v, maxText, "", help...); err != nil {
			return err
		}
		if len(f.Values) == 0 && !f.Switch {
			if name := f.canonicalValue(v); name != "" {
				q.Notices = append(q.Notices, "--"+f.Flag+" "+v+" is read as "+name)
				v = name
			}
		}
		term := v
		var err error
		if f.Term != nil {
			term, err = f.Term(v)
		}
		if len(f.splitValues(v)) > 2 && (err != nil || f.OtherNames != nil) {
			return result.Invalid("--"+f.Flag+" takes one name; repeat it for each name (all must match): "+
				command.Clip(v), in.LineWith(f.splitValues(values...)...)...)
		}
		if err != nil {
			check := func(v string) error { _, err := f.Term(v); return err }
			return SuggestBalanced(err, v, check, func(v string) result.Argv { return in.LineWith("--"+f.Flag, v) })
		}
		q.Filters = append(q.Filters, AppliedFilter{
			Flag: f.Flag, Value: v, Term: term, Exclude: f.Exclude, MatchAny: f.MatchAny,
			Narrows: f.narrows(),
		})
	}
	return nil
}

// narrows reports whether the filter only narrows the hits and does not name a subject.
func (f *Filter) narrows() bool {
	return f.Switch || f.RequireKnown || f.Exclude || len(f.Values) > 0 || f.Dates != nil
}

// splitValues returns one flag and value for each name in values. It splits a value that is a list of
// names, such as BRAF,TP53, at its commas. With blanks after the commas only a list in capitals is
// one, since "Anemia, aplastic" is a name.
func (f *Filter) splitValues(values ...string) (pairs []string) {
	notName := func(n string) bool {
		return len(n) < 2 || strings.Contains(n, " ") || !unicode.IsLetter(rune(n[0]))
	}
	for _, v := range values {
		names := strings.Split(v, ",")
		if strings.ToUpper(v) == v {
			names = SplitList(v)
		}
		if f.Single || slices.ContainsFunc(names, notName) {
			names = []string{v}
		}
		for _, n := range names {
			pairs = append(pairs, "--"+f.Flag, n)
		}
	}
	return pairs
}

// canonicalValue returns the value that text is a synonym of, or "".
func (f *Filter) canonicalValue(text string) string {
	for name, words := range f.ValueSynonyms {
		if !strings.EqualFold(text, name) && command.MatchesName(text, name, strings.Fields(words)) {
			return name
		}
	}
	return ""
}

// readDates adds the date range of the command line to q.
func (f *Filter) readDates(in *command.Input, q *Query, help []string) (err error) {
	if q.Dates, err = readSpan(in, help...); err != nil {
		return err
	}
	if q.Dates == (Span{}) {
		if len(f.Dates.Types) > 0 && in.Given("date-type") {
			q.Notices = append(q.Notices, "--date-type has no effect without --date-from, --date-to or --last")
		}
		return nil
	}
	dateType, term, notice := "", "", ""
	if len(f.Dates.Types) > 0 {
		dateType = in.String("date-type")
	}
	if f.Dates.Term != nil {
		if term, notice = f.Dates.Term(&q.Dates, dateType); notice != "" {
			q.Notices = append(q.Notices, notice)
		}
	}
	from, to := cmp.Or(q.Dates.From.String(), "any"), cmp.Or(q.Dates.To.String(), "any")
	value := strings.TrimSuffix(fmt.Sprintf("%s to %s, %s", from, to, dateType), ", ")
	term = cmp.Or(term, value)
	q.Filters = append(q.Filters, AppliedFilter{Flag: f.Flag, Value: value, Term: term, Narrows: true})
	return nil
}
