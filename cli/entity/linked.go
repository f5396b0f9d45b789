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

// RelatedSectionOf describes a section of a record whose rows come from another source, such as the
// articles about a gene. If the source fails, only this section is missing.
type RelatedSectionOf[R, H any] struct {
	Name, Label, Short string
	Synonyms           []string // synonyms of the section
	Source             string   // several are separated by commas: "ClinicalTrials.gov, PubMed"
	Members            []string // further members of the record's JSON that belong to the section
	Counted            bool     // JSON has "<section>_total", and Find applies --limit and --offset
	Keys               []string // members of a row, if its type does not show them
	Bounded            bool     // Find applies them but does not count; otherwise its rows are cut to them
	// Find requests the rows of one record. It is called concurrently for several records.
	Find func(ctx context.Context, in *command.Input, r R) (*Answer[H], error)
	// IsLocal, if not nil, reports whether Find answers from local tables alone, without a request.
	IsLocal func(ctx context.Context, app *command.App) bool
	// Embedded returns rows that are part of the record. It replaces Find, and no source is queried.
	Embedded func(r R) ([]H, error)
	// Complete adds data of another source to the displayed rows of all records. Its notice says
	// which data is missing. If nil, the rows stay as they are.
	Complete func(ctx context.Context, in *command.Input, rows []*H) (notice string)
	Columns  []string
	Row      func(h *H) []string
	Doc      func(rows []H) result.Doc // formats the rows if they are not shown as a table
}

// An Answer holds the rows of one record. Total is nil if the source does not count. Degraded
// reports whether rows are missing.
type Answer[H any] struct {
	Rows     []H
	Total    *int
	Reach    int // number of rows that --limit and --offset can reach; 0 means all
	Degraded bool
	Local    bool // the rows come from local tables, which may lack some that the source has
	Notices  []string
	Sources  []string // replaces the sources of the section, unless nil
	Parts    []result.SectionSource

	next string // end of a notice: the command for the next rows, or ""
	cut  page   // the page of a complete list
}

// linkedSection holds the functions for loading a [RelatedSection], independent of its row type.
type linkedSection[R any] struct {
	name, label string
	embedded    bool // the rows are part of the record
	find        func(ctx context.Context, in *command.Input, r R) (*linkedRows, error)
	complete    func(ctx context.Context, in *command.Input, all []*linkedRows) (notice string) // may be nil
	part        func(a *linkedRows) part
}

// linkedRows is an [Answer] with rows of any type.
type linkedRows struct {
	Answer[any]     // all but the rows
	answer      any // the *Answer[H] with its rows
	n           int // number of rows
}

// Section returns the section as a [SectionOf].
func (l RelatedSectionOf[R, H]) Section() SectionOf[R] {
	all := linkedSection[R]{name: l.Name, label: l.Label, embedded: l.Embedded != nil, find: l.find, part: l.part}
	if l.Complete != nil {
		all.complete = l.complete
	}
	atOnce := maxLinked
	if all.embedded {
		atOnce = 0
	}
	return SectionOf[R]{
		Name: l.Name, Synonyms: l.Synonyms, Label: l.Label, Short: l.Short, Source: l.Source, Members: l.Members,
		IsLocal: l.IsLocal, linked: all.load,
		Has:   func(r R) bool { return partsOf(r).section(all.name).hasRows },
		Doc:   func(r R) result.Doc { return partsOf(r).section(all.name).doc },
		Table: l.Doc == nil, Limited: true, rowType: reflect.TypeFor[H](), maxRecords: atOnce, keys: l.Keys,
	}
}

// WithPrecondition sets a precondition for the named sections, which must come from a [RelatedSection]. If not
// returns an error for a record, no source is queried about it: the section does not apply
// ([Inapplicable]), or a name is unknown.
func WithPrecondition[R any](sections []SectionOf[R], names []string, not func(R) error) []SectionOf[R] {
	for i, sec := range sections {
		if slices.Contains(names, sec.Name) {
			sections[i].precondition = not
		}
	}
	return sections
}

// AreLocal reports whether sections were requested and each answers from local tables alone, so that the record
// may come from such a table too.
func AreLocal[R any](ctx context.Context, app *command.App, all []SectionOf[R], requested Sections) bool {
	return len(requested) > 0 && !slices.ContainsFunc(all, func(sec SectionOf[R]) bool {
		return requested.Has(sec.Name) && (sec.IsLocal == nil || !sec.IsLocal(ctx, app))
	})
}

// AnyLocal reports whether a section that answers from local tables alone was requested.
func AnyLocal[R any](ctx context.Context, app *command.App, all []SectionOf[R], requested Sections) bool {
	return slices.ContainsFunc(all, func(sec SectionOf[R]) bool {
		return requested.Has(sec.Name) && sec.IsLocal != nil && sec.IsLocal(ctx, app)
	})
}

