package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"io"
	"iter"
	"slices"
	"strings"

	"biomcp/store/table/entryterms"
	"biomcp/store/table/sets"
)

// packHeadings returns the packed table of all headings: a line for each with its name, a tab and "|"
// before and after each of its keys. They are made of its name, its entry terms and its names in more. A
// term that entries has, or that is the name of another heading, gives no key.
func packHeadings(headings []sets.Heading, entries map[string]string, more map[string][]string) []byte {
	headings = slices.Clone(headings)
	slices.SortFunc(headings, func(a, b sets.Heading) int { return cmp.Compare(a.Name, b.Name) })
	named, terms, packed := newOwners(), newOwners(), map[string]bool{}
	for _, h := range headings {
		named.add(h.Name, h.Name)
		for _, term := range h.EntryTerms {
			terms.add(term, h.Name)
		}
	}
	for _, h := range headings {
		for _, term := range more[h.UI] {
			if terms.keys[entryterms.Key(term)] == nil {
				terms.add(term, h.Name)
			}
		}
	}
	for term := range entries {
		if term == strings.ToLower(term) { // others are found only as typed
			packed[entryterms.Key(term)] = true
		}
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a valid level, and a buffer: there is no error
	for _, h := range headings {
		keys := []string{named.form(h.Name, h.Name)}
		for _, term := range slices.Concat(h.EntryTerms, more[h.UI]) {
			form := terms.form(term, h.Name)
			if form != "" && !named.has(form) && !packed[form] && !slices.Contains(keys, form) {
				keys = append(keys, form)
			}
		}
		io.WriteString(w, h.Name+"\t|"+strings.Join(keys, "|")+"|\n")
	}
	w.Close()
	return b.Bytes()
}

// owners holds the names of the headings that have a key, and that have a term in lower case.
type owners struct{ keys, terms map[string]map[string]bool }

func newOwners() owners { return owners{map[string]map[string]bool{}, map[string]map[string]bool{}} }

func (o owners) add(term, name string) {
	for form, all := range o.forms(term) {
		if all[form] == nil {
			all[form] = map[string]bool{}
		}
		all[form][name] = true
	}
}

// forms returns the key of a term, and the term in lower case, each with the headings that have it.
func (o owners) forms(term string) iter.Seq2[string, map[string]map[string]bool] {
	return func(yield func(string, map[string]map[string]bool) bool) {
		_ = yield(entryterms.Key(term), o.keys) && yield(strings.ToLower(strings.Join(strings.Fields(term), " ")), o.terms)
	}
}

// form returns the key of a term or, if several headings have it, the term in lower case. It returns "" if
// that does not tell the heading of this name from others either.
func (o owners) form(term, name string) string {
	for form, all := range o.forms(term) {
		if len(all[form]) == 1 && all[form][name] {
			return form
		}
	}
	return ""
}

func (o owners) has(form string) bool { return o.keys[form] != nil || o.terms[form] != nil }

// diseases returns the names of the Disease Ontology by the identifier of their heading.
func diseases(mappings string) map[string][]string {
	names := map[string][]string{}
	for line := range strings.Lines(mappings) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if len(c) == 6 && c[0] == "MESH" && c[3] == "DOID" {
			names[c[1]] = append(names[c[1]], c[5])
		}
	}
	return names
}
