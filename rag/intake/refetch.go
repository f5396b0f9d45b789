package intake

import (
	"context"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
	"biomcp/store"
)

// refetchKey is the lease of Refetch. It cannot be a query key.
const refetchKey = "--refetch"

// RefetchResult reports the results of Refetch.
type RefetchResult struct {
	Stored  int           `json:"stored"` // number of records stored again
	Missing []record.PMID `json:"lost"`   // records that are still absent
}

// Refetch fetches the records that a Repair could not read (store.Losses) by EFetch and stores
// them as any sync does. Records that NCBI does not return stay on the list. Refetch can be
// stopped and run again at any time. It returns *Incomplete if records are still absent, and
// otherwise the errors of Delta.
func Refetch(ctx context.Context, o Options, ncbi NCBI) (RefetchResult, error) {
	done := RefetchResult{Missing: []record.PMID{}}
	lost, err := o.Store.LostRecords(ctx)
	if err != nil || len(lost) == 0 {
		return done, err
	}
	s, lease, err := begin(ctx, o, refetchKey)
	if err != nil {
		return done, err
	}
	defer lease.Release()
	if err := s.setup(ctx); err != nil {
		return done, err
	}
	if err := s.startJob(ctx, store.Job{Key: refetchKey}); err != nil {
		return done, err
	}
	d := &delta{session: s, ncbi: ncbi, q: Query{Key: refetchKey}}
	p := d.start(ctx, deltaBatch, true)
	defer p.finish()
	d.step(func(now *Progress) { now.TotalRecords = len(lost) })
	f := &fetching{delta: d, p: p}
	if err = p.begin("sync repair", 0); err == nil {
		err = f.fetchAll(httpclient.WithoutCache(ctx), lost)
	}
	if failed := p.finish(); failed != nil {
		err = failed
	}
	f.reportLosses(len(lost))
	d.completeIndex(ctx, err)
	_, err = d.end(ctx)
	left, failed := o.Store.LostRecords(context.WithoutCancel(ctx))
	if failed != nil {
		return done, failed
	}
	done.Missing, done.Stored = left, len(lost)-len(left)
	return done, err
}
