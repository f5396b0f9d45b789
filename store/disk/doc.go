// Package disk opens the SQLite files in which this program keeps things, and gives their
// failures a kind. It knows nothing of what is in them: the corpus is in package store,
// replies of services in replies, data sets in table.
//
//	db, err := disk.OpenDatabase(ctx, path, layout, false)
//	err = db.Write(ctx, "write notes", func(tx *sql.Conn) error { … })
//	if disk.IsKind(err, disk.Full) { … }
//
// A file of another program is refused and left as it is (FileType).
package disk
