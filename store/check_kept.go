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

// CheckHistory is the saved result of earlier checks. It is stored in a file next to the corpus.
type CheckHistory struct {
	Deep   time.Time `json:"deep"`   // end of the last complete deep check; zero if there was none
	Damage string    `json:"damage"` // damage found by that check or a slice since; "" if none
	Slice  int       `json:"slice"`  // number of the next slice
	Sliced time.Time `json:"sliced"` // time of the last slice
}

const (
	checkedFile = "corpus.checked.json"
	checkSlices = 30 // number of slices, one per day
)

// CheckHistory returns the saved result of earlier checks, or a zero value if it cannot be read.
func (s *Store) CheckHistory() (c CheckHistory) {
	if b, err := os.ReadFile(filepath.Join(s.o.Dir, checkedFile)); err != nil || json.Unmarshal(b, &c) != nil {
		return CheckHistory{}
	}
	c.Slice = max(0, c.Slice) % checkSlices
	return c
}

// CheckDeep runs a deep Check and saves its result with the date, if the folder is writable.
func (s *Store) CheckDeep(ctx context.Context, progress func(parts, of int)) (CheckProgress, error) {
	c, err := s.Check(ctx, CheckOptions{Deep: true, Progress: progress})
	if err == nil || IsKind(err, Corrupt) {
		before := s.CheckHistory()
		before.Deep, before.Damage = s.o.Now().UTC(), damageText(err)
		_ = s.keepChecked(before) // the answer does not depend on it
	}
	return c, err
}

// CheckSlice checks a thirtieth of the rows, so that daily calls check the whole corpus in a month.
// For each day since the last check it checks one slice more, for at most a minute. Progress is
// saved after each slice, and the next call resumes there.
func (s *Store) CheckSlice(ctx context.Context) (found error) {
	const catchUp = time.Minute
	c, now := s.CheckHistory(), s.o.Now().UTC()
	days := min(checkSlices, int(now.Sub(c.Sliced).Hours()/24))
	if c.Sliced.After(now) || c.Sliced.IsZero() { // first check, or the clock went back
		days = 1
	}
	for left := days; left > 0 && (left == days || s.o.Now().Sub(now) < catchUp); left-- {
		_, err := s.Check(ctx, CheckOptions{Slice: c.Slice, Slices: checkSlices})
		if err != nil && !IsKind(err, Corrupt) {
			return err
		}
		if err != nil {
			c.Damage, found = damageText(err), err
		}
		c.Slice, c.Sliced = (c.Slice+1)%checkSlices, now.AddDate(0, 0, 1-left)
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

func (s *Store) keepChecked(c CheckHistory) error {
	err := replace.File(filepath.Join(s.o.Dir, checkedFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(c)
	})
	return rows.Wrap(context.Background(), "check corpus", err)
}
