// Package disk opens SQLite files of this program and classifies their errors. It knows nothing of
// their contents: package store has the corpus, replies the replies of services, table the data
// sets.
//
//	err := fileType.Check(ctx, "open notes", path)
//	db, err := disk.Open(path, "rwc", "busy_timeout(250)")
//	err = fileType.Establish(ctx, db, 4096)
//	err = disk.InTx(ctx, db, time.Minute, func(tx *sql.Conn) error { … })
//	if disk.IsKind(disk.Wrap(ctx, "write notes", err), disk.Full) { … }
//
// A file of another program is rejected and left unchanged (FileType).
package disk
