package entrez_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

const (
	first, second, third = "80000001", "80000002", "80000003"
	chapter              = "80000004"
	absent               = "99"
)

// withCache runs test with a client that has a cache.
func withCache(t *testing.T, test func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		sim, store := simulator(t), &memory{}
		test(t, sim, client(t, sim, httpclient.Config{Cache: store}), store)
	})
}

// fetch checks the IDs of the EFetch that is made, "" for none, and the articles returned.
func fetch(ctx context.Context, t *testing.T, sim *entreztest.Server, c *entrez.Client, ids []string, asked string) *entrez.FetchResult {
	t.Helper()
	sim.ClearRequests()
	f, err := c.Fetch(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	var sent []string
	for _, r := range sim.Requests("efetch") {
		sent = append(sent, r.Params.Get("id"))
	}
	if got := strings.Join(sent, " and "); got != asked {
		t.Errorf("%v: asked for %q, want %q", ids, got, asked)
	}
	equal(t, "articles", pmids(f), slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == absent }))
	equal(t, "urls", f.URLs, []string{sim.EntrezURL() + "efetch.fcgi?db=pubmed&id=" + strings.Join(ids, ",") + "&retmode=xml"})
	equal(t, "method", f.Method, "GET")
	return f
}

func TestRecordsAreKeptOneByOne(t *testing.T) {
	withCache(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory) {
		ctx := t.Context()
		whole := fetch(ctx, t, sim, c, []string{first, chapter}, first+","+chapter)
		again := fetch(ctx, t, sim, c, []string{chapter}, "")
		equal(t, "chapter from the cache", *again.Articles[0].Book, *whole.Articles[1].Book)
		equal(t, "its title", again.Articles[0].Title, whole.Articles[1].Title)
		fetch(ctx, t, sim, c, []string{second, chapter, third, first}, second+","+third)
		fetch(ctx, t, sim, c, []string{third, first, second}, "")
		equal(t, "entries", len(store.kept), 4)
		for key, ttl := range store.ttl {
			if ttl != 7*24*time.Hour || !strings.HasPrefix(key, "efetch.fcgi ") {
				t.Errorf("%s is kept for %v", key, ttl)
			}
		}
		fetch(httpclient.WithoutCache(ctx), t, sim, c, []string{first}, first)
	})
}

func TestAbsentRecordIsAskedForAgain(t *testing.T) {
	withCache(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory) {
		fetch(t.Context(), t, sim, c, []string{first, absent}, first+","+absent)
		f := fetch(t.Context(), t, sim, c, []string{first, absent}, absent)
		equal(t, "missing", f.Missing, []string{absent})
		equal(t, "entries", len(store.kept), 1)
	})
}

func TestRevisedRecordIsSeenWhenItsTimeIsOver(t *testing.T) {
	withCache(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory) {
		before := fetch(t.Context(), t, sim, c, []string{first}, first).Articles[0].Title
		if err := sim.Revise(first, entreztest.Revision{Title: "Revised."}); err != nil {
			t.Fatal(err)
		}
		equal(t, "title while it is kept", fetch(t.Context(), t, sim, c, []string{first, second}, second).Articles[0].Title, before)
		equal(t, "title without the cache", fetch(httpclient.WithoutCache(t.Context()), t, sim, c, []string{first}, first).Articles[0].Title, "Revised.")
		time.Sleep(4 * 24 * time.Hour)
		fetch(t.Context(), t, sim, c, []string{first, third}, third)
		time.Sleep(4 * 24 * time.Hour)
		equal(t, "title after 8 days", fetch(t.Context(), t, sim, c, []string{first, third}, first).Articles[0].Title, "Revised.")
	})
}

func TestDamagedEntryIsAskedForAgain(t *testing.T) {
	withCache(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory) {
		fetch(t.Context(), t, sim, c, []string{first, second}, first+","+second)
		for key := range store.kept {
			store.kept[key] = store.kept[key][:len(store.kept[key])/2]
		}
		fetch(t.Context(), t, sim, c, []string{first, second}, first+","+second)
		fetch(t.Context(), t, sim, c, []string{first, second}, "")
	})
}

func TestListsThatShareRecordsAtTheSameTime(t *testing.T) {
	withCache(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory) {
		all := []string{first, second, third, chapter}
		var wg sync.WaitGroup
		for i := range 40 {
			ids := slices.Concat(all[i%4:], all[:i%4])[:1+i%3]
			wg.Go(func() {
				f, err := c.Fetch(t.Context(), ids)
				if err != nil {
					t.Error(err)
					return
				}
				equal(t, "articles", pmids(f), ids)
			})
		}
		wg.Wait()
		fetch(t.Context(), t, sim, c, all, "")
	})
}

// If NCBI does not answer, the cached records are returned, even if others are missing.
func TestRecordsThatAreKeptWhereNCBIIsUnreachable(t *testing.T) {
	withCache(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client, store *memory) {
		fetch(t.Context(), t, sim, c, []string{first, second}, first+","+second)
		time.Sleep(8 * 24 * time.Hour)
		own := sim.Config()
		own.Cache, own.Transport = store, unreachable{}
		n, err := httpclient.New(own)
		if err != nil {
			t.Fatal(err)
		}
		c = entrez.New(n)
		for name, ctx := range map[string]context.Context{"unreachable": t.Context(), "offline": httpclient.Offline(t.Context())} {
			watch := &httpclient.Progress{}
			ctx = httpclient.WithProgress(ctx, watch)
			f, err := c.Fetch(ctx, []string{second, third, first})
			if err != nil {
				t.Fatal(name, err)
			}
			equal(t, name, pmids(f), []string{second, first})
			equal(t, "unread", f.Unread, []string{third})
			equal(t, "missing", f.Missing, []string{})
			wants(t, f.Problem, httpclient.Unreachable)
			if old := watch.StaleReplies(); len(old) != 1 || time.Since(old[0].Stored) < 8*24*time.Hour {
				t.Errorf("%s: %v", name, old)
			}
			if f, err = c.Fetch(ctx, []string{second}); err != nil || f.Problem != nil || len(f.Articles) != 1 {
				t.Errorf("%s: %v, %v", name, f, err)
			}
			_, err = c.Fetch(ctx, []string{third})
			wants(t, err, httpclient.Unreachable)
			_, err = c.Fetch(httpclient.WithoutCache(ctx), []string{first, third})
			wants(t, err, httpclient.Unreachable)
		}
	})
}

type unreachable struct{}

func (unreachable) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Err: fmt.Errorf("connect: %w", syscall.ECONNREFUSED)}
}
