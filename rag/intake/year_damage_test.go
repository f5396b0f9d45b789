package intake

import (
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/record"
	"biomcp/store"
)

const pageSize = 8192

// damage changes the file of the corpus, and repairs it.
func (y *year) damage() {
	path := filepath.Join(y.dir, store.FileName)
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		y.t.Fatal(err)
	}
	whole, err := y.answers()
	if err != nil {
		y.fail("before the damage: %v", err)
	}
	draw := func() []byte { return b[y.rnd.IntN(len(b)/pageSize)*pageSize:][:pageSize] }
	page, other := draw(), draw()
	kind := []string{"zeros", "a bit", "swapped", "doubled", "some bytes"}[y.rnd.IntN(5)]
	switch kind {
	case "zeros":
		clear(page)
	case "a bit":
		page[y.rnd.IntN(pageSize)] ^= 1 << y.rnd.IntN(8)
	case "swapped":
		kept := slices.Clone(page)
		copy(page, other)
		copy(other, kept)
	case "doubled":
		copy(other, page)
	case "some bytes":
		for range 1 + y.rnd.IntN(20) {
			b[y.rnd.IntN(len(b))] ^= byte(1 + y.rnd.IntN(255))
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		y.t.Fatal(err)
	}
	y.note("damage of a page: %s", kind)
	y.damaged(whole)
}

// loseJournal makes the corpus one whose process was killed after its last commit, and whose journal
// was lost, cut, emptied or cleared.
func (y *year) loseJournal() {
	if y.killed = y.dir + ".killed"; !y.files {
		y.process("", func(p *process) { y.delta(p, y.queries[0]) })
	} else {
		y.process("", y.mirror)
	}
	y.killed = ""
	whole, err := y.answers()
	if y.failure != "" {
		return
	}
	if err != nil {
		y.fail("before the damage: %v", err)
	}
	if err := errors.Join(os.RemoveAll(y.dir), os.Rename(y.dir+".killed", y.dir)); err != nil {
		y.t.Fatal(err)
	}
	path := filepath.Join(y.dir, store.FileName+"-wal")
	b, err := os.ReadFile(path)
	if err != nil {
		y.t.Fatal(err)
	}
	kind := []string{"removed", "emptied", "cut off", "cleared", "a bit"}[y.rnd.IntN(5)]
	if at := y.rnd.IntN(max(1, len(b))); len(b) > 0 {
		switch kind {
		case "emptied":
			b = nil
		case "cut off":
			b = b[:at]
		case "cleared":
			clear(b[at:])
		case "a bit":
			b[at] ^= 1 << y.rnd.IntN(8)
		}
	}
	if err = os.WriteFile(path, b, 0o600); kind == "removed" {
		err = errors.Join(err, os.Remove(path))
	}
	if err != nil {
		y.t.Fatal(err)
	}
	y.note("damage of the journal: %s", kind)
	y.damaged(whole)
}

// corpusAnswers holds what a corpus answers.
type corpusAnswers struct {
	titles     map[record.PMID]string
	found      []record.PMID
	watermarks map[string]string
	kept       map[string][]record.PMID
}

// answers asks the corpus as a process that only reads does.
func (y *year) answers() (a corpusAnswers, err error) {
	ctx := y.t.Context()
	a = corpusAnswers{titles: map[record.PMID]string{}, watermarks: map[string]string{}, kept: map[string][]record.PMID{}}
	s, err := store.Open(ctx, store.Options{Dir: y.dir, ReadOnly: true})
	if err != nil {
		return a, err
	}
	defer s.Close()
	for d, failed := range s.Documents(ctx, 0) {
		if err = failed; err != nil {
			return a, err
		}
		a.titles[d.PMID] = d.Title
	}
	hits, err := s.Search(ctx, store.All{}, store.Filter{}, 10_000)
	if err != nil {
		return a, err
	}
	for _, h := range hits {
		a.found = append(a.found, h.PMID)
	}
	slices.Sort(a.found)
	keys := []string{MirrorKey}
	for _, q := range y.queries {
		keys = append(keys, q.Key)
	}
	for _, key := range keys {
		edat, _, failed := s.Checkpoint(ctx, key)
		kept, err := s.QueryDocuments(ctx, key, 0)
		if err = errors.Join(err, failed); err != nil {
			return a, err
		}
		a.watermarks[key] = edat
		for _, d := range kept {
			a.kept[key] = append(a.kept[key], d.PMID)
		}
	}
	return a, nil
}

