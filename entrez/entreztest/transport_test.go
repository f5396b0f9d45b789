package entreztest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// In a bubble, synctest itself reports goroutines that do not end.
func TestTransportLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Start(File("testdata/synthetic.xml"), WithoutNetwork(), NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		get := func(ctx context.Context) (*http.Response, error) {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.EntrezURL()+"efetch.fcgi?id=80000001", nil)
			if err != nil {
				t.Fatal(err)
			}
			return s.Client().Do(req)
		}
		// The client closes an endless body after a few bytes.
		if err := s.Fail(Fault{Kind: Endless}); err != nil {
			t.Fatal(err)
		}
		r, err := get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(r.Body, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		// A deadline ends a stall, in fake time.
		for _, kind := range []Kind{Stall, StallBody, Endless} {
			if err := s.Fail(Fault{Kind: kind}); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			r, err := get(ctx)
			if err == nil && kind == Endless {
				time.Sleep(30 * time.Second)
				synctest.Wait()
			}
			if err == nil {
				_, err = io.ReadAll(r.Body)
				r.Body.Close()
			}
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 30*time.Second {
				t.Errorf("%s: %v after %v", kind, err, time.Since(start))
			}
		}
		// A stalled request is answered after Release.
		if err := s.Fail(Fault{Kind: Stall}); err != nil {
			t.Fatal(err)
		}
		go func() {
			synctest.Wait()
			s.Release()
		}()
		r, err = get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !strings.HasSuffix(string(body), "</PubmedArticleSet>") {
			t.Errorf("%v, %d bytes", err, len(body))
		}
		// An unread body is closed.
		r, err = get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	})
}

func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Start(WithoutNetwork(), NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		go func() {
			for range 3 {
				time.Sleep(time.Second)
				ask(t, s, "einfo.fcgi")
			}
		}()
		start := time.Now()
		if err := s.Await(t.Context(), 3, "einfo"); err != nil || time.Since(start) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.Await(ctx, 4, "einfo"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}

func TestConcurrentRequestsAndChanges(t *testing.T) {
	s := New(t, File("testdata/synthetic.xml"), NoLimit())
	done := make(chan error)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	defer client.CloseIdleConnections()
	paths := []string{"esearch.fcgi?term=asth*&usehistory=y", "esummary.fcgi?id=80000001,80000005&retmode=json", "efetch.fcgi?id=80000001", "elink.fcgi?id=80000001", "espell.fcgi?term=asthna", "einfo.fcgi?db=pubmed"}
	for i := range 8 {
		go func() {
			for j := range 20 {
				r, err := client.Get(s.EntrezURL() + paths[(i+j)%len(paths)])
				if err == nil {
					_, err = io.Copy(io.Discard, r.Body)
					r.Body.Close()
				}
				if err != nil {
					done <- err
					return
				}
				switch j % 5 {
				case 0:
					err = s.Revise("80000005", Revision{Title: "A title again and again"})
				case 1:
					s.Advance(time.Second)
				case 2:
					err = s.Add(strings.NewReader(string(Synthetic(70000000+i*100+j, 1))))
				case 3:
					s.Delete("70000000")
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if s.Count() != 160 {
		t.Errorf("%d requests", s.Count())
	}
}
