package ragtest

import (
	"context"
	"iter"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

func TestMemoryPassesTheSuite(t *testing.T) {
	Suite(t, Engine{Open: func(testing.TB) rag.Index { return &Memory{} }})
}

func TestEmbeddedPassesTheSuite(t *testing.T) {
	Suite(t, Engine{Open: func(t testing.TB) rag.Index {
		ctx := context.Background()
		corpus, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { corpus.Close() })
		model, err := corpus.NewModel(ctx, "suite", Dim)
		if err != nil {
			t.Fatal(err)
		}
		return &keeping{rag.NewCorpusIndex(corpus, model.ID), corpus, model.ID}
	}})
}

// keeping is a corpus as an engine that is given documents.
type keeping struct {
	*rag.CorpusIndex
	corpus *store.Store
	model  int64
}

func (k *keeping) Put(ctx context.Context, docs []*store.Document) error {
	b := k.corpus.Begin("").WithModel(k.model)
	for _, d := range docs {
		if err := b.Put(d); err != nil {
			return err
		}
	}
	_, err := b.Commit(ctx)
	return err
}

func (k *keeping) Delete(ctx context.Context, pmids []record.PMID) error {
	b := k.corpus.Begin("")
	for _, pmid := range pmids {
		b.Delete(pmid, "")
	}
	_, err := b.Commit(ctx)
	return err
}

func (k *keeping) Documents(ctx context.Context) (int64, error) {
	stats, err := k.corpus.Stats(ctx)
	return stats.Documents, err
}

func (k *keeping) Chunks(ctx context.Context, after record.PMID) iter.Seq2[rag.Place, error] {
	return func(yield func(rag.Place, error) bool) {
		for d, err := range k.corpus.Documents(ctx, after) {
			if err != nil {
				yield(rag.Place{}, err)
				return
			}
			for i, c := range d.Chunks {
				if !yield(rag.Place{PMID: d.PMID, Ordinal: i, ChunkID: c.ID}, nil) {
					return
				}
			}
		}
	}
}
