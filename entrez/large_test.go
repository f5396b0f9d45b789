package entrez_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

// tooLargeReply is NCBI's refusal to convert a batch of summaries to JSON, with HTTP 200.
const tooLargeReply = `{"ERROR": "Input XML size is 12150021 bytes, and cannot be transformed to JSON. the max size is 10MB"}`

// The summaries of a large batch are refused together and come in halves, for every database.
func TestABatchOfSummariesTooLargeForOneReplyIsHalved(t *testing.T) {
	for db, ids := range map[string][]string{
		"gene":    {"673", "8085", "9757", "5810"},
		"pubmed":  {"80000001", "80000002", "80000003", "80000005"},
		"mesh":    {"68001249", "68009369"},
		"medgen":  {"1", "2", "3"},
		"clinvar": {"13961", "1", "2"},
	} {
		var whole *entrez.Docs
		imaginary(t, func(t *testing.T, _ *entreztest.Server, c *entrez.Client) {
			var err error
			if whole, err = c.Docs(t.Context(), db, ids); err != nil {
				t.Fatal(err)
			}
		})
		if len(whole.Items) < 2 {
			continue // a reply with one summary has no halves
		}
		halved, requests := new(entrez.Docs), 0
		for limit := 512; len(halved.Items) < len(whole.Items); limit += limit / 4 { // the least that one summary fits into
			imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
				var err error
				if halved, err = c.Docs(t.Context(), db, ids); err != nil {
					t.Fatalf("%s: %v", db, err)
				}
				requests = sim.Count()
			}, entreztest.File("entreztest/testdata/synthetic.xml"), entreztest.SummaryBytes(limit))
		}
		equal(t, db+": summaries", uids(halved), uids(whole))
		equal(t, db+": missing", halved.Missing, whole.Missing)
		equal(t, db+": too large", halved.TooLarge, []string{})
		if requests < 3 {
			t.Errorf("%s: %d requests, want the batch and its halves", db, requests)
		}
	}
}

// summariesOf answers a request with the text for its ids.
type summariesOf func(ids string) string

func (f summariesOf) RoundTrip(r *http.Request) (*http.Response, error) {
	ids := r.URL.Query().Get("id")
	if r.Body != nil {
		if err := r.ParseForm(); err != nil {
			return nil, err
		}
		ids = r.Form.Get("id")
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(f(ids)))}, nil
}

func uids(d *entrez.Docs) (ids []string) {
	for _, doc := range d.Items {
		ids = append(ids, doc.UID)
	}
	return ids
}

// A record that is too large alone is a named gap between the others.
func TestASummaryTooLargeAloneIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		c := entrez.New(over(t, summariesOf(func(ids string) string {
			requests++
			if strings.Contains(ids, "13") || strings.Contains(ids, ",") {
				return tooLargeReply
			}
			return fmt.Sprintf(`{"header":{},"result":{"uids":[%q],%q:{"uid":%q}}}`, ids, ids, ids)
		})))
		docs, err := c.Docs(t.Context(), "clinvar", []string{"11", "12", "13", "14"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "summaries", uids(docs), []string{"11", "12", "14"})
		equal(t, "too large", docs.TooLarge, []string{"13"})
		equal(t, "missing", docs.Missing, []string{})
		equal(t, "requests", requests, 7)
		if err := docs.Unread(); !httpclient.IsKind(err, httpclient.Upstream) || !strings.Contains(err.Error(), "13") {
			t.Errorf("Unread = %v, want an upstream error that names 13", err)
		}
		if _, err := c.Summaries(t.Context(), []string{"13"}); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("Summaries of 13: %v, want an upstream error", err)
		}
	})
}
