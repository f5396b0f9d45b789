package advice

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
	"biomcp/entrez/record"
)

// A breadth collects how a search was broader than its query, part by part.
type breadth struct {
	*Search
	in    *command.Input
	q     *query.Query
	reply *Reply

	notices []string            // about filters
	order   []string            // the actions of the source on words, such as "dropped", in the order of the reply
	phrases map[string][]string // the words by action
	near    map[int]string      // corrected values by index of the filter
	text    string              // the corrected text
	pairs   []string            // flags for words of the text
}

// foundNothing reports whether the whole search has no hits.
func (b *breadth) foundNothing() bool { return b.reply.Total != nil && *b.reply.Total == 0 }

// otherNameDropped notes that the source lacks one of several names, if the others were searched for.
func otherNameDropped(_ context.Context, b *breadth, d record.DroppedTerm) bool {
	name := replaceableName(b.q, d.Phrase, b.reply.Dropped)
	if name == "" {
		return false
	}
	notice := b.Source + " does not have " + name + ", one of the names; the hits are for the others"
	if !slices.Contains(b.reply.Notices, notice) {
		b.reply.Notices = append(b.reply.Notices, notice)
	}
	return true
}

// filterDropped marks the filter that the part belongs to and corrects its value. It returns false if
// the part is in the text of the query too.
func filterDropped(ctx context.Context, b *breadth, d record.DroppedTerm) bool {
	i := filterIndex(b.q, d.Phrase)
	if i < 0 {
		return false
	}
	f := &b.q.Filters[i]
	notice := b.filterNotice(*f, d)
	if near := b.similarValue(ctx, *f); near != "" {
		b.near[i] = near
		notice += command.Guess(near)
	}
	if value := cmp.Or(b.near[i], f.Value); d.OnlyStopWords && b.Strict && removePhrase(value, d.Phrase) != value {
		b.near[i] = removePhrase(value, d.Phrase)
	}
	if !f.Dropped || !matches(*f, normalize(d.Phrase)) {
		b.notices = append(b.notices, notice)
	}
	f.Dropped = true
	if d.NotSearched && !b.foundNothing() && !f.Exclude && matches(*f, normalize(d.Phrase)) {
		f.FullyDropped = true
	}
	return d.Phrase == f.Term || !containsPhrase(normalize(d.Phrase), normalize(b.q.Text))
}

// filterNotice says what the source did with a filter.
func (b *breadth) filterNotice(f query.AppliedFilter, d record.DroppedTerm) string {
	did := " dropped"
	switch {
	case b.foundNothing():
		did = " found nothing for"
	case !d.NotSearched:
		return b.Source + " " + d.Action + ": the filter " + f.String()
	}
	if part := normalize(d.Phrase); !matches(f, part) {
		return b.Source + did + " a part of the filter " + f.String() + ": “" + part + "”"
	}
	return b.Source + did + " the filter " + f.String()
}

// similarValue returns the likely intended value of a filter with free text, or "".
func (b *breadth) similarValue(ctx context.Context, f query.AppliedFilter) string {
	takesText := func(spec query.Filter) bool {
		return spec.Flag == f.Flag && !spec.Switch && len(spec.Values) == 0 && spec.Dates == nil
	}
	if f.Dropped || b.Similar == nil || b.in.Nested || !slices.ContainsFunc(b.Filters, takesText) {
		return ""
	}
	if near := b.Similar(ctx, b.in, f); near != f.Value {
		return near
	}
	return ""
}

// wordsDropped notes which words of the text the source dropped, and corrects the text.
func wordsDropped(_ context.Context, b *breadth, d record.DroppedTerm) bool {
	shown := ""
	if d.Phrase != "" {
		shown = "“" + command.Clip(strings.Trim(d.Phrase, `"`)) + "”"
	}
	if d.OnlyStopWords && b.Strict {
		b.text = removePhrase(b.text, d.Phrase)
	}
	if d.Suggestion != "" {
		b.text = strings.ReplaceAll(b.text, "["+d.Phrase+"]", "["+d.Suggestion+"]")
		shown += " (did you mean " + d.Suggestion + "?)"
	}
	if rest, filters := b.fieldFlags(b.in, b.text, d.Phrase); len(filters) > 0 {
		b.text, b.pairs = rest, append(b.pairs, filters...)
		shown += " (did you mean " + strings.Join(filters, " ") + "?)"
	}
	if b.phrases[d.Action] == nil {
		b.order = append(b.order, d.Action)
	}
	b.phrases[d.Action] = append(b.phrases[d.Action], shown)
	return true
}

// allNotices returns the notices about filters, and one for each action of the source on words.
func (b *breadth) allNotices() []string {
	notices := b.notices
	for _, action := range b.order {
		all := b.Source + " " + action + ": " + strings.Join(b.phrases[action], ", ")
		notices = append(notices, strings.TrimSuffix(all, ": "))
	}
	gone := func(d record.DroppedTerm) bool { return d.NotSearched && !d.OnlyStopWords }
	total := b.reply.Total
	if len(notices) > 0 && total != nil && *total > 0 && slices.ContainsFunc(b.reply.Dropped, gone) {
		notices[len(notices)-1] += "; the hits are for the rest of the query only"
	}
	return notices
}

