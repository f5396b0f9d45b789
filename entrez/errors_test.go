package entrez_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pubtator"
)

// call is a call of the client and its endpoint.
type call struct {
	endpoint string
	make     func(context.Context, *httpclient.Client) error
}

// calls lists every call.
var calls = []call{
	{"esearch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).Search(ctx, entrez.SearchParams{Term: "asthma", RetMax: 5})
		return err
	}},
	{"esearch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).SearchAll(ctx, entrez.SearchParams{Term: "asthma"}, func([]string) error { return nil })
		return err
	}},
	{"esearch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).SearchPage(ctx, entrez.SearchParams{Term: "asthma"}, 0, 5)
		return err
	}},
	{"esearch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).MeshTerms(ctx, "asthma", 0, 5)
		return err
	}},
	{"esummary", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).Summaries(ctx, []string{"80000001"})
		return err
	}},
	{"efetch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).Fetch(ctx, []string{"80000001"})
		return err
	}},
	{"efetch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).FetchText(ctx, []string{"80000001"}, entrez.XML)
		return err
	}},
	{"efetch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).FullText(ctx, "PMC8000001")
		return err
	}},
	{"elink", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).Links(ctx, "80000001", entrez.Similar)
		return err
	}},
	{"einfo", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).Info(ctx, "pubmed")
		return err
	}},
	{"espell", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).Spell(ctx, "asthma")
		return err
	}},
	{"ecitmatch", func(ctx context.Context, c *httpclient.Client) error {
		_, err := entrez.New(c).MatchCitations(ctx, []entrez.Citation{{Journal: "Imaginary"}})
		return err
	}},
	{"idconv", func(ctx context.Context, c *httpclient.Client) error {
		_, err := idconv.Convert(ctx, c, []string{"80000001"})
		return err
	}},
	{"pubtator", func(ctx context.Context, c *httpclient.Client) error {
		_, err := pubtator.Annotations(ctx, c, []string{"80000001"})
		return err
	}},
}

// TestEveryFaultOfEveryEndpoint makes each call with each known fault of NCBI. A fault that occurs
// once must be repaired if a retry helps; a lasting fault must end in a typed error in time.
func TestEveryFaultOfEveryEndpoint(t *testing.T) {
	cases := []struct {
		fault entreztest.Kind
		kind  httpclient.Kind
		heals bool // a retry succeeds
	}{
		{entreztest.Limit429, httpclient.RateLimited, true},
		{entreztest.Limit200, httpclient.RateLimited, true},
		{entreztest.BadKey, httpclient.BadKey, false},
		{entreztest.URITooLarge, httpclient.Refused, false},
		{entreztest.HTML500, httpclient.Upstream, true},
		{entreztest.HTML502, httpclient.Upstream, true},
		{entreztest.Down503, httpclient.Upstream, true},
		{entreztest.HTML200, httpclient.Upstream, true},
		{entreztest.EmptyXML, httpclient.Upstream, true},
		{entreztest.CppException, httpclient.Upstream, true},
		{entreztest.Error200, httpclient.Refused, false},
		{entreztest.Truncated, httpclient.Upstream, true},
		{entreztest.Cut, httpclient.Upstream, true},
		{entreztest.CutXML, httpclient.Upstream, true},
		{entreztest.Hangup, httpclient.Unreachable, true},
		{entreztest.Endless, httpclient.Upstream, false},
		{entreztest.Stall, httpclient.Timeout, true},
		{entreztest.StallBody, httpclient.Timeout, true},
		{entreztest.Redirect, httpclient.Refused, false},
		{entreztest.GzipBomb, httpclient.Upstream, true}, // an unexpected format, since it is not unpacked
	}
	plainText := map[string]bool{"ecitmatch": true}
	for i, call := range calls {
		if testing.Short() && i%4 > 0 {
			continue
		}
		for _, c := range cases {
			if plainText[call.endpoint] {
				switch c.fault { // plain text has no format to check
				case entreztest.CutXML, entreztest.EmptyXML, entreztest.GzipBomb:
					continue
				}
			}
			t.Run(fmt.Sprintf("%s %d %s", call.endpoint, i, c.fault), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					sim := simulator(t)
					cl := network(t, sim, httpclient.Config{MaxRetries: 2})
					ctx := t.Context()
					fault := entreztest.Fault{Endpoint: call.endpoint, Kind: c.fault, Target: "https://elsewhere.example/", Text: "no such thing"}
					if c.heals {
						sim.Fail(fault)
						if err := call.make(ctx, cl); err != nil {
							t.Errorf("once: %v", err)
						}
					}
					sim.ClearFaults()
					sim.ClearRequests()
					fault.Times = -1
					sim.Fail(fault)
					began := time.Now()
					err := call.make(ctx, cl)
					if c.fault == entreztest.Endless && plainText[call.endpoint] {
						wants(t, err, httpclient.Upstream)
						return
					}
					e := wants(t, err, c.kind)
					if d := time.Since(began); d > 61*time.Second {
						t.Errorf("took %v", d)
					}
					want := 1
					if c.heals {
						want = 3
					}
					if n := sim.Count(); n != want && c.kind != httpclient.Timeout {
						t.Errorf("asked %d times, want %d", n, want)
					}
					if e.Service == "" {
						t.Errorf("the error names no service: %+v", e)
					}
					if e.Op == "" {
						t.Errorf("the error names no endpoint: %+v", e)
					}
					if !strings.HasPrefix(e.URL, "http://simulated.invalid/") {
						t.Errorf("URL %q, want one of the simulator", e.URL)
					}
					if !strings.HasPrefix(e.Message, e.Service) {
						t.Errorf("message %q, want it to begin with %s", e.Message, e.Service)
					}
					if strings.ContainsAny(e.Message, "\n\r\t") {
						t.Errorf("message %q has more than one line", e.Message)
					}
					sim.ClearFaults()
				})
			})
		}
	}
}

func TestErrorTextsOfNCBIAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := simulator(t)
		net := network(t, sim, httpclient.Config{})
		c := entrez.New(net)
		for _, s := range []struct {
			fault entreztest.Fault
			call  int
			words string
		}{
			{entreztest.Fault{Endpoint: "esearch", Kind: entreztest.DeadWebEnv}, 0, "Unable to obtain query #1"},
			{entreztest.Fault{Endpoint: "efetch", Kind: entreztest.DeadWebEnv}, 5, "Cannot retrieve history data"},
			{entreztest.Fault{Endpoint: "esummary", Kind: entreztest.Error200, Text: "two\nlines"}, 4, "two lines"},
			{entreztest.Fault{Endpoint: "elink", Kind: entreztest.Error200, Text: "address table is empty"}, 8, "address table is empty"},
		} {
			sim.Fail(s.fault)
			e := wants(t, calls[s.call].make(t.Context(), net), httpclient.Refused)
			if !strings.Contains(e.Message, s.words) {
				t.Errorf("%s: %s", s.fault.Kind, e.Message)
			}
		}
		_, err := c.Search(t.Context(), entrez.SearchParams{Term: "asthma", RetStart: 9999, RetMax: 10})
		if e := wants(t, err, httpclient.Refused); !strings.Contains(e.Message, "'retstart' cannot be larger than 9998") {
			t.Error(e.Message)
		}
		_, err = c.Search(t.Context(), entrez.SearchParams{Term: "((("})
		wants(t, err, httpclient.Refused)
	})
}

// NCBI writes raw line breaks into JSON strings in errors of its backend.
func TestJSONWithRawNewlines(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "esummary", Kind: entreztest.RawNewline})
		_, err := c.Summaries(t.Context(), []string{"80000001"})
		if e := wants(t, err, httpclient.Refused); !strings.Contains(e.Message, "'retstart' cannot be larger than 9998") {
			t.Error(e.Message)
		}
	})
}

// The same error in reply to a request for XML is NCBI's own, and a retry does not help.
func TestRawNewlinesWhereXMLWasAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := simulator(t)
		c := client(t, sim, httpclient.Config{MaxRetries: 3})
		for endpoint, call := range map[string]func() error{
			"esearch": func() error { _, err := c.Search(t.Context(), entrez.SearchParams{Term: "asthma"}); return err },
			"efetch":  func() error { _, err := c.Fetch(t.Context(), []string{"80000001"}); return err },
		} {
			sim.Fail(entreztest.Fault{Endpoint: endpoint, Kind: entreztest.RawNewline, Times: -1})
			if e := wants(t, call(), httpclient.Refused); !strings.Contains(e.Message, "cannot be larger than 9998") {
				t.Error(e.Message)
			}
			equal(t, endpoint+" requests", sim.Count(endpoint), 1)
		}
	})
}

func TestErrorHoldsRetryAfter(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sim.Fail(entreztest.Fault{Endpoint: "einfo", Kind: entreztest.Limit429, RetryAfter: "17"})
		_, err := c.Info(t.Context(), "pubmed")
		e := wants(t, err, httpclient.RateLimited)
		equal(t, "RetryAfter", e.RetryAfter, 17*time.Second)
		equal(t, "status", e.Status, 429)
	})
}

