package corpus_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// engineServer simulates the part of a Weaviate server that a sync needs. It finds nothing by
// words. By vectors it ranks PMID 103 before 100, by the corpus's own vectors PMID 106.
type engineServer struct {
	*httptest.Server
	mu     sync.Mutex
	locked bool // rejects every key
	class  []byte
	first  map[string]bool // first chunks of documents
}

func newEngineServer(t *testing.T) *engineServer {
	e := &engineServer{first: map[string]bool{}}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		text := string(body)
		switch call := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/v1"); {
		case e.locked:
			w.WriteHeader(http.StatusUnauthorized)
		case call == "POST /schema" || strings.HasPrefix(call, "PUT /schema/"):
			e.class = body
		case strings.HasPrefix(call, "GET /schema/") && e.class == nil:
			w.WriteHeader(http.StatusNotFound)
		case strings.HasPrefix(call, "DELETE /schema/"):
			e.class, e.first = nil, map[string]bool{}
		case strings.HasPrefix(call, "GET /schema/"):
			_, _ = w.Write(e.class)
		case call == "GET /nodes":
			fmt.Fprint(w, `{"nodes":[{}]}`)
		case call == "POST /batch/objects":
			var batch struct {
				Objects []struct {
					ID         string
					Properties struct{ Ordinal int }
				}
			}
			if err := json.Unmarshal(body, &batch); err != nil {
				t.Error(err)
			}
			var list []string
			for _, o := range batch.Objects {
				if o.Properties.Ordinal == 0 {
					e.first[o.ID] = true
				}
				list = append(list, fmt.Sprintf(`{"id":%q,"result":{"status":"SUCCESS"}}`, o.ID))
			}
			fmt.Fprintf(w, "[%s]", strings.Join(list, ","))
		case call == "POST /graphql" && strings.Contains(text, "meta"):
			fmt.Fprintf(w, `{"data":{"Aggregate":{"all":[{"meta":{"count":%d}}]}}}`, len(e.first))
		case call == "POST /graphql" && strings.Contains(text, "targetVectors"):
			pmid := 103
			if strings.Contains(text, "local") {
				pmid = 106
			}
			fmt.Fprintf(w, `{"data":{"Get":{"hits":[{"pmid":"%d","chunk_id":"s0","_additional":{"distance":0.25}},{"pmid":"100","chunk_id":"s0","_additional":{"distance":0.5}}]}}}`, pmid)
		case call == "POST /graphql":
			fmt.Fprint(w, `{"data":{"Get":{"hits":[]},"Aggregate":{"all":[{"length":{"count":0,"sum":0}}]}}}`)
		default:
			t.Errorf("an unexpected %s: %s", call, text)
		}
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *engineServer) lock(on bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.locked = on
}

// everyDoor checks that a search prints a text for every policy and format.
func everyDoor(t *testing.T, app *command.App, line, notice string) {
	t.Helper()
	if out, _, code := clitest.RunForPerson(t, app, line); code != 0 || !strings.Contains(out, notice) {
		t.Errorf("at a terminal: exit %d, %s", code, out)
	}
	if out, errs, code := clitest.RunForPerson(t, app, line+" --json"); code != 0 || !strings.Contains(errs, notice) || strings.Contains(out, "engine") {
		t.Errorf("as JSON: exit %d, %s, on standard error %s", code, out, errs)
	}
	if r := clitest.AskAgent(t, app, line, false); r.IsError || !strings.Contains(r.Text, notice) {
		t.Errorf("over MCP: %+v", r)
	}
	if r := clitest.AskAgent(t, app, line, true); r.IsError || !strings.Contains(strings.Join(r.Notices, "\n"), notice) {
		t.Errorf("over MCP, as JSON: %+v", r)
	}
}

