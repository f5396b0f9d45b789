package lsa

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"biomcp/rag/analyze"
)

// Source loads the rows of a stored model. Keys without a row are missing from the
// result.
type Source func(ctx context.Context, keys []string) (map[string][]byte, error)

// ErrVersion is returned for a stored model of another version of this package or
// of analyze.
var ErrVersion = errors.New("the vectors were made by another version of the program")

// ErrDamaged is returned for a stored model that cannot be read.
var ErrDamaged = errors.New("the stored model is damaged")

// Space computes vectors with a stored model. It loads rows when they are first
// needed and keeps them. Its methods may be called concurrently.
type Space struct {
	Dim  int
	Docs int // documents in the corpus when the model was fitted

	load  Source
	roots []float32 // √σ
	mu    sync.Mutex
	rows  map[string][]float32 // Dim numbers and the scale; nil for a term that the model does not know
}

// Open returns a Space for a stored model, of which it reads only the header.
func Open(ctx context.Context, load Source) (*Space, error) {
	found, err := load(ctx, []string{""})
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
	if h[2] <= 0 || len(b) != 4*h[2] {
		return nil, fmt.Errorf("%w (a header for %d dimensions)", ErrDamaged, h[2])
	}
	return &Space{Dim: h[2], Docs: h[3], load: load, roots: numbers(b), rows: make(map[string][]float32)}, nil
}

// Vectors returns the vector of each text (see the package comment): Dim numbers, of
// Euclidean length 1; nil if none of its terms is known. A text is given by its
// terms in any order, once for each occurrence.
func (s *Space) Vectors(ctx context.Context, texts [][]string) ([][]float32, error) {
	sorted := make([][]string, len(texts))
	for i, terms := range texts {
		sorted[i] = slices.Sorted(slices.Values(terms)) // sums do not depend on the order
	}
	rows, err := s.rowsOf(ctx, sorted)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, terms := range sorted {
		a, b := make([]float32, s.Dim), make([]float32, s.Dim)
		for j, k := 0, 0; j < len(terms); j = k {
			for k = j + 1; k < len(terms) && terms[k] == terms[j]; k++ {
			}
			if row := rows[terms[j]]; row != nil {
				w := float32(tfWeight(float64(k - j)))
				axpy(w, row[:s.Dim], a)
				axpy(w*row[s.Dim], row[:s.Dim], b)
			}
		}
		for j, root := range s.roots {
			b[j] *= root
		}
		a, b = unit(a), unit(b)
		out[i] = unit(sum(unit(a), unit(b)))
	}
	return out, nil
}

// sum returns a + b, in a; the other if one is nil.
func sum(a, b []float32) []float32 {
	if a == nil {
		return b
	}
	if b != nil {
		axpy(1, b, a)
	}
	return a
}

// unit scales v to length 1. It returns nil if v is zero or nil.
func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum < 1e-20 {
		return nil
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// rowsOf returns the rows of the known terms of texts.
func (s *Space) rowsOf(ctx context.Context, texts [][]string) (map[string][]float32, error) {
	rows := make(map[string][]float32)
	var missing []string
	s.mu.Lock()
	for _, terms := range texts {
		for i, t := range terms {
			if i > 0 && t == terms[i-1] || t == "" {
				continue
			}
			row, ok := s.rows[t]
			if !ok {
				missing = append(missing, t)
			} else if row != nil {
				rows[t] = row
			}
		}
	}
	s.mu.Unlock()
	if len(missing) == 0 {
		return rows, nil
	}
	slices.Sort(missing)
	missing = slices.Compact(missing)
	found, err := s.load(ctx, missing)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rows) > 4*MaxTerms { // drop the unknown terms, whose number is not bounded
		maps.DeleteFunc(s.rows, func(_ string, row []float32) bool { return row == nil })
	}
	for _, t := range missing {
		var row []float32
		if b, ok := found[t]; ok {
			if len(b) != 4*(s.Dim+1) {
				return nil, fmt.Errorf("%w (a row of %d bytes for %d dimensions)", ErrDamaged, len(b), s.Dim)
			}
			row = numbers(b)
			rows[t] = row
		}
		s.rows[t] = row
	}
	return rows, nil
}
