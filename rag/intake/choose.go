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

// choose returns the model that the corpus should have, and starts it if it is new. It returns
// nil if the corpus is too small for a model of its own.
func (s *session) choose(ctx context.Context, models []store.Model, refit bool) (*maker, error) {
	if s.o.Embedder == nil {
		return s.localModel(ctx, models, refit)
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
// still good enough, or a new one. It returns nil if the corpus is too small.
func (s *session) localModel(ctx context.Context, models []store.Model, refit bool) (*maker, error) {
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
		case err != nil:
			if err := s.o.Store.DropModel(ctx, m.ID); err != nil {
				return nil, err
			}
		case !serves:
			return &maker{m, local}, nil
		case !refit && !lsa.NeedsRefit(local.FittedDocuments(), int(stats.Documents)):
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

// fit fits a new model on the corpus and stores it. The model in use keeps serving meanwhile.
func (s *session) fit(ctx context.Context, documents int, used *maker) (*maker, error) {
	s.release()
	sample := func(wanted func(record.PMID) bool) iter.Seq2[*store.Document, error] {
		return s.o.Store.FilteredDocuments(ctx, 0, wanted)
	}
	model, err := rag.FitLocal(ctx, documents, sample, s.o.Table)
	if errors.Is(err, lsa.ErrTooSmall) {
		return used, nil
	}
	if err != nil {
		return nil, err
	}
	if used != nil && used.model.Name == model.Name() {
		return used, nil // equal documents give an equal model
	}
	m, err := storeLocal(ctx, s.o.Store, model)
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
