package intake

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/polite"
	"biomcp/entrez/record"
)

var (
	histories   = flag.Int("histories", 600, "how many histories the property tests draw")
	historySeed = flag.Uint64("history-seed", 1, "the seed of the first history")
)

// eachHistory runs the histories in groups that share a corpus and a bubble, two
// groups at a time.
func eachHistory(t *testing.T, inGroup int, group func(t *testing.T, seeds []uint64)) {
	n := *histories
	if testing.Short() {
		n = min(n, 15)
	}
	var seeds []uint64
	for i := range n {
		seeds = append(seeds, *historySeed+uint64(i))
	}
	for part := range slices.Chunk(seeds, inGroup) {
		t.Run(fmt.Sprintf("seed %d", part[0]), func(t *testing.T) {
			t.Parallel()
			group(t, part)
		})
	}
}

// NCBI fails on any request, and its records appear, change and vanish between
// runs and during them. After the first run that succeeds the corpus holds every
// record that NCBI held unchanged while it ran, and after one without faults it
// holds all of them.
func TestDeltaOverHistories(t *testing.T) {
	eachHistory(t, 25, func(t *testing.T, seeds []uint64) {
		synctest.Test(t, func(t *testing.T) {
			s := openStore(t, t.TempDir())
			for i, seed := range seeds {
				h := &history{t: t, seed: seed, rnd: rand.New(rand.NewPCG(seed, 0)), base: 100_000 * (i + 1), now: clock, held: map[int]state{}, last: map[int]int{}}
				h.o = Options{Store: s, NoVectors: true, Now: func() time.Time { return h.now }, block: 1 + h.rnd.IntN(6), batch: 4 + h.rnd.IntN(20)}
				h.play()
				if t.Failed() {
					return
				}
			}
		})
	})
}

// state is a record as NCBI holds it.
type state struct {
	version int // of its text
	lr      string
	record  pubmedRecord
}

// history is an NCBI with what happens to it, and a corpus that follows it.
type history struct {
	t    *testing.T
	seed uint64
	rnd  *rand.Rand
	base int // PMIDs are greater
	now  time.Time
	o    Options
	q    Query
	srv  *entreztest.Server

	mu       sync.Mutex // the client asks from several goroutines
	held     map[int]state
	whole    map[record.PMID]string // the titles in the corpus after the last run that came to its end
	last     map[int]int            // the latest version of each text, also of what has vanished
	changed  map[int]bool           // during the run
	requests int
	events   map[int][]func()
	log      []string
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) fatal(format string, args ...any) {
	h.t.Helper()
	h.t.Errorf("seed %d: %s\n%v", h.seed, fmt.Sprintf(format, args...), h.log)
}

func (h *history) ago(days int) string { return h.now.AddDate(0, 0, -days).Format(time.DateOnly) }

func (h *history) play() {
	var err error
	h.srv, err = entreztest.Start(entreztest.Unlisted(), entreztest.NoLimit(), entreztest.Clock(func() time.Time { return h.now }))
	if err != nil {
		h.t.Fatal(err)
	}
	defer h.srv.Close()
	h.q = Query{Key: fmt.Sprint("history ", h.seed), Term: "synthetic[tiab]", OverlapDays: h.rnd.IntN(6)}
	for range 4 + h.rnd.IntN(14) {
		h.appear(400)
	}
	for range 1 + h.rnd.IntN(3) {
		h.run(true)
		if h.t.Failed() {
			return
		}
		h.now = h.now.AddDate(0, 0, h.rnd.IntN(4))
		for range h.rnd.IntN(6) {
			h.happen()
		}
	}
	h.run(false)
}

// happen changes what NCBI holds.
func (h *history) happen() {
	switch h.rnd.IntN(5) {
	case 0, 1:
		h.appear(h.q.OverlapDays)
	case 2, 3:
		h.revise()
	case 4:
		h.vanish()
	}
}

// put has NCBI hold a record.
func (h *history) put(r pubmedRecord) {
	h.last[r.pmid]++
	v := h.last[r.pmid]
	r.title = h.title(r.pmid, v)
	h.held[r.pmid] = state{v, r.lr, r}
	(&rig{t: h.t, srv: h.srv}).add(r)
	if h.changed != nil {
		h.changed[r.pmid] = true
	}
}

