package corpus

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/store"
)

// find ranks the documents for the query, or lists them if it only sets conditions.
func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[explainedHit], error) {
	topK, err := documentLimit(in)
	if err != nil {
		return nil, err
	}
	seeds, err := seedsOf(q)
	if err != nil {
		return nil, err
	}
	query := in.App.ReadQuery(ctx, q.Text)
	isList := (q.Text == "" || query.OnlyConditions) && len(seeds.Positive) == 0
	if err := checkListFlags(in, isList); err != nil {
		return nil, err
	}
	if isList {
		return findList(ctx, in, q, query, topK)
	}
	r, err := rank(ctx, in, q, seeds, topK)
	if err != nil {
		return nil, err
	}
	hits, err := r.explainedHits(ctx, in, q)
	if err != nil {
		return nil, err
	}
	wordsOnly, err := wordsOnlyNotice(ctx, in.App, r.found)
	if err != nil {
		return nil, err
	}
	p := &entity.Page[explainedHit]{
		Hits:    entity.Pointers(hits.Results),
		Notices: slices.Concat(hits.retractions(), hits.notices, wordsOnly, corpusNotices(r.found, q.Text)),
		Smaller: entity.SmallerPage(in, "top-k", len(hits.Results)),
	}
	noteFurther(in, r, hits, p)
	if exports(in) {
		p.Notices = append(p.Notices, nearNotices(hits.Results)...)
	}
	old, err := oldIndexNotices(ctx, in, r.found.Query, r.filter)
	if err != nil {
		return nil, err
	}
	names, err := unknownNames(ctx, in.App, r.found.Query, q.Values("author"))
	if err != nil {
		return nil, err
	}
	p.Notices = slices.Concat(p.Notices, names, old)
	engine, err := engineNotices(ctx, in.App, r.searcher, r.found)
	p.Notices = append(p.Notices, engine...)
	p.Payload = func(*entity.Hits[explainedHit]) result.Payload { return corpusHits{hits} }
	if hits.detail {
		p.Sections = corpusSources(r.found)
		p.Payload = func(*entity.Hits[explainedHit]) result.Payload { return hits }
	}
	if err == nil {
		err = hits.setForm(in, p)
	}
	return p, err
}

// A ranking is a search of the corpus and its answer.
type ranking struct {
	searcher *rag.Searcher
	filter   store.Filter
	seeds    rag.Seeds
	topK     int
	found    *rag.Answer
}

// rank searches the corpus. It returns an error if a query of --like and --not alone names no document of
// the corpus.
func rank(ctx context.Context, in *command.Input, q *entity.Query, seeds rag.Seeds, topK int) (*ranking, error) {
	wait := rag.PersonWait
	if in.Policy == command.Agent {
		wait = rag.AgentWait
	}
	searcher, err := in.App.Searcher(ctx, time.Now().Add(wait))
	if err != nil {
		return nil, noCorpus(err)
	}
	filter, err := filterOf(ctx, in, q)
	if err != nil {
		return nil, err
	}
	found, err := searcher.Search(ctx, q.Text, rag.Options{
		TopK: topK, QualityBias: in.Bool("quality-bias"), Filter: filter, Seeds: seeds,
		Recall: in.Bool("recall"), Whole: exports(in),
	})
	if err != nil {
		return nil, err
	}
	if n := len(found.MissingSeeds); n > 0 && q.Text == "" && n == len(seeds.Positive)+len(seeds.Negative) {
		return nil, &result.Failure{
			Code: result.NotFound, Message: "the corpus has no document of --like or --not",
			Try: result.Argv{"get", "article", found.MissingSeeds[0].String()},
		}
	}
	return &ranking{searcher: searcher, filter: filter, seeds: seeds, topK: topK, found: found}, nil
}

