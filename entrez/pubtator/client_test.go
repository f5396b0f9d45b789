package pubtator_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/sourcetest"
)

func client(t *testing.T, cfg httpclient.Config) *httpclient.Client {
	t.Helper()
	c, err := httpclient.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAnnotations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim, err := entreztest.Start(entreztest.XML(entreztest.Generate(120, 1)), entreztest.WithoutNetwork())
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		cfg := sim.Config()
		cfg.Tool, cfg.Email = "biomcp test", "someone@example.org"
		cfg.Keys = map[string]string{"NCBI_API_KEY": entreztest.Key}
		c := client(t, cfg)
		var ids []string
		for i := range 130 {
			ids = append(ids, fmt.Sprint(entreztest.FirstSynthetic+i))
		}
		docs, err := pubtator.Annotations(t.Context(), c, ids)
		if err != nil {
			t.Fatal(err)
		}
		if len(docs) != 120 {
			t.Fatalf("%d documents, want 120", len(docs))
		}
		if got := docs[119].PMID; got != ids[119] {
			t.Errorf("last document %s, want %s", got, ids[119])
		}
		if n := sim.Count("pubtator"); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
		docs, err = pubtator.Annotations(t.Context(), c, []string{"7"})
		if err != nil {
			t.Fatal(err)
		}
		if docs == nil || len(docs) != 0 {
			t.Errorf("an unknown article has %#v, want an empty list", docs)
		}
		for _, r := range sim.Requests("pubtator") {
			if r.Params.Has("api_key") || r.Params.Has("email") {
				t.Error("PubTator3 gets more than it needs")
			}
		}
		if _, err = pubtator.Annotations(t.Context(), c, []string{"x"}); !httpclient.IsKind(err, httpclient.Invalid) {
			t.Errorf("an id that is none: %v", err)
		}
	})
}

// one is a transport with one reply.
type one struct {
	status int
	body   string
}

func (o one) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: o.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(o.body))}, nil
}

// Synthetic replies in the formats of the service.
func TestRepliesWithoutDocuments(t *testing.T) {
	for _, c := range []struct {
		one
		kind httpclient.Kind
	}{
		{one{400, `{"detail":"Could not retrieve publications"}`}, ""},
		{one{404, `{"detail":"Not found."}`}, ""},
		{one{404, "<html><title>Not Found</title></html>"}, httpclient.Upstream}, // from another program at the address
		{one{200, `{"PubTator3":[{"pmid":1}]}`}, httpclient.Upstream},
		{one{200, `{"PubTator3":[]}`}, ""},
		{one{200, `{"detail":"pmids: give one"}`}, httpclient.Refused},
		{one{400, `{"detail":"pmids: give one"}`}, httpclient.Refused},
		{one{200, `{"API":"x"}`}, httpclient.Upstream},
	} {
		t.Run(fmt.Sprint(c.kind), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				docs, err := pubtator.Annotations(t.Context(), client(t, httpclient.Config{Transport: c.one}), []string{"1"})
				if c.kind != "" && !httpclient.IsKind(err, c.kind) {
					t.Errorf("%d %s: %v, want an error of kind %s", c.status, c.body, err, c.kind)
				}
				if c.kind == "" && err != nil {
					t.Errorf("%d %s: %v", c.status, c.body, err)
				}
				if c.kind == "" && len(docs) != 0 {
					t.Errorf("%d %s: %d documents, want none", c.status, c.body, len(docs))
				}
			})
		})
	}
}

// captured returns a client of a simulator that replays a real reply of NCBI.
func captured(t *testing.T, file, request string, test func(*testing.T, *httpclient.Client)) {
	t.Helper()
	reply, err := sourcetest.File("../../../shared/data/" + file)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("SKIPPED: the real data is absent: ", file)
	}
	synctest.Test(t, func(t *testing.T) {
		sim, err := entreztest.Start(entreztest.WithoutNetwork())
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		sim.Replay(map[string]sourcetest.Reply{request: reply})
		test(t, client(t, sim.Config()))
	})
}

func TestCapturedExport(t *testing.T) {
	captured(t, "pubtator/export_20516115.json", "pubtator?pmids=20516115", func(t *testing.T, c *httpclient.Client) {
		docs, err := pubtator.Annotations(t.Context(), c, []string{"20516115"})
		if err != nil {
			t.Fatal(err)
		}
		if len(docs) != 1 {
			t.Fatalf("%d documents, want 1", len(docs))
		}
		if got := docs[0].PMID; got != "20516115" {
			t.Errorf("PMID %s, want 20516115", got)
		}
		if len(docs[0].Annotations) == 0 {
			t.Error("the document has no annotations")
		}
	})
}
