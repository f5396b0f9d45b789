package intake

import (
	"context"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/postings"
)

// vectorBatch is the number of chunks embedded in one call.
const vectorBatch = 1024

// fill makes the vectors that a model lacks and returns how many it made. After a failure it
// requests no more vectors, but still stores those in progress.
func (s *session) fill(ctx context.Context, m *maker) (count int64, err error) {
	s.step(func(now *Progress) {
		now.Vectors, now.TotalVectors = int(m.model.Vectors), int(m.model.Vectors+m.model.Missing)
	})
	reading, stop := context.WithCancel(ctx)
	defer stop()
	group := pool.New().WithErrors().WithFirstError()
	batches := make(chan makeBatch)
	group.Go(func() error {
		defer close(batches)
		send := func(batch makeBatch) bool {
			select {
			case batches <- batch:
				return true
			case <-reading.Done():
				return false
			}
		}
		if err := s.missing(reading, m, &count, send); err != nil && reading.Err() == nil {
			return err
		}
		return context.Cause(ctx)
	})
	for range embedding {
		group.Go(func() error {
			defer stop() // even if the batch panics
			for batch := range batches {
				if err := batch(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = group.Wait()
	return count, err
}

// A makeBatch makes and stores the vectors of some chunks.
type makeBatch func(context.Context) error

// missing sends one makeBatch for each batch of chunks without a vector, until send returns
// false. A local model computes the vectors from the word index, if it can.
func (s *session) missing(ctx context.Context, m *maker, count *int64, send func(makeBatch) bool) error {
	local, ok := m.embedder.(*rag.Local)
	if !ok || rag.CheckAnalysis(ctx, s.o.Store) != nil { // the terms of the index differ from the model's
		return s.missingTexts(ctx, m, count, send)
	}
	terms, ok, err := local.Terms(ctx)
	if err != nil {
		return err
	}
	if !ok {
		return s.missingTexts(ctx, m, count, send)
	}
	for chunks, err := range s.o.Store.MissingTerms(ctx, m.model.ID, terms) {
		if err != nil {
			return err
		}
		for batch := range slices.Chunk(chunks, vectorBatch) {
			if !send(func(ctx context.Context) error { return s.addCounted(ctx, m, local, batch, count) }) {
				return nil
			}
		}
	}
	return nil
}

func (s *session) missingTexts(ctx context.Context, m *maker, count *int64, send func(makeBatch) bool) error {
	var batch []store.DocumentChunk
	flush := func() bool {
		chunks := batch
		batch = nil
		return len(chunks) == 0 || send(func(ctx context.Context) error { return s.add(ctx, m, chunks, count) })
	}
	for chunk, err := range s.o.Store.MissingVectors(ctx, m.model.ID) {
		if err != nil {
			return err
		}
		if batch = append(batch, chunk); len(batch) == vectorBatch && !flush() {
			return nil
		}
	}
	flush()
	return nil
}

// addCounted computes the vectors of chunks from their term counts and stores them.
func (s *session) addCounted(
	ctx context.Context, m *maker, local *rag.Local, chunks []store.ChunkTerms, count *int64,
) error {
	counts := make([][]postings.TermCount, len(chunks))
	for i, c := range chunks {
		counts[i] = c.Terms
	}
	values, err := local.EmbedCounts(ctx, counts)
	if err != nil {
		return err
	}
	vectors := make([]store.Vector, len(chunks))
	for i, c := range chunks {
		if values[i] == nil {
			values[i] = []float32{} // the model knows no term of it: an empty vector marks it as done
		}
		vectors[i] = store.Vector{PMID: c.PMID, Version: c.Version, Ordinal: c.Ordinal, Values: values[i]}
	}
	return s.addVectors(ctx, m, vectors, count)
}

// add embeds chunks and stores their vectors. It stores each reply of a service when it
// arrives.
func (s *session) add(ctx context.Context, m *maker, chunks []store.DocumentChunk, count *int64) error {
	return m.embedEach(ctx, chunks, func(from int, values [][]float32) error {
		var vectors []store.Vector
		for i, v := range values {
			if c := chunks[from+i]; v != nil {
				vectors = append(vectors, store.Vector{PMID: c.PMID, Version: c.Version, Ordinal: c.Ordinal, Values: v})
			}
		}
		return s.addVectors(ctx, m, vectors, count)
	})
}

// addVectors stores vectors even after a failure or Ctrl-C, because the reply with them has
// already arrived.
func (s *session) addVectors(ctx context.Context, m *maker, vectors []store.Vector, count *int64) error {
	ctx = context.WithoutCancel(ctx)
	if s.engine != nil && len(vectors) > 0 {
		pmids := make([]record.PMID, len(vectors))
		for i, v := range vectors {
			pmids[i] = v.PMID
		}
		if err := s.engine.noteMissingVectors(ctx, m.model, slices.Compact(pmids)); err != nil {
			return err
		}
	}
	n, err := s.o.Store.AddVectors(ctx, m.model.ID, vectors)
	s.step(func(now *Progress) { now.Vectors += n; *count += int64(n) })
	return err
}
