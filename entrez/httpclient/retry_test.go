package httpclient

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// limitBody is a synthetic rate limit message. Services send such a body with status 429 and with
// 200.
const limitBody = `{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"4","limit":"3"}`

func TestRetry(t *testing.T) {
	ok := says(200, good)
	cases := []struct {
		name     string
		net      *network
		attempts int
		kind     Kind // "" if the call succeeds
	}{
		{"429 then good", inTurn(says(429, limitBody), ok), 2, ""},
		{"the limit body under 200", inTurn(says(200, limitBody), says(200, limitBody), ok), 3, ""},
		{"always 429", always(429, limitBody), 6, RateLimited},
		{"always the limit body under 200", always(200, limitBody), 6, RateLimited},
		{"500 with a web page", inTurn(says(500, "<html><title>WWW Error 500 Diagnostic</title></html>"), ok), 2, ""},
		{"502 for ever", always(502, "<html>bad gateway</html>"), 6, Upstream},
		{"a web page under 200", inTurn(says(200, "<!DOCTYPE html><html><body>busy</body></html>"), ok), 2, ""},
		{"an XHTML page under 200", inTurn(says(200, `<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html xmlns="y"></html>`), ok), 2, ""},
		{"a cut-off document", inTurn(says(200, `<?xml version="1.0"?><r><Id>1</I`), ok), 2, ""},
		{"a prolog without a root", inTurn(says(200, `<?xml version="1.0"?>`+"\n"+`<!DOCTYPE r PUBLIC "a" "b">`), ok), 2, ""},
		{"nothing", inTurn(says(200, ""), ok), 2, ""},
		{"a refused connection", inTurn(breaks(errors.New("connection refused")), ok), 2, ""},
		{"a connection that breaks off", inTurn(breaks(io.ErrUnexpectedEOF), ok), 2, ""},
		{"no connection for ever", always(0, "").unreachable(), 6, Unreachable},
		{"400", always(400, "<r><ERROR>no such field</ERROR></r>"), 1, Refused},
		{"404", always(404, "gone"), 1, Refused},
		{"300 without an address", always(300, `<r><Id>1</Id></r>`), 1, Refused},
		{"414", always(414, "<html><title>Submitted URI too large!</title></html>"), 1, Refused},
		{"the service's own error under 200", always(200, "<r><ERROR>Invalid db name specified: x</ERROR></r>"), 1, Refused},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := options(c.net)
				o.Keys = keys(secret)
				_, err := search(t.Context(), open(o), "x")
				if c.net.count() != c.attempts {
					t.Errorf("%d attempts, want %d", c.net.count(), c.attempts)
				}
				rule(t, c.net.times, 10)
				if c.kind == "" {
					if err != nil {
						t.Error(err)
					}
					return
				}
				f := failure(t, err, c.kind)
				if f.attempts != c.attempts {
					t.Errorf("says %d attempts, made %d", f.attempts, c.attempts)
				}
				if strings.Contains(f.Message, secret) || strings.Contains(f.Message, "192.0.2.7") {
					t.Errorf("the message holds what NCBI echoed: %s", f.Message)
				}
			})
		})
	}
}

func (w *network) unreachable() *network {
	w.answer = func(int, *http.Request) (*http.Response, error) { return nil, errors.New("connection refused") }
	return w
}

func TestJSONForms(t *testing.T) {
	call := xmlCall
	call.Form = JSON
	for body, whole := range map[string]bool{
		`{"a":1}`:                              true,
		"{\"ERROR\":\"two\nlines\"}":           true, // raw newline, as NCBI writes it
		`{"result":{"uids":["1"]`:              false,
		`[1,2`:                                 false,
		`plain words`:                          false,
		`<r><Id>1</Id></r>`:                    false,
		`{"header":{"type":"x"},"error":"no"}`: true,
	} {
		t.Run(body, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := options(always(200, body))
				o.MaxRetries = 0
				_, err := get(t.Context(), open(o), call, eutils.String()+"esummary.fcgi?id=1")
				if whole != (err == nil) {
					t.Errorf("%s: whole %v, got %v", body, whole, err)
				}
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name   string
		header func() string
	}{
		{"seconds", func() string { return "7" }},
		{"a fraction", func() string { return "7.0" }},
		{"a date", func() string { return time.Now().Add(7 * time.Second).UTC().Format(http.TimeFormat) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := inTurn(says(429, limitBody, "Retry-After", c.header()), says(200, good))
				if _, err := search(t.Context(), open(options(net)), "x"); err != nil {
					t.Fatal(err)
				}
				if d := net.times[1].Sub(net.times[0]); d != 7*time.Second {
					t.Errorf("came back after %v, want 7s", d)
				}
			})
		})
	}
	t.Run("past the deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			net := always(429, limitBody, "Retry-After", "3600")
			_, err := search(t.Context(), open(options(net)), "x")
			f := failure(t, err, RateLimited)
			if f.RetryAfter != time.Hour || net.count() != 1 || time.Since(began) != 0 {
				t.Errorf("waited %v, %d attempts, RetryAfter %v", time.Since(began), net.count(), f.RetryAfter)
			}
		})
	})
	wrong := http.Header{"Retry-After": {"Mon, 01 Jan 1990 00:00:30 GMT"}, "Date": {"Mon, 01 Jan 1990 00:00:00 GMT"}}
	if d := RetryAfter(wrong); d != 30*time.Second {
		t.Errorf("by another clock than ours: %v", d)
	}
	for _, nonsense := range []string{"", "-4", "soon", "Inf", "99999999999999999999", "Mon, 01 Jan 1990 00:00:00 GMT"} {
		t.Run(nonsense, func(t *testing.T) {
			if d := RetryAfter(http.Header{"Retry-After": {nonsense}}); d != 0 {
				t.Errorf("Retry-After %q read as %v", nonsense, d)
			}
		})
	}
}

