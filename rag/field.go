package rag

import (
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/record"
	"biomcp/store"
)

// A Field is a field of PubMed records that a tag after a word selects, as in migraine[ti], or a name
// before it, as in title:migraine.
type Field struct {
	Name   string   // in answers
	Tags   []string // PubMed's names, in lower case, the short ones first
	Prefix string   // name before a colon, or ""

	scope store.Scope
	// filter returns the documents with a value in the field. value is a value as typed, with its quotes.
	// note says what differs from PubMed. If ok is false, the value cannot be read and note says why. A nil
	// filter means that the words of the value are searched for in scope.
	filter func(r *reader, value, modifier string) (f store.Filter, note string, ok bool)
	// tail returns the offset at which the value begins in the words before a tag. If it is the length of the
	// words, they are not a value and the tag is ignored. note says how the words were divided. If tail is
	// nil, the words are the value.
	tail    func(r *reader, words string) (start int, note string)
	wider   string   // tag of a field that includes this one; "tw" means all fields
	missing fallback // what the search does instead, if the corpus has no such field
}

// A fallback is what a search does with a tag that the corpus has no field for.
type fallback int

const (
	indexed   fallback = iota // the corpus has the field
	asWords                   // the words are searched for in all fields
	discarded                 // the tagged part is left out
	unknown                   // the tag is ignored
)

// Missing reports whether the corpus has no such field.
func (f *Field) Missing() bool { return f.missing != indexed }

// Fields returns the fields whose tags a query may have.
var Fields = sync.OnceValue(func() []*Field {
	words := func(name string, scope store.Scope, prefix, tags, wider string) *Field {
		return &Field{Name: name, Prefix: prefix, Tags: strings.Split(tags, ", "), scope: scope, wider: wider}
	}
	lacks := func(name string, what fallback, tags string) *Field {
		f := &Field{Name: name, Tags: strings.Split(tags, ", "), missing: what}
		if what == discarded {
			f.tail = codeTail
		}
		return f
	}
	names := func(name, prefix, tags string, make func(value string) store.Filter) *Field {
		return &Field{Name: name, Prefix: prefix, Tags: strings.Split(tags, ", "), filter: nameFilter(make)}
	}
	authors := func(name, prefix, tags string, make func(value string) store.Filter) *Field {
		return &Field{Name: name, Prefix: prefix, Tags: strings.Split(tags, ", "),
			filter: authorFilter(make), tail: authorTail}
	}
	return []*Field{
		words("title or abstract", store.InText, "", "tiab, title/abstract", "tw"),
		words("title", store.InTitle, "title", "ti, title", "tiab"),
		words("any field", store.Anywhere, "", "tw, all, text word, text words, all fields", ""),
		authors("author", "author", "au, auth, cn, fau, author, author name, author - full, full author name, "+
			"author - corporate, corporate author", func(v string) store.Filter {
			return store.Filter{Authors: []string{v}}
		}),
		authors("first author", "", "1au, first author, first author name, author - first", func(v string) store.Filter {
			return store.Filter{FirstAuthors: []string{v}}
		}),
		{
			Name: "MeSH heading", Tags: strings.Split("mesh, mh, mesh term, mesh terms, mesh heading", ", "),
			filter: headingFilter(func(v string) store.Filter { return store.Filter{Mesh: []string{v}} }), wider: "tw",
		},
		{
			Name: "major MeSH heading", Tags: strings.Split("majr, mesh major topic, mesh major topics", ", "),
			filter: headingFilter(func(v string) store.Filter { return store.Filter{MajorMesh: []string{v}} }), wider: "mh",
		},
		{
			Name: "date of publication", Prefix: "year", filter: dateFilter, tail: dateTail,
			Tags: strings.Split("dp, pdat, ppdat, publication date, date of publication, date - publication", ", "),
		},
		names("publication type", "", "pt, ptyp, publication type", func(v string) store.Filter {
			return store.Filter{PubTypes: []string{v}}
		}),
		names("journal", "", "ta, jour, jid, is, issn, journal, journal title abbreviation, nlm unique id",
			func(v string) store.Filter { return store.Filter{Journals: []string{v}} }),
		{
			Name: "language", Tags: strings.Split("la, lang, language", ", "), tail: lastWord,
			filter: nameFilter(func(v string) store.Filter { return store.Filter{Languages: []string{v}} }),
		},
		names("grant", "", "gr, grnt, grant number, grants and funding", func(v string) store.Filter {
			return store.Filter{Grants: []string{v}}
		}),
		{Name: "PMID", Tags: strings.Split("pmid, uid", ", "), filter: pmidFilter, tail: pmidTail},

		lacks("affiliation", asWords, "ad, affl, affiliation"),
		lacks("last author", asWords, "lastau, last author, last author name, author - last"),
		lacks("MeSH subheading", asWords, "sh, mesh subheading, mesh subheadings, subheading"),
		lacks("supplementary concept", asWords, "nm, substance name, supplementary concept"),
		lacks("EC/RN number", asWords, "rn, ec/rn number"),
		lacks("pharmacological action", asWords, "pa, pharmacological action"),
		lacks("other term", asWords, "ot, other term, other terms"),
		lacks("abstract", asWords, "ab, abstract"),
		lacks("transliterated title", asWords, "tt, transliterated title"),
		lacks("personal name as subject", asWords, "ps, personal name as subject"),
		lacks("investigator", asWords, "ir, fir, investigator, full investigator name, investigator - full"),
		lacks("editor", asWords, "ed, editor"),
		lacks("book", asWords, "book"),
		lacks("publisher", asWords, "pubn, publisher"),
		lacks("place of publication", asWords, "pl, cntry, place of publication"),
		lacks("conflict of interest", asWords, "cois, conflict of interest statements"),
		lacks("secondary source", asWords, "si, secondary source id"),
		lacks("author identifier", discarded, "auid, author - identifier, author identifier"),
		lacks("article identifier", discarded, "aid, doi, lid, pmcid, article identifier, location id"),
		lacks("ISBN", discarded, "isbn"),
		lacks("volume", discarded, "vi, vol, volume"),
		lacks("issue", discarded, "ip, iss, issue"),
		lacks("pages", discarded, "pg, page, pagination"),
		lacks("filter", discarded, "filter, sb, subset"),
		lacks("owner", discarded, "owner"),
		lacks("date of entry", discarded, "edat, entry date, entrez date, date - entry, date - entrez"),
		lacks("date of creation", discarded, "crdt, create date, date - create"),
		lacks("date of completion", discarded, "dcom, completion date, date - completion"),
		lacks("date of MeSH", discarded, "mhda, mesh date, date - mesh"),
		lacks("date of modification", discarded, "lr, mdat, modification date, date - modification"),
	}
})

