package corpus_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/rag/lsa"
	"biomcp/store"
)

// embeddingService simulates Text Embeddings Inference for this package.
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

// While the embedding service is down, even before its model is known, the corpus is
// searched by words alone; every format says so, and the service is asked once.
func TestCorpusSearchWithoutItsEmbeddingService(t *testing.T) {
	var requests atomic.Int64
	srv := embeddingService(t, "acme/small", &requests)
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	app.Env.Embeddings, app.Env.HFURL = "hf", srv.URL
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	const line = "search corpus ergothioneine"
	if out, _, code := clitest.RunForPerson(t, app, line); code != 0 || strings.Contains(out, "words alone") {
		t.Fatalf("with the service: %s", out)
	}
	other := commandtest.NCBI(t, commandtest.PubMed(t)) // a process that does not know the model's name yet
	other.Env = app.Env
	var asked atomic.Int64
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer down.Close()
	other.Env.HFURL = down.URL
	const notice = "the search by meaning failed, so the search was by words alone: embeddings: hf at 127.0.0.1"
	if out, _, code := clitest.RunForPerson(t, other, line); code != 0 || !strings.Contains(out, notice) || !strings.Contains(out, "Ergothioneine") {
		t.Errorf("at a terminal: exit %d, %s", code, out)
	}
	if out, errs, code := clitest.RunForPerson(t, other, line+" --json"); code != 0 || !strings.Contains(errs, notice) || strings.Contains(out, "words alone") {
		t.Errorf("as JSON: exit %d, %s, on standard error %s", code, out, errs)
	}
	if r := clitest.AskAgent(t, other, line, false); r.IsError || !strings.Contains(r.Text, notice) {
		t.Errorf("over MCP: %+v", r)
	}
	if r := clitest.AskAgent(t, other, line, true); r.IsError || !strings.Contains(strings.Join(r.Notices, "\n"), notice) {
		t.Errorf("over MCP, as JSON: %+v", r)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("a dead service was asked %d times, by four searches", n)
	}
}

// A service whose model differs from the corpus is rejected once it has named its model.
func TestCorpusSearchWithAnotherModel(t *testing.T) {
	var requests atomic.Int64
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	app.Env.Embeddings, app.Env.HFURL = "hf", embeddingService(t, "acme/small", &requests).URL
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	other := commandtest.NCBI(t, commandtest.PubMed(t))
	other.Env = app.Env
	other.Env.HFURL = embeddingService(t, "acme/large", &requests).URL
	out, errs, code := clitest.RunForPerson(t, other, "search corpus ergothioneine --json")
	if code != 1 || !strings.Contains(out+errs, "INVARIANT_FAILURE") || !strings.Contains(out+errs, "hf acme/large") {
		t.Errorf("exit %d, %s %s", code, out, errs)
	}
}

// Vectors of an older program version are not used: the search is by words alone, names the
// command that remakes them, and is complete after it.
func TestCorpusSearchWithVectorsOfAnotherVersion(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+manyRecords(t)); code != 0 {
		t.Fatal(text)
	}
	corpus, err := app.CorpusToWrite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	models, err := corpus.Models(t.Context())
	if err != nil || len(models) != 1 {
		t.Fatalf("%v, %v", models, err)
	}
	header := map[string][]byte{"": {lsa.Version + 1, 2, 28, 60, 100}}
	if err := corpus.PutModelRows(t.Context(), models[0].ID, maps.All(header)); err != nil {
		t.Fatal(err)
	}
	const line, notice = "search corpus cataract", "the vectors were made by another version of the program; the owner of the corpus can rebuild them with biomcp sync embeddings"
	if out, _, code := clitest.RunForPerson(t, app, line); code != 0 || !strings.Contains(out, notice) || !strings.Contains(out, "pmid:") {
		t.Errorf("at a terminal: exit %d, %s", code, out)
	}
	if _, errs, code := clitest.RunForPerson(t, app, line+" --json"); code != 0 || !strings.Contains(errs, notice) {
		t.Errorf("as JSON: exit %d, on standard error %s", code, errs)
	}
	if r := clitest.AskAgent(t, app, line, false); r.IsError || !strings.Contains(r.Text, notice) {
		t.Errorf("over MCP: %+v", r)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync embeddings"); code != 0 || !strings.Contains(text, "60") {
		t.Fatal(text)
	}
	if out, errs, code := clitest.RunForPerson(t, app, line); code != 0 || strings.Contains(out+errs, notice) {
		t.Errorf("with new vectors: exit %d, %s", code, out)
	}
}

