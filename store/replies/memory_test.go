package replies

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// calmCache returns a cache with one reply, in a file that has been unchanged for a while.
func calmCache(t *testing.T) (c *Cache, age func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "responses.db")
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := c.Put(t.Context(), "efetch 1", []byte("a reply"), time.Hour); err != nil {
		t.Fatal(err)
	}
	age = func() {
		t.Helper()
		before := time.Now().Add(-2 * settleTime)
		for _, file := range []string{path, path + "-wal"} {
			if err := os.Chtimes(file, before, before); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c, age
}

func (c *Cache) expect(t *testing.T, key, want string) {
	t.Helper()
	body, ok, err := c.Get(t.Context(), key)
	if err != nil || ok != (want != "") || string(body) != want {
		t.Errorf("%s: %q %v %v, want %q", key, body, ok, err, want)
	}
}

func TestReplyIsHeldInMemory(t *testing.T) {
	c, age := calmCache(t)
	c.expect(t, "efetch 1", "a reply")
	if len(c.recent.bodies) > 0 {
		t.Error("a reply is held of a file that was just written")
	}
	age()
	c.expect(t, "efetch 1", "a reply")
	if c.recent.bytes != len("a reply") {
		t.Errorf("%d bytes are held", c.recent.bytes)
	}
	held := c.recent.bodies["efetch 1"]
	held.body = []byte("from memory")
	c.recent.bodies["efetch 1"] = held
	c.expect(t, "efetch 1", "from memory")
	c.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	c.expect(t, "efetch 1", "") // it has expired
}

// Changes of the file by another process take effect at once.
func TestHeldReplyFollowsTheFile(t *testing.T) {
	c, age := calmCache(t)
	age()
	c.expect(t, "efetch 1", "a reply")
	other, err := Open(c.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Put(t.Context(), "efetch 1", []byte("a newer reply"), time.Hour); err != nil {
		t.Fatal(err)
	}
	c.expect(t, "efetch 1", "a newer reply")
	age()
	c.expect(t, "efetch 1", "a newer reply")
	if _, err := other.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.expect(t, "efetch 1", "")
}

func TestHeldRepliesAreBounded(t *testing.T) {
	var r memoryCache
	var v version
	for i := range 100 {
		r.put(v, fmt.Sprint(i), cachedReply{bytes.Repeat([]byte("x"), maxRecentBody), 1})
	}
	r.put(v, "long", cachedReply{make([]byte, maxRecentBody+1), 1})
	if r.bytes != maxRecent || len(r.bodies) != maxRecent/maxRecentBody || r.bodies["99"].body == nil {
		t.Errorf("%d bytes of %d replies are held", r.bytes, len(r.bodies))
	}
}

// A clock that ran ahead and was corrected leaves no reply that does not expire.
func TestReplyOfAClockThatRanAheadIsOld(t *testing.T) {
	c, now := openTest(t)
	right := *now
	*now = right.AddDate(10, 0, 0)
	if err := c.Put(t.Context(), "einfo x", []byte("body"), time.Hour); err != nil {
		t.Fatal(err)
	}
	*now = right
	if _, ok, err := c.Get(t.Context(), "einfo x"); ok || err != nil {
		t.Errorf("taken from the cache, %v", err)
	}
	if body, _, ok, err := c.GetStale(t.Context(), "einfo x"); !ok || err != nil || string(body) != "body" {
		t.Errorf("not offered where the source cannot be reached: %q, %v", body, err)
	}
}