// fieldsByTag maps each tag to its field.
var fieldsByTag = sync.OnceValue(func() map[string]*Field {
	byTag := map[string]*Field{}
	for _, f := range Fields() {
		for _, tag := range f.Tags {
			byTag[tag] = f
		}
	}
	return byTag
})

// fieldNamed returns the field with a name before a colon, or nil.
func fieldNamed(name string) *Field {
	i := slices.IndexFunc(Fields(), func(f *Field) bool { return f.Prefix != "" && strings.EqualFold(f.Prefix, name) })
	if i < 0 {
		return nil
	}
	return Fields()[i]
}

// unquoted returns a value without surrounding quotes and spaces.
func unquoted(value string) string {
	return strings.TrimFunc(value, func(r rune) bool { return isQuote(r) || r == ' ' })
}

// headingFilter returns the filter of a field of MeSH headings. An entry term stands for its heading. Its
// own name is searched for too, because MeSH may have renamed the heading since the table was made.
func headingFilter(of func(name string) store.Filter) func(*reader, string, string) (store.Filter, string, bool) {
	return func(r *reader, value, modifier string) (store.Filter, string, bool) {
		name, subheading, divided := strings.Cut(unquoted(value), "/")
		name = strings.TrimSpace(name)
		r.headings = append(r.headings, name)
		note := ""
		filter := of(name)
		if heading := r.options.Headings[name]; heading != "" && !strings.EqualFold(heading, name) {
			note = "searched as the heading " + heading
			filter = store.Filter{Any: []store.Filter{of(heading), filter}}
		}
		switch {
		case divided:
			note = joinNotes(note, "without the subheading "+strings.TrimSpace(subheading)+", which the corpus does not index")
		case modifier != "noexp":
			note = joinNotes(note, "without narrower headings, which PubMed includes")
		}
		return filter, note, name != ""
	}
}

// nameFilter returns the filter of a field of names.
func nameFilter(of func(name string) store.Filter) func(*reader, string, string) (store.Filter, string, bool) {
	return func(_ *reader, value, _ string) (store.Filter, string, bool) {
		return of(unquoted(value)), "", unquoted(value) != ""
	}
}

// joinNotes joins the notes that are not empty.
func joinNotes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// pmidFilter reads a list of PMIDs.
func pmidFilter(_ *reader, value, _ string) (f store.Filter, note string, ok bool) {
	for _, word := range strings.FieldsFunc(unquoted(value), func(r rune) bool { return r == ',' || r == ' ' }) {
		pmid, err := record.ParsePMID(word)
		if err != nil {
			return f, word + " is not a PMID", false
		}
		f.PMIDs = append(f.PMIDs, pmid)
	}
	return f, "", len(f.PMIDs) > 0
}
