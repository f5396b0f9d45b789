package intake

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"biomcp/entrez/fault"
	"biomcp/rag"
	"biomcp/rag/lsa"
	"biomcp/rag/static"
	"biomcp/store"
)

// A ModelError reports that the vectors of the corpus belong to another model than the
// configured one, or have another dimension. Nothing was changed. Command makes new vectors.
type ModelError struct {
	Have, Want string
	Command    []string
}

func (e *ModelError) Error() string {
	return fmt.Sprintf("the vectors of the corpus are of the model %s, not of %s: make them again with %s",
		e.Have, e.Want, strings.Join(e.Command, " "))
}

// Meaning returns the code Invariant and the command that makes new vectors.
func (e *ModelError) Meaning() fault.Meaning {
	return fault.Meaning{Code: fault.Invariant, Next: e.Command[1:]}
}

func modelError(have, want string) *ModelError {
	return &ModelError{Have: have, Want: want, Command: []string{"biomcp", "sync", "embeddings"}}
}

// dimensionError returns the error for vectors with another dimension than those of m.
func dimensionError(m store.Model, dim int) *ModelError {
	return modelError(fmt.Sprintf("%s with %d numbers", m.Name, m.Dim), fmt.Sprintf("%d numbers", dim))
}

// localName is the prefix of the names of models fitted on the corpus.
const localName = "local"

// isLocal reports whether m is a model fitted on the corpus.
func isLocal(m store.Model) bool { return strings.HasPrefix(m.Name, localName+"-") }

// joins reports whether a local model is joined to this table of token vectors, or to none if
// table is nil.
func joins(m store.Model, table *static.Table) bool {
	_, sum, _ := strings.Cut(m.Name, rag.TableMark)
	return table == nil && sum == "" || table != nil && sum == table.Sum()
}

// localModelName describes the configured local model for an error message.
func localModelName(table *static.Table) string {
	if table == nil {
		return localName
	}
	return localName + " with the table " + table.Name
}

// CurrentModel returns the model that searches use, and the embedder that makes more of its vectors:
// provider or, if it is nil, the corpus's own model, joined to table unless that is nil. If
// there is no model, the embedder is nil. Errors are *ModelError if the corpus has vectors of
// another model, lsa.ErrVersion if another version of this program made its own model,
// lsa.ErrDamaged if that cannot be read, and *store.Error.
func CurrentModel(
	ctx context.Context, corpus *store.Store, provider rag.Embedder, table *static.Table,
) (rag.Embedder, store.Model, error) {
	models, err := corpus.Models(ctx)
	if err != nil || len(models) == 0 || !models[0].InUse {
		return nil, store.Model{}, err
	}
	m := models[0]
	switch {
	case provider == nil && !isLocal(m), provider == nil && !joins(m, table):
		return nil, m, modelError(m.Name, localModelName(table))
	case provider == nil:
		local, err := openLocal(ctx, corpus, m, table)
		if err != nil {
			return nil, m, err
		}
		return local, m, nil
	case isLocal(m), provider.Model() != "" && provider.Model() != m.Name:
		return nil, m, modelError(m.Name, cmp.Or(provider.Model(), "the embedding service"))
	case provider.Dim() != 0 && provider.Dim() != m.Dim:
		return nil, m, dimensionError(m, provider.Dim())
	}
	return provider, m, nil
}

// SecondModel returns the corpus's own model that is in use beside a service's, or nil if there is
// none. It fails like CurrentModel.
func SecondModel(ctx context.Context, corpus *store.Store) (*rag.Local, store.Model, error) {
	models, err := corpus.Models(ctx)
	if err != nil {
		return nil, store.Model{}, err
	}
	for _, m := range models {
		if m.IsSecond && isLocal(m) {
			local, err := openLocal(ctx, corpus, m, nil)
			return local, m, err
		}
	}
	return nil, store.Model{}, nil
}

// HasOwnVectors reports whether the corpus has vectors of a model of its own, which a repair with a new
// word index does not keep.
func HasOwnVectors(ctx context.Context, corpus *store.Store) (bool, error) {
	models, err := corpus.Models(ctx)
	return slices.ContainsFunc(models, isLocal), err
}

// wholeRow is the key of the last row of a fitted model. It holds countsChanges and, as a
// uvarint, store.Stats.Changes when the model was fitted. Older programs stored another byte. No
// term is equal to the key.
const (
	wholeRow      = "\x01whole"
	countsChanges = 2
)

var errHalfStored = fmt.Errorf("%w: it was not stored to its end", lsa.ErrDamaged)

// errOtherTable is returned for a model that is joined to another table than the configured
// one.
var errOtherTable = errors.New("the vectors are joined to another table")

// A storedModel is a model of a corpus in the form that lsa reads.
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
	if _, err := fittedAt(ctx, corpus, m); err != nil {
		return nil, err
	}
	rows := storedModel{corpus, m.ID}
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
		return nil, fmt.Errorf("%w: it declares %d dimensions, but has %d", lsa.ErrDamaged, local.Dim(), m.Dim)
	}
	return local, nil
}

