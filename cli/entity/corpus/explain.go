package corpus

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/store"
	"biomcp/store/study/symbols"
)

// explain reads the documents of an answer and finds the sentences of each that answer the query,
// at most length bytes long, or the whole chunk if length is [math.MaxInt]. With detail it also lists
// the query words that each document holds.
func explain(ctx context.Context, s *rag.Searcher, found *rag.Answer, detail bool, length int) (*explainedHits, error) {
	hits := newExplainedHits(s, found)
	hits.detail = detail
	docs, err := documentsOf(ctx, s, found)
	if err != nil {
		return nil, err
	}
	a := analyze.New()
	var lacking []string // words of the query that no document holds
	for _, r := range found.Results {
		d := docs[r.PMID]
		if d == nil {
			continue // deleted since it was found
		}
		var held, words []string
		if detail || length > shortPassage || len(hits.Results) == 0 || len(lacking) > 0 {
			held, words = found.Query.MatchedWords(d)
		}
		if len(hits.Results) == 0 {
			hits.notices, lacking = fewMatchesNotice(held, words), slices.Clone(words)
		}
		lacking = slices.DeleteFunc(lacking, func(w string) bool { return slices.Contains(held, w) })
		h := explainHit(r, d, held, words)
		if r.Ordinal < len(d.Chunks) {
			h.Section = d.Chunks[r.Ordinal].Section
			if h.Passage = d.Chunks[r.Ordinal].Text; length < math.MaxInt {
				h.Passage = found.Query.Evidence(a, d, length)
			}
		}
		hits.Results = append(hits.Results, h)
		hits.documents = append(hits.documents, d)
	}
	if len(hits.notices) > 0 {
		holds, err := holdRarestWord(ctx, s.Corpus, found.Query, hits.documents)
		if err != nil {
			return nil, err
		}
		if holds {
			hits.notices = nil
		}
	}
	hits.notices = append(hits.notices, lackingNotice(lacking)...)
	return hits, nil
}

// newExplainedHits describes how an answer was searched for, without its documents.
func newExplainedHits(s *rag.Searcher, found *rag.Answer) *explainedHits {
	hits := &explainedHits{
		Widened: found.Query.Widened, Strict: found.Query.Strict, Shares: found.Shares, Feedback: found.FeedbackDocs,
		ByHeadings: found.HeadingFeedback, HeadingDocs: found.HeadingDocs, byHeadings: found.HeadingShare,
		Tags: found.Query.Tags,
	}
	for _, m := range found.Misspelt {
		if m.Replaced {
			hits.Corrections = append(hits.Corrections, correction{m.Suggestion, m.Word})
		}
	}
	if len(hits.Tags) > 0 {
		hits.Reads = found.Query.Reads
	}
	hits.Terms = slices.Concat(found.Query.Terms, found.Query.Added)
	if s.Embedder != nil {
		hits.Model = record.NilIfZero(s.Embedder.Model())
	}
	if s.Second != nil && found.LocalErr == nil {
		hits.Local = record.NilIfZero(s.Second.Model.Model())
	}
	return hits
}

// documentsOf returns the documents of an answer. It reads those that the answer does not contain.
func documentsOf(ctx context.Context, s *rag.Searcher, found *rag.Answer) (map[record.PMID]*store.Document, error) {
	var pmids []record.PMID
	for _, r := range found.Results {
		if found.Documents[r.PMID] == nil {
			pmids = append(pmids, r.PMID)
		}
	}
	docs, err := s.Corpus.DocumentsByPMID(ctx, pmids)
	if err != nil {
		return nil, err
	}
	maps.Copy(docs, found.Documents)
	return docs, nil
}

