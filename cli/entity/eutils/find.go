// Package eutils has what entities over the databases of NCBI share.
package eutils

import (
	"cmp"
	"context"
	"fmt"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/assembly"
	"biomcp/entrez/record"
)

// UnknownFields are the field tags of a query that a database does not have, each
// with the nearest one. Where EInfo does not answer they are not checked.
func UnknownFields(ctx context.Context, client *entrez.Client, db, query string) []record.Dropped {
	tags, names, err := client.UnknownTags(ctx, db, query)
	if err != nil {
		return nil
	}
	return result.Map(tags, func(t string) record.Dropped {
		return record.Dropped{Phrase: t, What: "has no field of this name, and ignored it", Near: command.Nearest(t, names)}
	})
}

// Region makes the value of --region of search <name> a place on GRCh38 as ClinVar and
// NCBI Gene search for it. The example is of a place.
func Region(name, example string) func(string) (string, error) {
	return entity.Formed(name, "region", "a place such as "+example, func(v string) (string, bool) {
		chromosome, first, last, ok := assembly.Region(v)
		return fmt.Sprintf("%s[CHR] AND %d:%d[CPOS]", chromosome, first, last), ok
	})
}

// Found is a page of a database: the ids, what ESummary says of each, and the parts
// of the term that were not searched for as written, unknown field tags too.
type Found struct {
	*entrez.SearchResult
	Docs    *entrez.Docs
	Dropped []record.Dropped
}

// Find searches a database and describes the page: two requests, and EInfo once a
// day. All tags of the term are checked, so that one that NCBI does not have (any
// more) never broadens a search without a word.
func Find(ctx context.Context, client *entrez.Client, p entrez.SearchParams) (*Found, error) {
	var unknown []record.Dropped
	var check conc.WaitGroup
	check.Go(func() { unknown = UnknownFields(ctx, client, p.DB, p.Term) })
	found, docs, err := client.FindDocs(ctx, p)
	check.Wait()
	if err != nil {
		return nil, err
	}
	return &Found{found, docs, append(unknown, found.Dropped()...)}, nil
}

// Page is [Find] as a search answers it, each description read.
func Page[H any](ctx context.Context, client *entrez.Client, p entrez.SearchParams, read func(entrez.Doc) *H) (*entity.Page[H], error) {
	p.Uneven = true
	found, err := Find(ctx, client, p)
	if err != nil {
		return nil, err
	}
	page := &entity.Page[H]{Total: &found.Count, Effective: cmp.Or(found.Translation, p.Term), Retrieved: len(found.IDs), Dropped: found.Dropped}
	page.Hits = result.Map(found.Docs.Items, read)
	if missing := found.Docs.Missing; len(missing) > 0 {
		page.State = result.Degraded
		page.Notices = append(page.Notices, "NCBI gave no description of "+entity.Some(missing))
	}
	return page, nil
}
