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
	"biomcp/rag/weaviate"
	"biomcp/store"
	"biomcp/store/disk"
	files "biomcp/store/library"
	"biomcp/store/study"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Corpus is the local corpus for reading; store.NotFound if there is none. It
// is asked for in each call: a corpus that was replaced or removed on the disk is
// not served any more.
func (a *App) Corpus(ctx context.Context) (*store.Store, error) {
	return a.openCorpus(ctx, &a.read, true)
}

// CorpusToWrite is the local corpus for a sync, made where it is missing.
func (a *App) CorpusToWrite(ctx context.Context) (*store.Store, error) {
	return a.openCorpus(ctx, &a.write, false)
}

// CorpusDir is the folder of the local corpus.
func (a *App) CorpusDir() (string, error) { return filepath.Clean(a.Env.DataDir), a.Env.dataProb }

func (a *App) openCorpus(ctx context.Context, o *once[*store.Store], readOnly bool) (*store.Store, error) {
	o.drop((*store.Store).Replaced, a.retire)
	return o.get(func() (*store.Store, error) {
		dir, err := a.CorpusDir()
		if err != nil {
			return nil, err
		}
		s, err := store.Open(context.WithoutCancel(ctx), store.Options{Dir: dir, ReadOnly: readOnly, Now: a.Now})
		if err == nil {
			a.closing(s)
		}
		return s, err
	})
}

// Intake is what a sync needs.
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

// SearchWait is how long an engine may take to answer a search.
const SearchWait = 10 * time.Second

// Engine is the index that BIOMCP_INDEX names besides the corpus file, nil for
// the corpus file itself. timeout bounds a call to it; 0 stands for a sync's.
func (a *App) Engine(ctx context.Context, corpus *store.Store, timeout time.Duration) (*weaviate.Index, error) {
	switch a.Env.Index {
	case "embedded":
		return nil, nil
	case "weaviate":
	default:
		return nil, result.Invalid(fmt.Sprintf("BIOMCP_INDEX is embedded or weaviate, not %q", Clip(a.Env.Index)), "health")
	}
	if a.Env.WeaviateURL == "" {
		return nil, result.Invalid("BIOMCP_INDEX=weaviate needs WEAVIATE_URL, the server's address", "health")
	}
	config := weaviate.Config{URL: a.Env.WeaviateURL, APIKey: a.Env.WeaviateKey, Class: a.Env.WeaviateClass, Timeout: timeout}
	models, err := corpus.Models(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		if m.InUse {
			config.Model, config.Dim = m.Name, m.Dim
		}
		if m.Second {
			config.Local, config.LocalDim = m.Name, m.Dim
		}
	}
	return weaviate.New(config)
}

// Embeddings is what the environment names to make vectors with: an embedding service,
// or nil for the corpus's own model, and the table of token vectors that is joined to
// that, or nil. One for all calls, so that what is known of the service, and what was
// read of the table, is kept.
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
		return nil, nil, result.Invalid(fmt.Sprintf("BIOMCP_EMBEDDINGS is local, static, openai or hf, not %q", Clip(a.Env.Embeddings)), "health")
	}
	remote, err := a.remote.get(func() (*rag.Remote, error) { return rag.NewRemote(config) })
	if err != nil {
		return nil, nil, err
	}
	return remote, nil, nil
}

// openTable opens the table of token vectors.
func (a *App) openTable() (*static.Table, error) {
	if a.Env.EmbeddingsModel == "" {
		return nil, result.Invalid("BIOMCP_EMBEDDINGS=static needs BIOMCP_EMBEDDINGS_MODEL, the folder of a table of token vectors or its .safetensors file", "health")
	}
	table, err := static.Open(a.Env.EmbeddingsModel)
	if err != nil {
		return nil, result.Invalid("BIOMCP_EMBEDDINGS_MODEL: "+err.Error(), "health")
	}
	a.closing(table)
	return table, nil
}

