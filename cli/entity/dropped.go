package entity

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// Phrases returns the dropped parts of the query as the source names them. It is never nil.
func (p *PageOf[H]) Phrases() []string {
	out := []string{}
	for _, d := range p.Dropped {
		if d.Phrase != "" {
			out = append(out, d.Phrase)
		}
	}
	return out
}

// markDropped marks the dropped filters of q. It returns a notice for each way in which the search was
// broader than the query, and the command line with the corrections, or nil if there are none.
func (s *SearchOf[H]) markDropped(ctx context.Context, in *command.Input, q *Query,
	page *PageOf[H]) (notices []string, corrected result.Argv) {
	text, near := q.Text, map[int]string{}  // corrected values by index of the filter
	strict := s.Strict && in.Bool("strict") // then idle words are removed from the query
	phrases := map[string][]string{}        // phrases by the action of the source, such as "dropped"
	none := page.Total != nil && *page.Total == 0
	did := " dropped"
	if none { // the whole search has no hits
		did = " found nothing for"
	}
	var order, pairs []string
	for _, d := range page.Dropped {
		if name := replaceableName(q, d.Phrase, page.Dropped); name != "" {
			notice := s.Source + " does not have " + name + ", one of the names; the hits are for the others"
			if !slices.Contains(page.Notices, notice) {
				page.Notices = append(page.Notices, notice)
			}
			continue
		}
		i := filterIndex(q, d.Phrase)
		if i >= 0 {
			f := &q.Filters[i]
			notice := s.Source + did + " the filter " + f.String()
			if part := normalize(d.Phrase); !matches(*f, part) {
				notice = s.Source + did + " a part of the filter " + f.String() + ": “" + part + "”"
			}
			if !none && !d.NotSearched {
				notice = s.Source + " " + d.Action + ": the filter " + f.String()
			}
			text := func(spec Filter) bool {
				return spec.Flag == f.Flag && !spec.Switch && len(spec.Values) == 0 && spec.Dates == nil
			}
			if !f.Dropped && s.Alternatives.Similar != nil && !in.Nested && slices.ContainsFunc(s.Filters, text) {
				if n := s.Alternatives.Similar(ctx, in, *f); n != "" && n != f.Value {
					near[i] = n
					notice += command.Guess(n)
				}
			}
			if value := cmp.Or(near[i], f.Value); d.OnlyStopWords && strict && removePhrase(value, d.Phrase) != value {
				near[i] = removePhrase(value, d.Phrase)
			}
			if !f.Dropped || !matches(*f, normalize(d.Phrase)) {
				notices = append(notices, notice)
			}
			f.Dropped = true
			if d.NotSearched && !none && !f.Exclude && matches(*f, normalize(d.Phrase)) {
				f.FullyDropped = true
			}
			if d.Phrase == f.Term || !containsPhrase(normalize(d.Phrase), normalize(q.Text)) {
				continue
			}
		}
		shown := ""
		if d.Phrase != "" {
			shown = "“" + command.Clip(strings.Trim(d.Phrase, `"`)) + "”"
		}
		if d.OnlyStopWords && strict {
			text = removePhrase(text, d.Phrase)
		}
		if d.Suggestion != "" {
			text = strings.ReplaceAll(text, "["+d.Phrase+"]", "["+d.Suggestion+"]")
			shown += " (did you mean " + d.Suggestion + "?)"
		}
		if rest, filters := s.fieldFlags(in, text, d.Phrase); len(filters) > 0 {
			text, pairs = rest, append(pairs, filters...)
			shown += " (did you mean " + strings.Join(filters, " ") + "?)"
		}
		if phrases[d.Action] == nil {
			order = append(order, d.Action)
		}
		phrases[d.Action] = append(phrases[d.Action], shown)
	}
	for _, what := range order {
		notices = append(notices, strings.TrimSuffix(s.Source+" "+what+": "+strings.Join(phrases[what], ", "), ": "))
	}
	gone := func(d record.DroppedTerm) bool { return d.NotSearched }
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
	return notices, in.Line(args, append(pairs, correctedFlags(q, near)...)...)
}

