package sources_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	_ "biomcp/build/testgc"
	"biomcp/entrez/bulk/bulktest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
)

// changed is a transport that modifies replies.
type changed struct {
	http.RoundTripper
	change func(address string, body []byte) []byte
}

func (c *changed) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(req)
	if err != nil || c.change == nil {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	body = c.change(req.URL.Path, body)
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Del("Content-Length")
	return resp, err
}

func verify(t *testing.T, change func(string, []byte) []byte, all ...*httpclient.Source) (found []httpclient.Finding) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ncbi, err := entreztest.Start(entreztest.WithoutNetwork(), entreztest.NoLimit())
		if err != nil {
			t.Fatal(err)
		}
		defer ncbi.Close()
		sourcestest.AddTo(ncbi.Server)
		sourcestest.Contract(ncbi.Server)
		config := ncbi.Config()
		config.Transport = &changed{config.Transport, change}
		network, err := httpclient.New(config)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			for _, k := range s.Contract() {
				found = append(found, network.Service(s).Verify(t.Context(), &k)...)
			}
		}
	})
	return found
}

func TestContractHoldsInTheSimulators(t *testing.T) {
	for _, s := range sources.All() {
		for _, f := range verify(t, nil, s) {
			if f.Err != nil || f.Drift != "" || f.Evidence == "" {
				t.Errorf("%s: %+v", s.Label, f)
			}
		}
	}
}

// without removes a word from a text, which may be gzipped.
func without(t *testing.T, body []byte, word string) []byte {
	if z, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
		text, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return bulktest.Pack(without(t, text, word))
	}
	return regexp.MustCompile("(?i)"+regexp.QuoteMeta(word)).ReplaceAll(body, []byte("renamed"))
}

// For each fact of each source, a reply without it is reported in the row of the fact, and the rows
// before it hold.
func TestContractNamesTheLineThatDrifted(t *testing.T) {
	changed := 0
	for _, s := range sources.All() {
		for _, k := range s.Contract() {
			only := *s
			only.Expectations = func() []httpclient.Expectation { return []httpclient.Expectation{k} }
			if k.Refusal != "" { // a page of another server, or an answer
				changed++
				for _, reply := range []string{"<html><title>404</title></html>", `{"results":[]}`} {
					found := verify(t, func(string, []byte) []byte { return []byte(reply) }, &only)
					if found[0].Err == nil && found[0].Drift == "" {
						t.Errorf("%s: %q is taken for a refusal: %+v", s.Label, reply, found[0])
					}
				}
			}
			for i, fact := range k.Facts {
				if strings.ContainsAny(fact.Path[:1], "@[") { // a count of members
					changed++
					found := verify(t, func(string, []byte) []byte { return []byte(`{"renamed":1}`) }, &only)
					if want := fact.Path + " is "; !strings.HasPrefix(found[i].Drift, want) {
						t.Errorf("%s, %s: %+v, want a drift that begins with %q", s.Label, fact, found[i], want)
					}
					continue
				}
				parts := strings.Split(fact.Path, ".")
				member := strings.Trim(parts[len(parts)-1], `#(=")`)
				if strings.Trim(member, "0123456789") == "" { // an index: rename the list instead
					member = parts[len(parts)-2]
				}
				changed++
				found := verify(t, func(path string, body []byte) []byte {
					if k.Call.Form == httpclient.Text || k.Call.Form == httpclient.Page {
						return without(t, body, fact.Path)
					}
					body = bytes.ReplaceAll(body, []byte(`"`+member+`"`), []byte(`"renamed"`))
					return bytes.ReplaceAll(body, []byte(member+">"), []byte("Renamed>"))
				}, &only)
				if want := "there is no " + fact.Path; found[i].Drift != want || found[i].Err != nil {
					t.Errorf("%s, %s: %+v", s.Label, fact.Path, found[i])
				}
				if fact.Value == "" {
					continue
				}
				found = verify(t, func(path string, body []byte) []byte {
					for _, around := range []string{`""`, "><", ":,", ":}", "[]", "[,"} {
						left, right := around[:1], around[1:]
						body = bytes.ReplaceAll(body, []byte(left+fact.Value+right), []byte(left+"99"+right))
					}
					return body
				}, &only)
				if !strings.Contains(found[i].Drift, " is 99") {
					t.Errorf("%s, %s: %+v", s.Label, fact, found[i])
				}
			}
			if k.Tag != "" { // a service that ignores unknown tags
				changed++
				var good []byte
				found := verify(t, func(_ string, body []byte) []byte {
					if good == nil {
						good = body
					}
					return good
				}, &only)
				if last := found[len(found)-1]; last.Drift != "an unknown tag finds the same records" {
					t.Errorf("%s: %+v", s.Label, last)
				}
			}
		}
	}
	t.Logf("%d changes", changed)
	if changed < 80 {
		t.Errorf("only %d changes", changed)
	}
}
