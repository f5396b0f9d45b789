package store

import (
	"context"
	"os"
	"time"

	"biomcp/store/pages"
)

// Stats says how large the corpus is.
type Stats struct {
	Documents int64
	Deleted   int64 // tombstones
	Chunks    int64
	Length    float64 // average length of a chunk, in terms
	Segments  int     // parts of the word index
	Removed   int64   // chunks removed but not yet merged away
	Bytes     int64   // of the file and its journal
	Models    []Model
}

// Stats reads the sizes; it counts nothing, so it costs the same for any corpus.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	st := Stats{Models: []Model{}}
	err := s.read(ctx, "read corpus", func(r *reader) error {
		ix, err := s.loadIndex(r)
		if err != nil {
			return err
		}
		st.Chunks, st.Segments = ix.chunks, len(ix.segments)
		if ix.chunks > 0 {
			st.Length = float64(ix.length) / float64(ix.chunks)
		}
		for _, g := range ix.segments {
			st.Removed += g.dead
		}
		if err := r.row("SELECT value FROM meta WHERE key='documents'", nil, &st.Documents); err != nil {
			return err
		}
		if err := r.row("SELECT value FROM meta WHERE key='deleted'", nil, &st.Deleted); err != nil {
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

// CheckPages checks the pages of the file and of its journal, and that every document
// on them can be read, for at most the given time: the pages that it gets to are
// spread over the whole file. Corrupt says how many of them are damaged.
func (s *Store) CheckPages(ctx context.Context, within time.Duration) (c pages.Checked, err error) {
	const op = "check corpus"
	err = s.read(ctx, op, func(r *reader) error {
		// From this row on the reader holds a snapshot, so that nobody moves pages from
		// the journal to the file.
		if _, err := s.loadIndex(r); err != nil {
			return err
		}
		f, err := pages.Open(s.path, pageSize)
		if err != nil {
			return err
		}
		defer f.Close()
		timed, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		if c = f.Check(timed, s.rowCheck(r)); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if c.Damaged += f.Unread; c.Damaged > 0 {
			return newError(Corrupt, op, "the file is damaged: %d of the %d pages that were checked", c.Damaged, c.Pages)
		}
		return nil
	})
	return c, err
}
