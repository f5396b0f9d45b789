package polite

import (
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"
)

// stored is a cache in memory that never forgets.
type stored map[string][]byte

func (s stored) Get(_ context.Context, key string) ([]byte, bool, error) {
	body, ok := s[key]
	return body, ok, nil
}

func (s stored) Old(context.Context, string) ([]byte, time.Time, bool, error) {
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
			_, _ = get(t.Context(), c, call, eutils.String()+"?"+query) // the counts say what failed
		}
		for _, query := range []string{"term=a", "term=a", "term=a", "term=b", "term=c"} {
			ask(query)
		}
		got := c.Activity()
		if len(got) != 1 || got[0].Source != "eutils" || got[0].Cached != 2 || got[0].Answered ||
			!maps.Equal(got[0].Requests, map[string]int64{"200": 2, "503": 2, "failed": 1}) || got[0].Last.IsZero() {
			t.Errorf("%+v", got)
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
		if n := c.Waiting("ncbi"); n < 3 || c.Waiting("other") != 0 {
			t.Errorf("%d of 5 requests wait", n)
		}
		for range 5 {
			<-done
		}
		if n := c.Waiting("ncbi"); n != 0 {
			t.Errorf("%d wait after the last answer", n)
		}
	})
}
