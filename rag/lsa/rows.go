package lsa

import (
	"context"
	"fmt"
	"slices"

	"biomcp/store/intern"
)

// wholeRatio determines when the whole model is loaded: if more than one in wholeRatio of its
// rows is needed. Reading a row by its key costs more than reading the rows in the order of
// their keys.
const wholeRatio = 8

// occurrences holds the number of occurrences of a term in a text, with the row of the term.
type occurrences struct {
	row   []float32
	count int
}

// rows holds some or all rows of a model. find appends those of the known terms of a text in a
// fixed order of the terms, so that sums do not depend on the order of the text.
type rows interface {
	find(dst []occurrences, terms []string) []occurrences
}

// someRows maps terms to rows of Dim numbers and the scale. The row of a term that the model
// does not know is nil.
type someRows map[string][]float32

func (rows someRows) find(dst []occurrences, terms []string) []occurrences {
	sorted := slices.Sorted(slices.Values(terms))
	for i, j := 0, 0; i < len(sorted); i = j {
		for j = i + 1; j < len(sorted) && sorted[j] == sorted[i]; j++ {
		}
		if row := rows[sorted[i]]; row != nil {
			dst = append(dst, occurrences{row, j - i})
		}
	}
	return dst
}

// A table is a whole model: the terms numbered in their order, and the row of each.
type table struct {
	terms intern.Table
	width int
	rows  []float32 // each row has width numbers
}

func (t *table) find(dst []occurrences, terms []string) []occurrences {
	numbers := make([]uint32, 0, len(terms))
	for _, term := range terms {
		if n, ok := intern.Find(&t.terms, term); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for i, j := 0, 0; i < len(numbers); i = j {
		for j = i + 1; j < len(numbers) && numbers[j] == numbers[i]; j++ {
		}
		dst = append(dst, occurrences{t.row(numbers[i]), j - i})
	}
	return dst
}

func (t *table) row(n uint32) []float32 { return t.rows[int(n)*t.width : int(n+1)*t.width] }

// load loads the whole model once.
func (s *Space) load(ctx context.Context) (*table, error) {
	s.loading.Lock()
	defer s.loading.Unlock()
	if whole, _, _, _ := s.lookup(nil); whole != nil {
		return whole, nil
	}
	t := &table{width: s.Dim + 1, rows: make([]float32, 0, min(s.terms, MaxTerms)*(s.Dim+1))}
	err := s.source.Each(ctx, func(key string, row []byte) error {
		if key == "" || key[0] < ' ' { // not the row of a term
			return nil
		}
		if len(row) != rowSize(s.Dim) || t.terms.Len() == s.terms {
			return s.damagedRow(row)
		}
		intern.Add(&t.terms, key)
		t.rows = appendStored(t.rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole, s.rows = t, nil
	return t, nil
}

// Release frees the memory of the loaded rows. They are loaded again when needed.
func (s *Space) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole, s.rows = nil, make(someRows)
}

func (s *Space) damagedRow(row []byte) error {
	return fmt.Errorf("%w (a row of %d bytes for %d dimensions)", ErrDamaged, len(row), s.Dim)
}
