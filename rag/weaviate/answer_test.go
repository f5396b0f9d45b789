package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/weaviate/weaviate/entities/models"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

func TestMalformedRepliesAreErrors(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		kind Kind
		says string
	}{
		"a page":           {`<html>Welcome</html>`, Failed, "not Weaviate"},
		"truncated":        {`{"data":{"Get":{"hits":[{"pmid":`, Failed, "truncated"},
		"nothing":          {`{}`, Failed, "lacks"},
		"null":             {`{"data":null}`, Failed, "lacks"},
		"other kinds":      {`{"data":{"Get":[],"Aggregate":7}}`, Failed, "has no"},
		"no list":          {`{"data":{"Get":{"hits":{}}}}`, Failed, "no list"},
		"no objects":       {`{"data":{"Get":{"hits":["a"]}}}`, Failed, "not objects"},
		"refused":          {`{"errors":[{"message":"invalid where filter"}]}`, Rejected, "invalid where filter"},
		"half refused":     {`{"data":{"Get":{"hits":null}},"errors":[{"message":"shard x: corrupt"}]}`, Rejected, "corrupt"},
		"no such class":    {`{"errors":[{"message":"Cannot query field \"PubMedChunk\" on type \"GetObjectsObj\"."}]}`, Missing, DefaultClass},
		"an unnamed cause": {`{"errors":[{}]}`, Rejected, "no reason"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				x, _ := faked(t, graphqlIs(test.body))
				wantKind(t, search(x, t.Context()), test.kind, test.says)
			})
		})
	}
}

// A cluster that is losing a node reports temporary failures with status 200.
func TestTemporaryErrorsInRepliesAreRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x, f := faked(t, func(f *fake, r *http.Request, _ string) *http.Response {
			switch {
			case r.URL.Path != "/v1/graphql":
				return nil
			case f.count("POST /v1/graphql") < 3:
				return reply(200, `{"errors":[{"message":"shard a: connect: connection refused"}]}`)
			}
			return reply(200, noHits)
		})
		if err := search(x, t.Context()); err != nil || f.count("POST /v1/graphql") != 3 {
			t.Errorf("%v after %d requests", err, f.count("POST /v1/graphql"))
		}
	})
}

// Objects that this program did not write are ignored, and 32-bit numbers are exact.
func TestHitsAreReadFromReplies(t *testing.T) {
	x, _ := faked(t, graphqlIs(`{"data":{"Get":{"hits":[
		{"pmid":"4294967295","chunk_id":"s1_2","ordinal":3,"date":20240511,"facts":4294967295,"_additional":{"distance":0.25}},
		{"pmid":"x","chunk_id":"s0","_additional":{"distance":0.1}}, {"pmid":"7","_additional":{"distance":0.1}}, {}]}}}`))
	hits, exact, err := x.SearchVectors(t.Context(), []float32{1, 0}, store.Filter{}, 10)
	want := store.Hit{PMID: 4294967295, Ordinal: 3, ChunkID: "s1_2", Score: 0.75, Date: 20240511, Facts: 4294967295}
	if err != nil || exact || len(hits) != 1 || !reflect.DeepEqual(hits[0], want) {
		t.Errorf("%+v, exact %v, %v", hits, exact, err)
	}
}

// A server stores only some objects of a batch.
func TestObjectsThatWereNotStoredAreSentAgain(t *testing.T) {
	docs := ragtest.Documents(3)
	for _, d := range docs {
		d.Chunks = d.Chunks[:1]
		d.Chunks[0].Vector = []float32{1, 0}
	}
	for name, test := range map[string]struct {
		second string // what the second object of the first batch gets
		kind   Kind   // "": all objects are stored in the end
		sent   []int  // objects in each request
	}{
		"taken":       {`{"status":"SUCCESS"}`, "", []int{3}},
		"in passing":  {`{"errors":{"error":[{"message":"cannot reach enough replicas"}]}}`, "", []int{3, 1}},
		"for good":    {`{"errors":{"error":[{"message":"invalid property"}]}}`, Rejected, []int{3}},
		"without why": {`{"status":"FAILED"}`, Rejected, []int{3}},
		"missing":     {``, Rejected, []int{3}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sent []int
				x, _ := faked(t, func(_ *fake, r *http.Request, body string) *http.Response {
					if r.URL.Path != "/v1/batch/objects" {
						return nil
					}
					var batch struct{ Objects []models.Object }
					if err := json.Unmarshal([]byte(body), &batch); err != nil {
						t.Error(err)
					}
					var list []string
					for i, o := range batch.Objects {
						result := `{"status":"SUCCESS"}`
						if i == 1 {
							result = test.second
						}
						if result != "" {
							list = append(list, fmt.Sprintf(`{"id":%q,"result":%s}`, o.ID, result))
						}
					}
					sent = append(sent, len(batch.Objects))
					return reply(200, "["+strings.Join(list, ",")+"]")
				})
				err := x.Put(t.Context(), docs)
				if test.kind != "" {
					wantKind(t, err, test.kind, "1 of 3")
				} else if err != nil {
					t.Error(err)
				}
				if fmt.Sprint(sent) != fmt.Sprint(test.sent) {
					t.Errorf("sent %v, want %v", sent, test.sent)
				}
			})
		})
	}
}

