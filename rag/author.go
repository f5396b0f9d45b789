package rag

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/record"
	"biomcp/store"
)

// Authors returns, for those of names that authors of the corpus have, the author as a filter takes it: a
// last name, a comma, and initials.
type Authors func(ctx context.Context, names []string) (map[string]string, error)

// An AuthorCorpus is a corpus whose authors can be looked up.
type AuthorCorpus interface {
	List(ctx context.Context, f store.Filter, offset, limit int) (hits []store.Hit, total int, err error)
	DocumentsByPMID(ctx context.Context, pmids []record.PMID) (map[record.PMID]*store.Document, error)
}

// maxNamesakes is the maximum number of documents that are searched for an author's full name.
const maxNamesakes = 200

// FindAuthors looks up names of authors in a corpus, as [Authors] does.
func FindAuthors(ctx context.Context, corpus AuthorCorpus, names []string) (map[string]string, error) {
	found := map[string]string{}
	for _, name := range names {
		hits, _, err := corpus.List(ctx, store.Filter{Authors: []string{name}}, 0, maxNamesakes)
		if err != nil {
			return nil, err
		}
		var pmids []record.PMID
		for _, h := range hits {
			pmids = append(pmids, h.PMID)
		}
		docs, err := corpus.DocumentsByPMID(ctx, pmids)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			for _, a := range d.Authors {
				if of := namedAs(a, name); of != "" {
					found[name] = of
				}
			}
		}
	}
	return found, nil
}

// namedAs returns an author as a filter takes it if name is the last name, the whole name or the name of
// the group, and "" otherwise. Further forenames may follow.
func namedAs(a store.Author, name string) string {
	name = record.FoldName(name)
	last, fore := record.FoldName(a.LastName), record.FoldName(a.ForeName)
	switch {
	case name == record.FoldName(a.Collective):
		return a.Collective + ","
	case name == last:
		return a.LastName + ","
	case name == record.FoldName(a.LastName+" "+a.Initials):
		return a.LastName + ", " + a.Initials
	}
	given, ok := strings.CutSuffix(name, " "+last)
	if !ok {
		given, ok = strings.CutPrefix(name, last+" ")
	}
	if ok && fore != "" && strings.HasPrefix(fore+" ", given+" ") {
		return a.LastName + ", " + a.Initials
	}
	return ""
}

// particles returns words that precede a last name and belong to it.
var particles = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields("van von der den de del della di da dos du la le el al bin ibn ten ter zu zur") {
		set[word] = true
	}
	return set
})

// isParticle reports whether a word before next belongs to its last name. In capitals, as in Le, it may
// be a last name itself, unless next is in capitals or a particle.
func isParticle(word, next string) bool {
	if particles()[word] {
		return true
	}
	r, _ := utf8.DecodeRuneInString(next)
	return particles()[strings.ToLower(word)] && (unicode.IsUpper(r) || particles()[next]) && !isAuthorInitials(next)
}

// nameStart returns the index of the word at which an author's name at the end of words begins: a last
// name with its particles, and initials or, after a comma, forenames.
func nameStart(words []string) int {
	last := len(words) - 1
	if comma := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ",") }); comma >= 0 {
		last = comma
	} else {
		if last > 1 && slices.Contains([]string{"jr", "sr", "2nd", "3rd"}, record.FoldName(words[last])) {
			last--
		}
		for last > 0 && (isAuthorInitials(strings.ReplaceAll(words[last], ".", "")) || len(words[last]) == 1) {
			last--
		}
	}
	for last > 0 && isParticle(words[last-1], words[last]) {
		last--
	}
	return max(last, 0)
}

// continuesName reports whether word belongs to the author's name after author: as its initials, or
// because particles precede it.
func continuesName(name, word string) bool {
	words := strings.Fields(name)
	last := words[len(words)-1]
	if isAuthorInitials(word) {
		return !slices.ContainsFunc(words, isAuthorInitials)
	}
	return isParticle(last, word)
}

// ShortName returns the last name of a name of several words with forenames before it, or "" if the name
// has the form of a last name with particles, initials or a comma.
func ShortName(name string) string {
	words := strings.Fields(unquoted(name))
	if short := nameStart(words); short > 0 && !strings.HasSuffix(name, "*") {
		return strings.Join(words[short:], " ")
	}
	return ""
}

// maxNameWords is the maximum number of words before a last name that may belong to the name.
const maxNameWords = 4

// authorTail returns the offset of the author at the end of words: the longest name that an author of the
// corpus has, or a last name with its initials.
func authorTail(r *reader, words string) (start int, note string) {
	starts := wordStarts(words)
	short := nameStart(strings.Fields(words))
	for _, i := range starts[max(0, short-maxNameWords):short] {
		r.authors = append(r.authors, words[i:])
		if r.options.Authors[words[i:]] != "" {
			return i, ""
		}
	}
	if short == 0 {
		return 0, ""
	}
	at := starts[short]
	return at, "read as the author " + words[at:] + " after the words " + strings.TrimSpace(words[:at]) +
		", because the corpus has no author of the whole name"
}

// authorFilter returns the filter of a field of authors.
func authorFilter(of func(name string) store.Filter) func(*reader, string, string) (store.Filter, string, bool) {
	return func(r *reader, value, _ string) (store.Filter, string, bool) {
		note, name := "", r.options.Authors[value]
		if last, initials, _ := strings.Cut(name, ", "); name != "" && initials != "" {
			note = "searched by last name and initials: " + last + " " + initials
		} else if name == "" {
			name = value
			if _, fore, ok := strings.Cut(value, ","); ok && !isAuthorInitials(strings.TrimSpace(fore)) {
				note = "searched by last name and initials"
			}
		}
		return of(name), note, record.FoldName(name) != ""
	}
}
