package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"biomcp/rag"
	"biomcp/store"
)

const (
	// vectorsKey is the lease for making vectors of stored records. It cannot be a query key.
	vectorsKey = "--embeddings"
	// LeastDocuments is the minimum number of documents for the corpus's own model. A smaller
	// corpus has too little text to learn from (rag/evaluate/RESULTS.md).
	LeastDocuments = 50
)

// TooFewText explains why a corpus of n documents has no model of its own. It returns "" if the
// corpus is large enough.
func TooFewText(n int64) string {
	if n >= LeastDocuments {
		return ""
	}
	return fmt.Sprintf("a model needs at least %d documents, not %d", LeastDocuments, n)
}

// EmbedResult reports the vectors of a corpus and what a run added to them.
type EmbedResult struct {
	Model      string `json:"model"`     // model that searches use now, or ""
	Dimension  int    `json:"dimension"` // zero without a model
	Replaced   string `json:"replaced"`  // model that searches used before, if it is another
	FittedOn   int    `json:"fitted_on"` // documents that Model was fitted on; zero for a service
	Vectors    int64  `json:"vectors"`   // total
	NewVectors int64  `json:"made"`      // number made by this run
	Second     string `json:"second"`    // the corpus's own model beside a service's, or ""

	switched bool // searches did not use Model before
	// fittedOn is the number of documents that the corpus's own model was fitted on, and changes
	// the number of times that a document was added, replaced or removed since.
	fittedOn int
	changes  int64
}

func (e EmbedResult) String() string {
	if e.Model == "" {
		return fmt.Sprintf("none: the corpus has too few documents for its own model, so search uses words only "+
			"(a model needs at least %d)", LeastDocuments)
	}
	text := english.Plural(int(e.Vectors), "vector", "") + " of the "
	if e.switched {
		text += "new "
	}
	text += "model " + e.Model
	if e.Second != "" {
		text += ", and of " + e.Second
	}
	if e.changes > 0 {
		text += fmt.Sprintf(" (%s since it was fitted)", changedDocuments(e.changes))
	}
	return text
}

// changedDocuments describes n changes.
func changedDocuments(n int64) string {
	return english.Plural(int(n), "document", "") + " added, replaced or removed"
}

// refitDue reports whether enough documents have changed since the corpus's own model was fitted
// that a sync should say so.
func (e EmbedResult) refitDue() bool {
	const share = 10 // one document in share
	return e.changes > 0 && share*e.changes >= int64(e.fittedOn)
}

// UpdateVectors brings the vectors of the corpus up to date: those of the provider in o, if any, and
// those of a model fitted on the corpus. That model is fitted again if a document was added,
// replaced or removed since, if another version of this program made it, or if refit is set.
// Searches therefore give the same answers for the same documents, however these came into the
// corpus, if all vectors are compared in full (store.Store.NearestChunks). The
// vectors in use serve until the last vector of a new model is made. A stopped run is continued
// by the next one. In the end an external engine is given all documents again (Move).
//
// UpdateVectors returns *rag.EmbedError, *store.HeldError if another process holds the lease,
// *store.Error, or an error of the engine. Vectors that were made are kept.
func UpdateVectors(ctx context.Context, o Options, refit bool) (EmbedResult, error) {
	s, lease, err := begin(ctx, o, vectorsKey)
	if err != nil {
		return EmbedResult{}, err
	}
	defer lease.Release()
	if o.Index != nil {
		if err := s.openEngine(ctx); err != nil {
			return EmbedResult{}, err
		}
	}
	when := whenChanged
	if refit {
		when = always
	}
	made, err := s.makeVectors(ctx, when)
	if s.engine != nil && ctx.Err() == nil { // even if only some vectors were made
		err = cmp.Or(err, s.engine.catchUp(ctx))
	}
	if err == nil {
		err = s.renewEngine(ctx)
	}
	if o.Index == nil && made.NewVectors > 0 {
		err = cmp.Or(err, s.markEngineStale(ctx))
	}
	if err == nil {
		s.shrink(ctx)
	}
	return made, err
}

// markEngineStale notes that the engine lacks vectors that the corpus holds.
func (s *session) markEngineStale(ctx context.Context) error {
	state, err := s.o.Store.Meta(ctx, engineMeta)
	if err != nil || state != inStep {
		return err
	}
	return s.o.Store.SetMeta(ctx, engineMeta, oldVectors)
}

// renewEngine sends the vectors of a new model to the external engine.
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

