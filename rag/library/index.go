package library

import (
	"context"
	"crypto/sha256"
	"strings"

	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/store"
	"biomcp/store/library"
)

// The fields of a file, and how much a word counts in each.
const (
	title = iota
	labels
	text
	fields
)

var weights = [fields]float64{title: 3, labels: 2, text: 1}

// fieldGap separates the fields of a file, so that no phrase crosses them.
const fieldGap = 10

// maxTerms bounds the table of terms, which keeps those of files that are gone.
const maxTerms = 1 << 21

// index is the analysed files. A term is its place in terms.
type index struct {
	analyzer *analyze.Analyzer
	terms    []string
	ids      map[string]uint32
	docs     map[docKey]*doc
}

// docKey identifies the content of a file that its analysis depends on.
type docKey struct {
	sum    [sha256.Size]byte
	title  string
	labels string
}

func keyOf(f *library.File) docKey {
	return docKey{f.Sum, f.Title, strings.Join(append(f.Tags[:len(f.Tags):len(f.Tags)], f.Category), "\n")}
}

// doc is the words of one file in their order, and for each field the position behind
// it and how many positions it has.
type doc struct {
	words   []word
	ends    [fields]uint32
	lengths [fields]float64
}

type word struct{ term, pos uint32 }

func newIndex() index {
	return index{analyzer: analyze.New(), ids: map[string]uint32{}, docs: map[docKey]*doc{}}
}

// update analyses the files that are new, and forgets those that are gone. A file
// that can no longer be read is left out.
func (x *index) update(ctx context.Context, from *library.Library, files []library.File) ([]library.File, error) {
	if len(x.terms) > maxTerms {
		*x = newIndex()
	}
	current := make(map[docKey]*doc, len(files))
	var there []library.File
	for _, f := range files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		key := keyOf(&f)
		d := x.docs[key]
		if d == nil {
			now, body, err := from.Read(f.Project, f.Name)
			if err != nil {
				continue
			}
			f, key = *now, keyOf(now)
			d = x.analyse(&f, library.Body(body))
		}
		current[key] = d
		there = append(there, f)
	}
	x.docs = current
	return there, nil
}

func (x *index) analyse(f *library.File, body string) *doc {
	d := &doc{}
	var tokens []store.Token
	at := uint32(0)
	for field, parts := range [fields][]string{title: {f.Title}, labels: append([]string{f.Category}, f.Tags...), text: {body}} {
		for _, part := range parts {
			start := at
			tokens, at = x.analyzer.Tokens(tokens, part, at)
			d.lengths[field] += float64(at - start)
			at += fieldGap
		}
		d.ends[field] = at
	}
	d.words = make([]word, len(tokens))
	for i, t := range tokens {
		id, ok := x.ids[t.Term]
		if !ok {
			id = uint32(len(x.terms))
			term := strings.Clone(t.Term)
			x.ids[term], x.terms = id, append(x.terms, term)
		}
		d.words[i] = word{id, t.Pos}
	}
	return d
}

// wanted are the terms that the leaves of a query name, by their places.
func (x *index) wanted(q store.Query) map[uint32]string {
	out := map[uint32]string{}
	add := func(term string) {
		if id, ok := x.ids[term]; ok {
			out[id] = term
		}
	}
	var walk func(store.Query)
	walk = func(q store.Query) {
		switch q := q.(type) {
		case store.Term:
			add(q.Text)
		case store.Or:
			for _, part := range q {
				walk(part)
			}
		case store.And:
			for _, part := range q {
				walk(part)
			}
		case store.Not:
			walk(q.Query)
		case store.Phrase:
			for _, slot := range q.Slots {
				for _, term := range slot.Terms {
					add(term)
				}
			}
		case store.Prefix:
			for id, term := range x.terms {
				if strings.HasPrefix(term, q.Text) {
					out[uint32(id)] = term
				}
			}
		}
	}
	walk(q)
	return out
}

// bag is the positions of the wanted terms in a file.
func (d *doc) bag(wanted map[uint32]string) rag.Bag {
	b := rag.Bag{}
	for _, w := range d.words {
		if term, ok := wanted[w.term]; ok {
			b[term] = append(b[term], w.pos)
		}
	}
	return b
}

// field is the field of a position.
func (d *doc) field(pos uint32) int {
	for f, end := range d.ends {
		if pos < end {
			return f
		}
	}
	return text
}
