package entity

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// Phrases are the dropped parts of the query as the source names them.
func (p *PageOf[H]) Phrases() []string {
	out := []string{}
	for _, d := range p.Dropped {
		if d.Phrase != "" {
			out = append(out, d.Phrase)
		}
	}
	return out
}

// broader marks the filters among what was dropped. It is a notice on each way
// in which the search was broader than asked, and the command line with what was
// probably meant, nil if nothing is near.
func (s *SearchOf[H]) broader(ctx context.Context, in *command.Input, q *Query, page *PageOf[H]) (notices []string, corrected result.Argv) {
	text, near := q.Text, map[int]string{}  // by the place of a filter
	strict := s.Strict && in.Bool("strict") // a query without idle words is accepted then
	phrases := map[string][]string{}        // by what the source did
	none := page.Total != nil && *page.Total == 0
	did := " dropped"
	if none { // by that filter too
		did = " found nothing for"
	}
	var order, pairs []string
	for _, d := range page.Dropped {
		if name := q.spare(d.Phrase, page.Dropped); name != "" {
			if said := s.Source + " does not have " + name + ", one of the names: the hits are of the others"; !slices.Contains(page.Notices, said) {
				page.Notices = append(page.Notices, said)
			}
			continue
		}
		i := q.filterOf(d.Phrase)
		if i >= 0 {
			f := &q.Filters[i]
			notice := s.Source + did + " the filter " + f.typed()
			if part := bare(d.Phrase); !f.is(part) {
				notice = s.Source + did + " a part of the filter " + f.typed() + ": “" + part + "”"
			}
			if !none && !d.Gone {
				notice = s.Source + " " + d.What + ": the filter " + f.typed()
			}
			text := func(spec Filter) bool {
				return spec.Flag == f.Flag && !spec.Switch && len(spec.Values) == 0 && spec.Dates == nil
			}
			if !f.Dropped && s.Instead.Near != nil && !in.Part && slices.ContainsFunc(s.Filters, text) {
				if n := s.Instead.Near(ctx, in, *f); n != "" && n != f.Value {
					near[i] = n
					notice += "; did you mean " + n + "?"
				}
			}
			if value := cmp.Or(near[i], f.Value); d.Idle && strict && without(value, d.Phrase) != value {
				near[i] = without(value, d.Phrase)
			}
			if !f.Dropped || !f.is(bare(d.Phrase)) {
				notices = append(notices, notice)
			}
			f.Dropped, f.lost = true, f.lost || d.Gone && !none && !f.Exclude && f.is(bare(d.Phrase))
			if d.Phrase == f.Term || !within(bare(d.Phrase), bare(q.Text)) {
				continue
			}
		}
		shown := ""
		if d.Phrase != "" {
			shown = "“" + command.Clip(strings.Trim(d.Phrase, `"`)) + "”"
		}
		if d.Idle && strict {
			text = without(text, d.Phrase)
		}
		if d.Near != "" {
			text = strings.ReplaceAll(text, "["+d.Phrase+"]", "["+d.Near+"]")
			shown += " (did you mean " + d.Near + "?)"
		}
		if rest, filters := s.tagged(in, text, d.Phrase); len(filters) > 0 {
			text, pairs = rest, append(pairs, filters...)
			shown += " (did you mean " + strings.Join(filters, " ") + "?)"
		}
		if phrases[d.What] == nil {
			order = append(order, d.What)
		}
		phrases[d.What] = append(phrases[d.What], shown)
	}
	for _, what := range order {
		notices = append(notices, strings.TrimSuffix(s.Source+" "+what+": "+strings.Join(phrases[what], ", "), ": "))
	}
	gone := func(d record.Dropped) bool { return d.Gone }
	if len(notices) > 0 && page.Total != nil && *page.Total > 0 && slices.ContainsFunc(page.Dropped, gone) {
		notices[len(notices)-1] += "; the hits are for the rest of the query only"
	}
	if len(near) == 0 && text == q.Text {
		return notices, nil
	}
	args := in.Args
	if text != q.Text {
		args = []string{text}[:min(1, len(text))]
	}
	return notices, in.Line(args, append(pairs, q.corrected(near)...)...)
}