// fieldFlags converts the words of phrase that name a filter and its value, such as author:Brandt, to
// flags. It returns query without these words, and the flags. It leaves a query with quotes,
// brackets or operators other than AND unchanged.
func (s *SearchOf[H]) fieldFlags(in *command.Input, query, phrase string) (rest string, pairs []string) {
	for w := range strings.FieldsSeq(phrase) {
		name, value, _ := strings.Cut(w, ":")
		i := slices.IndexFunc(s.Filters, func(f Filter) bool {
			return command.MatchesName(name, f.Flag, f.Synonyms) && !f.Switch || f.Dates != nil && strings.EqualFold(name, "year")
		})
		switch {
		case i < 0, value == "", strings.ContainsAny(query, `"()[]`),
			containsPhrase("or", normalize(query)), containsPhrase("not", normalize(query)):
			continue
		case s.Filters[i].Dates != nil:
			pairs = append(pairs, "--date-from", value, "--date-to", value)
		case !in.Given(s.Filters[i].Flag):
			pairs = append(pairs, "--"+s.Filters[i].Flag, value)
		}
		remove := strings.NewReplacer(w+" AND ", "", " AND "+w, "", w, "")
		query = strings.Join(strings.Fields(remove.Replace(query)), " ")
	}
	return query, pairs
}

// allDropped reports whether the source dropped every word and every filter that says what to
// find. The hits then match only terms that the search adds itself, such as an organism, or a date
// or a kind.
func allDropped(q *Query, dropped []record.DroppedTerm) bool {
	left, gone := " "+normalize(q.Text)+" ", map[string]bool{}
	for _, d := range dropped {
		if d.NotSearched {
			gone[normalize(d.Phrase)] = true
			left = strings.ReplaceAll(left, " "+normalize(d.Phrase)+" ", " ")
		}
	}
	isWord := func(w string) bool { return !query.IsOperator(w) }
	kept := func(f AppliedFilter) bool {
		return !f.Exclude && !f.Narrows && !gone[normalize(f.Term)] && !gone[normalize(f.Value)]
	}
	return len(gone) > 0 && !slices.ContainsFunc(strings.Fields(strings.ToUpper(left)), isWord) &&
		!slices.ContainsFunc(q.Filters, kept)
}

// checkKnownValues returns an error if the source does not know the value of a filter with a fixed list
// of values, such as a language, because the hits would be for any value.
func (s *SearchOf[H]) checkKnownValues(in *command.Input, q *Query, corrected result.Argv) error {
	for _, f := range q.Filters {
		known := func(spec Filter) bool { return spec.Flag == f.Flag && spec.RequireKnown }
		if !f.Dropped || in.Nested || !slices.ContainsFunc(s.Filters, known) {
			continue
		}
		spec := s.Filters[slices.IndexFunc(s.Filters, known)]
		if corrected == nil {
			corrected = result.Argv{"search", s.Name, "--help"}
		}
		some := slices.DeleteFunc(slices.Sorted(maps.Keys(spec.ValueSynonyms)),
			func(v string) bool { return strings.EqualFold(v, f.Value) })
		return result.Invalid(s.Source+" does not know the value "+strconv.Quote(command.Clip(f.Value))+" of --"+
			f.Flag+"; known values include "+strings.Join(some, ", "), corrected...)
	}
	return nil
}

// checkBreadth returns an error if a search with --strict was broader than the query, or if a filter
// was dropped and the form of the answer has no place for notices.
func (s *SearchOf[H]) checkBreadth(in *command.Input, q *Query, page *PageOf[H], broader []string,
	corrected result.Argv) error {
	strict := s.Strict && in.Bool("strict")
	lost := s.isData(in) && slices.ContainsFunc(q.Filters, func(f AppliedFilter) bool { return f.FullyDropped })
	switch {
	case len(broader) == 0 || !strict && !lost:
		return nil
	case corrected == nil && lost:
		corrected = result.Argv{"search", s.Name, "--help"}
	case corrected == nil:
		corrected = in.LineWith("--strict", "")
	}
	return &result.Failure{
		Code: result.Entrez, Message: strings.Join(broader, "; "), Try: corrected,
		Details: map[string]any{"dropped_phrases": page.Phrases(), "effective_term": page.Effective,
			"total": page.Total},
	}
}

