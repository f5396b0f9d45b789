package entity

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// LinkedOf is a section of a record whose rows are what another source answers about
// it: the articles on a gene. A source that does not answer costs this section alone.
type LinkedOf[R, H any] struct {
	Name, Label, Short string
	Also               []string // other words for the section
	Source             string   // several: "ClinicalTrials.gov, PubMed"
	Members            []string // further ones of the record's JSON that belong to the section
	Counted            bool     // JSON has "<section>_total", and Find minds --limit and --offset
	Bounded            bool     // Find minds them, though it does not count; else --limit and --offset cut its rows
	// Find asks for the rows of one record. It is called for several at once.
	Find func(ctx context.Context, in *command.Input, r R) (*Answer[H], error)
	// Own are the rows that came with the record, in place of Find: no source is asked.
	Own func(r R) ([]H, error)
	// Complete adds to the rows shown, of all records, what another source says of them.
	// Without it they stand as they are; the notice says what they lack.
	Complete func(ctx context.Context, in *command.Input, rows []*H) (notice string)
	Columns  []string
	Row      func(h *H) []string
	Doc      func(rows []H) result.Doc // shows the rows, where they are no table
}

// Answer is what a source answered about one record. Total is nil if it does not
// count, Degraded says that rows are missing.
type Answer[H any] struct {
	Rows     []H
	Total    *int
	Reach    int // the last of the rows that --limit and --offset can show, 0: of all
	Degraded bool
	Notices  []string
	Sources  []string // where they are not the section's own
	Parts    []result.SectionSource

	next string // the command for the rows behind these, "" where there are none
	cut  page   // which rows of a list that came whole these are
}

// linking is what loading a [Linked] needs, whatever its rows are.
type linking[R any] struct {
	name, label string
	own         bool // no source is asked
	find        func(ctx context.Context, in *command.Input, r R) (*linkedRows, error)
	complete    func(ctx context.Context, in *command.Input, all []*linkedRows) (notice string) // or nil
	part        func(a *linkedRows) part
}

// linkedRows is an [Answer], of rows of any type.
type linkedRows struct {
	Answer[any]     // without rows
	answer      any // with them
	n           int // how many there are
}

// Section is the section in the form of all.
func (l LinkedOf[R, H]) Section() SectionOf[R] {
	all := linking[R]{name: l.Name, label: l.Label, own: l.Own != nil, find: l.find, part: l.part}
	if l.Complete != nil {
		all.complete = l.complete
	}
	return SectionOf[R]{
		Name: l.Name, Also: l.Also, Label: l.Label, Short: l.Short, Source: l.Source, Members: l.Members, linked: all.load,
		Has:   func(r R) bool { return partsOf(r).of(all.name).some },
		Doc:   func(r R) result.Doc { return partsOf(r).of(all.name).doc },
		Table: l.Doc == nil, Limited: true, row: reflect.TypeFor[H](),
	}
}

// Unless returns sections made of a [Linked], of which some, by their names, ask no source about
// a record for which not has a reason: the question is [Inapplicable], or a name is not known.
func Unless[R any](sections []SectionOf[R], names []string, not func(R) error) []SectionOf[R] {
	for i, sec := range sections {
		if slices.Contains(names, sec.Name) {
			sections[i].not = not
		}
	}
	return sections
}

// Table is a list as the main table of an answer, a row for each member.
func Table[H any](columns []string, list []H, row func(*H) []string) result.Table {
	t := result.Table{Columns: result.Columns(columns...), Rows: make([][]string, len(list)), Main: true, Hits: true}
	for i := range list {
		t.Rows[i] = row(&list[i])
	}
	return t
}

// mostLinked is for how many records at once other sources are asked.
const mostLinked = 10

// find asks for the rows of one record, and leaves the page of them.
func (l LinkedOf[R, H]) find(ctx context.Context, in *command.Input, r R) (*linkedRows, error) {
	a, err := &Answer[H]{}, error(nil)
	if l.Own != nil {
		a.Rows, err = l.Own(r)
	} else {
		a, err = l.Find(ctx, in, r)
	}
	if err == nil && !l.Counted && !l.Bounded {
		if a.cut, err = pageOf(in, len(a.Rows)); err == nil {
			a.Rows = a.Rows[a.cut.from:a.cut.to]
		}
	}
	if err != nil {
		return nil, err
	}
	return &linkedRows{Answer[any]{nil, a.Total, a.Reach, a.Degraded, a.Notices, a.Sources, a.Parts, a.next, a.cut}, a, len(a.Rows)}, nil
}

