package httpclient

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"
)

// stored is a Cache in memory whose entries never expire.
type stored map[string][]byte

func (s stored) Get(_ context.Context, key string) ([]byte, bool, error) {
	body, ok := s[key]
	return body, ok, nil
}

func (s stored) GetStale(context.Context, string) ([]byte, time.Time, bool, error) {
	return nil, time.Time{}, false, nil
}

func (s stored) Put(_ context.Context, key string, body []byte, _ time.Duration) error {
	s[key] = body
	return nil
}

func (s stored) Delete(_ context.Context, key string) error {
	delete(s, key)
	return nil
}

func TestActivityCountsAttemptsAndTheCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := inTurn(says(200, good), says(503, "busy"), says(200, good), breaks(errors.New("broken")), says(503, "busy"))
		cfg := options(net)
		cfg.Cache, cfg.MaxRetries = stored{}, 1
		c := open(cfg)
		if len(c.Activity()) != 0 {
			t.Error("something was counted before anything was asked")
		}
		call := xmlCall
		call.TTL = time.Hour
		ask := func(query string) {
			_, _ = get(t.Context(), c, call, eutils.String()+"?"+query) // the counts show the failures
		}
		for _, query := range []string{"term=a", "term=a", "term=a", "term=b", "term=c"} {
			ask(query)
		}
		all := c.Activity()
		if len(all) != 1 {
			t.Fatalf("%d sources, want 1: %+v", len(all), all)
		}
		got := all[0]
		if got.Source != "eutils" {
			t.Errorf("source %q, want eutils", got.Source)
		}
		if got.Cached != 2 {
			t.Errorf("%d cached replies, want 2", got.Cached)
		}
		if got.Answered {
			t.Error("Answered is true after a last attempt with status 503")
		}
		if want := map[string]int64{"200": 2, "503": 2, "failed": 1}; !maps.Equal(got.Requests, want) {
			t.Errorf("requests %v, want %v", got.Requests, want)
		}
		if got.Last.IsZero() {
			t.Error("the time of the last attempt is missing")
		}
	})
}

func TestWaitingCountsTheQueueOfALane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(options(always(200, good)))
		done := make(chan struct{}, 5)
		for i := range 5 {
			go func() {
				_, _ = get(t.Context(), c, xmlCall, eutils.String()+"?"+string(rune('a'+i)))
				done <- struct{}{}
			}()
		}
		synctest.Wait()
		if n := c.Waiting("ncbi"); n < 3 {
			t.Errorf("%d of 5 requests wait, want at least 3", n)
		}
		if n := c.Waiting("other"); n != 0 {
			t.Errorf("%d requests wait in another lane, want none", n)
		}
		for range 5 {
			<-done
		}
		if n := c.Waiting("ncbi"); n != 0 {
			t.Errorf("%d wait after the last answer", n)
		}
	})
}
