package lsa

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"

	"biomcp/entrez/fault"
	"biomcp/rag/analyze"
	"biomcp/store/postings"
	"biomcp/store/vectors"
)

// A Source reads a stored model.
type Source interface {
	// Rows returns the rows of some keys. The result leaves out keys without a row.
	Rows(ctx context.Context, keys []string) (map[string][]byte, error)
	// Each calls f with every row, ordered by key. A row is valid until f returns.
	Each(ctx context.Context, f func(key string, row []byte) error) error
}

// ErrVersion is returned if a stored model has another version of this package or of package
// analyze.
var ErrVersion = errors.New("the vectors were made by another version of the program")

// ErrDamaged is returned if a stored model cannot be read.
var ErrDamaged error = damagedError{}

type damagedError struct{}

func (damagedError) Error() string { return "the stored model is damaged" }

// Meaning returns the code Store and the command that makes the model again.
func (e damagedError) Meaning() fault.Meaning {
	return fault.Meaning{
		Code:    fault.Store,
		Message: "the corpus: " + e.Error() + "; it can be made again",
		Next:    []string{"sync", "embeddings"},
	}
}

// A Space computes vectors with a stored model. It loads rows when they are first needed and
// keeps them. If many are needed, it loads the whole model. Its methods may be called
// concurrently.
type Space struct {
	Dim  int
	Docs int // number of documents in the corpus when the model was fitted

	source Source
	roots  []float32 // √σ
	terms  int       // number of terms in the model

	loading sync.Mutex // held while the whole model is loaded
	mu      sync.Mutex
	rows    someRows
	whole   *table // nil until the whole model is loaded
}

// Open returns a Space for a stored model. It reads only the header.
func Open(ctx context.Context, source Source) (*Space, error) {
	found, err := source.Rows(ctx, []string{""})
	if err != nil {
		return nil, err
	}
	var h [5]int // version, analysis, dim, docs, terms
	b, ok := found[""]
	for i := range h {
		n, size := binary.Uvarint(b)
		if size <= 0 {
			return nil, fmt.Errorf("%w (header: %v)", ErrDamaged, ok)
		}
		h[i], b = int(n), b[size:]
	}
	if h[0] == 0 {
		return nil, fmt.Errorf("%w (no version)", ErrDamaged)
	}
	if h[0] != Version || h[1] != analyze.Version {
		return nil, ErrVersion
	}
	if h[2] <= 0 || h[4] < 0 || len(b) != 4*h[2] {
		return nil, fmt.Errorf("%w (a header for %d dimensions and %d terms)", ErrDamaged, h[2], h[4])
	}
	s := &Space{Dim: h[2], Docs: h[3], terms: h[4], source: source, roots: make([]float32, h[2]), rows: make(someRows)}
	_, err = binary.Decode(b, binary.LittleEndian, s.roots)
	return s, err
}

// Vectors returns the vector of each text (see the package comment): Dim numbers with Euclidean
// length 1, or nil if no term is known. A text is a list of its terms in any order, with one
// element per occurrence.
func (s *Space) Vectors(ctx context.Context, texts [][]string) ([][]float32, error) {
	rows, err := s.rowsOf(ctx, texts)
	if err != nil {
		return nil, err
	}
	return s.vectors(len(texts), func(dst []occurrences, i int) []occurrences { return rows.find(dst, texts[i]) }), nil
}

// Terms returns the sorted terms of the model.
func (s *Space) Terms(ctx context.Context) ([]string, error) {
	whole, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	terms := make([]string, whole.terms.Len())
	for i := range terms {
		terms[i] = string(whole.terms.Word(uint32(i)))
	}
	return terms, nil
}

// CountVectors returns the vectors of texts as Vectors does. Each text is given by the sorted
// indexes of its terms in Terms and their counts.
func (s *Space) CountVectors(ctx context.Context, texts [][]postings.TermCount) ([][]float32, error) {
	whole, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	return s.vectors(len(texts), func(dst []occurrences, i int) []occurrences {
		for _, t := range texts[i] {
			dst = append(dst, occurrences{whole.row(t.Term()), int(t.Count())})
		}
		return dst
	}), nil
}

// vectors returns the vectors of n texts. find appends the known terms of text i.
func (s *Space) vectors(n int, find func(dst []occurrences, i int) []occurrences) [][]float32 {
	out, b := make([][]float32, n), make([]float32, s.Dim)
	var known []occurrences
	for i := range out {
		a := make([]float32, s.Dim)
		clear(b)
		known = find(known[:0], i)
		for _, o := range known {
			w := float32(tfWeight(float64(o.count)))
			axpy(w, o.row[:s.Dim], a)
			axpy(w*o.row[s.Dim], o.row[:s.Dim], b)
		}
		for j, root := range s.roots {
			b[j] *= root
		}
		out[i] = vectors.Unit(sum(vectors.Unit(a), vectors.Unit(b)))
	}
	return out
}

// sum adds b to a and returns a. If one is nil, it returns the other.
func sum(a, b []float32) []float32 {
	if a == nil {
		return b
	}
	if b != nil {
		axpy(1, b, a)
	}
	return a
}

// rowsOf returns rows that include those of the known terms of texts.
func (s *Space) rowsOf(ctx context.Context, texts [][]string) (rows, error) {
	whole, found, missing, many := s.lookup(texts)
	switch {
	case whole != nil:
		return whole, nil
	case many:
		return s.load(ctx)
	case len(missing) == 0:
		return found, nil
	}
	stored, err := s.source.Rows(ctx, missing)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range missing {
		var row []float32
		if b, ok := stored[t]; ok {
			if len(b) != rowSize(s.Dim) {
				return nil, s.damagedRow(b)
			}
			row = appendStored(make([]float32, 0, s.Dim+1), b)
		}
		found[t] = row
		if s.whole == nil {
			s.rows[t] = row
		}
	}
	return found, nil
}

// lookup returns the whole model if it is loaded. Otherwise it returns the loaded rows of the
// terms of texts, the terms whose rows are not loaded, and whether loading these would exceed
// the limit for single rows.
func (s *Space) lookup(texts [][]string) (whole *table, found someRows, missing []string, loadAll bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole != nil {
		return s.whole, nil, nil, false
	}
	found = make(someRows)
	for _, terms := range texts {
		for _, t := range terms {
			if row, ok := s.rows[t]; ok {
				found[t] = row
			} else if t != "" {
				missing = append(missing, t)
			}
		}
	}
	slices.Sort(missing)
	missing = slices.Compact(missing)
	return nil, found, missing, len(s.rows)+len(missing) > s.terms/wholeRatio
}