func (h *history) title(pmid, version int) string {
	return fmt.Sprintf("Synthetic title %d, version %d", pmid, version)
}

// appear adds a record that is dated up to so many days ago, and perhaps entered
// as if it were years old.
func (h *history) appear(daysAgo int) {
	r := pubmedRecord{pmid: h.base + 1 + h.rnd.IntN(999), crdt: h.ago(h.rnd.IntN(daysAgo + 1))}
	if old, again := h.held[r.pmid]; again || h.last[r.pmid] > 0 && old.lr == "" {
		return // taken; what has vanished comes back by itself nowhere
	}
	r.edat, r.lr = r.crdt, r.crdt
	if h.rnd.IntN(4) == 0 {
		r.edat = "1999-06-01"
	}
	h.note("%d appears (%s)", r.pmid, r.crdt)
	h.put(r)
}

func (h *history) any() (int, bool) {
	pmids := []int{}
	for pmid := range h.held {
		pmids = append(pmids, pmid)
	}
	if len(pmids) == 0 {
		return 0, false
	}
	slices.Sort(pmids)
	return pmids[h.rnd.IntN(len(pmids))], true
}

func (h *history) revise() {
	if pmid, ok := h.any(); ok {
		r := h.held[pmid].record
		r.lr = max(r.lr, h.ago(h.rnd.IntN(h.q.OverlapDays+1)))
		h.note("%d is revised (%s)", pmid, r.lr)
		h.put(r)
	}
}

func (h *history) vanish() {
	if pmid, ok := h.any(); ok {
		h.note("%d vanishes", pmid)
		h.srv.Delete(strconv.Itoa(pmid))
		delete(h.held, pmid)
		if h.changed != nil {
			h.changed[pmid] = true
		}
	}
}

// transient are the faults that NCBI and the way to it are known for. Those that
// change an answer are not noticed by a client that only looks at its form.
var transient = []entreztest.Kind{
	entreztest.Limit429, entreztest.HTML502, entreztest.HTML200, entreztest.EmptyXML, entreztest.CppException,
	entreztest.Error200, entreztest.Truncated, entreztest.Cut, entreztest.CutXML, entreztest.Hangup,
	entreztest.Stall, entreztest.StallBody, entreztest.BadRecord,
	entreztest.LyingCount, entreztest.MissingUID, entreztest.MissingUID, entreztest.MissingUID, entreztest.ExtraUID,
}

// fail plans a fault for the next requests.
func (h *history) fail() {
	f := entreztest.Fault{Kind: transient[h.rnd.IntN(len(transient))], Times: 1 + h.rnd.IntN(4)}
	f.Endpoint = []string{"", "esearch", "efetch"}[h.rnd.IntN(3)]
	if pmid, ok := h.any(); ok && h.rnd.IntN(2) == 0 {
		f.IDs = []string{strconv.Itoa(pmid)}
	}
	switch f.Kind {
	case entreztest.ExtraUID:
		f.IDs = []string{strconv.Itoa(h.base + 5000)}
	case entreztest.LyingCount:
		f.Extra = []int{-1, 1, 3}[h.rnd.IntN(3)]
	}
	h.note("%s fails %d times: %s %v", f.Endpoint, f.Times, f.Kind, f.IDs)
	if err := h.srv.Fail(f); err != nil {
		h.t.Error(err)
	}
}

// RoundTrip lets happen what is planned before a request, and makes it.
func (h *history) RoundTrip(req *http.Request) (*http.Response, error) {
	h.mu.Lock()
	h.requests++
	for _, do := range h.events[h.requests] {
		do()
	}
	h.mu.Unlock()
	return h.srv.Transport().RoundTrip(req)
}

