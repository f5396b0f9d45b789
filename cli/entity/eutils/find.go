// Package eutils holds the code that the entities over the databases of NCBI share.
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

// UnknownFields returns the field tags of a query that a database does not have, each with the most
// similar one. It returns nil if EInfo does not answer.
func UnknownFields(ctx context.Context, client *entrez.Client, db, query string) []record.DroppedTerm {
	tags, names, err := client.UnknownTags(ctx, db, query)
	if err != nil {
		return nil
	}
	return result.Map(tags, func(t string) record.DroppedTerm {
		return record.DroppedTerm{Phrase: t, Action: "has no field of this name, and ignored it",
			Suggestion: command.Nearest(t, names)}
	})
}

// RegionTerm returns a Term function for the flag --region of search <name>. It converts a place on
// GRCh38 to the query that ClinVar and NCBI Gene accept. The error for another value shows example.
func RegionTerm(name, example string) func(string) (string, error) {
	return entity.ParsedTerm(name, "region", "a place such as "+example, func(v string) (string, bool) {
		chromosome, first, last, ok := assembly.Region(v)
		return fmt.Sprintf("%s[CHR] AND %d:%d[CPOS]", chromosome, first, last), ok
	})
}

// Found is a page of a database: the ids, their descriptions from ESummary, and the parts of the
// term that NCBI ignored or changed, including unknown field tags. Err, if not nil, says why the last
// records of the page are not described.
type Found struct {
	*entrez.SearchResult
	Docs    *entrez.Docs
	Dropped []record.DroppedTerm
	Err     error
}

// Find searches a database and describes the page, in two requests, and one to EInfo per day. It
// checks all field tags of the term, so that a tag that NCBI does not have, or no longer has, never
// broadens a search silently.
func Find(ctx context.Context, client *entrez.Client, p entrez.SearchParams) (*Found, error) {
	var unknown []record.DroppedTerm
	var check conc.WaitGroup
	check.Go(func() { unknown = UnknownFields(ctx, client, p.DB, p.Term) })
	found, docs, err := client.FindDocs(ctx, p)
	check.Wait()
	if err != nil && (docs == nil || docs.Read() == 0) {
		return nil, err
	}
	return &Found{found, docs, append(unknown, found.DroppedTerms()...), err}, nil
}

// Page calls [Find] and returns a page of a search. read converts a description to a hit.
func Page[H any](ctx context.Context, client *entrez.Client, p entrez.SearchParams,
	read func(entrez.Doc) *H) (*entity.Page[H], error) {
	p.AllowMissing = true
	found, err := Find(ctx, client, p)
	if err != nil {
		return nil, err
	}
	page := &entity.Page[H]{Total: &found.Count, Effective: cmp.Or(found.Translation, p.Term),
		Retrieved: found.Docs.Read(), Dropped: found.Dropped, Err: found.Err}
	page.Hits = result.Map(found.Docs.Items, read)
	if gaps := GapNotices("NCBI", found.Docs); gaps != nil {
		page.State, page.Notices = result.Degraded, append(page.Notices, gaps...)
	}
	return page, nil
}

// GapNotices returns notices that name the records of a page that ESummary does not describe.
func GapNotices(source string, docs *entrez.Docs) (notices []string) {
	if len(docs.Missing) > 0 {
		notices = append(notices, source+" gave no description of "+command.Abbreviate(docs.Missing))
	}
	if err := docs.Unread(); err != nil {
		notices = append(notices, err.Error())
	}
	return notices
}