// corrected returns the command line with the corrected text and filters, or nil if nothing was
// corrected.
func (b *breadth) corrected() result.Argv {
	if len(b.near) == 0 && b.text == b.q.Text {
		return nil
	}
	args := b.in.Args
	if b.text != b.q.Text {
		args = []string{b.text}[:min(1, len(b.text))]
	}
	return b.in.Line(args, append(b.pairs, correctedFlags(b.q, b.near)...)...)
}

// fieldFlags converts the words of phrase that name a filter and its value, such as author:Brandt, to
// flags. It returns text without these words, and the flags. It leaves a text with quotes,
// brackets or operators other than AND unchanged.
func (s *Search) fieldFlags(in *command.Input, text, phrase string) (rest string, pairs []string) {
	for w := range strings.FieldsSeq(phrase) {
		name, value, _ := strings.Cut(w, ":")
		i := slices.IndexFunc(s.Filters, func(f query.Filter) bool {
			return command.MatchesName(name, f.Flag, f.Synonyms) && !f.Switch || f.Dates != nil && strings.EqualFold(name, "year")
		})
		switch {
		case i < 0, value == "", strings.ContainsAny(text, `"()[]`),
			containsPhrase("or", normalize(text)), containsPhrase("not", normalize(text)):
			continue
		case s.Filters[i].Dates != nil:
			pairs = append(pairs, "--date-from", value, "--date-to", value)
		case !in.Given(s.Filters[i].Flag):
			pairs = append(pairs, "--"+s.Filters[i].Flag, value)
		}
		remove := strings.NewReplacer(w+" AND ", "", " AND "+w, "", w, "")
		text = strings.Join(strings.Fields(remove.Replace(text)), " ")
	}
	return text, pairs
}

// AllDropped reports whether the source dropped every word and every filter that says what to
// find. The hits then match only terms that the search adds itself, such as an organism, or a date
// or a kind.
func AllDropped(q *query.Query, dropped []record.DroppedTerm) bool {
	left, gone := " "+normalize(q.Text)+" ", map[string]bool{}
	for _, d := range dropped {
		if d.NotSearched {
			gone[normalize(d.Phrase)] = true
			left = strings.ReplaceAll(left, " "+normalize(d.Phrase)+" ", " ")
		}
	}
	isWord := func(w string) bool { return !query.IsOperator(w) }
	kept := func(f query.AppliedFilter) bool {
		return !f.Exclude && !f.Narrows && !gone[normalize(f.Term)] && !gone[normalize(f.Value)]
	}
	return len(gone) > 0 && !slices.ContainsFunc(strings.Fields(strings.ToUpper(left)), isWord) &&
		!slices.ContainsFunc(q.Filters, kept)
}

// checkKnownValues returns an error if the source does not know the value of a filter with a fixed list
// of values, such as a language, because the hits would be for any value.
func (s *Search) checkKnownValues(in *command.Input, q *query.Query, corrected result.Argv) error {
	for _, f := range q.Filters {
		known := func(spec query.Filter) bool { return spec.Flag == f.Flag && spec.RequireKnown }
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
func (s *Search) checkBreadth(in *command.Input, q *query.Query, reply *Reply, broader []string,
	corrected result.Argv) error {
	lost := reply.IsData && slices.ContainsFunc(q.Filters, func(f query.AppliedFilter) bool { return f.FullyDropped })
	switch {
	case len(broader) == 0 || !s.Strict && !lost:
		return nil
	case corrected == nil && lost:
		corrected = result.Argv{"search", s.Name, "--help"}
	case corrected == nil:
		corrected = in.LineWith("--strict", "")
	}
	return &result.Failure{
		Code: result.Entrez, Message: strings.Join(broader, "; "), Try: corrected,
		Details: map[string]any{"dropped_phrases": Phrases(reply.Dropped), "effective_term": reply.Effective,
			"total": reply.Total},
	}
}

// betterSpelling returns a better spelling of a query if the source dropped a phrase of it, or ""
// if there is none. [otherSpelling] suggests the spelling for a search without hits.
func (s *Search) betterSpelling(ctx context.Context, in *command.Input, q *query.Query, reply *Reply) string {
	phrases := Phrases(reply.Dropped)
	if s.Spell == nil || in.Nested || len(phrases) == 0 || reply.Hits == 0 && !s.Strict {
		return ""
	}
	dropped := func(phrase string) bool { return containsPhrase(normalize(phrase), normalize(q.Text)) }
	if !slices.ContainsFunc(phrases, dropped) {
		return ""
	}
	better := s.Spell(ctx, in, q.Text)
	kept := func(phrase string) bool { return containsPhrase(normalize(phrase), normalize(better)) }
	if strings.EqualFold(better, q.Text) || s.Strict && slices.ContainsFunc(phrases, kept) {
		return "" // with --strict the search would fail again, since the phrase stays
	}
	return better
}
