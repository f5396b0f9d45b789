package sets

import (
	"context"
	"slices"
	"strings"

	"biomcp/store/study/symbols"
	"biomcp/store/table"
	"biomcp/store/table/entryterms"
)

// OtherNames returns other names for terms: the heading of an entry term and the
// symbols of a gene (BySymbol). Each comes from the set on this machine or, if it is absent or t is
// nil, from the smaller table in the program. It leaves out what usually means something else: an
// entry term that is an English word (entryterms.IsAmbiguous), a symbol that is one, and a short
// alias of a gene. If a term is both, it is a gene if the heading is a chemical, which includes
// proteins, and the heading otherwise: COPD is a disease, although it is also an alias of ARCN1.
func OtherNames(
	ctx context.Context, t *table.Tables, terms []string,
) (headings map[string]string, genes map[string][]string, err error) {
	known, err := firstOf(t, func() (map[string]Heading, error) { return headingsOf(ctx, t, terms) },
		func() map[string]Heading { return builtInHeadings(terms) })
	if err != nil {
		return nil, nil, err
	}
	symbolic := slices.DeleteFunc(symbolLike(terms), func(term string) bool {
		return symbols.IsWord(term) || isShort(term) && symbols.Names(term) == nil
	})
	genes, err = firstOf(t, func() (map[string][]string, error) { return BySymbol(ctx, t, symbolic) },
		func() map[string][]string { return builtInSymbols(symbolic) })
	if err != nil {
		return nil, nil, err
	}
	headings = map[string]string{}
	for term, h := range known {
		switch {
		case genes[term] != nil && h.IsChemical() || isAmbiguous(term):
			continue
		case !table.EqualText(h.Name, term):
			headings[term] = h.Name
		}
		delete(genes, term)
	}
	return headings, genes, nil
}

// FieldHeadings returns the heading that each term names in a field of MeSH headings, by its name, an entry
// term or, in the table of the program, as entryterms.FindHeading compares. A term that is unknown, or
// belongs to several headings of the set on this machine, is left out.
func FieldHeadings(ctx context.Context, t *table.Tables, terms []string) (map[string]string, error) {
	names := map[string]string{}
	for _, term := range terms {
		if name, ok := entryterms.FindHeading(term); ok {
			names[term] = name
		}
	}
	if t == nil {
		return names, nil
	}
	holders, err := t.RecordsByValue(ctx, MeSHSet, Term, terms)
	if table.IsAbsent(err) {
		return names, nil
	}
	for term, records := range holders {
		delete(names, term)
		for _, r := range records {
			h, err := table.Decode[Heading](r)
			if err != nil {
				return nil, err
			}
			if len(records) == 1 || table.EqualText(h.Name, term) {
				names[term] = h.Name
			}
		}
	}
	return names, err
}

// isAmbiguous reports whether a term is an ambiguous entry term, unless it is typed in capitals as
// MeSH has it: AIDS is the disease.
func isAmbiguous(term string) bool {
	if !entryterms.IsAmbiguous(term) {
		return false
	}
	_, known := entryterms.Find(term)
	return !known
}

// isShort reports whether an alias of a gene has too many other meanings: up to four letters
// without a digit, such as MRI or CPAP, or one letter with digits, such as T4, unless the letter is
// a p, as in p53 and p21, by which proteins are named after their mass.
func isShort(alias string) bool {
	letters, _, digits := countLetters(alias)
	if letters == 1 && digits >= 2 && strings.EqualFold(alias[:1], "p") {
		return false
	}
	return letters <= 4 && digits == 0 || letters == 1
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
