package store

import (
	"biomcp/store/rows"
	"context"
	"os"
)

// Stats describes the size of the corpus.
type Stats struct {
	Documents int64
	Deleted   int64 // number of tombstones
	Changes   int64 // number of times a document was added, replaced or removed; never decreases
	Chunks    int64
	Bytes     int64 // size of the file and its journal
	Models    []Model
}

// changesKey is the key of Stats.Changes in the table meta. Files of older programs lack it.
const changesKey = "changes"

// Stats reads the stored sizes. It counts no rows, so its cost does not depend on the corpus.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	st := Stats{Models: []Model{}}
	err := s.db.Read(ctx, "read corpus", func(r *rows.Conn) error {
		ix, err := s.words.Load(r)
		if err != nil {
			return err
		}
		st.Chunks = ix.Chunks
		if err := r.Meta("documents", &st.Documents); err != nil {
			return err
		}
		if err := r.Meta("deleted", &st.Deleted); err != nil {
			return err
		}
		if err := r.Meta(changesKey, &st.Changes); err != nil {
			return err
		}
		st.Models, err = s.models(r)
		return err
	})
	for _, suffix := range []string{"", "-wal"} {
		if fi, err := os.Stat(s.path + suffix); err == nil {
			st.Bytes += fi.Size()
		}
	}
	return st, err
}
