package disease

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"biomcp/cli/command"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/pattern"
	"biomcp/rag/analyze"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A patientFeature is a feature of the query with the term of HPO that was understood.
type patientFeature struct {
	Typed   string `json:"typed"`
	Absent  bool   `json:"absent"`
	HPO     string `json:"hpo"`
	Name    string `json:"name"`
	By      string `json:"by"`      // what matched: "name", "exact synonym", "id", "former id", …
	Matched string `json:"matched"` // the name, synonym or id that matched
}

// An unknownFeature is a text that names no current term. Nearest lists names or ids of similar ones. If Misspelt is
// true, the first of them is spelt like the text.
type unknownFeature struct {
	Typed    string   `json:"typed"`
	Nearest  []string `json:"nearest"`
	Misspelt bool     `json:"misspelt"`
}

// A featureReader finds the terms of features in the local table.
type featureReader struct {
	ctx      context.Context
	tables   *table.Tables
	analyzer *analyze.Analyzer
	unknown  []unknownFeature
}

var (
	hpoID      = pattern.Lazy(`^(?i:HP)[:_]?(\d{7})$`)
	separators = pattern.Lazy(`[,;\n]`)
	negations  = pattern.Lazy(`^(?i:(?:no|not|without|denies|negative for)\s+(?:any\s+|history of\s+)?|-\s*)`)
	// negative matches a text with a word that may negate it. Its stems do not tell that.
	negative = pattern.Lazy(`(?i)\b(?:no|not|non|nor|none|never|without|neither|absen\w+|lack\w*|denie\w|negative)\b`)
)

// maxCommas is the maximum number of commas in a name of HPO that is looked for.
const maxCommas = 3

// read returns the features of values. A name may contain commas. If absent is false, a feature after "no",
// "without" or a hyphen is absent.
func (r *featureReader) read(values []string, absent bool) (list []patientFeature, err error) {
	for _, value := range values {
		parts := separators().Split(value, -1)
		for len(parts) > 0 {
			f, n, err := r.readFirst(parts, absent)
			if err != nil {
				return nil, err
			}
			if parts = parts[n:]; f != nil {
				list = append(list, *f)
			}
		}
	}
	return list, nil
}

// readFirst returns the feature at the beginning of parts, the longest that is known, and its number of parts. The
// feature is nil if it is unknown or empty.
func (r *featureReader) readFirst(parts []string, absent bool) (f *patientFeature, n int, err error) {
	for n = min(len(parts), maxCommas+1); n > 0; n-- {
		text := strings.Join(strings.Fields(strings.Join(parts[:n], ", ")), " ")
		if text == "" {
			return nil, n, nil
		}
		negated := negations().FindString(text)
		if f, err = r.find(text, n == 1 && negated == ""); err == nil && f == nil && negated != "" && !absent {
			f, err = r.find(text[len(negated):], n == 1)
		}
		if err != nil {
			return nil, 0, err
		}
		if f != nil {
			f.Absent = absent || f.Typed != text
			f.Typed = text
			return f, n, nil
		}
	}
	typed := strings.TrimSpace(parts[0])
	u, err := r.nearest(strings.TrimPrefix(typed, negations().FindString(typed)))
	u.Typed = typed
	r.unknown = append(r.unknown, u)
	return nil, 1, err
}

// find returns the term with an id, a name or a synonym, or nil if there is none. If inflected is true, the words may
// be inflected, spelt in British or in another order, and function words may differ, but not negations.
func (r *featureReader) find(text string, inflected bool) (*patientFeature, error) {
	if m := hpoID().FindStringSubmatch(text); m != nil {
		return r.findID(text, "HP:"+m[1])
	}
	holders, err := r.tables.RecordsByValue(r.ctx, bulk.HPO.Name, sets.PhenotypeField, []string{text})
	if err != nil {
		return nil, err
	}
	f, err := best(text, holders[text], func(name string) bool { return table.EqualText(name, text) })
	if f != nil || err != nil || !inflected || negative().MatchString(text) {
		return f, err
	}
	words := r.stems(text)
	for _, query := range []string{text, strings.Join(words, " ")} {
		candidates, err := r.tables.Find(r.ctx, bulk.HPO.Name, containing(query))
		if err != nil {
			return nil, err
		}
		same := func(name string) bool { return len(words) > 0 && slices.Equal(r.stems(name), words) }
		f, err = best(text, candidates.Records, same)
		if f != nil || err != nil {
			if f != nil {
				f.By = "spelling of " + f.By
			}
			return f, err
		}
	}
	return nil, nil
}

