package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
)

// ChunkTerms is a chunk with terms that it has: their numbers in a list, in order, and
// how often it has each. Version is the version of its document (DocumentChunk).
type ChunkTerms struct {
	PMID    record.PMID
	Version int
	Ordinal int
	Terms   []postings.TermCount
}

// transposed is how many chunks of a segment MissingTerms reads at a time: a look at
// every term costs much, and the terms of a chunk take half a kilobyte.
const transposed = 32 << 10

// MissingTerms yields the chunks that MissingVectors does, many at a time and in no
// order, with those of the given terms that they have. terms is sorted. They are read
// from the word index, which costs a small part of what reading and analysing text does.
func (s *Store) MissingTerms(ctx context.Context, model int64, terms []string) iter.Seq2[[]ChunkTerms, error] {
	return func(yield func([]ChunkTerms, error) bool) {
		seen := map[int64]uint32{} // up to which chunk a segment was read
		for more := true; more; {
			var list []ChunkTerms
			err := s.db.Read(ctx, "read chunks", func(r *rows.Conn) (err error) {
				list, more, err = s.missingTerms(ctx, r, model, terms, seen)
				return err
			})
			if err != nil {
				yield(nil, err)
				return
			}
			if len(list) > 0 && !yield(list, nil) {
				return
			}
		}
	}
}

// missingTerms reads the next part of a segment that was not read to its end. Segments
// that a commit has merged since are read again, as the one they have become.
func (s *Store) missingTerms(ctx context.Context, r *rows.Conn, model int64, terms []string, seen map[int64]uint32) (list []ChunkTerms, more bool, err error) {
	m, err := s.modelOf(r, model)
	if err != nil || m.Missing == 0 {
		return nil, false, err
	}
	ix, err := s.loadIndex(r)
	if err != nil {
		return nil, false, err
	}
	i := slices.IndexFunc(ix.segments, func(g *segment) bool { return seen[g.ID] < uint32(g.Chunks) })
	if i < 0 {
		return nil, false, nil
	}
	g, src := ix.segments[i], source{s, r}
	from := seen[g.ID]
	keys, to, err := g.keys(src, from)
	if err != nil {
		return nil, false, err
	}
	if keys, err = notDone(r, model, keys); err != nil {
		return nil, false, err
	}
	if len(keys) > 0 {
		first, last := keys[0].chunk, keys[len(keys)-1].chunk
		of, err := g.Transpose(ctx, src, terms, first, last+1)
		if err != nil {
			return nil, false, err
		}
		list = make([]ChunkTerms, len(keys))
		for i, k := range keys {
			list[i] = ChunkTerms{k.pmid, 0, int(k.ordinal), of[k.chunk-first]}
			if i > 0 && k.pmid == list[i-1].PMID {
				list[i].Version = list[i-1].Version
			} else if err := r.Row("SELECT version FROM document WHERE pmid=?", []any{k.pmid}, &list[i].Version); err != nil {
				return nil, false, err
			}
		}
	}
	seen[g.ID] = to
	return list, true, nil
}

// placedKey is a chunk and its number in a segment.
type placedKey struct {
	chunkKey
	chunk uint32
}

// keys returns the chunks in use of a segment from one on, in the order of PMID and
// ordinal, and the number of the next one, with which another document begins.
func (g *segment) keys(src source, from uint32) (keys []placedKey, to uint32, err error) {
	ids := postings.ColumnReader{Column: postings.IDColumn, Segment: g.Segment, Source: src}
	var last chunkKey
	for to = from; to < uint32(g.Chunks); to++ {
		b, err := ids.At(to)
		if err != nil {
			return nil, 0, err
		}
		switch pmid := record.PMID(binary.LittleEndian.Uint32(b)); {
		case pmid == last.pmid:
			last.ordinal++
		case to-from >= transposed:
			return keys, to, nil
		default:
			last = chunkKey{pmid: pmid}
		}
		if g.removed == nil || !g.removed.Has(to) {
			keys = append(keys, placedKey{last, to})
		}
	}
	return keys, to, nil
}

func (a chunkKey) compare(b chunkKey) int {
	return cmp.Or(cmp.Compare(a.pmid, b.pmid), cmp.Compare(a.ordinal, b.ordinal))
}

// notDone leaves out the chunks that are done under a model; keys are sorted.
func notDone(r *rows.Conn, model int64, keys []placedKey) ([]placedKey, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	done := make([]bool, len(keys))
	err := eachKeys(r, model, keys[0].pmid, keys[len(keys)-1].pmid, func(l *leaf) {
		at := 0
		for i := range l.pmids {
			k := chunkKey{l.pmids[i], l.ordinals[i]}
			if i == 0 {
				at, _ = slices.BinarySearchFunc(keys, k, func(has placedKey, k chunkKey) int { return has.compare(k) })
			}
			for at < len(keys) && keys[at].compare(k) < 0 {
				at++
			}
			if at < len(keys) && keys[at].chunkKey == k {
				done[at] = true
			}
		}
	})
	if err != nil {
		return nil, err
	}
	left := keys[:0]
	for i, k := range keys {
		if !done[i] {
			left = append(left, k)
		}
	}
	return left, nil
}
