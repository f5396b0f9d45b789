package intake

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/record"
	"biomcp/entrez/sourcetest"
)

// A new year's baseline lacks 3, which was deleted, and 7 and 25, which were removed
// without a word; a document of a query is in none of the files.
func TestNewYearReplacesTheOld(t *testing.T) {
	mirroring(t, func(t *testing.T, r *mirrorRig) {
		r.base(26, three()...)
		r.run()
		own := filepathOf(t, "own.xml", set([]pubmedRecord{{pmid: 500}, {pmid: 25, lr: "2024-09-01"}}))
		importing(t, r.o, own)
		r.files.Remove("baseline", "")
		r.files.Remove("updatefiles", "")
		kept := slices.DeleteFunc(many(1, 40), func(r pubmedRecord) bool { return slices.Contains([]int{3, 7, 25, 30}, r.pmid) })
		r.files.Put("baseline", name(27, 1), []byte(gzipped(set(kept[:18]))))
		r.files.Put("baseline", name(27, 2), []byte(gzipped(set(kept[18:]))))
		missing := 0
		r.files.Asked = func(string) {
			have := pmids(t, r.o.Store)
			for _, k := range kept {
				if !slices.Contains(have, record.PMID(k.pmid)) {
					missing++
				}
			}
		}
		// Without an update file it is not known whether the baseline is complete.
		report := r.run()
		if have := pmids(t, r.o.Store); report.Deleted != 0 || missing > 0 || !slices.Contains(have, 7) || !slices.Contains(have, 25) {
			t.Errorf("%d deleted, %d missing: %v", report.Deleted, missing, have)
		}
		if said := strings.Join(report.Warnings, "\n"); !strings.Contains(said, "no update file of 2027 yet: its baseline, 2 files so far, may not be complete") {
			t.Errorf("half of a baseline: %s", said)
		}
		r.files.Put("updatefiles", name(27, 4), []byte(gzipped(set(many(15, 1)))))
		if said := strings.Join(r.run().Warnings, "\n"); !strings.Contains(said, "the server lists no file pubmed27n0003, but pubmed27n0004.xml.gz; what is there is imported, and the watermark stays") {
			t.Errorf("a gap: %s", said)
		}
		r.files.Remove("updatefiles", name(27, 4))
		r.files.Put("updatefiles", name(27, 3), []byte(gzipped(set(revised(many(15, 2))))))
		report = r.run()
		if have := pmids(t, r.o.Store); report.Deleted != 2 || missing > 0 || slices.Contains(have, 7) || slices.Contains(have, 25) || !slices.Contains(have, 500) {
			t.Errorf("%d deleted, %d missing: %v", report.Deleted, missing, have)
		}
		if report = r.run(); report.Deleted != 0 {
			t.Errorf("%d deleted again", report.Deleted)
		}
		// One that comes back is there again.
		r.files.Put("updatefiles", name(27, 4), []byte(gzipped(set(many(7, 1)))))
		if report = r.run(); report.Inserted != 1 {
			t.Errorf("%+v", report)
		}
	})
}

// Over histories of a file server that changes, fails and breaks off at any request,
// with runs that are stopped, the corpus ends as importing the server's files by hand
// ends, and no record that both years hold is missing for a moment.
func TestMirrorOverHistories(t *testing.T) {
	eachHistory(t, 25, func(t *testing.T, seeds []uint64) {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			for _, seed := range seeds[:max(1, len(seeds)/25)] { // each has a corpus for itself
				sub := fmt.Sprint(dir, "/", seed)
				s := openStore(t, sub)
				h := &mirrorHistory{mirrorRig: newMirrorRig(t, s, sub), rnd: rand.New(rand.NewPCG(seed, 1)), year: 26, held: map[int]pubmedRecord{}, gone: map[int]bool{}}
				h.play(fmt.Sprint("seed ", seed))
				h.srv.Close()
				if t.Failed() {
					return
				}
			}
		})
	})
}

// mirrorHistory is a file server with what happens to it.
type mirrorHistory struct {
	*mirrorRig
	rnd    *rand.Rand
	year   int
	number int                  // of the last file
	day    int                  // of the last revision
	held   map[int]pubmedRecord // what the files say
	wrong  []string             // files with a wrong checksum
	gone   map[int]bool         // records that an update file ever deleted
}