// updateVectors makes the vectors that are absent after a sync has stored its records, and fits
// a model if one is due.
func (s *session) updateVectors(ctx context.Context) error {
	if s.o.NoVectors {
		s.report.Vectors = "skipped, as requested"
		return nil
	}
	lease, err := lease(ctx, s.o.Store, vectorsKey)
	if held, ok := errors.AsType[*store.HeldError](err); ok {
		s.report.Vectors = fmt.Sprintf("process %d is making them", held.PID)
		return nil
	}
	if err != nil {
		return err
	}
	defer lease.Release()
	made, err := s.makeVectors(ctx, whenGrown)
	if err != nil {
		return err
	}
	s.report.Vectors = made.String()
	if made.refitDue() {
		s.warn("%s since the corpus's own model was fitted on %d: biomcp sync embeddings fits it again",
			changedDocuments(made.changes), made.fittedOn)
	}
	return s.renewEngine(ctx)
}

// makeVectors completes the vectors of the model in use, or of another model that then replaces
// it.
func (s *session) makeVectors(ctx context.Context, when fitPolicy) (result EmbedResult, err error) {
	models, err := s.o.Store.Models(ctx)
	if err != nil {
		return result, err
	}
	m, err := s.choose(ctx, models, when)
	if m == nil || err != nil {
		return result, err
	}
	if err := s.complete(ctx, m, m.model.InUse, &result, s.use); err != nil {
		return result, err
	}
	result.Model, result.Dimension, result.switched = m.model.Name, m.model.Dim, !m.model.InUse
	if result.switched && len(models) > 0 && models[0].InUse {
		result.Replaced = models[0].Name
	}
	if local, ok := m.embedder.(*rag.Local); ok {
		result.FittedOn = local.FittedDocuments()
		err = s.countChanges(ctx, m.model, local, &result)
	} else {
		err = s.makeSecond(ctx, m, when, &result)
	}
	if err != nil {
		return result, err
	}
	if models, err = s.o.Store.Models(ctx); err == nil && len(models) > 0 {
		result.Vectors = models[0].Vectors
	}
	return result, err
}

// makeSecond completes the vectors of the corpus's own model beside a service's.
func (s *session) makeSecond(ctx context.Context, service *maker, when fitPolicy, result *EmbedResult) error {
	models, err := s.o.Store.Models(ctx)
	if err != nil {
		return err
	}
	m, err := s.localModel(ctx, models, when)
	if m == nil || err != nil {
		return err
	}
	result.Second = m.model.Name
	if err := s.countChanges(ctx, m.model, m.embedder.(*rag.Local), result); err != nil {
		return err
	}
	return s.complete(ctx, m, m.model.IsSecond, result, func(ctx context.Context, m store.Model) error {
		if err := s.noteModelChange(ctx, m); err != nil {
			return err
		}
		return s.o.Store.UseModel(ctx, service.model.ID, m.ID)
	})
}

// countChanges sets the changes since the corpus's own model was fitted.
func (s *session) countChanges(ctx context.Context, m store.Model, local *rag.Local, result *EmbedResult) error {
	stats, err := s.o.Store.Stats(ctx)
	if err == nil {
		result.fittedOn, result.changes = local.FittedDocuments(), s.changesSince(ctx, m, local, stats)
	}
	return err
}

// complete makes the vectors that a model lacks. If the model is not in use yet, it then puts
// it to use.
func (s *session) complete(
	ctx context.Context, m *maker, serves bool, result *EmbedResult, use func(context.Context, store.Model) error,
) error {
	lacking := m.model
	// A model can be put to use only if every chunk has a vector, and another sync may add
	// chunks at any time.
	const attempts = 20
	for attempt := 1; ; attempt++ {
		if lacking.Missing > 0 {
			n, err := s.fill(ctx, m)
			result.NewVectors += n
			if err != nil {
				return err
			}
		}
		if err := s.o.Store.ArrangePartitions(ctx, m.model.ID); err != nil {
			return err
		}
		if serves {
			return nil
		}
		refused := use(ctx, m.model)
		if !store.IsKind(refused, store.ModelMismatch) || attempt == attempts {
			return refused
		}
		models, err := s.o.Store.Models(ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(models, func(other store.Model) bool { return other.ID == m.model.ID })
		if i < 0 {
			return refused
		}
		lacking = models[i]
	}
}

// use makes m the model that searches use. The corpus's own model stays beside a service's.
func (s *session) use(ctx context.Context, m store.Model) error {
	if err := s.noteModelChange(ctx, m); err != nil {
		return err
	}
	second := int64(0)
	if !isLocal(m) {
		models, err := s.o.Store.Models(ctx)
		if err != nil {
			return err
		}
		for _, other := range models {
			if isLocal(other) && joins(other, nil) && (other.InUse || other.IsSecond) {
				second = other.ID
			}
		}
	}
	return s.o.Store.UseModel(ctx, m.ID, second)
}

// noteModelChange notes that the engine has vectors of another model than m, unless this run
// has sent it those of m.
func (s *session) noteModelChange(ctx context.Context, m store.Model) error {
	if s.engine != nil && s.engine.fresh && s.engine.model == m.ID {
		return nil
	}
	return s.markEngineStale(ctx)
}
