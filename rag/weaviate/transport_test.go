package weaviate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/store"
)

const noHits = `{"data":{"Aggregate":{"all":[{"length":{"count":0,"sum":null}}],"t0":[{"meta":{"count":0}}]},"Get":{"hits":[]}}}`

func search(x *Index, ctx context.Context) error {
	_, err := x.Words(ctx, store.Term{Text: "heart"}, store.Filter{}, 10)
	return err
}

func TestTemporaryFailuresAreRetried(t *testing.T) {
	for name, test := range map[string]struct {
		bad   *http.Response
		fails int
		least time.Duration
		kind  Kind // "": no error
		calls int
	}{
		"unavailable twice":    {reply(503, "<html>"), 2, 560 * time.Millisecond, "", 3},
		"unavailable for good": {reply(503, `{"error":[{"message":"leader not found"}]}`), 100, time.Second, Failed, 4},
		"too many at once":     {reply(429, "", "Retry-After", "7"), 1, 7 * time.Second, "", 2},
		"too many for good":    {reply(429, ""), 100, time.Second, Busy, 4},
		"come back tomorrow":   {reply(429, "", "Retry-After", "86400"), 1, 0, Busy, 1},
		"no class at all":      {reply(422, `{"error":[{"message":"no graphql provider present, this is most likely because no schema is present"}]}`), 1, 0, Missing, 1},
		"refused":              {reply(422, `{"error":[{"message":"no such property"}]}`), 1, 0, Rejected, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body, _ := io.ReadAll(test.bad.Body)
				x, f := faked(t, func(f *fake, r *http.Request, _ string) *http.Response {
					switch {
					case r.URL.Path != "/v1/graphql":
						return nil
					case f.count("POST /v1/graphql") <= test.fails:
						bad := reply(test.bad.StatusCode, string(body))
						bad.Header = test.bad.Header
						return bad
					}
					return reply(200, noHits)
				})
				began := time.Now()
				err := search(x, t.Context())
				if test.kind != "" {
					wantKind(t, err, test.kind)
				} else if err != nil {
					t.Fatal(err)
				}
				if n := f.count("POST /v1/graphql"); n != test.calls {
					t.Errorf("%d requests, want %d", n, test.calls)
				}
				if took := time.Since(began); took < test.least || took > 30*time.Second {
					t.Errorf("it took %s, want at least %s", took, test.least)
				}
			})
		})
	}
}

func TestABrokenConnectionIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		x, err := New(Config{URL: "weaviate.test", HTTP: roundTrip(func(*http.Request) (*http.Response, error) {
			calls++
			return &http.Response{StatusCode: 200, Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"cla`), broken{}))}, nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		wantKind(t, search(x, t.Context()), Unreachable, "weaviate.test", "unexpected EOF")
		if calls != retries.Max+1 {
			t.Errorf("%d tries", calls)
		}
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func silent(*fake, *http.Request, string) *http.Response { return noReply }

func TestASilentServerIsATimeoutAfter30Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := faked(t, silent)
		began := time.Now()
		wantKind(t, search(x, t.Context()), Timeout, "weaviate.test:8080", "30s")
		if took := time.Since(began); took != 30*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

func TestARequestWithoutReplyIsSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		x, _ := faked(t, func(_ *fake, r *http.Request, _ string) *http.Response {
			if calls++; calls == 1 {
				return noReply
			}
			if r.URL.Path == "/v1/graphql" {
				return reply(200, noHits)
			}
			return nil
		})
		began := time.Now()
		if err := search(x, t.Context()); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took < 3*time.Second || took > 4*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

// A server that cannot be connected to is not waited for like one that is busy.
func TestAServerThatIsDownIsReportedWithinThreeSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, err := New(Config{URL: "http://weaviate.test", HTTP: httpclient.NewTransport(func(ctx context.Context, network, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, &net.OpError{Op: "dial", Net: network, Err: ctx.Err()}
		})})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		wantKind(t, search(x, t.Context()), Unreachable, "cannot connect to weaviate.test")
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("after %v", took)
		}
	})
}

func TestACancelledSearchReturnsTheCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, _ := faked(t, silent)
		cause := errors.New("cancelled by the caller")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(5*time.Second, func() { cancel(cause) })
		began := time.Now()
		if err := search(x, ctx); err != cause {
			t.Errorf("error %v", err)
		}
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

func TestAnEndlessReplyIsNotReadToItsEnd(t *testing.T) {
	endless := &zeros{}
	x, _ := faked(t, func(_ *fake, r *http.Request, _ string) *http.Response {
		return &http.Response{StatusCode: 200, Body: endless}
	})
	wantKind(t, search(x, t.Context()), Failed, "longer")
	if endless.read > maxReply+1<<20 || !endless.closed {
		t.Errorf("%d bytes were read, closed %v", endless.read, endless.closed)
	}
}

type zeros struct {
	read   int
	closed bool
}

func (z *zeros) Read(p []byte) (int, error) { z.read += len(p); return len(p), nil }
func (z *zeros) Close() error               { z.closed = true; return nil }

func TestARefusedConnectionIsUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	pauses := 0
	retries.Sleep = func(context.Context, time.Duration) error { pauses++; return nil }
	defer func() { retries.Sleep = nil }()
	x, err := New(Config{URL: address, APIKey: secret, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	wantKind(t, search(x, t.Context()), Unreachable, address, "connection refused")
	if pauses != connectAttempts-1 {
		t.Errorf("%d pauses between %d attempts", pauses, connectAttempts)
	}
}

func TestTheKeyIsSentToTheServerOnlyAndNotShown(t *testing.T) {
	asked := map[string]string{}
	x, _ := faked(t, func(_ *fake, r *http.Request, _ string) *http.Response {
		asked[r.URL.Host] = r.Header.Get("Authorization")
		return reply(401, `{"error":[{"message":"invalid api key `+secret+`"}]}`)
	})
	wantKind(t, search(x, t.Context()), Auth, "invalid api key ***", "401")
	if asked["weaviate.test:8080"] != "Bearer "+secret {
		t.Errorf("the key was sent as %q", asked)
	}

	x, _ = faked(t, func(_ *fake, r *http.Request, _ string) *http.Response {
		asked[r.URL.Host] = r.Header.Get("Authorization")
		return reply(307, "", "Location", "http://elsewhere.test/v1/graphql")
	})
	wantKind(t, search(x, t.Context()), Rejected, "307")
	if _, ok := asked["elsewhere.test"]; ok {
		t.Error("the redirect was followed")
	}

	x, _ = faked(t, graphqlIs(`{"errors":[{"message":"forbidden: no rights for `+secret+`"}]}`))
	wantKind(t, search(x, t.Context()), Auth, "***")
}

func TestAddressesAndClassNamesAreChecked(t *testing.T) {
	for url, want := range map[string]string{
		"host": "http://host", "host:8080": "http://host:8080", "https://host/": "https://host",
		"http://host:8080/v1": "http://host:8080", "https://host/weaviate/": "https://host/weaviate",
		"": "", "ftp://host": "", "http://": "", "http://key@host": "", "http://u:" + secret + "@host": "", "http://host?key=" + secret: "", "http://a b": "",
	} {
		t.Run(url, func(t *testing.T) {
			scheme, host, err := address(url)
			if want == "" {
				wantKind(t, err, Invalid)
			} else if err != nil || scheme+"://"+host != want {
				t.Errorf("%s is %s://%s, %v", url, scheme, host, err)
			}
		})
	}
	for name, want := range map[string]string{"": DefaultClass, "papers": "Papers", "A_1": "A_1", "1a": "", "a-b": "", "Ä": "", "a{": "", strings.Repeat("a", 300): ""} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if got, err := className(name); got != want || (err == nil) != (want != "") {
				t.Errorf("class %q is %q, %v", name, got, err)
			}
		})
	}
	for _, c := range []Config{{URL: "host", Model: "m"}, {URL: "host", Dim: 3}, {URL: "host", Model: "m", Dim: -1}, {}} {
		_, err := New(c)
		wantKind(t, err, Invalid)
	}
}
