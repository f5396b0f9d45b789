package store

import (
	"biomcp/store/rows"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A deep check comes to its end, can be cancelled, and its result is kept with its date.
func TestCheckDeepIsKept(t *testing.T) {
	c := corpusToDamage(t, 11, false)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := openTest(t, c.dir, Options{ReadOnly: true, Now: func() time.Time { return now }})
	stopped, stop := context.WithCancel(t.Context())
	if _, err := s.CheckDeep(stopped, func(int, int) { stop() }); !errors.Is(err, context.Canceled) || !s.CheckedBefore().Deep.IsZero() {
		t.Errorf("cancelled: %v, %+v", err, s.CheckedBefore())
	}
	last := 0
	checked, err := s.CheckDeep(t.Context(), func(parts, of int) { last = parts })
	if err != nil || checked.Parts != checked.Of || last != checked.Of {
		t.Errorf("%+v, %v; the progress ended at %d", checked, err, last)
	}
	if before := s.CheckedBefore(); !before.Deep.Equal(now) || before.Damage != "" {
		t.Errorf("kept: %+v", before)
	}
}

// The slices of a month are the whole corpus: damage anywhere is found within it, whichever
// way the clock goes.
func TestSlicesOfAMonthAreTheWholeCorpus(t *testing.T) {
	for _, table := range []string{"document", "vector", "checkpoint"} {
		if testing.Short() && table != "document" {
			continue
		}
		t.Run(table, func(t *testing.T) {
			c := corpusToDamage(t, 12, false)
			pages := pagesOf(t, c.dir, table)
			edit(t, filepath.Join(c.dir, FileName), func(b []byte) []byte {
				page := b[(pages[len(pages)-1]-1)*rows.PageSize:][:rows.PageSize]
				page[rows.PageSize-3] ^= 1 // cells end where the page does
				return b
			})
			now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			s := openTest(t, c.dir, Options{ReadOnly: true, Now: func() time.Time { return now }})
			if _, err := s.Check(t.Context(), Checking{Deep: true}); !IsKind(err, Corrupt) {
				t.Fatalf("the damage is none: %v", err)
			}
			found := 0
			for day := range month {
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
				if err := s.CheckSlice(t.Context()); err != nil { // a second one on this day has nothing to do
					t.Error(err)
				}
			}
			if found == 0 || s.CheckedBefore().Damage == "" {
				t.Errorf("found on %d days: %+v", found, s.CheckedBefore())
			}
			if err := os.Remove(filepath.Join(c.dir, checkedFile)); err != nil {
				t.Error(err)
			}
		})
	}
}