// betterSpelling returns a better spelling of a query if the source dropped a phrase of it, or ""
// if there is none. suggestAlternatives suggests the spelling for a search without hits.
func (s *SearchOf[H]) betterSpelling(ctx context.Context, in *command.Input, q *Query, page *PageOf[H]) string {
	strict := s.Strict && in.Bool("strict")
	if s.Alternatives.Spell == nil || in.Nested || len(page.Phrases()) == 0 || len(page.Hits) == 0 && !strict {
		return ""
	}
	dropped := func(phrase string) bool { return containsPhrase(normalize(phrase), normalize(q.Text)) }
	if !slices.ContainsFunc(page.Phrases(), dropped) {
		return ""
	}
	better := s.Alternatives.Spell(ctx, in, q.Text)
	kept := func(phrase string) bool { return containsPhrase(normalize(phrase), normalize(better)) }
	if strings.EqualFold(better, q.Text) || strict && slices.ContainsFunc(page.Phrases(), kept) {
		return "" // with --strict the search would fail again, since the phrase stays
	}
	return better
}

// removePhrase returns text without phrase, wherever it stands between other words. It returns text
// unchanged if the phrase is quoted, is the operand of an operator, or is all of the text.
func removePhrase(text, phrase string) string {
	words, idle := strings.Fields(text), strings.Fields(phrase)
	var out []string
	for quotes, i := 0, 0; i < len(words); i++ {
		end := min(i+len(idle), len(words))
		if len(idle) == 0 || !strings.EqualFold(strings.Join(words[i:end], " "), strings.Join(idle, " ")) {
			quotes += strings.Count(words[i], `"`)
			out = append(out, words[i])
			continue
		}
		if quotes%2 == 1 || i > 0 && query.IsOperator(words[i-1]) || end < len(words) && query.IsOperator(words[end]) {
			return text
		}
		i = end - 1
	}
	if len(out) == 0 {
		return text
	}
	return strings.Join(out, " ")
}

// filterIndex returns the index of the filter that a dropped phrase matches in whole or in part, or
// -1.
func filterIndex(q *Query, phrase string) int {
	p := normalize(phrase)
	if p == "" {
		return -1
	}
	if i := slices.IndexFunc(q.Filters, func(f AppliedFilter) bool { return matches(f, p) }); i >= 0 || containsPhrase(p, normalize(q.Text)) {
		return i
	}
	return slices.IndexFunc(q.Filters, func(f AppliedFilter) bool { return containsPhrase(p, normalize(f.Term)) })
}

// matches reports whether phrase, in the form that normalize returns, equals the filter as typed or
// as sent.
func matches(f AppliedFilter, phrase string) bool {
	return normalize(f.Term) == phrase || normalize(f.Value) == phrase
}

// correctedFlags returns the flags that replace filters. replacements holds the new values by
// index. If a flag is given several times, the result has all its values.
func correctedFlags(q *Query, replacements map[int]string) (pairs []string) {
	var flags []string
	for i := range replacements {
		flags = append(flags, q.Filters[i].Flag)
	}
	for i, f := range q.Filters {
		if !slices.Contains(flags, f.Flag) {
			continue
		}
		if replacements[i] != "" {
			f.Value = replacements[i]
		}
		pairs = append(pairs, "--"+f.Flag, f.Value)
	}
	return pairs
}

var fieldTag = pattern.Lazy(`\[[^\[\]]*\]`)

// normalize returns s in lower case without quotes, field tags and parentheses.
func normalize(s string) string {
	s = strings.NewReplacer(`"`, "", "(", " ", ")", " ").Replace(fieldTag().ReplaceAllString(s, ""))
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// containsPhrase reports whether text contains the words of phrase, next to each other.
func containsPhrase(phrase, text string) bool { return strings.Contains(" "+text+" ", " "+phrase+" ") }
