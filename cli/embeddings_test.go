package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// embeddingService is Text Embeddings Inference for the tests of this package.
func embeddingService(t *testing.T, model string, requests *atomic.Int64) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/info" {
			fmt.Fprintf(w, `{"model_id":%q}`, model)
			return
		}
		var q struct{ Inputs []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		vectors := make([][]float32, len(q.Inputs))
		for i, text := range q.Inputs {
			vectors[i] = []float32{1, float32(len(text) % 7)}
		}
		if err := json.NewEncoder(w).Encode(vectors); err != nil {
			t.Log(err)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// shown are the two streams of a command.
func shown(t *testing.T, app *command.App, line string) (stdout, stderr string, code int) {
	t.Helper()
	c := parse(NewTree(), split(t, line), command.Person)
	out := c.run(t.Context(), app, command.IO{})
	var o, e bytes.Buffer
	if err := result.Render(&o, &e, out, result.Format{JSON: c.json}); err != nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), exit(out)
}

// With its embedding service dead, though nobody has named its model, the corpus
// is searched by words alone, which every door says; the service is asked once.
func TestCorpusSearchWithoutItsEmbeddingService(t *testing.T) {
	var requests atomic.Int64
	srv := embeddingService(t, "acme/small", &requests)
	app := ncbiApp(t, synthetic(t))
	app.Env.Embeddings, app.Env.HFURL = "hf", srv.URL
	if text, code := ask(t, app, command.Person, "sync pubmed --from "+sampleRecords); code != 0 {
		t.Fatal(text)
	}
	const line = "search corpus ergothioneine"
	if out, _, code := shown(t, app, line); code != 0 || strings.Contains(out, "words alone") {
		t.Fatalf("with the service: %s", out)
	}
	other := ncbiApp(t, synthetic(t)) // a process that has yet to learn the name of the model
	other.Env = app.Env
	var asked atomic.Int64
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer down.Close()
	other.Env.HFURL = down.URL
	const notice = "the search by meaning failed, this is a search by words alone: embeddings: hf at 127.0.0.1"
	if out, _, code := shown(t, other, line); code != 0 || !strings.Contains(out, notice) || !strings.Contains(out, "Ergothioneine") {
		t.Errorf("at a terminal: exit %d, %s", code, out)
	}
	if out, errs, code := shown(t, other, line+" --json"); code != 0 || !strings.Contains(errs, notice) || strings.Contains(out, "words alone") {
		t.Errorf("as JSON: exit %d, %s, on standard error %s", code, out, errs)
	}
	if r := agent(other)(t.Context(), split(t, line), false); r.IsError || !strings.Contains(r.Text, notice) {
		t.Errorf("over MCP: %+v", r)
	}
	if r := agent(other)(t.Context(), split(t, line), true); r.IsError || !strings.Contains(strings.Join(r.Notices, "\n"), notice) {
		t.Errorf("over MCP, as JSON: %+v", r)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("a dead service was asked %d times, by four searches", n)
	}
}

// A service that has another model than the corpus is refused, once it has said so.
func TestCorpusSearchWithAnotherModel(t *testing.T) {
	var requests atomic.Int64
	app := ncbiApp(t, synthetic(t))
	app.Env.Embeddings, app.Env.HFURL = "hf", embeddingService(t, "acme/small", &requests).URL
	if text, code := ask(t, app, command.Person, "sync pubmed --from "+sampleRecords); code != 0 {
		t.Fatal(text)
	}
	other := ncbiApp(t, synthetic(t))
	other.Env = app.Env
	other.Env.HFURL = embeddingService(t, "acme/large", &requests).URL
	out, errs, code := shown(t, other, "search corpus ergothioneine --json")
	if code != 1 || !strings.Contains(out+errs, "INVARIANT_FAILURE") || !strings.Contains(out+errs, "hf acme/large") {
		t.Errorf("exit %d, %s %s", code, out, errs)
	}
}
