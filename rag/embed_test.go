package rag

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// service is a local server of both protocols. answer, if not nil, is called first with the
// number of the request from 1. If it returns false, the server answers.
type service struct {
	*httptest.Server
	mu      sync.Mutex
	batches [][]string
	headers []http.Header
	waits   []time.Duration
}

func serve(t *testing.T, answer func(n int, texts []string, w http.ResponseWriter, r *http.Request) bool) *service {
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/info" {
			fmt.Fprint(w, `{"model_id":"acme/small"}`)
			return
		}
		var q struct {
			Model  string
			Format string `json:"encoding_format"`
			Input  []string
			Inputs []string
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		texts := append(q.Input, q.Inputs...)
		s.mu.Lock()
		s.batches, s.headers = append(s.batches, texts), append(s.headers, r.Header)
		n := len(s.batches)
		s.mu.Unlock()
		if answer != nil && answer(n, texts, w, r) {
			return
		}
		switch r.URL.Path {
		case "/v1/embeddings":
			type item struct {
				Index     int       `json:"index"`
				Embedding []float64 `json:"embedding"`
			}
			var items []item
			for i, text := range slices.Backward(texts) { // any order is allowed
				items = append(items, item{i, vectorOf(text)})
			}
			json.NewEncoder(w).Encode(map[string]any{"data": items, "model": q.Model})
		case "/embed":
			var vectors [][]float64
			for _, text := range texts {
				vectors = append(vectors, vectorOf(text))
			}
			json.NewEncoder(w).Encode(vectors)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// vectorOf differs by the length of a text, at a scale that must be undone.
func vectorOf(text string) []float64 { return []float64{3 * float64(len(text)), 3} }

func (s *service) client(t *testing.T, c RemoteConfig) *Remote {
	t.Helper()
	if c.Provider == "" {
		c.Provider = "openai"
	}
	c.BaseURL = s.URL
	c.APIKey = "sk-secret"
	r, err := NewRemote(c)
	if err != nil {
		t.Fatal(err)
	}
	r.retry.Sleep = func(_ context.Context, d time.Duration) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waits = append(s.waits, d)
		return nil
	}
	return r
}

func TestRemoteSpeaksBothProtocols(t *testing.T) {
	for provider, model := range map[string]string{"openai": "openai text-embedding-3-small", "hf": "hf acme/small"} {
		t.Run(provider, func(t *testing.T) {
			s := serve(t, nil)
			r := s.client(t, RemoteConfig{Provider: provider, BatchTexts: 3})
			if err := r.Identify(t.Context()); err != nil || r.Model() != model || r.Dim() != 0 {
				t.Errorf("%s: model %q, %d dimensions before the first answer, %v", provider, r.Model(), r.Dim(), err)
			}
			var texts []string
			for i := range 10 {
				texts = append(texts, strings.Repeat("x", i))
			}
			got, err := r.Embed(context.Background(), texts)
			if err != nil || len(got) != 10 || r.Dim() != 2 {
				t.Fatalf("%s: %d vectors of %d numbers, %v", provider, len(got), r.Dim(), err)
			}
			for i, v := range got {
				norm := math.Sqrt(float64(i*i + 1))
				if math.Abs(float64(v[0])-float64(i)/norm) > 1e-6 || math.Abs(float64(v[1])-1/norm) > 1e-6 {
					t.Errorf("%s: text %d has vector %v", provider, i, v)
				}
			}
			if len(s.batches[0]) != 1 || s.headers[0].Get("Authorization") != "Bearer sk-secret" {
				t.Errorf("%s: %d requests, headers %v", provider, len(s.batches), s.headers[0])
			}
		})
	}
}

func TestRemoteAddresses(t *testing.T) {
	for _, c := range []struct{ provider, base, want string }{
		{"openai", "http://h:1", "http://h:1/v1/embeddings"},
		{"openai", "http://h:1/v1/", "http://h:1/v1/embeddings"},
		{"openai", "http://h/deploy/x", "http://h/deploy/x/embeddings"},
		{"openai", "http://h/v1/embeddings", "http://h/v1/embeddings"},
		{"openai", "", "https://api.openai.com/v1/embeddings"},
		{"hf", "http://h/tei/", "http://h/tei/embed"},
		{"hf", "http://h/embed", "http://h/embed"},
		{"hf", "http://h", "http://h/embed"},
	} {
		t.Run(c.provider, func(t *testing.T) {
			r, err := NewRemote(RemoteConfig{Provider: c.provider, BaseURL: c.base, Model: "m"})
			if err != nil || r.c.BaseURL != c.want {
				t.Errorf("%s %q: %v, %v", c.provider, c.base, r, err)
			}
		})
	}
	for _, c := range []RemoteConfig{{Provider: "other"}, {Provider: "hf", Model: "m"}, {Provider: "openai", BaseURL: "ftp://h"}, {Provider: "openai", BaseURL: "http://u:sk-secret@%zz"}} {
		if _, err := NewRemote(c); !IsEmbedKind(err, EmbedConfig) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestRemoteWaitsAndTriesAgain(t *testing.T) {
	s := serve(t, func(n int, _ []string, w http.ResponseWriter, _ *http.Request) bool {
		switch n {
		case 1:
			w.Header().Set("Retry-After", "7")
			http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
		case 2:
			http.Error(w, "<html>bad gateway</html>", http.StatusBadGateway)
		case 3: // hang up in the middle
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"data":[`)
		default:
			return false
		}
		return true
	})
	if _, err := s.client(t, RemoteConfig{}).Embed(context.Background(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if len(s.waits) != 3 || s.waits[0] != 7*time.Second || s.waits[1] < 500*time.Millisecond || s.waits[1] > 3*500*time.Millisecond || s.waits[2] < 2*500*time.Millisecond {
		t.Errorf("waited %v", s.waits)
	}
}

func TestRemoteFailures(t *testing.T) {
	status := func(code int, body string) func(int, []string, http.ResponseWriter, *http.Request) bool {
		return func(_ int, _ []string, w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(code)
			io.WriteString(w, body)
			return true
		}
	}
	for name, c := range map[string]struct {
		answer   func(int, []string, http.ResponseWriter, *http.Request) bool
		kind     EmbedKind
		says     string
		requests int
	}{
		"bad key":         {status(401, `{"error":{"message":"Incorrect API key provided: sk-secret."}}`), EmbedBadKey, "provided: [key].", 1},
		"forbidden":       {status(403, ``), EmbedBadKey, "not accepted", 1},
		"no model":        {status(404, `{"error":"model \"x\" not found"}`), EmbedNotFound, `model "x" not found`, 1},
		"refused":         {status(422, `{"detail":"no such field"}`), EmbedRefused, "no such field", 1},
		"rate limit":      {status(429, ``), EmbedRateLimited, "HTTP 429", 4},
		"down":            {status(503, strings.Repeat("<p>", 9999)), EmbedUpstream, "HTTP 503", 4},
		"redirect":        {status(307, ``), EmbedUpstream, "HTTP 307", 1},
		"html":            {status(200, `<html>`), EmbedBadReply, "not JSON", 1},
		"too few":         {status(200, `{"data":[{"index":0,"embedding":[1]}]}`), EmbedBadReply, "1 vectors for 2 texts", 1},
		"too many":        {status(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}`), EmbedBadReply, "3 vectors for 2 texts", 1},
		"same index":      {status(200, `{"data":[{"index":1,"embedding":[1]},{"index":1,"embedding":[1]}]}`), EmbedBadReply, "out of range", 1},
		"index past all":  {status(200, `{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`), EmbedBadReply, "out of range", 1},
		"empty vector":    {status(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`), EmbedBadReply, "empty vector", 1},
		"unlike lengths":  {status(200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`), EmbedBadReply, "of 1 and of 2", 1},
		"zero vector":     {status(200, `{"data":[{"index":0,"embedding":[0,0]},{"index":1,"embedding":[1,2]}]}`), EmbedBadReply, "of length zero", 1},
		"infinite":        {status(200, `{"data":[{"index":0,"embedding":[1e99,0]},{"index":1,"embedding":[1,2]}]}`), EmbedBadReply, "not JSON", 1},
		"not a number":    {status(200, `{"data":[{"index":0,"embedding":["NaN",0]},{"index":1,"embedding":[1,2]}]}`), EmbedBadReply, "not JSON", 1},
		"endless":         {status(200, strings.Repeat(" ", maxReply+1)), EmbedBadReply, "longer than", 1},
		"endless refusal": {status(400, strings.Repeat("x", maxReply+1)), EmbedRefused, "not accepted", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			r := s.client(t, RemoteConfig{Retries: 3})
			r.flow.batch.n = 2
			_, err := r.Embed(context.Background(), []string{"a", "b"})
			if !IsEmbedKind(err, c.kind) || !strings.Contains(err.Error(), c.says) || len(err.Error()) > 400 {
				t.Errorf("got %v, want %s with %q", err, c.kind, c.says)
			}
			if len(s.batches) != c.requests || strings.Contains(fmt.Sprint(err), "secret") {
				t.Errorf("%d requests, %v", len(s.batches), err)
			}
		})
	}
}

func TestRemoteSplitsWhatIsTooLong(t *testing.T) {
	s := serve(t, func(_ int, texts []string, w http.ResponseWriter, _ *http.Request) bool {
		if len(strings.Join(texts, "")) > 100 {
			http.Error(w, `{"error":{"message":"maximum context length exceeded"}}`, http.StatusBadRequest)
			return true
		}
		return false
	})
	long := strings.Repeat("word ", 60) // 300 bytes: halved twice
	r := s.client(t, RemoteConfig{})
	r.flow.batch.n = 4
	got, err := r.Embed(context.Background(), []string{"aaa", long, "b", strings.Repeat("c", 90)})
	if err != nil {
		t.Fatal(err)
	}
	for i, length := range []float64{3, 74, 1, 90} {
		if want := length / math.Sqrt(length*length+1); math.Abs(float64(got[i][0])-want) > 1e-6 {
			t.Errorf("text %d was embedded as %v", i, got[i])
		}
	}
	_, err = s.client(t, RemoteConfig{}).Embed(context.Background(), []string{strings.Repeat("x", 101)})
	if !IsEmbedKind(err, EmbedRefused) {
		t.Errorf("a word that is too long: %v", err)
	}
}

func TestRemoteCutsTexts(t *testing.T) {
	s := serve(t, nil)
	_, err := s.client(t, RemoteConfig{MaxTokens: 30}).Embed(context.Background(), []string{strings.Repeat("ab ", 100), "short"})
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Concat(s.batches...); CountTokens(got[0]) != 20 || got[1] != "short" {
		t.Errorf("sent %q", got)
	}
}

func TestRemoteGivesUpInTime(t *testing.T) {
	gone := make(chan struct{})
	s := serve(t, func(_ int, _ []string, _ http.ResponseWriter, r *http.Request) bool {
		<-gone
		return true
	})
	defer close(gone)
	if _, err := s.client(t, RemoteConfig{Timeout: 20 * time.Millisecond, Retries: -1}).Embed(context.Background(), []string{"a"}); !IsEmbedKind(err, EmbedTimeout) {
		t.Errorf("a silent server: %v", err)
	}
	// The wait that the server asks for does not fit before the deadline.
	if _, err := s.client(t, RemoteConfig{Timeout: 10 * time.Millisecond, Deadline: 50 * time.Millisecond}).Embed(context.Background(), []string{"a"}); !IsEmbedKind(err, EmbedTimeout) || len(s.waits) != 0 {
		t.Errorf("a deadline: %v after waits of %v", err, s.waits)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	left := errors.New("left")
	time.AfterFunc(10*time.Millisecond, func() { cancel(left) })
	if _, err := s.client(t, RemoteConfig{}).Embed(ctx, []string{"a"}); !errors.Is(err, left) {
		t.Errorf("a caller who left: %v", err)
	}
}

func TestRemoteUnreachable(t *testing.T) {
	s := serve(t, nil)
	r := s.client(t, RemoteConfig{Retries: 2})
	s.Close()
	_, err := r.Embed(context.Background(), []string{"a"})
	if !IsEmbedKind(err, EmbedUnreachable) || len(s.waits) != 2 || strings.Contains(err.Error(), "/v1/") {
		t.Errorf("%v after waits of %v", err, s.waits)
	}
	nobody, err := NewRemote(RemoteConfig{Provider: "hf", BaseURL: s.URL, Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := nobody.Identify(t.Context()); !IsEmbedKind(err, EmbedUnreachable) || nobody.Model() != "" {
		t.Errorf("the model's name from nobody: %v", err)
	}
}

// After a failure nothing more is sent, even by other calls that wait.
func TestRemoteStopsAtTheFirstFailure(t *testing.T) {
	both := make(chan struct{})
	s := serve(t, func(n int, _ []string, w http.ResponseWriter, r *http.Request) bool {
		<-both
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	r := s.client(t, RemoteConfig{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := r.Embed(context.Background(), []string{"a", "b", "c"}); !IsEmbedKind(err, EmbedBadKey) {
				t.Error(err)
			}
		})
	}
	for waiting := 0; waiting < 5; {
		r.flow.mu.Lock()
		waiting = r.flow.waiting
		r.flow.mu.Unlock()
		runtime.Gosched()
	}
	close(both)
	wg.Wait()
	if len(s.batches) != 1 {
		t.Errorf("%d requests", len(s.batches))
	}
}

// The vectors received before a failure are returned with it.
func TestRemoteReturnsWhatWasAnswered(t *testing.T) {
	s := serve(t, func(n int, _ []string, w http.ResponseWriter, _ *http.Request) bool {
		if n == 3 {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return n == 3
	})
	got, err := s.client(t, RemoteConfig{BatchTexts: 2, Concurrency: 1}).Embed(context.Background(), []string{"a", "b", "c", "d", "e", "f"})
	if !IsEmbedKind(err, EmbedBadKey) || len(got) != 6 || got[0] == nil || got[1] == nil || got[2] != nil || got[5] != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// IsEmbedKind reports whether err is a failure of an embedder of kind k.
func IsEmbedKind(err error, k EmbedKind) bool {
	var e *EmbedError
	return errors.As(err, &e) && e.Kind == k
}
