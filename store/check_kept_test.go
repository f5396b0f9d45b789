package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/store/rows"
)

// A deep check completes, can be cancelled, and its result is saved with its date.
func TestCheckDeepIsKept(t *testing.T) {
	c := corpusToDamage(t, 11, false)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := openTest(t, c.dir, Options{ReadOnly: true, Now: func() time.Time { return now }})
	stopped, stop := context.WithCancel(t.Context())
	if _, err := s.CheckDeep(stopped, func(int, int) { stop() }); !errors.Is(err, context.Canceled) || !s.CheckHistory().Deep.IsZero() {
		t.Errorf("cancelled: %v, %+v", err, s.CheckHistory())
	}
	last := 0
	checked, err := s.CheckDeep(t.Context(), func(parts, of int) { last = parts })
	if err != nil || checked.Parts != checked.Total || last != checked.Total {
		t.Errorf("%+v, %v; the progress ended at %d", checked, err, last)
	}
	if before := s.CheckHistory(); !before.Deep.Equal(now) || before.Damage != "" {
		t.Errorf("kept: %+v", before)
	}
}

// The slices of a month cover the whole corpus: damage anywhere is found within the month, even if
// the clock moves backwards or forwards.
func TestSlicesOfAMonthAreTheWholeCorpus(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"document", "vector", "checkpoint"} {
		if testing.Short() && table != "document" {
			continue
		}
		t.Run(table, func(t *testing.T) {
			c := corpusToDamage(t, 12, false)
			pages := pagesOf(t, c.dir, table)
			edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
				page := b[(pages[len(pages)-1]-1)*rows.PageSize:][:rows.PageSize]
				page[rows.PageSize-3] ^= 1 // cells end at the end of the page
				return b
			})
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			s := openTest(t, c.dir, Options{ReadOnly: true, Now: func() time.Time { return now }})
			if _, err := s.Check(t.Context(), CheckOptions{Deep: true}); !IsKind(err, Corrupt) {
				t.Fatalf("the damage is none: %v", err)
			}
			found := 0
			for day := range checkSlices {
				now = now.AddDate(0, 0, 1)
				if day == 7 {
					now = now.AddDate(-1, 0, 0)
				}
				switch err := s.CheckSlice(t.Context()); {
				case IsKind(err, Corrupt):
					found++
				case err != nil:
					t.Fatal(err)
				}
				if err := s.CheckSlice(t.Context()); err != nil { // a second check on the same day has nothing to do
					t.Error(err)
				}
			}
			if found == 0 || s.CheckHistory().Damage == "" {
				t.Errorf("found on %d days: %+v", found, s.CheckHistory())
			}
			if err := os.Remove(filepath.Join(c.dir, checkedFile)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A deep check also reports progress while it compares documents with the index, which takes most
// of its time. A check with a time limit excludes from the total the steps that it never runs.
func TestProgressOfACheck(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	m := newModel(t, s, "a", 3)
	if c, err := s.Check(t.Context(), CheckOptions{Deep: true}); err != nil || c.Parts != c.Total {
		t.Errorf("without documents: %+v, %v", c, err)
	}
	putVectors(t, s, m.ID, 1, 5000, func() []float32 { return []float32{0, 1, 0} })
	for deep, least := range map[bool]int{true: 4, false: 0} {
		t.Run(fmt.Sprint(deep), func(t *testing.T) {
			last, steps, compared := 0, 0, 0
			told := func(parts, of int) {
				if parts < last || parts > of {
					t.Errorf("%d of %d after %d", parts, of, last)
				}
				if steps++; parts > of/11+1 && parts < of-1 && deep {
					compared++
				}
				last = parts
			}
			c, err := s.Check(t.Context(), CheckOptions{Deep: deep, Progress: told})
			if err != nil || c.Parts != c.Total || last != c.Total || compared < least || !deep && steps != c.Total {
				t.Errorf("%+v after %d and %d steps, the last %d, %v", c, steps, compared, last, err)
			}
		})
	}
}

// Dividing the tables for a check does not read a whole table.
func TestBoundsOfTablesAreLookedUp(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	for _, table := range checkedTables() {
		if table.Key == "0" { // has a few rows, which form one part
			continue
		}
		t.Run(table.Name, func(t *testing.T) {
			err := s.db.Read(t.Context(), "explain", func(r *rows.Conn) error {
				return r.Each("EXPLAIN QUERY PLAN "+boundsOf(table), nil, func(scan func(...any) error) error {
					var id, parent, unused int
					var detail string
					err := scan(&id, &parent, &unused, &detail)
					if strings.HasPrefix(detail, "SCAN "+table.Name) {
						t.Errorf("%s: %s", boundsOf(table), detail)
					}
					return err
				})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// After a month without a sync, each call checks slices of the missed days for a minute. Completed
// slices are saved even if the next one is cancelled.
func TestSlicesAreCaughtUpWith(t *testing.T) {
	c := corpusToDamage(t, 12, false)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	step := time.Duration(0)
	s := openTest(t, c.dir, Options{ReadOnly: true, Now: func() time.Time { now = now.Add(step); return now }})
	check := func(ctx context.Context) (slices int) {
		before := s.CheckHistory().Slice
		if err := s.CheckSlice(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		return (s.CheckHistory().Slice - before + checkSlices) % checkSlices
	}
	if n := check(t.Context()); n != 1 {
		t.Errorf("%d slices the first time, want 1", n)
	}
	now, step = now.AddDate(0, 0, 20), 25*time.Second
	ended, end := context.WithCancel(t.Context())
	end()
	all := check(ended)
	for try := 0; all < 20 && try < 20; try++ {
		n := check(t.Context())
		if n < 1 || n > 4 {
			t.Errorf("%d slices in a minute, each of which takes half of it", n)
		}
		all += n
	}
	if n := check(t.Context()); all != 20 || n != 0 {
		t.Errorf("%d slices in all, and %d more; want 20 and none", all, n)
	}
}

// A check that its time limit ended never reports the whole file, or 0 %.
func TestShareOfTheFileThatWasChecked(t *testing.T) {
	for c, want := range map[CheckProgress]string{
		{Parts: 0, Total: 1}: "less than 1 % of the file", {Parts: 9, Total: 1000}: "less than 1 % of the file",
		{Parts: 999, Total: 1000}: "99 % of the file", {Parts: 7, Total: 7}: "the whole file",
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			if got := c.Coverage(); got != want {
				t.Errorf("%+v: %s", c, got)
			}
		})
	}
}