// Searcher searches the local corpus with the model and the engine in use. It
// is made for each search: another process may have changed either. An embedding
// service is waited for until by.
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
		} // a service that is down fails the query too, which is then by words alone
	}
	embedder, model, err := intake.InUse(ctx, corpus, provider, table)
	s := &rag.Searcher{Index: rag.NewEmbedded(corpus, model.ID), Corpus: corpus, Embedder: embedder, Thesaurus: a.thesaurus, EmbedBy: by, Now: a.Now}
	if errors.Is(err, lsa.ErrVersion) { // after an update of this program; the words are still good
		s.Unusable, err = fmt.Errorf("%w; the owner of the corpus makes them again with biomcp sync embeddings", err), nil
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

// second adds the corpus's own model next to that of a service. One that an older
// version of this program made is left out until the next sync.
func (a *App) second(ctx context.Context, corpus *store.Store, s *rag.Searcher) error {
	local, model, err := intake.Second(ctx, corpus)
	if local != nil {
		s.Second = &rag.Second{Model: local, Index: rag.NewEmbedded(corpus, model.ID)}
	}
	if errors.Is(err, lsa.ErrVersion) {
		return nil
	}
	return err
}

// thesaurus finds names of genes and headings in the local tables of HGNC and MeSH; a
// table that is not there has none.
func (a *App) thesaurus(ctx context.Context, terms []string) (map[string]rag.Names, error) {
	tables, err := a.Tables(ctx)
	if err != nil {
		if table.IsAbsent(err) {
			return nil, nil
		}
		return nil, err
	}
	defer tables.Close()
	names := map[string]rag.Names{}
	headings, err := sets.ByEntryTerm(ctx, tables, terms)
	for term, heading := range headings {
		names[term] = rag.Names{Kind: rag.Heading, All: []string{heading}}
	}
	if err != nil && !table.IsAbsent(err) {
		return nil, err
	}
	symbols, err := sets.BySymbol(ctx, tables, terms)
	for term, all := range symbols {
		names[term] = rag.Names{Kind: rag.Gene, All: all}
	}
	if err != nil && !table.IsAbsent(err) {
		return nil, err
	}
	return names, nil
}

// Studies is the folder of cohort studies, which need not exist. What is indexed of
// them is kept in the cache folder, where there is one.
func (a *App) Studies() (study.Library, error) {
	if a.Env.studyProb != nil {
		return study.Library{}, a.Env.studyProb
	}
	l := study.Library{Dir: a.Env.StudyDir}
	if dir, err := a.CacheDir(); err == nil {
		l.Cache = filepath.Join(dir, "studies")
	}
	return l, nil
}

// LocalStudies are the studies in that folder.
func (a *App) LocalStudies() ([]*study.Study, error) {
	l, err := a.Studies()
	if err != nil {
		return nil, err
	}
	return l.Studies()
}

// Library is the research library, whose folder need not exist. It keeps what it has
// read, for the next call.
func (a *App) Library() (*library.Searcher, error) {
	return a.library.get(func() (*library.Searcher, error) {
		if a.Env.libraryProb != nil {
			return nil, a.Env.libraryProb
		}
		return library.NewSearcher(files.New(a.Env.LibraryDir)), nil
	})
}

// Tables are the local tables for reading; store.NotFound if there are none. Each
// call opens and closes them: another process may have replaced the file.
func (a *App) Tables(ctx context.Context) (*table.Tables, error) { return a.tables(ctx, true) }

// TablesToWrite are the local tables for a sync, made where they are missing.
func (a *App) TablesToWrite(ctx context.Context) (*table.Tables, error) { return a.tables(ctx, false) }

func (a *App) tables(ctx context.Context, readOnly bool) (*table.Tables, error) {
	dir, err := a.CorpusDir()
	switch {
	case err != nil && readOnly:
		return nil, disk.NewError(store.NotFound, "read local tables", "there is no folder to keep them in")
	case err != nil:
		return nil, err
	}
	return table.Open(ctx, dir, readOnly)
}
