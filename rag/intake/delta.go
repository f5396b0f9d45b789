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
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/store"
)

// DefaultOverlapDays is the default number of days that a delta looks back before its
// watermark.
const DefaultOverlapDays = 5

// NCBI is the part of *entrez.Client that a delta calls.
type NCBI interface {
	Search(ctx context.Context, p entrez.SearchParams) (*entrez.SearchResult, error)
	SearchAll(ctx context.Context, p entrez.SearchParams, visit func(ids []string) error) (entrez.Tally, error)
	Fetch(ctx context.Context, ids []string) (*entrez.FetchResult, error)
}

// A Query is a search that a delta keeps current. Key identifies its watermark.
type Query struct {
	Key, Term   string
	OverlapDays int
}

// Delta stores the records that NCBI finds for a query since its watermark: those whose entry
// date (EDAT), creation date (CRDT) or revision date (LR) lies between today and the day of the
// watermark minus OverlapDays. CRDT finds new records with an EDAT of years ago, LR finds
// revised ones. Without a watermark, Delta asks for every record. It bypasses the response
// cache.
//
// The watermark moves only if every record of the window is stored, that is, if the counts that
// the search promised, the search listed, the fetch returned and the corpus stored all agree.
// It only moves forward, to the greatest EDAT seen or the start time of the sync, whichever is
// earlier. A watermark that was set by hand during the sync stays. If records are absent, the
// error is *Incomplete, and the next delta with this key and term searches the whole window
// again and fetches the records that are not stored or have changed. A record that NCBI's
// search lists but EFetch does not return is not treated as deleted: the window is incomplete,
// and a stored document with its PMID stays.
//
// No window shows that PubMed deleted a record or that a revision took it out of the query. A
// complete delta warns of such documents of its key; it does not remove them.
//
// Delta returns *InputError for an invalid query, *WatermarkError if the watermark is in the
// future, *store.HeldError if the key is being synced, and *store.Error if the corpus fails.
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
	if err := s.setup(ctx); err != nil {
		return s.report, err
	}
	if err := d.open(ctx); err != nil {
		return s.report, err
	}
	return d.run(httpclient.WithoutCache(ctx))
}

func (q Query) check() error {
	switch {
	case q.Key == "":
		return &InputError{"a delta needs a query key"}
	case q.Term == "":
		return &InputError{"a delta needs a term"}
	case q.OverlapDays < 0:
		return &InputError{"the overlap must be a number of days, at least 0"}
	case !balanced(q.Term):
		return &InputError{"the parentheses of the term do not match"}
	}
	return nil
}

// balanced reports whether term can be put in parentheses: its own parentheses match.
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
	ncbi        NCBI
	q           Query
	from, to    string // days of the window, as 2006/01/02; an empty from means no lower bound
	since       time.Time
	storedParts []part // parts stored by the runs that this one continues
	tally       entrez.Tally
	fetched     int                  // records given to the pipeline
	window      []record.PMID        // records of the window, in ascending order
	whole       *entrez.SearchResult // reply for the term without a window; nil if the search failed
}

const ncbiDay = "2006/01/02"

// open determines the window and which of its records are stored, and writes the job.
func (d *delta) open(ctx context.Context) error {
	d.to, d.since = d.startTime.Format(ncbiDay), d.startTime
	last, ok, err := d.o.Store.Checkpoint(ctx, d.q.Key)
	if err != nil {
		return err
	}
	if ok {
		t, err := time.Parse(time.RFC3339, last)
		if err != nil {
			return fmt.Errorf("the watermark of %q is not a time: %w", d.q.Key, err)
		}
		if err := CheckWatermark(ctx, d.o.Store, d.q.Key, last, d.startTime); err != nil {
			return err
		}
		d.report.Watermark = last
		d.from = t.AddDate(0, 0, -d.q.OverlapDays).Format(ncbiDay)
	}
	if err := d.resume(ctx); err != nil {
		return err
	}
	return d.startJob(ctx, store.Job{Key: d.q.Key, Term: d.q.Term, From: d.from, To: d.to, Started: rfc3339(d.since)})
}