// explainHit converts a result and its document to a hit without a passage. held lists the words of the
// query that the document holds.
func explainHit(r rag.Result, d *store.Document, held, words []string) explainedHit {
	h := explainedHit{
		corpusHit: corpusHit{
			DocID: fmt.Sprintf("pmid:%d", r.PMID), UUID: r.UUID(), Sim: roundPtr(r.Sim), BM25: roundPtr(r.BM25),
			Quality: &r.Quality.Total, Score: round(r.Score),
		},
		Title: d.Title, Journal: d.Journal.Title,
		journal: cmp.Or(d.Journal.ISOAbbreviation, d.Journal.Title), Retracted: d.Retracted,
		preprint: slices.Contains(d.PubTypes, record.PreprintType), ChunkID: r.ChunkID,
		MatchedWords: held,
		MissingWords: slices.DeleteFunc(slices.Clone(words), func(w string) bool {
			return slices.Contains(held, w)
		}),
		WordScore: round(r.Words), VectorScore: round(r.Vectors), LocalSim: roundPtr(r.LocalSim),
		LocalScore: round(r.Local), ExactTitle: r.Title, FusedScore: round(r.Fused), QualityParts: r.Quality,
	}
	if len(d.PDat) >= 4 {
		var year int
		if _, err := fmt.Sscanf(d.PDat[:4], "%d", &year); err == nil {
			h.Year = &year
		}
	}
	return h
}

// round keeps six decimal places, because further digits differ between machines.
func round(x float64) float64 { return math.Round(x*1e6) / 1e6 }

func roundPtr(x *float64) *float64 {
	if x == nil {
		return nil
	}
	return new(round(*x))
}

func (h *explainedHits) Doc() result.Doc {
	if h.verbatim != nil {
		return result.Doc{result.Verbatim{Text: *h.verbatim}}
	}
	title := result.Heading{Level: 1, Text: command.ClipTo(300, "Corpus: "+joinText(h.Query+h.seedText, h.filterText))}
	doc := append(result.Doc{title}, h.listFields()...)
	if len(h.Results) == 0 && h.total != nil && *h.total > 0 {
		return doc
	}
	if h.leftOut {
		return append(doc, result.Para{Text: "Nothing was searched for."})
	}
	if len(h.Results) == 0 {
		return append(doc, result.Para{Text: "Nothing in the local corpus matches."})
	}
	if h.detail {
		doc = append(doc, h.basisFields())
	}
	for i, r := range h.Results {
		title := cmp.Or(r.Title, "(no title)")
		doc = append(doc, result.Heading{
			Level: 2, Text: fmt.Sprintf("%d. %s", i+1, record.ListLabel(r.Retracted, r.preprint, title)),
		})
		parts := []string{r.DocID}
		if r.journal != "" {
			parts = append(parts, r.journal)
		}
		if r.Year != nil {
			parts = append(parts, fmt.Sprint(*r.Year))
		}
		quality := fmt.Sprintf("quality %d of %d", *r.Quality, rag.MaxQuality)
		if h.detail {
			fields := result.Fields{
				{Name: "Document", Value: strings.Join(parts, ", ")},
				{Name: "Score", Value: fmt.Sprintf("%.3f, %s", r.Score, quality)},
			}
			doc = append(doc, append(fields, h.scoreFields(r)...))
		} else {
			doc = append(doc, result.Para{Text: strings.Join(append(parts, quality), ", ")})
		}
		if r.Passage != "" {
			doc = append(doc, result.Quote{Text: r.Passage})
		}
		doc = append(doc, result.ItemEnd{})
	}
	if h.more {
		doc = append(doc, result.Para{Text: "There are more documents: raise --top-k."})
	}
	return doc
}

