package intake

import (
	"context"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
)

// News lists the documents of a query key that have changed, in the order of their PMIDs.
// Changed excludes those of Added; Retracted may overlap with both.
type News struct{ Added, Changed, Retracted []record.PMID }

// NewsSince returns the changes to the documents of a query key since a sync round: k.Round for
// the latest round, or k.Whole for the latest complete round and everything after it.
func NewsSince(ctx context.Context, corpus *store.Store, key string, since int64) (n News, err error) {
	list, err := corpus.QueryDocuments(ctx, key, max(1, since))
	for _, d := range list {
		switch {
		case d.Added >= since:
			n.Added = append(n.Added, d.PMID)
		case d.Changed >= since:
			n.Changed = append(n.Changed, d.PMID)
		}
		if d.Retracted >= since {
			n.Retracted = append(n.Retracted, d.PMID)
		}
	}
	return n, err
}

// news adds the changes of this round to the report.
func (d *delta) news(ctx context.Context) error {
	keys, err := d.o.Store.QueryKeys(ctx)
	if i := slices.IndexFunc(keys, func(k store.QueryKey) bool { return k.Key == d.q.Key }); i >= 0 && err == nil {
		d.report.News, err = NewsSince(ctx, d.o.Store, d.q.Key, keys[i].Round)
	}
	return err
}
