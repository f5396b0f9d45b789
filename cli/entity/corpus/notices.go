package corpus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/intake"
	"biomcp/store"
)

// fewMatchesNotice returns a notice if the best document holds less than half of the query's words:
// then perhaps nothing in the corpus fits.
func fewMatchesNotice(matches, words []string) []string {
	if 2*len(matches) >= len(words) {
		return nil
	}
	text := fmt.Sprintf("perhaps nothing in the corpus fits: the best document holds %d of the %d words of the query: ",
		len(matches), len(words))
	if len(matches) == 0 {
		text, matches = "perhaps nothing in the corpus fits: the best document holds no word of the query as a whole: ",
			words
	}
	return []string{text + command.Clip(strings.Join(matches, ", "))}
}

// lackingNotice returns a notice of the words of the query that no document of the answer holds.
func lackingNotice(lacking []string) []string {
	if len(lacking) == 0 {
		return nil
	}
	return []string{"no document of this answer holds " + command.Clip(strings.Join(lacking, ", "))}
}

// noWordsNotice returns a notice if a query without hits consists of signs or of numbers, which the
// index holds only together with a word beside them.
func noWordsNotice(q rag.Query, text string) []string {
	notNumber := func(term string) bool { return strings.ContainsFunc(term, unicode.IsLetter) }
	switch {
	case text == "":
		return nil
	case !query.HasLetterOrDigit(text):
		return []string{"the query has no letter and no digit, and other signs are not searched: " + command.Clip(text)}
	case len(q.Terms) == 0 || slices.ContainsFunc(q.Terms, notNumber):
		return nil
	}
	return []string{"a number is indexed together with the word beside it (age 63, 8 years): add that word to the query"}
}

// holdRarestWord reports whether one of the documents holds the word of a query that the fewest
// passages of the corpus have.
func holdRarestWord(ctx context.Context, corpus rag.Corpus, q rag.Query, docs []*store.Document) (bool, error) {
	a, rarest, least := analyze.New(), "", int64(math.MaxInt64)
	_, words := q.MatchedWords(docs[0])
	for _, word := range words {
		tokens, _ := a.Tokens(nil, word, 0)
		if len(tokens) == 0 {
			continue
		}
		passages, err := corpus.DocFreq(ctx, result.Map(tokens, func(t store.Token) string { return t.Term })...)
		if err != nil {
			return false, err
		}
		if n := slices.Min(passages); n < least {
			rarest, least = word, n
		}
	}
	return slices.ContainsFunc(docs, func(d *store.Document) bool {
		held, _ := q.MatchedWords(d)
		return slices.Contains(held, rarest)
	}), nil
}

// nearNotices returns a notice if some of the hits have no word of the query and were found by meaning
// alone. With vectors every document is a hit, and a file does not show where the relevant ones end.
func nearNotices(hits []explainedHit) []string {
	near := 0
	for _, h := range hits {
		if h.BM25 == nil {
			near++
		}
	}
	if near == 0 || near == len(hits) {
		return nil
	}
	return []string{fmt.Sprintf("%d of the %d documents have no word of the query and are only near it in meaning; "+
		"a tag after a word, such as migraine[tiab], leaves them out", near, len(hits))}
}