// resume loads the parts that unfinished deltas of this window have stored.
func (d *delta) resume(ctx context.Context) error {
	job, ok, err := d.o.Store.UnfinishedJob(ctx, d.q.Key)
	if err != nil || !ok || job.Term != d.q.Term || job.From != d.from {
		return err
	}
	since, err := time.Parse(time.RFC3339, job.Started)
	if err != nil {
		return nil // an unknown format: ignore the job
	}
	slices, err := d.o.Store.StoredSlices(ctx, job.ID)
	if err != nil {
		return err
	}
	for slice := range slices {
		if part, ok := parsePart(slice); ok {
			d.storedParts = append(d.storedParts, part)
			d.since = since
			d.report.updateMaxEDAT(part.maxEDAT)
		}
	}
	return nil
}

// A part is a set of records of the window that are fetched and stored. maxEDAT is their
// greatest EDAT, or "" if no record has one.
type part struct {
	pmids   []record.PMID
	maxEDAT string
}

// String formats a part for the job table. It lists every PMID, because a range would include
// records that are not stored.
func (p part) String() string { return p.maxEDAT + " " + formatNote(p.pmids) }

// parsePart parses the output of String. It rejects the PMID ranges that older versions wrote.
func parsePart(slice string) (p part, ok bool) {
	edat, pmids, ok := strings.Cut(slice, " ")
	if _, err := time.Parse(time.RFC3339, edat); err != nil && edat != "" {
		return part{}, false
	}
	return part{parseNote(pmids), edat}, ok
}

// term returns the query for records that NCBI entered, created or revised between two days.
func (d *delta) term(from, to string) string {
	if from == "" {
		return "(" + d.q.Term + ")"
	}
	span := from + ":" + to
	return fmt.Sprintf("(%s) AND (%s[edat] OR %s[crdt] OR %s[lr])", d.q.Term, span, span, span)
}

func (d *delta) run(ctx context.Context) (Report, error) {
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
		d.noteStop(ctx, d.advance(ctx))
	}
	if len(d.causes) == 0 {
		d.noteStop(ctx, d.checkGone(ctx))
	}
	d.offerSkip()
	if ctx.Err() == nil {
		d.noteStop(ctx, d.news(ctx))
	}
	return d.end(ctx)
}

// offerSkip adds the watermark that skips unfetchable records to the error, if nothing else of
// the window is absent. The next window would then begin today minus the overlap.
func (d *delta) offerSkip() {
	var records *RecordsError
	if len(d.causes) == 1 && errors.As(d.causes[0], &records) {
		records.Key, records.Skip = d.q.Key, rfc3339(d.startTime)
	}
}

// compare checks that each step has as many records as the step before. Any difference makes
// the window incomplete. fetching.reportLosses reports records that were listed but not
// returned.
func (d *delta) compare() {
	r := &d.report
	if len(d.causes) > 0 && d.tally.Promised == 0 { // the search failed
		return
	}
	stored := r.Inserted + r.Updated + r.Skipped
	r.warn("NCBI promised %d %s, its search listed %d, %d were fetched and %d are in the corpus",
		d.tally.Promised, english.PluralWord(d.tally.Promised, "record", ""), d.tally.Fetched, d.fetched, stored)
	if len(d.causes) == 0 && (!d.tally.Complete() || stored != d.fetched) {
		d.fail(&RecordsError{
			Promised: d.tally.Promised, Named: d.tally.Fetched, Uneven: d.tally.Inconsistent, Unstored: d.fetched - stored,
		})
	}
}

// gather finds and fetches the records of the window and passes them to the pipeline. It
// returns an error if the pipeline has ended. Failures of NCBI are added to the causes instead.
func (d *delta) gather(ctx context.Context, p *pipeline) error {
	for _, part := range d.storedParts {
		p.mark(func(b *store.Batch) { b.SliceDone(d.report.JobID, part.String()) })
	}
	ids, tally, err := d.search(ctx, d.from)
	d.tally, d.window = tally, ids
	if err != nil {
		d.fail(err)
	}
	d.checkTerm(ctx)
	todo := d.remaining(ctx, ids)
	d.step(func(now *Progress) { now.TotalRecords = len(todo) })
	f := &fetching{delta: d, p: p}
	err = f.fetchAll(ctx, todo)
	if before := len(ids) - len(todo); before > 0 {
		d.warn("%s had been stored by the sync begun at %s, which this one continues",
			english.Plural(before, "record", ""), rfc3339(d.since))
	}
	f.reportLosses(len(todo))
	return err
}

