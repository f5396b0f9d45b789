package command_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// An engine is a rag.Engine that stores nothing.
type engine struct {
	rag.Engine
	config rag.EngineConfig
}

func (engine) Local() rag.VectorSearcher { return nil }

// appOf returns an App with a corpus of two documents and the given settings.
func appOf(t *testing.T, pairs ...string) *command.App {
	t.Helper()
	app := &command.App{Env: env(pairs...).WithDirs(t.TempDir(), t.TempDir()), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		OpenEngine: func(c rag.EngineConfig) (rag.Engine, error) { return engine{config: c}, nil }}
	t.Cleanup(func() { equal(t, "close", app.Close(), nil) })
	s, err := app.CorpusToWrite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b := s.Begin("")
	for i, title := range []string{"Aspirin and stroke", "Insulin"} {
		d := &store.Document{PMID: record.PMID(i + 1), Title: title, Authors: []store.Author{{LastName: "Doe", Initials: "J"}}}
		rag.NewCutter().Cut(d)
		if err := b.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return app
}

func TestEngineOfTheEnvironment(t *testing.T) {
	app := appOf(t)
	s, err := app.Searcher(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, is := s.Index.(*rag.CorpusIndex); !is || s.Spare != nil {
		t.Errorf("embedded: got the index %T and the spare %v, want the corpus alone", s.Index, s.Spare)
	}
	app.Env.Index, app.Env.WeaviateURL, app.Env.WeaviateKey, app.Env.WeaviateClass = "weaviate", "http://w:1", "k", "C"
	if s, err = app.Searcher(t.Context(), time.Time{}); err != nil {
		t.Fatal(err)
	}
	got, is := s.Index.(engine)
	want := rag.EngineConfig{URL: "http://w:1", APIKey: "k", Class: "C", Timeout: command.SearchWait}
	if !is || got.config != want {
		t.Errorf("weaviate: got the index %+v, want an engine with %+v", s.Index, want)
	}
	if _, is := s.Spare.(*rag.CorpusIndex); !is {
		t.Errorf("weaviate: got the spare %T, want the corpus", s.Spare)
	}
	options, err := app.Intake(t.Context())
	equal(t, "error of a sync", err, nil)
	if _, is := options.Index.(engine); !is || options.Store == nil {
		t.Errorf("sync: got the index %T and the store %v, want an engine and the corpus", options.Index, options.Store)
	}
}

// An error for an invalid setting names its variable.
func TestSettingsOfTheCorpus(t *testing.T) {
	for want, change := range map[string]func(*command.Env){
		"BIOMCP_INDEX must be embedded or weaviate, not \"shoebox\"": func(e *command.Env) { e.Index = "shoebox" },
		"BIOMCP_INDEX=weaviate requires WEAVIATE_URL":                func(e *command.Env) { e.Index = "weaviate" },
		"BIOMCP_EMBEDDINGS must be local, static, openai or hf":      func(e *command.Env) { e.Embeddings = "magic" },
		"BIOMCP_EMBEDDINGS=static requires BIOMCP_EMBEDDINGS_MODEL":  func(e *command.Env) { e.Embeddings = "static" },
		"BIOMCP_EMBEDDINGS_MODEL: ":                                  func(e *command.Env) { e.Embeddings, e.EmbeddingsModel = "static", "/absent" },
	} {
		app := appOf(t)
		change(&app.Env)
		_, err := app.Searcher(t.Context(), time.Time{})
		refused(t, "search, "+want, err, want, "biomcp health")
		_, err = app.Intake(t.Context())
		refused(t, "sync, "+want, err, want, "biomcp health")
	}
	for provider, change := range map[string]func(*command.Env){
		"openai": func(e *command.Env) { e.OpenAIURL, e.OpenAIKey, e.EmbeddingsModel = "http://127.0.0.1:9", "k", "m" },
		"hf":     func(e *command.Env) { e.HFURL, e.EmbeddingsModel = "http://127.0.0.1:9", "m" },
	} {
		app := appOf(t)
		app.Env.Embeddings = provider
		change(&app.Env)
		first, table, err := app.Embeddings()
		second, _, _ := app.Embeddings()
		if err != nil || first == nil || first != second || table != nil {
			t.Errorf("%s: got %v, %v, %v, %v, want one service twice and no table", provider, first, second, table, err)
		}
	}
}

// A query is read with the tables of the program if there are no local ones.
func TestQueryOfTheCorpus(t *testing.T) {
	app := appOf(t)
	q := app.ReadQuery(t.Context(), "aspirin author:doe Stroke[mesh]")
	equal(t, "terms and what was read", []any{q.Terms, q.Reads}, "[[aspirin] aspirin doe[author] Stroke[MeSH heading]]")
	if _, err := app.Tables(t.Context()); !store.IsKind(err, store.NotFound) {
		t.Errorf("tables: got the error %v, want one of kind NotFound", err)
	}
	tables, err := app.TablesToWrite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	app.ReadQuery(context.Background(), "mesh:Stroke")
	first, err := app.Library()
	equal(t, "error of the library", err, nil)
	second, _ := app.Library()
	equal(t, "one library", first == second, true)
	app.Env.LibraryDir = ""
	dir, err := app.StudyDir()
	equal(t, "folder of the studies", strings.HasSuffix(dir, "studies") && err == nil, true)
}

// Without a home folder, each command that needs one names the variable that sets it.
func TestNoFolders(t *testing.T) {
	app := &command.App{Env: command.ReadEnv(func(string) (string, bool) { return "", false }, "test"), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	errs := map[string]error{}
	_, errs["BIOMCP_CACHE_DIR"] = app.Cache()
	_, errs["BIOMCP_DATA_DIR"] = app.Corpus(t.Context())
	for variable, err := range errs {
		refused(t, variable, err, "set "+variable, "biomcp health")
	}
	if _, err := app.Tables(t.Context()); !store.IsKind(err, store.NotFound) {
		t.Errorf("tables: got the error %v, want one of kind NotFound", err)
	}
	for name, open := range map[string]func() error{
		"library": func() error { _, err := app.Library(); return err }, "studies": func() error { _, err := app.StudyDir(); return err },
		"corpus": func() error { _, err := app.CorpusToWrite(t.Context()); return err }, "tables": func() error { _, err := app.TablesToWrite(t.Context()); return err },
	} {
		if open() == nil {
			t.Errorf("%s: got no error, want one", name)
		}
	}
	app.Network()
	equal(t, "no cache", app.Uncached(), true)
}

// Settings are found by other spellings of their names, and secrets are not shown.
func TestNamesOfSettings(t *testing.T) {
	e := env("NCBI_API_KEY", "secret", "BIOMCP_ENTREZ_URL", "http://me:word@x/", "XDG_DATA_HOME", "/d", "XDG_CACHE_HOME", "/c")
	equal(t, "folders", []string{e.DataDir, e.CacheDir}, []string{filepath.FromSlash("/d/biomcp"), filepath.FromSlash("/c/biomcp")})
	s, err := e.FindSetting("ncbi-api-key")
	equal(t, "a secret", []any{s.Name, s.Shown(s.Value), s.Origin, err}, []any{"NCBI_API_KEY", "set", command.FromEnvironment, nil})
	s, _ = e.FindSetting("biomcp_entrez_url")
	equal(t, "an address", s.Shown(s.Value), "http://me:xxxxx@x/")
	_, err = e.FindSetting("BIOMCP_INDX")
	refused(t, "a misspelling", err, "did you mean BIOMCP_INDEX?", "biomcp config list --long")
	for name, want := range map[string]string{"toy-api-key": "TOY_API_KEY", "toy_api_kye": "TOY_API_KEY", "auth_secret_key": "MCP_AUTH_SECRET_KEY", "colour": ""} {
		equal(t, name, command.KeyVariable(name, toySources...), want)
	}
	refused(t, "a bad value", e.CheckSetting("BIOMCP_TOY_URL", "ftp://x"), "BIOMCP_TOY_URL must be an http or https address", "biomcp health")
	equal(t, "a good value", e.CheckSetting("BIOMCP_TOY_URL", "https://x"), nil)
	var keys []string
	for _, s := range e.SourcesWithKey() {
		keys = append(keys, s.Key.Variable)
	}
	equal(t, "sources with a key", keys, "[NCBI_API_KEY TOY_API_KEY]")
	other := e.WithDirs(os.TempDir(), "cache")
	equal(t, "other folders", []string{other.DataDir, other.CacheDir}, []string{os.TempDir(), "cache"})
}
