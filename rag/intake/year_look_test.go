package intake

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

var edition = regexp.MustCompile(`edition(\d+)x(\d+)`)

// editions is an embedding service whose vectors identify the edition of a text. It fails at
// one request, after answering half of it.
type editions struct{ failAt, requests int }

func (*editions) Model() string { return "openai test" }
func (*editions) Dim() int      { return 0 } // it was not asked yet

func (e *editions) EmbedEach(ctx context.Context, texts []string, each func(int, [][]float32) error) error {
	return inRequests(ctx, e, texts, each)
}

func (e *editions) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var err error
	if e.requests++; e.requests == e.failAt {
		err = &rag.EmbedError{Kind: rag.EmbedUpstream, Service: "test", Message: "it failed once"}
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		if err != nil && i >= len(texts)/2 {
			break
		}
		vectors[i] = make([]float32, dimOfEditions)
		vectors[i][direction(text)] = 1
	}
	return vectors, errors.Join(err, ctx.Err())
}

const dimOfEditions = 8

func direction(text string) int {
	m := edition.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[2])
	return n % dimOfEditions
}

// look compares the corpus with the history of each record. It must not show an event before
// those that it has shown or promised, and its words and columns must belong to that event.
func (y *year) look(s *store.Store) {
	ctx := y.t.Context()
	docs := map[int]*store.Document{}
	var want []record.PMID
	for d, err := range s.Documents(ctx, 0) {
		if err != nil {
			y.fail("documents: %v", err)
			return
		}
		docs[int(d.PMID)] = d
		want = append(want, d.PMID)
		if y.stories[int(d.PMID)] == nil {
			y.fail("%d was never published", d.PMID)
		}
	}
	states, err := s.States(ctx, slices.Collect(pmidsOf(y.stories)))
	if err != nil {
		y.fail("states: %v", err)
	}
	for pmid, story := range y.stories {
		st := states[record.PMID(pmid)]
		n := story.shows(docs[pmid], y.sameLR && y.repaired)
		if n < 0 || (docs[pmid] == nil) != (st.Deleted || st.Version == 0) {
			y.fail("%d is %+v, state %+v; want event %d of %d or a later one", pmid, docs[pmid], st, story.least, len(story.events)-1)
			return
		}
		story.least = n
		if story.file != st.File {
			story.file, story.listed = st.File, story.listed || st.File.Year() == y.year
		}
		if y.shown[pmid] != n {
			y.words(s, pmid, n, story)
			y.shown[pmid], y.fresh[pmid] = n, true
		}
	}
	for what, c := range map[string]struct {
		f      store.Filter
		passes func(pubmedRecord) bool
	}{
		"all":     {store.Filter{}, func(pubmedRecord) bool { return true }},
		"reviews": {store.Filter{PubTypes: []string{"Review"}}, func(r pubmedRecord) bool { return r.pubTypes == "Review" }},
		"heading": {store.Filter{Mesh: []string{"Synthetic Heading"}, ExcludeRetracted: true}, func(r pubmedRecord) bool { return r.mesh != nil && r.pubTypes != "Retracted Publication" }},
	} {
		hits, err := s.Search(ctx, store.All{}, c.f, 10_000)
		var found, wanted []record.PMID
		for _, h := range hits {
			found = append(found, h.PMID)
		}
		for _, pmid := range want {
			if y.stories[int(pmid)] != nil && c.passes(y.stories[int(pmid)].events[y.shown[int(pmid)]].pubmedRecord) {
				wanted = append(wanted, pmid)
			}
		}
		slices.Sort(found)
		if err != nil || !slices.Equal(found, wanted) {
			y.fail("%s are %v, want %v, %v", what, found, wanted, err)
		}
	}
}

func pmidsOf(stories map[int]*story) func(func(record.PMID) bool) {
	return func(yield func(record.PMID) bool) {
		for pmid := range stories {
			if !yield(record.PMID(pmid)) {
				return
			}
		}
	}
}

// shows returns the event that a document shows, or its absence, or -1 if that may no longer be
// shown. If EFetch brought one edition of an LR and the files brought others, their order is
// unknown (store.State). While all files are read again after a repair that fetched the record,
// an earlier edition of that LR may be shown.
func (s *story) shows(d *store.Document, repaired bool) int {
	from := s.least
	for repaired && from > 1 && !s.events[from].gone && s.events[from-1].lr == s.events[from].lr {
		from--
	}
	for n := from; n < len(s.events); n++ {
		e := s.events[n]
		if d == nil && e.gone || d != nil && !e.gone && d.Title == e.title && d.Abstract == e.abstract &&
			strings.HasPrefix(d.LR, e.lr) && strings.HasPrefix(d.EDAT, e.edat) && strings.HasPrefix(d.CRDT, e.crdt) {
			return n
		}
	}
	return -1
}

// words looks for those of an event and of the one before it.
func (y *year) words(s *store.Store, pmid, n int, story *story) {
	for _, at := range []int{n, y.shown[pmid]} {
		hits, err := s.Search(y.t.Context(), store.Term{Text: fmt.Sprintf("edition%dx%d", pmid, at)}, store.Filter{}, 10)
		if there := at == n && !story.events[n].gone; err != nil || there != (len(hits) == 1) || there && hits[0].PMID != record.PMID(pmid) {
			y.fail("the words of event %d of %d are found in %v, %v", at, pmid, hits, err)
		}
	}
}

// promise notes the events that the corpus must show from now on.
func (y *year) promise(events map[int]int) {
	for pmid, n := range events {
		s := y.stories[pmid]
		s.least = max(s.least, n)
	}
}

