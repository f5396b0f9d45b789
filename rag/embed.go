package rag

import (
	"context"
	"fmt"
	"time"
)

// Embedder turns texts into vectors. Its methods may be called concurrently.
type Embedder interface {
	// Model returns the name of the model. Vectors of different models are never
	// compared. It is "" until the service has said which model it has.
	Model() string
	// Dim returns the dimension of the vectors; 0 before the first reply of a
	// remote service.
	Dim() int
	// Embed returns one vector for each text, in their order, each of Euclidean
	// length 1; nil for a text without a vector (a local model knows none of its
	// words). Remote services fail with an *EmbedError; the vectors received before
	// the failure are returned with it, the others are nil.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// EmbedKind is the kind of a failure of a remote embedder.
type EmbedKind string

const (
	EmbedUnreachable EmbedKind = "unreachable"  // no connection
	EmbedTimeout     EmbedKind = "timeout"      // no reply in time
	EmbedRateLimited EmbedKind = "rate_limited" // 429 after the retries
	EmbedBadKey      EmbedKind = "bad_key"      // 401 or 403
	EmbedNotFound    EmbedKind = "not_found"    // 404: no such model or path
	EmbedRefused     EmbedKind = "refused"      // another 4xx: the request was not accepted
	EmbedUpstream    EmbedKind = "upstream"     // 5xx or a redirect
	EmbedBadReply    EmbedKind = "bad_reply"    // not one valid vector for each text
	EmbedConfig      EmbedKind = "config"       // an invalid setting
)

// EmbedError is a failure of a remote embedder. Its text contains no key.
type EmbedError struct {
	Kind       EmbedKind
	Service    string // "openai" or "hf", and the host
	Status     int    // of HTTP, 0 without a reply
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