func TestCancelledCallIsContextCanceled(t *testing.T) {
	for i, call := range calls {
		synctest.Test(t, func(t *testing.T) {
			sim := simulator(t)
			sim.Fail(entreztest.Fault{Kind: entreztest.Stall, Times: -1})
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() { done <- call.make(ctx, network(t, sim, httpclient.Config{})) }()
			synctest.Wait()
			cancel()
			if err := <-done; err != context.Canceled {
				t.Errorf("call %d: %v", i, err)
			}
			ctx, cancel = context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			err := call.make(ctx, network(t, sim, httpclient.Config{}))
			wants(t, err, httpclient.Timeout)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("call %d: not a context.DeadlineExceeded", i)
			}
			sim.Release()
		})
	}
}

// TestKeyIsInNoErrorLogOrCache makes every call with every fault and a key, and looks for the key
// in all output.
func TestKeyIsInNoErrorLogOrCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := simulator(t)
		store := &memory{}
		var log strings.Builder
		c := network(t, sim, httpclient.Config{Keys: map[string]string{ncbi.Key.Variable: entreztest.Key}, Cache: store,
			Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		var out strings.Builder
		for _, call := range calls {
			for _, kind := range entreztest.Kinds {
				if kind == entreztest.Stall || kind == entreztest.StallBody {
					continue
				}
				sim.Fail(entreztest.Fault{Endpoint: call.endpoint, Kind: kind, Target: sim.URL() + "/x?api_key=" + entreztest.Key, Text: entreztest.Key})
				err := call.make(httpclient.WithoutCache(t.Context()), c)
				fmt.Fprintf(&out, "%v %+v\n", err, err)
				sim.ClearFaults()
			}
			if err := call.make(t.Context(), c); err != nil {
				t.Error(err)
			}
		}
		for key, body := range store.kept {
			out.WriteString(key)
			out.Write(body)
		}
		if len(store.kept) == 0 || log.Len() == 0 {
			t.Error("nothing was kept or logged")
		}
		if text := out.String() + log.String(); strings.Contains(text, entreztest.Key) {
			at := strings.Index(text, entreztest.Key)
			t.Errorf("the key is here: %q", text[max(0, at-300):at+40])
		}
	})
}

func TestCacheLifetimes(t *testing.T) {
	const day = 24 * time.Hour
	ttl := map[string]time.Duration{
		"esearch.fcgi": time.Hour, "esummary.fcgi": day, "efetch.fcgi": 7 * day, "elink.fcgi": day, "einfo.fcgi": day,
		"espell.fcgi": day, "ecitmatch.cgi": day, "articles": day, "biocjson": 7 * day,
	}
	synctest.Test(t, func(t *testing.T) {
		sim := simulator(t)
		store := &memory{}
		net := network(t, sim, httpclient.Config{Cache: store})
		c := entrez.New(net)
		ask := func(ctx context.Context) {
			for i, call := range calls {
				if err := call.make(ctx, net); err != nil {
					t.Errorf("call %d: %v", i, err)
				}
			}
			// An incomplete reply is not cached, since it may be complete later.
			if _, err := c.Fetch(ctx, []string{"80000001", "99"}); err != nil {
				t.Error(err)
			}
			if _, err := c.FetchText(ctx, []string{"80000001", "99"}, entrez.Medline); err != nil {
				t.Error(err)
			}
			if _, err := pubtator.Annotations(ctx, net, []string{"80000001", "99"}); err != nil {
				t.Error(err)
			}
			if _, err := c.Summaries(ctx, []string{"80000001", "99"}); err != nil {
				t.Error(err)
			}
			if _, err := idconv.Convert(ctx, net, []string{"80000001", "99"}); err != nil {
				t.Error(err)
			}
			_, err := c.FullText(ctx, "PMC99")
			wants(t, err, httpclient.NotFound)
		}
		ask(t.Context())
		seen := map[string]bool{}
		for key, d := range store.ttl {
			name, _, _ := strings.Cut(key, " ")
			seen[name] = true
			if ttl[name] != d {
				t.Errorf("%s is kept for %v", name, d)
			}
		}
		if len(seen) != len(ttl) {
			t.Errorf("kept: %v", seen)
		}
		sim.ClearRequests()
		ask(t.Context())
		again := map[string]int{}
		for _, r := range sim.Requests() {
			again[r.Endpoint]++
		}
		equal(t, "asked again", fmt.Sprint(again), fmt.Sprint(map[string]int{
			"efetch": 3, "esummary": 1, "idconv": 1, "pubtator": 1}))
		sim.ClearRequests()
		kept := len(store.kept)
		ask(httpclient.WithoutCache(t.Context()))
		if n := sim.Count(); n < len(calls)+2 || len(store.kept) != kept {
			t.Errorf("past the cache: %d requests, %d more kept", n, len(store.kept)-kept)
		}
	})
}
