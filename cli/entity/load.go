package entity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// LoadResult is the outcome of loading a section. An empty State means Data or Empty, depending on Has.
// Lacking lists the ids of records without their part because of Problem. Inapplicable lists the
// ids of records that the section does not apply to.
type LoadResult struct {
	State            result.State
	Notices          []string
	MissingIDs       []string
	Problem          error
	Inapplicable     []string
	InapplicableText map[string]string // by id, text that replaces "Not applicable." for such a record
	Sources          []string          // replaces the Source of the section, unless nil
	Local            bool              // the data comes from local tables, which may lack some that the source has
	// Parts are additional sources of the section, with their own outcomes.
	Parts []result.SectionSource

	parts []part // one per record, for a [RelatedSection]
}

// loadAll loads the requested sections concurrently, because each waits for a service. It returns
// the outcomes by name of the section, and adds notices and sources to res in the order of the
// entity.
func loadAll[R any](ctx context.Context, in *command.Input, s *SpecOf[R], ids []string, requested Sections, records []R,
	res *result.Result) (map[string]LoadResult, error) {
	sections := slices.DeleteFunc(slices.Clone(s.Sections),
		func(sec SectionOf[R]) bool { return !requested.Has(sec.Name) })
	// onlySections returns the command line with only some of the sections, because the offset of
	// the next page differs between sections.
	onlySections := func(names ...string) *command.Input {
		var without []string
		for _, sec := range sections {
			if sec.Flag != "" && !slices.Contains(names, sec.Name) {
				without = append(without, sec.Flag)
			}
		}
		return in.WithArgs(slices.Concat(ids, names), without...)
	}
	l := &sectionLoader[R]{in: in, spec: s, sections: sections, only: onlySections}
	if err := l.load(ctx, records); err != nil {
		return nil, err
	}
	got, errs := l.got, l.errs
	var valid []string // the sections with valid --limit and --offset
	for i, sec := range sections {
		if validationFailure(errs[i]) == nil {
			valid = append(valid, sec.Name)
		}
	}
	loaded := map[string]LoadResult{}
	for i, sec := range sections {
		if bad := validationFailure(errs[i]); bad != nil && len(valid) > 0 {
			return nil, result.Invalid(sec.Label+": "+bad.Message, onlySections(valid...).LineWith()...)
		} else if bad != nil {
			return nil, bad
		}
		for j, p := range got[i].parts {
			own := partsOf(records[j])
			own.parts = append(own.parts, p)
		}
		addState(sec, got[i], errs[i], records, res)
		if errs[i] != nil {
			got[i] = LoadResult{Problem: errs[i]}
		}
		loaded[sec.Name] = got[i]
	}
	res.Notices = append(res.Notices, missingNotices(sections, got)...)
	res.Notices = append(res.Notices, inapplicableNotices(sections, got, len(records))...)
	return loaded, nil
}

// cutLists trims each record's lists to the requested page.
func cutLists[R any](in *command.Input, sec SectionOf[R], records []R, id func(R) string, got *LoadResult) error {
	past := 0
	for _, r := range records {
		lists, n := []reflect.Value{}, 0
		for _, pointer := range sec.Lists(r) {
			lists = append(lists, reflect.ValueOf(pointer).Elem())
			n += lists[len(lists)-1].Len()
		}
		p, err := pageOf(in, n)
		if err != nil {
			if past++; past == len(records) {
				return err
			}
			p = page{from: p.total, to: p.total, total: p.total}
		}
		before := 0
		for _, list := range lists {
			n := list.Len()
			list.Set(list.Slice(min(max(p.from-before, 0), n), min(max(p.to-before, 0), n)))
			before += n
		}
		got.Notices = append(got.Notices, p.notice(sec.Label, id(r), len(records) == 1)...)
	}
	return nil
}

