package intake

import (
	"context"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/entrez"
	"biomcp/entrez/record"
)

// maxStrays is the maximum number of documents that a delta fetches again because its query no
// longer finds them. More of them mean another term rather than changes of PubMed.
const maxStrays = 2000

// checkStrays follows the documents of the query key that the query no longer finds, because
// PubMed deleted the record or because a revision took it out of the query. No window shows
// either. If the key holds as many documents as PubMed finds records, there are none. Otherwise
// they are fetched again. A record that EFetch returns is stored. One that neither EFetch nor a
// search for its PMID returns is removed.
//
// A failure is a warning, because the window itself is whole. The error says that the pipeline
// has ended.
func (f *fetching) checkStrays(ctx context.Context, window []record.PMID, found int) error {
	if f.incomplete() || !f.tally.Complete() || ctx.Err() != nil {
		return nil
	}
	kept, err := f.o.Store.QueryDocuments(ctx, f.q.Key, 0)
	if err != nil {
		return err
	}
	var strays []record.PMID // documents that the window does not list
	for _, d := range kept {
		if _, listed := slices.BinarySearch(window, d.PMID); !listed {
			strays = append(strays, d.PMID)
		}
	}
	if len(window)+len(strays) <= found {
		return nil
	}
	if f.from != "" {
		all, tally, err := f.search(ctx, "")
		if err != nil || !tally.Complete() {
			f.strayWarning(err)
			return nil
		}
		strays = slices.DeleteFunc(strays, func(pmid record.PMID) bool {
			_, listed := slices.BinarySearch(all, pmid)
			return listed
		})
	}
	if len(strays) > maxStrays {
		f.warn("the query no longer finds %d documents that its key holds; that many are not fetched again: "+
			"revisions and deletions of them are unknown", len(strays))
		return nil
	}
	return f.followStrays(ctx, strays)
}

// incomplete reports whether the sync has a cause to be incomplete.
func (s *session) incomplete() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.causes) > 0
}

// strayWarning reports that the strays could not be checked; a nil err means replies whose counts differ.
func (f *fetching) strayWarning(err error) {
	reason := "the replies of NCBI's search disagree"
	if err != nil {
		reason = err.Error()
	}
	f.warn("it is unknown whether PubMed deleted documents of this query: %s; the next sync checks them", reason)
}

// followStrays fetches strays again, and stores or removes each.
func (f *fetching) followStrays(ctx context.Context, strays []record.PMID) error {
	var absent []record.PMID
	stored := 0
	for block := range slices.Chunk(strays, entrez.FetchBatch) {
		got, err := f.ncbi.Fetch(ctx, texts(block))
		if err == nil {
			err = got.Problem
		}
		if err != nil {
			f.strayWarning(err)
			return nil
		}
		for _, article := range got.Articles {
			pmid, err := record.ParsePMID(article.PMID)
			if err != nil {
				continue
			}
			if err := f.p.put(article, pmid); err != nil {
				return err
			}
			stored++
		}
		for _, id := range slices.Concat(got.Missing, got.Deleted) {
			if pmid, err := record.ParsePMID(id); err == nil && slices.Contains(block, pmid) {
				absent = append(absent, pmid)
			}
		}
	}
	f.strays = stored
	if stored > 0 {
		f.warn("the query no longer finds %s of its key: fetched again; %s in the corpus",
			english.Plural(stored, "document", ""), english.PluralWord(stored, "it stays", "they stay"))
	}
	return f.removeAbsent(ctx, absent)
}

// removeAbsent removes the documents that EFetch did not return and that a search for their PMIDs
// does not list.
func (f *fetching) removeAbsent(ctx context.Context, absent []record.PMID) error {
	var removed []string
	for block := range slices.Chunk(absent, entrez.FetchBatch) {
		term := strings.Join(texts(block), "[uid] OR ") + "[uid]"
		listed := map[string]bool{}
		tally, err := f.ncbi.SearchAll(ctx, entrez.SearchParams{Term: term}, func(ids []string) error {
			for _, id := range ids {
				listed[id] = true
			}
			return nil
		})
		if err != nil || !tally.Complete() {
			f.strayWarning(err)
			break
		}
		for _, pmid := range block {
			if listed[pmid.String()] {
				continue
			}
			if err := f.p.remove(pmid, ""); err != nil {
				return err
			}
			removed = append(removed, pmid.String())
		}
	}
	if len(removed) > 0 {
		f.warn("PubMed no longer has %s of this query: %s; removed from the corpus",
			english.Plural(len(removed), "record", ""), joinNames(removed))
	}
	return nil
}
