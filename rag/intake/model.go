package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"biomcp/rag"
	"biomcp/rag/lsa"
	"biomcp/rag/static"
	"biomcp/store"
)

// ModelError says that the vectors of the corpus are of another model than the
// one that is set, or of another length. Nothing was changed. Command is what
// makes them again.
type ModelError struct {
	Have, Want string
	Command    []string
}

func (e *ModelError) Error() string {
	return fmt.Sprintf("the vectors of the corpus are of the model %s, not of %s: make them again with %s", e.Have, e.Want, strings.Join(e.Command, " "))
}

func modelError(have, want string) *ModelError {
	return &ModelError{Have: have, Want: want, Command: []string{"biomcp", "sync", "embeddings"}}
}

// localName begins the names of the models fitted on the corpus.
const localName = "local"

// isLocal reports whether a stored model is one that was fitted on the corpus.
func isLocal(m store.Model) bool { return strings.HasPrefix(m.Name, localName+"-") }

// joins reports whether a model of the corpus's own is joined to this table of token
// vectors, nil for none.
func joins(m store.Model, table *static.Table) bool {
	_, sum, _ := strings.Cut(m.Name, rag.TableMark)
	return table == nil && sum == "" || table != nil && sum == table.Sum()
}

// wanted names the model of the corpus's own that is asked for.
func wanted(table *static.Table) string {
	if table == nil {
		return localName
	}
	return localName + " with the table " + table.Name
}

// InUse returns the model whose vectors the corpus is searched by, with the
// embedder that makes more of them: provider, or, if it is nil, the model of
// the corpus's own, joined to a table of token vectors if one is given. Without a model the embedder is nil. Errors: *ModelError
// if the corpus has vectors of another model than is asked for, lsa.ErrVersion
// if its own was made by another version of this program, lsa.ErrDamaged if it
// cannot be read, *store.Error.
func InUse(ctx context.Context, corpus *store.Store, provider rag.Embedder, table *static.Table) (rag.Embedder, store.Model, error) {
	models, err := corpus.Models(ctx)
	if err != nil || len(models) == 0 || !models[0].InUse {
		return nil, store.Model{}, err
	}
	m := models[0]
	switch {
	case provider == nil && !isLocal(m), provider == nil && !joins(m, table):
		return nil, m, modelError(m.Name, wanted(table))
	case provider == nil:
		local, err := openLocal(ctx, corpus, m, table)
		if err != nil {
			return nil, m, err
		}
		return local, m, nil
	case isLocal(m), provider.Model() != "" && provider.Model() != m.Name:
		return nil, m, modelError(m.Name, cmp.Or(provider.Model(), "the embedding service"))
	case provider.Dim() != 0 && provider.Dim() != m.Dim:
		return nil, m, modelError(fmt.Sprintf("%s with %d numbers", m.Name, m.Dim), fmt.Sprintf("%d numbers", provider.Dim()))
	}
	return provider, m, nil
}

// Second returns the corpus's own model in use next to that of a service, nil if
// there is none. It fails as InUse does.
func Second(ctx context.Context, corpus *store.Store) (*rag.Local, store.Model, error) {
	models, err := corpus.Models(ctx)
	if err != nil {
		return nil, store.Model{}, err
	}
	for _, m := range models {
		if m.Second && isLocal(m) {
			local, err := openLocal(ctx, corpus, m, nil)
			return local, m, err
		}
	}
	return nil, store.Model{}, nil
}

// wholeRow is stored after all other rows of a fitted model; no term is like it.
const wholeRow = "\x01whole"

var errHalfStored = fmt.Errorf("%w: it was not stored to its end", lsa.ErrDamaged)

// errOtherTable is of a model that is joined to another table than is asked for.
var errOtherTable = errors.New("the vectors are joined to another table")

// storedModel is a model of a corpus as lsa reads it.
type storedModel struct {
	corpus *store.Store
	id     int64
}

func (m storedModel) Rows(ctx context.Context, keys []string) (map[string][]byte, error) {
	return m.corpus.ModelRows(ctx, m.id, keys)
}

func (m storedModel) Each(ctx context.Context, f func(string, []byte) error) error {
	return m.corpus.EachModelRow(ctx, m.id, f)
}

func openLocal(ctx context.Context, corpus *store.Store, m store.Model, table *static.Table) (*rag.Local, error) {
	if !joins(m, table) {
		return nil, errOtherTable
	}
	rows := storedModel{corpus, m.ID}
	whole, err := rows.Rows(ctx, []string{wholeRow})
	if err != nil {
		return nil, err
	}
	if len(whole) == 0 {
		return nil, errHalfStored
	}
	space, err := lsa.Open(ctx, rows)
	if err != nil {
		return nil, err
	}
	var tokens *rag.Tokens
	if table != nil {
		if tokens, err = rag.OpenTokens(ctx, table, rows); err != nil {
			return nil, err
		}
	}
	local := rag.NewLocal(m.Name, space, tokens)
	if local.Dim() != m.Dim {
		return nil, fmt.Errorf("%w: it says that it has %d dimensions, and has %d", lsa.ErrDamaged, local.Dim(), m.Dim)
	}
	return local, nil
}

