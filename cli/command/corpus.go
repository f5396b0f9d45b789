package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"biomcp/cli/result"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/rag/library"
	"biomcp/rag/lsa"
	"biomcp/rag/static"
	"biomcp/store"
	"biomcp/store/disk"
	files "biomcp/store/library"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Corpus opens the local corpus for reading. It returns an error of kind store.NotFound if
// there is no corpus. Callers get the corpus anew for each command, since another
// process may replace or remove the file.
func (a *App) Corpus(ctx context.Context) (*store.Store, error) {
	return a.openCorpus(ctx, &a.reader, true)
}

// CorpusToWrite opens the local corpus for writing and creates it if it does not exist.
func (a *App) CorpusToWrite(ctx context.Context) (*store.Store, error) {
	return a.openCorpus(ctx, &a.writer, false)
}

// CorpusDir returns the folder of the local corpus.
func (a *App) CorpusDir() (string, error) { return filepath.Clean(a.Env.DataDir), a.Env.dataProb }

func (a *App) openCorpus(ctx context.Context, o *lazy[*store.Store], readOnly bool) (*store.Store, error) {
	o.drop((*store.Store).Replaced, a.retire)
	return o.get(func() (*store.Store, error) {
		dir, err := a.CorpusDir()
		if err != nil {
			return nil, err
		}
		s, err := store.Open(context.WithoutCancel(ctx), store.Options{Dir: dir, ReadOnly: readOnly, Now: a.Now})
		if err == nil {
			a.onClose(s)
		}
		return s, err
	})
}

// Intake returns the options for a sync: the corpus, the embedding model and the index.
func (a *App) Intake(ctx context.Context) (intake.Options, error) {
	corpus, err := a.CorpusToWrite(ctx)
	if err != nil {
		return intake.Options{}, err
	}
	o := intake.Options{Store: corpus, Now: a.Now}
	if o.Embedder, o.Table, err = a.Embeddings(); err != nil {
		return intake.Options{}, err
	}
	engine, err := a.Engine(ctx, corpus, 0)
	if engine != nil {
		o.Index = engine
	}
	return o, err
}

// SearchWait is the timeout of an index server for a search.
const SearchWait = 10 * time.Second

// Engine returns the index server that BIOMCP_INDEX selects, or nil if the corpus file is
// the only index. timeout limits each call to the server; 0 means the default for a sync.
func (a *App) Engine(ctx context.Context, corpus *store.Store, timeout time.Duration) (rag.Engine, error) {
	switch a.Env.Index {
	case "embedded":
		return nil, nil
	case "weaviate":
	default:
		message := fmt.Sprintf("BIOMCP_INDEX must be embedded or weaviate, not %q", Clip(a.Env.Index))
		return nil, result.Invalid(message, "health")
	}
	if a.Env.WeaviateURL == "" {
		return nil, result.Invalid("BIOMCP_INDEX=weaviate requires WEAVIATE_URL, the server's address", "health")
	}
	config := rag.EngineConfig{
		URL: a.Env.WeaviateURL, APIKey: a.Env.WeaviateKey, Class: a.Env.WeaviateClass, Timeout: timeout,
	}
	models, err := corpus.Models(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		if m.InUse {
			config.Model, config.Dim = m.Name, m.Dim
		}
		if m.IsSecond {
			config.Local, config.LocalDim = m.Name, m.Dim
		}
	}
	return a.OpenEngine(config)
}

// Embeddings returns the embedding service that the environment selects, or nil for the corpus's
// own model. It also returns the table of token vectors that is combined with that model, or nil.
// All calls share one service and one table, so that their state is loaded only once.
func (a *App) Embeddings() (rag.Embedder, *static.Table, error) {
	config := rag.RemoteConfig{Provider: a.Env.Embeddings, Model: a.Env.EmbeddingsModel}
	switch a.Env.Embeddings {
	case "local":
		return nil, nil, nil
	case "static":
		table, err := a.table.get(a.openTable)
		return nil, table, err
	case "openai":
		config.BaseURL, config.APIKey = a.Env.OpenAIURL, a.Env.OpenAIKey
	case "hf":
		config.BaseURL, config.APIKey = a.Env.HFURL, a.Env.HFToken
	default:
		message := fmt.Sprintf("BIOMCP_EMBEDDINGS must be local, static, openai or hf, not %q", Clip(a.Env.Embeddings))
		return nil, nil, result.Invalid(message, "health")
	}
	remote, err := a.remote.get(func() (*rag.Remote, error) { return rag.NewRemote(config) })
	if err != nil {
		return nil, nil, err
	}
	return remote, nil, nil
}

// openTable opens the table of token vectors named by BIOMCP_EMBEDDINGS_MODEL.
func (a *App) openTable() (*static.Table, error) {
	if a.Env.EmbeddingsModel == "" {
		return nil, result.Invalid("BIOMCP_EMBEDDINGS=static requires BIOMCP_EMBEDDINGS_MODEL, "+
			"the folder of a table of token vectors or its .safetensors file", "health")
	}
	table, err := static.Open(a.Env.EmbeddingsModel)
	if err != nil {
		return nil, result.Invalid("BIOMCP_EMBEDDINGS_MODEL: "+err.Error(), "health")
	}
	a.onClose(table)
	return table, nil
}