// fittedAt returns store.Stats.Changes when a model was fitted, or -1 if that is unknown. It
// returns errHalfStored if the model was not stored to its end.
func fittedAt(ctx context.Context, corpus *store.Store, m store.Model) (changes int64, err error) {
	found, err := corpus.ModelRows(ctx, m.ID, []string{wholeRow})
	if err != nil {
		return 0, err
	}
	row := found[wholeRow]
	if len(row) == 0 {
		return 0, errHalfStored
	}
	if n, size := binary.Uvarint(row[1:]); row[0] == countsChanges && size > 0 {
		return int64(n), nil
	}
	return -1, nil
}

// putFittedAt stores what fittedAt returns.
func putFittedAt(ctx context.Context, corpus *store.Store, m store.Model, changes int64) error {
	row := map[string][]byte{wholeRow: binary.AppendUvarint([]byte{countsChanges}, uint64(changes))}
	return corpus.PutModelRows(ctx, m.ID, maps.All(row))
}

// copiedModel is the number of documents from which the rows of the corpus's own model are stored twice. A
// smaller corpus is fitted again within a minute, and its model takes most of its space.
const copiedModel = 50_000

// storeLocal stores a model that was fitted on the documents of stats. The model in use keeps
// serving.
func storeLocal(
	ctx context.Context, corpus *store.Store, fitted *rag.FittedModel, stats store.Stats,
) (store.Model, error) {
	m, err := corpus.NewModel(ctx, fitted.Name(), fitted.Dim())
	if err != nil {
		return m, err
	}
	put := corpus.PutModelRows
	if stats.Documents < copiedModel {
		put = corpus.PutModelRowsOnce
	}
	if err := put(ctx, m.ID, fitted.Rows()); err != nil {
		return m, err
	}
	return m, putFittedAt(ctx, corpus, m, stats.Changes)
}

// A maker makes the vectors of one model.
type maker struct {
	model    store.Model
	embedder rag.Embedder
}

// identify asks a service for the name of its model, unless that is configured.
func (s *session) identify(ctx context.Context) error {
	if service, ok := s.o.Embedder.(interface{ Identify(context.Context) error }); ok {
		return service.Identify(ctx)
	}
	return nil
}

// openModel returns the maker for the vectors of new chunks. It starts a provider's model if
// the corpus has none. If the provider does not answer, openModel adds a cause. It returns nil
// if there is no model yet, or none that this program can use.
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
	by, model, err := CurrentModel(ctx, s.o.Store, s.o.Embedder, s.o.Table)
	switch {
	case errors.Is(err, lsa.ErrVersion), errors.Is(err, lsa.ErrDamaged):
		return nil, nil // a new model is fitted at the end of the sync
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
	m, err := s.providerModel(ctx, models)
	if errors.As(err, &failed) {
		s.unembedded.Store(true)
		s.fail(err)
		return nil, nil
	}
	return m, err
}

// openSecond opens the corpus's own model that is in use beside a service's.
func (s *session) openSecond(ctx context.Context) error {
	if s.o.Embedder == nil || s.o.NoVectors {
		return nil
	}
	local, model, err := SecondModel(ctx, s.o.Store)
	if errors.Is(err, lsa.ErrVersion) || errors.Is(err, lsa.ErrDamaged) {
		return nil // a new model is fitted at the end of the sync
	}
	if local != nil {
		s.second = &maker{model, local}
	}
	return err
}

// pipelineMaker returns the maker of the vectors that documents get before they are stored, or
// nil if there is none. These are the vectors of the corpus's own model. Those of a service
// cost time and money, so they are requested after the documents are stored, when each reply
// can be kept.
func (s *session) pipelineMaker() *maker {
	if s.o.Embedder == nil {
		return s.maker
	}
	return s.second
}

// embed makes the vectors of chunks. If the model knows none of a chunk's words, its vector is
// empty but not nil, so it counts as made. If there is an error, the vectors made before it are
// returned and the others are nil.
func (m *maker) embed(ctx context.Context, chunks []store.DocumentChunk) (vectors [][]float32, err error) {
	if local, ok := m.embedder.(*rag.Local); ok {
		vectors, err = local.EmbedChunks(ctx, chunks)
	} else {
		vectors, err = m.embedder.Embed(ctx, embeddingTexts(chunks))
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

// embeddingTexts returns the texts of chunks that a service embeds.
func embeddingTexts(chunks []store.DocumentChunk) []string {
	list := make([]string, len(chunks))
	for i, c := range chunks {
		list[i] = rag.EmbeddingText(c.Title, c.Chunk().Text, rag.Subjects(c.Document))
	}
	return list
}

// check returns an error if a vector does not have the model's dimension.
func (m *maker) check(vectors [][]float32) error {
	for _, v := range vectors {
		if len(v) != 0 && len(v) != m.model.Dim {
			return dimensionError(m.model, len(v))
		}
	}
	return nil
}

// embedEach makes the vectors of chunks and passes them to visit as soon as they arrive. from
// is the index of the first one's chunk.
func (m *maker) embedEach(
	ctx context.Context, chunks []store.DocumentChunk, visit func(from int, vectors [][]float32) error,
) error {
	service, ok := m.embedder.(interface {
		EmbedEach(context.Context, []string, func(int, [][]float32) error) error
	})
	if !ok {
		vectors, failed := m.embed(ctx, chunks)
		if vectors == nil {
			return failed
		}
		return cmp.Or(failed, visit(0, vectors))
	}
	return service.EmbedEach(ctx, embeddingTexts(chunks), func(from int, vectors [][]float32) error {
		if err := m.check(vectors); err != nil {
			return err
		}
		return visit(from, vectors)
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