// run syncs once. Troubled, anything may happen meanwhile; else it must succeed.
func (h *history) run(troubled bool) {
	h.srv.Behave()
	h.requests, h.events, h.changed = 0, map[int][]func(){}, map[int]bool{}
	ctx, cancel := context.WithCancel(h.t.Context())
	defer cancel()
	began, _, err := h.o.Store.Checkpoint(ctx, h.q.Key)
	if err != nil {
		h.t.Fatal(err)
	}
	byHand := ""
	if troubled {
		for range h.rnd.IntN(4) {
			n := 1 + h.rnd.IntN(12)
			do := h.fail
			switch k := h.rnd.IntN(20); {
			case k < 8:
				do = h.happen
			case k == 8:
				do = func() { h.note("stopped"); cancel() }
			case k == 9 && began != "":
				do = func() {
					day, err := time.Parse(time.RFC3339, began)
					if err != nil {
						h.t.Error(err)
					}
					byHand = rfc3339(day.AddDate(0, 0, -1-h.rnd.IntN(20)))
					h.note("watermark set to %s", byHand)
					if err := h.o.Store.SetCheckpoint(context.Background(), h.q.Key, byHand); err != nil {
						h.t.Error(err)
					}
				}
			}
			h.events[n] = append(h.events[n], do)
		}
	}
	cfg := h.srv.Config()
	cfg.Transport, cfg.MaxRetries = h, 1
	network, err := polite.New(cfg)
	if err != nil {
		h.t.Fatal(err)
	}
	report, err := Delta(ctx, h.o, entrez.New(network), h.q)
	h.note("run: %v; %s", err, counts(report))
	var incomplete *Incomplete
	switch {
	case report.Processed != report.Inserted+report.Updated+report.Skipped:
		h.fatal("the parts of %+v do not add up", report)
	case err == nil:
		h.check()
	case !troubled || !errors.As(err, &incomplete):
		h.fatal("the run fails: %v", err)
	}
	h.checkNews(err)
	after, _, failed := h.o.Store.Checkpoint(context.Background(), h.q.Key)
	switch {
	case failed != nil:
		h.t.Fatal(failed)
	case byHand != "" && after != byHand:
		h.fatal("the watermark was set to %s and is %s", byHand, after)
	case err != nil && byHand == "" && after != began:
		h.fatal("a run that failed moved the watermark from %q to %q", began, after)
	}
	h.changed = nil
}

// checkNews compares what the corpus says is new with what it held after the last run that
// came to its end, whatever failed since.
func (h *history) checkNews(run error) {
	ctx := context.Background()
	k, _, err := KeyOf(ctx, h.o.Store, h.q.Key)
	if err != nil || !k.Stopped && run != nil {
		return // the run stored nothing
	}
	kept, err := h.o.Store.KeptBy(ctx, h.q.Key, 0)
	if err != nil {
		h.t.Fatal(err)
	}
	now, want := map[record.PMID]string{}, News{}
	for _, d := range kept {
		doc, err := h.o.Store.Document(ctx, d.PMID)
		if err != nil {
			h.t.Fatal(err)
		}
		now[d.PMID] = doc.Title
		if before, held := h.whole[d.PMID]; !held {
			want.Added = append(want.Added, d.PMID)
		} else if before != doc.Title {
			want.Changed = append(want.Changed, d.PMID)
		}
	}
	if got, err := NewsOf(ctx, h.o.Store, h.q.Key, k.Round); err != nil || !reflect.DeepEqual(got, want) {
		h.fatal("news %v, want %v, %v", got, want, err)
	}
	if !k.Stopped {
		h.whole = now
	}
}

// check compares the corpus with what NCBI holds, except for what changed while
// the run was under way.
func (h *history) check() {
	pmids := []record.PMID{}
	for pmid := range h.held {
		pmids = append(pmids, record.PMID(pmid))
	}
	docs, err := h.o.Store.DocumentsOf(context.Background(), pmids)
	if err != nil {
		h.t.Fatal(err)
	}
	for pmid, s := range h.held {
		doc := docs[record.PMID(pmid)]
		switch {
		case h.changed[pmid]:
		case doc == nil:
			h.fatal("%d is missing", pmid)
		case doc.Title != h.title(pmid, s.version):
			h.fatal("%d is %q, want version %d", pmid, doc.Title, s.version)
		}
	}
}