// While the engine is down, the corpus file is searched, and every format says so.
func TestCorpusSearchWithoutItsEngine(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	const line = "search corpus ergothioneine"
	alone, _, _ := clitest.RunForPerson(t, app, line)
	gone := httptest.NewServer(nil)
	gone.Close()
	app.Env.Index, app.Env.WeaviateURL = "weaviate", gone.URL
	began := time.Now()
	out, _, _ := clitest.RunForPerson(t, app, line)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
	if _, hits, _ := strings.Cut(alone, "## 1."); hits == "" || !strings.HasSuffix(out, hits) {
		t.Errorf("other hits than in the corpus file:\n%s", out)
	}
	everyDoor(t, app, line, "the engine could not be used, so the corpus file was searched: Weaviate, ")
}

// An engine that was down during an import is behind afterwards. Searches, health and sync
// report by how much until the suggested command has run.
func TestAnEngineThatLacksDocuments(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	engine := newEngineServer(t)
	app.Env.Index, app.Env.WeaviateURL = "weaviate", engine.URL
	const line, lacks = "search corpus ergothioneine", "the engine lacks "
	engine.lock(true)
	out, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)+" --json")
	if code != 1 || !strings.Contains(out, lacks) || !strings.Contains(out, "biomcp sync index") {
		t.Fatalf("sync: exit %d, %s", code, out)
	}
	everyDoor(t, app, line, "the engine could not be used")
	engine.lock(false)
	everyDoor(t, app, line, lacks) // the engine has no class yet
	if out, _ := clitest.Ask(t, app, command.Person, "health --json"); !strings.Contains(out, `"behind"`) || !strings.Contains(out, lacks) {
		t.Errorf("health: %s", out)
	}
	if out, code := clitest.Ask(t, app, command.Person, "sync index"); code != 0 {
		t.Fatal(out)
	}
	if out, _, code := clitest.RunForPerson(t, app, line); code != 0 || strings.Contains(out, lacks) {
		t.Errorf("after sync index: exit %d, %s", code, out)
	}
	if out, _ := clitest.Ask(t, app, command.Person, "health --json"); strings.Contains(out, lacks) {
		t.Errorf("health after sync index: %s", out)
	}
	engine.mu.Lock()
	for id := range engine.first {
		if len(engine.first) > 1 {
			delete(engine.first, id)
		}
	}
	engine.mu.Unlock()
	everyDoor(t, app, line, "the engine lacks 3 documents: the owner of the corpus can send them with biomcp sync index")
}

// With an engine and an embedding service an answer has all three searches. If another
// program version filled the engine, searches name the command that refills it.
func TestAnEngineHasTheCorpussOwnVectorsToo(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	engine := newEngineServer(t)
	app.Env.Index, app.Env.WeaviateURL = "weaviate", engine.URL
	app.Env.Embeddings, app.Env.HFURL = "hf", embeddingService(t, "acme/small", new(atomic.Int64)).URL
	if out, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+manyRecords(t)); code != 0 {
		t.Fatal(out)
	}
	const line = "search corpus cataract --explain"
	all := func() {
		t.Helper()
		out, _, code := clitest.RunForPerson(t, app, line)
		for _, want := range []string{"acme/small, and local-", "0.33 × words + 0.33 × meaning + 0.33 × the corpus's own vectors", "pmid:103", "pmid:106", "0.33 × 0.000 + 0.33 × 1.000) × 1.0"} {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%q is missing: exit %d, %s", want, code, out)
			}
		}
	}
	all()
	engine.mu.Lock()
	engine.class = []byte(strings.ReplaceAll(string(engine.class), `\"layout\":1`, `\"layout\":2`))
	engine.mu.Unlock()
	if text, code := clitest.Ask(t, app, command.Agent, "search corpus cataract"); code != 1 || !strings.Contains(text, "has layout 2, and this program knows layout 1: update biomcp, or make the class again with biomcp sync index") {
		t.Errorf("exit %d: %s", code, text)
	}
	if out, code := clitest.Ask(t, app, command.Person, "sync index"); code != 0 || !strings.Contains(out, "60") {
		t.Fatal(out)
	}
	all()
}
