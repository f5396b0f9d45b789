package corpus_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/rag/static/statictest"
)

// A table of token vectors finds documents that share no word with the query. Without the
// table, or with another one, its vectors are rejected, and sync embeddings remakes them.
func TestCorpusSearchWithATableOfTokenVectors(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	tokens := []string{"cataract", "lens", "insulin", "glucose", "asthma", "eye"}
	rows := [][]float32{{1, 0, 0}, {1, 0, 0.1}, {0, 1, 0}, {0, 1, 0.1}, {0, 0, 1}, {1, 0.1, 0}}
	table := statictest.Write(t, tokens, rows)
	app.Env.Embeddings, app.Env.EmbeddingsModel = "static", table
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+manyRecords(t)); code != 0 || !strings.Contains(text, "+table-") {
		t.Fatal(text)
	}
	const line = "search corpus eye --top-k 1"
	if out, _, code := clitest.RunForPerson(t, app, line); code != 0 || !strings.Contains(out, "cataract") && !strings.Contains(out, "lens") {
		t.Errorf("exit %d, %s", code, out)
	}
	rows[5] = []float32{0, 0, 1}
	for name, settings := range map[string][2]string{
		"none":    {"local", ""},
		"another": {"static", filepath.Join(statictest.Write(t, tokens, rows), "model.safetensors")},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			other := commandtest.NCBI(t, commandtest.PubMed(t))
			other.Env = app.Env
			other.Env.Embeddings, other.Env.EmbeddingsModel = settings[0], settings[1]
			if out, errs, code := clitest.RunForPerson(t, other, line); code != 1 || !strings.Contains(out+errs, "biomcp sync embeddings") {
				t.Errorf("%s: exit %d, %s %s", name, code, out, errs)
			}
		})
	}
	app = commandtest.NCBI(t, commandtest.PubMed(t))
	for model, want := range map[string]string{"": "requires BIOMCP_EMBEDDINGS_MODEL", filepath.Dir(table): "has no .safetensors file"} {
		t.Run(fmt.Sprintf("%.60s", model), func(t *testing.T) {
			app.Env.Embeddings, app.Env.EmbeddingsModel = "static", model
			text, code := clitest.Ask(t, app, command.Person, "sync embeddings")
			if code != 2 || !strings.Contains(text, want) || model != "" && strings.Contains(text, model) {
				t.Errorf("%q: exit %d, %s", model, code, text)
			}
		})
	}
}
