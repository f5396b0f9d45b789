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

// Partitions
//
// If a model has 100,000 chunks or more, their codes are stored in partitions of about a
// thousand neighbouring chunks. A search scans the nearest partitions until 131,072 chunks have
// passed the filter, or half of a small model, but at least 50,000. So the amount it reads does
// not grow with the corpus (H. Jégou, M. Douze, C. Schmid, Product quantization for nearest
// neighbor search, IEEE TPAMI 33, 2011, IVFADC; J. Johnson, M. Douze, H. Jégou, Billion-scale
// similarity search with GPUs, IEEE Trans. Big Data 7, 2019). With a filter it scans further
// partitions. If 2,000 documents or fewer pass, it reads their vectors and no codes.
//
// New codes are stored by PMID, and every search scans them all. When there are 50,000, they
// move to the partitions with the nearest means. Each partition gains one row of codes, computed
// from the vectors relative to its mean. Eight rows are joined into one. A partition of more than
// twice its target size is split by k-means over its own codes, one partition at a time, which
// keeps searches accurate as the corpus grows (as in Y. Xu et al., SPFresh: Incremental In-Place
// Update for Billion-Scale Vector Search, SOSP 2023). The first partitions of a large corpus come
// from a sample of it. Every step is a transaction and none copies the whole: a process killed
// between steps leaves a corpus in which searches work as well.
//
// Vectors are authoritative; codes only select candidates. A revised or removed document leaves
// its old code in its partition, because finding it would cost more than it saves: a search reads
// the vectors of its candidates, so it skips deleted chunks and uses the current vector of a
// chunk that has two codes. Old codes are dropped when their partition is rewritten. All
// partitions are rewritten when more than half of the codes are old.
//
// Recall, measured on synthetic vectors (storetest), of the 200 nearest; mean and worst query:
//
//	1 million, 849 partitions, scanning 13 %           0.974  0.845 (BenchmarkPartitions_1M)
//	1 million, scanning all codes                      0.998
//	3 million, scanning 4 %                            0.965  0.770 (BenchmarkPartitions_3M)
//	3 million, scanning all codes                      0.993
//	1.9 million records, model fitted to them          0.991  0.890
//	10 million records, model fitted to them           0.963  0.705 (BenchmarkSearchGrown)
//	10.7 million, relative codes, 4,800 compared       0.990  0.865
//
// The first four used vectors of two bytes per dimension. Of 100,000, all scanned, two bytes find
// 0.998 and one byte 0.995, as rounding swaps neighbours of nearly equal distance.
//
// Queries of three words over a model fitted to synthetic texts are harder, because many chunks
// are nearly as close. More partitions do not help. More candidates do, and so do codes relative
// to the mean of their partition. Of 3.35 million vectors and 2,400 compared candidates, codes of
// whole vectors find 0.940 (worst query 0.585) and relative codes 0.969 (0.720), or 0.990 (0.895)
// with 4,800 candidates. Of 5.5 million and 4,460 compared, they find 0.965 (0.570); part of these
// had been made by earlier rules and recomputed. On average 3,100 of 4,800 candidates are
// compared before no other is likely to be nearer.

// partitions holds the partitions of a model, sorted by number.
type partitions struct {
	space *vectors.Space
	parts []int64
	means *vectors.Means
}

// mean returns the mean of a partition, or nil if part is not a partition.
func (p *partitions) mean(part int64) []float32 {
	if i, ok := slices.BinarySearch(p.parts, part); ok {
		return p.means.Mean(i)
	}
	return nil
}

// readPartitions reads the partitions of a model whose numbers are from from to to.
func readPartitions(r *rows.Conn, space *vectors.Space, model, from, to int64) (*partitions, error) {
	p := &partitions{space: space}
	var list [][]float32
	const selectPartitions = "SELECT part, sum, mean FROM vector_partition WHERE model=? AND part BETWEEN ? AND ?" +
		" ORDER BY part"
	err := r.Each(selectPartitions, []any{model, from, to}, func(scan func(...any) error) error {
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

// partitions returns the partitions of the model, from the cache if they are unchanged. Every
// change creates a partition with a new greatest number.
func (n *vectorSearch) partitions() (*partitions, error) {
	var last int64
	const selectLastPartition = "SELECT coalesce(max(part),0) FROM vector_partition WHERE model=?"
	if err := n.r.Row(selectLastPartition, []any{n.model.ID}, &last); err != nil {
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
