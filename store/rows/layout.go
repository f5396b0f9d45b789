package rows

import (
	"context"
	"database/sql"
	"fmt"

	"biomcp/store/disk"
)

// migrate brings the file to the layout of this program, each script in a separate
// transaction.
func (d *DB) migrate(ctx context.Context) error {
	var version int
	if err := d.Writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for version < len(d.Layouts) {
		err := disk.InTx(ctx, d.Writer, d.Wait, func(tx *sql.Conn) (err error) {
			w := newConn(tx)
			defer w.Close()
			if version, err = w.version(); err != nil || version >= len(d.Layouts) {
				return err
			}
			_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version=%d", d.Layouts[version], version+1))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// CheckLayout refuses a corpus of another layout than the one that is known.
func CheckLayout(version, known int) error {
	const op = "open corpus"
	switch {
	case version > known:
		return disk.NewError(disk.OtherLayout, op, "it has layout %d, and this program knows layout %d: update biomcp, or sync into another data folder", version, known)
	case version == 0:
		return disk.NewError(disk.NotFound, op, "there is no corpus yet")
	case version < known:
		return disk.NewError(disk.OtherLayout, op, "it has layout %d, and this program uses layout %d: the next sync brings it up to date", version, known)
	}
	return nil
}

// errNewer is the error of a process that has a corpus open which a later program has
// brought to another layout.
func errNewer(op string) error {
	return disk.NewError(disk.OtherLayout, op, "the corpus was made by a newer biomcp, after this one opened it: restart biomcp, and update it if it is older")
}

// layout refuses a snapshot of another layout than the one that is known.
func (r *Conn) layout(known int) error {
	version, err := r.version()
	if err != nil {
		return err
	}
	return CheckLayout(version, known)
}

// version is the number of the layout: 0 in a file without tables.
func (r *Conn) version() (version int, err error) {
	if err := r.Row("PRAGMA user_version", nil, &version); err != nil || version != 0 {
		return version, err
	}
	var tables int // on one snapshot with the number: another process may be making the corpus
	err = r.Row("SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version", nil, &version, &tables)
	if version == 0 && tables > 0 {
		err = disk.NewError(disk.Corrupt, "open corpus", "the file is damaged: it has tables, and no layout")
	}
	return version, err
}
