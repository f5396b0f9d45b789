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

// cached reports whether the cache has an entry for key that has not expired.
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
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "efetch 1 is cached", ok, true)
	if !bytes.Equal(got, body) {
		t.Errorf("efetch 1: got %d bytes, want the %d that were stored", len(got), len(body))
	}
	equal(t, "an entry with an empty body is cached", cached(t, c, "einfo empty"), true)
	equal(t, "an entry without a ttl is cached", cached(t, c, "never"), false)
	equal(t, "an absent key is cached", cached(t, c, "absent"), false)
	put(t, c, "efetch 1", []byte("revised"), 2*time.Hour)
	got, _, err = c.Get(t.Context(), "efetch 1")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the body after a second Put", string(got), "revised")
	*now = now.Add(time.Hour)
	equal(t, "an entry is cached after its ttl", cached(t, c, "einfo empty"), false)
	equal(t, "an entry is cached before the end of its ttl", cached(t, c, "efetch 1"), true)
	got, stored, ok, err := c.GetStale(t.Context(), "einfo empty")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Old finds an expired entry", ok, true)
	equal(t, "the body of the expired entry", string(got), "")
	equal(t, "the time of the expired entry", stored.UTC(), now.Add(-time.Hour))
	*now = now.Add(offlineAge)
	put(t, c, "efetch 1", []byte("revised"), 2*time.Hour)
	put(t, c, "another", body, time.Hour) // drops the expired one
	s, err := c.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "entries after offlineAge", s.Entries, 2)
	equal(t, "expired entries after offlineAge", s.Expired, 0)
	if err := errors.Join(c.Delete(t.Context(), "efetch 1"), c.Delete(t.Context(), "absent")); err != nil {
		t.Fatal(err)
	}
	_, _, old, err := c.GetStale(t.Context(), "efetch 1")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Old finds a deleted entry", old, false)
	equal(t, "a deleted entry is cached", cached(t, c, "efetch 1"), false)
	equal(t, "another entry is cached", cached(t, c, "another"), true)
}

func TestStatsCleanAndClear(t *testing.T) {
	c, now := openTest(t)
	ctx := t.Context()
	s, err := c.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "entries of an empty cache", s.Entries, 0)
	equal(t, "Sources of an empty cache is nil", s.Sources == nil, false)
	equal(t, "Oldest of an empty cache", s.Oldest, time.Time{})
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
	if s, err = c.Stats(ctx); err != nil {
		t.Fatal(err)
	}
	equal(t, "entries", s.Entries, 10)
	if s.Bytes < 500_000 || s.Bytes > 510_000 {
		t.Errorf("bytes: got %d, want 500,000 to 510,000", s.Bytes)
	}
	if len(s.Sources) != 2 {
		t.Fatalf("sources: got %+v, want 2", s.Sources)
	}
	equal(t, "largest source", s.Sources[0].Name, "efetch")
	equal(t, "entries of the largest source", s.Sources[0].Entries, 8)
	equal(t, "oldest", s.Oldest.UTC(), start)
	equal(t, "newest", s.Newest.UTC(), start.Add(9*time.Hour))

	dry := clean(t, c, 7*time.Hour, 0, true)
	equal(t, "entries that a dry run would remove", dry.Removed, 3)
	equal(t, "entries that a dry run would keep", dry.Remaining, 7)
	equal(t, "an old entry is cached after a dry run", cached(t, c, "efetch 0"), true)

	equal(t, "cleaning by age, compared with the dry run", clean(t, c, 7*time.Hour, 0, false), dry)
	equal(t, "an entry older than the limit is cached", cached(t, c, "efetch 2"), false)
	equal(t, "an entry as old as the limit is cached", cached(t, c, "efetch 3"), true)

	equal(t, "entries left after cleaning by size", clean(t, c, 0, 120_000, false).Remaining, 2)
	for key, want := range map[string]bool{"efetch 7": false, "esearch 8": true, "esearch 9": true} {
		equal(t, key+" is cached after cleaning by size", cached(t, c, key), want)
	}
	after, err := c.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if after.FileBytes >= s.FileBytes/2 {
		t.Errorf("size of the file after cleaning: got %d, want less than half of %d", after.FileBytes, s.FileBytes)
	}

	*now = now.Add(1000 * time.Hour)
	expired := clean(t, c, 0, 0, false)
	equal(t, "expired entries that are removed without limits", expired.Removed, 2)
	equal(t, "entries left when all have expired", expired.Remaining, 0)

	put(t, c, "x", []byte("y"), time.Hour)
	cleared, err := c.Clear(ctx)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "entries that Clear removed", cleared.Removed, 1)
	equal(t, "Clear removed no bytes", cleared.RemovedBytes == 0, false)
	equal(t, "an entry is cached after Clear", cached(t, c, "x"), false)
}

func clean(t *testing.T, c *Cache, maxAge time.Duration, maxSize int64, dryRun bool) CleanResult {
	t.Helper()
	done, err := c.Clean(t.Context(), maxAge, maxSize, dryRun)
	if err != nil {
		t.Fatal(err)
	}
	return done
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
			var wg sync.WaitGroup // concurrently: no process may set aside the new file of another
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
			kept, err := os.ReadFile(path + ".corrupt")
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(kept, harmed) {
				t.Error("the renamed file differs from the damaged one")
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
	copy(file[3*4096:], bytes.Repeat([]byte{0xfe}, 500_000)) // the first pages are intact, so opening succeeds
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
	for p := range 4 { // each handle acts as a process: they share only the file
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
				got, ok, err := c.Get(context.Background(), key)
				if err != nil {
					t.Error(err)
				}
				equal(t, key+" is cached", ok, true)
				equal(t, "body of "+key, string(got), key)
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

// A database of another program is rejected and left unchanged.
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
	after, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(after, before) {
		t.Error("the file of another program has changed")
	}
}

// A cache that is never cleaned stays within its maximum size: the oldest entries are deleted first.
func TestCacheStaysWithinItsSize(t *testing.T) {
	c, now := openTest(t)
	c.maxBytes = 1 << 20
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		*now = now.Add(time.Second)
		body := make([]byte, 16<<10) // does not compress
		for j := range body {
			body[j] = byte(rng.Uint32())
		}
		put(t, c, fmt.Sprint("efetch ", i), body, 90*24*time.Hour)
	}
	stats, err := c.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if stats.Bytes > c.maxBytes || stats.Bytes < c.maxBytes/4 {
		t.Errorf("size: got %d, want %d to %d", stats.Bytes, c.maxBytes/4, c.maxBytes)
	}
	equal(t, "the first entry is cached", cached(t, c, "efetch 0"), false)
	equal(t, "the last entry is cached", cached(t, c, "efetch 299"), true)
}
