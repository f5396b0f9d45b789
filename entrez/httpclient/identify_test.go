package httpclient

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
)

func TestToolEmailAndKeyGoToTheirSourceOnly(t *testing.T) {
	for where, want := range map[string]string{
		"https://eutils.example/entrez/eutils/esearch.fcgi":    "tool email api_key",
		"https://eutils.example/entrez/eutils":                 "tool email api_key",
		"https://eutils.example/entrez/eutilsx/esearch.fcgi":   "",
		"https://eutils.example/other":                         "",
		"http://eutils.example/entrez/eutils/esearch.fcgi":     "",
		"https://eutils.example:8443/entrez/eutils/esearch":    "",
		"https://eutils.example.evil.example/entrez/eutils/e":  "",
		"https://evil.example/https://eutils.example/entrez/e": "",
		"https://www.example/research/pubtator3-api/":          "",
	} {
		t.Run(where, func(t *testing.T) {
			for _, method := range []string{"GET", "POST"} {
				synctest.Test(t, func(t *testing.T) {
					net := always(200, good)
					o := options(net)
					o.Keys = keys(secret)
					var err error
					if method == "GET" {
						_, err = get(t.Context(), open(o), xmlCall, where)
					} else {
						_, err = post(t.Context(), open(o), xmlCall, where, "id=1")
					}
					if err != nil {
						t.Fatal(err)
					}
					q, err := url.ParseQuery(net.forms[0])
					if err != nil {
						t.Fatal(err)
					}
					var got []string
					for _, name := range source.signature() {
						if q.Has(name) {
							got = append(got, name)
						}
					}
					if strings.Join(got, " ") != want {
						t.Errorf("%s %s: sent %q, want %q", method, where, got, want)
					}
					if q.Has("api_key") && q.Get("api_key") != secret {
						t.Errorf("key sent as %q", q.Get("api_key"))
					}
				})
			}
		})
	}
}

