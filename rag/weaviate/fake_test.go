package weaviate

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

const secret = "s3cret-key"

// fake is a simulated server.
type fake struct {
	t      *testing.T
	answer func(f *fake, r *http.Request, body string) *http.Response // nil: usual

	mu    sync.Mutex
	calls []string // method and path of each request
}

func (f *fake) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	f.mu.Lock()
	f.calls = append(f.calls, r.Method+" "+r.URL.Path)
	f.mu.Unlock()
	if f.answer != nil {
		if reply := f.answer(f, r, string(body)); reply != nil {
			if reply == noReply {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return reply, nil
		}
	}
	return f.usual(r, string(body)), nil
}

// noReply makes the fake wait until the request is cancelled.
var noReply = &http.Response{}

// usual answers like a server with our class and no objects.
func (f *fake) usual(r *http.Request, body string) *http.Response {
	switch path := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/v1"); {
	case path == "GET /schema/"+DefaultClass:
		class, err := json.Marshal((&Index{class: DefaultClass}).newClass(2, 0, 1))
		if err != nil {
			f.t.Error(err)
		}
		return reply(200, string(class))
	case path == "POST /graphql" && strings.Contains(body, "{there:"):
		return reply(200, `{"data":{"Get":{"there":[]}}}`)
	case path == "POST /batch/objects":
		var batch struct{ Objects []struct{ ID string } }
		if err := json.Unmarshal([]byte(body), &batch); err != nil {
			f.t.Error(err)
		}
		var list []string
		for _, o := range batch.Objects {
			list = append(list, `{"id":"`+o.ID+`","result":{"status":"SUCCESS"}}`)
		}
		return reply(200, "["+strings.Join(list, ",")+"]")
	}
	f.t.Errorf("an unexpected %s %s: %s", r.Method, r.URL, body)
	return reply(500, "")
}

func (f *fake) count(call string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.calls {
		if c == call {
			n++
		}
	}
	return n
}

func reply(status int, body string, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(bytes.NewBufferString(body))}
}

// graphqlIs answers every GraphQL query with body, and other requests as usual.
func graphqlIs(body string) func(*fake, *http.Request, string) *http.Response {
	return func(_ *fake, r *http.Request, _ string) *http.Response {
		if r.URL.Path == "/v1/graphql" {
			return reply(200, body)
		}
		return nil
	}
}

// faked returns an index on a fake server.
func faked(t *testing.T, answer func(*fake, *http.Request, string) *http.Response) (*Index, *fake) {
	t.Helper()
	f := &fake{t: t, answer: answer}
	x, err := New(Config{URL: "http://weaviate.test:8080", APIKey: secret, Model: "m", Dim: 2, HTTP: f})
	if err != nil {
		t.Fatal(err)
	}
	return x, f
}

// wantKind fails the test if err is of another kind, contains the key, or lacks one
// of the words.
func wantKind(t *testing.T, err error, k Kind, words ...string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Kind != k {
		t.Fatalf("error %v, want one of kind %s", err, k)
	}
	if got := errors.Is(err, rag.ErrNoIndex); got != (k == Missing) {
		t.Errorf("error %v is ErrNoIndex: got %v, want %v", err, got, k == Missing)
	}
	if strings.Contains(err.Error(), secret) {
		t.Errorf("the error contains the key: %v", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not contain %q", err, w)
		}
	}
}

// docsOf returns documents with vectors of the dimension of the fake's class.
func docsOf(n int) []*store.Document {
	docs := ragtest.Documents(n)
	for _, d := range docs {
		for i := range d.Chunks {
			d.Chunks[i].Vector = []float32{1, 0}
		}
	}
	return docs
}
