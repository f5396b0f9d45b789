package polite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"time"
)

// Cache keeps answers for a while. A key is a short line of text without any
// secret; a body is returned as it was put. Get reports ok false for what is
// not there or too old. Old returns whatever is there, and when it was put. All
// must be safe for use by many goroutines. An error costs a request and nothing
// more.
type Cache interface {
	Get(ctx context.Context, key string) (body []byte, ok bool, err error)
	Old(ctx context.Context, key string) (body []byte, stored time.Time, ok bool, err error)
	Put(ctx context.Context, key string, body []byte, ttl time.Duration) error
	Delete(ctx context.Context, key string) error
}

type freshKey struct{}

// WithoutCache makes calls under ctx neither read nor write the cache.
func WithoutCache(ctx context.Context) context.Context {
	return context.WithValue(ctx, freshKey{}, true)
}

func fresh(ctx context.Context) bool { return ctx.Value(freshKey{}) != nil }

type offlineKey struct{}

// Offline makes calls under ctx be answered from the cache alone, whatever the
// age of what it holds.
func Offline(ctx context.Context) context.Context {
	return context.WithValue(ctx, offlineKey{}, true)
}

func offline(ctx context.Context) bool { return ctx.Value(offlineKey{}) != nil }

// cache answers from the store what it may: replies whose time has not passed and,
// where the source cannot be reached or is not to be asked, the others. Only a
// whole, good reply is kept, and only where neither the source nor the call objects.
type cache struct {
	next  http.RoundTripper
	store Cache
	tally *tally
	log   *slog.Logger
}

func (c *cache) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, call := req.Context(), callOf(req)
	if !c.serves(ctx, call) {
		return c.ask(req)
	}
	key, err := requestKey(req)
	if err != nil {
		return nil, err
	}
	if body, ok, err := c.get(ctx, call, key); err == nil && ok {
		return kept(req, body, key, time.Time{}), nil
	}
	resp, err := c.ask(req)
	if unanswered(err) {
		if body, stored, ok, oldErr := c.store.Old(ctx, key); oldErr == nil && ok {
			return kept(req, body, "", stored), nil
		}
	}
	if err != nil {
		return nil, err
	}
	body, err := Body(resp)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK && keepable(call, body) && c.put(ctx, call, key, body) == nil { // or logged
		out := *resp
		out.Body = held{bytes.NewReader(body), body, "", key, time.Time{}}
		resp = &out
	}
	return resp, nil
}

// serves reports whether the replies of a call may come from the store and go
// there.
func (c *cache) serves(ctx context.Context, call *Call) bool {
	return c.store != nil && call.TTL > 0 && !fresh(ctx)
}

// get is a reply whose time has not passed. Offline there is none: of all that is
// shown then the age is said.
func (c *cache) get(ctx context.Context, call *Call, key string) (body []byte, ok bool, err error) {
	if offline(ctx) {
		return nil, false, nil
	}
	body, ok, err = c.store.Get(ctx, key)
	if err != nil && ctx.Err() == nil {
		c.log.Warn("the response cache could not be read", "reason", plain(err))
	} else if ok {
		c.took(ctx, call, len(body))
	}
	return body, ok, err
}

// took counts and logs a reply of some bytes that was taken from the store.
func (c *cache) took(ctx context.Context, call *Call, size int) {
	c.tally.cached(call.source())
	if c.log.Enabled(ctx, slog.LevelDebug) {
		c.log.Debug("answered from the cache", "service", call.source().Label, "endpoint", path.Base(call.Path), "bytes", size)
	}
}

func (c *cache) put(ctx context.Context, call *Call, key string, body []byte) error {
	err := c.store.Put(ctx, key, body, call.TTL)
	if err != nil && ctx.Err() == nil {
		c.log.Warn("the response cache could not be written", "reason", plain(err))
	}
	return err
}

// unanswered reports whether the source was not reached, so that an old reply is
// better than none.
func unanswered(err error) bool { return IsKind(err, Unreachable) || IsKind(err, Timeout) }

// ask passes the request on, unless that is not wanted.
func (c *cache) ask(req *http.Request) (*http.Response, error) {
	if offline(req.Context()) {
		return nil, &Error{Kind: Unreachable, Message: callOf(req).source().Label + " is not asked with --offline, and the response cache does not have this answer"}
	}
	return c.next.RoundTrip(req)
}

// kept is the response of a body stored under key, or of an old one, which has none;
// stored is when that was.
func kept(req *http.Request, body []byte, key string, stored time.Time) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Request: req, ContentLength: int64(len(body)),
		Body: held{bytes.NewReader(body), body, key, "", stored},
	}
}

func keepable(call *Call, body []byte) bool {
	for _, keep := range []func([]byte) bool{call.source().Keep, call.Keep} {
		if keep != nil && !keep(body) {
			return false
		}
	}
	return len(bytes.TrimSpace(body)) > 0
}

// requestKey names what is asked, without who asks and how it is sent: two
// requests with one key have one reply. The endpoint comes first, before a
// space, where the store reads the source of an entry.
func requestKey(req *http.Request) (string, error) {
	q := req.URL.Query()
	if req.Method == http.MethodPost {
		form, err := formOf(req)
		if err != nil {
			return "", err
		}
		more, err := url.ParseQuery(string(form))
		if err != nil {
			return "", err
		}
		for name, values := range more {
			q[name] = append(slices.Clone(q[name]), values...)
		}
	}
	for _, name := range callOf(req).source().signature() {
		q.Del(name)
	}
	sum := sha256.Sum256([]byte(req.URL.Scheme + "://" + req.URL.Host + req.URL.Path + "?" + q.Encode()))
	return path.Base(req.URL.Path) + " " + hex.EncodeToString(sum[:]), nil
}
