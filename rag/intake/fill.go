package intake

import (
	"cmp"
	"context"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// vectorBatch is how many chunks a local model embeds before they are stored.
const vectorBatch = 1024

// batchSize is how many chunks are embedded and stored at once: what a service
// answers to one request, so that each reply is stored as it comes.
func (m *maker) batchSize() int {
	if service, ok := m.by.(interface{ BatchTexts() int }); ok {
		return service.BatchTexts()
	}
	return vectorBatch
}

// fill makes the vectors that a model lacks and returns how many it made. After a
// failure no more are asked for; what is under way is still answered and stored.
func (s *session) fill(ctx context.Context, m *maker) (made int64, err error) {
	s.step(func(now *Progress) {
		now.Vectors, now.TotalVectors = int(m.model.Vectors), int(m.model.Vectors+m.model.Missing)
	})
	reading, stop := context.WithCancel(ctx)
	defer stop()
	group := pool.New().WithErrors().WithFirstError()
	batches := make(chan []store.StoredChunk)
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
				n, err := s.add(ctx, m, chunks)
				s.step(func(now *Progress) { now.Vectors += n; made += int64(n) })
				if err != nil {
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
func (s *session) missing(ctx context.Context, m *maker, batches chan<- []store.StoredChunk) error {
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
	for chunk, err := range s.o.Store.MissingVectors(ctx, m.model.ID) {
		if err != nil {
			return err
		}
		if batch = append(batch, chunk); len(batch) == m.batchSize() {
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

// add embeds chunks and stores their vectors. It returns how many are stored, also
// with an error.
func (s *session) add(ctx context.Context, m *maker, chunks []store.StoredChunk) (int, error) {
	pmids := make([]record.PMID, 0, len(chunks))
	for _, c := range chunks {
		pmids = append(pmids, c.PMID)
	}
	pmids = slices.Compact(pmids)
	docs, err := s.o.Store.DocumentsOf(ctx, pmids)
	if err != nil {
		return 0, err
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		if d := docs[c.PMID]; d != nil {
			texts[i] = rag.EmbeddingText(c.Title, c.Text, rag.Subjects(d))
		}
	}
	values, failed := m.embed(ctx, texts)
	vectors := make([]store.Vector, 0, len(chunks))
	for i, v := range values {
		if c := chunks[i]; v != nil {
			vectors = append(vectors, store.Vector{PMID: c.PMID, Version: c.Version, Ordinal: c.Ordinal, Values: v})
		}
	}
	// What was answered is stored, also after a failure and after Ctrl-C.
	if s.engine != nil && len(vectors) > 0 {
		if err := s.engine.lacks(context.WithoutCancel(ctx), m.model, pmids); err != nil {
			return 0, err
		}
	}
	n, err := s.o.Store.AddVectors(context.WithoutCancel(ctx), m.model.ID, vectors)
	return n, cmp.Or(failed, err)
}
