package store

import (
	"context"
	"iter"
	"maps"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/disk"
	"biomcp/store/postings"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

// DocumentChunk is a chunk with its document, for an embedder. AddVectors ignores a vector if the
// document's Version has changed meanwhile.
type DocumentChunk struct {
	*Document
	Ordinal int
}

// Chunk returns the chunk.
func (c DocumentChunk) Chunk() *Chunk { return &c.Chunks[c.Ordinal] }

// Vector is the unit-length embedding of one chunk. Empty Values mean that the chunk has no vector:
// it counts as done, and NearestChunks never returns it.
type Vector struct {
	PMID    record.PMID
	Version int
	Ordinal int
	Values  []float32
}

// MissingVectors yields the chunks that are not done under a model, ordered by PMID. Vectors may be
// added during the iteration. An iteration that was stopped can be started again at any time, and
// yields the chunks that are still missing.
func (s *Store) MissingVectors(ctx context.Context, model int64) iter.Seq2[DocumentChunk, error] {
	return func(yield func(DocumentChunk, error) bool) {
		for after := record.PMID(0); after < math.MaxUint32; {
			var chunks []DocumentChunk
			err := s.db.Read(ctx, "read chunks", func(r *rows.Conn) (err error) {
				chunks, after, err = s.missing(ctx, r, model, after)
				return err
			})
			if err != nil {
				yield(DocumentChunk{}, err)
				return
			}
			for _, c := range chunks {
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// missing reads chunks of documents after the given PMID, and returns the PMID up to which it has
// read.
func (s *Store) missing(
	ctx context.Context, r *rows.Conn, model int64, after record.PMID,
) ([]DocumentChunk, record.PMID, error) {
	m, err := s.modelOf(r, model)
	if err != nil {
		return nil, 0, err
	}
	if m.Missing == 0 {
		return nil, math.MaxUint32, nil
	}
	ix, err := s.words.Load(r)
	if err != nil {
		return nil, 0, err
	}
	src := s.words.Source(r)
	chunks := []DocumentChunk{}
	for len(chunks) < 256 && after < math.MaxUint32 {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		keys, until, err := ix.Keys(src, after)
		if err != nil {
			return nil, 0, err
		}
		have, err := keysOf(r, model, after, until)
		if err != nil {
			return nil, 0, err
		}
		docs := map[record.PMID]*Document{}
		for _, k := range keys {
			if have[k] {
				continue
			}
			doc := docs[k.PMID]
			if doc == nil {
				if doc, err = s.document(r, k.PMID); err != nil {
					return nil, 0, err
				}
				docs[k.PMID] = doc
			}
			if doc == nil || int(k.Ordinal) >= len(doc.Chunks) {
				return nil, 0, postings.ErrDamaged
			}
			chunks = append(chunks, DocumentChunk{doc, int(k.Ordinal)})
		}
		after = until
	}
	return chunks, after, nil
}

// keysOf returns the chunks that are done under a model, of the PMIDs greater than after and up to
// until.
func keysOf(r *rows.Conn, model int64, after, until record.PMID) (map[wordindex.Key]bool, error) {
	have := map[wordindex.Key]bool{}
	err := eachKeys(r, model, after+1, until, func(l *leaf) {
		for i, p := range l.pmids {
			if p > after && p <= until {
				have[wordindex.Key{PMID: p, Ordinal: l.ordinals[i]}] = true
			}
		}
	})
	return have, err
}

// eachKeys calls f with leaves of keys that are done under a model. They include all keys of the
// PMIDs from from to to, and some others.
func eachKeys(r *rows.Conn, model int64, from, to record.PMID, f func(*leaf)) error {
	for _, part := range []int64{loosePart, placedPart} {
		const query = `SELECT ` + keysColumns + ` FROM vector_code WHERE model=?1 AND part=?2 AND lo<=?4
			AND lo >= (SELECT coalesce(max(lo),0) FROM vector_code WHERE model=?1 AND part=?2 AND lo<=?3)`
		err := r.Each(query, []any{model, part, from, to}, func(scan func(...any) error) error {
			l, err := readKeys(scan)
			if err == nil {
				f(l)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AddVectors stores vectors of chunks in the corpus and returns the number stored. It ignores
// vectors of documents that have changed meanwhile.
func (s *Store) AddVectors(ctx context.Context, model int64, list []Vector) (int, error) {
	const op = "write vectors"
	taken := 0
	err := s.db.Write(ctx, op, func(w *rows.Conn) error {
		m, err := s.modelOf(w, model)
		if err != nil {
			return err
		}
		taken = 0
		byPMID := map[record.PMID]*vectorChange{}
		for _, v := range list {
			if err := m.checkVector(op, v.Values); err != nil {
				return err
			}
			if v.PMID == 0 || v.Ordinal < 0 || v.Ordinal > math.MaxUint16 {
				return disk.NewError(Invalid, op, "pmid:%d: a vector has an invalid chunk number", v.PMID)
			}
			c := byPMID[v.PMID]
			if c == nil {
				st, err := stateOf(w, v.PMID)
				if err != nil {
					return err
				}
				c = &vectorChange{pmid: v.PMID}
				if st.Deleted || st.Version != v.Version {
					c = &vectorChange{}
				}
				byPMID[v.PMID] = c
			}
			if c.pmid == 0 || slices.Contains(c.ordinals, uint16(v.Ordinal)) {
				continue
			}
			c.ordinals = append(c.ordinals, uint16(v.Ordinal))
			c.vectors = append(c.vectors, v.Values)
			taken++
		}
		var changes []vectorChange
		for _, pmid := range slices.Sorted(maps.Keys(byPMID)) {
			if c := byPMID[pmid]; c.pmid != 0 {
				changes = append(changes, *c)
			}
		}
		if len(changes) == 0 {
			return nil
		}
		ix, err := s.words.Load(w)
		if err != nil {
			return err
		}
		if err := s.applyChanges(w, m, changes, ix.Generation+1); err != nil {
			return err
		}
		return w.SetMeta("generation", ix.Generation+1)
	})
	if err != nil {
		return 0, err
	}
	return taken, nil
}

// Vectors returns the stored vectors of documents under a model, by PMID and ordinal of the chunk
// (package vectors). Near compares the same vectors. Chunks without a vector are omitted.
func (s *Store) Vectors(
	ctx context.Context, model int64, pmids []record.PMID,
) (map[record.PMID]map[int][]float32, error) {
	found := make(map[record.PMID]map[int][]float32, len(pmids))
	err := s.db.Read(ctx, "read vectors", func(r *rows.Conn) error {
		m, err := s.modelOf(r, model)
		if err != nil {
			return err
		}
		p := s.vectorCodec(m)
		for _, pmid := range pmids {
			row, err := m.row(r, pmid)
			if err != nil {
				return err
			}
			for ordinal, stored := range p.each(row) {
				if found[pmid] == nil {
					found[pmid] = map[int][]float32{}
				}
				v := make([]float32, m.Dim)
				p.DecodeBytes(v, stored)
				found[pmid][int(ordinal)] = v
			}
		}
		return ctx.Err()
	})
	return found, err
}
