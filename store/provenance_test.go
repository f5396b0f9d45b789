package store

import (
	"context"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// brought is one entry of a document's provenance.
type brought struct {
	Source string
	At     time.Time
}

// provenance returns the queries and files that brought a document, earliest first.
func (s *Store) provenance(ctx context.Context, pmid record.PMID) ([]brought, error) {
	list := []brought{}
	err := s.db.Read(ctx, "read provenance", func(r *rows.Conn) error {
		return r.Each("SELECT name, at FROM provenance JOIN source ON source.id=source WHERE pmid=?", []any{pmid}, func(scan func(...any) error) error {
			var line brought
			var at int64
			err := scan(&line.Source, &at)
			line.At = time.Unix(at, 0).UTC()
			list = append(list, line)
			return err
		})
	})
	slices.SortStableFunc(list, func(a, b brought) int { return a.At.Compare(b.At) })
	return list, err
}
