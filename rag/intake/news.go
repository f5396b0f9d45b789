package intake

import (
	"context"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
)

// News are the documents of a query key to which something has happened, in the order of
// PMID. What was added is not among Changed; a document may be retracted besides.
type News struct{ Added, Changed, Retracted []record.PMID }

// NewsOf is what has happened to the documents of a query key since a round: in the latest,
// k.Round, or in the latest that came to its end and after it, k.Whole.
func NewsOf(ctx context.Context, corpus *store.Store, key string, since int64) (n News, err error) {
	list, err := corpus.KeptBy(ctx, key, max(1, since))
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

// news notes what the sync, with those that it continues, is to its key.
func (d *delta) news(ctx context.Context) error {
	keys, err := d.o.Store.QueryKeys(ctx)
	if i := slices.IndexFunc(keys, func(k store.QueryKey) bool { return k.Key == d.q.Key }); i >= 0 && err == nil {
		d.report.News, err = NewsOf(ctx, d.o.Store, d.q.Key, keys[i].Round)
	}
	return err
}