func TestVectorsOfTheWrongDimensionAreRejected(t *testing.T) {
	x, f := faked(t, nil)
	docs := ragtest.Documents(1)
	for i := range docs[0].Chunks {
		docs[0].Chunks[i].Vector = make([]float32, 3)
	}
	wantKind(t, x.Put(t.Context(), docs), Invariant, "1000", "dimension 3")
	_, _, err := x.SearchVectors(t.Context(), []float32{1, 0, 0}, store.Filter{}, 10)
	wantKind(t, err, Invariant, "dimension 3")
	if f.count("POST /v1/batch/objects") != 0 {
		t.Error("some of it was sent")
	}
	_, _, err = x.SearchVectors(t.Context(), []float32{1, 0}, store.Filter{From: "soon"}, 10)
	wantKind(t, err, Invalid, "soon")
}

func TestDeleteIsRepeatedUntilNothingMatches(t *testing.T) {
	for name, test := range map[string]struct {
		replies []string
		kind    Kind
	}{
		"all at once": {[]string{`{"matches":3,"limit":10000,"successful":3,"failed":0}`}, ""},
		"in parts":    {[]string{`{"matches":10,"limit":10,"successful":10,"failed":0}`, `{"matches":2,"limit":10,"successful":2,"failed":0}`}, ""},
		"failing": {[]string{`{"matches":1,"limit":10,"successful":0,"failed":1,"objects":[{"errors":{"error":[{"message":"no replica"}]}}]}`,
			`{"matches":1,"limit":10,"successful":1,"failed":0}`}, ""},
		"failing for good": {[]string{`{"matches":1,"limit":10,"successful":0,"failed":1}`, `{"matches":1,"failed":1}`, `{"failed":1}`, `{"failed":1}`}, Failed},
		"empty":            {[]string{``}, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				left := test.replies
				x, _ := faked(t, func(_ *fake, r *http.Request, _ string) *http.Response {
					if r.Method != http.MethodDelete {
						return nil
					}
					if len(left) == 0 {
						t.Error("asked once more")
						return reply(500, "")
					}
					body := "{}"
					if left[0] != "" {
						body = `{"results":` + left[0] + `}`
					}
					left = left[1:]
					return reply(200, body)
				})
				err := x.Delete(context.Background(), []record.PMID{1, 2})
				if test.kind != "" {
					wantKind(t, err, test.kind)
				} else if err != nil {
					t.Error(err)
				}
				if len(left) > 0 {
					t.Errorf("%d answers were not asked for", len(left))
				}
			})
		})
	}
}

func TestEqualScoresComeInOrderOfPMID(t *testing.T) {
	x, f := faked(t, func(_ *fake, r *http.Request, body string) *http.Response {
		if r.URL.Path != "/v1/graphql" {
			return nil
		}
		var limit int
		if at := strings.Index(body, "limit:"); at < 0 {
			t.Error("no limit")
		} else if _, err := fmt.Sscanf(body[at:], "limit:%d", &limit); err != nil {
			t.Error(err)
		}
		var list []string
		for i := range limit {
			list = append(list, fmt.Sprintf(`{"pmid":"%d","chunk_id":"s0","_additional":{"score":"1.5"}}`, 15-i+1000*(i/15)))
		}
		return reply(200, `{"data":{"Get":{"hits":[`+strings.Join(list, ",")+`]}}}`)
	})
	hits, err := x.Words(t.Context(), store.Term{Text: "heart"}, store.Filter{}, 10)
	if err != nil || len(hits) != 10 || f.count("POST /v1/graphql") != 1 {
		t.Fatal(len(hits), err)
	}
	for i, h := range hits {
		if h.PMID != record.PMID(i+1) || h.Score != 1.5 {
			t.Errorf("hit %d is %+v", i, h)
		}
	}
}

// A condition on documents is checked on all passages of each candidate's document.
func TestConditionsOnDocumentsReadAllPassages(t *testing.T) {
	chunk := func(pmid, ordinal int, terms string) string {
		return fmt.Sprintf(`{"pmid":"%d","chunk_id":"w%d","ordinal":%d,"terms":"%s","length":2}`, pmid, ordinal, ordinal, terms)
	}
	x, f := faked(t, func(_ *fake, r *http.Request, body string) *http.Response {
		switch {
		case r.URL.Path != "/v1/graphql":
			return nil
		case strings.Contains(body, "Aggregate"):
			return reply(200, `{"data":{"Aggregate":{"all":[{"length":{"sum":10},"meta":{"count":5},"`+propLength+`":{"count":5,"sum":10}}]},"Get":{}}}`)
		case strings.Contains(body, "hits"):
			return reply(200, `{"data":{"Get":{"hits":[`+chunk(1, 0, "heart old")+`,`+chunk(2, 0, "heart new")+`]}}}`)
		}
		return reply(200, `{"data":{"Get":{"chunks":[`+strings.Join([]string{chunk(1, 0, "heart old"), chunk(1, 1, "aura x"),
			chunk(2, 0, "heart new"), chunk(2, 1, "mouse x")}, ",")+`]}}}`)
	})
	q := rag.ParseQuery(analyze.New(), "heart NOT aura").Lexical
	hits, err := x.Words(t.Context(), q, store.Filter{}, 10)
	if err != nil || len(hits) != 1 || hits[0].PMID != 2 {
		t.Errorf("%+v, %v after %d requests, want the passage of document 2", hits, err, f.count("POST /v1/graphql"))
	}
}
