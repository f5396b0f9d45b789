package intake

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/entreztest"
	"biomcp/store"
)

// world is PubMed as its two servers show it, and all that ever happened to its records.
type world struct {
	rnd     *rand.Rand
	now     time.Time
	ncbi    *entreztest.Server
	stories map[int]*story
	waiting map[int]bool // for the next update file
	year    int
	number  int // number of the last file
	updates int // files of this year
	shelf   []published
	sameLR  bool // a record may be changed on the day of its last revision
	bad     error
	log     []string
}

// published is a file as somebody may have kept it.
type published struct {
	folder, name, text string
	holds              map[int]int // events by PMID
}

// story holds the history of a record, and the events that the corpus may still show.
type story struct {
	pmid   int
	events []event // the first is: it is not there
	least  int     // the corpus shows no earlier one
	filed  int     // the last that is in a file
	listed bool    // the corpus has it from a file of this year
	file   store.FileNumber

	deleted  string // the day of the file that deletes it
	vanished bool   // it is in no file of the year, and none deletes it
	loose    bool   // likewise, and no file that the corpus has read held it: it may stay
}

// event is a record as it is from a moment on.
type event struct {
	pubmedRecord
	gone bool
	late int // how many days before the moment it is dated
}

func (s *story) last() event { return s.events[len(s.events)-1] }

func (w *world) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

func (w *world) ago(days int) string { return w.now.AddDate(0, 0, -days).Format(time.DateOnly) }

func (w *world) check(err error) {
	if w.bad == nil {
		w.bad = err
	}
}

// pmids returns the PMIDs of stories, in order.
func (w *world) pmids(wanted func(*story) bool) (list []int) {
	for pmid, s := range w.stories {
		if wanted(s) {
			list = append(list, pmid)
		}
	}
	slices.Sort(list)
	return list
}

// any is one of them.
func (w *world) any(wanted func(*story) bool) *story {
	if list := w.pmids(wanted); len(list) > 0 {
		return w.stories[list[w.rnd.IntN(len(list))]]
	}
	return nil
}

func there(s *story) bool { return !s.last().gone }

// happen changes the records of PubMed.
func (w *world) happen() {
	switch w.rnd.IntN(8) {
	case 0, 1:
		w.appear()
	case 2, 3, 4:
		w.revise()
	case 5:
		w.redate()
	case 6:
		if s := w.any(there); s != nil && len(w.stories) > 20 {
			w.remove(s, true)
		}
	case 7:
		w.comeBack()
	}
}

// put has NCBI show a record, and the next update file too.
func (w *world) put(s *story, r pubmedRecord) {
	n := len(s.events)
	r.pmid, r.title = s.pmid, fmt.Sprintf("Synthetic title %d edition %d", s.pmid, n)
	r.abstract = fmt.Sprintf("Synthetic abstract of record%d edition%dx%d.", s.pmid, s.pmid, n)
	if s.pmid%2 == 0 {
		r.abstract += " It is about marmosets."
	}
	r.pubTypes = []string{"Journal Article", "Review", "Retracted Publication"}[w.rnd.IntN(3)]
	r.mesh = [][]string{nil, {"Synthetic Heading"}}[w.rnd.IntN(2)]
	newest, err := time.Parse(time.DateOnly, max(r.lr, r.crdt, r.edat))
	w.check(err)
	s.events = append(s.events, event{pubmedRecord: r, late: int(w.now.Truncate(24*time.Hour).Sub(newest).Hours() / 24)})
	w.waiting[s.pmid] = true
	w.check(w.ncbi.Add(strings.NewReader(set([]pubmedRecord{r}))))
}

// appear adds a record, often dated back, and perhaps entered as if it were years old.
func (w *world) appear() {
	pmid := 1 + w.rnd.IntN(3000)
	if w.rnd.IntN(5) == 0 {
		pmid += 70_000
	}
	if w.stories[pmid] != nil {
		return
	}
	day := w.ago([]int{0, 0, w.rnd.IntN(6), w.rnd.IntN(30)}[w.rnd.IntN(4)])
	r := pubmedRecord{edat: day, crdt: day, lr: day}
	if w.rnd.IntN(4) == 0 {
		r.edat = "1999-06-01"
	}
	s := &story{pmid: pmid, events: []event{{gone: true}}}
	w.stories[pmid] = s
	w.put(s, r)
	w.note("%d appears, dated %s", pmid, day)
}

// due reports whether a story may be revised today. Two changes with one LR have no order for a
// corpus that gets them from two sources.
func (w *world) due(s *story) bool { return there(s) && (w.sameLR || s.last().lr < w.ago(0)) }

