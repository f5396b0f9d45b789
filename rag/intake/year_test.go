package intake

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/entreztest"
	"biomcp/entrez/record"
	"biomcp/store/disk/disktest"
)

var (
	years    = flag.Int("years", 5, "how many years in the life of PubMed are drawn")
	yearSeed = flag.Uint64("seed", 1, "the seed of the first year")
	shrink   = flag.Bool("shrink", true, "look for the shortest history of a year that fails")
)

// A year of PubMed: a baseline, update files with late, revised, re-dated and deleted records,
// and a new year's baseline. One process or two sync files and queries and make vectors, while
// services fail or return wrong answers, disks fill up, processes are killed at any write, pages of the
// corpus change and its journal is lost. No damage changes an answer in silence, and a repair names
// what it lost. After each complete sync the corpus has everything that the sync has
// promised. No document ever goes back in time, and in the end the corpus equals PubMed.
func TestAYearOfPubMed(t *testing.T) {
	t.Parallel()
	n, days := *years, daysOfYear
	if testing.Short() { // under the race detector a day takes five times as long
		n, days = min(n, 1), daysOfYear/3
	}
	for i := range n {
		seed := *yearSeed + uint64(i)
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Parallel()
			days := make([]int, days)
			for day := range days {
				days[day] = day
			}
			if failure, _ := playYear(t, seed, days); failure != "" {
				t.Errorf("seed %d: %s", seed, failure)
				if !*shrink {
					return
				}
				days, failure, log := shortest(t, seed, days, failure)
				t.Errorf("the shortest history found, days %v: %s\n%s", days, failure, strings.Join(log, "\n"))
			}
		})
	}
}

const daysOfYear = 300

// shortest leaves out days as long as the year fails without them.
func shortest(t *testing.T, seed uint64, days []int, failure string) ([]int, string, []string) {
	log := []string{"it did not happen again: run it more often"}
	for part := len(days) / 2; part > 0; part /= 2 {
		for from := 0; from+part <= len(days); {
			fewer := slices.Delete(slices.Clone(days), from, from+part)
			if again, said := playYear(t, seed, fewer); again != "" {
				days, failure, log = fewer, again, said
			} else {
				from += part
			}
		}
	}
	return days, failure, log
}

// query is a query that is kept current.
type query struct {
	Query
	holds func(pmid int) bool
	asked bool                   // it was synced before
	whole map[record.PMID]string // the titles after its last run that came to its end, "" for one of two
	cut   map[record.PMID]string // the titles of what is new after the runs since, which did not
}

// year is a corpus that follows a world.
type year struct {
	*world
	mu       sync.Mutex // guards the world while a client asks
	seed     uint64
	t        *testing.T
	dir      string
	disk     *disktest.Disk
	files    bool // PubMed's files are followed
	queries  []*query
	vectors  string // "", "local" or "service"
	fresh    map[int]bool
	shown    map[int]int // events that the corpus showed last
	mild     bool        // queries alone, and nothing is killed: what is new is known
	repaired bool
	events   map[int][]func()
	asked    int    // requests of this run
	writes   int    // writes of the last run
	killed   string // folder that receives a copy of the files before the corpus is closed, if not empty
	failure  string
}

func playYear(t *testing.T, seed uint64, days []int) (failure string, log []string) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		y := newYear(t, seed, dir)
		defer y.ncbi.Close()
		for _, day := range days {
			if y.failure == "" {
				y.day(day)
			}
		}
		if y.failure == "" {
			y.end()
		}
		failure, log = y.failure, y.log
	})
	return failure, log
}

func newYear(t *testing.T, seed uint64, dir string) *year {
	y := &year{t: t, seed: seed, dir: filepath.Join(dir, "data"), fresh: map[int]bool{}, shown: map[int]int{}, writes: 20}
	y.world = &world{rnd: rand.New(rand.NewPCG(seed, 0)), now: clock, year: 25, stories: map[int]*story{}, waiting: map[int]bool{}}
	y.disk = disktest.Watch(t, y.dir)
	var err error
	y.ncbi, err = entreztest.Start(entreztest.WithoutNetwork(), entreztest.NoLimit(), entreztest.Clock(func() time.Time { return y.now }))
	if err != nil {
		t.Fatal(err)
	}
	y.files, y.mild = seed%5 != 0, seed%10 == 5
	y.vectors = []string{"", "local", "service"}[y.rnd.IntN(3)]
	if seed%5 != 1 {
		y.queries = []*query{
			{Query: Query{Key: "all", Term: "synthetic[tiab]", OverlapDays: 5}, holds: func(int) bool { return true }, whole: map[record.PMID]string{}},
			{Query: Query{Key: "some", Term: "marmosets[tiab]", OverlapDays: y.rnd.IntN(6)}, holds: func(pmid int) bool { return pmid%2 == 0 }, whole: map[record.PMID]string{}},
		}
	}
	y.sameLR = len(y.queries) == 0
	for range 20 + y.rnd.IntN(50) {
		y.appear()
	}
	y.baseline()
	return y
}

func (y *year) fail(format string, args ...any) {
	if y.failure == "" {
		y.failure = fmt.Sprintf("%s: ", y.ago(0)) + fmt.Sprintf(format, args...)
		y.note("FAILS: %s", y.failure)
	}
}

// day simulates one day, which does not depend on the days before it.
func (y *year) day(n int) {
	y.rnd = rand.New(rand.NewPCG(y.seed, uint64(n)+1))
	y.now = clock.AddDate(0, 0, n)
	y.note("— %s", y.ago(0))
	for range y.rnd.IntN(4) {
		y.happen()
	}
	if y.rnd.IntN(8) > 0 {
		y.publish()
	}
	if n == 120+int(y.seed*37%170) {
		y.baseline()
	}
	if y.rnd.IntN(8) > 0 {
		y.command()
		if y.bad != nil {
			y.fail("the simulation: %v", y.bad)
		}
	}
}

func (y *year) command() {
	switch n := y.rnd.IntN(40); {
	case n < 18 && y.files:
		y.process(y.trouble(), y.mirror)
	case n < 30 && len(y.queries) > 0:
		q := y.queries[y.rnd.IntN(len(y.queries))]
		y.process(y.trouble(), func(p *process) { y.delta(p, q) })
	case n < 32 && y.vectors != "":
		y.process(y.trouble(), y.reembed)
	case n < 35 && len(y.shelf) > 0 && y.files && !(y.sameLR && y.repaired): // else what it holds cannot be ordered
		f := y.shelf[y.rnd.IntN(len(y.shelf))]
		y.process(y.trouble(), func(p *process) { y.read(p, f) })
	case n < 37 && y.files && len(y.queries) > 0:
		y.process("", y.mirror, func(p *process) { y.delta(p, y.queries[0]) })
	case n == 37 && y.rnd.IntN(3) == 0:
		y.damage()
	case n == 38 && y.rnd.IntN(3) == 0 && !y.mild:
		y.loseJournal()
	}
}
