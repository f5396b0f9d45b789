package store

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"biomcp/store/replace"
	"biomcp/store/rows"
)

// CheckedBefore is what checks before have found; it lies in a file next to the corpus.
type CheckedBefore struct {
	Deep   time.Time `json:"deep"`   // when a deep check last came to its end; zero: never
	Damage string    `json:"damage"` // what that, or a slice since, has found; "" for none
	Slice  int       `json:"slice"`  // the next one
	Sliced time.Time `json:"sliced"` // when the last one was checked
}

const (
	checkedFile = "corpus.checked.json"
	month       = 30 // slices, one for a day
)

// CheckedBefore returns what checks before have found, nothing where that cannot be read.
func (s *Store) CheckedBefore() (c CheckedBefore) {
	if b, err := os.ReadFile(filepath.Join(s.o.Dir, checkedFile)); err != nil || json.Unmarshal(b, &c) != nil {
		return CheckedBefore{}
	}
	c.Slice = max(0, c.Slice) % month
	return c
}

// CheckDeep is a deep Check, whose result is kept with its date, where the folder may be
// written.
func (s *Store) CheckDeep(ctx context.Context, progress func(parts, of int)) (Checked, error) {
	c, err := s.Check(ctx, Checking{Deep: true, Progress: progress})
	if err == nil || IsKind(err, Corrupt) {
		before := s.CheckedBefore()
		before.Deep, before.Damage = s.o.Now().UTC(), damageText(err)
		_ = s.keepChecked(before) // the answer does not depend on it
	}
	return c, err
}

// CheckSlice checks a small part of the rows: a thirtieth for the day, so that a corpus in
// use is gone through in a month, and for a minute at most one more for each day without a
// check before. What it has checked is kept where it is ended; the next goes on there.
func (s *Store) CheckSlice(ctx context.Context) (found error) {
	const catchUp = time.Minute
	c, now := s.CheckedBefore(), s.o.Now().UTC()
	days := min(month, int(now.Sub(c.Sliced).Hours()/24))
	if c.Sliced.After(now) || c.Sliced.IsZero() { // the clock went back
		days = 1
	}
	for left := days; left > 0 && (left == days || s.o.Now().Sub(now) < catchUp); left-- {
		_, err := s.Check(ctx, Checking{Slice: c.Slice, Slices: month})
		if err != nil && !IsKind(err, Corrupt) {
			return err
		}
		if err != nil {
			c.Damage, found = damageText(err), err
		}
		c.Slice, c.Sliced = (c.Slice+1)%month, now.AddDate(0, 0, 1-left)
		if err := s.keepChecked(c); err != nil && found == nil {
			return err
		}
	}
	return found
}

func damageText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (s *Store) keepChecked(c CheckedBefore) error {
	err := replace.File(filepath.Join(s.o.Dir, checkedFile), func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
	return rows.Wrap(context.Background(), "check corpus", err)
}
