package rag

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"biomcp/entrez/httpclient"
)

// RemoteConfig configures an embedding service.
type RemoteConfig struct {
	Provider string // "openai" or "hf"
	BaseURL  string // for example http://127.0.0.1:11434/v1; "" means OpenAI's URL for openai
	APIKey   string // sent as a bearer token unless ""
	Model    string // "" means text-embedding-3-small for openai, and the name that the service reports for hf

	// MaxTokens is the maximum length of a text. Zero means 8,191 for openai and 512 for hf.
	// Longer texts are cut before they are sent (Embed).
	MaxTokens   int
	BatchTexts  int           // maximum texts per request; zero means 64 for openai and 32 for hf
	Concurrency int           // maximum number of open requests; zero means 16
	Timeout     time.Duration // time-out of the first request; zero means a minute; flow adapts it later
	Deadline    time.Duration // maximum time without any answer; zero means five minutes
	Retries     int           // attempts after the first; zero means 5, a negative number disables retries
	Transport   http.RoundTripper
}

// Remote is an Embedder that calls a service over HTTP.
type Remote struct {
	c       RemoteConfig
	p       protocol
	service string
	client  *http.Client
	model   atomic.Value // name of the model; nil until it is known
	dim     atomic.Int64
	retry   httpclient.Retry
	flow    *flow
	outage  outage
}

// NewRemote returns a client of an embedding service. It sends nothing.
func NewRemote(c RemoteConfig) (*Remote, error) {
	r := &Remote{service: c.Provider}
	switch c.Provider {
	case "openai":
		r.p = openAI{}
		c.BaseURL = cmp.Or(c.BaseURL, "https://api.openai.com/v1")
		c.Model = cmp.Or(c.Model, "text-embedding-3-small")
		c.MaxTokens, c.BatchTexts = cmp.Or(c.MaxTokens, 8191), cmp.Or(c.BatchTexts, 64)
	case "hf":
		r.p = textEmbeddingsInference{}
		c.MaxTokens, c.BatchTexts = cmp.Or(c.MaxTokens, 512), cmp.Or(c.BatchTexts, 32)
	default:
		return nil, r.fail(EmbedConfig, "unknown provider; available: openai, hf", nil)
	}
	c.Concurrency, c.Retries = cmp.Or(c.Concurrency, 16), cmp.Or(c.Retries, 5)
	c.Timeout, c.Deadline = cmp.Or(c.Timeout, time.Minute), cmp.Or(c.Deadline, 5*time.Minute)
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		// The error omits the address, which may contain a secret.
		return nil, r.fail(EmbedConfig, "its address is not an http or https URL", nil)
	}
	r.service += " at " + base.Host
	base.Path = r.p.path(strings.TrimRight(base.Path, "/"))
	c.BaseURL = base.String()
	if c.Transport == nil {
		t := httpclient.NewTransport(nil)
		t.MaxIdleConnsPerHost = c.Concurrency
		c.Transport = t
	}
	r.c, r.retry = c, httpclient.Retry{Max: c.Retries, Longest: 30 * time.Second}
	r.flow = newFlow(c.BatchTexts, c.Concurrency, c.Timeout, c.Deadline)
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	r.client = &http.Client{Transport: c.Transport, CheckRedirect: noRedirect}
	if c.Model != "" {
		r.model.Store(c.Model)
	}
	return r, nil
}

// Model returns the provider and the name of the model, or "" until Identify has asked the
// service.
func (r *Remote) Model() string {
	if name := r.model.Load(); name != nil {
		return r.c.Provider + " " + name.(string)
	}
	return ""
}

func (r *Remote) Dim() int { return int(r.dim.Load()) }

// Identify asks the service for the name of its model, unless it is configured. It returns an
// *EmbedError on failure.
func (r *Remote) Identify(ctx context.Context) error { return r.identify(ctx, r.retry) }

func (r *Remote) identify(ctx context.Context, retry httpclient.Retry) error {
	if r.model.Load() != nil {
		return nil
	}
	reply, err := r.ask(ctx, retry, http.MethodGet, strings.TrimSuffix(r.c.BaseURL, "/embed")+"/info", nil, time.Time{})
	if err != nil {
		return err
	}
	var info struct {
		ModelID string `json:"model_id"`
	}
	name := "unnamed"
	if json.Unmarshal(reply, &info) == nil && info.ModelID != "" {
		name = info.ModelID
	}
	r.model.Store(name)
	return nil
}
