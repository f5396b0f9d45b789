package intake

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"biomcp/rag"
	"biomcp/rag/lsa"
	"biomcp/store"
)

const (
	// vectorsKey is the lease of making vectors for what is stored already. No
	// query key can be it.
	vectorsKey = "--embeddings"
	// vectorBatch is how many chunks are embedded and stored at once.
	vectorBatch = 1024
	// LeastDocuments is the size from which a corpus gets a model of its own:
	// below it there is too little text to learn from.
	LeastDocuments = 50
)

// Embedded is what was done about the vectors of a corpus.
type Embedded struct {
	Model     string `json:"model"`     // that serves searches now, "" for none
	Dimension int    `json:"dimension"` // 0 without a model
	Replaced  string `json:"replaced"`  // the model that served before, where it is another
	FittedOn  int    `json:"fitted_on"` // documents when a model of the corpus's own was fitted; 0 for a service
	Vectors   int64  `json:"vectors"`   // in all
	Made      int64  `json:"made"`      // by this run

	switched bool // Model did not serve before
}

func (e Embedded) String() string {
	switch {
	case e.Model == "":
		return fmt.Sprintf("none: the corpus has too few documents for a model of its own, search is by words alone (a model is fitted from %d on)", LeastDocuments)
	case e.switched:
		return fmt.Sprintf("%s of the new model %s", count(int(e.Vectors), "vector"), e.Model)
	}
	return fmt.Sprintf("%s of the model %s", count(int(e.Vectors), "vector"), e.Model)
}

// Reembed brings the vectors of the corpus up to date: with the provider of o, or
// with a model fitted on the corpus itself, which is fitted anew where the corpus
// has outgrown it (lsa.Outgrown), where it was made by another version of this
// program, or where anew is set. A new model's vectors are made beside those in
// use, which serve until the last chunk has one; stopped at any moment, the next
// run goes on. An engine beside the corpus is then given everything anew (Move).
//
// Errors: *rag.EmbedError, *store.HeldError where another process is at it,
// *store.Error, and those of the engine. What was made is kept.
func Reembed(ctx context.Context, o Options, anew bool) (Embedded, error) {
	s, lease, err := begin(ctx, o, vectorsKey)
	if err != nil {
		return Embedded{}, err
	}
	defer lease.Release()
	made, err := s.makeVectors(ctx, anew)
	if err == nil {
		err = s.renewEngine(ctx)
	}
	return made, err
}

// renewEngine gives the engine beside the corpus the vectors of a new model.
func (s *session) renewEngine(ctx context.Context) error {
	if s.o.Index == nil || s.engine != nil && s.engine.failed {
		return nil
	}
	state, err := s.o.Store.Meta(ctx, engineMeta)
	if err != nil || state != oldVectors {
		return err
	}
	_, err = Move(ctx, s.o)
	return err
}

// keepVectors makes the vectors that are missing once a sync has stored its
// records, and a model where one is due.
func (s *session) keepVectors(ctx context.Context) error {
	if s.o.NoVectors {
		s.report.Vectors = "left out, as was asked"
		return nil
	}
	lease, err := s.o.Store.Lease(ctx, vectorsKey)
	var held *store.HeldError
	if errors.As(err, &held) {
		s.report.Vectors = fmt.Sprintf("process %d is making them", held.PID)
		return nil
	}
	if err != nil {
		return err
	}
	defer lease.Release()
	made, err := s.makeVectors(ctx, false)
	if err != nil {
		return err
	}
	s.report.Vectors = made.String()
	return s.renewEngine(ctx)
}

// makeVectors completes the vectors of the model in use, or of another one that
// it then puts to use.
func (s *session) makeVectors(ctx context.Context, anew bool) (made Embedded, err error) {
	models, err := s.o.Store.Models(ctx)
	if err != nil {
		return made, err
	}
	if len(models) > 0 && models[0].InUse {
		made.Replaced = models[0].Name
	}
	var m *maker
	if s.o.Embedder == nil {
		m, err = s.fitted(ctx, models, anew)
	} else if i := slices.IndexFunc(models, s.makes); i >= 0 {
		m = &maker{models[i], s.o.Embedder}
	} else {
		m, err = s.provided(ctx, models)
	}
	if m == nil || err != nil {
		made.Replaced = ""
		return made, err
	}
	if local, ok := m.by.(*rag.Local); ok {
		made.FittedOn = local.Fitted()
	}
	// A model that is not in use must not lack a chunk. Another sync may bring new
	// ones all the while.
	const attempts = 20
	for range attempts {
		var n int64
		if n, err = s.fill(ctx, m); err != nil {
			break
		}
		made.Made += n
		if !m.model.InUse {
			err = s.use(ctx, m.model)
		}
		if !store.IsKind(err, store.ModelMismatch) {
			break
		}
	}
	if err != nil {
		return made, err
	}
	made.Model, made.Dimension, made.switched = m.model.Name, m.model.Dim, !m.model.InUse
	if !made.switched {
		made.Replaced = ""
	}
	if models, err = s.o.Store.Models(ctx); err == nil && len(models) > 0 {
		made.Vectors = models[0].Vectors
	}
	return made, err
}

