package polite

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Defaults of what Config leaves at zero, where zero means nothing else.
const (
	DefaultTimeout    = 30 * time.Second
	DefaultDeadline   = 60 * time.Second
	DefaultMaxRetries = 5
)

// Config is what holds for the calls to all sources. Every field may be zero.
type Config struct {
	Tool, Email string            // sent to the sources that ask for them
	Keys        map[string]string // by the variable of Source.Key
	Addresses   map[string]string // in place of the public ones, by the name of the source

	Delay      time.Duration // between two requests of a lane; raised to Rate.Delay
	Timeout    time.Duration // of one attempt
	Deadline   time.Duration // of a call: queue, retries and transfer
	MaxRetries int           // attempts after the first; 0 is none

	SlotDir   string            // where processes share their pace; "": each for itself
	SpareDir  string            // the same where SlotDir cannot be used; no other user may write to it
	Cache     Cache             // nil: none
	Transport http.RoundTripper // nil: http.DefaultTransport with a bound on the time to connect
	Dial      Dial              // of that transport; nil: net.Dialer
	Logger    *slog.Logger      // nil: silent
}

// Dial connects, as net.Dialer.DialContext.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// Client makes the calls to every source. One for a process is enough; it is
// safe for use by many goroutines.
type Client struct {
	http      *http.Client
	cache     *cache // the layer of http
	pace      *pace  // the same
	tally     *tally
	addresses map[string]*url.URL
	keys      map[string]string
	problem   error // why no call is made
}

// New checks the addresses and builds the client. It opens no connection. The
// error is an *Error of kind Invalid.
func New(cfg Config) (*Client, error) {
	c := &Client{addresses: map[string]*url.URL{}, keys: cfg.Keys}
	for name, address := range cfg.Addresses {
		u, err := ParseAddress(address)
		if err != nil {
			return nil, &Error{Kind: Invalid, Message: "the address configured for " + name + " is not an http or https URL"}
		}
		c.addresses[name] = u
	}
	c.http = &http.Client{CheckRedirect: sameOrigin, Transport: c.stack(cfg)}
	return c, nil
}

// Unusable is a client whose every call fails with err, such as a wrong setting.
func Unusable(err error) *Client {
	c := &Client{problem: err}
	c.http = &http.Client{Transport: c.stack(Config{})}
	return c
}

// Err is why every call fails, nil if calls are made.
func (c *Client) Err() error { return c.problem }

// ParseAddress reads the base of a service: an http or https URL, of which query
// and fragment are dropped.
func ParseAddress(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("not an http or https URL") // without the text, which may hold a secret
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimSuffix(u.Path, "/") + "/"
	return u, nil
}

// To is the service behind a source. A public address that is no URL panics.
func (c *Client) To(s *Source) *Service {
	base := c.addresses[s.Name]
	if base == nil {
		var err error
		if base, err = ParseAddress(s.Address); err != nil {
			panic("polite: the source " + s.Name + " has no address")
		}
	}
	return &Service{client: c, source: s, base: base, key: c.keys[s.Key.Variable]}
}

// stack puts the layers in the order of the package comment. It is the one place
// that does.
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

// deadline is the one limit over queue, retries and transfer. A reply that goes into
// a file may take as long as it comes: the limit is on the time since its last byte.
type deadline struct {
	next  http.RoundTripper
	limit time.Duration
}

func (d *deadline) RoundTrip(req *http.Request) (*http.Response, error) {
	if f := callOf(req).file; f != nil {
		f.heard, f.patience, f.watch = time.Now(), d.limit, watchOf(req.Context())
		return d.next.RoundTrip(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), d.limit)
	defer cancel() // the reply is in memory: nothing is read after this
	return d.next.RoundTrip(req.WithContext(ctx))
}

// sameOrigin is the client's CheckRedirect: a service may send a request to
// another address on its own host, and nowhere else.
func sameOrigin(req *http.Request, via []*http.Request) error {
	first := via[0]
	label := callOf(first).source().Label
	if req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return &Error{Kind: Refused, Message: label + " redirected to another host (" + req.URL.Scheme + "://" + req.URL.Host + "), which is not followed"}
	}
	if req.Method != first.Method {
		return &Error{Kind: Refused, Message: label + " redirected a POST to a GET, which would lose what was asked"}
	}
	if len(via) > 3 {
		return &Error{Kind: Refused, Message: label + " redirected more than 3 times"}
	}
	return nil
}