// Searcher returns a searcher of the local corpus that uses the current model and index.
// Each search needs its own searcher, since another process may change either. The
// searcher waits for an embedding service until by.
func (a *App) Searcher(ctx context.Context, by time.Time) (*rag.Searcher, error) {
	corpus, err := a.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	if err := rag.CheckAnalysis(ctx, corpus); err != nil {
		return nil, err
	}
	provider, table, err := a.Embeddings()
	if err != nil {
		return nil, err
	}
	if remote, ok := provider.(*rag.Remote); ok {
		if err := remote.IdentifyBy(ctx, by); err != nil && !errors.As(err, new(*rag.EmbedError)) {
			return nil, err
		} // if the service is down, the query itself falls back to keyword search
	}
	embedder, model, err := intake.CurrentModel(ctx, corpus, provider, table)
	s := &rag.Searcher{
		Index: rag.NewCorpusIndex(corpus, model.ID), Corpus: corpus, Embedder: embedder,
		Thesaurus: a.thesaurus, Headings: a.headings, Authors: a.authors, EmbedBy: by, Now: a.Now,
	}
	if errors.Is(err, lsa.ErrVersion) { // after an update of this program; keyword search still works
		s.VectorsErr = fmt.Errorf("%w; the owner of the corpus can rebuild them with biomcp sync embeddings", err)
		err = nil
	}
	if err != nil {
		return nil, err
	}
	engine, err := a.Engine(ctx, corpus, SearchWait)
	if provider != nil && err == nil {
		err = a.second(ctx, corpus, s)
	}
	if engine != nil {
		s.Index, s.Spare = engine, s.Index
		if s.Second != nil {
			s.Second.Index, s.Second.Spare = engine.Local(), s.Second.Index
		}
	}
	return s, err
}

// second adds the corpus's own model as a second model beside that of a service. It skips a
// model that an older version of this program made, until the next sync replaces it.
func (a *App) second(ctx context.Context, corpus *store.Store, s *rag.Searcher) error {
	local, model, err := intake.SecondModel(ctx, corpus)
	if local != nil {
		s.Second = &rag.Second{Model: local, Index: rag.NewCorpusIndex(corpus, model.ID)}
	}
	if errors.Is(err, lsa.ErrVersion) {
		return nil
	}
	return err
}

// thesaurus looks up terms as gene names and headings in the local HGNC and MeSH tables, or in
// those of the program if the local ones are missing.
func (a *App) thesaurus(ctx context.Context, terms []string) (map[string]rag.Names, error) {
	return lookUp(ctx, a, terms, rag.OtherNames)
}

// headings looks up names of headings in the local MeSH table, or in that of the program if the local one
// is missing.
func (a *App) headings(ctx context.Context, terms []string) (map[string]string, error) {
	return lookUp(ctx, a, terms, sets.FieldHeadings)
}

// lookUp calls find with the local tables, or with nil if there are none.
func lookUp[T any](
	ctx context.Context, a *App, terms []string, find func(context.Context, *table.Tables, []string) (T, error),
) (found T, err error) {
	tables, err := a.Tables(ctx)
	if table.IsAbsent(err) {
		return find(ctx, nil, terms)
	}
	if err != nil {
		return found, err
	}
	defer tables.Close()
	return find(ctx, tables, terms)
}

// StudyDir returns the folder of the cohort studies. It may not exist.
func (a *App) StudyDir() (string, error) { return a.Env.StudyDir, a.Env.studyProb }

// Library returns the searcher of the research library. The folder of the library may not
// exist. The searcher caches the files that it reads, and all calls share it.
func (a *App) Library() (*library.Searcher, error) {
	return a.library.get(func() (*library.Searcher, error) {
		if a.Env.libraryProb != nil {
			return nil, a.Env.libraryProb
		}
		return library.NewSearcher(files.New(a.Env.LibraryDir)), nil
	})
}

// Tables opens the local tables for reading. It returns an error of kind store.NotFound if
// there are none. Each caller opens and closes them, since another process may replace
// the file.
func (a *App) Tables(ctx context.Context) (*table.Tables, error) { return a.tables(ctx, true) }

// TablesToWrite opens the local tables for writing and creates them if they do not exist.
func (a *App) TablesToWrite(ctx context.Context) (*table.Tables, error) { return a.tables(ctx, false) }

func (a *App) tables(ctx context.Context, readOnly bool) (*table.Tables, error) {
	dir, err := a.CorpusDir()
	switch {
	case err != nil && readOnly:
		return nil, disk.NewError(store.NotFound, "read local tables", "no data folder found")
	case err != nil:
		return nil, err
	}
	return table.Open(ctx, dir, readOnly)
}
