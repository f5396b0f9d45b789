package intake

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez"
	"biomcp/entrez/polite"
	"biomcp/entrez/record"
	"biomcp/store"
)

// DefaultOverlapDays is how many days before its watermark a delta begins.
const DefaultOverlapDays = 5

// NCBI is what a delta asks; *entrez.Client answers.
type NCBI interface {
	Search(ctx context.Context, p entrez.SearchParams) (*entrez.SearchResult, error)
	SearchAll(ctx context.Context, p entrez.SearchParams, each func(ids []string) error) (entrez.Tally, error)
	Fetch(ctx context.Context, ids []string) (*entrez.Fetched, error)
}

// Query is a search that a delta keeps current. Key identifies its watermark.
type Query struct {
	Key, Term   string
	OverlapDays int
}

// Delta stores what NCBI has for a query since its watermark: records whose entry
// date (EDAT), creation date (CRDT) or revision date (LR) lies between the day of
// the watermark less OverlapDays and today. CRDT finds records that appear with
// an EDAT of years ago, LR those that were changed. Without a watermark everything
// is asked for. NCBI is asked afresh, whatever is cached.
//
// Only when every record of the window is stored does the watermark move, forward
// alone, to the greatest EDAT seen or the time the sync began, whichever is less;
// one that was set by hand during the sync stays. Every record is stored when as
// many were fetched and stored as NCBI's search promised and named. Otherwise the
// error is *Incomplete, and the next delta of the same key and term searches the
// whole window again and fetches records that are not stored or have changed. A record that
// NCBI's search names and does not give out is no deletion: it makes the window
// incomplete, and a document of that PMID stays.
//
// Other errors: *InputError, *store.HeldError if the key is being synced,
// *store.Error.
func Delta(ctx context.Context, o Options, ncbi NCBI, q Query) (Report, error) {
	q.Key, q.Term = strings.TrimSpace(q.Key), strings.TrimSpace(q.Term)
	if err := q.check(); err != nil {
		return Report{Warnings: []string{}}, err
	}
	s, lease, err := begin(ctx, o, q.Key)
	if err != nil {
		return s.report, err
	}
	defer lease.Release()
	d := &delta{session: s, ncbi: ncbi, q: q}
	if err := s.setUp(ctx); err != nil {
		return s.report, err
	}
	if err := d.open(ctx); err != nil {
		return s.report, err
	}
	return d.run(polite.WithoutCache(ctx))
}

func (q Query) check() error {
	switch {
	case q.Key == "":
		return &InputError{"a delta needs a query key"}
	case q.Term == "":
		return &InputError{"a delta needs a term"}
	case q.OverlapDays < 0:
		return &InputError{"the overlap is a number of days from 0 on"}
	case !balanced(q.Term):
		return &InputError{"the parentheses of the term do not match"}
	}
	return nil
}

