package store

import (
	"math/rand/v2"
	"testing"
)

// The state after any records and deletions does not depend on their order or repetition, so that
// imports in any order lead to the same corpus.
func TestStateDoesNotDependOnOrder(t *testing.T) {
	type event struct {
		remove        bool
		version       int
		revised, hash int64
		file          FileNumber
	}
	apply := func(events []event) State {
		s := State{}
		for _, e := range events {
			if e.remove {
				s = s.delete(e.revised, e.file)
			} else {
				s, _ = s.put(e.version, e.revised, e.hash, e.file)
			}
		}
		s.Version = 0 // the number of revisions may differ
		return s
	}
	for seed := range uint64(20_000) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		// Either everything comes from numbered files, or every deletion has a date.
		numbered := rnd.IntN(2)
		events := make([]event, 1+rnd.IntN(6))
		for i := range events {
			e := event{remove: rnd.IntN(3) == 0, version: 1 + rnd.IntN(2), revised: int64(rnd.IntN(4)), file: FileNumber(numbered + rnd.IntN(4))}
			// Two records of one file, version and date are identical.
			e.hash = 1 + e.revised + 10*int64(e.file) + 100*int64(e.version)
			if e.file == 0 {
				e.hash = 1 // so are other records of one version and date
				e.revised += 4
			}
			if e.remove && numbered == 0 {
				e.revised = 1 + int64(rnd.IntN(8))
			}
			events[i] = e
		}
		want := apply(events)
		again := append(append([]event{}, events...), events[rnd.IntN(len(events))])
		rnd.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		if got := apply(again); got != want {
			t.Fatalf("seed %d: %+v leads to\n%+v, and %+v to\n%+v", seed, events, want, again, got)
		}
	}
}

func TestWhichRecordsADeletionCovers(t *testing.T) {
	for name, c := range map[string]struct {
		asOf     int64
		deletion FileNumber
		revised  int64
		record   FileNumber
		want     bool
	}{
		"older record":                           {asOf: 5, deletion: 2, revised: 4, record: 3, want: true},
		"newer record":                           {asOf: 5, deletion: 2, revised: 6, record: 1, want: false},
		"same date, earlier file":                {asOf: 5, deletion: 2, revised: 5, record: 1, want: true},
		"same date, same file":                   {asOf: 5, deletion: 2, revised: 5, record: 2, want: true},
		"same date, later file":                  {asOf: 5, deletion: 2, revised: 5, record: 3, want: false},
		"same date, no file":                     {asOf: 5, deletion: 2, revised: 5, record: 0, want: true},
		"same date, deletion of no file":         {asOf: 5, deletion: 0, revised: 5, record: 3, want: true},
		"no date, earlier file":                  {asOf: 0, deletion: 2, revised: 9, record: 1, want: true},
		"no date, later file":                    {asOf: 0, deletion: 2, revised: 1, record: 3, want: false},
		"no date, record of no file":             {asOf: 0, deletion: 2, revised: 9, record: 0, want: true},
		"neither date nor file":                  {asOf: 0, deletion: 0, revised: 9, record: 3, want: true},
		"neither date nor file, record undated":  {asOf: 0, deletion: 0, revised: 0, record: 0, want: true},
		"record without a date, deletion with a": {asOf: 5, deletion: 2, revised: 0, record: 3, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := State{}.put(1, c.revised, 1, c.record)
			if got := s.delete(c.asOf, c.deletion).Deleted; got != c.want {
				t.Errorf("%s: deleted %v", name, got)
			}
		})
	}
}