// emptyText returns the text of a section without data. It says "None." only if a source was read
// that says so.
func (a *answer[R]) emptyText(sec SectionOf[R], r R) string {
	l := a.loaded[sec.Name]
	among := func(ids []string) bool { return a.spec.ID != nil && slices.Contains(ids, a.spec.ID(r)) }
	switch {
	case among(l.Inapplicable):
		return cmp.Or(l.InapplicableText[a.spec.ID(r)], "Not applicable.")
	case l.Problem != nil && (len(l.MissingIDs) == 0 || a.spec.ID == nil || among(l.MissingIDs)):
		return "Not known: " + strings.TrimSuffix(l.Problem.Error(), ".") + "."
	case l.State == result.Unavailable:
		return "Not known."
	case l.State == result.Degraded:
		return "None in the part that was read."
	}
	if l.Local {
		return "The local tables have no row for it."
	}
	return "None."
}

// missingNotices returns notices about data that failed to load, one for all sections with the same
// problem and the same records.
func missingNotices[R any](sections []SectionOf[R], got []LoadResult) (notices []string) {
	labels := map[string][]string{}
	key := func(l LoadResult) string { return strings.Join(l.MissingIDs, " ") + ": " + l.Problem.Error() }
	for i, sec := range sections {
		if got[i].Problem != nil {
			labels[key(got[i])] = append(labels[key(got[i])], sec.Label)
		}
	}
	for _, l := range got {
		if l.Problem == nil || labels[key(l)] == nil {
			continue
		}
		what, verb := strings.Join(labels[key(l)], ", "), "is"
		if len(labels[key(l)]) > 1 {
			verb = "are"
		}
		if len(l.MissingIDs) > 0 {
			what += " of " + command.Abbreviate(l.MissingIDs)
		}
		notices = append(notices, fmt.Sprintf("%s %s missing: %s", what, verb, l.Problem))
		labels[key(l)] = nil
	}
	return notices
}

// inapplicableNotices returns notices about sections that do not apply to some of several records. If a
// section applies to no record, its state says so.
func inapplicableNotices[R any](sections []SectionOf[R], got []LoadResult, records int) (notices []string) {
	labels := map[string][]string{}
	var ids []string
	for i, l := range got {
		if n := len(l.Inapplicable); n > 0 && n < records {
			some := command.Abbreviate(l.Inapplicable)
			labels[some] = append(labels[some], sections[i].Label)
			ids = append(ids, some)
		}
	}
	slices.Sort(ids)
	for _, some := range slices.Compact(ids) {
		notices = append(notices, "not applicable to "+some+": "+strings.Join(labels[some], ", "))
	}
	return notices
}

// validationFailure returns err as a failure if it is a validation error, which ends the command. Other
// errors of a section are only notices.
func validationFailure(err error) *result.Failure {
	if bad, ok := errors.AsType[*result.Failure](err); ok && bad.Code == result.Validation {
		return bad
	}
	return nil
}

// addState adds the state and the notices of a section to the answer.
func addState[R any](sec SectionOf[R], got LoadResult, err error, records []R, res *result.Result) {
	switch {
	case err != nil:
		got.State = result.Unavailable
	case got.State == "" && got.Problem != nil:
		got.State = result.Degraded
	case got.State == "" && len(got.Inapplicable) == len(records):
		got.State = result.Inapplicable
	case got.State == "" && slices.ContainsFunc(records, sec.Has):
		got.State = result.Data
	case got.State == "":
		got.State = result.Empty
	}
	if got.Sources == nil {
		got.Sources = strings.Split(sec.Source, ", ")
	}
	for _, n := range got.Notices { // several sections may share a notice
		if !slices.Contains(res.Notices, n) {
			res.Notice(n)
		}
	}
	res.Sections = append(res.Sections, result.SectionSource{
		Key: sec.Name, Label: sec.Label, Outcome: got.State, Sources: got.Sources,
	})
	res.Sections = append(res.Sections, got.Parts...)
}
