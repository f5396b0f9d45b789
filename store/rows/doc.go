// Package rows reads and writes the SQLite file of the corpus, row by row.
//
// It is not for deciding what a row means: package store and its other rooms do that.
//
//	db, err := rows.Open(ctx, path, rows.Options{Layouts: scripts})
//	err = db.Read(ctx, "read note", func(r *rows.Conn) error {
//		return r.Row("SELECT value FROM meta WHERE key=?", []any{key}, &value)
//	})
//
// A Read is on one snapshot and a Write is one transaction; both look at the layout of the
// file first. Every row has the CRC-32C of its values, which who reads it compares, and small
// tables on which much depends are stored twice.
package rows
