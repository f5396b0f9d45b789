package intake

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"biomcp/rag"
)

// flakyService is an embedding service that fails at one request of each run.
type flakyService struct {
	service
	mu       sync.Mutex
	failAt   int // the request of this run, from 1; 0 is none
	requests int
	answered map[string]bool
	again    int // texts sent though they were answered before
}

func (f *flakyService) EmbedEach(ctx context.Context, texts []string, each func(int, [][]float32) error) error {
	return inRequests(ctx, f, texts, each)
}

// textsOfRequest is how many texts the services of these tests answer at once.
const textsOfRequest = 16

// inRequests sends texts in requests to a service of these tests, until one fails.
func inRequests(ctx context.Context, by rag.Embedder, texts []string, each func(int, [][]float32) error) error {
	for from := 0; from < len(texts); from += textsOfRequest {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		vectors, err := by.Embed(ctx, texts[from:min(from+textsOfRequest, len(texts))])
		if stored := each(from, vectors); err == nil {
			err = stored
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *flakyService) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 1 && texts[0] == "dimension" {
		return f.service.Embed(ctx, texts)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests++
	for _, text := range texts {
		if f.answered[text] {
			f.again++
		}
	}
	if f.requests == f.failAt {
		return nil, &rag.EmbedError{Kind: rag.EmbedUpstream, Service: "test", Message: "it failed once"}
	}
	if f.requests == f.failAt-1 && len(texts) > 1 { // half of a request that was sent again in halves
		texts = texts[:len(texts)/2]
		vectors, _ := f.service.Embed(context.Background(), texts)
		f.keep(texts)
		return append(vectors, make([][]float32, len(texts))...), &rag.EmbedError{Kind: rag.EmbedUpstream, Service: "test", Message: "half of it failed"}
	}
	f.keep(texts)
	return f.service.Embed(context.Background(), texts)
}

func (f *flakyService) keep(texts []string) {
	for _, text := range texts {
		f.answered[text] = true
	}
}

// An embedding service that fails at a drawn request of every run: no text that it
// answered is ever sent again, every run in which it answers comes further, and the
// last one completes the corpus.
func TestNoTextIsEmbeddedTwiceWhereAServiceFails(t *testing.T) {
	t.Parallel()
	seeds := uint64(25)
	if testing.Short() {
		seeds = 5
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 1 + rng.IntN(300)
		f := &flakyService{service: service{dim: 4}, answered: map[string]bool{}}
		o := options(t)
		o.Embedder = f
		path := inFile(t, many(1, n))
		for run := 0; ; run++ {
			f.requests, f.failAt = 0, 1+rng.IntN(12)
			before := len(f.answered)
			_, err := Import(t.Context(), o, path)
			models, modelsErr := o.Store.Models(t.Context())
			if modelsErr != nil || len(models) == 0 || models[0].Name != f.Model() || models[0].Vectors != int64(len(f.answered)) {
				t.Fatalf("seed %d, run %d: %d answered, stored %+v, %v", seed, run, len(f.answered), models, modelsErr)
			}
			if err == nil {
				break
			}
			var failed *rag.EmbedError
			if !errors.As(err, &failed) {
				t.Fatalf("seed %d, run %d: %v", seed, run, err)
			}
			if f.failAt > 1 && len(f.answered) == before {
				t.Fatalf("seed %d, run %d: failing at request %d it stays at %d of %d", seed, run, f.failAt, before, n)
			}
		}
		if len(f.answered) != n || f.again != 0 {
			t.Errorf("seed %d: %d of %d texts answered, %d sent again", seed, len(f.answered), n, f.again)
		}
		if _, m := inUse(t, o); m.Missing != 0 {
			t.Errorf("seed %d: %+v", seed, m)
		}
		o.Store.Close()
	}
}

// Vectors that arrive while a sync is being stopped are stored.
func TestVectorsOfAStoppedSync(t *testing.T) {
	o := options(t)
	f := &flakyService{service: service{dim: 4}, answered: map[string]bool{}}
	o.Embedder = f
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(p Progress) {
		if p.Vectors >= 100 {
			cancel()
		}
	}
	path := inFile(t, many(1, 300))
	if _, err := Import(ctx, o, path); err == nil {
		t.Fatal("it was not stopped")
	}
	o.Progress = nil
	if len(f.answered) >= 300 {
		t.Fatalf("%d answered before it stopped", len(f.answered))
	}
	importing(t, o, path)
	if len(f.answered) != 300 || f.again != 0 {
		t.Errorf("%d answered, %d sent again", len(f.answered), f.again)
	}
}

// An engine gets every vector that a failing service returns in this and later runs, and no
// text is sent again for it.
func TestEngineGetsTheVectorsOfAServiceThatFails(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 8))
		f := &flakyService{service: service{dim: 4}, answered: map[string]bool{}}
		engine := newShelf(-1)
		o := options(t)
		o.Embedder, o.Index = f, engine
		path := inFile(t, many(1, 100))
		for run := 0; ; run++ {
			f.requests, f.failAt = 0, 1+rng.IntN(9)
			if run%3 == 1 {
				engine.left = rng.IntN(4) // it fails too
			}
			_, err := Import(t.Context(), o, path)
			engine.left = -1
			if err == nil {
				break
			}
		}
		holds(t, engine, o.Store)
		for pmid, d := range engine.docs {
			if len(d.Chunks[0].Vector) != 4 {
				t.Fatalf("seed %d: the engine has no vector of pmid %d", seed, pmid)
			}
		}
		if _, err := Move(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if f.again != 0 || len(f.answered) != 100 {
			t.Errorf("seed %d: %d texts answered, %d sent again", seed, len(f.answered), f.again)
		}
	}
}
