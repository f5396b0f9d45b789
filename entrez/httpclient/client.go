package httpclient

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Defaults of the Config fields whose zero value has no meaning of its own.
const (
	DefaultTimeout    = 30 * time.Second
	DefaultDeadline   = 60 * time.Second
	DefaultMaxRetries = 5
)

// Config configures the calls to all sources. Every field may be zero.
type Config struct {
	Tool, Email string            // sent to the sources that ask for them
	Keys        map[string]string // API keys by Source.Key.Variable
	Addresses   map[string]string // replacements of public addresses, by Source.Name

	Delay      time.Duration // between two requests of a rate group; at least Rate.Delay
	Timeout    time.Duration // limit of one attempt
	Deadline   time.Duration // limit of a call, including queue, retries and transfer
	MaxRetries int           // attempts after the first; 0 means none

	SlotDir   string            // folder in which processes share their pace; "" does not share
	SpareDir  string            // replaces SlotDir if that is unusable; private to the user
	Cache     Cache             // nil disables the cache
	Transport http.RoundTripper // nil means NewTransport(Dial)
	Dial      Dial              // used by the default transport; nil means net.Dialer
	Logger    *slog.Logger      // nil disables logging
}

// Dial opens a connection, like net.Dialer.DialContext.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Client makes the calls to every source. A process needs only one. It is safe for concurrent use.
type Client struct {
	http      *http.Client
	cache     *cache // a layer of http
	pace      *pace  // a layer of http
	tally     *tally
	addresses map[string]*url.URL
	keys      map[string]string
	problem   error // if not nil, returned by every call
}

// New checks the addresses and builds the client. It opens no connection. The error is an *Error of
// kind Invalid.
func New(cfg Config) (*Client, error) {
	c := &Client{addresses: map[string]*url.URL{}, keys: cfg.Keys}
	for name, address := range cfg.Addresses {
		u, err := ParseAddress(address)
		if err != nil {
			return nil, Invalidf("the address configured for %s is not an http or https URL", name)
		}
		c.addresses[name] = u
	}
	c.http = &http.Client{CheckRedirect: sameOrigin, Transport: c.stack(cfg)}
	return c, nil
}

// FailingClient returns a client whose every call fails with err, for example because of an invalid
// setting.
func FailingClient(err error) *Client {
	c := &Client{problem: err}
	c.http = &http.Client{Transport: c.stack(Config{})}
	return c
}

// Err returns the error with which every call fails, or nil if the client is usable.
func (c *Client) Err() error { return c.problem }

// ParseAddress parses the base URL of a service, which must be http or https. It drops the query
// and the fragment.
func ParseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not an http or https URL") // the address may contain a secret
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimSuffix(u.Path, "/") + "/"
	return u, nil
}

// Service returns the service of a source. It panics if the source's public address is not a URL.
func (c *Client) Service(s *Source) *Service {
	base := c.addresses[s.Name]
	if base == nil {
		var err error
		if base, err = ParseAddress(s.Address); err != nil {
			panic("httpclient: the source " + s.Name + " has no address")
		}
	}
	return &Service{client: c, source: s, base: base, key: c.keys[s.Key.Variable]}
}

// stack builds the layers in the order of the package comment.
func (c *Client) stack(cfg Config) http.RoundTripper {
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.Deadline <= 0 {
		cfg.Deadline = DefaultDeadline
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	if cfg.Transport == nil {
		cfg.Transport = NewTransport(cfg.Dial)
	}
	_, traced := cfg.Transport.(*http.Transport)

	rt := cfg.Transport
	c.tally = &tally{}
	rt = &receive{next: rt, timeout: cfg.Timeout}
	rt = &count{next: rt, tally: c.tally}
	rt = newIdentify(rt, cfg)
	c.pace = &pace{next: rt, delay: cfg.Delay, dir: cfg.SlotDir, spare: cfg.SpareDir, traced: traced, log: cfg.Logger}
	rt = c.pace
	rt = &retry{next: rt, max: cfg.MaxRetries, log: cfg.Logger}
	rt = &deadline{next: rt, limit: cfg.Deadline}
	c.cache = &cache{next: rt, store: cfg.Cache, tally: c.tally, log: cfg.Logger}
	return &share{next: c.cache}
}

// deadline limits the total time of queue, retries and transfer. For a reply that goes into a file
// it limits only the time since the last byte.
type deadline struct {
	next  http.RoundTripper
	limit time.Duration
}

func (d *deadline) RoundTrip(req *http.Request) (*http.Response, error) {
	if f := callOf(req).file; f != nil {
		f.lastByte, f.idleLimit, f.watch = time.Now(), d.limit, watchOf(req.Context())
		return d.next.RoundTrip(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), d.limit)
	defer cancel() // the reply is already in memory
	return d.next.RoundTrip(req.WithContext(ctx))
}

// sameOrigin implements the client's CheckRedirect. It follows redirects within the same host, and by HTTPS to
// the hosts that the source declares.
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	source := callOf(first).source()
	label := source.Label
	declared := req.URL.Scheme == "https" && slices.Contains(source.FileHosts, req.URL.Host)
	if !declared && (req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host) {
		return &Error{Kind: Refused, Message: label + " redirected to another host (" +
			req.URL.Scheme + "://" + req.URL.Host + "), which is not followed"}
	}
	if req.Method != first.Method {
		return &Error{Kind: Refused, Message: label + " redirected a POST to a GET, which would lose the parameters"}
	}
	if len(via) > 3 {
		return &Error{Kind: Refused, Message: label + " redirected more than 3 times"}
	}
	return nil
}