// tagged is a query without the words of a phrase that are a filter and its value, as
// author:Brandt is, and these as flags. A query with other operators than AND has none.
func (s *SearchOf[H]) tagged(in *command.Input, query, phrase string) (rest string, pairs []string) {
	for w := range strings.FieldsSeq(phrase) {
		name, value, _ := strings.Cut(w, ":")
		i := slices.IndexFunc(s.Filters, func(f Filter) bool {
			return command.Is(name, f.Flag, f.Also) && !f.Switch || f.Dates != nil && strings.EqualFold(name, "year")
		})
		switch {
		case i < 0, value == "", strings.ContainsAny(query, `"()[]`), within("or", bare(query)), within("not", bare(query)):
			continue
		case s.Filters[i].Dates != nil:
			pairs = append(pairs, "--date-from", value, "--date-to", value)
		case !in.Given(s.Filters[i].Flag):
			pairs = append(pairs, "--"+s.Filters[i].Flag, value)
		}
		query = strings.Join(strings.Fields(strings.NewReplacer(w+" AND ", "", " AND "+w, "", w, "").Replace(query)), " ")
	}
	return query, pairs
}

// nothingLeft reports whether a source dropped all that was asked for, so that its hits are of
// what the search itself adds, such as an organism, or of anything of a date or a kind.
func (q *Query) nothingLeft(dropped []record.Dropped) bool {
	left, gone := " "+bare(q.Text)+" ", map[string]bool{}
	for _, d := range dropped {
		if d.Gone {
			gone[bare(d.Phrase)] = true
			left = strings.ReplaceAll(left, " "+bare(d.Phrase)+" ", " ")
		}
	}
	return len(gone) > 0 && !slices.ContainsFunc(strings.Fields(strings.ToUpper(left)), func(w string) bool { return !operator(w) }) &&
		!slices.ContainsFunc(q.Filters, func(f Applied) bool { return !f.Exclude && !f.narrow && !gone[bare(f.Term)] && !gone[bare(f.Value)] })
}

// unknownValue refuses the value of a filter that has a list of its own at the source, such
// as a language, and that the source does not know: the hits would be for anything.
func (s *SearchOf[H]) unknownValue(in *command.Input, q *Query, corrected result.Argv) error {
	for _, f := range q.Filters {
		known := func(spec Filter) bool { return spec.Flag == f.Flag && spec.Known }
		if !f.Dropped || in.Part || !slices.ContainsFunc(s.Filters, known) {
			continue
		}
		spec := s.Filters[slices.IndexFunc(s.Filters, known)]
		if corrected == nil {
			corrected = result.Argv{"search", s.Name, "--help"}
		}
		some := slices.DeleteFunc(slices.Sorted(maps.Keys(spec.Other)), func(v string) bool { return strings.EqualFold(v, f.Value) })
		return result.Invalid(s.Source+" knows no value "+strconv.Quote(command.Clip(f.Value))+" of --"+f.Flag+"; some are "+strings.Join(some, ", "), corrected...)
	}
	return nil
}

// tooBroad refuses a search that was broader than asked with --strict, and one of which a
// filter was lost where its answer has no place to say so.
func (s *SearchOf[H]) tooBroad(in *command.Input, q *Query, page *PageOf[H], broader []string, corrected result.Argv) error {
	strict := s.Strict && in.Bool("strict")
	lost := s.isData(in) && slices.ContainsFunc(q.Filters, func(f Applied) bool { return f.lost })
	switch {
	case len(broader) == 0 || !strict && !lost:
		return nil
	case corrected == nil && lost:
		corrected = result.Argv{"search", s.Name, "--help"}
	case corrected == nil:
		corrected = in.Again("--strict", "")
	}
	return &result.Failure{
		Code: result.Entrez, Message: strings.Join(broader, "; "), Try: corrected,
		Details: map[string]any{"dropped_phrases": page.Phrases(), "effective_term": page.Effective, "total": page.Total},
	}
}

