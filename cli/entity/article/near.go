package article

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/rag"
	"biomcp/skills"
	"biomcp/store"
)

// nearFilter suggests a value for a filter that PubMed does not know. Every suggestion
// finds something.
func nearFilter(ctx context.Context, in *command.Input, f entity.AppliedFilter) string {
	near := ""
	switch f.Flag {
	case "mesh":
		return nearHeading(ctx, in, f.Value)
	case "journal":
		near = cmp.Or(command.Nearest(f.Value, rag.CoreJournals()), journalByPrefix(ctx, in, f.Value))
	case "pub-type":
		near = command.Nearest(f.Value, slices.Sorted(maps.Keys(eutils.PubTypes)))
	case "language":
		near = command.Nearest(f.Value, slices.Sorted(maps.Keys(languageCodes())))
	}
	if near != "" {
		return near
	}
	better := spelling.Correct(ctx, in, f.Value)
	if better == "" || f.Flag == "gene" {
		return ""
	}
	term := strings.Replace(f.Term, f.Value, better, 1)
	found, err := in.App.Entrez().Search(ctx, entrez.SearchParams{DB: "pubmed", Term: term})
	if err != nil || found.Count == 0 || len(found.DroppedTerms()) > 0 {
		return ""
	}
	return better
}

// journalByPrefix returns a journal whose abbreviation or title begins with prefix.
func journalByPrefix(ctx context.Context, in *command.Input, prefix string) string {
	client := in.App.Entrez()
	found, err := client.Search(ctx, entrez.SearchParams{DB: "pubmed", Term: `"` + prefix + `*"[Journal]`, RetMax: 1})
	if err != nil || len(found.IDs) == 0 || len(found.DroppedTerms()) > 0 {
		return ""
	}
	sums, err := client.Summaries(ctx, found.IDs)
	if err != nil || len(sums.Items) == 0 {
		return ""
	}
	return sums.Items[0].Source
}

// countArticles returns the number of hits of a query. It returns an error if PubMed drops
// a part, because the hits would then belong to another query.
func countArticles(ctx context.Context, in *command.Input, q *entity.Query) (int, error) {
	found, err := in.App.Entrez().Search(ctx, entrez.SearchParams{DB: "pubmed", Term: searchTerm(q)})
	if err != nil {
		return 0, err
	}
	if len(found.PhrasesNotFound)+len(found.QuotedPhrasesNotFound) > 0 {
		return 0, errors.New("PubMed dropped a part of it")
	}
	return found.Count, nil
}

// suggestSearches suggests --gene for a query that names a gene, because PubMed may drop a
// symbol such as WAS, and a search in the local corpus.
func suggestSearches(ctx context.Context, in *command.Input, q *entity.Query) (lines []result.Argv, hits string) {
	if skills.NamesGene(q.Text) {
		lines = append(lines, in.Line(nil, "--gene", q.Text))
	}
	more, hits := searchCorpus(ctx, in, q)
	return append(lines, more...), hits
}

// searchCorpus suggests the same query for the local corpus if documents there contain any
// of its words, and tells how many.
func searchCorpus(ctx context.Context, in *command.Input, q *entity.Query) ([]result.Argv, string) {
	corpus, err := in.App.Corpus(ctx)
	if err != nil || q.Text == "" {
		return nil, ""
	}
	n, err := rag.CountDocuments(ctx, corpus, in.App.ReadQuery(ctx, q.Text), store.Filter{})
	if err != nil || n == 0 {
		return nil, ""
	}
	return []result.Argv{{"search", "corpus", q.Text}},
		"with any of its words in the local corpus: " + advice.FormatCount(n, rag.MaxCounted)
}

// nearHeading returns the MeSH heading of a synonym, a prefix or a misspelt word.
func nearHeading(ctx context.Context, in *command.Input, word string) string {
	find := func(word string) string {
		found, err := in.App.Entrez().MeshTerms(ctx, word, 0, 20)
		if err != nil || len(found.Items) == 0 || len(found.Search.DroppedTerms()) > 0 {
			return ""
		}
		for _, m := range found.Items {
			names := append([]string{m.Name}, m.EntryTerms...)
			for i := range names {
				names[i] = strings.ToLower(names[i])
			}
			if command.Nearest(word, names) != "" {
				return m.Name
			}
		}
		return found.Items[0].Name
	}
	if name := find(word); name != "" {
		return name
	}
	if better := spelling.Correct(ctx, in, word); better != "" {
		return find(better)
	}
	return ""
}
