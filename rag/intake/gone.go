package intake

import (
	"context"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez"
	"biomcp/entrez/record"
	"biomcp/store"
)

// maxListed is the maximum number of records that PubMed lists in one reply.
const maxListed = 9_999

// checkGone warns of the documents of the query key that its query no longer finds. No window
// lists them, so it compares the documents of the key with all records that the term finds. If
// these are more than PubMed lists in one reply, it compares the numbers.
//
// No document is removed, because a record may come back. Its error is one of the corpus.
func (d *delta) checkGone(ctx context.Context) error {
	documents, err := d.o.Store.QueryDocuments(ctx, d.q.Key, 0)
	if err != nil {
		return err
	}
	var kept []record.PMID
	for _, doc := range documents {
		kept = append(kept, doc.PMID)
	}
	found, known := d.matches()
	if !known {
		if n := len(kept) - d.whole.Count; n > 0 {
			d.warn("the corpus holds %d documents of this query and PubMed finds %d: at least %d %s deleted or revised; "+
				"set the watermark of %q to 1900-01-01T00:00:00Z and sync it again to see which",
				len(kept), d.whole.Count, n, english.PluralWord(n, "was", "were"), d.q.Key)
			d.report.Unlisted = n
		}
		return nil
	}
	gone := slices.DeleteFunc(slices.Clone(kept), func(pmid record.PMID) bool {
		_, ok := slices.BinarySearch(found, pmid)
		return ok
	})
	deleted, known := d.deletedByPubMed(ctx, gone)
	if !known {
		return nil
	}
	revised := slices.DeleteFunc(gone, func(pmid record.PMID) bool { return slices.Contains(deleted, pmid) })
	if n := len(deleted); n > 0 {
		d.warn("PubMed no longer has %s of this query: %s. The corpus keeps %s until an update file deletes %[3]s: "+
			"biomcp sync pubmed --from updatefiles/",
			english.Plural(n, "document", ""), joinNames(texts(deleted)), english.PluralWord(n, "it", "them"))
	}
	if n := len(revised); n > 0 {
		d.warn("this query no longer finds %s that the corpus keeps as %s before. As PubMed has %s now: biomcp get article %s",
			english.Plural(n, "document", ""), english.PluralWord(n, "it was", "they were"),
			english.PluralWord(n, "it", "them"), strings.Join(texts(revised[:min(n, maxNames)]), " "))
	}
	return noteDeleted(ctx, d.o.Store, kept, deleted)
}

// matches returns the PMIDs of all records that the term finds, in ascending order, if the
// replies of NCBI list all of them.
func (d *delta) matches() ([]record.PMID, bool) {
	if d.tally.Complete() && len(d.window) == d.whole.Count {
		return d.window, true
	}
	pmids, err := parsePMIDs(d.whole.IDs)
	return pmids, err == nil && len(pmids) == d.whole.Count
}

// deletedByPubMed returns those of pmids that PubMed no longer has. If they are more than one
// search can name, the term is another one than before, and it returns none. It reports whether
// the search succeeded; otherwise it warns.
func (d *delta) deletedByPubMed(ctx context.Context, pmids []record.PMID) ([]record.PMID, bool) {
	if len(pmids) == 0 || len(pmids) > entrez.FetchBatch {
		return nil, true
	}
	term := strings.Join(texts(pmids), "[uid] OR ") + "[uid]"
	found, err := d.ncbi.Search(ctx, entrez.SearchParams{Term: term, RetMax: len(pmids), AllowMissing: true})
	if err == nil && len(found.IDs) == found.Count {
		return slices.DeleteFunc(slices.Clone(pmids), func(pmid record.PMID) bool {
			return slices.Contains(found.IDs, pmid.String())
		}), true
	}
	reason := "NCBI's search lists fewer records than it counts"
	if err != nil {
		reason = err.Error()
	}
	d.warn("it is unknown whether PubMed deleted %s that the query no longer finds: %s; the next sync asks again",
		english.Plural(len(pmids), "document", ""), reason)
	return nil, false
}

const deletedKey = "deleted by PubMed"

// noteDeleted stores which of the documents kept PubMed no longer has.
func noteDeleted(ctx context.Context, corpus *store.Store, kept, deleted []record.PMID) error {
	before, err := corpus.Meta(ctx, deletedKey)
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(parseNote(before), func(pmid record.PMID) bool {
		_, ok := slices.BinarySearch(kept, pmid)
		return ok
	})
	all := slices.Concat(others, deleted)
	slices.Sort(all)
	if now := formatNote(all); now != before {
		return corpus.SetMeta(ctx, deletedKey, now)
	}
	return nil
}

// Deleted returns the PMIDs of documents that PubMed no longer had when their query was last
// synced, in ascending order. The corpus may have removed them since.
func Deleted(ctx context.Context, corpus *store.Store) ([]record.PMID, error) {
	note, err := corpus.Meta(ctx, deletedKey)
	return parseNote(note), err
}
