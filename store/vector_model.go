package store

import (
	"biomcp/store/disk"
	"biomcp/store/rows"
	"context"
	"database/sql"
	"fmt"
	"iter"
	"math"
)

// Model is one version of an embedding model, with its vectors and its own rows. At most one model
// is in use, and at most one other is the second. Further models may be computed meanwhile.
type Model struct {
	ID       int64
	Name     string // provider, model and version, as the caller names them
	Dim      int
	InUse    bool
	IsSecond bool  // in use beside the model that InUse marks
	Vectors  int64 // chunks that are done: with a vector, or known not to have one
	Missing  int64 // chunks that are not done
	Created  string
}

const maxDim = 8192

// Models returns all models: first the one in use, then the second, then the others.
func (s *Store) Models(ctx context.Context) ([]Model, error) {
	list := []Model{}
	err := s.db.Read(ctx, "read models", func(r *rows.Conn) (err error) {
		list, err = s.models(r)
		return err
	})
	return list, err
}

func (s *Store) models(r *rows.Conn) ([]Model, error) {
	list := []Model{}
	ix, err := s.words.Load(r)
	if err != nil {
		return list, err
	}
	again := func() { list = []Model{} }
	const selectModels = "SELECT id, state, name, dim, vectors, created, sum FROM %s" +
		" ORDER BY state=1 DESC, state=3 DESC, id"
	err = r.EachCopied("model", selectModels, again, func(scan func(...any) error) error {
		var m Model
		var state, sum int64
		err := scan(&m.ID, &state, &m.Name, &m.Dim, &m.Vectors, &m.Created, &sum)
		if err == nil {
			err = rows.CheckSum(sum, "model", m.ID, state, m.Name, int64(m.Dim), m.Vectors, m.Created)
		}
		if m.InUse, m.IsSecond, m.Missing = state == 1, state == 3, ix.Chunks-m.Vectors; state != 2 {
			list = append(list, m)
		}
		return err
	})
	return list, err
}

func (s *Store) modelOf(r *rows.Conn, id int64) (Model, error) {
	list, err := s.models(r)
	if err != nil {
		return Model{}, err
	}
	for _, m := range list {
		if m.ID == id {
			return m, nil
		}
	}
	return Model{}, disk.NewError(NotFound, "read models", "the model no longer exists")
}

// NewModel begins a model in addition to the one in use. If there is an unfinished one of that name
// and dimension, it returns that one.
func (s *Store) NewModel(ctx context.Context, name string, dim int) (Model, error) {
	const op = "begin model"
	if dim < 1 || dim > maxDim {
		return Model{}, disk.NewError(Invalid, op, "a vector has 1 to %d dimensions", maxDim)
	}
	if err := s.sweepModels(ctx); err != nil {
		return Model{}, err
	}
	var m Model
	err := s.db.Write(ctx, op, func(w *rows.Conn) error {
		var id int64
		if err := w.Row("SELECT id FROM model WHERE name=? AND dim=? AND state=0", []any{name, dim}, &id); err != nil {
			return err
		}
		var err error
		if id == 0 {
			const insertModel = "INSERT INTO model(state,name,dim,vectors,created) VALUES(0,?,?,0,?)"
			if id, err = w.Insert(insertModel, name, dim, s.now()); err != nil {
				return err
			}
		}
		m, err = s.modelOf(w, id)
		return err
	})
	return m, err
}

// UseModel puts the model id in use, and second beside it (0: none), in one step, and removes the
// models that were in use before. The error is ModelMismatch if a model that was not in use still
// lacks vectors of chunks.
func (s *Store) UseModel(ctx context.Context, id, second int64) error {
	const op = "use model"
	err := s.db.Write(ctx, op, func(w *rows.Conn) error {
		for _, id := range []int64{id, second} {
			if id == 0 {
				continue
			}
			m, err := s.modelOf(w, id)
			if err != nil {
				return err
			}
			if m.Missing != 0 && !m.InUse && !m.IsSecond {
				return disk.NewError(ModelMismatch, op, "%d chunks have no vector under the model yet", m.Missing)
			}
		}
		if err := w.Exec("UPDATE model SET state=2 WHERE state IN (1,3) AND id NOT IN (?,?)", id, second); err != nil {
			return err
		}
		return w.Exec("UPDATE model SET state=CASE id WHEN ?1 THEN 1 ELSE 3 END WHERE id IN (?1,?2)", id, second)
	})
	if err != nil {
		return err
	}
	return s.sweepModels(ctx)
}

// DropModel removes a model, even one in use, with its vectors and rows.
func (s *Store) DropModel(ctx context.Context, id int64) error {
	if err := s.db.Exec(ctx, "drop model", "UPDATE model SET state=2 WHERE id=?", id); err != nil {
		return err
	}
	return s.sweepModels(ctx)
}

