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

// DocumentChunk is a chunk of a document, with what an embedder needs. Version is that
// of the document: a vector is refused once the document has another.
type DocumentChunk struct {
	*Document
	Ordinal int
}

// Chunk returns the chunk.
func (c DocumentChunk) Chunk() *Chunk { return &c.Chunks[c.Ordinal] }

// Vector is the embedding of one chunk, of length 1. Empty Values say that the
// chunk is known to have none: it is done, and never near anything.
type Vector struct {
	PMID    record.PMID
	Version int
	Ordinal int
	Values  []float32
}

// MissingVectors yields, in the order of PMID, the chunks that are not done under
// a model. Vectors may be added meanwhile; it may be left and begun again at any
// time, and then goes on where vectors are missing.
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

// missing reads on from the PMIDs after the given one, and returns how far it came.
func (s *Store) missing(ctx context.Context, r *rows.Conn, model int64, after record.PMID) ([]DocumentChunk, record.PMID, error) {
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

// keysOf returns the chunks that are done under a model, of the PMIDs after one
// and up to another.
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

// eachKeys calls f with the keys of the chunks that are done under a model, those of
// PMIDs from one to another and some more.
func eachKeys(r *rows.Conn, model int64, from, to record.PMID, f func(*leaf)) error {
	for _, part := range []int64{loosePart, placedPart} {
		err := r.Each(`SELECT `+keysColumns+` FROM vector_code WHERE model=?1 AND part=?2 AND lo<=?4
			AND lo >= (SELECT coalesce(max(lo),0) FROM vector_code WHERE model=?1 AND part=?2 AND lo<=?3)`, []any{model, part, from, to}, func(scan func(...any) error) error {
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

// AddVectors stores vectors of chunks that are in the corpus and returns how
// many it took: those of a document that has changed meanwhile are left out.
func (s *Store) AddVectors(ctx context.Context, model int64, list []Vector) (int, error) {
	const op = "write vectors"
	taken := 0
	err := s.db.Write(ctx, op, func(w *rows.Conn) error {
		m, err := s.modelOf(w, model)
		if err != nil {
			return err
		}
		taken = 0
		byPMID := map[record.PMID]*change{}
		for _, v := range list {
			if err := m.checkVector(op, v.Values); err != nil {
				return err
			}
			if v.PMID == 0 || v.Ordinal < 0 || v.Ordinal > math.MaxUint16 {
				return disk.NewError(Invalid, op, "pmid:%d has no such chunk", v.PMID)
			}
			c := byPMID[v.PMID]
			if c == nil {
				st, err := stateOf(w, v.PMID)
				if err != nil {
					return err
				}
				c = &change{pmid: v.PMID}
				if st.Deleted || st.Version != v.Version {
					c = &change{}
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
		var changes []change
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
		if err := s.change(w, m, changes, ix.Generation+1); err != nil {
			return err
		}
		return w.SetMeta("generation", ix.Generation+1)
	})
	if err != nil {
		return 0, err
	}
	return taken, nil
}

// Vectors returns the vectors of documents under a model, by PMID and ordinal of the
// chunk, as they are stored (package vectors): those by which Near compares. A chunk
// that has none is left out.
func (s *Store) Vectors(ctx context.Context, model int64, pmids []record.PMID) (map[record.PMID]map[int][]float32, error) {
	found := make(map[record.PMID]map[int][]float32, len(pmids))
	err := s.db.Read(ctx, "read vectors", func(r *rows.Conn) error {
		m, err := s.modelOf(r, model)
		if err != nil {
			return err
		}
		p := s.rounding(m)
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
				p.Bytes(v, stored)
				found[pmid][int(ordinal)] = v
			}
		}
		return ctx.Err()
	})
	return found, err
}
