package rows

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"biomcp/store/disk"
	"biomcp/store/disk/pagesum"
)

// migrate migrates the file to the layout of this program, each script in a separate transaction.
// The scripts that create a new file run in one.
func (d *DB) migrate(ctx context.Context) error {
	var version int
	err := d.Writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err = errors.Join(err, d.checkBegun(version)); err != nil {
		return err
	}
	for !d.isCurrent(version) && version < len(d.Layouts) {
		err := disk.InTx(ctx, d.Writer, d.Wait, func(tx *sql.Conn) (err error) {
			w := newConn(tx)
			defer w.Close()
			if version, err = w.version(); err != nil || d.isCurrent(version) || version >= len(d.Layouts) {
				return err
			}
			to := version + 1
			if version == 0 && d.NewPlain {
				to = d.Plain
			} else if version == 0 {
				to = len(d.Layouts)
			}
			scripts := strings.Join(d.Layouts[version:to], ";")
			_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version=%d", scripts, to))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isCurrent reports whether this program reads and writes a file of a layout.
func (d *DB) isCurrent(version int) bool {
	return version == len(d.Layouts) || version > 0 && version == d.Plain
}

// CheckLayout returns an error unless version is the known layout. A version far above it means a
// damaged header.
func CheckLayout(version, known int) error {
	const op = "open corpus"
	switch {
	case version >= known+100:
		return errHeader
	case version > known:
		return disk.NewError(disk.OtherLayout, op,
			"the corpus has layout %d, and this program knows layout %d: "+
				"update biomcp, or sync into another data folder", version, known)
	case version == 0:
		return disk.NewError(disk.NotFound, op, "there is no corpus yet")
	case version < known:
		return disk.NewError(disk.OtherLayout, op,
			"the corpus has layout %d, and this program uses layout %d: "+
				"the next sync brings it up to date", version, known)
	}
	return nil
}

var errHeader = disk.NewError(disk.Corrupt, "open corpus",
	"the file is damaged: its header does not belong to its tables")

// layout returns an error unless the file has the known layout. If the version differs but the
// tables have the known layout, the header is damaged.
func (d *DB) layout(ctx context.Context, r *Conn) error {
	version, err := r.version()
	if d.version = version; err != nil || d.isCurrent(version) {
		return err
	}
	if err := d.checkBegun(version); err != nil {
		return err
	}
	if known, err := tablesLayout(ctx, r, d.Layouts, d.Plain); err != nil || known > 0 {
		return errors.Join(err, errHeader)
	}
	return CheckLayout(version, len(d.Layouts))
}

// tablesLayout returns the layout whose tables the file has: the last one, plain, or 0 for another.
func tablesLayout(ctx context.Context, r *Conn, layouts []string, plain int) (int, error) {
	for _, n := range []int{len(layouts), plain} {
		if same, err := sameTables(ctx, r, layouts[:n]); err != nil || same {
			return n, err
		}
	}
	return 0, nil
}

// sameTables reports whether the file has the tables that the scripts create.
func sameTables(ctx context.Context, r *Conn, layouts []string) (bool, error) {
	const definitions = "SELECT coalesce(group_concat(sql, ';'),'')" +
		" FROM (SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name)"
	empty, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return false, err
	}
	defer empty.Close()
	empty.SetMaxOpenConns(1)
	var tables, ours string
	_, err = empty.ExecContext(ctx, strings.Join(layouts, ";"))
	err = errors.Join(err, empty.QueryRowContext(ctx, definitions).Scan(&ours), r.Row(definitions, nil, &tables))
	return tables == ours, err
}

// CheckFile returns an error if a file is not a corpus, like [disk.FileType.Check]. If the file has
// the tables of a corpus but the header of another program, the error is of kind Corrupt.
func CheckFile(ctx context.Context, op, path string, layouts []string, plain int) error {
	err := CorpusFile.Check(ctx, op, path)
	if disk.IsKind(err, disk.Foreign) {
		if wrong, _ := restoreHeader(ctx, path, "ro&immutable=1", layouts, plain); wrong || pagesum.HasMark(path) {
			return errHeader
		}
	}
	return err
}

// RestoreHeader writes the layout version and file type into a file whose tables match the layouts
// but whose header does not. It reports whether it did. No other process may write meanwhile.
func RestoreHeader(ctx context.Context, path string, layouts []string, plain int) (bool, error) {
	// Look first: closing a writable connection moves the journal into the file.
	wrong, err := restoreHeader(ctx, path, "ro", layouts, plain)
	if err != nil || !wrong {
		return false, err
	}
	return restoreHeader(ctx, path, "rw", layouts, plain)
}

func restoreHeader(
	ctx context.Context, path, mode string, layouts []string, plain int,
) (wrong bool, err error) {
	file, err := disk.Open(path, mode+Options{Lenient: true}.fileSystem(), "busy_timeout(250)", "synchronous(FULL)")
	if err != nil {
		return false, err
	}
	defer file.Close()
	conn, err := file.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	w := newConn(conn)
	defer w.Close()
	var version, id int
	known, err := tablesLayout(ctx, w, layouts, plain)
	err = errors.Join(err, w.Row("PRAGMA user_version", nil, &version), w.Row("PRAGMA application_id", nil, &id))
	wrong = err == nil && known > 0 && (version != known || id != int(CorpusFile))
	if wrong && mode == "rw" {
		_, err = conn.ExecContext(ctx,
			fmt.Sprintf("PRAGMA user_version=%d; PRAGMA application_id=%d", known, CorpusFile))
	}
	return wrong && err == nil, err
}

// checkUnchanged returns an error if a newer program has migrated the open corpus.
func (d *DB) checkUnchanged(r *Conn, op string) error {
	var version int
	err := r.Row("PRAGMA user_version", nil, &version)
	if err == nil && version != d.version && d.version > 0 {
		err = disk.NewError(disk.OtherLayout, op,
			"the corpus was made by a newer biomcp, after this one opened it: "+
				"restart biomcp, and update it if it is older")
	}
	return err
}

// version returns the layout version, or 0 for a file without tables.
func (r *Conn) version() (version int, err error) {
	if err := r.Row("PRAGMA user_version", nil, &version); err != nil || version != 0 {
		return version, err
	}
	var tables int // same snapshot: another process may be creating the corpus
	const selectVersion = "SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version"
	err = r.Row(selectVersion, nil, &version, &tables)
	if version == 0 && tables > 0 {
		err = errHeader
	}
	return version, err
}
