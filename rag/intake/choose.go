package intake

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/lsa"
	"biomcp/store"
)

// A fitPolicy determines when a new model is fitted on a corpus that already has one.
type fitPolicy int

const (
	whenGrown   fitPolicy = iota // the corpus has outgrown its model (lsa.NeedsRefit)
	whenChanged                  // a document was added, replaced or removed since the fit
	always
)

// choose returns the model that the corpus should have, and starts it if it is new. It returns
// nil if the corpus is too small for a model of its own.
func (s *session) choose(ctx context.Context, models []store.Model, when fitPolicy) (*maker, error) {
	if s.o.Embedder == nil {
		return s.localModel(ctx, models, when)
	}
	if i := slices.IndexFunc(models, s.madeVectors); i >= 0 {
		return &maker{models[i], s.o.Embedder}, nil
	}
	return s.providerModel(ctx, models)
}

// madeVectors reports whether this sync has made vectors with model m.
func (s *session) madeVectors(m store.Model) bool { return s.maker != nil && s.maker.model.ID == m.ID }

// providerModel returns the model of the configured provider, and starts it if it is new.
func (s *session) providerModel(ctx context.Context, models []store.Model) (*maker, error) {
	by := s.o.Embedder
	if err := s.identify(ctx); err != nil {
		return nil, err
	}
	dim := by.Dim()
	if dim == 0 { // a service's reply shows its dimension
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

// localModel returns a model fitted on the corpus: an unfinished one, the one in use if it is
// still good enough, or a new one. It returns nil if the corpus is too small. Unless the policy
// is whenGrown, the result depends only on the documents of the corpus, so it then removes the
// models of a corpus that has become too small.
func (s *session) localModel(ctx context.Context, models []store.Model, when fitPolicy) (*maker, error) {
	stats, err := s.o.Store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	var used *maker
	for _, m := range slices.Backward(models) { // models in use come last
		if !isLocal(m) {
			continue
		}
		local, err := openLocal(ctx, s.o.Store, m, s.o.Table)
		serves := m.InUse || m.IsSecond
		switch {
		case err != nil && serves:
			// The model in use cannot be opened, so it is replaced.
		case err != nil, !serves && when != whenGrown && s.changesSince(ctx, m, local, stats) > 0:
			if err := s.o.Store.DropModel(ctx, m.ID); err != nil {
				return nil, err
			}
		case !serves:
			return &maker{m, local}, nil
		case when == whenGrown && !lsa.NeedsRefit(local.FittedDocuments(), int(stats.Documents)),
			when == whenChanged && s.changesSince(ctx, m, local, stats) == 0:
			return &maker{m, local}, nil
		default:
			used = &maker{m, local}
		}
	}
	if stats.Documents >= LeastDocuments {
		fitted, err := s.fit(ctx, stats, used)
		if !errors.Is(err, lsa.ErrTooSmall) {
			return fitted, err
		}
	}
	if when == whenGrown {
		return used, nil
	}
	return nil, s.dropLocal(ctx, models)
}

// changesSince returns the number of times a document was added, replaced or removed since a
// model was fitted. If a program that does not count them has changed the corpus, it returns at
// least 1.
func (s *session) changesSince(ctx context.Context, m store.Model, local *rag.Local, stats store.Stats) int64 {
	at, err := fittedAt(ctx, s.o.Store, m)
	if err != nil || at < 0 || at > stats.Changes {
		return 1
	}
	grown := stats.Documents - int64(local.FittedDocuments())
	return max(stats.Changes-at, grown, -grown)
}

// dropLocal removes the corpus's own models.
func (s *session) dropLocal(ctx context.Context, models []store.Model) error {
	for _, m := range models {
		if !isLocal(m) {
			continue
		}
		if err := s.o.Store.DropModel(ctx, m.ID); err != nil {
			return err
		}
		if err := s.markEngineStale(ctx); err != nil {
			return err
		}
	}
	return nil
}

// fit fits a new model on the corpus and stores it. The model in use keeps serving meanwhile.
// It returns lsa.ErrTooSmall if the corpus is too uniform.
func (s *session) fit(ctx context.Context, stats store.Stats, used *maker) (*maker, error) {
	s.release()
	sample := func(wanted func(record.PMID) bool) iter.Seq2[*store.Document, error] {
		return s.o.Store.FilteredDocuments(ctx, 0, wanted)
	}
	model, err := rag.FitLocal(ctx, int(stats.Documents), sample, s.o.Table)
	if err != nil {
		return nil, err
	}
	if used != nil && used.model.Name == model.Name() { // equal documents give an equal model
		return used, putFittedAt(ctx, s.o.Store, used.model, stats.Changes)
	}
	m, err := storeLocal(ctx, s.o.Store, model, stats)
	if err != nil {
		return nil, err
	}
	// Free the matrices of the fit now. The collector would otherwise wait until the heap is
	// twice as large as it was with them.
	model = nil
	runtime.GC()
	local, err := openLocal(ctx, s.o.Store, m, s.o.Table)
	return &maker{m, local}, err
}

// release frees the memory of models that will not make vectors for now.
func (s *session) release() {
	for _, m := range []*maker{s.maker, s.second} {
		if m == nil {
			continue
		}
		if by, ok := m.embedder.(interface{ Release() }); ok {
			by.Release()
		}
	}
}