// corpusNotices returns notices about parts of the query that were skipped or changed.
func corpusNotices(found *rag.Answer, query string) []string {
	var out []string
	if len(found.MissingSeeds) > 0 {
		out = append(out, "the corpus does not have "+pmidList(found.MissingSeeds)+": the search used the others alone")
	}
	for _, m := range found.Misspelt {
		if m.Replaced {
			out = append(out, fmt.Sprintf("%s is in no passage of the corpus, so the search was for %s; as typed: %s", m.Word,
				m.Suggestion, result.Argv{"search", "corpus", m.AsTyped}))
			continue
		}
		text := fmt.Sprintf("%s is rare or absent in the corpus, but %s is in %d passages: ", m.Word, m.Suggestion, m.Chunks)
		if found.Corrected != "" {
			text += "nothing was found for " + command.Clip(query) + ", so the search was for " +
				command.Clip(found.Corrected)
		} else {
			text += result.Argv{"search", "corpus", m.Query}.String()
		}
		out = append(out, text)
	}
	switch {
	case found.VectorErr != nil && found.LocalHits > 0:
		out = append(out,
			"the search by the vectors of the service failed, so the search was by words and by the corpus's "+
				"own vectors: "+reason(found.VectorErr))
	case found.VectorErr != nil:
		out = append(out, "the search by meaning failed, so the search was by words alone: "+reason(found.VectorErr))
	case found.LocalErr != nil:
		out = append(out, "the search by the corpus's own vectors failed: "+reason(found.LocalErr))
	}
	if found.WidenErr != nil {
		out = append(out, "the query was not widened by other names: "+found.WidenErr.Error())
	}
	out = append(out, tagNotices(found.Query)...)
	if strings.Count(query, `"`)%2 == 1 {
		out = append(out, `the query has an unbalanced quote ("): the words after it are not a phrase`)
	}
	for _, text := range found.Query.Minus {
		out = append(out, fmt.Sprintf("-%s excludes documents with %[1]s; without the minus it is searched for",
			command.Clip(text)))
	}
	if found.Query.Cut {
		out = append(out, fmt.Sprintf("only the first %d words of the query count", rag.MaxQueryTerms))
	}
	return out
}

// wordsOnlyNotice returns a notice if the corpus has no vectors, with the reason if it is too small
// for a model of its own.
func wordsOnlyNotice(ctx context.Context, app *command.App, found *rag.Answer) ([]string, error) {
	if !found.NoModel {
		return nil, nil
	}
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := corpus.Stats(ctx)
	if err != nil {
		return nil, err
	}
	text := "the corpus has no vectors yet: the search was by words alone"
	if reason := intake.TooFewText(stats.Documents); reason != "" && ownModel(&app.Env) {
		text += " (" + reason + ")"
	}
	return []string{text}, nil
}

// ownModel reports whether searches use a model that is fitted on the corpus.
func ownModel(e *command.Env) bool { return slices.Contains([]string{"local", "static"}, e.Embeddings) }

// retractions returns notices that name the retracted documents and those that PubMed deleted, because
// the required fields of the schema do not tell.
func (h *explainedHits) retractions() []string {
	var ids []string
	for _, r := range h.Results {
		if r.Retracted {
			ids = append(ids, strings.TrimPrefix(r.DocID, "pmid:"))
		}
	}
	return append(entity.RetractionNotices(ids), deletedNotice(h.documents, h.deleted)...)
}

// deletedNotice returns a notice that names those of docs that PubMed no longer has, or nil. deleted holds
// the PMIDs of all deleted documents.
func deletedNotice(docs []*store.Document, deleted []record.PMID) []string {
	var ids []string
	for _, d := range docs {
		if slices.Contains(deleted, d.PMID) {
			ids = append(ids, d.PMID.String())
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return []string{"PubMed no longer had at the last sync of their query: " + command.Clip(strings.Join(ids, ", "))}
}

// engineNotices returns notices if the search fell back from the engine to the corpus file,
// or if the engine lacks documents.
func engineNotices(
	ctx context.Context, app *command.App, s *rag.Searcher, found *rag.Answer,
) (notices []string, err error) {
	if found.Unavailable != nil {
		notices = append(notices,
			"the engine could not be used, so the corpus file was searched: "+found.Unavailable.Error())
	}
	engine, external := s.Index.(rag.Index)
	if !external || found.Unavailable != nil && !errors.Is(found.Unavailable, rag.ErrNoIndex) {
		return notices, nil
	}
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	n, err := intake.CountMissing(ctx, corpus, engine)
	switch {
	case err != nil:
		notices = append(notices, "whether the engine lacks documents is not known: "+err.Error())
	case n > 0:
		notices = append(notices, intake.MissingText(n))
	}
	return notices, nil
}

// reason returns the text of an error and, if the corpus is damaged, the command that repairs it.
func reason(err error) string {
	if store.IsKind(err, store.Corrupt) {
		return err.Error() + "; the owner of the corpus can repair it with " + result.Argv{"sync", "repair"}.String()
	}
	return err.Error()
}
