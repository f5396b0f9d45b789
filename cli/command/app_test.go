package command_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/record"
	"biomcp/store"
)

// corpusOf creates a corpus of n documents in dir.
func corpusOf(t *testing.T, dir string, n int) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	b := s.Begin("")
	for i := range n {
		if err := b.Put(&store.Document{PMID: record.PMID(i + 1), Title: "Synthetic"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// documents returns the number of documents that a new call of app finds.
func documents(ctx context.Context, app *command.App) (int64, error) {
	s, err := app.Corpus(ctx)
	if err != nil {
		return 0, err
	}
	stats, err := s.Stats(ctx)
	return stats.Documents, err
}

// After a corpus is replaced or removed on disk, new calls do not use it. Calls that still read
// the old file finish without an error, and then the file is closed.
func TestReplacedCorpus(t *testing.T) {
	dir := t.TempDir()
	app := &command.App{Env: command.Env{DataDir: dir}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	defer app.Close()
	want := func(n int64) {
		t.Helper()
		got, err := documents(t.Context(), app)
		if err != nil {
			t.Error(err)
		}
		if got != n {
			t.Errorf("got %d documents, want %d", got, n)
		}
	}
	corpusOf(t, dir, 1)
	want(1)

	ctx, stop := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	for range 4 {
		calls.Go(func() {
			for ctx.Err() == nil {
				if _, err := documents(context.Background(), app); err != nil {
					t.Error(err)
					return
				}
				runtime.GC()
			}
		})
	}
	for n := int64(2); n <= 5; n++ {
		other := t.TempDir()
		corpusOf(t, other, int(n))
		if err := os.Rename(filepath.Join(other, store.FileName), filepath.Join(dir, store.FileName)); err != nil {
			t.Fatal(err)
		}
		want(n)
	}
	stop()
	calls.Wait()

	for _, name := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(dir, store.FileName+name))
	}
	if _, err := documents(t.Context(), app); !store.IsKind(err, store.NotFound) {
		t.Errorf("a removed corpus: %v", err)
	}
	for range 2000 { // finalizers run after a garbage collection
		if runtime.GC(); openAndDeleted(t) == 0 {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d files of old corpora are still open", openAndDeleted(t))
}

// openAndDeleted returns the number of deleted corpus files that this process has open. It returns
// 0 if the system does not provide this information.
func openAndDeleted(t *testing.T) (n int) {
	t.Helper()
	fds, _ := os.ReadDir("/proc/self/fd")
	for _, fd := range fds {
		if to, _ := os.Readlink("/proc/self/fd/" + fd.Name()); strings.Contains(to, store.FileName) && strings.HasSuffix(to, "(deleted)") {
			n++
		}
	}
	return n
}
