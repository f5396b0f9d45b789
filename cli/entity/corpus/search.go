package corpus

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/store"
)

// corpusHits is the answer of rag.search.
type corpusHits struct{ explained *explainedHits }

func (corpusHits) SchemaBound()      {}
func (c corpusHits) Doc() result.Doc { return c.explained.Doc() }

// MarshalJSON returns the hits with only the fields of the schema.
func (c corpusHits) MarshalJSON() ([]byte, error) {
	results := result.Map(c.explained.Results, func(r explainedHit) corpusHit { return r.corpusHit })
	return result.JSON(struct {
		Results []corpusHit `json:"results"`
	}{results})
}

type corpusHit struct {
	DocID   string   `json:"doc_id"`
	UUID    string   `json:"uuid"`
	Sim     *float64 `json:"sim"`
	BM25    *float64 `json:"bm25"`
	Quality *int     `json:"quality"`
	Score   float64  `json:"score"`
}

// explainedHits adds title, passage and the parts of each score to the hits.
type explainedHits struct {
	Query       string           `json:"query"`
	Terms       []string         `json:"terms"`
	Widened     []rag.Widening   `json:"widened"`
	Strict      bool             `json:"strict"`
	TopK        int              `json:"top_k"`
	QualityBias bool             `json:"quality_bias"`
	Shares      rag.Shares       `json:"shares"`
	Model       *string          `json:"model"`
	Local       *string          `json:"local_model"`
	Feedback    []record.PMID    `json:"first"` // top documents whose vectors the second comparison uses too
	ByHeadings  bool             `json:"by_headings,omitempty"`
	HeadingDocs []record.PMID    `json:"heading_documents,omitempty"` // with whose headings the hits were compared
	Reads       string           `json:"reads,omitempty"`             // the query as read, if it has fields
	Tags        []rag.TaggedPart `json:"tags,omitempty"`
	Corrections []correction     `json:"corrections,omitempty"`
	Results     []explainedHit   `json:"results"`

	byHeadings float64 // share of the comparison of headings in the similarity

	seedText string // describes the documents of --like, for the heading
	more     bool   // more documents match than are shown
	leftOut  bool   // every part of the query was left out
	detail   bool
	notices  []string

	documents  []*store.Document // the documents of Results
	deleted    []record.PMID     // documents that PubMed no longer has
	verbatim   *string           // the text of the answer, if it is only PMIDs or citations
	total      *int              // number of documents of a list; nil for a ranking
	offset     int
	filterText string // describes the filters of a list, for the heading
}

// correction is a word of the query for which another was searched.
type correction struct {
	Searched  string `json:"searched"`
	InsteadOf string `json:"instead_of"`
}

type explainedHit struct {
	corpusHit
	journal  string // abbreviated title
	preprint bool

	Title        string      `json:"title"`
	Journal      string      `json:"journal"`
	Year         *int        `json:"year"`
	Retracted    bool        `json:"retracted"`
	ChunkID      string      `json:"chunk_id"`
	Section      string      `json:"section"`
	Passage      string      `json:"passage"`
	MatchedWords []string    `json:"words_held"`
	MissingWords []string    `json:"words_lacking"`
	WordScore    float64     `json:"words_scaled"`
	VectorScore  float64     `json:"near_scaled"`
	LocalSim     *float64    `json:"local_sim"`
	LocalScore   float64     `json:"local_scaled"`
	ExactTitle   bool        `json:"exact_title"`
	FusedScore   float64     `json:"fused"`
	QualityParts rag.Quality `json:"quality_parts"`
}

const (
	maxQuery     = 100000 // bytes
	maxSeeds     = 100
	maxDocuments = 100

	// Length of a passage in bytes. A short one is the best sentence; JSON, tables and --explain
	// add others up to about 60 words. --long shows the whole chunk.
	shortPassage, longPassage = 115, 430
)