// mark is the watermark of a key.
func (y *year) mark(p *process, key string) string {
	edat, _, err := p.o.Store.Checkpoint(y.t.Context(), key)
	if err != nil {
		y.fail("watermark: %v", err)
	}
	return edat
}

// kept checks the watermark and the numbers of a run. No run moves a watermark back or into the
// future. A run that fails moves it only as far as it has promised. A watermark that was set by
// hand during the run stays.
func (y *year) kept(p *process, key, before, byHand string, report Report) {
	if y.disk.Killed() {
		return
	}
	after := y.mark(p, key)
	p.moved = after != before
	switch seen := report.MaxEDAT; {
	case byHand != "" && after != byHand, byHand == "" && after < before, after > rfc3339(y.now):
		y.fail("the watermark of %s was %q and is %q: %v", key, before, after, p.err)
	case p.err == nil && seen != nil && after < min(*seen, rfc3339(y.now)) && byHand == "" && (key != MirrorKey || y.updates > 0):
		y.fail("the watermark of %s is %q, though %s was seen", key, after, *seen)
	case report.Processed != report.Inserted+report.Updated+report.Skipped:
		y.fail("the parts of %+v do not add up", report)
	}
}

// news compares the news that the corpus reports for a query with its content after the last
// complete run. A change that another query has brought may be absent until the query's own run
// has seen it: a run that is cut short may bring one edition, and its continuation another.
func (y *year) news(p *process, q *query) {
	ctx, s := y.t.Context(), p.o.Store
	k, _, err := keyOf(ctx, s, q.Key)
	if err != nil || !k.Unfinished && p.err != nil {
		return // the run stored nothing
	}
	kept, err := s.QueryDocuments(ctx, q.Key, 0)
	got, failed := NewsSince(ctx, s, q.Key, k.Round)
	if err = errors.Join(err, failed); err != nil {
		y.fail("news of %s: %v", q.Key, err)
	}
	cut := q.cut
	q.cut = map[record.PMID]string{}
	for _, d := range kept {
		doc, err := s.Document(ctx, d.PMID)
		if err != nil {
			y.fail("news of %s: %v", q.Key, err)
			return
		}
		story := y.stories[int(d.PMID)]
		before, held := q.whole[d.PMID]
		added, changed := slices.Contains(got.Added, d.PMID), slices.Contains(got.Changed, d.PMID)
		unseen := p.err != nil || !there(story) || story.last().late > q.OverlapDays || p.before[story.pmid] != len(story.events)-1
		if added == held || changed && before == doc.Title || held && !changed && before != "" && before != doc.Title && !unseen {
			y.fail("news of %s: %d is added (%v) and changed (%v); it was %q and is %q", q.Key, d.PMID, added, changed, before, doc.Title)
		}
		title := doc.Title
		if was, ok := cut[d.PMID]; ok && was != title {
			title = ""
		}
		switch {
		case k.Unfinished && (added || changed):
			q.cut[d.PMID] = title
		case added || changed:
			q.whole[d.PMID] = title
		}
	}
}

// complete looks for the vectors that a sync must have made.
func (y *year) complete(p *process) {
	s, ctx := p.o.Store, y.t.Context()
	stats, err := s.Stats(ctx)
	if err != nil || y.vectors == "" {
		return
	}
	inUse := false
	for _, m := range stats.Models {
		if inUse = inUse || m.InUse; !m.InUse {
			continue
		}
		if m.Missing > 0 || m.Vectors != stats.Chunks {
			y.fail("%d vectors of %s are missing, %d of %d are there", m.Missing, m.Name, m.Vectors, stats.Chunks)
		}
		if y.vectors == "service" {
			y.directions(ctx, s, m.ID)
		}
	}
	if !inUse && (y.vectors == "service" && stats.Documents > 0 || stats.Documents >= LeastDocuments) {
		y.fail("%d documents and no model is in use", stats.Documents)
	}
}

// directions compares the vectors of changed documents.
func (y *year) directions(ctx context.Context, s *store.Store, model int64) {
	var pmids []record.PMID
	for pmid := range y.fresh {
		pmids = append(pmids, record.PMID(pmid))
	}
	docs, err := s.DocumentsByPMID(ctx, pmids)
	vectors, failed := s.Vectors(ctx, model, pmids)
	for pmid, d := range docs {
		if v := vectors[pmid][0]; d != nil && (len(v) != dimOfEditions || v[direction(d.Abstract)] < .9) {
			y.fail("%d has the vector %v, its text is %s", pmid, v, d.Abstract)
		}
	}
	if err = errors.Join(err, failed); err != nil {
		y.fail("vectors: %v", err)
	}
	clear(y.fresh)
}

// end syncs everything without faults, and checks that the corpus then has the records of
// PubMed.
func (y *year) end() {
	y.rnd = rand.New(rand.NewPCG(y.seed, daysOfYear+1))
	y.now = clock.AddDate(0, 0, daysOfYear)
	y.appear()
	y.publish()
	for range 2 { // by the second run all that the first one began is whole
		if y.files {
			y.process("", y.mirror)
		}
		for _, q := range y.queries {
			y.process("", func(p *process) { y.delta(p, q) })
		}
	}
	y.process("", func(p *process) {
		if y.vectors != "" {
			y.reembed(p)
		}
		if _, err := p.o.Store.Check(y.t.Context(), store.CheckOptions{Deep: true}); err != nil {
			y.fail("in the end: %v", err)
		}
	})
	for pmid, s := range y.stories {
		if want := len(s.events) - 1; s.least != want && !s.loose && (y.files || !s.last().gone && s.last().late <= y.queries[0].OverlapDays) {
			y.fail("in the end %d is event %d of %d", pmid, s.least, want)
		}
	}
}
