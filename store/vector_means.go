package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"biomcp/store/postings"
	"biomcp/store/rows"
	"biomcp/store/vectors"
)

// partitions are the partitions of a model.
type partitions struct {
	space *vectors.Space
	parts []int64
	means *vectors.Means
}

// mean returns the mean of a part, nil for codes that are in no partition.
func (p *partitions) mean(part int64) []float32 {
	if i, ok := slices.BinarySearch(p.parts, part); ok {
		return p.means.Mean(i)
	}
	return nil
}

// readPartitions reads the partitions of a model from a number up to another.
func readPartitions(r *rows.Conn, space *vectors.Space, model, from, to int64) (*partitions, error) {
	p := &partitions{space: space}
	var list [][]float32
	err := r.Each("SELECT part, sum, mean FROM vector_partition WHERE model=? AND part BETWEEN ? AND ? ORDER BY part", []any{model, from, to}, func(scan func(...any) error) error {
		var part, sum int64
		var mean []byte
		if err := scan(&part, &sum, &mean); err != nil {
			return err
		}
		if err := rows.CheckSum(sum, "vector_partition", model, part, mean); err != nil {
			return err
		}
		row := make([]float32, space.Dim)
		if n, err := binary.Decode(mean, binary.LittleEndian, row); err != nil || n != len(mean) {
			return postings.ErrDamaged
		}
		p.parts, list = append(p.parts, part), append(list, row)
		return nil
	})
	p.means = space.Means(list)
	return p, err
}

// partitions returns the partitions of a model, from memory if they have not changed: the
// greatest number is another after every change.
func (n *near) partitions() (*partitions, error) {
	var last int64
	if err := n.r.Row("SELECT coalesce(max(part),0) FROM vector_partition WHERE model=?", []any{n.model.ID}, &last); err != nil {
		return nil, err
	}
	key := rows.CacheKey{Name: fmt.Sprint("partitions ", n.model.ID, " ", last)}
	if p, ok := n.s.codes.Get(key); ok {
		return p.(*partitions), nil
	}
	p, err := readPartitions(n.r, n.space, n.model.ID, 0, math.MaxInt64)
	if err == nil {
		n.s.codes.Put(key, p, len(p.parts)*(40+4*n.model.Dim+8*n.space.Words))
	}
	return p, err
}
