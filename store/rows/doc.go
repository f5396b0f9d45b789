// Package rows reads and writes the rows of the corpus's SQLite file. It does not interpret rows;
// package store and its other subpackages do.
//
//	db, err := rows.Open(ctx, path, rows.Options{Layouts: scripts})
//	err = db.Read(ctx, "read note", func(r *rows.Conn) error {
//		return r.Row("SELECT value FROM meta WHERE key=?", []any{key}, &value)
//	})
//
// A Read runs on one snapshot and a Write is one transaction; both check the layout of the file
// first. Every row carries a CRC-32C of its values, which readers verify, and small tables on which
// much depends are stored twice.
package rows
