package polite

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// taking is what calls of one watch took: the parts of a list, then the call itself.
func taking(ctx context.Context, t *testing.T, c *Client, parts ...string) (Replies, bool) {
	t.Helper()
	w := &Watch{}
	ctx = WithWatch(ctx, w)
	s := c.To(source)
	call := func() *Call { return NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "1") }
	if len(parts) > 0 {
		s.Kept(ctx, call(), parts)
	}
	if _, err := s.Do(ctx, call()); err != nil && c.cache.store.(*memory).fail == nil && !offline(ctx) {
		t.Fatal(err)
	}
	return w.Replies()
}

func TestRepliesHoldWhileTheCacheHasThem(t *testing.T) {
	kept := &memory{}
	var log bytes.Buffer
	c := open(Config{Transport: always(200, good), Cache: kept, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	ctx := t.Context()
	if _, ok := taking(ctx, t, c); ok {
		t.Error("a reply of the source is held for one of the cache")
	}
	s := c.To(source)
	whole := NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "1")
	if !s.Keep(ctx, whole, "a", []byte("one part")) {
		t.Fatal("the part was not kept")
	}
	took, ok := taking(ctx, t, c, "a")
	if !ok || took.Size() != len(good)+len("one part") {
		t.Fatalf("%v, %d bytes", ok, took.Size())
	}
	lines, cached := strings.Count(log.String(), "answered from the cache"), c.Activity()[0].Cached
	if !c.Holds(ctx, took) {
		t.Error("replies that the cache has do not hold")
	}
	if n, m := strings.Count(log.String(), "answered from the cache")-lines, c.Activity()[0].Cached-cached; n != 2 || m != 2 {
		t.Errorf("two replies are logged %d times and counted %d times", n, m)
	}
	if c.Holds(WithoutCache(ctx), took) || c.Holds(Offline(ctx), took) {
		t.Error("they hold where the cache is not to be used, or all of it")
	}
	for what, change := range map[string]func() (undo func()){
		"one is another now": func() func() { return kept.swap(t, "one part", "new part") },
		"their time passed":  func() func() { kept.expired = true; return func() { kept.expired = false } },
		"the store fails":    func() func() { kept.fail = errors.New("no disk"); return func() { kept.fail = nil } },
	} {
		t.Run(what, func(t *testing.T) {
			undo := change()
			before := c.Activity()[0].Cached
			if c.Holds(ctx, took) || c.Activity()[0].Cached != before {
				t.Errorf("%s, and they hold or are counted", what)
			}
			undo()
			if !c.Holds(ctx, took) {
				t.Errorf("%s no more, and they do not hold", what)
			}
		})
	}
}

// swap puts another body in the place of one.
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
	taking(t.Context(), t, c) // now the call is kept
	w := &Watch{}
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
	watch := &Watch{}
	if _, err := down.To(source).Do(WithWatch(t.Context(), watch), NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "2")); err == nil {
		t.Fatal("a source that is down answered")
	}
	if _, ok := watch.Replies(); ok {
		t.Error("with a call that failed")
	}
	watch = &Watch{}
	moved := open(Config{Transport: inTurn(says(200, good), says(302, "", "Location", "?id=1")), Cache: &memory{}})
	taking(t.Context(), t, moved)
	if body, err := moved.To(source).Do(WithWatch(t.Context(), watch), NewCall(Endpoint{Form: XML, TTL: time.Hour}, "id", "2")); err != nil || string(body) != good {
		t.Fatal(string(body), err)
	}
	if _, ok := watch.Replies(); ok {
		t.Error("with a call that the source sent to an address whose reply is kept")
	}
}
