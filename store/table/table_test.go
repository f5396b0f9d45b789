package table_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/store/disk"
	"biomcp/store/table"
)

type body struct{ Name string }

var stored = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// row returns a record with a name and with values given as "field=text".
func row(id, name string, values ...string) *table.Row {
	r := &table.Row{ID: id, Kind: "thing", Name: name, Body: body{name}}
	for _, v := range values {
		field, text, _ := strings.Cut(v, "=")
		r.Values = append(r.Values, table.Value{Field: field, Text: text})
	}
	return r
}

func open(t *testing.T, dir string, readOnly bool) *table.Tables {
	t.Helper()
	tables, err := table.Open(t.Context(), dir, readOnly)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

func replace(ctx context.Context, tables *table.Tables, set string, rows ...*table.Row) (table.Info, error) {
	return tables.Replace(ctx, table.Info{Name: set, StoredAt: stored}, func(put func(*table.Row) error) error {
		for _, r := range rows {
			if err := put(r); err != nil {
				return err
			}
		}
		return nil
	}, func(*table.Info, *table.Info) error { return nil })
}

func ids(t *testing.T, tables *table.Tables, set string, q table.Query) []string {
	t.Helper()
	q.Limit = 100
	found, err := tables.Find(t.Context(), set, q)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, r := range found.Records {
		out = append(out, r.ID)
	}
	if len(out) != found.Total {
		t.Errorf("%+v: %d records of %d", q, len(out), found.Total)
	}
	return out
}

func TestFind(t *testing.T) {
	tables := open(t, t.TempDir(), false)
	other := row("x1", "Vaccine", "gene=TP53")
	other.Kind = "other"
	if _, err := replace(t.Context(), tables, "who-ivd",
		row("A1", "Sequencing of BRCA1", "gene=BRCA1", "condition=Breast cancer", "condition=Ovarian tumour"),
		row("A2", "Panel", "gene=BRCA1", "gene=TP53", "condition=Cancer of the skin", "condition=Breast hyperplasia"),
		row("A3", "Crohn's \"rapid\" test (BCR-ABL)", "condition=Ménière's disease"), other); err != nil {
		t.Fatal(err)
	}
	where := func(exact bool, text string, fields ...string) table.Query {
		return table.Query{Conditions: []table.Condition{{Fields: fields, Text: text, Exact: exact}}}
	}
	both := where(false, "breast cancer", "condition")
	both.Text = "sequencing"
	for _, c := range []struct {
		q    table.Query
		want string
	}{
		{table.Query{}, "a1 a2 a3 x1"},
		{table.Query{Kinds: []string{"other"}}, "x1"},
		{table.Query{Conditions: []table.Condition{{Fields: []string{"gene"}, Text: "none", Alternatives: []string{"brca1"}, Exact: true}}}, "a1 a2"},
		{table.Query{Text: "brca1"}, "a1 a2"}, // the name counts most
		{table.Query{Text: "a2"}, "a2"},
		{table.Query{Text: "panels"}, "a2"},
		{table.Query{Text: "meniere"}, "a3"},
		{table.Query{Text: `"rapid" OR`}, ""},
		{table.Query{Text: `crohn's NEAR( rapid`}, ""},
		{table.Query{Text: "bcr-abl"}, "a3"},
		{table.Query{Text: "abl-bcr"}, ""},
		{table.Query{Text: "*"}, ""},
		{where(true, "brca1", "gene"), "a1 a2"},
		{where(true, " breast  CANCER ", "condition"), "a1"},
		{where(false, "breast cancer", "condition"), "a1"}, // in one value, not across two
		{where(false, "cancer", "condition"), "a1 a2"},
		{where(false, "tp53", "condition", "gene"), "a2 x1"},
		{where(true, "tp53", "condition"), ""},
		{both, "a1"},
		{table.Query{Conditions: []table.Condition{{Fields: []string{"condition"}, Text: "ovarian", Alternatives: []string{"no such", "*", "cancer skin"}}}}, "a1 a2"},
		{table.Query{Conditions: []table.Condition{{Fields: []string{"condition"}, Text: "*", Alternatives: []string{"*"}}}}, ""},
		{table.Query{Conditions: []table.Condition{{Fields: []string{"gene"}, Text: " br", Prefix: true}}}, "a1 a2"},
		{table.Query{Conditions: []table.Condition{{Fields: []string{"gene", "condition"}, Text: "BRE", Prefix: true}}}, "a1 a2"},
		{table.Query{Conditions: []table.Condition{{Fields: []string{"gene"}, Text: "r%", Prefix: true}}}, ""},
	} {
		t.Run(fmt.Sprint(c.q), func(t *testing.T) {
			if got := strings.Join(ids(t, tables, "who-ivd", c.q), " "); got != c.want {
				t.Errorf("%+v: %q, want %q", c.q, got, c.want)
			}
		})
	}
	got, err := tables.Get(t.Context(), "who-ivd", "a2")
	if err != nil || got.Total != 1 || got.Info.Rows != 4 {
		t.Errorf("%+v, %v", got, err)
	}
	if b, err := table.Decode[body](got.Records[0]); err != nil || b.Name != "Panel" {
		t.Errorf("%+v, %v", b, err)
	}
	page, err := tables.Find(t.Context(), "who-ivd", table.Query{Offset: 3, Limit: 2})
	if err != nil || page.Total != 4 || len(page.Records) != 1 || page.Records[0].ID != "x1" {
		t.Errorf("%+v, %v", page, err)
	}
}

// A new version replaces the old one completely or not at all; a reader that began before sees the
// old one to the end.
func TestReplaceIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := table.Open(t.Context(), dir, true); !table.IsAbsent(err) {
		t.Fatalf("%v", err)
	}
	tables := open(t, dir, false)
	if _, err := tables.Find(t.Context(), "gtr", table.Query{}); !table.IsAbsent(err) || err.Error() != "the local table gtr is not on this machine" {
		t.Fatalf("%v", err)
	}
	reader := open(t, dir, true)
	for version := 1; version <= 3; version++ {
		info, err := replace(t.Context(), tables, "gtr", row(fmt.Sprint("r", version), "name"))
		if err != nil || info.Version != version || info.Rows != 1 || !info.CheckedAt.Equal(stored) {
			t.Fatalf("%+v, %v", info, err)
		}
		for name, fail := range map[string]func() error{
			"failing rows": func() error {
				_, err := tables.Replace(t.Context(), table.Info{Name: "gtr"}, func(put func(*table.Row) error) error {
					return errors.Join(put(row("bad", "bad")), errors.New("cut off"))
				}, func(*table.Info, *table.Info) error { return nil })
				return err
			},
			"no rows": func() error { _, err := replace(t.Context(), tables, "gtr"); return err },
			"a refusal": func() error {
				_, err := tables.Replace(t.Context(), table.Info{Name: "gtr"}, func(put func(*table.Row) error) error { return put(row("bad", "bad")) },
					func(old, new *table.Info) error {
						return fmt.Errorf("version %d has %d rows, %d %d", old.Version, old.Rows, new.Version, new.Rows)
					})
				if err != nil && err.Error() != fmt.Sprintf("version %d has 1 rows, %d 1", version, version+1) {
					t.Error(err)
				}
				return err
			},
			"the caller": func() error {
				ctx, cancel := context.WithCancel(t.Context())
				cancel()
				_, err := replace(ctx, tables, "gtr", row("bad", "bad"))
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				if err := fail(); err == nil {
					t.Errorf("%s: no error", name)
				}
			})
		}
		for _, from := range []*table.Tables{tables, reader} {
			if got := ids(t, from, "gtr", table.Query{Text: "name"}); !slices.Equal(got, []string{fmt.Sprint("r", version)}) {
				t.Errorf("version %d: %q", version, got)
			}
		}
	}
	later := stored.Add(time.Hour)
	if info, err := tables.MarkChecked(t.Context(), "gtr", later); err != nil || !info.CheckedAt.Equal(later) || !info.StoredAt.Equal(stored) || info.Version != 3 {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := tables.MarkChecked(t.Context(), "mesh", later); !table.IsAbsent(err) {
		t.Errorf("%v", err)
	}
	if _, err := replace(t.Context(), reader, "gtr", row("bad", "bad")); !disk.IsKind(err, disk.ReadOnly) {
		t.Errorf("%v", err)
	}
}

