package entrez

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"biomcp/entrez/polite"
)

// The public services.
const (
	DefaultEntrezURL   = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/"
	DefaultPubTatorURL = "https://www.ncbi.nlm.nih.gov/research/pubtator3-api/"
	DefaultIDConvURL   = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"

	DefaultMaxRetries = 5
)

// Config is all a Client needs to know. An empty URL is the public service.
type Config struct {
	EntrezURL, PubTatorURL, IDConvURL string
	APIKey, Email, Tool               string

	Delay      time.Duration // between two requests; raised to 350 ms, or 110 with a key
	Timeout    time.Duration // of one attempt; 0: 30 s
	Deadline   time.Duration // of a call with its queue and retries; 0: 60 s
	MaxRetries int           // after the first attempt; 0: none (see DefaultMaxRetries)

	SlotDir   string            // cache directory holding the cross-process pace; "": this client alone
	Cache     polite.Cache      // nil: none
	Transport http.RoundTripper // nil: a clone of http.DefaultTransport
	Logger    *slog.Logger      // nil: silent
}

// Client makes every call to NCBI. One for a process is enough; it is safe for
// use by many goroutines.
type Client struct {
	http *http.Client
	base map[Service]*url.URL
}

// New checks the addresses and builds the client. It opens no connection.
func New(cfg Config) (*Client, error) {
	c := &Client{base: map[Service]*url.URL{}}
	for service, address := range map[Service]string{
		Entrez:      or(cfg.EntrezURL, DefaultEntrezURL),
		PubTator:    or(cfg.PubTatorURL, DefaultPubTatorURL),
		IDConverter: or(cfg.IDConvURL, DefaultIDConvURL),
	} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, &Error{Kind: Invalid, Service: string(service), Message: "the address configured for " + string(service) + " is not an http or https URL"}
		}
		u.RawQuery, u.Fragment = "", ""
		u.Path = strings.TrimSuffix(u.Path, "/") + "/"
		c.base[service] = u
	}
	c.http = &http.Client{
		CheckRedirect: polite.SameOrigin,
		Transport: polite.New(polite.Options{
			Tool: strings.ReplaceAll(cfg.Tool, " ", "_"), Email: cfg.Email, APIKey: cfg.APIKey, // NBK25497: no spaces
			KeyURL: c.base[Entrez], NameURLs: []*url.URL{c.base[IDConverter]},
			Delay: cfg.Delay, Timeout: cfg.Timeout, Deadline: cfg.Deadline, MaxRetries: cfg.MaxRetries,
			SlotDir: cfg.SlotDir, Cache: cfg.Cache, Transport: cfg.Transport, Logger: cfg.Logger,
		}),
	}
	return c, nil
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Usage counts what the calls under a context took.
type Usage struct{ Asked, Cached atomic.Int64 }

type usageKey struct{}

// WithUsage counts the answers of calls under ctx: those a service gave, and
// those that came from the response cache.
func WithUsage(ctx context.Context, u *Usage) context.Context {
	return context.WithValue(ctx, usageKey{}, u)
}

// WithoutCache makes calls under ctx neither read nor write the response cache.
func WithoutCache(ctx context.Context) context.Context { return polite.WithoutCache(ctx) }
