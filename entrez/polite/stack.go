package polite

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// Defaults of a call's two limits, used where Options has zero.
const (
	DefaultTimeout  = 30 * time.Second
	DefaultDeadline = 60 * time.Second
)

// Options are what the layers need to know. Every field may be zero.
type Options struct {
	Tool, Email string // sent to NCBI's own services
	APIKey      string

	KeyURL   *url.URL   // base of the E-utilities: the only place that gets the key
	NameURLs []*url.URL // further bases that get tool and email

	// Delay is the time between two slots. The least is 350 ms without and
	// 110 ms with a key; a smaller value is raised to it.
	Delay      time.Duration
	Timeout    time.Duration // of one attempt
	Deadline   time.Duration // of a call: queue, retries and transfer
	MaxRetries int           // attempts after the first; 0 is none

	SlotDir   string            // where processes meet; "": each for itself
	Cache     Cache             // nil: none
	Transport http.RoundTripper // nil: a clone of http.DefaultTransport
	Logger    *slog.Logger      // nil: silent
}

// New stacks the layers. It is the one place that does, in the order of the
// package comment.
func New(o Options) http.RoundTripper {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Deadline <= 0 {
		o.Deadline = DefaultDeadline
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.MaxIdleConnsPerHost = 4 // more are never of use at this pace
		o.Transport = t
	}
	_, traced := o.Transport.(*http.Transport)
	who := &identity{tool: o.Tool, email: o.Email, key: o.APIKey, keyURL: o.KeyURL, nameURLs: o.NameURLs}

	var rt http.RoundTripper = o.Transport
	rt = &receive{next: rt, timeout: o.Timeout}
	rt = &identify{next: rt, who: who}
	rt = &pace{next: rt, who: who, delay: o.Delay, dir: o.SlotDir, traced: traced, log: o.Logger}
	rt = &retry{next: rt, max: o.MaxRetries, log: o.Logger}
	rt = &deadline{next: rt, limit: o.Deadline}
	rt = &cache{next: rt, store: o.Cache, log: o.Logger}
	return &share{next: rt}
}

// SameOrigin is an http.Client's CheckRedirect: a service may move a request
// about on its own host, and nowhere else.
func SameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	if req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return &Failure{Kind: Refused, Message: callOf(first).Service + " sent us on to another host (" + req.URL.Host + "), which is not followed"}
	}
	if req.Method != first.Method {
		return &Failure{Kind: Refused, Message: callOf(first).Service + " sent a POST on as a GET, which would lose what was asked"}
	}
	if len(via) > 3 {
		return errors.New("more than 3 redirects")
	}
	return nil
}
