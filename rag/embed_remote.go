package rag

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/polite"
)

// RemoteConfig says how to reach an embedding service.
type RemoteConfig struct {
	Provider string // "openai" or "hf"
	BaseURL  string // http://127.0.0.1:11434/v1; "" is OpenAI's own for openai
	APIKey   string // sent as a bearer token; "" sends none
	Model    string // "" is text-embedding-3-small for openai, what the service says of itself for hf

	// MaxTokens is the longest text of the model, 8,191 for openai and 512 for
	// hf where it is 0. A longer text is cut before it is sent: see Embed.
	MaxTokens   int
	BatchTexts  int           // texts a request; 0 is 64 for openai, 32 for hf
	Concurrency int           // requests under way; 0 is 4
	Timeout     time.Duration // of one request; 0 is a minute
	Deadline    time.Duration // of one batch with its retries; 0 is five minutes
	Retries     int           // after the first try; 0 is 5, negative is none
	Transport   http.RoundTripper
}

// Remote embeds with a service over HTTP.
type Remote struct {
	c       RemoteConfig
	p       protocol
	service string
	client  *http.Client
	dim     atomic.Int64
	retry   polite.Retry
}

// protocol is how a provider is spoken to.
type protocol interface {
	url(base *url.URL) string
	request(model string, texts []string) any
	// vectors reads a reply to a request of n texts, one vector for each.
	vectors(reply []byte, n int) ([][]float32, error)
}

const (
	maxReply   = 64 << 20 // bytes: 64 vectors of 8,192 numbers are under 16 MB
	maxRefusal = 64 << 10 // bytes read of an error
	maxExplain = 200      // bytes of a service's own words that we pass on
)

// NewRemote makes a client of an embedding service. It sends nothing, except
// that hf without a model name asks the service for it.
func NewRemote(ctx context.Context, c RemoteConfig) (*Remote, error) {
	r := &Remote{service: c.Provider}
	def := func(v *int, or int) {
		if *v == 0 {
			*v = or
		}
	}
	switch c.Provider {
	case "openai":
		r.p = openAI{}
		if c.BaseURL == "" {
			c.BaseURL = "https://api.openai.com/v1"
		}
		if c.Model == "" {
			c.Model = "text-embedding-3-small"
		}
		def(&c.MaxTokens, 8191)
		def(&c.BatchTexts, 64)
	case "hf":
		r.p = textEmbeddingsInference{}
		def(&c.MaxTokens, 512)
		def(&c.BatchTexts, 32)
	default:
		return nil, r.fail(EmbedConfig, "there is no such provider; there are openai and hf", nil)
	}
	def(&c.Concurrency, 4)
	def(&c.Retries, 5)
	if c.Timeout == 0 {
		c.Timeout = time.Minute
	}
	if c.Deadline == 0 {
		c.Deadline = 5 * time.Minute
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, r.fail(EmbedConfig, "its address is no http or https URL", nil) // the address may hold a secret
	}
	r.service += " at " + base.Host
	c.BaseURL = r.p.url(base)
	r.c, r.retry = c, polite.Retry{Max: c.Retries, Longest: 30 * time.Second}
	r.client = &http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.Model == "" {
		r.c.Model = "unnamed"
		var info struct {
			ModelID string `json:"model_id"`
		}
		reply, err := r.send(ctx, http.MethodGet, strings.TrimSuffix(c.BaseURL, "/embed")+"/info", nil)
		if err != nil {
			return nil, err
		}
		if json.Unmarshal(reply, &info) == nil && info.ModelID != "" {
			r.c.Model = info.ModelID
		}
	}
	return r, nil
}

func (r *Remote) Model() string { return r.c.Provider + " " + r.c.Model }

func (r *Remote) Dim() int { return int(r.dim.Load()) }

// Embed sends texts in batches, several at once. A text is first cut, at a
// blank, to two thirds of MaxTokens as CountTokens reckons: models count a
// biomedical word as one and a half tokens. What a service refuses as too long
// is sent again in two halves, a single text cut to its first half, four times
// at most.
func (r *Remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	group := pool.New().WithMaxGoroutines(r.c.Concurrency).WithContext(ctx).WithCancelOnError().WithFirstError()
	for from := 0; from < len(texts); from += r.c.BatchTexts {
		to := min(from+r.c.BatchTexts, len(texts))
		group.Go(func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, r.c.Deadline)
			defer cancel()
			batch := make([]string, 0, to-from)
			for _, text := range texts[from:to] {
				batch = append(batch, firstTokens(text, r.c.MaxTokens*2/3))
			}
			return r.embed(ctx, batch, out[from:to], 4)
		})
	}
	return out, group.Wait()
}

// BatchTexts is how many texts one request holds.
func (r *Remote) BatchTexts() int { return r.c.BatchTexts }

// firstTokens cuts text after n tokens.
func firstTokens(text string, n int) string {
	if len(text) <= n { // a token takes a byte at least
		return text
	}
	if pieces := split(text); len(pieces) > n {
		return strings.TrimSpace(text[:pieces[n].start])
	}
	return text
}