// balanced reports whether a term stays together in one pair of parentheses.
func balanced(term string) bool {
	depth, quoted := 0, false
	for _, c := range term {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// delta is one run of Delta.
type delta struct {
	*session
	ncbi     NCBI
	q        Query
	from, to string // days of the window, 2006/01/02; from "" is no bound
	since    time.Time
	done     []part // stored by the runs that this one continues
	tally    entrez.Tally
	fetched  int // records given to the pipeline
}

const ncbiDay = "2006/01/02"

// open finds the window and the records of it that are stored, and writes the job.
func (d *delta) open(ctx context.Context) error {
	d.to, d.since = d.began.Format(ncbiDay), d.began
	last, ok, err := d.o.Store.Checkpoint(ctx, d.q.Key)
	if err != nil {
		return err
	}
	if ok {
		t, err := time.Parse(time.RFC3339, last)
		if err != nil {
			return fmt.Errorf("the watermark of %q is no time: %w", d.q.Key, err)
		}
		d.report.Watermark = last
		d.from = t.AddDate(0, 0, -d.q.OverlapDays).Format(ncbiDay)
	}
	if err := d.resume(ctx); err != nil {
		return err
	}
	return d.startJob(ctx, store.Job{Key: d.q.Key, Term: d.q.Term, From: d.from, To: d.to, Started: rfc3339(d.since)})
}

// resume finds what unfinished deltas of the same window have stored.
func (d *delta) resume(ctx context.Context) error {
	job, ok, err := d.o.Store.UnfinishedJob(ctx, d.q.Key)
	if err != nil || !ok || job.Term != d.q.Term || job.From != d.from {
		return err
	}
	since, err := time.Parse(time.RFC3339, job.Started)
	if err != nil {
		return nil // not ours
	}
	slices, err := d.o.Store.Slices(ctx, job.ID)
	if err != nil {
		return err
	}
	for slice := range slices {
		if part, ok := parsePart(slice); ok {
			d.done = append(d.done, part)
			d.since = since
			d.report.seen(part.maxEDAT)
		}
	}
	return nil
}

// part is records of the window that were fetched and are stored, with the
// greatest EDAT among them, "" if none has one.
type part struct {
	pmids   []record.PMID
	maxEDAT string
}

// String is how a part is written in the table of the job. The PMIDs are named one
// by one: of records between them nothing is known.
func (p part) String() string { return p.maxEDAT + " " + note(p.pmids) }

// parsePart reads what String wrote. Slices of programs before this one, which
// wrote ranges of PMIDs, are none.
func parsePart(slice string) (p part, ok bool) {
	edat, pmids, ok := strings.Cut(slice, " ")
	if _, err := time.Parse(time.RFC3339, edat); err != nil && edat != "" {
		return part{}, false
	}
	return part{parseNote(pmids), edat}, ok
}

// term is the query for what NCBI entered, created or revised in a span of days.
func (d *delta) term(from, to string) string {
	if from == "" {
		return "(" + d.q.Term + ")"
	}
	span := from + ":" + to
	return fmt.Sprintf("(%s) AND (%s[edat] OR %s[crdt] OR %s[lr])", d.q.Term, span, span, span)
}

func (d *delta) run(ctx context.Context) (Report, error) {
	if d.from > d.to {
		d.report.warn("the watermark %s lies in the future: there is nothing to ask for", d.report.Watermark)
		return d.end(ctx)
	}
	p := d.start(ctx, deltaBatch, true)
	defer p.finish()
	err := p.begin(d.q.Key, 0)
	if err == nil {
		err = d.gather(ctx, p)
	}
	if failed := p.finish(); failed != nil {
		err = failed
	}
	d.compare()
	d.completeIndex(ctx, err)
	if len(d.causes) == 0 {
		d.stopped(ctx, d.advance(ctx))
	}
	d.offerSkip()
	if ctx.Err() == nil {
		d.stopped(ctx, d.news(ctx))
	}
	return d.end(ctx)
}

// offerSkip says how to go on without records that cannot be fetched, if nothing else
// of the window is missing. The window of the next sync then begins today, less the
// overlap.
func (d *delta) offerSkip() {
	var records *RecordsError
	if len(d.causes) == 1 && errors.As(d.causes[0], &records) {
		records.Key, records.Skip = d.q.Key, rfc3339(d.began)
	}
}

// compare checks the counts of each step against those of the next. Any difference
// makes the window incomplete; records that were named and did not come are
// reported by fetching.reportLosses.
func (d *delta) compare() {
	r := &d.report
	if len(d.causes) > 0 && d.tally.Promised == 0 { // the search did not come
		return
	}
	stored := r.Inserted + r.Updated + r.Skipped
	r.warn("NCBI promised %d %s, its search named %d, %d were fetched and %d are in the corpus", d.tally.Promised, english.PluralWord(d.tally.Promised, "record", ""), d.tally.Fetched, d.fetched, stored)
	if len(d.causes) == 0 && (!d.tally.Whole() || stored != d.fetched) {
		d.fail(&RecordsError{Promised: d.tally.Promised, Named: d.tally.Fetched, Uneven: d.tally.Uneven, Unstored: d.fetched - stored})
	}
}

// gather finds, fetches and gives the pipeline the records of the window. Its error is why
// the pipeline has ended; what NCBI failed to give is noted as a cause.
func (d *delta) gather(ctx context.Context, p *pipeline) error {
	for _, part := range d.done {
		p.mark(func(b *store.Batch) { b.SliceDone(d.report.JobID, part.String()) })
	}
	ids, tally, err := d.search(ctx, d.from)
	d.tally = tally
	if err != nil {
		d.fail(err)
	}
	d.checkTerm(ctx)
	todo := d.remaining(ctx, ids)
	d.step(func(now *Progress) { now.TotalRecords = len(todo) })
	f := &fetching{delta: d, p: p}
	err = f.all(ctx, todo)
	if before := len(ids) - len(todo); before > 0 {
		d.warn("%s had been stored by the sync begun at %s, which this one continues", english.Plural(before, "record", ""), rfc3339(d.since))
	}
	f.reportLosses(len(todo))
	return err
}

// search returns the PMIDs of the window from a day on, in ascending order, also
// those found before a failure.
func (d *delta) search(ctx context.Context, from string) ([]record.PMID, entrez.Tally, error) {
	var ids []record.PMID
	tally, err := d.ncbi.SearchAll(ctx, entrez.SearchParams{Term: d.term(from, d.to)}, func(found []string) error {
		for _, id := range found {
			pmid, err := record.ParsePMID(id)
			if err != nil {
				return &polite.Error{Kind: polite.Upstream, Service: entrez.Source.Label, Message: "NCBI's search names what is no record: " + err.Error()}
			}
			ids = append(ids, pmid)
		}
		return nil
	})
	slices.Sort(ids)
	return slices.Compact(ids), tally, err
}

// checkTerm warns if NCBI dropped a part of the term, which makes the sync
// broader than intended, or if the key was synced with another term before.
func (d *delta) checkTerm(ctx context.Context) {
	found, err := d.ncbi.Search(ctx, entrez.SearchParams{Term: d.term("", "")})
	if err != nil {
		d.fail(err)
		return
	}
	if dropped := slices.Concat(found.PhrasesNotFound, found.FieldsNotFound, found.QuotedPhrasesNotFound); len(dropped) > 0 {
		d.warn("NCBI does not know %s and left it out: the sync is broader than the term", strings.Join(dropped, ", "))
	}
	before, err := d.o.Store.Meta(ctx, termOf(d.q.Key))
	if err == nil && before != "" && before != d.q.Term && d.from != "" {
		d.warn("%q was synced with the term %s before: what only the new term finds is stored from %s on", d.q.Key, before, d.from)
	}
}

// termOf returns the key under which the term of the last whole sync is stored.
func termOf(key string) string { return "term of " + key }

// remaining leaves out what an earlier run has stored and NCBI has not touched
// since. What NCBI makes visible with a date of days ago is looked for as far back
// as in any delta, and at least a day, as NCBI's days lag ours.
func (d *delta) remaining(ctx context.Context, ids []record.PMID) []record.PMID {
	if len(d.done) == 0 {
		return ids
	}
	touched, tally, err := d.search(ctx, d.since.AddDate(0, 0, -max(1, d.q.OverlapDays)).Format(ncbiDay))
	if err != nil || !tally.Whole() {
		return ids
	}
	stored := make([]record.PMID, 0, entrez.FetchBatch*len(d.done))
	for _, part := range d.done {
		stored = append(stored, part.pmids...)
	}
	slices.Sort(stored)
	return slices.DeleteFunc(slices.Clone(ids), func(id record.PMID) bool {
		_, have := slices.BinarySearch(stored, id)
		_, again := slices.BinarySearch(touched, id)
		return have && !again
	})
}

// advance moves the watermark, unless somebody has set it meanwhile.
func (d *delta) advance(ctx context.Context) error {
	if d.report.MaxEDAT == nil {
		return nil
	}
	began := d.report.Watermark
	now, err := d.o.Store.AdvanceCheckpoint(ctx, d.q.Key, began, min(*d.report.MaxEDAT, rfc3339(d.began)))
	if err != nil {
		return err
	}
	if d.report.Watermark = now; now != began && now != min(*d.report.MaxEDAT, rfc3339(d.began)) {
		d.warn("the watermark was set to %s by hand during the sync, and stays there", now)
	}
	return d.o.Store.SetMeta(ctx, termOf(d.q.Key), d.q.Term)
}
