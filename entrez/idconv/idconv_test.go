package idconv_test

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/idconv"
)

// simulated runs a test with the simulated NCBI inside a synctest bubble.
func simulated(t *testing.T, test func(t *testing.T, sim *entreztest.Server, c *httpclient.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		sim, err := entreztest.Start(entreztest.File("../entreztest/testdata/synthetic.xml"), entreztest.WithoutNetwork())
		if err != nil {
			t.Fatal(err)
		}
		defer sim.Close()
		cfg := sim.Config()
		cfg.Tool, cfg.Email = "biomcp test", "someone@example.org"
		cfg.Keys = map[string]string{"NCBI_API_KEY": entreztest.Key}
		test(t, sim, client(t, cfg))
	})
}

func client(t *testing.T, cfg httpclient.Config) *httpclient.Client {
	t.Helper()
	c, err := httpclient.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %+v, want %+v", what, got, want)
	}
}

func wants(t *testing.T, err error, kind httpclient.Kind) *httpclient.Error {
	t.Helper()
	var e *httpclient.Error
	if !errors.As(err, &e) || e.Kind != kind {
		t.Fatalf("want an error (%s), got %v", kind, err)
	}
	return e
}

func TestConvert(t *testing.T) {
	simulated(t, func(t *testing.T, sim *entreztest.Server, c *httpclient.Client) {
		doi := sim.Article("80000001").DOI
		got, err := idconv.Convert(t.Context(), c, []string{"80000003", "pmc8000001", "80000001", "https://doi.org/" + doi, "rubbish", "10.1/a,b", "PMC8000001"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "PMIDs", got, []string{"80000003", "80000001", "80000001", "80000001", "", "", "80000001"})
		for _, r := range sim.Requests() { // IDs of one type and no key
			for _, name := range []string{"idtype", "tool", "email"} {
				if r.Params.Get(name) == "" {
					t.Errorf("the parameter %s is missing in %v", name, r.Params)
				}
			}
			if r.Params.Has("api_key") {
				t.Errorf("a key is sent in %v", r.Params)
			}
		}
		equal(t, "requests", sim.Count("idconv"), 3)
	})
}

func TestConvertInBatches(t *testing.T) {
	simulated(t, func(t *testing.T, sim *entreztest.Server, c *httpclient.Client) {
		var ids []string
		for i := range 401 {
			ids = append(ids, strconv.Itoa(i+1))
		}
		got, err := idconv.Convert(t.Context(), c, ids)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 401 {
			t.Errorf("%d records, want 401", len(got))
		}
		if n := sim.Count("idconv"); n != 3 {
			t.Errorf("%d requests, want 3", n)
		}
		_, err = idconv.Convert(t.Context(), c, nil)
		wants(t, err, httpclient.Invalid)
		if err := sim.Fail(entreztest.Fault{Endpoint: "idconv", Kind: entreztest.Error200, Text: "closed"}); err != nil {
			t.Fatal(err)
		}
		_, err = idconv.Convert(t.Context(), c, []string{"7"})
		if e := wants(t, err, httpclient.Refused); e.Service != "PMC ID converter" || !strings.Contains(e.Message, "closed") {
			t.Errorf("%+v", e)
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

// Replies in the formats of older versions of the service (synthetic).
func TestConvertReadsOlderShapes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := client(t, httpclient.Config{Transport: one{200, `{"status":"ok","records":[{"pmid":1,"pmcid":"PMC7","doi":"10.1/X"},{"pmid":"2","requested-id":"2","live":"false","errmsg":"gone"}]}`}})
		got, err := idconv.Convert(t.Context(), c, []string{"2", "1", "3"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "PMIDs", got, []string{"2", "1", ""})
		c = client(t, httpclient.Config{Transport: one{400, `{"status":"error","message":"Invalid id for idtype pmid"}`}})
		_, err = idconv.Convert(t.Context(), c, []string{"2"})
		if e := wants(t, err, httpclient.Refused); !strings.Contains(e.Message, "Invalid id for idtype pmid") {
			t.Error(e.Message)
		}
	})
}
