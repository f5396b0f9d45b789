package intake

import (
	"context"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/record"
	"biomcp/store"
)

// vectorBatch is how many chunks are embedded at once.
const vectorBatch = 1024

// fill makes the vectors that a model lacks and returns how many it made. After a
// failure no more are asked for; what is under way is still answered and stored.
func (s *session) fill(ctx context.Context, m *maker) (made int64, err error) {
	s.step(func(now *Progress) {
		now.Vectors, now.TotalVectors = int(m.model.Vectors), int(m.model.Vectors+m.model.Missing)
	})
	reading, stop := context.WithCancel(ctx)
	defer stop()
	group := pool.New().WithErrors().WithFirstError()
	batches := make(chan []store.DocumentChunk)
	group.Go(func() error {
		defer close(batches)
		if err := s.missing(reading, m, batches); err != nil && reading.Err() == nil {
			return err
		}
		return context.Cause(ctx)
	})
	for range embedding {
		group.Go(func() error {
			defer stop() // also of the one that panics
			for chunks := range batches {
				if err := s.add(ctx, m, chunks, &made); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = group.Wait()
	return made, err
}

// missing sends the chunks that have no vector, in batches.
func (s *session) missing(ctx context.Context, m *maker, batches chan<- []store.DocumentChunk) error {
	var batch []store.DocumentChunk
	send := func() error {
		select {
		case batches <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for chunk, err := range s.o.Store.MissingVectors(ctx, m.model.ID) {
		if err != nil {
			return err
		}
		if batch = append(batch, chunk); len(batch) == vectorBatch {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return send()
}

// add embeds chunks and stores their vectors, each answer of a service as it comes.
func (s *session) add(ctx context.Context, m *maker, chunks []store.DocumentChunk, made *int64) error {
	return m.embedEach(ctx, chunks, func(from int, values [][]float32) error {
		return s.addVectors(ctx, m, chunks[from:from+len(values)], values, made)
	})
}

// addVectors stores vectors, also after a failure and after Ctrl-C: they were
// answered.
func (s *session) addVectors(ctx context.Context, m *maker, chunks []store.DocumentChunk, values [][]float32, made *int64) error {
	ctx = context.WithoutCancel(ctx)
	vectors := make([]store.Vector, 0, len(values))
	var pmids []record.PMID
	for i, v := range values {
		if c := chunks[i]; v != nil {
			vectors = append(vectors, store.Vector{PMID: c.PMID, Version: c.Version, Ordinal: c.Ordinal, Values: v})
			pmids = append(pmids, c.PMID)
		}
	}
	if s.engine != nil && len(vectors) > 0 {
		if err := s.engine.lacks(ctx, m.model, slices.Compact(pmids)); err != nil {
			return err
		}
	}
	n, err := s.o.Store.AddVectors(ctx, m.model.ID, vectors)
	s.step(func(now *Progress) { now.Vectors += n; *made += int64(n) })
	return err
}