// search returns the PMIDs of the window from a day on, in ascending order. If the search
// fails, it returns the PMIDs found before the failure with the error.
func (d *delta) search(ctx context.Context, from string) ([]record.PMID, entrez.Tally, error) {
	var ids []record.PMID
	tally, err := d.ncbi.SearchAll(ctx, entrez.SearchParams{Term: d.term(from, d.to)}, func(found []string) error {
		pmids, err := parsePMIDs(found)
		ids = append(ids, pmids...)
		return err
	})
	slices.Sort(ids)
	return slices.Compact(ids), tally, err
}

// parsePMIDs returns the PMIDs that a search listed, in ascending order, without duplicates. It stops
// at an invalid one.
func parsePMIDs(ids []string) (pmids []record.PMID, err error) {
	for _, id := range ids {
		pmid, parseErr := record.ParsePMID(id)
		if parseErr != nil {
			message := "NCBI's search returned an invalid PMID: " + parseErr.Error()
			err = &httpclient.Error{Kind: httpclient.Upstream, Service: entrez.Source.Label, Message: message}
			break
		}
		pmids = append(pmids, pmid)
	}
	slices.Sort(pmids)
	return slices.Compact(pmids), err
}

// checkTerm warns if NCBI ignored a part of the term, which makes the sync broader than
// intended, or if an earlier sync of the key used another term.
func (d *delta) checkTerm(ctx context.Context) {
	found, err := d.ncbi.Search(ctx, entrez.SearchParams{Term: d.term("", ""), RetMax: maxListed, AllowMissing: true})
	if err != nil {
		d.fail(err)
		return
	}
	d.whole = found
	dropped := slices.Concat(found.PhrasesNotFound, found.FieldsNotFound, found.QuotedPhrasesNotFound)
	if len(dropped) > 0 {
		d.warn("NCBI does not know %s and ignored it: the sync is broader than the term", strings.Join(dropped, ", "))
	}
	before, err := d.o.Store.Meta(ctx, termKey(d.q.Key))
	if err == nil && before != "" && before != d.q.Term && d.from != "" {
		d.warn("%q was synced with the term %s before: records that only the new term finds are stored from %s on",
			d.q.Key, before, d.from)
	}
}

// termKey returns the metadata key for the term of the last complete sync.
func termKey(key string) string { return "term of " + key }

// remaining returns the ids without those that an earlier run has stored and NCBI has not
// changed since. To find changes it looks as far back as any delta does, and at least a day,
// because NCBI may publish a record under a date of some days ago, and its dates lag ours.
func (d *delta) remaining(ctx context.Context, ids []record.PMID) []record.PMID {
	if len(d.storedParts) == 0 {
		return ids
	}
	touched, tally, err := d.search(ctx, d.since.AddDate(0, 0, -max(1, d.q.OverlapDays)).Format(ncbiDay))
	if err != nil || !tally.Complete() {
		return ids
	}
	stored := make([]record.PMID, 0, entrez.FetchBatch*len(d.storedParts))
	for _, part := range d.storedParts {
		stored = append(stored, part.pmids...)
	}
	slices.Sort(stored)
	return slices.DeleteFunc(slices.Clone(ids), func(id record.PMID) bool {
		_, have := slices.BinarySearch(stored, id)
		_, again := slices.BinarySearch(touched, id)
		return have && !again
	})
}

// advance moves the watermark, unless it was set by hand during the sync.
func (d *delta) advance(ctx context.Context) error {
	if d.report.MaxEDAT == nil {
		return nil
	}
	began := d.report.Watermark
	now, err := d.o.Store.AdvanceCheckpoint(ctx, d.q.Key, began, min(*d.report.MaxEDAT, rfc3339(d.startTime)))
	if err != nil {
		return err
	}
	if d.report.Watermark = now; now != began && now != min(*d.report.MaxEDAT, rfc3339(d.startTime)) {
		d.warn("the watermark was set to %s by hand during the sync, and stays there", now)
	}
	return d.o.Store.SetMeta(ctx, termKey(d.q.Key), d.q.Term)
}