// storeLocal stores a fitted model while the one in use serves.
func storeLocal(ctx context.Context, corpus *store.Store, fitted *rag.Fitted) (store.Model, error) {
	m, err := corpus.NewModel(ctx, fitted.Name(), fitted.Dim())
	if err != nil {
		return m, err
	}
	return m, corpus.PutModelRows(ctx, m.ID, func(yield func(string, []byte) bool) {
		for key, row := range fitted.Rows() {
			if !yield(key, row) {
				return
			}
		}
		yield(wholeRow, []byte{1})
	})
}

// maker makes vectors under one model.
type maker struct {
	model store.Model
	by    rag.Embedder
}

// identify asks a service for the name of its model, if that was not set.
func (s *session) identify(ctx context.Context) error {
	if service, ok := s.o.Embedder.(interface{ Identify(context.Context) error }); ok {
		return service.Identify(ctx)
	}
	return nil
}

// openModel finds what new chunks are embedded with. A provider's model is begun
// if the corpus has none; that the provider does not answer is a cause. nil:
// there is no model yet, or none that this program can use.
func (s *session) openModel(ctx context.Context) (*maker, error) {
	if s.o.NoVectors {
		return nil, nil
	}
	var failed *rag.EmbedError
	if err := s.identify(ctx); errors.As(err, &failed) {
		s.unembedded.Store(true)
		s.fail(err)
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	by, model, err := InUse(ctx, s.o.Store, s.o.Embedder, s.o.Table)
	switch {
	case errors.Is(err, lsa.ErrVersion), errors.Is(err, lsa.ErrDamaged):
		return nil, nil // it is fitted again in the end
	case err != nil:
		return nil, err
	case by != nil:
		return &maker{model, by}, nil
	case s.o.Embedder == nil:
		return nil, nil
	}
	models, err := s.o.Store.Models(ctx)
	if err != nil {
		return nil, err
	}
	m, err := s.provided(ctx, models)
	if errors.As(err, &failed) {
		s.unembedded.Store(true)
		s.fail(err)
		return nil, nil
	}
	return m, err
}

// openSecond finds the corpus's own model next to that of a service.
func (s *session) openSecond(ctx context.Context) error {
	if s.o.Embedder == nil || s.o.NoVectors {
		return nil
	}
	local, model, err := Second(ctx, s.o.Store)
	if errors.Is(err, lsa.ErrVersion) || errors.Is(err, lsa.ErrDamaged) {
		return nil // it is fitted again in the end
	}
	if local != nil {
		s.second = &maker{model, local}
	}
	return err
}

// onTheWay makes the vectors that documents get before they are stored: those of the
// corpus's own model. Those of a service cost time and money, so they are asked for
// when the documents are stored and each reply can be kept. nil: none are made.
func (s *session) onTheWay() *maker {
	if s.o.Embedder == nil {
		return s.maker
	}
	return s.second
}

// embed makes the vectors of chunks. A chunk without a vector, of whose words none
// is known, gets an empty one, which is not missing. With an error come the
// vectors that were made before it; the others are nil.
func (m *maker) embed(ctx context.Context, chunks []store.DocumentChunk) (vectors [][]float32, err error) {
	if local, ok := m.by.(*rag.Local); ok {
		vectors, err = local.EmbedChunks(ctx, chunks)
	} else {
		vectors, err = m.by.Embed(ctx, embeddingTexts(chunks))
	}
	for i, v := range vectors {
		if v == nil && err == nil {
			vectors[i] = []float32{}
		}
	}
	if other := m.check(vectors); other != nil {
		return nil, other
	}
	return vectors, err
}

// embeddingTexts are the texts of chunks as a service embeds them.
func embeddingTexts(chunks []store.DocumentChunk) []string {
	list := make([]string, len(chunks))
	for i, c := range chunks {
		list[i] = rag.EmbeddingText(c.Title, c.Chunk().Text, rag.Subjects(c.Document))
	}
	return list
}

// check fails if a vector does not have the model's length.
func (m *maker) check(vectors [][]float32) error {
	for _, v := range vectors {
		if len(v) != 0 && len(v) != m.model.Dim {
			return modelError(fmt.Sprintf("%s with %d numbers", m.model.Name, m.model.Dim), fmt.Sprintf("%d numbers", len(v)))
		}
	}
	return nil
}

// embedEach is embed that gives each vectors as soon as they are there, with the
// place of the first among the chunks.
func (m *maker) embedEach(ctx context.Context, chunks []store.DocumentChunk, each func(from int, vectors [][]float32) error) error {
	service, ok := m.by.(interface {
		EmbedEach(context.Context, []string, func(int, [][]float32) error) error
	})
	if !ok {
		vectors, failed := m.embed(ctx, chunks)
		if vectors == nil {
			return failed
		}
		return cmp.Or(failed, each(0, vectors))
	}
	return service.EmbedEach(ctx, embeddingTexts(chunks), func(from int, vectors [][]float32) error {
		if err := m.check(vectors); err != nil {
			return err
		}
		return each(from, vectors)
	})
}

// documents sets the vectors of the chunks of documents.
func (m *maker) documents(ctx context.Context, docs []*store.Document) error {
	var chunks []store.DocumentChunk
	for _, d := range docs {
		for i := range d.Chunks {
			chunks = append(chunks, store.DocumentChunk{Document: d, Ordinal: i})
		}
	}
	vectors, err := m.embed(ctx, chunks)
	if vectors == nil {
		return err
	}
	for i, c := range chunks {
		c.Chunk().Vector = vectors[i]
	}
	return err
}