func TestBackoffGrowsWithJitter(t *testing.T) {
	seen := map[time.Duration]bool{}
	for attempt, top := range map[int]time.Duration{1: 500 * time.Millisecond, 2: time.Second, 3: 2 * time.Second, 5: 8 * time.Second, 6: 16 * time.Second, 7: 20 * time.Second, 60: 20 * time.Second} {
		t.Run(fmt.Sprint(attempt), func(t *testing.T) {
			for range 100 {
				d := Retry{}.backoff(attempt)
				seen[d] = true
				if d < top/2 || d >= top {
					t.Fatalf("attempt %d waits %v, want %v to %v", attempt, d, top/2, top)
				}
			}
		})
	}
	if len(seen) < 500 {
		t.Error("no jitter")
	}
}

func TestPostIsRepeatedWithItsBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for where, want := range map[string]string{
			eutils.String() + "epost.fcgi": "db=pubmed&id=1,2&email=a%40b.example&tool=biomcp%2Ftest",
			"https://other.example/":       "db=pubmed&id=1,2",
		} {
			net := inTurn(says(502, ""), breaks(io.ErrUnexpectedEOF), says(200, good))
			if _, err := post(t.Context(), open(options(net)), xmlCall, where, "db=pubmed&id=1,2"); err != nil {
				t.Fatal(err)
			}
			for i, form := range net.forms {
				if form != want {
					t.Errorf("attempt %d sent %q", i, form)
				}
			}
			if net.count() != 3 {
				t.Errorf("%d attempts", net.count())
			}
		}
	})
}

func TestDeadlineCoversQueueRetriesAndTransfer(t *testing.T) {
	hangs := func(_ int, req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		net := &network{answer: hangs}
		_, err := search(t.Context(), open(options(net)), "x")
		failure(t, err, Timeout)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error("not a context.DeadlineExceeded")
		}
		if d := time.Since(began); d > DefaultDeadline || net.count() != 2 { // 30 s for the first attempt, a wait, and the rest
			t.Errorf("%d attempts in %v", net.count(), d)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the last failure is reported
		net := always(503, "")
		o := options(net)
		o.MaxRetries = 1000
		began := time.Now()
		_, err := search(t.Context(), open(o), "x")
		failure(t, err, Upstream)
		if d := time.Since(began); d > DefaultDeadline {
			t.Errorf("took %v", d)
		}
	})
}

func TestCancelStopsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := always(503, "")
		rt := open(options(net))
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { _, err := search(ctx, rt, "x"); done <- err }()
		synctest.Wait() // until it waits for the second attempt
		began := time.Now()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		synctest.Wait()
		if time.Since(began) != 0 || net.count() != 1 {
			t.Errorf("went on for %v, %d attempts", time.Since(began), net.count())
		}
	})
}

func TestCallWithOnceIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		net := always(503, "")
		call := xmlCall
		call.NoRetry = true
		_, err := get(t.Context(), open(options(net)), call, eutils.String()+"einfo.fcgi")
		failure(t, err, Upstream)
		if net.count() != 1 {
			t.Errorf("%d attempts", net.count())
		}
	})
}

func TestMend(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b"}`:                `{"a":"b"}`,
		"{\"a\":\"b\nc\"}":         `{"a":"b\u000ac"}`,
		"{\n\"a\":\t\"b\"}":        "{\n\"a\":\t\"b\"}",
		"{\"a\":\"\\\"\n\"}":       `{"a":"\"\u000a"}`,
		"{\"a\":\"back\\\nline\"}": `{"a":"back\\\u000aline"}`,
	} {
		t.Run(in, func(t *testing.T) {
			if got := string(EscapeControls([]byte(in))); got != want {
				t.Errorf("%q became %q, want %q", in, got, want)
			}
		})
	}
}

func TestAbsentIsWhatAMissingRecordMeans(t *testing.T) {
	judge := NotFoundOn404("has no such label")
	for status, missing := range map[int]bool{200: false, 400: false, 404: true, 410: true, 500: false} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			v := judge(Reply{Status: status, Body: []byte(good)})
			if (v != nil) != missing || missing && *v != (Verdict{NotFound, "has no such label"}) {
				t.Errorf("%+v", v)
			}
		})
	}
}

func FuzzJudge(f *testing.F) {
	for _, seed := range []string{limitBody, good, "", "<", "<?xml", "<!DOCTYPE a [<!ENTITY b 'c>'>]><a/>", "<html>", "{\"a\":\"\n", "[", "\xef\xbb\xbf<r/>", "<r/><r/>"} {
		f.Add(seed, 200, 0)
		f.Add(seed, 500, 1)
		f.Add(seed, 400, 2)
	}
	f.Fuzz(func(t *testing.T, body string, status, form int) {
		call := Call{Endpoint: Endpoint{Form: Form(form)}, service: &Service{source: source}}
		fail := call.judge(reply(status, ""), []byte(body))
		if fail != nil && fail.Message == "" {
			t.Error("a failure without a word")
		}
		if again := EscapeControls(EscapeControls([]byte(body))); string(again) != string(EscapeControls([]byte(body))) {
			t.Errorf("mending twice changes more: %q", again)
		}
	})
}
