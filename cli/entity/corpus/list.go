package corpus

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/cite"
	"biomcp/entrez/pubmed"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/store"
)

// listFlags defines the flags of lists, and of answers with only PMIDs or citations.
func listFlags(f *command.Flags) {
	f.Offset()
	f.Bool("count", false, "without a query: only the number of documents")
	f.AddSynonyms("count", "total", "count-only", "counts", "only-count")
	f.Bool("pmids", false, "only the PMIDs, one a line: all, or --top-k of them")
	f.Excludes("count", "", "pmids", "style", "output", "csv", "tsv", "jsonl", "fields", "offset")
	f.AddSynonyms("pmids", "ids", "ids-only", "pmid-only", "only-ids")
	f.Enum("style", "", "the documents as a file of citations: all, or --top-k of them", cite.Styles...)
	f.AddValueSynonyms("style", entity.StyleSynonyms)
	entity.CitationFiles(f)
	f.AddEndings("output", "; or their PMIDs, one a line: .txt", ".txt")
	f.Rare("count", "pmids", "style")
	f.Group(command.OutputFlags, "count", "pmids", "style")
}

// citationStyle returns the style of citations that the answer consists of, or "".
func citationStyle(in *command.Input) string { return cmp.Or(in.String("style"), entity.FileStyle(in)) }

// onlyPMIDs reports whether the answer consists of PMIDs.
func onlyPMIDs(in *command.Input) bool { return in.Bool("pmids") || entity.IsTextFile(in) }

// exports reports whether the answer is for another program: data, PMIDs or citations.
func exports(in *command.Input) bool {
	return entity.IsData(in) || onlyPMIDs(in) || citationStyle(in) != ""
}

// checkListFlags returns an error for a flag that has no effect with a query, or without one.
func checkListFlags(in *command.Input, isList bool) error {
	if !isList {
		if in.Given("offset") && !exports(in) {
			if n := in.Int("offset") + in.Int("top-k"); n > 0 && n <= maxDocuments {
				return result.Invalid("--offset requires a list: filters without a query or --like",
					in.LineWith("--offset", "", "--top-k", fmt.Sprint(n))...)
			}
		}
		return in.RejectUnused("requires a list: filters without a query or --like", "offset", "count")
	}
	return in.RejectUnused("requires a query or --like: a list has no scores", "explain", "recall", "quality-bias")
}

// findList returns a page of the documents that pass the filters and the conditions of the query, newest
// first.
func findList(
	ctx context.Context, in *command.Input, q *entity.Query, query rag.Query, topK int,
) (*entity.Page[explainedHit], error) {
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return nil, noCorpus(err)
	}
	filter, err := filterOf(ctx, in, q)
	if err != nil {
		return nil, err
	}
	old, err := oldIndexNotices(ctx, in, query, filter)
	if err != nil {
		return nil, err
	}
	filter = query.Filtered(filter)
	names, err := unknownNames(ctx, in.App, query, q.Values("author"))
	if err != nil {
		return nil, err
	}
	notices := slices.Concat(tagNotices(query), names, old)
	if q.Offset, err = in.Offset(); err != nil {
		return nil, err
	}
	if q.Limit = topK; in.Bool("count") {
		q.Limit = 0
	}
	listed, total, err := corpus.List(ctx, filter, q.Offset, q.Limit)
	if err != nil {
		return nil, err
	}
	if in.Bool("count") {
		p := &entity.Page[explainedHit]{Hits: []*explainedHit{}, Total: &total, Notices: notices}
		p.Payload = func(h *entity.Hits[explainedHit]) result.Payload { return &documentCount{h} }
		return p, nil
	}
	hits, err := listedHits(ctx, in, corpus, listed)
	if err != nil {
		return nil, err
	}
	hits.TopK, hits.total, hits.offset = topK, &total, q.Offset
	hits.Query, hits.filterText = q.Text, filterText(q)
	p := &entity.Page[explainedHit]{
		Hits: entity.Pointers(hits.Results), Total: &total, Retrieved: len(listed),
		Notices: append(hits.retractions(), notices...),
		Smaller: entity.SmallerPage(in, "top-k", len(listed)),
		Payload: func(*entity.Hits[explainedHit]) result.Payload { return corpusHits{hits} },
	}
	if end := q.Offset + len(listed); len(listed) > 0 && end < total {
		p.MoreHits = entity.LineFrom(in, end+1, "--offset", fmt.Sprint(end))
		p.Notices = append(p.Notices, fmt.Sprintf("these are documents %d to %d of %d, newest first; the next: %s",
			q.Offset+1, end, total, p.MoreHits))
	}
	return p, hits.setForm(in, p)
}

