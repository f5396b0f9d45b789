package intake

import (
	"context"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// vectorBatch is how many chunks are embedded and stored at once.
const vectorBatch = 1024

// fill makes the vectors that a model lacks and returns how many it made.
func (s *session) fill(ctx context.Context, m *maker) (made int64, err error) {
	s.step(func(now *Progress) {
		now.Vectors, now.TotalVectors = int(m.model.Vectors), int(m.model.Vectors+m.model.Missing)
	})
	group := pool.New().WithContext(ctx).WithCancelOnError().WithFirstError()
	batches := make(chan []store.StoredChunk)
	group.Go(func(ctx context.Context) error {
		defer close(batches)
		return s.missing(ctx, m.model.ID, batches)
	})
	for range embedding {
		group.Go(func(ctx context.Context) error {
			for chunks := range batches {
				n, err := s.add(ctx, m, chunks)
				if err != nil {
					return err
				}
				s.step(func(now *Progress) { now.Vectors += n; made += int64(n) })
			}
			return nil
		})
	}
	err = group.Wait()
	return made, err
}

// missing sends the chunks that have no vector, in batches.
func (s *session) missing(ctx context.Context, model int64, batches chan<- []store.StoredChunk) error {
	var batch []store.StoredChunk
	send := func() error {
		select {
		case batches <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for chunk, err := range s.o.Store.MissingVectors(ctx, model) {
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

// add embeds chunks and stores their vectors.
func (s *session) add(ctx context.Context, m *maker, chunks []store.StoredChunk) (int, error) {
	pmids := make([]record.PMID, 0, len(chunks))
	for _, c := range chunks {
		pmids = append(pmids, c.PMID)
	}
	docs, err := s.o.Store.DocumentsOf(ctx, slices.Compact(pmids))
	if err != nil {
		return 0, err
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		if d := docs[c.PMID]; d != nil {
			texts[i] = rag.EmbeddingText(c.Title, c.Text, rag.Subjects(d))
		}
	}
	values, err := m.embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	vectors := make([]store.Vector, len(chunks))
	for i, c := range chunks {
		vectors[i] = store.Vector{PMID: c.PMID, Version: c.Version, Ordinal: c.Ordinal, Values: values[i]}
	}
	return s.o.Store.AddVectors(ctx, m.model.ID, vectors)
}
