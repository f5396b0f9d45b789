package table

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/store/disk"
)

// If the disk is full, a new version is not stored and the old one still answers. The next version
// is stored once there is room again.
func TestFullDiskKeepsTheOldVersion(t *testing.T) {
	tables, err := Open(t.Context(), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	put := func(version, rows int) (Info, error) {
		return tables.Replace(t.Context(), Info{Name: "gtr", StoredAt: time.Now()}, func(put func(*Row) error) error {
			for i := range rows {
				if err := put(&Row{ID: fmt.Sprint(i), Name: fmt.Sprintf("version%d %s", version, strings.Repeat("word ", 50)), Values: []Value{{"gene", fmt.Sprint("gene", i)}}, Body: i}); err != nil {
					return err
				}
			}
			return nil
		}, func(*Info, *Info) error { return nil })
	}
	pages := func(most string) {
		t.Helper()
		err := tables.write(t.Context(), "test", func(tx *sql.Conn) error {
			_, err := tx.ExecContext(context.Background(), "PRAGMA max_page_count="+most) // SQLite reacts as it does on a full disk
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := put(1, 10); err != nil {
		t.Fatal(err)
	}
	pages("60")
	if _, err := put(2, 5000); !disk.IsKind(err, disk.Full) {
		t.Fatalf("%v", err)
	}
	found, err := tables.Find(t.Context(), "gtr", Query{Text: "version1", Limit: 1})
	if err != nil || found.Total != 10 || found.Info.Version != 1 {
		t.Errorf("%+v, %v", found, err)
	}
	pages("1000000")
	if info, err := put(3, 5000); err != nil || info.Version != 2 || info.Rows != 5000 {
		t.Errorf("%+v, %v", info, err)
	}
}
