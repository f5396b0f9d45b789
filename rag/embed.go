package rag

import (
	"context"
	"fmt"
	"time"

	"biomcp/entrez/fault"
)

// An Embedder converts texts to vectors. Its methods may be called concurrently.
type Embedder interface {
	// Model returns the name of the model. Vectors of different models are never compared. The
	// name is "" until a remote service has reported it.
	Model() string
	// Dim returns the dimension of the vectors, or zero before the first reply of a remote
	// service.
	Dim() int
	// Embed returns one vector per text, in order, each with Euclidean length 1. A vector is
	// nil if a local model knows no word of the text. Remote services return an *EmbedError.
	// The vectors received before a failure are returned with it, and the others are nil.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// An EmbedKind classifies the failures of a remote embedder.
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

// An EmbedError is a failure of a remote embedder. Its text does not contain the API key.
type EmbedError struct {
	Kind       EmbedKind
	Service    string // provider and host, as in "openai at localhost"
	Status     int    // HTTP status, or zero without a reply
	RetryAfter time.Duration
	Message    string
	Err        error // cause, or nil
}

func (e *EmbedError) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("embeddings: %s: %s (HTTP %d)", e.Service, e.Message, e.Status)
	}
	return fmt.Sprintf("embeddings: %s: %s", e.Service, e.Message)
}

func (e *EmbedError) Unwrap() error { return e.Err }

// Meaning returns the code Embeddings.
func (e *EmbedError) Meaning() fault.Meaning { return fault.Meaning{Code: fault.Embeddings} }
