package weaviate

import (
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

// A server that takes 40 ms for each object is given each object once.
func TestObjectsAreNotSentAgainToASlowServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		f := &fake{t: t, answer: func(f *fake, r *http.Request, body string) *http.Response {
			if r.URL.Path != "/v1/batch/objects" {
				return nil
			}
			var batch struct{ Objects []struct{ ID string } }
			if err := json.Unmarshal([]byte(body), &batch); err != nil {
				t.Error(err)
			}
			sent.Add(int64(len(batch.Objects)))
			select {
			case <-time.After(time.Duration(len(batch.Objects)) * 40 * time.Millisecond):
				return nil
			case <-r.Context().Done():
				return noReply
			}
		}}
		x, err := New(Config{URL: "http://127.0.0.1:1", HTTP: f})
		if err != nil {
			t.Fatal(err)
		}
		const n = 300
		var docs []*store.Document
		for pmid := record.PMID(1); pmid <= n; pmid++ {
			docs = append(docs, &store.Document{PMID: pmid, PMIDVersion: 1, LR: "2024-05-11", Chunks: []store.Chunk{{ID: "w0", Text: "x"}}})
		}
		if err := x.Put(t.Context(), docs); err != nil {
			t.Fatal(err)
		}
		if sent.Load() != n {
			t.Errorf("%d objects were sent %d times", n, sent.Load())
		}
	})
}
