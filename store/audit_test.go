package store

import (
	"biomcp/store/rows"
	"context"
)

// auditEntry is one manual set of a watermark. Old is "" if there was no watermark.
type auditEntry struct{ Time, Key, Old, New string }

// audit returns the manual sets of a key, or of all keys if key is "", oldest first.
func (s *Store) audit(ctx context.Context, key string) ([]auditEntry, error) {
	list := []auditEntry{}
	err := s.db.Read(ctx, "read audit", func(r *rows.Conn) error {
		return r.Each("SELECT at, key, coalesce(old,''), new FROM audit WHERE ?1='' OR key=?1 ORDER BY id", []any{key}, func(scan func(...any) error) error {
			var e auditEntry
			err := scan(&e.Time, &e.Key, &e.Old, &e.New)
			list = append(list, e)
			return err
		})
	})
	return list, err
}