// listedHits reads the documents of a list, whose passages it keeps only with --long.
func listedHits(
	ctx context.Context, in *command.Input, corpus *store.Store, listed []store.Hit,
) (*explainedHits, error) {
	found := &rag.Answer{}
	for _, h := range listed {
		found.Results = append(found.Results, rag.Result{PMID: h.PMID, ChunkID: h.ChunkID, Ordinal: h.Ordinal,
			Quality: rag.QualityOf(h.Facts, h.Date, in.App.Now())})
	}
	length := 0
	if in.Bool("long") {
		length = math.MaxInt
	}
	hits, err := explain(ctx, &rag.Searcher{Corpus: corpus}, found, false, length)
	if err != nil {
		return nil, err
	}
	if hits.deleted, err = intake.Deleted(ctx, corpus); err != nil {
		return nil, err
	}
	if length == 0 { // no passage matches a query
		for i := range hits.Results {
			hits.Results[i].Passage = ""
		}
	}
	return hits, nil
}

// setForm makes the answer consist of PMIDs or citations if the command line asks for them.
func (h *explainedHits) setForm(in *command.Input, p *entity.Page[explainedHit]) error {
	style := citationStyle(in)
	switch {
	case onlyPMIDs(in):
		ids := make([]string, len(h.Results))
		for i, r := range h.Results {
			ids[i] = strings.TrimPrefix(r.DocID, "pmid:")
		}
		h.verbatim = new(strings.Join(ids, "\n"))
	case style != "":
		articles := make([]*pubmed.Article, len(h.documents))
		for i, d := range h.documents {
			articles[i] = intake.Article(d)
		}
		entries, err := cite.Entries(style, articles)
		if err != nil {
			return err
		}
		text, err := cite.JoinEntries(style, entries)
		if err != nil {
			return err
		}
		h.verbatim = &text
		if entity.FileStyle(in) != "" {
			p.Records = result.Map(entries, func(e string) map[string]any {
				return map[string]any{"citations": map[string]string{style: e}}
			})
		}
	}
	return nil
}

// joinText joins a query to the description of its filters.
func joinText(query, filters string) string {
	if query == "" || filters == "" {
		return query + filters
	}
	return query + ", " + filters
}

// filterText describes the filters of a list, for its heading.
func filterText(q *entity.Query) string {
	parts := result.Map(q.Filters, func(f entity.AppliedFilter) string {
		return strings.TrimSpace(f.Flag + " " + strings.TrimSuffix(f.Value, "true"))
	})
	return strings.Join(slices.Compact(parts), ", ")
}

// listFields counts the documents of a list, nil for a ranking.
func (h *explainedHits) listFields() result.Doc {
	if h.total == nil {
		return nil
	}
	text := fmt.Sprintf("%d, newest first", *h.total)
	switch n := len(h.Results); {
	case *h.total == 0:
		text = "0"
	case n == 0:
		text = fmt.Sprintf("%d; none after the first %d", *h.total, h.offset)
	case n < *h.total:
		text += fmt.Sprintf(", shown %d to %d", h.offset+1, h.offset+n)
	}
	return result.Doc{result.Fields{{Name: "Documents", Value: text}}}
}

// documentCount is the answer of --count.
type documentCount struct{ *entity.Hits[explainedHit] }

func (c *documentCount) Doc() result.Doc {
	return result.Doc{
		result.Heading{Level: 1, Text: command.ClipTo(300, "Corpus: "+joinText(c.Query.Text, filterText(c.Query)))},
		result.Fields{{Name: "Documents", Value: fmt.Sprint(*c.Total)}},
	}
}