func (r *Remote) embed(ctx context.Context, texts []string, out [][]float32, cuts int) error {
	reply, err := r.post(ctx, texts)
	switch {
	case err != nil && tooLong(err) && len(texts) > 1:
		half := len(texts) / 2
		if err := r.embed(ctx, texts[:half], out[:half], cuts); err != nil {
			return err
		}
		return r.embed(ctx, texts[half:], out[half:], cuts)
	case err != nil && tooLong(err) && cuts > 0 && CountTokens(texts[0]) > 1:
		return r.embed(ctx, []string{firstTokens(texts[0], CountTokens(texts[0])/2)}, out, cuts-1)
	case err != nil:
		return err
	}
	vectors, err := r.p.vectors(reply, len(texts))
	if err != nil {
		return r.fail(EmbedBadReply, "its answer cannot be used: "+err.Error(), err)
	}
	for i, v := range vectors {
		if r.dim.CompareAndSwap(0, int64(len(v))); int64(len(v)) != r.dim.Load() {
			return r.fail(EmbedBadReply, fmt.Sprintf("vectors of %d and of %d numbers", r.dim.Load(), len(v)), nil)
		}
		if out[i] = unitVector(v); out[i] == nil {
			return r.fail(EmbedBadReply, "a vector without length", nil)
		}
	}
	return nil
}

// unitVector scales v to length 1; nil where it has no finite length.
func unitVector(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if norm := math.Sqrt(sum); norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(norm) {
		for i, x := range v {
			v[i] = float32(float64(x) / norm)
		}
		return v
	}
	return nil
}

func (r *Remote) post(ctx context.Context, texts []string) ([]byte, error) {
	body, err := json.Marshal(r.p.request(r.c.Model, texts))
	if err != nil {
		return nil, err
	}
	return r.send(ctx, http.MethodPost, r.c.BaseURL, body)
}

// send makes a request until it is answered, refused, or out of tries.
func (r *Remote) send(ctx context.Context, method, address string, body []byte) (reply []byte, err error) {
	_ = r.retry.Do(ctx, func(int) (again bool, after time.Duration) {
		reply, err = r.once(ctx, method, address, body)
		var e *EmbedError
		if !errors.As(err, &e) {
			return false, 0
		}
		return e.temporary(), e.RetryAfter
	}) // where it ends early, the last failure says more
	return reply, err
}

func (e *EmbedError) temporary() bool {
	switch e.Kind {
	case EmbedUnreachable, EmbedTimeout, EmbedRateLimited:
		return true
	}
	return e.Kind == EmbedUpstream && polite.Temporary(e.Status)
}

func (r *Remote) once(ctx context.Context, method, address string, body []byte) ([]byte, error) {
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, r.c.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, r.fail(EmbedConfig, "its address cannot be used", nil)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if r.c.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+r.c.APIKey)
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, r.broken(outer, err)
	}
	defer resp.Body.Close()
	limit := int64(maxReply + 1)
	if resp.StatusCode != http.StatusOK {
		limit = maxRefusal
	}
	reply, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	switch {
	case resp.StatusCode != http.StatusOK:
		return nil, r.refused(resp, reply)
	case err != nil:
		return nil, r.broken(outer, err)
	case len(reply) > maxReply:
		return nil, r.fail(EmbedBadReply, fmt.Sprintf("its answer is longer than %d bytes", maxReply), nil)
	}
	return reply, nil
}

// broken is the failure of a transfer. A caller who has gone gets his own error.
func (r *Remote) broken(outer context.Context, err error) error {
	if errors.Is(outer.Err(), context.Canceled) {
		return context.Cause(outer)
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		return r.fail(EmbedTimeout, "no answer in time", err)
	}
	var inner *url.Error
	if errors.As(err, &inner) { // its text holds the address
		err = inner.Err
	}
	return r.fail(EmbedUnreachable, "cannot be reached: "+err.Error(), err)
}

// refused is the failure that an HTTP status means.
func (r *Remote) refused(resp *http.Response, reply []byte) error {
	kind := EmbedRefused
	switch s := resp.StatusCode; {
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		kind = EmbedBadKey
	case s == http.StatusNotFound:
		kind = EmbedNotFound
	case s == http.StatusTooManyRequests:
		kind = EmbedRateLimited
	case s == http.StatusRequestTimeout:
		kind = EmbedTimeout
	case s >= 500, s < 400:
		kind = EmbedUpstream
	}
	e := r.fail(kind, explanation(reply), nil)
	e.Status, e.RetryAfter = resp.StatusCode, polite.RetryAfter(resp.Header)
	return e
}

// explanation is what a service says of its refusal, in one short line: the
// message of {"error": {"message": …}}, {"error": …}, {"message": …} or {"detail": …}.
func explanation(reply []byte) string {
	var fields map[string]json.RawMessage
	text := ""
	if json.Unmarshal(reply, &fields) == nil {
		for _, name := range []string{"error", "message", "detail"} {
			var nested struct{ Message string }
			if json.Unmarshal(fields[name], &text) == nil && text != "" {
				break
			}
			if json.Unmarshal(fields[name], &nested) == nil && nested.Message != "" {
				text = nested.Message
				break
			}
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		return "the request was not accepted"
	}
	if len(text) > maxExplain {
		text = strings.ToValidUTF8(text[:maxExplain], "") + "…"
	}
	return text
}

// tooLong reports whether a service refused a request for its size.
func tooLong(err error) bool {
	var e *EmbedError
	if !errors.As(err, &e) || e.Kind != EmbedRefused {
		return false
	}
	if e.Status == http.StatusRequestEntityTooLarge {
		return true
	}
	said := strings.ToLower(e.Message)
	for _, word := range []string{"token", "too long", "too large", "length", "batch"} {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}

// fail makes the error, without the key wherever it came from.
func (r *Remote) fail(kind EmbedKind, message string, cause error) *EmbedError {
	if r.c.APIKey != "" {
		message = strings.ReplaceAll(message, r.c.APIKey, "[key]")
	}
	return &EmbedError{Kind: kind, Service: r.service, Message: message, Err: cause}
}
