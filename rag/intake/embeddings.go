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
	// vectorsKey is the lease for making vectors of stored records. No
	// query key can be it.
	vectorsKey = "--embeddings"
	// LeastDocuments is the size from which a corpus gets its own model:
	// below it there is too little text to learn from.
	LeastDocuments = 50
)

// Embedded reports what was done about the vectors of a corpus.
type Embedded struct {
	Model     string `json:"model"`     // that serves searches now, "" for none
	Dimension int    `json:"dimension"` // 0 without a model
	Replaced  string `json:"replaced"`  // the model that served before, if it is another
	FittedOn  int    `json:"fitted_on"` // documents when a model of the corpus's own was fitted; 0 for a service
	Vectors   int64  `json:"vectors"`   // in all
	Made      int64  `json:"made"`      // by this run
	Second    string `json:"second"`    // the corpus's own model next to that of a service, "" for none

	switched bool // Model did not serve before
}

func (e Embedded) String() string {
	if e.Model == "" {
		return fmt.Sprintf("none: the corpus has too few documents for its own model, search is by words alone (a model is fitted from %d on)", LeastDocuments)
	}
	text := english.Plural(int(e.Vectors), "vector", "") + " of the "
	if e.switched {
		text += "new "
	}
	text += "model " + e.Model
	if e.Second != "" {
		text += ", and of " + e.Second
	}
	return text
}

// Reembed brings the vectors of the corpus up to date: with the provider of o, and
// next to it, or without one, with a model fitted on the corpus itself, which is
// fitted again if the corpus has outgrown it (lsa.Outgrown), if it was made by
// another version of this program, or if refit is set. Those in use serve until a
// new model's last vector is made; stopped at any moment, the next run goes on. An external engine is then given everything again (Move).
//
// Errors: *rag.EmbedError, *store.HeldError if another process holds the lease,
// *store.Error, and those of the engine. What was made is kept.
func Reembed(ctx context.Context, o Options, refit bool) (Embedded, error) {
	s, lease, err := begin(ctx, o, vectorsKey)
	if err != nil {
		return Embedded{}, err
	}
	defer lease.Release()
	if o.Index != nil {
		if err := s.openEngine(ctx); err != nil {
			return Embedded{}, err
		}
	}
	made, err := s.makeVectors(ctx, refit)
	if s.engine != nil && ctx.Err() == nil { // also where only some were made
		err = cmp.Or(err, s.engine.catchUp(ctx))
	}
	if err == nil {
		err = s.renewEngine(ctx)
	}
	if o.Index == nil && made.Made > 0 {
		err = cmp.Or(err, s.withNewVectors(ctx))
	}
	if err == nil {
		s.shrink(ctx)
	}
	return made, err
}

// withNewVectors notes that the engine lacks vectors that the corpus holds.
func (s *session) withNewVectors(ctx context.Context) error {
	state, err := s.o.Store.Meta(ctx, engineMeta)
	if err != nil || state != inStep {
		return err
	}
	return s.o.Store.SetMeta(ctx, engineMeta, oldVectors)
}

// renewEngine gives the external engine the vectors of a new model.
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
// records, and fits a model if one is due.
func (s *session) keepVectors(ctx context.Context) error {
	if s.o.NoVectors {
		s.report.Vectors = "left out, as was asked"
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
	made, err := s.makeVectors(ctx, false)
	if err != nil {
		return err
	}
	s.report.Vectors = made.String()
	return s.renewEngine(ctx)
}

// makeVectors completes the vectors of the model in use, or of another one that
// it then puts to use.
func (s *session) makeVectors(ctx context.Context, refit bool) (made Embedded, err error) {
	models, err := s.o.Store.Models(ctx)
	if err != nil {
		return made, err
	}
	m, err := s.choose(ctx, models, refit)
	if m == nil || err != nil {
		return made, err
	}
	if err := s.complete(ctx, m, m.model.InUse, &made, s.use); err != nil {
		return made, err
	}
	made.Model, made.Dimension, made.switched = m.model.Name, m.model.Dim, !m.model.InUse
	if made.switched && len(models) > 0 && models[0].InUse {
		made.Replaced = models[0].Name
	}
	if local, ok := m.by.(*rag.Local); ok {
		made.FittedOn = local.Fitted()
	} else if err := s.makeSecond(ctx, m, refit, &made); err != nil {
		return made, err
	}
	if models, err = s.o.Store.Models(ctx); err == nil && len(models) > 0 {
		made.Vectors = models[0].Vectors
	}
	return made, err
}

// makeSecond completes the vectors of the corpus's own model next to that of a
// service.
func (s *session) makeSecond(ctx context.Context, service *maker, refit bool, made *Embedded) error {
	models, err := s.o.Store.Models(ctx)
	if err != nil {
		return err
	}
	m, err := s.fitted(ctx, models, refit)
	if m == nil || err != nil {
		return err
	}
	made.Second = m.model.Name
	return s.complete(ctx, m, m.model.Second, made, func(ctx context.Context, m store.Model) error {
		if err := s.vectorsChange(ctx, m); err != nil {
			return err
		}
		return s.o.Store.UseModel(ctx, service.model.ID, m.ID)
	})
}

// complete makes the vectors that a model lacks and, unless it serves, puts it to use.
func (s *session) complete(ctx context.Context, m *maker, serves bool, made *Embedded, use func(context.Context, store.Model) error) error {
	lacking := m.model
	// A model can be put to use when it lacks no chunk. Another sync may bring new
	// ones all the while.
	const attempts = 20
	for attempt := 1; ; attempt++ {
		if lacking.Missing > 0 {
			n, err := s.fill(ctx, m)
			made.Made += n
			if err != nil {
				return err
			}
		}
		if err := s.o.Store.Arrange(ctx, m.model.ID); err != nil {
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

// use makes a model the one that serves. The corpus's own stays next to a service's.
func (s *session) use(ctx context.Context, m store.Model) error {
	if err := s.vectorsChange(ctx, m); err != nil {
		return err
	}
	second := int64(0)
	if !isLocal(m) {
		models, err := s.o.Store.Models(ctx)
		if err != nil {
			return err
		}
		for _, other := range models {
			if isLocal(other) && joins(other, nil) && (other.InUse || other.Second) {
				second = other.ID
			}
		}
	}
	return s.o.Store.UseModel(ctx, m.ID, second)
}

// vectorsChange notes that the engine has vectors of another model than the one that
// is put to use, unless it was given them in this run.
func (s *session) vectorsChange(ctx context.Context, m store.Model) error {
	if s.engine != nil && s.engine.fresh && s.engine.model == m.ID {
		return nil
	}
	return s.withNewVectors(ctx)
}
