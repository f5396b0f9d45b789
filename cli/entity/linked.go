package entity

import (
	"context"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Part is a section's part of a record. JSON leaves it out where the section was not
// asked for; asked for, it is null where it did not come.
type Part[T any] struct {
	Asked bool
	Value T
}

// IsZero is what omitzero asks.
func (p Part[T]) IsZero() bool { return !p.Asked }

// MarshalJSON is the value's.
func (p Part[T]) MarshalJSON() ([]byte, error) { return result.JSON(p.Value) }

// Linked is a section of a record whose rows are what another source answers about
// it: the articles on a gene. A source that does not answer costs this section alone.
type Linked[R, H any] struct {
	Name, Label, Short string
	Source             string
	Members            []string // further ones of the record's JSON that belong to the section
	// ID names a record in notices.
	ID func(*R) string
	// Rows is the member of the record with the name of the section; Total, which may
	// be nil, the one named "<section>_total".
	Rows  func(*R) *Part[[]H]
	Total func(*R) *Part[*int]
	// Find asks for the rows of one record. It is called for several at once.
	Find    func(ctx context.Context, in *command.Input, r *R) (*Answer[H], error)
	Columns []string
	Row     func(h *H) []string
}

// Answer is what a source answered about one record. Total is nil where it does not
// count, State is Data or Empty where it is empty.
type Answer[H any] struct {
	Rows    []H
	Total   *int
	State   result.State
	Notices []string
	Sources []string // where they are not the section's own
	Parts   []result.SectionSource
}

// Section is the section in the form of all.
func (l Linked[R, H]) Section() Section[R] {
	return Section[R]{
		Name: l.Name, Label: l.Label, Short: l.Short, Source: l.Source, Members: append([]string{l.Name + "_total"}, l.Members...), Load: l.load,
		Has: func(r *R) bool { return len(l.Rows(r).Value) > 0 },
		Doc: func(r *R) result.Doc {
			return result.Doc{result.Table{Columns: result.Columns(l.Columns...), Rows: Each(l.Rows(r).Value, l.Row), Main: true}}
		},
		Table: true, Limited: l.Total != nil,
		unless: func(not Not[R]) Section[R] {
			find := l.Find
			l.Find = func(ctx context.Context, in *command.Input, r *R) (*Answer[H], error) {
				if notice, err := not(r); err != nil || notice != "" {
					return &Answer[H]{State: result.Inapplicable, Notices: []string{notice}}, err
				}
				return find(ctx, in, r)
			}
			return l.Section()
		},
	}
}

// Not is why a source is not asked about a record: a notice, because that makes no
// sense, or an error, because what it would be asked by is not known. Neither: it is
// asked.
type Not[R any] func(*R) (notice string, err error)

// Unless are sections, those of the names given only where not gives no reason. They
// are made of a [Linked].
func Unless[R any](sections []Section[R], names []string, not Not[R]) []Section[R] {
	for i, sec := range sections {
		if slices.Contains(names, sec.Name) {
			sections[i] = sec.unless(not)
		}
	}
	return sections
}

// Each are the rows of a table, one for each member of a list; never nil.
func Each[H any](list []H, row func(*H) []string) [][]string {
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = row(&list[i])
	}
	return rows
}

// mostLinked is for how many records at once other sources are asked.
const mostLinked = 10

func (l Linked[R, H]) load(ctx context.Context, in *command.Input, records []*R) (got Loaded, err error) {
	if len(records) > mostLinked {
		return got, result.Invalid(fmt.Sprintf("the section %s is for at most %d records at once, not %d", l.Name, mostLinked, len(records)), "list")
	}
	answers, errs := make([]*Answer[H], len(records)), make([]error, len(records))
	var asking conc.WaitGroup
	for i, r := range records {
		l.Rows(r).Asked = true
		if l.Total != nil {
			l.Total(r).Asked = true
		}
		asking.Go(func() { answers[i], errs[i] = l.Find(ctx, in, r) })
	}
	asking.Wait()
	applicable := false
	for i, r := range records {
		a := answers[i]
		if errs[i] != nil {
			got.Lacking, got.Problem = append(got.Lacking, l.ID(r)), errs[i]
			continue
		}
		l.Rows(r).Value = append([]H{}, a.Rows...)
		if l.Total != nil {
			l.Total(r).Value = a.Total
		}
		if applicable = applicable || a.State != result.Inapplicable; a.State == result.Degraded {
			got.State = a.State
		}
		for _, n := range a.Notices {
			if !slices.Contains(got.Notices, n) {
				got.Notices = append(got.Notices, n)
			}
		}
		got.add(a.Parts)
		for _, s := range a.Sources {
			if !slices.Contains(got.Sources, s) {
				got.Sources = append(got.Sources, s)
			}
		}
		if n := len(a.Rows); a.Total != nil && *a.Total > n && n > 0 {
			got.Notices = append(got.Notices, fmt.Sprintf("%s of %s: %d of %d shown", l.Label, l.ID(r), n, *a.Total))
		}
	}
	if len(got.Lacking) == len(records) {
		return got, got.Problem
	}
	if !applicable && len(got.Lacking) == 0 {
		got.State = result.Inapplicable
	}
	return got, nil
}

// add adds the parts of one more record. A source has data where it has some of one.
func (l *Loaded) add(parts []result.SectionSource) {
	for _, p := range parts {
		at := slices.IndexFunc(l.Parts, func(o result.SectionSource) bool { return o.Key == p.Key })
		switch {
		case at < 0:
			l.Parts = append(l.Parts, p)
		case l.Parts[at].Outcome == result.Empty:
			l.Parts[at] = p
		}
	}
}