// containing returns the query for terms with a name or synonym that contains all words of a text, in any inflection.
func containing(text string) table.Query {
	return table.Query{
		Kinds: []string{sets.TermKind}, Limit: 500,
		Conditions: []table.Condition{{Fields: []string{sets.PhenotypeField}, Text: strings.ReplaceAll(text, "-", " ")}},
	}
}

// stems returns the stems of the words of a text, sorted.
func (r *featureReader) stems(text string) (list []string) {
	tokens, _ := r.analyzer.Tokens(nil, strings.NewReplacer("-", " ", ",", " ").Replace(text), 0)
	for _, t := range tokens {
		list = append(list, t.Term)
	}
	slices.Sort(list)
	return list
}

// scopes orders what a text can be of a term, the closest first.
var scopes = []string{"name", "exact synonym", "narrow synonym", "broad synonym", "related synonym"}

// best returns the term whose name or synonym matches, or nil. A name is better than a synonym. It returns an error
// if several terms match equally well, such as ASD.
func best(text string, records []table.Record, matches func(string) bool) (*patientFeature, error) {
	var found []*patientFeature // the best ones
	rank := func(scope string) int { return slices.Index(scopes, scope) }
	for _, record := range records {
		t, err := table.Decode[sets.Phenotype](record)
		if err != nil {
			return nil, err
		}
		var own *patientFeature
		for i, name := range append([]sets.PhenotypeName{{Text: t.Name, Scope: scopes[0]}}, t.Synonyms...) {
			if i > 0 {
				name.Scope += " synonym"
			}
			if matches(name.Text) && (own == nil || rank(name.Scope) < rank(own.By)) {
				own = &patientFeature{Typed: text, HPO: t.ID, Name: t.Name, By: name.Scope, Matched: name.Text}
			}
		}
		switch {
		case own == nil || len(found) > 0 && rank(own.By) > rank(found[0].By):
		case len(found) > 0 && rank(own.By) == rank(found[0].By):
			found = append(found, own)
		default:
			found = []*patientFeature{own}
		}
	}
	if len(found) > 1 {
		terms := result.Map(found, func(f *patientFeature) string { return f.Name + " (" + f.HPO + ")" })
		message := fmt.Sprintf("%q names several terms of HPO: %s", command.Clip(text), command.Abbreviate(terms))
		return nil, result.Invalid(message, "search", "disease", "--help")
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found[0], nil
}

// findID returns the term with an id, a former id or the id of a term that it replaces.
func (r *featureReader) findID(text, id string) (*patientFeature, error) {
	by := "id"
	for range 3 { // a replacement can be replaced
		found, err := r.tables.Get(r.ctx, bulk.HPO.Name, id)
		if err == nil && len(found.Records) == 0 {
			by = "former id"
			var holders map[string][]table.Record
			holders, err = r.tables.RecordsByValue(r.ctx, bulk.HPO.Name, sets.AlternateID, []string{id})
			found = &table.Found{Records: holders[id]}
		}
		if err != nil || len(found.Records) == 0 {
			return nil, err
		}
		t, err := table.Decode[sets.Phenotype](found.Records[0])
		if err != nil {
			return nil, err
		}
		if !t.Obsolete {
			return &patientFeature{Typed: text, HPO: t.ID, Name: t.Name, By: by, Matched: strings.ToUpper(text)}, nil
		}
		if len(t.ReplacedBy) == 0 {
			return nil, nil
		}
		by, id = "replaced id", t.ReplacedBy[0]
	}
	return nil, nil
}

// nearest returns at most three terms that are similar to a text: those that HPO suggests for an obsolete id, one
// with a similar spelling, those with all its words, or those with its longest known word.
func (r *featureReader) nearest(text string) (u unknownFeature, err error) {
	if m := hpoID().FindStringSubmatch(text); m != nil {
		found, err := r.tables.Get(r.ctx, bulk.HPO.Name, "HP:"+m[1])
		for i := 0; err == nil && i < len(found.Records); i++ {
			var t *sets.Phenotype
			if t, err = table.Decode[sets.Phenotype](found.Records[i]); err == nil {
				u.Nearest = t.Consider[:min(3, len(t.Consider))]
			}
		}
		return u, err
	}
	initial, _ := utf8.DecodeRuneInString(text + " ") // a misspelt name usually begins with the right letter
	names, err := r.names(table.Query{
		Limit:      1 << 20,
		Conditions: []table.Condition{{Fields: []string{sets.PhenotypeField}, Text: string(initial), Prefix: true}},
	})
	if err != nil {
		return u, err
	}
	near := command.Nearest(text, names) // may only begin with the text
	if off := len(near) - len(text); len(text) > 3 && -2 <= off && off <= 2 {
		return unknownFeature{Nearest: []string{near}, Misspelt: true}, nil
	}
	parts := append(strings.Fields(text), text, strings.Join(r.stems(text), " "))
	slices.SortStableFunc(parts, func(a, b string) int { return len(b) - len(a) })
	for _, part := range parts {
		if names, err = r.names(containing(part)); err != nil {
			return u, err
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			has := r.stems(name)
			return slices.ContainsFunc(r.stems(part), func(w string) bool { return !slices.Contains(has, w) })
		})
		slices.SortStableFunc(names, func(a, b string) int { return len(a) - len(b) })
		if u.Nearest = names[:min(3, len(names))]; len(names) > 0 {
			break
		}
	}
	return u, nil
}