// sweepModels removes the remains of dropped models, a few thousand rows at a time.
func (s *Store) sweepModels(ctx context.Context) error {
	return s.db.Sweep(ctx, "remove model", "SELECT id FROM model WHERE state=2 LIMIT 1",
		"DELETE FROM vector WHERE id IN (SELECT id FROM vector WHERE id>=?1<<32 AND id<(?1+1)<<32 LIMIT 10000)",
		"DELETE FROM vector_code WHERE id IN (SELECT id FROM vector_code WHERE model=?1 LIMIT 100)",
		"DELETE FROM vector_partition WHERE model=?1",
		"DELETE FROM model_row WHERE model IN (?1,-?1)"+
			" AND key IN (SELECT key FROM model_row WHERE model IN (?1,-?1) LIMIT 10000)",
		"DELETE FROM meta WHERE key='untidy ' || ?1",
		"DELETE FROM model WHERE id=?1")
}

// PutModelRows stores data of a model under the caller's keys, replacing earlier data; for example,
// a vector for each term. Many rows take several transactions; storing them again is harmless. All
// vectors depend on these rows, so each is stored twice, unless the model has rows by PutModelRowsOnce. The
// second copy has the negative model number, which puts it far from the first.
func (s *Store) PutModelRows(ctx context.Context, id int64, pairs iter.Seq2[string, []byte]) error {
	return s.putModelRows(ctx, id, pairs, true)
}

// PutModelRowsOnce stores data of a new model as PutModelRows does, but without a second copy, for a model
// that is quickly made again: a Repair drops it if a row is damaged.
func (s *Store) PutModelRowsOnce(ctx context.Context, id int64, pairs iter.Seq2[string, []byte]) error {
	return s.putModelRows(ctx, id, pairs, false)
}

func (s *Store) putModelRows(ctx context.Context, id int64, pairs iter.Seq2[string, []byte], twice bool) error {
	next, stop := iter.Pull2(pairs)
	defer stop()
	for more := true; more; {
		err := s.db.Write(ctx, "write model", func(w *rows.Conn) error {
			if _, err := s.modelOf(w, id); err != nil {
				return err
			}
			insert := "INSERT OR REPLACE INTO model_row VALUES(?1,?2,?3),(-?1,?2,?3)"
			if !twice || hasModelRows(w, id) && !hasModelRows(w, -id) {
				insert = "INSERT OR REPLACE INTO model_row VALUES(?1,?2,?3)"
			}
			for size := 0; size < 8<<20; {
				var key string
				var data []byte
				if key, data, more = next(); !more {
					break
				}
				size += len(key) + len(data) + 50
				if err := w.Exec(insert, id, key, data); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ModelRows returns the existing rows among those with the given keys.
func (s *Store) ModelRows(ctx context.Context, id int64, keys []string) (map[string][]byte, error) {
	found := make(map[string][]byte, len(keys))
	err := s.db.Read(ctx, "read model", func(r *rows.Conn) error {
		for _, key := range keys {
			var data []byte
			has, err := modelRow(r, id, key, &data)
			if damaged := err; rows.IsDamaged(err) {
				if has, err = modelRow(r, -id, key, &data); !has && err == nil {
					err = damaged // there is no second copy
				}
			}
			if err != nil {
				return err
			}
			if has {
				found[key] = data
			}
		}
		return ctx.Err()
	})
	return found, err
}

func modelRow(r *rows.Conn, id int64, key string, data *[]byte) (has bool, err error) {
	var sum int64
	has, err = r.RowFound("SELECT sum, data FROM model_row WHERE model=? AND key=?", []any{id, key}, &sum, data)
	if has && err == nil {
		err = rows.CheckSum(sum, "model_row", id, key, *data)
	}
	return has, err
}

// EachModelRow calls f with the rows of a model in the order of their keys. data is valid only
// until f returns.
func (s *Store) EachModelRow(ctx context.Context, id int64, f func(key string, data []byte) error) error {
	return s.db.Read(ctx, "read model", func(r *rows.Conn) error {
		last, begun := "", false // last key passed to f, if any
		each := func(id int64) error {
			const selectModelRow = "SELECT key, sum, data FROM model_row WHERE model=? AND (key>? OR ?) ORDER BY key"
			return r.Each(selectModelRow, []any{id, last, !begun}, func(scan func(...any) error) error {
				var key string
				var sum int64
				var data sql.RawBytes
				err := scan(&key, &sum, &data)
				if err == nil {
					err = rows.CheckSum(sum, "model_row", id, key, []byte(data))
				}
				if err == nil {
					last, begun = key, true
					err = f(key, data)
				}
				return err
			})
		}
		err := each(id)
		if rows.IsDamaged(err) && hasModelRows(r, -id) {
			err = each(-id)
		}
		return err
	})
}

// checkVector returns an error unless v is a unit vector of the model's dimension. It accepts an
// empty v, which means "no vector".
func (m Model) checkVector(op string, v []float32) error {
	if len(v) == 0 {
		return nil
	}
	if len(v) != m.Dim {
		return disk.NewError(ModelMismatch, op, "the vector has %d dimensions, the model %d", len(v), m.Dim)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if !(math.Abs(sum-1) < 0.01) {
		return disk.NewError(Invalid, op, "the length of the vector is %s, not 1", fmt.Sprintf("%.3g", math.Sqrt(sum)))
	}
	return nil
}

// hasModelRows reports whether a model, or the second copy of the model -id, has rows or cannot be read.
func hasModelRows(r *rows.Conn, id int64) bool {
	var n int64
	has, err := r.RowFound("SELECT 1 FROM model_row WHERE model=? LIMIT 1", []any{id}, &n)
	return has || err != nil
}
