package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

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

// CheckLayout refuses a corpus of another layout than the one that is known. A number that
// is greater by far is damaged.
func CheckLayout(version, known int) error {
	const op = "open corpus"
	switch {
	case version >= known+100:
		return errLayoutNumber
	case version > known:
		return disk.NewError(disk.OtherLayout, op, "it has layout %d, and this program knows layout %d: update biomcp, or sync into another data folder", version, known)
	case version == 0:
		return disk.NewError(disk.NotFound, op, "there is no corpus yet")
	case version < known:
		return disk.NewError(disk.OtherLayout, op, "it has layout %d, and this program uses layout %d: the next sync brings it up to date", version, known)
	}
	return nil
}

var errLayoutNumber = disk.NewError(disk.Corrupt, "open corpus", "the file is damaged: its tables do not belong to the number of its layout")

// layout refuses a file of another layout than the one that is known. It is damaged, and
// of no other layout, where it has the tables of this one.
func (d *DB) layout(ctx context.Context, r *Conn) error {
	version, err := r.version()
	if err != nil || version == len(d.Layouts) {
		return err
	}
	const definitions = "SELECT coalesce(group_concat(sql, ';'),'') FROM (SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name)"
	empty, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer empty.Close()
	empty.SetMaxOpenConns(1)
	var tables, ours string
	_, err = empty.ExecContext(ctx, strings.Join(d.Layouts, ";"))
	if err = errors.Join(err, empty.QueryRowContext(ctx, definitions).Scan(&ours), r.Row(definitions, nil, &tables)); err != nil {
		return err
	}
	if tables == ours {
		return errLayoutNumber
	}
	return CheckLayout(version, len(d.Layouts))
}

// unchanged is the error of a process that has a corpus open which a later program has
// brought to another layout.
func (d *DB) unchanged(r *Conn, op string) error {
	var version int
	err := r.Row("PRAGMA user_version", nil, &version)
	if err == nil && version != len(d.Layouts) {
		err = disk.NewError(disk.OtherLayout, op, "the corpus was made by a newer biomcp, after this one opened it: restart biomcp, and update it if it is older")
	}
	return err
}

// version is the number of the layout: 0 in a file without tables.
func (r *Conn) version() (version int, err error) {
	if err := r.Row("PRAGMA user_version", nil, &version); err != nil || version != 0 {
		return version, err
	}
	var tables int // on one snapshot with the number: another process may be making the corpus
	err = r.Row("SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version", nil, &version, &tables)
	if version == 0 && tables > 0 {
		err = errLayoutNumber
	}
	return version, err
}