// manyRecords writes a file of sixty synthetic records, enough to fit the corpus's own model.
func manyRecords(t *testing.T) string {
	var text strings.Builder
	text.WriteString("<PubmedArticleSet>")
	topics := [][]string{{"cataract", "lens", "opacity"}, {"insulin", "glucose", "diabetes"}, {"asthma", "bronchus", "airway"}}
	for i := range 60 {
		words := topics[i%3]
		fmt.Fprintf(&text, "<PubmedArticle><MedlineCitation><PMID Version=\"1\">%d</PMID><Article><ArticleTitle>%s in ward %d</ArticleTitle><Abstract><AbstractText>We saw %s and %s.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>",
			100+i, words[i/3%3], i%7, words[(i+1)%3], words[i/9%3])
	}
	text.WriteString("</PubmedArticleSet>")
	path := filepath.Join(t.TempDir(), "records.xml")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The corpus's own vectors are compared in addition to those of a service; every format shows
// all three searches, and that the service is down.
func TestCorpusSearchByThreeSearches(t *testing.T) {
	var requests atomic.Int64
	srv := embeddingService(t, "acme/small", &requests)
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	app.Env.Embeddings, app.Env.HFURL = "hf", srv.URL
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+manyRecords(t)); code != 0 || !strings.Contains(text, "hf acme/small, and of local-") {
		t.Fatal(text)
	}
	const line = "search corpus cataract lens --explain --top-k 3"
	out, _, code := clitest.RunForPerson(t, app, line)
	for _, want := range []string{"hf acme/small, and local-", "0.33 × words + 0.33 × meaning + 0.33 × the corpus's own vectors", "Corpus's own vectors", "Made of", "; has cataract", "Compared with:** by vectors the query and, as much, the documents that come first: "} {
		t.Run(want, func(t *testing.T) {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%q is missing: exit %d, %s", want, code, out)
			}
		})
	}
	out, _, _ = clitest.RunForPerson(t, app, line+" --json")
	var explained struct {
		Shares  struct{ Words, Model, Local float64 }
		Again   []int `json:"first"`
		Results []struct {
			Sim      *float64
			LocalSim *float64 `json:"local_sim"`
			BM25     *float64
			Words    float64 `json:"words_scaled"`
			Near     float64 `json:"near_scaled"`
			Local    float64 `json:"local_scaled"`
			Fused    float64
		}
	}
	if err := json.Unmarshal([]byte(out), &explained); err != nil || len(explained.Results) != 3 || len(explained.Again) != 5 {
		t.Fatalf("%v: %s", err, out)
	}
	for i, r := range explained.Results {
		sum := explained.Shares.Words*r.Words + explained.Shares.Model*r.Near + explained.Shares.Local*r.Local
		if r.LocalSim == nil || r.Sim == nil || math.Abs(sum-r.Fused) > 1e-5 {
			t.Errorf("result %d: %+v do not add up to %g", i, r, sum)
		}
	}
	srv.Close()
	other := commandtest.NCBI(t, commandtest.PubMed(t))
	other.Env = app.Env
	const notice = "the search by the vectors of the service failed, so the search was by words and by the corpus's own vectors: "
	if out, _, code := clitest.RunForPerson(t, other, line); code != 0 || !strings.Contains(out, notice) || !strings.Contains(out, "pmid:") || !strings.Contains(out, "0.50 × words + 0.50 × the corpus's own vectors") {
		t.Errorf("without the service: exit %d, %s", code, out)
	}
	if r := clitest.AskAgent(t, other, line, true); r.IsError || !strings.Contains(r.Text, notice) {
		t.Errorf("over MCP: %+v", r)
	}
}

// A damaged row of the corpus's own model, which a small corpus stores once, makes the search one by words that
// says so at every door and names the repair. Then the model is made again.
func TestDamagedModelIsRepaired(t *testing.T) {
	app := commandtest.Disk(t)
	path := manyRecords(t)
	records, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(records)
	for i := range 60 { // so that the row of cataract is on another page than the first row
		text = strings.Replace(text, "We saw", fmt.Sprintf("Aab%[1]dx aac%[1]dx aad%[1]dx aae%[1]dx aaf%[1]dx found", i), 1)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+path)
	corpus, err := app.CorpusToWrite(t.Context()) // its Close moves the log into the file
	if err != nil {
		t.Fatal(err)
	}
	models, err := corpus.Models(t.Context())
	if err != nil || len(models) != 1 {
		t.Fatalf("models: %+v, %v, want 1", models, err)
	}
	rows, err := corpus.ModelRows(t.Context(), models[0].ID, []string{"cataract"})
	if err = errors.Join(err, corpus.Close()); err != nil {
		t.Fatal(err)
	}
	dir, err := app.CorpusDir()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, store.FileName)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(file, rows["cataract"]); n != 1 {
		t.Fatalf("the row is %d times in the file, want once", n)
	}
	file[bytes.Index(file, rows["cataract"])+30] ^= 1
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	env := app.Env
	app = commandtest.Disk(t) // the first one has the closed corpus
	app.Env = env
	everyDoor(t, app, "search corpus cataract", "the search was by words alone: store: read model: the file is damaged; "+
		"the owner of the corpus can repair it with biomcp sync repair")
	clitest.Answer(t, app, command.Person, "sync repair")
	clitest.Answer(t, app, command.Person, "sync embeddings")
	if out := clitest.Answer(t, app, command.Agent, "search corpus cataract --explain"); !strings.Contains(out, "**Model:** local-") {
		t.Errorf("after the repair: %s", out)
	}
}
