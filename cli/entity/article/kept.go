package article

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/rag/intake"
	"biomcp/store"
)

// fromCorpus reads from the local corpus the articles that PubMed could not deliver because
// it did not answer, and returns a notice. Records that the corpus lacks stay unread.
func fromCorpus(
	ctx context.Context, in *command.Input, pmids []string, got *entrez.FetchResult, err error,
) (*entrez.FetchResult, map[string]*store.Document, string, error) {
	why := err
	if err == nil {
		pmids, why = got.Unread, got.Problem
	}
	if !isOutage(why) || in.Nested {
		return got, nil, "", err
	}
	kept := corpusDocuments(context.WithoutCancel(ctx), in, pmids) // the deadline of the call may have passed
	if len(kept) == 0 {
		return got, nil, "", err
	}
	out := &entrez.FetchResult{Problem: why}
	if got != nil {
		*out = *got
	}
	out.Unread = []string{}
	var ids []string
	for _, pmid := range pmids {
		d := kept[pmid]
		if d == nil {
			out.Unread = append(out.Unread, pmid)
			continue
		}
		out.Articles = append(out.Articles, intake.Article(d))
		ids = append(ids, pmid+revisionText(d))
	}
	return out, kept, fmt.Sprintf("%s; from the local corpus: %s, %s", why, command.Abbreviate(ids), corpusGaps), nil
}

// corpusGaps describes how an article of the corpus differs from PubMed's.
const corpusGaps = "without affiliations, printed references, conflicts of interest, copyright, people as " +
	"subjects, and PubMed's notes on ids, pages, the journal and the record's history; " +
	"abstract, MeSH and grants are whole, and so are citations, except nbib and those of articles ahead of print"

// isOutage reports whether err means that a service does not answer; it is false for an
// error that the request itself causes.
func isOutage(err error) bool {
	failed, ok := errors.AsType[*httpclient.Error](err)
	return ok && !errors.Is(err, context.Canceled) &&
		!slices.Contains([]httpclient.Kind{httpclient.Refused, httpclient.NotFound, httpclient.Invalid, httpclient.BadKey}, failed.Kind)
}

// citingInCorpus returns the articles of the local corpus that cite any of pmids, by the cited
// PMID, newest first. Without a corpus it returns nil.
func citingInCorpus(ctx context.Context, in *command.Input, pmids []string) (map[string]*entrez.Links, error) {
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return nil, nil
	}
	out := map[string]*entrez.Links{}
	for d, err := range corpus.Documents(ctx, 0) {
		if err != nil {
			return nil, err
		}
		for _, cited := range d.Cites {
			id := cited.String()
			if d.PMID == cited || !slices.Contains(pmids, id) {
				continue
			}
			if out[id] == nil {
				out[id] = &entrez.Links{}
			}
			out[id].Items = slices.Insert(out[id].Items, 0, entrez.Link{PMID: d.PMID.String()})
		}
	}
	return out, nil
}

// revisionText tells which revision of a record the corpus has, or returns "" if unknown.
func revisionText(d *store.Document) string {
	if d.LR == "" {
		return ""
	}
	return " as revised " + d.LR[:min(len(d.LR), len("2006-01-02"))]
}

// corpusDocuments returns documents of the local corpus by PMID, or nil without a corpus.
func corpusDocuments(ctx context.Context, in *command.Input, pmids []string) map[string]*store.Document {
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return nil
	}
	var numbers []record.PMID
	for _, id := range pmids {
		if n, err := record.ParsePMID(id); err == nil {
			numbers = append(numbers, n)
		}
	}
	docs, err := corpus.DocumentsByPMID(ctx, numbers)
	if err != nil {
		return nil
	}
	out := map[string]*store.Document{}
	for n, d := range docs {
		out[n.String()] = d
	}
	return out
}

// summaryOf converts a document of the local corpus to ESummary's form.
func summaryOf(d *store.Document) entrez.Summary {
	a := intake.Article(d)
	return entrez.Summary{
		UID: a.PMID, Title: a.Title, VernacularTitle: a.VernacularTitle,
		Source: cmp.Or(a.Journal.ISOAbbreviation, a.Journal.Title), Journal: a.Journal.Title,
		PubDate: fmt.Sprint(a.IssueDate().Year), Volume: a.Journal.Volume, Issue: a.Journal.Issue,
		Pages: a.Journal.Pages, DOI: a.DOI, PMCID: a.PMCID, PubTypes: a.PublicationTypes, Retracted: a.Retracted,
		Authors: result.Map(a.Authors, pubmed.Author.Name),
	}
}