func (l LinkedOf[R, H]) complete(ctx context.Context, in *command.Input, all []*linkedRows) (notice string) {
	var shown []*H
	for _, a := range all {
		if a != nil {
			rows := a.answer.(*Answer[H]).Rows
			for i := range rows {
				shown = append(shown, &rows[i])
			}
		}
	}
	return l.Complete(ctx, in, shown)
}

// part is what an answer, nil if there is none, is of a record.
func (l LinkedOf[R, H]) part(a *linkedRows) part {
	p := part{section: l.Name, counted: l.Counted}
	rows := []H{}
	if a != nil {
		if all, is := a.answer.(*Answer[H]); is {
			rows = append(rows, all.Rows...)
		}
		p.rows, p.total, p.some = rows, a.Total, len(rows) > 0
	}
	if l.Doc != nil {
		p.doc = l.Doc(rows)
	} else {
		p.doc = result.Doc{Table(l.Columns, rows, l.Row)}
	}
	return p
}

// load asks about all records, but for those against which not, if it is not nil, gives a
// reason; id names a record in notices.
func (l linking[R]) load(ctx context.Context, in *command.Input, records []R, id func(R) string, not func(R) error) (got Loaded, err error) {
	if len(records) > mostLinked && !l.own {
		return got, result.Invalid(fmt.Sprintf("the section %s is for at most %d records at once, not %d", l.name, mostLinked, len(records)), "list")
	}
	answers, errs := make([]*linkedRows, len(records)), make([]error, len(records))
	var asking conc.WaitGroup
	for i, r := range records {
		asking.Go(func() {
			if not != nil {
				errs[i] = not(r)
			}
			if errs[i] == nil {
				answers[i], errs[i] = l.find(ctx, in, r)
			}
		})
	}
	asking.Wait()
	if l.complete != nil {
		if notice := l.complete(ctx, in, answers); notice != "" {
			got.State, got.Notices = result.Degraded, append(got.Notices, notice)
		}
	}
	for i, r := range records {
		a := answers[i]
		if why := Inapplicable(""); errors.As(errs[i], &why) {
			a, got.Inapplicable = &linkedRows{Answer: Answer[any]{Notices: []string{why.Error()}}}, append(got.Inapplicable, id(r))
		} else if errs[i] != nil {
			a, got.Lacking, got.Problem = nil, append(got.Lacking, id(r)), errs[i]
		}
		if got.parts = append(got.parts, l.part(a)); a == nil {
			continue
		}
		if a.Degraded {
			got.State = result.Degraded
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
		if a.Total != nil && *a.Total > a.n && a.n > 0 {
			a.cut = page{to: a.n, of: *a.Total, next: a.next}
		}
		got.Notices = append(got.Notices, a.cut.notice(l.label, id(r), len(records) == 1)...)
	}
	if len(got.Lacking) == len(records) {
		return got, got.Problem
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

// Part is a section's part of a record that is no list of rows. JSON leaves it out where
// the section was not asked for; asked for, it is null if it did not come.
type Part[T any] struct {
	Asked bool
	Value T
}

// IsZero is what omitzero asks.
func (p Part[T]) IsZero() bool { return !p.Asked }

// MarshalJSON is the value's.
func (p Part[T]) MarshalJSON() ([]byte, error) { return result.JSON(p.Value) }

// Parts are the rows of a record's sections that are [Linked]; the record embeds them. In
// JSON each is a member with the name of its section, after the members of the record: null if
// it did not come, and left out where it was not asked for.
type Parts struct{ parts []part }

type part struct {
	section string
	rows    any // a list, nil if it did not come
	total   *int
	counted bool
	some    bool // there are rows
	doc     result.Doc
}

// Asked reports whether a section was asked for, and so is a part.
func (p *Parts) Asked(section string) bool { return p.of(section).section != "" }

func (p *Parts) of(section string) (none part) {
	for _, one := range p.parts {
		if one.section == section {
			return one
		}
	}
	return none
}

func (p *Parts) own() *Parts { return p }

// partsOf returns the parts of a record, nil if it embeds none.
func partsOf(record any) *Parts {
	if r, is := record.(interface{ own() *Parts }); is {
		return r.own()
	}
	return nil
}

// encoded is the JSON of a record with its parts as further members.
func (p *Parts) encoded(record []byte) ([]byte, error) {
	for _, one := range p.parts {
		name := strings.ReplaceAll(one.section, "-", "_")
		members := map[string]any{name: one.rows}
		if one.counted {
			members[name+"_total"] = one.total
		}
		body, err := result.JSON(members)
		if err != nil {
			return nil, err
		}
		record = append(append(record[:len(record)-1], ','), body[1:]...)
	}
	return record, nil
}