// basisFields describes what all scores of an answer are computed from.
func (h *explainedHits) basisFields() result.Fields {
	models := []string{cmp.Or(entity.Deref(h.Model), "none")}
	formula := fmt.Sprintf("%.2f × words", h.Shares.Words)
	if h.Shares.Vectors > 0 {
		formula += fmt.Sprintf(" + %.2f × meaning", h.Shares.Vectors)
	}
	if h.Shares.Local > 0 {
		formula += fmt.Sprintf(" + %.2f × the corpus's own vectors", h.Shares.Local)
	}
	formula += ", each scaled to 0–1"
	if h.Shares.Title > 0 {
		formula += fmt.Sprintf(", + %.2f for a document whose title is the query", h.Shares.Title)
	}
	if h.QualityBias {
		formula += ", times 1 + quality/10"
	}
	if h.Local != nil {
		models = append(models, *h.Local)
	}
	fields := result.Fields{{Name: "Terms", Value: strings.Join(h.Terms, " ")}}
	if h.Reads != "" {
		fields = append(fields, result.Field{Name: "Read as", Value: h.Reads})
	}
	for _, w := range h.Widened {
		value := fmt.Sprintf("%s is an entry term of the MeSH heading %s, whose words count half", w.Term, w.All[0])
		switch w.Kind {
		case rag.Variant:
			value = fmt.Sprintf("%s is a variant; its spellings count the same: %s", w.Term, strings.Join(w.All, ", "))
		case rag.Gene:
			value = fmt.Sprintf("%s is a symbol of the gene %s; its symbols count the same: %s", w.Term, w.All[0],
				strings.Join(slices.DeleteFunc(slices.Clone(w.All), symbols.IsWord), ", "))
		}
		fields = append(fields, result.Field{Name: "Widened", Value: value})
	}
	fields = append(fields, h.comparisons()...)
	return append(fields, result.Field{Name: "Model", Value: strings.Join(models, ", and ")},
		result.Field{Name: "Score", Value: formula})
}

// comparisons describes what the hits by meaning were compared with.
func (h *explainedHits) comparisons() (fields []result.Field) {
	list := func(pmids []record.PMID) string { return strings.Trim(fmt.Sprint(pmids), "[]") }
	if len(h.Feedback) > 0 {
		typed := "the query"
		switch {
		case h.Query == "" && h.seedText != "":
			typed = "the documents of --like"
		case h.seedText != "":
			typed += " and the documents of --like"
		}
		fields = append(fields, result.Field{
			Name:  "Compared with",
			Value: "by vectors " + typed + " and, as much, the documents that come first: " + list(h.Feedback),
		})
	}
	if len(h.HeadingDocs) > 0 {
		fields = append(fields, result.Field{
			Name:  "Headings",
			Value: fmt.Sprintf("MeSH headings, compared with those of %s, count %.2f of the similarity", list(h.HeadingDocs), h.byHeadings),
		})
	}
	return fields
}

// scoreFields explains the score of one document.
func (h *explainedHits) scoreFields(r explainedHit) []result.Field {
	sum := fmt.Sprintf("%.2f × %.3f", h.Shares.Words, r.WordScore)
	if h.Shares.Vectors > 0 {
		sum += fmt.Sprintf(" + %.2f × %.3f", h.Shares.Vectors, r.VectorScore)
	}
	if h.Shares.Local > 0 {
		sum += fmt.Sprintf(" + %.2f × %.3f", h.Shares.Local, r.LocalScore)
	}
	if r.ExactTitle {
		sum += fmt.Sprintf(" + %.2f", h.Shares.Title)
	}
	if h.QualityBias {
		sum = fmt.Sprintf("(%s) × %.1f", sum, 1+float64(*r.Quality)/10)
	}
	words := part(r.BM25, r.WordScore)
	if len(r.MatchedWords) > 0 {
		words += "; has " + strings.Join(r.MatchedWords, ", ")
	}
	if len(r.MissingWords) > 0 {
		words += "; lacks " + strings.Join(r.MissingWords, ", ")
	}
	fields := []result.Field{{Name: "Made of", Value: sum}, {Name: "Words", Value: words}}
	if h.Shares.Vectors > 0 {
		fields = append(fields, result.Field{Name: "Meaning", Value: part(r.Sim, r.VectorScore)})
	}
	if h.Shares.Local > 0 {
		fields = append(fields, result.Field{Name: "Corpus's own vectors", Value: part(r.LocalSim, r.LocalScore)})
	}
	return append(fields, result.Field{Name: "Quality", Value: qualityText(r.QualityParts)},
		result.Field{Name: "Chunk", Value: strings.TrimSpace(r.ChunkID + " " + r.Section)})
}

// part renders the score of a chunk in one of the searches.
func part(score *float64, scaled float64) string {
	if score == nil {
		return fmt.Sprintf("0.000: not among the first %d", rag.PartHits)
	}
	return fmt.Sprintf("%.3f (score %.3f)", scaled, *score)
}