var searchHelp = []string{"search", "corpus", "--help"}

// Entity returns the definition of the corpus entity.
func Entity() entity.Entity {
	return entity.Entity{
		Name: "corpus", Sync: syncCommands(), Health: health, Search: entity.Search(entity.SearchSpec[explainedHit]{
			Name: "corpus", Placeholder: "[query]", Synonyms: []string{"local", "offline"},
			Command: command.Command{
				Short: "Search the local corpus by words and by meaning",
				LocalOnlyIf: func(e *command.Env) bool {
					return e.Index == "embedded" && ownModel(e)
				},
				Help: command.Help{
					Purpose: "Words are matched as a biologist writes them (IL-6 finds IL6, oedema finds edema). Meaning is " +
						"compared by vectors fitted on the corpus itself, if it has at least " +
						strconv.Itoa(intake.LeastDocuments) + " documents, or by an embedding service.",
					Input: "A question, words, \"a phrase\", prefix*, AND, OR, NOT (or -word) and parentheses. Anything " +
						"else is taken literally.\n" +
						"Operators and filters hold for documents, as in PubMed: words joined by AND may be anywhere in " +
						"one. A phrase is within one passage.\n" +
						fieldHelp() + "\n" +
						"Filters or fields alone list every document that passes them, the newest first.",
					Output: "The best documents, each with the sentence that answers the query best (results and " +
						"conclusions first), or with --long the whole passage. Retracted ones are marked.\n" +
						"--json is exactly rag.search's answer; --explain adds title, passage and the parts of " +
						"each score.\n" +
						"A list has no scores (sim and bm25 are null, score is 0), and passages only with " +
						"--long; --count counts it, --offset pages it.",
					Surprises: "Good evidence is ranked higher, except with --quality-bias=false: quality adds up " +
						"design, recency, journal and human subjects. Filters are exact: no document outside " +
						"them is shown.\n" +
						"Names are searched for by their other names: heart attack finds Myocardial Infarction " +
						"(MeSH), p53 finds TP53. --explain shows them; sync mesh and sync hgnc bring the " +
						"current ones.\n" +
						"Words and short names that usually mean something else, such as CAT, who and T4, stay " +
						"as typed.\n" +
						"For a word that no passage has, a near one is searched for, which the answer says; in " +
						"quotes it stays.\n" +
						"--like joins the words and vectors of its documents, less a quarter of those of --not; " +
						"a pasted abstract is a query, too.\n" +
						"--recall adds words of the best hits, which finds more and ranks the first ones less " +
						"well.",
				},
				Examples: []command.Example{
					{Line: `biomcp search corpus "antioxidant from mushrooms"`, Explanation: "documents on the subject in any words"},
					{
						Line:        `biomcp search corpus '"weight loss" AND GLP-1' --pub-type "Randomized Controlled Trial" --date-from 2020`,
						Explanation: "trials since 2020",
					},
					{
						Line:        "biomcp search corpus --like 32051057,31978945 --not 30000001",
						Explanation: "more like two documents, for snowballing, and not like a third",
					},
					{
						Line:        "biomcp search corpus --mesh Humans --date-from 2024 --style ris",
						Explanation: "list without a query, as a file for a reference manager",
					},
					{
						Line:        `biomcp search corpus "statin myopathy" --top-k 5 --explain --json`,
						Explanation: "why each document was found",
					},
				},
				Flags: func(f *command.Flags) {
					f.Int("top-k", 20, "how many documents, 1 to 100; in a data format up to 10,000, by default all")
					f.AddSynonyms("top-k", strings.Fields("limit "+command.LimitSynonyms)...)
					f.Bool("quality-bias", true, "rank good evidence higher")
					f.Bool("explain", false, "show the parts of each score")
					f.Bool("recall", false, "search for the words of the best hits too, to miss fewer")
					listFlags(f)
					f.Group(command.SubjectFlags, "quality-bias", "recall")
					f.Group(command.OutputFlags, "top-k", "explain")
					f.Rare("quality-bias", "recall", "not", "journal", "exclude-preprints", "has-pmc", "last",
						"query-key", "added-since", "top-k", "explain")
				},
			},
			Source: "Corpus", Check: checkQuery,
			Filters: []entity.Filter{
				{Flag: "date", Dates: &entity.Dates{
					From: "published from this day, month or year on",
					To:   "published to the end of this day, month or year",
				}},
				{Flag: "query-key", Usage: "only documents of this query, kept by sync pubmed", Single: true},
				{
					Flag: "added-since", Synonyms: []string{"new-since", "added-after", "new"},
					Usage: "only documents that a sync of a query added since a day, a time (7d), or last: " +
						"since its last sync began",
					Single: true,
				},
				{
					Flag: "like", Synonyms: []string{"more-like", "similar-to"},
					Usage: "documents like these, by PMID; with a query or without",
				},
				{
					Flag: "not", Synonyms: []string{"unlike", "not-like"},
					Usage: "with --like, less like these, by PMID", Exclude: true,
				},
				{
					Flag: "author", Synonyms: []string{"authors"},
					Usage: "an author: Smith, or Smith J for any Smith whose initials begin so; all of those given",
				},
				{Flag: "journal", Usage: "a journal: title, abbreviation or ISSN"},
				{
					Flag: "pub-type", ValueSynonyms: eutils.PubTypes,
					Synonyms: []string{"type", "publication-type", "article-type"},
					Usage:    "a publication type, any of those given",
				},
				{Flag: "mesh", Usage: "a MeSH heading, all of those given"},
				{Flag: "has-pmc", Usage: "only with full text in PMC", Switch: true},
				{
					Flag: "exclude-retracted", Synonyms: []string{"no-retracted"},
					Usage: "without retracted articles", Switch: true, Exclude: true,
				},
				{
					Flag: "exclude-preprints", Synonyms: []string{"no-preprints", "no-preprint", "not-preprint"},
					Usage: "without preprints", Switch: true, Exclude: true,
				},
			},
			Rows: entity.Rows[explainedHit]{
				Columns: []string{"Document", "Title", "Journal", ">Year", ">Score", ">Quality", "Passage"},
				Row:     hitRow,
			},
			Find: find, Forms: []string{"pmids", "style"},
			Alternatives: entity.Alternatives{
				Count: countDocuments, MaxCount: rag.MaxCounted,
				OtherSearches: func(ctx context.Context, in *command.Input, q *entity.Query) ([]result.Argv, string) {
					if q.Text == "" {
						return nil, ""
					}
					// a bare PMID is not text to search for
					if pmid, err := record.ParsePMID(strings.TrimPrefix(q.Text, "pmid:")); err == nil {
						return []result.Argv{
								{"search", "corpus", "--like", pmid.String()},
								{"get", "document", "pmid:" + pmid.String()},
							},
							""
					}
					wider, hits := widerSearch(ctx, in, q)
					return append(wider, result.Argv{"search", "article", q.Text}), hits
				},
			},
			Next: func(h *explainedHit) []result.Argv { return []result.Argv{{"get", "document", h.DocID}} },
		}),
	}
}

func hitRow(h *explainedHit) []string {
	return []string{
		h.DocID, record.ListLabel(h.Retracted, h.preprint, h.Title), h.Journal, entity.FormatNumber(h.Year),
		fmt.Sprintf("%.3f", h.Score), strconv.Itoa(*h.Quality), h.Passage,
	}
}

func checkQuery(query string) error {
	switch {
	case query == "":
		return result.Invalid("the query is empty", searchHelp...)
	case len(query) > maxQuery:
		return result.Invalid(fmt.Sprintf("the query has %d bytes; at most %d are accepted", len(query), maxQuery),
			searchHelp...)
	}
	return nil
}