// use makes a model the one that serves.
func (s *session) use(ctx context.Context, m store.Model) error {
	state, err := s.o.Store.Meta(ctx, engineMeta)
	if err == nil && state == inStep {
		err = s.o.Store.SetMeta(ctx, engineMeta, oldVectors)
	}
	if err != nil {
		return err
	}
	return s.o.Store.UseModel(ctx, m.ID)
}

// makes reports whether this sync has made vectors under a model.
func (s *session) makes(m store.Model) bool { return s.maker != nil && s.maker.model.ID == m.ID }

// provided is the model of the provider, begun where it is not there.
func (s *session) provided(ctx context.Context, models []store.Model) (*maker, error) {
	by := s.o.Embedder
	dim := by.Dim()
	if dim == 0 { // a service tells by answering
		v, err := by.Embed(ctx, []string{"dimension"})
		if err != nil {
			return nil, err
		}
		dim = len(v[0])
	}
	i := slices.IndexFunc(models, func(m store.Model) bool { return m.Name == by.Model() && m.Dim == dim })
	if i >= 0 {
		return &maker{models[i], by}, nil
	}
	m, err := s.o.Store.NewModel(ctx, by.Model(), dim)
	return &maker{m, by}, err
}

// fitted is the corpus's own model: one that is begun and not finished, the one in
// use if it will do, or a new one. nil: the corpus is too small.
func (s *session) fitted(ctx context.Context, models []store.Model, anew bool) (*maker, error) {
	stats, err := s.o.Store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	var used *maker
	for _, m := range slices.Backward(models) { // the one in use comes last
		if !isLocal(m) {
			continue
		}
		local, err := openLocal(ctx, s.o.Store, m)
		switch {
		case err != nil && m.InUse:
			// It cannot be used any more, and is replaced.
		case err != nil:
			if err := s.o.Store.DropModel(ctx, m.ID); err != nil {
				return nil, err
			}
		case !m.InUse:
			return &maker{m, local}, nil
		case !anew && !lsa.Outgrown(local.Fitted(), int(stats.Documents)):
			return &maker{m, local}, nil
		default:
			used = &maker{m, local}
		}
	}
	if stats.Documents < LeastDocuments {
		return used, nil
	}
	return s.fit(ctx, int(stats.Documents), used)
}

// fit fits a model on the corpus and stores it beside the one in use.
func (s *session) fit(ctx context.Context, documents int, used *maker) (*maker, error) {
	model, err := rag.FitLocal(ctx, documents, s.o.Store.Documents(ctx, 0))
	if errors.Is(err, lsa.ErrTooSmall) {
		return used, nil
	}
	if err != nil {
		return nil, err
	}
	if used != nil && used.model.Name == model.Name() {
		return used, nil // the same documents make the same model
	}
	m, err := storeLocal(ctx, s.o.Store, model)
	if err != nil {
		return nil, err
	}
	local, err := openLocal(ctx, s.o.Store, m)
	return &maker{m, local}, err
}

// fill makes the vectors that a model lacks and returns how many it made.
func (s *session) fill(ctx context.Context, m *maker) (made int64, err error) {
	if m.model.Missing == 0 {
		return 0, nil
	}
	s.step(func(now *Progress) {
		now.Vectors, now.TotalVectors = int(m.model.Vectors), int(m.model.Vectors+m.model.Missing)
	})
	group, ctx := errgroup.WithContext(ctx)
	batches := make(chan []store.StoredChunk)
	group.Go(func() error {
		defer close(batches)
		return s.missing(ctx, m.model.ID, batches)
	})
	for range embedding {
		group.Go(func() error {
			for chunks := range batches {
				n, err := s.add(ctx, m, chunks)
				if err != nil {
					return err
				}
				s.step(func(now *Progress) { now.Vectors += n; made += int64(n) })
			}
			return nil
		})
	}
	err = group.Wait()
	return made, err
}

// missing sends the chunks that have no vector, in batches.
func (s *session) missing(ctx context.Context, model int64, batches chan<- []store.StoredChunk) error {
	var batch []store.StoredChunk
	send := func() error {
		select {
		case batches <- batch:
			batch = nil
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for chunk, err := range s.o.Store.MissingVectors(ctx, model) {
		if err != nil {
			return err
		}
		if batch = append(batch, chunk); len(batch) == vectorBatch {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return send()
}

// add embeds chunks and stores their vectors.
func (s *session) add(ctx context.Context, m *maker, chunks []store.StoredChunk) (int, error) {
	pmids := make([]int64, 0, len(chunks))
	for _, c := range chunks {
		pmids = append(pmids, c.PMID)
	}
	docs, err := s.o.Store.DocumentsOf(ctx, slices.Compact(pmids))
	if err != nil {
		return 0, err
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		if d := docs[c.PMID]; d != nil {
			texts[i] = rag.EmbeddingText(c.Title, c.Text, rag.Subjects(d))
		}
	}
	values, err := m.embed(ctx, texts)
	if err != nil {
		return 0, err
	}
	vectors := make([]store.Vector, len(chunks))
	for i, c := range chunks {
		vectors[i] = store.Vector{PMID: c.PMID, Version: c.Version, Ordinal: c.Ordinal, Values: values[i]}
	}
	return s.o.Store.AddVectors(ctx, m.model.ID, vectors)
}
