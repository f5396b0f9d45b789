package store

import (
	"context"
	"iter"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// ChunkTerms lists the terms of a chunk, ordered by their index in the list given to MissingTerms,
// and their frequencies. Version is the version of the document (DocumentChunk).
type ChunkTerms struct {
	PMID    record.PMID
	Version int
	Ordinal int
	Terms   []postings.TermCount
}

// MissingTerms yields the chunks that MissingVectors yields, in batches and in no particular order,
// with the given terms that they contain. terms must be sorted. It reads the word index, which is
// much cheaper than reading and analysing text.
func (s *Store) MissingTerms(ctx context.Context, model int64, terms []string) iter.Seq2[[]ChunkTerms, error] {
	return func(yield func([]ChunkTerms, error) bool) {
		seen := map[int64]uint32{} // number of chunks read so far, by segment
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

// missingTerms reads the next batch from a segment that is not read completely. If segments were
// merged in the meantime, the merged one is read from its beginning.
func (s *Store) missingTerms(ctx context.Context, r *rows.Conn, model int64, terms []string,
	seen map[int64]uint32) (list []ChunkTerms, hasMore bool, err error) {
	m, err := s.modelOf(r, model)
	if err != nil || m.Missing == 0 {
		return nil, false, err
	}
	ix, err := s.words.Load(r)
	if err != nil {
		return nil, false, err
	}
	i := slices.IndexFunc(ix.Segments, func(g *wordindex.Segment) bool { return seen[g.ID] < uint32(g.Chunks) })
	if i < 0 {
		return nil, false, nil
	}
	g, src := ix.Segments[i], s.words.Source(r)
	from := seen[g.ID]
	keys, to, err := g.Keys(src, from)
	if err != nil {
		return nil, false, err
	}
	if keys, err = notDone(r, model, keys); err != nil {
		return nil, false, err
	}
	if len(keys) > 0 {
		first, last := keys[0].Chunk, keys[len(keys)-1].Chunk
		of, err := g.Transpose(ctx, src, terms, first, last+1)
		if err != nil {
			return nil, false, err
		}
		list = make([]ChunkTerms, len(keys))
		for i, k := range keys {
			list[i] = ChunkTerms{k.PMID, 0, int(k.Ordinal), of[k.Chunk-first]}
			if i > 0 && k.PMID == list[i-1].PMID {
				list[i].Version = list[i-1].Version
				continue
			}
			err := r.Row("SELECT version FROM document WHERE pmid=?", []any{k.PMID}, &list[i].Version)
			if err != nil {
				return nil, false, err
			}
		}
	}
	seen[g.ID] = to
	return list, true, nil
}

// notDone removes the chunks that are done under a model from keys, which must be sorted.
func notDone(r *rows.Conn, model int64, keys []wordindex.PlacedKey) ([]wordindex.PlacedKey, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	done := make([]bool, len(keys))
	err := eachKeys(r, model, keys[0].PMID, keys[len(keys)-1].PMID, func(l *leaf) {
		at := 0
		for i := range l.pmids {
			k := wordindex.Key{PMID: l.pmids[i], Ordinal: l.ordinals[i]}
			if i == 0 {
				at, _ = slices.BinarySearchFunc(keys, k, func(has wordindex.PlacedKey, k wordindex.Key) int {
					return has.Compare(k)
				})
			}
			for at < len(keys) && keys[at].Compare(k) < 0 {
				at++
			}
			if at < len(keys) && keys[at].Key == k {
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