// names returns the names and synonyms of the current terms that a query finds.
func (r *featureReader) names(q table.Query) (list []string, err error) {
	found, err := r.tables.Find(r.ctx, bulk.HPO.Name, q)
	if err != nil {
		return nil, err
	}
	for _, record := range found.Records {
		t, err := table.Decode[sets.Phenotype](record)
		if err != nil {
			return nil, err
		}
		if t.Obsolete {
			continue
		}
		list = append(list, t.Name)
		for _, s := range t.Synonyms {
			list = append(list, s.Text)
		}
	}
	return list, nil
}

// unknownFailure names the unknown features, each with the nearest terms. It suggests the corrected line if all
// are misspelt.
func (r *featureReader) unknownFailure(in *command.Input) error {
	var texts, pairs []string
	corrected := true
	for _, u := range r.unknown {
		text := fmt.Sprintf("%q", command.Clip(u.Typed))
		if len(u.Nearest) > 0 {
			text += " (nearest: " + strings.Join(u.Nearest, "; ") + ")"
		}
		texts, corrected = append(texts, text), corrected && u.Misspelt
	}
	for _, flag := range []string{features, withoutFeatures} {
		for _, value := range in.Strings(flag) {
			for _, u := range r.unknown {
				value = strings.Replace(value, u.Typed,
					negations().FindString(u.Typed)+strings.Join(u.Nearest, ""), 1)
			}
			pairs = append(pairs, "--"+flag, value)
		}
	}
	try := result.Argv{"search", "disease", "--help"}
	if corrected {
		try = in.LineWith(pairs...)
	}
	f := result.Invalid("HPO has no current term called "+strings.Join(texts, ", "), try...)
	f.Details = map[string]any{"unknown_features": r.unknown}
	return f
}

// openHPO opens the local tables to read features. The error is a *table.AbsentError if HPO's table is absent.
func openHPO(ctx context.Context, in *command.Input) (*table.Tables, *table.Info, error) {
	tables, err := local.Open(ctx, in.App, bulk.HPO)
	if err != nil {
		return nil, nil, err
	}
	info, err := tables.Info(ctx, bulk.HPO.Name)
	if err != nil {
		return nil, nil, errors.Join(err, tables.Close())
	}
	return tables, &info, nil
}
