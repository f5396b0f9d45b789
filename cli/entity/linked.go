package entity

import (
	"context"
	"fmt"
	"slices"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Linked is a section of a record whose rows are what another source answers about
// it: the articles on a gene. A source that does not answer costs this section alone.
type Linked[R, H any] struct {
	Name, Label, Short string
	Source             string
	Members            []string // further ones of the record's JSON that belong to the section
	Counted            bool     // JSON has "<section>_total", and --limit bounds the rows
	// Find asks for the rows of one record. It is called for several at once.
	Find    func(ctx context.Context, in *command.Input, r *R) (*Answer[H], error)
	Columns []string
	Row     func(h *H) []string
	Doc     func(rows []H) result.Doc // shows the rows, where they are no table
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
		Name: l.Name, Label: l.Label, Short: l.Short, Source: l.Source, Members: l.Members, linked: l.load,
		Has:   func(r *R) bool { return partsOf(r).of(l.Name).some },
		Doc:   func(r *R) result.Doc { return partsOf(r).of(l.Name).doc },
		Table: l.Doc == nil, Limited: l.Counted,
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

// part is what an answer, nil where there is none, is of a record.
func (l Linked[R, H]) part(a *Answer[H]) part {
	p := part{section: l.Name, counted: l.Counted}
	var rows []H
	if a != nil {
		rows = append([]H{}, a.Rows...)
		p.rows, p.total, p.some = rows, a.Total, len(rows) > 0
	}
	if l.Doc != nil {
		p.doc = l.Doc(rows)
	} else {
		p.doc = result.Doc{result.Table{Columns: result.Columns(l.Columns...), Rows: Each(rows, l.Row), Main: true}}
	}
	return p
}

// load asks about all records; id names one in notices.
func (l Linked[R, H]) load(ctx context.Context, in *command.Input, records []*R, id func(*R) string) (got Loaded, err error) {
	if len(records) > mostLinked {
		return got, result.Invalid(fmt.Sprintf("the section %s is for at most %d records at once, not %d", l.Name, mostLinked, len(records)), "list")
	}
	answers, errs := make([]*Answer[H], len(records)), make([]error, len(records))
	var asking conc.WaitGroup
	for i, r := range records {
		asking.Go(func() { answers[i], errs[i] = l.Find(ctx, in, r) })
	}
	asking.Wait()
	applicable := false
	for i, r := range records {
		a := answers[i]
		if errs[i] != nil {
			a, got.Lacking, got.Problem = nil, append(got.Lacking, id(r)), errs[i]
		}
		if got.parts = append(got.parts, l.part(a)); a == nil {
			continue
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
			got.Notices = append(got.Notices, fmt.Sprintf("%s of %s: %d of %d shown", l.Label, id(r), n, *a.Total))
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
