// Package disk opens the SQLite files in which this program keeps things, and gives their
// failures a kind. It knows nothing of what is in them: the corpus is in package store,
// replies of services in replies, data sets in table.
//
//	err := fileType.Check(ctx, "open notes", path)
//	db, err := disk.Open(path, "rwc", "busy_timeout(250)")
//	err = fileType.Establish(ctx, db, 4096)
//	err = disk.InTx(ctx, db, time.Minute, func(tx *sql.Conn) error { … })
//	if disk.IsKind(disk.Wrap(ctx, "write notes", err), disk.Full) { … }
//
// A file of another program is refused and left as it is (FileType).
package disk
