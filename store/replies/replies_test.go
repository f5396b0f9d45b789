package replies

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/store/disk"
)

func openTest(t *testing.T) (*Cache, *time.Time) {
	t.Helper()
	c, err := Open(filepath.Join(t.TempDir(), "a b?c#d%41", "replies.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	c.now = func() time.Time { return now }
	return c, &now
}

func put(t *testing.T, c *Cache, key string, body []byte, ttl time.Duration) {
	t.Helper()
	if err := c.Put(t.Context(), key, body, ttl); err != nil {
		t.Fatal(err)
	}
}

func cached(t *testing.T, c *Cache, key string) bool {
	t.Helper()
	_, ok, err := c.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

func TestCacheKeepsBodiesUntilTheyExpire(t *testing.T) {
	c, now := openTest(t)
	body := bytes.Repeat([]byte("mushroom "), 10_000)
	put(t, c, "efetch 1", body, time.Hour)
	put(t, c, "einfo empty", nil, time.Hour)
	put(t, c, "never", body, 0)
	got, ok, err := c.Get(t.Context(), "efetch 1")
	if err != nil || !ok || !bytes.Equal(got, body) {
		t.Fatalf("got %d bytes, %v, %v", len(got), ok, err)
	}
	if !cached(t, c, "einfo empty") || cached(t, c, "never") || cached(t, c, "absent") {
		t.Error("an empty body is a body; no ttl is no entry; an absent key is absent")
	}
	put(t, c, "efetch 1", []byte("revised"), 2*time.Hour)
	if got, _, _ := c.Get(t.Context(), "efetch 1"); string(got) != "revised" {
		t.Errorf("a second Put must replace, got %q", got)
	}
	*now = now.Add(time.Hour)
	if cached(t, c, "einfo empty") || !cached(t, c, "efetch 1") {
		t.Error("an entry lives for its ttl and no longer")
	}
	if got, stored, ok, err := c.Old(t.Context(), "einfo empty"); err != nil || !ok || len(got) != 0 || !stored.Equal(now.Add(-time.Hour)) {
		t.Errorf("an expired entry is kept for when its source cannot be reached: %q %v %v %v", got, stored, ok, err)
	}
	*now = now.Add(offlineAge)
	put(t, c, "efetch 1", []byte("revised"), 2*time.Hour)
	put(t, c, "another", body, time.Hour) // drops the expired one
	if s, _ := c.Stats(t.Context()); s.Entries != 2 || s.Expired != 0 {
		t.Errorf("expired entries must go with time: %+v", s)
	}
	if err := errors.Join(c.Delete(t.Context(), "efetch 1"), c.Delete(t.Context(), "absent")); err != nil {
		t.Fatal(err)
	}
	if _, _, old, err := c.Old(t.Context(), "efetch 1"); old || err != nil || cached(t, c, "efetch 1") || !cached(t, c, "another") {
		t.Errorf("Delete must remove one entry and no other: %v", err)
	}
}

func TestStatsCleanAndClear(t *testing.T) {
	c, now := openTest(t)
	ctx := t.Context()
	if s, err := c.Stats(ctx); err != nil || s.Entries != 0 || s.Sources == nil || !s.Oldest.IsZero() {
		t.Fatalf("empty cache: %+v %v", s, err)
	}
	start := *now
	rng := rand.NewChaCha8([32]byte{1})
	for i := range 10 {
		body := make([]byte, 50_000) // does not compress
		rng.Read(body)
		source := "efetch"
		if i >= 8 {
			source = "esearch"
		}
		put(t, c, fmt.Sprintf("%s %d", source, i), body, 100*time.Hour)
		*now = now.Add(time.Hour)
	}
	s, err := c.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if s.Entries != 10 || s.Bytes < 500_000 || s.Bytes > 510_000 || len(s.Sources) != 2 || s.Sources[0].Name != "efetch" || s.Sources[0].Entries != 8 {
		t.Errorf("stats: %+v", s)
	}
	if !s.Oldest.Equal(start) || !s.Newest.Equal(start.Add(9*time.Hour)) {
		t.Errorf("oldest %v newest %v", s.Oldest, s.Newest)
	}

	dry, err := c.Clean(ctx, 7*time.Hour, 0, true)
	if err != nil || dry.Removed != 3 || dry.Left != 7 || !cached(t, c, "efetch 0") {
		t.Fatalf("a dry run reports and keeps: %+v %v", dry, err)
	}
	wet, err := c.Clean(ctx, 7*time.Hour, 0, false)
	if err != nil || wet != dry || cached(t, c, "efetch 2") || !cached(t, c, "efetch 3") {
		t.Fatalf("cleaning by age: %+v, promised %+v, %v", wet, dry, err)
	}
	bySize, err := c.Clean(ctx, 0, 120_000, false)
	if err != nil || bySize.Left != 2 || !cached(t, c, "esearch 8") || !cached(t, c, "esearch 9") || cached(t, c, "efetch 7") {
		t.Fatalf("cleaning by size keeps the newest: %+v %v", bySize, err)
	}
	if after, _ := c.Stats(ctx); after.FileBytes >= s.FileBytes/2 {
		t.Errorf("cleaning must shrink the file: %d to %d", s.FileBytes, after.FileBytes)
	}
	*now = now.Add(1000 * time.Hour)
	if expired, err := c.Clean(ctx, 0, 0, false); err != nil || expired.Removed != 2 || expired.Left != 0 {
		t.Errorf("expired entries are always cleaned: %+v %v", expired, err)
	}
	put(t, c, "x", []byte("y"), time.Hour)
	if done, err := c.Clear(ctx); err != nil || done.Removed != 1 || done.RemovedBytes == 0 || cached(t, c, "x") {
		t.Errorf("clear: %+v %v", done, err)
	}
}

func TestCacheSetsADamagedFileAside(t *testing.T) {
	for _, damage := range []struct {
		name string
		harm func(file []byte) []byte
	}{
		{"text", func([]byte) []byte { return []byte(strings.Repeat("this is no database\n", 500)) }},
		{"short", func([]byte) []byte { return []byte("x") }},
		{"scribbled", func(f []byte) []byte { copy(f[100:], make([]byte, 3000)); return f }},
	} {
		t.Run(damage.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "replies.db")
			c, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			put(t, c, "a", []byte("b"), time.Hour)
			c.Close()
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			harmed := damage.harm(file)
			if err := os.WriteFile(path, harmed, 0o644); err != nil {
				t.Fatal(err)
			}
			var wg sync.WaitGroup // several at once: none may set aside another's new file
			caches := make([]*Cache, 4)
			for i := range caches {
				wg.Go(func() {
					c, err := Open(path)
					if err != nil {
						t.Error(err)
						return
					}
					caches[i] = c
					if err := c.Put(context.Background(), fmt.Sprint("k", i), []byte("v"), time.Hour); err != nil {
						t.Error(err)
					}
				})
			}
			wg.Wait()
			for i, c := range caches {
				if c == nil {
					continue
				}
				if !cached(t, caches[0], fmt.Sprint("k", i)) {
					t.Errorf("what opener %d stored is gone", i)
				}
				defer c.Close()
			}
			if kept, err := os.ReadFile(path + ".corrupt"); err != nil || !bytes.Equal(kept, harmed) {
				t.Errorf("the damaged file must be kept next to the new one: %v", err)
			}
		})
	}
}

func TestCacheMendsItselfWhenDamageIsFoundLate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.db")
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	big := make([]byte, 100_000)
	rand.NewChaCha8([32]byte{2}).Read(big)
	for i := range 20 {
		put(t, c, fmt.Sprint("efetch ", i), big, time.Hour)
	}
	c.Close()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(file[3*4096:], bytes.Repeat([]byte{0xfe}, 500_000)) // the first pages, and so opening, are sound
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range 20 {
		put(t, c, fmt.Sprint("efetch ", i), []byte("new"), time.Hour)
		if !cached(t, c, fmt.Sprint("efetch ", i)) {
			t.Errorf("entry %d is lost", i)
		}
	}
	if _, err := os.Stat(path + ".corrupt"); err != nil {
		t.Errorf("the damaged file must be kept next to the new one: %v", err)
	}
}

func TestCacheOfAnotherLayoutIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.db")
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.db.Exec("DROP TABLE reply; CREATE TABLE reply(other); PRAGMA user_version=99"); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if c, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	put(t, c, "a", []byte("b"), time.Hour)
	if !cached(t, c, "a") {
		t.Error("the cache must work again")
	}
}

func TestCacheIsSharedByManyWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.db")
	var wg sync.WaitGroup
	for p := range 4 { // each handle acts as a process: nothing is shared but the file
		wg.Go(func() {
			c, err := Open(path)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for i := range 25 {
				key := fmt.Sprintf("s %d %d", p, i)
				if err := c.Put(context.Background(), key, []byte(key), time.Hour); err != nil {
					t.Error(err)
				}
				if got, ok, err := c.Get(context.Background(), key); err != nil || !ok || string(got) != key {
					t.Errorf("%s: %q %v %v", key, got, ok, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestCacheErrors(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(filepath.Join(dir, "file", "replies.db"))
	if err == nil {
		t.Fatal("a folder that cannot be made must be an error")
	}
	if strings.Contains(err.Error(), dir) {
		t.Errorf("the message names a local path: %v", err)
	}
	c, _ := openTest(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Put(ctx, "a", nil, time.Hour); err != context.Canceled {
		t.Errorf("a cancelled call says so, got %v", err)
	}
}

// A database of another program is refused and left as it is.
func TestForeignFileIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "replies.db")
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.Exec("CREATE TABLE notes(a); PRAGMA application_id=7")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !disk.IsKind(err, disk.Foreign) {
		t.Errorf("got %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, %v", err)
	}
}

// A cache that nobody cleans stays within its size: what was stored first goes first.
func TestCacheStaysWithinItsSize(t *testing.T) {
	c, now := openTest(t)
	c.maxBytes = 1 << 20
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		*now = now.Add(time.Second)
		body := make([]byte, 16<<10) // which cannot be compressed
		for j := range body {
			body[j] = byte(rng.Uint32())
		}
		put(t, c, fmt.Sprint("efetch ", i), body, 90*24*time.Hour)
	}
	stats, err := c.Stats(t.Context())
	if err != nil || stats.Bytes > c.maxBytes || stats.Bytes < c.maxBytes/4 {
		t.Errorf("%+v, %v", stats, err)
	}
	if cached(t, c, "efetch 0") || !cached(t, c, "efetch 299") {
		t.Error("the first must go, and the last stay")
	}
}
