package rag

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"biomcp/rag/analyze"
	"biomcp/rag/lsa"
	"biomcp/store"
)

// Embedder turns texts into vectors. Its methods may be called concurrently.
type Embedder interface {
	// Model names the model, so that vectors of different models are never
	// compared.
	Model() string
	// Dim is the length of its vectors; 0 while a remote service has not been
	// asked yet.
	Dim() int
	// Embed returns one vector for each text, in their order, each of Euclidean
	// length 1; nil for a text that has no vector (none of its words is known
	// to a local model). Remote services fail with an *EmbedError; the vectors
	// that were answered before are returned with it, the others are nil.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// EmbedKind says whose fault a failure of a remote embedder is.
type EmbedKind string

const (
	EmbedUnreachable EmbedKind = "unreachable"  // no connection
	EmbedTimeout     EmbedKind = "timeout"      // no answer in time
	EmbedRateLimited EmbedKind = "rate_limited" // 429 after the retries
	EmbedBadKey      EmbedKind = "bad_key"      // 401 or 403
	EmbedNotFound    EmbedKind = "not_found"    // 404: no such model or path
	EmbedRefused     EmbedKind = "refused"      // another 4xx: what we sent was not accepted
	EmbedUpstream    EmbedKind = "upstream"     // 5xx or a redirect
	EmbedBadReply    EmbedKind = "bad_reply"    // an answer that is not one proper vector for each text
	EmbedConfig      EmbedKind = "config"       // a setting that cannot be used
)

// EmbedError is every failure of a remote embedder. Its text holds no key.
type EmbedError struct {
	Kind       EmbedKind
	Service    string // "openai" or "hf", and the host
	Status     int    // of HTTP, 0 without an answer
	RetryAfter time.Duration
	Message    string
	Err        error // the cause, may be nil
}

func (e *EmbedError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("embeddings: %s: %s (HTTP %d)", e.Service, e.Message, e.Status)
	}
	return fmt.Sprintf("embeddings: %s: %s", e.Service, e.Message)
}

func (e *EmbedError) Unwrap() error { return e.Err }

// IsEmbedKind reports whether err is a failure of an embedder of kind k.
func IsEmbedKind(err error, k EmbedKind) bool {
	var e *EmbedError
	return errors.As(err, &e) && e.Kind == k
}

// Local embeds with a model of rag/lsa, fitted on the corpus itself.
type Local struct {
	name      string
	space     *lsa.Space
	analyzers sync.Pool
}

// NewLocal uses a fitted model under the name it was stored by (lsa.Model.Name).
func NewLocal(name string, space *lsa.Space) *Local {
	return &Local{name: name, space: space, analyzers: sync.Pool{New: func() any { return analyze.New() }}}
}

func (l *Local) Model() string { return l.name }

func (l *Local) Dim() int { return l.space.Dim }

// Fitted is the number of documents the corpus had when the model was fitted.
func (l *Local) Fitted() int { return l.space.Docs }

func (l *Local) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	a := l.analyzers.Get().(*analyze.Analyzer)
	defer l.analyzers.Put(a)
	var tokens []store.Token
	bags := make([][]string, len(texts))
	for i, text := range texts {
		tokens, _ = a.Tokens(tokens[:0], text, 0)
		for _, t := range tokens {
			bags[i] = append(bags[i], t.Term)
		}
	}
	return l.space.Vectors(ctx, bags)
}

// Terms embeds texts that are analysed already, given by their terms.
func (l *Local) Terms(ctx context.Context, texts [][]string) ([][]float32, error) {
	return l.space.Vectors(ctx, texts)
}