func (h *mirrorHistory) play(what string) {
	h.m.Connections, h.o.batch = 1+h.rnd.IntN(4), 2+h.rnd.IntN(20)
	for i := range 10 + h.rnd.IntN(20) {
		h.held[i+1] = pubmedRecord{pmid: i + 1}
	}
	h.baseline()
	for range 1 + h.rnd.IntN(4) {
		for range h.rnd.IntN(3) {
			h.update()
		}
		if h.rnd.IntN(4) == 0 {
			h.newYear()
		}
		h.trouble()
		ctx, cancel := contextFor(h)
		_, _ = Mirror(ctx, h.o, h.m) // whatever comes of it
		cancel()
		h.files.Asked = nil
		h.srv.Behave()
	}
	for _, n := range h.wrong {
		h.files.SetMD5("updatefiles", n, "")
	}
	h.update() // so that the baseline is known to be complete
	if _, err := Mirror(h.t.Context(), h.o, h.m); err != nil {
		h.t.Fatalf("%s: %v", what, err)
	}
	h.sameAsByHand(what)
}

// baseline publishes what is held, in some files.
func (h *mirrorHistory) baseline() {
	var all []pubmedRecord
	for _, pmid := range sortedKeys(h.held) {
		all = append(all, h.held[pmid])
	}
	h.number = 0
	for part := range slices.Chunk(all, 1+len(all)/(1+h.rnd.IntN(4))) {
		h.put("baseline", set(part))
	}
}

func (h *mirrorHistory) put(folder, text string) {
	h.number++
	h.files.Put(folder, name(h.year, h.number), []byte(gzipped(text)))
}

// update publishes an update file with new, revised and deleted records.
func (h *mirrorHistory) update() {
	h.day++
	var records []pubmedRecord
	var deleted []int
	for range 1 + h.rnd.IntN(5) {
		pmid := 1 + h.rnd.IntN(40)
		if slices.ContainsFunc(records, func(r pubmedRecord) bool { return r.pmid == pmid }) || slices.Contains(deleted, pmid) {
			continue
		}
		if _, there := h.held[pmid]; there && h.rnd.IntN(4) == 0 {
			delete(h.held, pmid)
			h.gone[pmid] = true
			deleted = append(deleted, pmid)
			continue
		}
		r := pubmedRecord{pmid: pmid, lr: time.Date(2025, 1, h.day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), title: fmt.Sprint("day ", h.day)}
		h.held[pmid] = r
		records = append(records, r)
	}
	h.put("updatefiles", set(records, deleted...))
}

// newYear puts a new baseline in the place of all files, without some records.
func (h *mirrorHistory) newYear() {
	h.year++
	for _, pmid := range sortedKeys(h.held) {
		if h.rnd.IntN(8) == 0 {
			delete(h.held, pmid)
		}
	}
	h.files.Remove("baseline", "")
	h.files.Remove("updatefiles", "")
	h.wrong = nil
	h.baseline()
}

// trouble plans faults of the next run: of the network, of checksums, and files that
// appear while it is under way.
func (h *mirrorHistory) trouble() {
	kinds := []sourcetest.Kind{sourcetest.Truncated, sourcetest.Cut, sourcetest.Down503, sourcetest.HTML200, sourcetest.Hangup, sourcetest.StallBody, sourcetest.Empty, sourcetest.Limit429}
	for range h.rnd.IntN(4) {
		if err := h.srv.Fail(sourcetest.Fault{Kind: kinds[h.rnd.IntN(len(kinds))], From: 1 + h.rnd.IntN(15), Times: 1 + h.rnd.IntN(3)}); err != nil {
			h.t.Fatal(err)
		}
	}
	at, wrong := h.rnd.IntN(20), h.rnd.IntN(3) == 0
	before := pmids(h.t, h.o.Store)
	asked := make(chan struct{}, 1) // one at a time
	h.files.Asked = func(string) {
		asked <- struct{}{}
		defer func() { <-asked }()
		for _, pmid := range before {
			if _, held := h.held[int(pmid)]; held && !h.gone[int(pmid)] && !slices.Contains(pmids(h.t, h.o.Store), pmid) {
				h.t.Errorf("%d is missing during a run", pmid)
			}
		}
		if at--; at == 0 && h.rnd.IntN(2) == 0 {
			h.update()
			if wrong {
				h.wrong = append(h.wrong, name(h.year, h.number))
				h.files.SetMD5("updatefiles", name(h.year, h.number), strings.Repeat("0", 32))
			}
		}
	}
}