func (w *world) revise() {
	if s := w.any(w.due); s != nil {
		r := s.last().pubmedRecord
		r.lr = max(nextDay(r.lr), w.ago(w.rnd.IntN(6)))
		if w.sameLR && (w.rnd.IntN(3) == 0 || r.lr > w.ago(0)) {
			r.lr = s.last().lr
		}
		w.put(s, r)
		w.note("%d is revised, dated %s", s.pmid, r.lr)
	}
}

func (w *world) redate() {
	if s := w.any(w.due); s != nil {
		r := s.last().pubmedRecord
		r.lr, r.edat, r.crdt = w.ago(0), w.ago(w.rnd.IntN(400)), w.ago(w.rnd.IntN(400))
		w.put(s, r)
		w.note("%d is dated %s and %s", s.pmid, r.edat, r.crdt)
	}
}

// remove removes a record; said, the next update file deletes it.
func (w *world) remove(s *story, said bool) {
	s.events = append(s.events, event{gone: true})
	delete(w.waiting, s.pmid)
	if said {
		w.waiting[s.pmid] = true
	}
	w.ncbi.Delete(strconv.Itoa(s.pmid))
	w.note("%d is removed (%v)", s.pmid, said)
}

// comeBack brings a record back, on a later day than its deletion was published.
func (w *world) comeBack() {
	if s := w.any(func(s *story) bool {
		return !there(s) && s.least == len(s.events)-1 && s.deleted != "" && s.deleted < w.ago(0)
	}); s != nil {
		w.put(s, pubmedRecord{edat: w.ago(0), crdt: w.ago(0), lr: w.ago(0)})
		w.note("%d is there again", s.pmid)
	}
}

func nextDay(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t.AddDate(0, 0, 1).Format(time.DateOnly)
}

// publish writes the waiting changes to an update file. A deletion is as old as the newest
// revision in its file, and each of PubMed's files has records of its day.
func (w *world) publish() {
	f := published{holds: map[int]int{}}
	var records []pubmedRecord
	var deleted []int
	today := false
	if len(w.pmids(func(s *story) bool { return w.waiting[s.pmid] && !there(s) })) > 0 {
		if s := w.any(w.due); s != nil {
			r := s.last().pubmedRecord
			r.lr = w.ago(0)
			w.put(s, r)
		}
	}
	for _, pmid := range w.pmids(func(s *story) bool { return w.waiting[s.pmid] }) {
		s := w.stories[pmid]
		n := len(s.events) - 1
		if s.last().gone {
			deleted = append(deleted, pmid)
			continue
		}
		if before := s.events[n-1]; s.filed < n-1 && !before.gone && w.rnd.IntN(4) == 0 {
			records = append(records, before.pubmedRecord)
		}
		records = append(records, s.last().pubmedRecord)
		today = today || s.last().lr == w.ago(0)
		f.holds[pmid], s.filed = n, n
		delete(w.waiting, pmid)
	}
	if !today {
		deleted = nil // they wait
	}
	for _, pmid := range deleted {
		s := w.stories[pmid]
		f.holds[pmid], s.filed, s.deleted = len(s.events)-1, len(s.events)-1, w.ago(0)
		delete(w.waiting, pmid)
	}
	if len(records) > 0 {
		w.updates++
		f.text = set(records, deleted...)
		w.show("updatefiles", f)
	}
}

func (w *world) show(folder string, f published) {
	w.number++
	f.folder, f.name = folder, name(w.year, w.number)
	w.ncbi.Files.Put(folder, f.name, []byte(gzipped(f.text)))
	w.shelf = append(w.shelf, f)
	w.note("%s holds %v", f.name, f.holds)
}

// baseline replaces all files with those of a new year. Some records are in none of them, and
// no file deletes them.
func (w *world) baseline() {
	w.publish()
	w.ncbi.Files.Remove("baseline", "")
	w.ncbi.Files.Remove("updatefiles", "")
	w.year, w.number, w.updates, w.shelf = w.year+1, 0, 0, nil
	for _, pmid := range w.pmids(there) {
		if s := w.stories[pmid]; len(w.stories) > 20 && w.rnd.IntN(15) == 0 {
			w.remove(s, false)
		}
	}
	for _, s := range w.stories {
		if !there(s) {
			s.vanished, s.loose = true, s.loose || !s.listed && s.least < len(s.events)-1
			s.filed = len(s.events) - 1
		}
		delete(w.waiting, s.pmid)
	}
	all := w.pmids(there)
	for part := range slices.Chunk(all, 1+len(all)/(1+w.rnd.IntN(3))) {
		f := published{holds: map[int]int{}}
		var records []pubmedRecord
		for _, pmid := range part {
			s := w.stories[pmid]
			s.filed = len(s.events) - 1
			f.holds[pmid] = s.filed
			records = append(records, s.last().pubmedRecord)
		}
		f.text = set(records)
		w.show("baseline", f)
	}
}