func TestForeignFileIsLeft(t *testing.T) {
	for name, text := range map[string]string{"text": "my notes", "another program's": "SQLite format 3\x00" + strings.Repeat("\x01", 200)} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, table.FileName)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, readOnly := range []bool{true, false} {
				if _, err := table.Open(t.Context(), dir, readOnly); !disk.IsKind(err, disk.Corrupt) && !disk.IsKind(err, disk.Foreign) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if got, _ := os.ReadFile(path); string(got) != text {
				t.Errorf("%s: changed to %.40q", name, got)
			}
		})
	}
}

// Tables of a newer program are rejected and left unchanged. A file without a layout has no tables
// to read.
func TestLayouts(t *testing.T) {
	for statement, want := range map[string]disk.Kind{"PRAGMA user_version=2": disk.OtherLayout, "PRAGMA user_version=0": disk.NotFound} {
		t.Run(statement, func(t *testing.T) {
			dir := t.TempDir()
			tables, err := table.Open(t.Context(), dir, false)
			if err != nil {
				t.Fatal(err)
			}
			tables.Close()
			path := filepath.Join(dir, table.FileName)
			db, err := disk.Open(path, "rw")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
			db.Close()
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := table.Open(t.Context(), dir, true); !disk.IsKind(err, want) {
				t.Errorf("to be read: %v", err)
			}
			if want == disk.OtherLayout {
				if _, err := table.Open(t.Context(), dir, false); !disk.IsKind(err, want) {
					t.Errorf("to be written: %v", err)
				}
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the file changed, %v", err)
			}
		})
	}
}
