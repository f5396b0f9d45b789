package sets

import (
	"context"

	"biomcp/store/study/symbols"
	"biomcp/store/table"
)

// OtherNames returns other names for terms: the heading of an entry term (ByEntryTerm) and the
// symbols of a gene (BySymbol). Each comes from the set on this machine or, if it is absent or t is
// nil, from the smaller table in the program. A symbol that is also an English word is not a gene,
// nor is an alias of up to three letters, such as MRI, which has many other meanings.
// If a term is both, it is a gene if the heading is a chemical, which includes proteins, and the
// heading otherwise: COPD is a disease, although it is also an alias of ARCN1.
func OtherNames(
	ctx context.Context, t *table.Tables, terms []string,
) (headings map[string]string, genes map[string][]string, err error) {
	known, err := firstOf(t, func() (map[string]Heading, error) { return headingsOf(ctx, t, terms) },
		func() map[string]Heading { return builtInHeadings(terms) })
	if err != nil {
		return nil, nil, err
	}
	var noWords []string
	for _, term := range terms {
		if !symbols.IsWord(term) && !isShortAlias(term) {
			noWords = append(noWords, term)
		}
	}
	genes, err = firstOf(t, func() (map[string][]string, error) { return BySymbol(ctx, t, noWords) },
		func() map[string][]string { return builtInSymbols(noWords) })
	if err != nil {
		return nil, nil, err
	}
	headings = map[string]string{}
	for term, h := range known {
		switch {
		case genes[term] != nil && h.isChemical():
			continue
		case !table.EqualText(h.Name, term):
			headings[term] = h.Name
		}
		delete(genes, term)
	}
	return headings, genes, nil
}

// isShortAlias reports whether a term has the form of a symbol, at most three letters and no digit,
// and is not an approved or previous symbol.
func isShortAlias(term string) bool {
	letters, _, digits := countLetters(term)
	return letters <= 3 && digits == 0 && len(symbolLike([]string{term})) > 0 && symbols.Names(term) == nil
}

// firstOf returns the result of find or, if the set is absent or t is nil, that of builtIn.
func firstOf[T any](t *table.Tables, find func() (T, error), builtIn func() T) (T, error) {
	if t == nil {
		return builtIn(), nil
	}
	found, err := find()
	if table.IsAbsent(err) {
		return builtIn(), nil
	}
	return found, err
}
