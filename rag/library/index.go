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

// The fields of a file, and the weight of a word in each.
const (
	title = iota
	labels
	text
	fields
)

var weights = [fields]float64{title: 3, labels: 2, text: 1}

// fieldGap separates the fields of a file, so that no phrase crosses them.
const fieldGap = 10

// maxTerms is the maximum size of the table of terms, which keeps the terms of removed files.
const maxTerms = 1 << 21

// An index holds the analysed files. Terms are referred to by their index in terms.
type index struct {
	analyzer *analyze.Analyzer
	terms    []string
	ids      map[string]uint32
	docs     map[docKey]*doc
}

// A docKey identifies the content of a file that its analysis depends on.
type docKey struct {
	sum    [sha256.Size]byte
	title  string
	labels string
}

func keyOf(f *library.File) docKey {
	return docKey{f.Sum, f.Title, strings.Join(append(f.Tags[:len(f.Tags):len(f.Tags)], f.Category), "\n")}
}

// A doc holds the words of one file in order and, for each field, the position after its last word
// and the number of its positions.
type doc struct {
	words   []word
	ends    [fields]uint32
	lengths [fields]float64
}

type word struct{ term, pos uint32 }

func newIndex() index {
	return index{analyzer: analyze.New(), ids: map[string]uint32{}, docs: map[docKey]*doc{}}
}

// update analyses new files, and forgets removed ones. It leaves out a file that can no longer
// be read.
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
	parts := [fields][]string{title: {f.Title}, labels: append([]string{f.Category}, f.Tags...), text: {body}}
	for field, parts := range parts {
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

// queryTerms returns the terms in the leaves of a query, by their index.
func (x *index) queryTerms(q store.Query) map[uint32]string {
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
		case store.Documents:
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

// bag returns the positions of the given terms in a file.
func (d *doc) bag(wanted map[uint32]string) rag.Bag {
	b := rag.Bag{}
	for _, w := range d.words {
		if term, ok := wanted[w.term]; ok {
			b[term] = append(b[term], w.pos)
		}
	}
	return b
}

// field returns the field of a position.
func (d *doc) field(pos uint32) int {
	for f, end := range d.ends {
		if pos < end {
			return f
		}
	}
	return text
}