// Table returns list as the main table of an answer, with one row per member.
func Table[H any](columns []string, list []H, row func(*H) []string) result.Table {
	t := result.Table{Columns: result.Columns(columns...), Rows: make([][]string, len(list)), Main: true, Hits: true}
	for i := range list {
		t.Rows[i] = row(&list[i])
	}
	return t
}

// maxLinked is the maximum number of records to query other sources about in one command.
const maxLinked = 10

// find requests the rows of one record and cuts them to the requested page.
func (l RelatedSectionOf[R, H]) find(ctx context.Context, in *command.Input, r R) (*linkedRows, error) {
	a, err := &Answer[H]{}, error(nil)
	if l.Embedded != nil {
		a.Rows, err = l.Embedded(r)
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
	return &linkedRows{Answer[any]{nil, a.Total, a.Reach, a.Degraded, a.Local, a.Notices, a.Sources, a.Parts, a.next,
		a.cut}, a, len(a.Rows)}, nil
}

// complete calls Complete with the rows of all answers.
func (l RelatedSectionOf[R, H]) complete(ctx context.Context, in *command.Input, all []*linkedRows) (notice string) {
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

// part converts an answer to the part of a record. The answer is nil if it did not arrive.
func (l RelatedSectionOf[R, H]) part(a *linkedRows) part {
	p := part{section: l.Name, counted: l.Counted}
	rows := []H{}
	if a != nil {
		if all, is := a.answer.(*Answer[H]); is {
			rows = append(rows, all.Rows...)
		}
		p.rows, p.total, p.hasRows = rows, a.Total, len(rows) > 0
	}
	if l.Doc != nil {
		p.doc = l.Doc(rows)
	} else {
		p.doc = result.Doc{Table(l.Columns, rows, l.Row)}
	}
	return p
}

// load queries the source about all records for which not returns no error; not may be nil. id
// names a record in notices.
func (l linkedSection[R]) load(ctx context.Context, in *command.Input, records []R, id func(R) string,
	not func(R) error) (got LoadResult, err error) {
	if len(records) > maxLinked && !l.embedded {
		return got, result.Invalid(fmt.Sprintf("the section %s accepts at most %d records at once, not %d", l.name,
			maxLinked, len(records)), "list")
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
			a = &linkedRows{Answer: Answer[any]{Notices: []string{why.Error()}}}
			got.Inapplicable = append(got.Inapplicable, id(r))
		} else if errs[i] != nil {
			a, got.MissingIDs, got.Problem = nil, append(got.MissingIDs, id(r)), errs[i]
		}
		if got.parts = append(got.parts, l.part(a)); a == nil {
			continue
		}
		if a.Degraded {
			got.State = result.Degraded
		}
		got.Local = got.Local || a.Local
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
			a.cut = page{to: a.n, total: *a.Total, next: a.next}
		}
		got.Notices = append(got.Notices, a.cut.notice(l.label, id(r), len(records) == 1)...)
	}
	if len(got.MissingIDs) == len(records) {
		return got, got.Problem
	}
	return got, nil
}

// add merges another record's sources; a source counts as Data if any record has data.
func (l *LoadResult) add(parts []result.SectionSource) {
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

// A Part is a section of a record that is not a list of rows. JSON omits it unless it was
// requested; a requested section that failed is null.
type Part[T any] struct {
	Requested bool
	Value     T
}

// IsZero lets omitzero omit a section that was not requested.
func (p Part[T]) IsZero() bool { return !p.Requested }

// request marks the section as requested.
func (p *Part[T]) request() { p.Requested = true }

func (p Part[T]) MarshalJSON() ([]byte, error) { return result.JSON(p.Value) }

// Parts holds the rows of a record's [RelatedSection] sections. The record embeds it. In JSON each section
// is a member with its name, after the members of the record. It is null if it failed, and omitted
// if it was not requested.
type Parts struct{ parts []part }

type part struct {
	section string
	rows    any // a list, or nil if it failed
	total   *int
	counted bool
	hasRows bool // reports whether there are rows
	doc     result.Doc
}

// IsRequested reports whether a section was requested.
func (p *Parts) IsRequested(section string) bool { return p.section(section).section != "" }

func (p *Parts) section(section string) (zero part) {
	for _, one := range p.parts {
		if one.section == section {
			return one
		}
	}
	return zero
}

func (p *Parts) self() *Parts { return p }

// partsOf returns the parts of a record, or nil if it embeds none.
func partsOf(record any) *Parts {
	if r, is := record.(interface{ self() *Parts }); is {
		return r.self()
	}
	return nil
}

// appendTo appends the parts to the JSON of a record as further members.
func (p *Parts) appendTo(record []byte) ([]byte, error) {
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
