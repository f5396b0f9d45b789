package intake

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"biomcp/rag"
)

// served is an embedding service on the network, for a child.
type served struct{ url string }

func (served) Model() string { return "openai test" }
func (served) Dim() int      { return 0 } // it was not asked yet

func (s served) EmbedEach(ctx context.Context, texts []string, each func(int, [][]float32) error) error {
	return inRequests(ctx, s, texts, each)
}

func (s served) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	failed := &rag.EmbedError{Kind: rag.EmbedUpstream, Service: "test", Message: "it failed"}
	body, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, failed
	}
	defer resp.Body.Close()
	var vectors [][]float32
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&vectors) != nil {
		return nil, failed
	}
	return vectors, nil
}

// An import is killed at random moments while its embedding service fails at every eighth
// request. The numbers of documents and vectors never decrease, records that were reported as
// stored are stored, and only texts whose requests were open at a kill are sent again.
func TestKilledWhileAnEmbeddingServiceFails(t *testing.T) {
	t.Parallel()
	kills := 30
	if testing.Short() {
		kills = 1
	}
	const records = 600
	folder := write(t, map[string]string{"0.xml": set(many(1, records))})
	var mu sync.Mutex
	requests, again := 0, 0
	answered := map[string]bool{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var texts []string
		if err != nil || json.Unmarshal(body, &texts) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if len(texts) > 1 { // not the question for the dimension
			if requests++; requests%8 == 0 {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			for _, text := range texts {
				if answered[text] {
					again++
				}
				answered[text] = true
			}
		}
		vectors, err := (&service{dim: 8}).Embed(context.Background(), texts)
		if err == nil {
			err = json.NewEncoder(w).Encode(vectors)
		}
		if err != nil {
			t.Log(err) // the child was killed
		}
	}))
	defer srv.Close()
	whole := 300 * time.Millisecond
	for killed := 0; killed < kills; {
		data := t.TempDir()
		documents, vectors := 0, int64(0)
		mu.Lock()
		again, answered = 0, map[string]bool{}
		mu.Unlock()
		killedHere := 0
		for vectors < records {
			wait := rand.N(whole)
			if killed >= kills {
				wait = -1
			}
			r := run(t, "embed "+srv.URL, data, folder, wait)
			if r.killed {
				killed++
				killedHere++
			}
			s, docs := contents(t, data)
			models, err := s.Models(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			have := int64(0)
			if len(models) > 0 {
				have = models[0].Vectors
			}
			if len(docs) < max(documents, r.stored) || have < vectors {
				t.Fatalf("%d documents and %d vectors after %d and %d; %d reported", len(docs), have, documents, vectors, r.stored)
			}
			documents, vectors = len(docs), have
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		mu.Lock()
		if bound := killedHere * embedding * textsOfRequest; again > bound {
			t.Errorf("%d texts sent again after %d kills, want at most %d", again, killedHere, bound)
		}
		mu.Unlock()
	}
}