// TestKeyIsInNoReplyErrorLogOrCacheKey echoes the key in good and bad bodies, network errors and
// redirects, and looks for it in all output, logs and cache keys.
func TestKeyIsInNoReplyErrorLogOrCacheKey(t *testing.T) {
	const oddKey = "k&y with=signs+/0123456789"
	for _, key := range []string{secret, oddKey} {
		t.Run(key, func(t *testing.T) {
			echoes := []string{key, url.QueryEscape(key), url.PathEscape(key)}
			for _, answer := range []func() (*http.Response, error){
				says(200, "<r>"+strings.Join(echoes, " ")+"</r>"),
				says(200, "<r>"+strings.Repeat("x", 5000)+strings.Join(echoes, " ")+"</r>"),
				says(400, `{"error":"API key invalid","api-key":"`+key+`","type":"invalid","status":"unknown"}`),
				says(500, "<html><title>"+key+"</title></html>"),
				says(403, "you sent api_key="+url.QueryEscape(key)),
				says(302, "", "Location", "/entrez/eutils/einfo.fcgi?api_key="+url.QueryEscape(key)+"&tool=t&db=pubmed"),
				breaks(errors.New("proxy said no to https://h/?api_key=" + url.QueryEscape(key))),
				breaks(&url.Error{Op: "Get", URL: "https://h/?api_key=" + url.QueryEscape(key), Err: errors.New("no")}),
			} {
				synctest.Test(t, func(t *testing.T) {
					log, text := logger()
					store := &memory{}
					o := options(inTurn(answer))
					o.Keys, o.Logger, o.Cache = keys(key), log, store
					call := xmlCall
					call.TTL = 1e9
					c := open(o)
					client := http.Client{Transport: c.http.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
					req, _ := http.NewRequestWithContext(describe(t.Context(), c, call), "GET", eutils.String()+"efetch.fcgi?id=1", nil)
					var out strings.Builder
					resp, err := client.Do(req)
					if err != nil {
						for e := err; e != nil; e = errors.Unwrap(e) {
							out.WriteString(e.Error() + "\n")
						}
					} else {
						body, _ := Body(resp)
						out.Write(body)
						out.WriteString(resp.Header.Get("Location") + resp.Request.URL.String())
					}
					out.WriteString(text.String())
					for k := range store.kept {
						out.WriteString(k)
					}
					for _, e := range echoes {
						if strings.Contains(out.String(), e) {
							t.Errorf("the key came out: %s", out.String())
						}
					}
				})
			}
		})
	}
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"https://h/e?db=pubmed&api_key=abc&id=1": "https://h/e?db=pubmed&api_key=[redacted]&id=1",
		`{"error":"x","api-key":"1.2.3.4"}`:      `{"error":"x","api-key":"[redacted]"}`,
		"API key invalid":                        "API key invalid",
		"API_KEY: abc, and more":                 "API_KEY: [redacted], and more",
	} {
		t.Run(in, func(t *testing.T) {
			if got := Redact(in); got != want {
				t.Errorf("%s became %s", in, got)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	for to, kind := range map[string]Kind{
		"/entrez/eutils/einfo.fcgi?db=pubmed":                       "",
		"https://evil.example/entrez/eutils/einfo.fcgi":             Refused,
		"http://eutils.example/entrez/eutils/einfo.fcgi":            Refused,
		"//eutils.example.evil.example/entrez/eutils/einfo.fcgi":    Refused,
		"https://eutils.example@evil.example/entrez/eutils/esearch": Refused,
	} {
		t.Run(to, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				net := &network{answer: func(n int, req *http.Request) (*http.Response, error) {
					if n == 0 {
						return reply(302, "", "Location", to, "Set-Cookie", "a=b"), nil
					}
					if req.Header.Get("Cookie") != "" {
						t.Error("a cookie was kept")
					}
					return reply(200, good), nil
				}}
				o := options(net)
				o.Keys = keys(secret)
				_, err := open(o).Service(source).Do(t.Context(), NewCall(Endpoint{Form: XML, Path: "efetch.fcgi"}))
				if kind != "" {
					failure(t, err, kind)
					if net.count() != 1 {
						t.Errorf("%s was followed", to)
					}
					return
				}
				if err != nil {
					t.Fatalf("a redirect on the same host: %v", err)
				}
				if n := net.count(); n != 2 {
					t.Fatalf("%d requests, want 2", n)
				}
				if d, want := net.times[1].Sub(net.times[0]), source.Rate.Delay(true); d < want {
					t.Errorf("the second request came after %v, want at least %v", d, want)
				}
				if !strings.Contains(net.forms[1], secret) {
					t.Error("the second hop was not signed")
				}
			})
		})
	}
}

// A source of files may redirect to the hosts that it declares, by HTTPS only.
func TestRedirectToHostOfFiles(t *testing.T) {
	for to, kind := range map[string]Kind{
		"https://files.example/release/1?sig=a%2Bb":  "",
		"http://files.example/release/1":             Refused,
		"https://files.example.evil.example/release": Refused,
		"https://files.example:8443/release":         Refused,
		"https://other.example/release":              Refused,
	} {
		t.Run(to, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				last := ""
				net := &network{answer: func(n int, req *http.Request) (*http.Response, error) {
					if n == 0 {
						return reply(302, "", "Location", to), nil
					}
					last = req.URL.String()
					return reply(200, good), nil
				}}
				files := &Source{Name: "files", Label: "Files", Address: "https://start.example/", FileHosts: []string{"files.example"},
					Rate: Rate{Group: "files", PerSecond: 1}}
				body, err := open(options(net)).Service(files).Do(t.Context(), NewCall(Endpoint{Form: XML, Path: "latest"}))
				if kind != "" {
					failure(t, err, kind)
					if net.count() != 1 {
						t.Errorf("%d requests, want 1: %s was followed", net.count(), to)
					}
					return
				}
				if err != nil || string(body) != good || last != to {
					t.Errorf("got %q from %q, %v; want %q from %q", body, last, err, good, to)
				}
			})
		})
	}
}
