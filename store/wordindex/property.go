package wordindex

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/record"
)

// Properties of a document are terms of the index that begin with a control character and a letter.
const (
	propertyJournal     = "\x01j" // name of the journal
	propertyType        = "\x01p" // publication type
	propertyMesh        = "\x01m" // MeSH descriptor or its UI
	propertyMajor       = "\x01h" // the same, if it is a major topic
	propertyAuthor      = "\x01a" // last name, comma, initials
	propertyFirstAuthor = "\x01f"
	propertyLanguage    = "\x01l" // code of three letters
	propertyGrant       = "\x01g" // number, acronym or agency
)

// Names holds the names by which filters find a document.
type Names struct {
	Journals, PubTypes, Mesh, MajorMesh, Languages, Grants []string
	Authors                                                []AuthorName // in the order of the record
}

// AuthorName is the name of a person, or of a group as the last name.
type AuthorName struct{ Last, Initials string }

func (n AuthorName) property(kind string) string {
	last := record.FoldName(n.Last)
	if last == "" {
		return ""
	}
	return CutTerm(kind + last + "," + lettersOf(n.Initials))
}

// lettersOf returns the letters of initials, folded.
func lettersOf(initials string) string { return strings.ReplaceAll(record.FoldName(initials), " ", "") }

// Properties returns the sorted property terms of a document with these names.
func Properties(n Names) []string {
	var list []string
	add := func(kind string, names []string) {
		for _, name := range names {
			list = append(list, property(kind, name))
		}
	}
	add(propertyJournal, n.Journals)
	add(propertyType, n.PubTypes)
	add(propertyMesh, n.Mesh)
	add(propertyMajor, n.MajorMesh)
	add(propertyLanguage, n.Languages)
	add(propertyGrant, n.Grants)
	for i, author := range n.Authors {
		if list = append(list, author.property(propertyAuthor)); i == 0 {
			list = append(list, author.property(propertyFirstAuthor))
		}
	}
	list = slices.DeleteFunc(list, func(term string) bool { return term == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// properties returns the property terms that the filter requires, one of each list, and those that it
// excludes. A term that ends in a star stands for all that begin so.
func (f Filter) properties() (anyOf [][]string, noneOf []string) {
	require := func(kind string, names ...string) {
		var list []string
		for _, n := range names {
			list = append(list, property(kind, n))
		}
		if len(list) > 0 {
			anyOf = append(anyOf, list)
		}
	}
	require(propertyJournal, f.Journals...)
	require(propertyType, f.PubTypes...)
	for _, m := range f.Mesh {
		require(propertyMesh, m)
	}
	for _, m := range f.MajorMesh {
		require(propertyMajor, m)
	}
	for _, a := range f.Authors {
		anyOf = append(anyOf, authorTerms(propertyAuthor, a))
	}
	for _, a := range f.FirstAuthors {
		anyOf = append(anyOf, authorTerms(propertyFirstAuthor, a))
	}
	var codes []string
	for _, l := range f.Languages {
		codes = append(codes, cmp.Or(record.LanguageCode(l), l))
	}
	require(propertyLanguage, codes...)
	require(propertyGrant, f.Grants...)
	for _, n := range f.NotTypes {
		noneOf = append(noneOf, property(propertyType, n))
	}
	return anyOf, noneOf
}

// An AuthorReading is one way to read the name of an author as typed.
type AuthorReading struct {
	AuthorName
	Prefix bool // Initials, or without any the last name, may continue
}

// ReadAuthor returns the ways to read the name of an author: Smith, Smith J, Smith, John A, or John
// Smith. As in PubMed, initials may continue, except in a name in quotes. A final star lets the last
// part of the name continue.
func ReadAuthor(typed string) []AuthorReading {
	typed = strings.TrimSpace(typed)
	bare := strings.Trim(typed, `"“”`)
	exact := bare != typed
	bare, star := strings.CutSuffix(bare, "*")
	reading := func(last, initials string) AuthorReading {
		return AuthorReading{AuthorName{record.FoldName(last), lettersOf(initials)}, star || initials != "" && !exact}
	}
	if last, fore, ok := strings.Cut(bare, ","); ok {
		return []AuthorReading{reading(last, initialsOf(strings.Fields(fore)))}
	}
	words := strings.Fields(bare)
	if n := len(words); n > 1 && isNameSuffix(words[n-1]) {
		words = words[:n-1]
	}
	n := len(words)
	switch {
	case n < 2:
		return []AuthorReading{reading(bare, "")}
	case isInitials(words[n-1]):
		first := n - 1
		for first > 1 && len(lettersOf(words[first-1])) == 1 {
			first--
		}
		return []AuthorReading{reading(strings.Join(words[:first], " "), strings.Join(words[first:], ""))}
	case star:
		return []AuthorReading{reading(bare, "")}
	}
	return []AuthorReading{
		reading(bare, ""), reading(words[n-1], initialsOf(words[:n-1])), reading(words[0], initialsOf(words[1:])),
	}
}

func isNameSuffix(word string) bool {
	return slices.Contains([]string{"jr", "sr", "2nd", "3rd"}, record.FoldName(word))
}

// isInitials reports whether a word is the initials of a name: up to three letters of one case.
func isInitials(word string) bool {
	letters := len([]rune(lettersOf(word)))
	bare := strings.ReplaceAll(word, ".", "")
	return letters <= 3 && (bare == strings.ToUpper(bare) || bare == strings.ToLower(bare))
}

// initialsOf returns the initials of forenames. A word in capitals is initials already.
func initialsOf(words []string) string {
	var b strings.Builder
	for _, w := range words {
		if isInitials(w) && w == strings.ToUpper(w) {
			b.WriteString(lettersOf(w))
			continue
		}
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			b.WriteString(string([]rune(part)[:1]))
		}
	}
	return b.String()
}

// authorTerms returns the property terms of an author as typed.
func authorTerms(kind, typed string) (terms []string) {
	for _, r := range ReadAuthor(typed) {
		switch {
		case r.Last == "":
		case r.Initials != "" && r.Prefix:
			terms = append(terms, r.property(kind)+"*")
		case r.Initials != "":
			terms = append(terms, r.property(kind))
		case r.Prefix:
			terms = append(terms, kind+r.Last+"*")
		default:
			terms = append(terms, r.property(kind)+"*") // any initials
		}
	}
	return terms
}
