package httpclient

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

// Cache stores replies for a limited time. A key is a short line of text without secrets. Get
// reports ok false if the entry is absent or expired. Old returns the entry even if it has expired,
// and the time it was stored. Both return the body unchanged. All methods must be safe for
// concurrent use. After an error the request is sent as if there were no cache.
type Cache interface {
	Get(ctx context.Context, key string) (body []byte, ok bool, err error)
	GetStale(ctx context.Context, key string) (body []byte, stored time.Time, ok bool, err error)
	Put(ctx context.Context, key string, body []byte, ttl time.Duration) error
	Delete(ctx context.Context, key string) error
}

type freshKey struct{}

// WithoutCache returns a context whose calls neither read nor write the cache.
func WithoutCache(ctx context.Context) context.Context {
	return context.WithValue(ctx, freshKey{}, true)
}

func cacheDisabled(ctx context.Context) bool { return ctx.Value(freshKey{}) != nil }

type offlineKey struct{}

// Offline returns a context whose calls are answered from the cache only, with expired entries too.
func Offline(ctx context.Context) context.Context {
	return context.WithValue(ctx, offlineKey{}, true)
}

func offline(ctx context.Context) bool { return ctx.Value(offlineKey{}) != nil }

// cache returns stored replies that have not expired, and expired ones if the source is unreachable
// or the context is Offline. It stores only complete, good replies that neither the source nor the
// call excludes.
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
		return cachedResponse(req, body, key, time.Time{}), nil
	}
	resp, err := c.ask(req)
	if sourceUnavailable(err) {
		if body, stored, ok, oldErr := c.store.GetStale(ctx, key); oldErr == nil && ok {
			return cachedResponse(req, body, "", stored), nil
		}
	}
	if err != nil {
		return nil, err
	}
	body, err := Body(resp)
	if err != nil {
		return nil, err
	}
	ok := resp.StatusCode == http.StatusOK && cacheable(call, body)
	if ok && c.put(ctx, call, key, body) == nil { // put logs its error
		out := *resp
		out.Body = bufferedBody{bytes.NewReader(body), body, "", key, time.Time{}}
		resp = &out
	}
	return resp, nil
}

// serves reports whether the cache may hold the replies of a call.
func (c *cache) serves(ctx context.Context, call *Call) bool {
	return c.store != nil && call.TTL > 0 && !cacheDisabled(ctx)
}

// get returns a reply that has not expired. In an Offline context it returns none, so that
// RoundTrip reads the entry with StaleReplies and its age is reported.
func (c *cache) get(ctx context.Context, call *Call, key string) (body []byte, ok bool, err error) {
	if offline(ctx) {
		return nil, false, nil
	}
	body, ok, err = c.store.Get(ctx, key)
	if err != nil && ctx.Err() == nil {
		c.log.WarnContext(ctx, "the response cache could not be read", "reason", plain(err))
	} else if ok {
		c.countHit(ctx, call, len(body))
	}
	return body, ok, err
}

// countHit records and logs a reply of size bytes that came from the store.
func (c *cache) countHit(ctx context.Context, call *Call, size int) {
	c.tally.countCached(call.source())
	if c.log.Enabled(ctx, slog.LevelDebug) {
		c.log.DebugContext(ctx, "answered from the cache", "service", call.source().Label,
			"endpoint", path.Base(call.Path), "bytes", size)
	}
}

func (c *cache) put(ctx context.Context, call *Call, key string, body []byte) error {
	err := c.store.Put(ctx, key, body, call.TTL)
	if err == nil {
		watchOf(ctx).noteStored()
	} else if ctx.Err() == nil {
		c.log.Warn("the response cache could not be written", "reason", plain(err))
	}
	return err
}

// sourceUnavailable reports whether err means that the source did not answer. RoundTrip then falls
// back to an expired reply.
func sourceUnavailable(err error) bool { return IsKind(err, Unreachable) || IsKind(err, Timeout) }

// ask passes the request to the next layer. It fails in an Offline context.
func (c *cache) ask(req *http.Request) (*http.Response, error) {
	if offline(req.Context()) {
		return nil, &Error{Kind: Unreachable, Message: callOf(req).source().Label +
			" is not asked with --offline, and the response cache does not have this answer"}
	}
	return c.next.RoundTrip(req)
}

// cachedResponse returns a response with a body from the store. For a valid entry, key is its cache
// key and stored is zero. For an expired entry, key is empty and stored is the time it was written.
func cachedResponse(req *http.Request, body []byte, key string, stored time.Time) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Request: req, ContentLength: int64(len(body)),
		Body: bufferedBody{bytes.NewReader(body), body, key, "", stored},
	}
}

func cacheable(call *Call, body []byte) bool {
	for _, keep := range []func([]byte) bool{call.source().Cacheable, call.Cacheable} {
		if keep != nil && !keep(body) {
			return false
		}
	}
	return len(bytes.TrimSpace(body)) > 0
}

// requestKey returns the cache key of a request. It ignores the parameters that identify the
// caller, and GET and POST of the same parameters have the same key. The key begins with the
// endpoint and a space; the store reads the source of an entry from it.
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