// damaged checks that a damaged corpus gives no other answers than it gave before, and repairs it.
func (y *year) damaged(whole corpusAnswers) {
	switch now, err := y.answers(); {
	case err != nil && !store.IsKind(err, store.Corrupt):
		y.fail("the error of a damaged corpus is not of kind Corrupt: %v", err)
	case err == nil && !reflect.DeepEqual(now, whole):
		y.fail("damage changed the answers in silence: got %+v, want %+v", now, whole)
	}
	if y.failure == "" {
		y.repair(whole)
	}
}

// repair repairs the corpus and fetches the lost records again. Then it has what it had, unless the
// repair has named what was lost.
func (y *year) repair(whole corpusAnswers) {
	done, err := Repair(y.t.Context(), y.dir, func() time.Time { return y.now }, false, nil)
	if err != nil {
		y.fail("repair: %v", err)
		return
	}
	y.note("repaired: %+v", done)
	y.named(whole, done)
	if done.DamagedFile == "" && done.FixedFaults == 0 {
		y.peek()
		return
	}
	y.repaired = true
	unlisted := y.listed() == 0
	unknown := lostUnknown(done.Losses)
	was := map[int]int{}
	for pmid, s := range y.stories {
		y.fresh[pmid] = true
		was[pmid] = s.least
		if unknown || slices.Contains(done.Losses.PMIDs, record.PMID(pmid)) {
			s.least = 0
		}
		s.listed, s.loose = s.listed && !unlisted, s.loose || s.vanished && unlisted
	}
	y.process("", func(p *process) {
		var again RefetchResult
		again, p.err = Refetch(p.ctx, p.o, entrez.New(p.client))
		y.note("fetched again: %+v", again)
		var gone *RecordsError
		if errors.As(p.err, &gone) { // what NCBI no longer has
			p.err = nil
		}
		if unknown {
			for _, q := range y.queries { // as the notice of the command says
				p.err = errors.Join(p.err, p.o.Store.SetCheckpoint(p.ctx, q.Key, "1900-01-01T00:00:00Z"))
				q.asked = false
			}
		}
		p.promise = func() {
			if !unknown {
				for pmid, n := range was {
					if s := y.stories[pmid]; s.least == 0 && there(s) && !s.events[n].gone {
						s.least = n
					}
				}
			}
			if _, err := p.o.Store.Check(y.t.Context(), store.CheckOptions{Deep: true}); err != nil {
				y.fail("after the repair: %v", err)
			}
		}
	})
}

// lostUnknown reports whether a repair lost more than the records that it lists.
func lostUnknown(l store.Losses) bool {
	return l.Records > int64(len(l.PMIDs)) || l.Journal > 0 || l.Commits > 0
}

// named checks that a repair has named what the corpus lacks since the damage.
func (y *year) named(whole corpusAnswers, done store.RepairResult) {
	now, err := y.answers()
	if err != nil {
		y.fail("a repaired corpus cannot be read: %v", err)
	}
	lost := done.Losses
	if err != nil || lostUnknown(lost) {
		return
	}
	for _, pmid := range lost.PMIDs {
		delete(whole.titles, pmid)
		delete(now.titles, pmid)
	}
	if !maps.Equal(now.titles, whole.titles) {
		y.fail("the repair lost documents in silence: got %v, want %v", now.titles, whole.titles)
	}
	for key, edat := range whole.watermarks {
		switch reset := slices.Contains(lost.QueryKeys, key); {
		case now.watermarks[key] > edat || now.watermarks[key] != edat && !reset:
			y.fail("the repair changed the watermark of %s in silence: got %q, want %q", key, now.watermarks[key], edat)
		case !reset:
			for _, pmid := range whole.kept[key] {
				if !slices.Contains(now.kept[key], pmid) && !slices.Contains(lost.PMIDs, pmid) {
					y.fail("the repair dropped %d from the documents of %s in silence", pmid, key)
				}
			}
		}
	}
}

// listed returns the number of pages that record which PMIDs PubMed's files held. A repair may
// drop them; then nothing is removed only because a new year's files do not have it.
func (y *year) listed() (pages int) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(y.dir, store.FileName)+"?mode=ro")
	if err == nil {
		err = db.QueryRow("SELECT count(*) FROM listed").Scan(&pages)
	}
	if err = errors.Join(err, db.Close()); err != nil {
		y.fail("listed: %v", err)
	}
	return pages
}
