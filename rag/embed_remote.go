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

	"biomcp/entrez/polite"
)

// RemoteConfig says how to reach an embedding service.
type RemoteConfig struct {
	Provider string // "openai" or "hf"
	BaseURL  string // http://127.0.0.1:11434/v1; "" is OpenAI's own for openai
	APIKey   string // sent as a bearer token; "" sends none
	Model    string // "" is text-embedding-3-small for openai, what the service says of itself for hf

	// MaxTokens is the longest text of the model, 8,191 for openai and 512 for
	// hf if it is 0. A longer text is cut before it is sent: see Embed.
	MaxTokens   int
	BatchTexts  int           // texts of a request, at most; 0 is 64 for openai, 32 for hf
	Concurrency int           // requests under way, at most; 0 is 16
	Timeout     time.Duration // of the first request; 0 is a minute. Later ones: see flow
	Deadline    time.Duration // without any answer; 0 is five minutes
	Retries     int           // after the first try; 0 is 5, negative is none
	Transport   http.RoundTripper
}

// Remote embeds with a service over HTTP.
type Remote struct {
	c       RemoteConfig
	p       protocol
	service string
	client  *http.Client
	model   atomic.Value // its name, nil until it is known
	dim     atomic.Int64
	retry   polite.Retry
	flow    *flow
	outage  outage
}

// NewRemote makes a client of an embedding service. It sends nothing.
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
		return nil, r.fail(EmbedConfig, "there is no such provider; there are openai and hf", nil)
	}
	c.Concurrency, c.Retries = cmp.Or(c.Concurrency, 16), cmp.Or(c.Retries, 5)
	c.Timeout, c.Deadline = cmp.Or(c.Timeout, time.Minute), cmp.Or(c.Deadline, 5*time.Minute)
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, r.fail(EmbedConfig, "its address is no http or https URL", nil) // the address may hold a secret
	}
	r.service += " at " + base.Host
	base.Path = r.p.path(strings.TrimRight(base.Path, "/"))
	c.BaseURL = base.String()
	if c.Transport == nil {
		t := polite.NewTransport(nil)
		t.MaxIdleConnsPerHost = c.Concurrency
		c.Transport = t
	}
	r.c, r.retry = c, polite.Retry{Max: c.Retries, Longest: 30 * time.Second}
	r.flow = newFlow(c.BatchTexts, c.Concurrency, c.Timeout, c.Deadline)
	r.client = &http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.Model != "" {
		r.model.Store(c.Model)
	}
	return r, nil
}

// Model returns "" until Identify has asked the service for the name.
func (r *Remote) Model() string {
	if name := r.model.Load(); name != nil {
		return r.c.Provider + " " + name.(string)
	}
	return ""
}

func (r *Remote) Dim() int { return int(r.dim.Load()) }

// Identify asks the service for the name of its model if none was set. It
// fails with an *EmbedError.
func (r *Remote) Identify(ctx context.Context) error { return r.identify(ctx, r.retry) }

func (r *Remote) identify(ctx context.Context, retry polite.Retry) error {
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
