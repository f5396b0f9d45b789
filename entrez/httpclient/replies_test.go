package httpclient

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// taking makes calls under one Progress, first for the parts of a list and then for the reply itself,
// and returns the cached replies.
func taking(ctx context.Context, t *testing.T, c *Client, parts ...string) (Replies, bool) {
	t.Helper()
	w := &Progress{}
	ctx = WithProgress(ctx, w)
	s := c.Service(source)
	call := func() *Call { return NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "1") }
	if len(parts) > 0 {
		s.CachedParts(ctx, call(), parts)
	}
	if _, err := s.Do(ctx, call()); err != nil && c.cache.store.(*memory).fail == nil && !offline(ctx) {
		t.Fatal(err)
	}
	return w.Replies()
}

func TestRepliesHoldWhileTheCacheHasThem(t *testing.T) {
	kept := &memory{}
	var log bytes.Buffer
	debug := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c := open(Config{Transport: always(200, good), Cache: kept, Logger: debug})
	ctx := t.Context()
	if _, ok := taking(ctx, t, c); ok {
		t.Error("a reply of the source is held for one of the cache")
	}
	s := c.Service(source)
	whole := NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "1")
	if !s.StorePart(ctx, whole, "a", []byte("one part")) {
		t.Fatal("the part was not kept")
	}
	took, ok := taking(ctx, t, c, "a")
	if !ok || took.Size() != len(good)+len("one part") {
		t.Fatalf("%v, %d bytes", ok, took.Size())
	}
	lines, cached := strings.Count(log.String(), "answered from the cache"), c.Activity()[0].Cached
	if !c.StillCached(ctx, took) {
		t.Error("replies that the cache has do not hold")
	}
	if n := strings.Count(log.String(), "answered from the cache") - lines; n != 2 {
		t.Errorf("%d replies logged, want 2", n)
	}
	if n := c.Activity()[0].Cached - cached; n != 2 {
		t.Errorf("%d replies counted, want 2", n)
	}
	if c.StillCached(WithoutCache(ctx), took) {
		t.Error("the replies hold without the cache")
	}
	if c.StillCached(Offline(ctx), took) {
		t.Error("the replies hold offline, where expired ones count too")
	}
	for name, change := range map[string]func() (undo func()){
		"one reply changed": func() func() { return kept.swap(t, "one part", "new part") },
		"replies expired":   func() func() { kept.expired = true; return func() { kept.expired = false } },
		"the store fails":   func() func() { kept.fail = errors.New("no disk"); return func() { kept.fail = nil } },
	} {
		t.Run(name, func(t *testing.T) {
			undo := change()
			before := c.Activity()[0].Cached
			if c.StillCached(ctx, took) {
				t.Error("the replies still hold")
			}
			if n := c.Activity()[0].Cached; n != before {
				t.Errorf("%d replies counted, want %d", n, before)
			}
			undo()
			if !c.StillCached(ctx, took) {
				t.Error("the replies do not hold after the change is undone")
			}
		})
	}
}

// swap replaces a stored body with another one. back undoes it.
func (m *memory) swap(t *testing.T, old, with string) (back func()) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, body := range m.kept {
		if string(body) == old {
			m.kept[key] = []byte(with)
			return func() { m.swap(t, with, old) }
		}
	}
	t.Fatal("there is no " + old)
	return nil
}

func TestRepliesAreNotAllFromTheCache(t *testing.T) {
	kept := &memory{}
	c := open(Config{Transport: always(200, good), Cache: kept})
	taking(t.Context(), t, c) // from now on the cache has the reply
	w := &Progress{}
	if _, ok := w.Replies(); ok {
		t.Error("without a call")
	}
	if _, ok := taking(t.Context(), t, c, "nobody kept this part"); ok {
		t.Error("with a part that the cache does not have")
	}
	if _, ok := taking(WithoutCache(t.Context()), t, c); ok {
		t.Error("without the cache")
	}
	if _, ok := taking(Offline(t.Context()), t, c); ok {
		t.Error("with a reply whatever its age")
	}
	if _, ok := taking(t.Context(), t, c); !ok {
		t.Error("a reply of the cache is none")
	}
	down := open(Config{Transport: inTurn(breaks(errors.New("no route"))), Cache: kept})
	kept.expired = true
	if _, ok := taking(t.Context(), t, down); ok {
		t.Error("with an old reply of a source that cannot be reached")
	}
	clear(kept.kept)
	watch := &Progress{}
	failing := NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "2")
	if _, err := down.Service(source).Do(WithProgress(t.Context(), watch), failing); err == nil {
		t.Fatal("a source that is down answered")
	}
	if _, ok := watch.Replies(); ok {
		t.Error("with a call that failed")
	}
	watch = &Progress{}
	moved := open(Config{Transport: inTurn(says(200, good), says(302, "", "Location", "?id=1")), Cache: &memory{}})
	taking(t.Context(), t, moved)
	redirected := NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "2")
	body, err := moved.Service(source).Do(WithProgress(t.Context(), watch), redirected)
	if err != nil || string(body) != good {
		t.Fatal(string(body), err)
	}
	if _, ok := watch.Replies(); ok {
		t.Error("with a call that the source sent to an address whose reply is kept")
	}
}