// explainedHits reads the documents of the answer, with passages as long as the flags ask for.
func (r *ranking) explainedHits(ctx context.Context, in *command.Input, q *entity.Query) (*explainedHits, error) {
	length := shortPassage
	switch {
	case in.Bool("long"):
		length = math.MaxInt
	case in.Bool("explain"), entity.IsData(in):
		length = longPassage
	}
	hits, err := explain(ctx, r.searcher, r.found, in.Bool("explain"), length)
	if err != nil {
		return nil, err
	}
	corpus, err := in.App.Corpus(ctx)
	if err != nil {
		return nil, err
	}
	if hits.deleted, err = intake.Deleted(ctx, corpus); err != nil {
		return nil, err
	}
	hits.Query, hits.TopK, hits.QualityBias = q.Text, r.topK, in.Bool("quality-bias")
	hits.more = r.found.More && r.topK < maxDocuments
	if len(hits.Results) == 0 {
		noWords := noWordsNotice(r.found.Query, q.Text)
		hits.notices = append(hits.notices, noWords...)
		hits.leftOut = r.found.Query.LeftOut || len(noWords) > 0 && !query.HasLetterOrDigit(q.Text)
	}
	if len(r.seeds.Positive) > 0 {
		hits.seedText = " like " + pmidList(r.seeds.Positive)
	}
	return hits, nil
}

// noteFurther tells how to see the further documents that match.
func noteFurther(in *command.Input, r *ranking, hits *explainedHits, p *entity.Page[explainedHit]) {
	switch {
	case exports(in) && r.found.More && r.topK < entity.MaxRows:
		p.Notices = append(p.Notices, fmt.Sprintf("these are the first %d documents; more match: %s", r.topK,
			in.LineWith(append(in.NextFiles(entity.MaxRows), "--top-k", fmt.Sprint(entity.MaxRows))...)))
	case exports(in) && r.found.More:
		p.Notices = append(p.Notices, fmt.Sprintf("these are the first %d documents, the maximum of one answer; "+
			"more match", r.topK))
	case hits.more:
		p.MoreHits = in.LineWith("--top-k", fmt.Sprint(min(2*r.topK, maxDocuments)))
	}
}

// documentLimit returns --top-k. In an answer for another program it may be up to [entity.MaxRows], and
// is so by default.
func documentLimit(in *command.Input) (int, error) {
	n, most := in.Int("top-k"), maxDocuments
	if exports(in) {
		if most = entity.MaxRows; !in.Given("top-k") {
			n = entity.DefaultRows(in)
		}
	}
	if n < 1 || n > most {
		return 0, result.Invalid(fmt.Sprintf("--top-k must be between 1 and %d, not %d", most, n),
			in.LineWith("--top-k", fmt.Sprint(min(max(n, 20), most)))...)
	}
	return n, nil
}

// seedsOf returns the documents of --like and --not.
func seedsOf(q *entity.Query) (s rag.Seeds, err error) {
	for _, side := range []struct {
		flag string
		list *[]record.PMID
	}{{"like", &s.Positive}, {"not", &s.Negative}} {
		for _, value := range q.Values(side.flag) {
			for _, id := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
				pmid, err := record.ParsePMID(strings.TrimPrefix(id, "pmid:"))
				if err != nil {
					return s, result.Invalid(fmt.Sprintf("--%s %s: not a PMID, or a list of PMIDs separated by commas",
						side.flag, command.Clip(id)),
						searchHelp...)
				}
				*side.list = append(*side.list, pmid)
			}
		}
	}
	switch {
	case len(s.Positive)+len(s.Negative) > maxSeeds:
		return s, result.Invalid(fmt.Sprintf("--like and --not take at most %d documents together", maxSeeds),
			searchHelp...)
	case len(s.Positive) == 0 && len(s.Negative) > 0:
		return s, result.Invalid("--not requires --like", searchHelp...)
	}
	return s, nil
}

// pmidList joins PMIDs to one line.
func pmidList(pmids []record.PMID) string {
	ids := result.Map(pmids, record.PMID.String)
	return command.Clip(strings.Join(ids, ", "))
}

func corpusSources(found *rag.Answer) []result.SectionSource {
	near := result.SectionSource{
		Key: "sim", Label: "Meaning", Outcome: entity.DataOrEmpty(found.VectorHits), Sources: []string{"local corpus"},
	}
	if found.NoModel || found.VectorErr != nil {
		near.Outcome = result.Unavailable
	}
	sources := []result.SectionSource{
		{Key: "bm25", Label: "Words", Outcome: entity.DataOrEmpty(found.WordHits), Sources: []string{"local corpus"}},
		near,
	}
	if found.Shares.Local > 0 {
		sources = append(sources, result.SectionSource{
			Key: "local_sim", Label: "Corpus's own vectors", Outcome: entity.DataOrEmpty(found.LocalHits),
			Sources: []string{"local corpus"},
		})
	}
	return sources
}
