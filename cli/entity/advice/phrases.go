package advice

import (
	"slices"
	"strings"

	"biomcp/cli/entity/query"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// WithoutWholeLists removes from dropped the values of a list of quoted terms that the source does not have
// as one name, because the search was for their parts too.
func WithoutWholeLists(q *query.Query, dropped []record.DroppedTerm) []record.DroppedTerm {
	return slices.DeleteFunc(dropped, func(d record.DroppedTerm) bool {
		return slices.ContainsFunc(q.Filters, func(f query.AppliedFilter) bool {
			whole, _, isList := strings.Cut(strings.TrimPrefix(f.Term, "("), " OR (")
			return isList && len(query.SplitList(f.Value)) > 1 && normalize(d.Phrase) == normalize(whole)
		})
	})
}

// replaceableName returns the name of a filter that the dropped phrase contains, if other names of the
// filter were searched for, so that the search did not become broader. Otherwise it returns "".
func replaceableName(q *query.Query, phrase string, dropped []record.DroppedTerm) string {
	part := normalize(phrase)
	for _, f := range q.Filters {
		names := strings.Split(f.Alternatives, "\n")
		of := func(phrase string) func(string) bool {
			return func(name string) bool { return phrase != "" && containsPhrase(normalize(phrase), normalize(name)) }
		}
		i := slices.IndexFunc(names, of(part))
		if part == "" || i < 0 {
			continue
		}
		name := names[i]
		for _, d := range dropped {
			names = slices.DeleteFunc(names, of(d.Phrase))
		}
		if len(names) > 0 {
			return name
		}
	}
	return ""
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
func filterIndex(q *query.Query, phrase string) int {
	p := normalize(phrase)
	if p == "" {
		return -1
	}
	if i := slices.IndexFunc(q.Filters, func(f query.AppliedFilter) bool { return matches(f, p) }); i >= 0 || containsPhrase(p, normalize(q.Text)) {
		return i
	}
	return slices.IndexFunc(q.Filters, func(f query.AppliedFilter) bool { return containsPhrase(p, normalize(f.Term)) })
}

// matches reports whether phrase, in the form that normalize returns, equals the filter as typed or
// as sent.
func matches(f query.AppliedFilter, phrase string) bool {
	return normalize(f.Term) == phrase || normalize(f.Value) == phrase
}

// correctedFlags returns the flags that replace filters. replacements holds the new values by
// index. If a flag is given several times, the result has all its values.
func correctedFlags(q *query.Query, replacements map[int]string) (pairs []string) {
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