// respelt is a query of which the source dropped a phrase, in a better spelling, "" if
// there is none. A search without hits is told by [SearchSpec.nothing].
func (s *SearchOf[H]) respelt(ctx context.Context, in *command.Input, q *Query, page *PageOf[H]) string {
	strict := s.Strict && in.Bool("strict")
	if s.Instead.Spell == nil || in.Part || len(page.Phrases()) == 0 || len(page.Hits) == 0 && !strict {
		return ""
	}
	dropped := func(phrase string) bool { return within(bare(phrase), bare(q.Text)) }
	if !slices.ContainsFunc(page.Phrases(), dropped) {
		return ""
	}
	better := s.Instead.Spell(ctx, in, q.Text)
	kept := func(phrase string) bool { return within(bare(phrase), bare(better)) }
	if strings.EqualFold(better, q.Text) || strict && slices.ContainsFunc(page.Phrases(), kept) {
		return "" // with --strict a phrase that is kept fails again
	}
	return better
}

// without is a text without a phrase, wherever it stands between other words. It is
// the text itself where the phrase is quoted, the operand of an operator, or all.
func without(text, phrase string) string {
	words, idle := strings.Fields(text), strings.Fields(phrase)
	var out []string
	for quotes, i := 0, 0; i < len(words); i++ {
		end := min(i+len(idle), len(words))
		if len(idle) == 0 || !strings.EqualFold(strings.Join(words[i:end], " "), strings.Join(idle, " ")) {
			quotes += strings.Count(words[i], `"`)
			out = append(out, words[i])
			continue
		}
		if quotes%2 == 1 || i > 0 && operator(words[i-1]) || end < len(words) && operator(words[end]) {
			return text
		}
		i = end - 1
	}
	if len(out) == 0 {
		return text
	}
	return strings.Join(out, " ")
}

func operator(word string) bool { return word == "AND" || word == "OR" || word == "NOT" }

// filterOf is the place of the filter that a dropped phrase is, or is a part of;
// -1 where it is none.
func (q *Query) filterOf(phrase string) int {
	p := bare(phrase)
	if p == "" {
		return -1
	}
	if i := slices.IndexFunc(q.Filters, func(f Applied) bool { return f.is(p) }); i >= 0 || within(p, bare(q.Text)) {
		return i
	}
	return slices.IndexFunc(q.Filters, func(f Applied) bool { return within(p, bare(f.Term)) })
}

// is reports whether a bare phrase is the filter, as typed or as sent.
func (f Applied) is(phrase string) bool { return bare(f.Term) == phrase || bare(f.Value) == phrase }

// typed is the filter as on a command line.
func (f Applied) typed() string { return strings.TrimSuffix("--"+f.Flag+" "+f.Value, " true") }

// corrected are the flags of the filters of which one was replaced.
func (q *Query) corrected(near map[int]string) (pairs []string) {
	var flags []string
	for i := range near {
		flags = append(flags, q.Filters[i].Flag)
	}
	for i, f := range q.Filters {
		if !slices.Contains(flags, f.Flag) {
			continue
		}
		if near[i] != "" {
			f.Value = near[i]
		}
		pairs = append(pairs, "--"+f.Flag, f.Value)
	}
	return pairs
}

var tag = pattern.Lazy(`\[[^\[\]]*\]`)

// bare is a phrase without quotes, tags, parentheses and capitals.
func bare(s string) string {
	s = strings.NewReplacer(`"`, "", "(", " ", ")", " ").Replace(tag().ReplaceAllString(s, ""))
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// within reports whether the words of a phrase are in a text.
func within(phrase, text string) bool { return strings.Contains(" "+text+" ", " "+phrase+" ") }
