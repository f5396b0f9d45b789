package intake

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/sourcegraph/conc"

	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/store"
)

// fetching fetches the records of a list and passes them to a pipeline.
type fetching struct {
	*delta
	p *pipeline

	answered    int // records that EFetch answered for
	missing     []string
	failures    []error
	readErrors  []string // errors of unreadable records
	unreadPMIDs []string // PMIDs of unreadable records, if known
}

// An answer is the reply to one EFetch call.
type answer struct {
	ids []record.PMID
	got *entrez.FetchResult
	err error
}

// fetchAll fetches the records. It returns an error only if the pipeline has ended.
func (f *fetching) fetchAll(ctx context.Context, ids []record.PMID) error {
	ctx, cancel := context.WithCancel(ctx)
	var group conc.WaitGroup
	defer group.Wait()
	defer cancel()
	for a := range f.answers(ctx, &group, ids) {
		failed := a.err
		if a.err == nil {
			if err := f.store(a); err != nil {
				return err
			}
			failed = a.got.Problem // some records of the block are unread
		}
		if failed != nil && (ctx.Err() != nil || f.noteFailure(failed)) {
			return nil
		}
	}
	return nil
}

// answers fetches blocks of ids, several at once. It closes the channel after the last answer.
func (f *fetching) answers(ctx context.Context, group *conc.WaitGroup, ids []record.PMID) <-chan answer {
	blocks, answers := make(chan []record.PMID), make(chan answer)
	group.Go(func() {
		defer close(blocks)
		for block := range slices.Chunk(ids, cmp.Or(f.o.block, entrez.FetchBatch)) {
			select {
			case blocks <- block:
			case <-ctx.Done():
				return
			}
		}
	})
	var working conc.WaitGroup
	for range entrez.MaxConcurrentBatches {
		working.Go(func() {
			for block := range blocks {
				got, err := f.ncbi.Fetch(ctx, texts(block))
				select {
				case answers <- answer{block, got, err}:
				case <-ctx.Done():
				}
			}
		})
	}
	group.Go(func() {
		defer close(answers)
		working.Wait()
	})
	return answers
}

func texts(ids []record.PMID) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = id.String()
	}
	return list
}

// noteFailure records a failed EFetch and reports whether to give up: because the next one
// would fail for this reason too, or because too many have failed.
func (f *fetching) noteFailure(err error) bool {
	f.failures = append(f.failures, err)
	if e, ok := errors.AsType[*httpclient.Error](err); ok {
		switch e.Kind {
		case httpclient.Unreachable, httpclient.RateLimited, httpclient.BadKey:
			return true
		}
	}
	return len(f.failures) == maxAttempts
}

// store passes the records of one answer to the pipeline, followed by the note that they are
// stored.
func (f *fetching) store(a answer) error {
	f.answered += len(a.ids) - len(a.got.Unread)
	var done part
	for _, article := range a.got.Articles {
		pmid, err := record.ParsePMID(article.PMID)
		if err != nil {
			f.readErrors = append(f.readErrors, err.Error())
			continue
		}
		if err := f.p.put(article, pmid); err != nil {
			return err
		}
		f.fetched++
		done.pmids = append(done.pmids, pmid)
		done.maxEDAT = max(done.maxEDAT, timestamp(article.Dates.Pubmed))
	}
	for _, id := range a.got.Deleted {
		if pmid, err := record.ParsePMID(id); err == nil {
			if err := f.p.remove(pmid, ""); err != nil {
				return err
			}
		}
	}
	for _, broken := range a.got.Broken {
		f.readErrors = append(f.readErrors, broken.Error())
		if broken.PMID != "" {
			f.unreadPMIDs = append(f.unreadPMIDs, broken.PMID)
		}
	}
	f.missing = append(f.missing, a.got.Missing...)
	f.step(func(now *Progress) { now.Records = f.answered })
	if len(done.pmids) > 0 {
		f.p.mark(func(b *store.Batch) { b.SliceDone(f.delta.report.JobID, done.String()) })
	}
	return nil
}

// reportLosses reports the records that were not fetched or could not be read.
func (f *fetching) reportLosses(wanted int) {
	r := &f.delta.report
	r.Broken += len(f.readErrors)
	if len(f.failures) > 0 {
		f.fail(f.failures[0])
		r.warn("%d EFetch failed; %s not fetched", len(f.failures), english.Plural(wanted-f.answered, "record", ""))
	}
	if len(f.readErrors) > 0 {
		r.warn("%s could not be read: %s", english.Plural(len(f.readErrors), "record", ""), joinNames(f.readErrors))
	}
	if len(f.missing) > 0 {
		r.warn("NCBI's search lists %s that EFetch does not return: %s; their documents in the corpus stay",
			english.Plural(len(f.missing), "record", ""), joinNames(f.missing))
	}
	if len(f.readErrors)+len(f.missing) > 0 {
		names := append(f.unreadPMIDs, f.missing...)
		f.fail(&RecordsError{Broken: len(f.readErrors), Missing: len(f.missing), Names: names})
	}
}
