// Package lsatest keeps models of package lsa in memory.
package lsatest

import (
	"context"
	"iter"
	"maps"
	"slices"
)

// Memory is an lsa.Source that holds the rows of a model by key.
type Memory map[string][]byte

// Copy returns the rows of a model.
func Copy(rows iter.Seq2[string, []byte]) Memory {
	m := Memory{}
	for key, row := range rows {
		m[key] = slices.Clone(row)
	}
	return m
}

func (m Memory) Rows(_ context.Context, keys []string) (map[string][]byte, error) {
	found := map[string][]byte{}
	for _, key := range keys {
		if row, ok := m[key]; ok {
			found[key] = row
		}
	}
	return found, nil
}

func (m Memory) Each(_ context.Context, f func(string, []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if err := f(key, m[key]); err != nil {
			return err
		}
	}
	return nil
}
