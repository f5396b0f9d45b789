package article

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/pubtator"
	"biomcp/store"
)

// An Article is a PubMed record with the requested sections. Sections that were not
// requested are absent from the JSON.
type Article struct {
	*pubmed.Article
	URL     string `json:"url"`
	BookURL string `json:"book_url,omitempty"` // page of a chapter or book in NCBI Bookshelf

	// PublicationDate is the article's own date; for a chapter not the date of its book.
	PublicationDate pubmed.PubDate `json:"publication_date"`

	// Cited is the number of articles in PMC that cite it, or null if unknown. Only a
	// whole card asks ESummary for it.
	Cited        *int `json:"cited_by"`
	FreeFullText bool `json:"free_full_text"` // in PMC

	// Retraction is the text of the retraction section. If PubMed has no notice, it says so.
	Retraction entity.Part[string] `json:"retraction,omitzero"`

	// References replaces the reference list of the record.
	References entity.Part[[]reference]      `json:"references,omitzero"`
	Similar    entity.Part[[]relatedArticle] `json:"similar,omitzero"`
	CitedBy    entity.Part[[]relatedArticle] `json:"citedby,omitzero"`
	Retrieved  map[string]int                `json:"retrieved_count,omitempty"` // by section: number of rows
	// LinkURLs holds the URLs of ELink's answers by section, null if ELink did not answer.
	LinkURLs    map[string]string             `json:"elink_url,omitempty"`
	Annotations entity.Part[[]pubtator.Group] `json:"annotations,omitzero"`
	FullText    entity.Part[*fullText]        `json:"fulltext,omitzero"`
	Citations   map[string]string             `json:"citations,omitempty"`

	corpusDoc *store.Document // source of the record if PubMed did not answer
	links     sync.Mutex      // guards Retrieved and LinkURLs, because sections load concurrently
}

// maxLimit is the largest --limit of an answer to read. defaultReferences is the default number of
// references.
const maxLimit, defaultReferences = 1000, 50

// Entity returns the definition of the article entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Article]{
		Name: "article",
		Synonyms: []string{
			"paper", "pubmed", "medline", "publication", "literature", "pmid", "pmcid", "doi", "manuscript",
		},
		Plural: "articles",
		IDs: entity.IDs{
			Placeholder: "<pmid|pmcid|doi>...", Max: 200, Unbatched: true, Match: IsID, MatchExclusive: owns, Listed: true,
			Check: checkArticleID, Join: joinLabels, File: idsOfFile,
		},
		Label: "Articles", Sources: []string{"PubMed"},
		Identity: []string{
			"pmid", "doi", "pmcid", "title", "vernacular_title", "url", "book_url", "retracted", "corrections",
		},
		Rows: entity.Rows[Article]{Fields: []string{
			"pmid", "title", "vernacular_title", "book.title", "abstract",
			"authors last_name initials suffix collective_name", "journal.title", "journal.iso_abbreviation",
			"journal.issn", "journal.volume", "journal.issue", "journal.pages", "publication_date", "publication_types",
			"keywords", "mesh.descriptor", "doi", "pmcid", "language", "status", "retracted",
			"corrections type pmid source note", "cited_by", "free_full_text", "url",
		}},
		Get: command.Command{
			// Only the search uses the corpus.
			Cacheable: true,
			Short:     "Read articles: abstract, MeSH, citations, full text, who cites them",
			Help: command.Help{
				Purpose: "A retraction, an erratum or an expression of concern is always shown first.",
				Input: "Up to 200 PMIDs, PMCIDs (PMC3531190) or DOIs (10.1093/nar/gks1195), mixed, also as " +
					"links to PubMed, PMC or doi.org; at a terminal any number.",
				Output: "A card with the abstract; with sections a short head (in JSON identifiers and title) " +
					"and those sections. --format medline, abstract or xml is NCBI's own text.",
				Surprises: "citation alone with one --style prints nothing but the citations, ready for a file.\n" +
					"fulltext is the outline and the abstract of an open-access article in PMC; --part reads " +
					"more of it.",
			},
			Examples: []command.Example{
				{Line: "biomcp get article 32051057", Explanation: "one article"},
				{
					Line:        "biomcp get article 32051057 mesh citation --style bibtex",
					Explanation: "its MeSH headings and a BibTeX entry",
				},
				{
					Line:        "biomcp get article PMC3531190 10.1093/nar/gks1195 similar --limit 10",
					Explanation: "articles similar to two others",
				},
				{
					Line:        "biomcp get article 32051057 23193287 abstract",
					Explanation: "the abstracts of two articles, without the rest",
				},
				{
					Line:        "biomcp get article 23193287 fulltext --part 2-3",
					Explanation: "read a full text by part; without --part it is the outline", ReadsLess: true,
				},
				{
					Line:        "biomcp get article --ids-from pmids.txt citation --style ris",
					Explanation: "a file of PMIDs as RIS records for a reference manager",
				},
			},
			Flags: func(f *command.Flags) {
				f.Enum("format", "card", "how to answer", "card", "abstract", "medline", "xml")
				f.EnumList("style", cite.Styles[0], "citation styles, comma-separated", cite.Styles...)
				f.AddValueSynonyms("style", entity.StyleSynonyms)
				entity.CitationFiles(f)
				f.Limit(5, maxLimit,
					"how many rows a section shows: 50 references by default; lists of the record itself are "+
						"always whole")
				f.Offset()
				f.String("refs", "", "which of the references, by their numbers: 3 or 2-4 or 5-")
				f.String("part", "",
					"which parts of the full text, by their numbers or a title in its outline: 3, 2-4, 5-, "+
						"methods or all")
				f.AddSynonyms("part", "page", "pages")
				f.Group(command.OutputFlags, "format", "style", "refs", "part")
			},
		},
		Search: search(),
		Fetch:  fetchArticles,
		Card:   articleCard, ID: func(a *Article) string { return a.PMID },
		Sections: []entity.Section[Article]{
			{
				Name: "abstract", Synonyms: []string{"summary", "abs"}, Members: []string{"other_abstracts"},
				Label: "Abstract", Short: "the abstract, other languages and plain language included",
				Source: "PubMed",
				Has:    func(a *Article) bool { return len(a.Article.Sections)+len(a.OtherAbstracts) > 0 },
				Doc:    abstractsDoc,
			},
			{
				Name: "mesh", Synonyms: []string{"keyword", "heading", "mesh-term", "headings", "terms"},
				Members: []string{"supplementary_mesh"}, Label: "MeSH headings",
				Short: "MeSH headings with qualifiers and supplementary concepts", Source: "PubMed",
				Lists: func(a *Article) []any { return []any{&a.Mesh, &a.SupplMesh} },
				Has:   func(a *Article) bool { return len(a.Mesh)+len(a.SupplMesh) > 0 }, Doc: meshDoc, Table: true,
			},
			retractionSection(),
			{
				Name: "grants", Synonyms: []string{"funding", "grant", "funder"}, Label: "Grants", Short: "funding",
				Source: "PubMed",
				Lists:  func(a *Article) []any { return []any{&a.Grants} },
				Has:    func(a *Article) bool { return len(a.Grants) > 0 }, Doc: grantsDoc, Table: true,
			},
			referenceSection(),
			linkSection("similar", []string{"related", "like"}, "Similar articles",
				"similar articles, with PubMed's score", "pubmed_pubmed",
				func(a *Article) *entity.Part[[]relatedArticle] { return &a.Similar }),
			linkSection("citedby", []string{"cited-by", "cites", "citing", "citing-articles", "citations"}, "Cited by",
				"articles in PubMed Central that cite it", "pubmed_pubmed_citedin",
				func(a *Article) *entity.Part[[]relatedArticle] { return &a.CitedBy }),
			{
				Name:     "annotations",
				Synonyms: []string{"genes", "variants", "entities", "diseases", "chemicals", "pubtator"},
				Label:    "Annotations",
				Short:    "genes, diseases, chemicals, variants and species in it (PubTator3)", Source: "PubTator3",
				Load: loadAnnotations, Lists: func(a *Article) []any { return []any{&a.Annotations.Value} },
				Has: func(a *Article) bool { return len(a.Annotations.Value) > 0 }, Doc: annotationsDoc, Table: true,
			},
			{
				Name: "fulltext", Flag: "part",
				Synonyms: []string{"full", "full-text", "text", "pdf", "download", "body", "pmc"},
				Label:    "Full text", Short: "open-access full text from PMC, with an outline",
				Source: "PubMed Central",
				Load:   loadFullText, Example: func(*Article) string { return "1-2" }, Has: func(a *Article) bool { return a.FullText.Value != nil },
				Doc: func(a *Article) result.Doc { return a.FullText.Value.Doc() },
			},
			{
				Name: "citation", Synonyms: []string{"cite", "formatted", "export"}, Flag: "style",
				Members: []string{"citations"}, Label: "Citation",
				Short: "formatted references: " + strings.Join(cite.Styles, ", "), Source: "PubMed",
				Load: loadCitations, Example: func(*Article) string { return "ris" }, Has: func(a *Article) bool { return len(a.Citations) > 0 }, Doc: citationDoc,
			},
		},
		Next:    articleNext,
		Smaller: smallerArticle,
	})
}

// efetch records how the articles were fetched, for JSON output.
type efetch struct {
	Efetch struct {
		URLs   []string `json:"urls"`
		Method string   `json:"method"`
	} `json:"efetch"`
}

func fetchArticles(
	ctx context.Context, in *command.Input, words []string, sectionNames entity.Sections,
) (*entity.Found[Article], error) {
	ids, err := parseArticleIDs(words)
	if err != nil {
		return nil, err
	}
	format, styles := in.String("format"), stylesOf(in)
	if format != "card" && len(sectionNames) > 0 {
		return nil, result.Invalid("--format "+format+" is NCBI's own text and has no sections", in.Line(words)...)
	}
	if _, _, err := parsePart(in.String("part")); err != nil {
		return nil, err
	}
	if _, err := parseRange("refs", in.String("refs")); err != nil {
		return nil, err
	}
	client, found, pmids, err := pmidsOf(ctx, in, ids)
	if err != nil {
		return nil, err
	}
	if len(pmids) == 0 {
		return found, nil
	}
	if format != "card" {
		return found, fetchText(ctx, client, found, ids, words, pmids, format)
	}
	var cited map[string]*int
	var uncounted []string
	var counting conc.WaitGroup
	if wholeCard(sectionNames) {
		counting.Go(func() { cited, uncounted = countCitations(ctx, client, pmids) })
	}
	got, err := fetchRecords(ctx, in, client, found, ids, pmids)
	counting.Wait()
	if err != nil {
		return nil, err
	}
	found.Notices = append(found.Notices, uncounted...)
	for _, a := range found.Records {
		a.Cited = cited[a.PMID]
	}
	if entity.FileStyle(in) != "" && !sectionNames.Has("citation") {
		if err := citeAll(found.Records, styles); err != nil {
			return nil, err
		}
	}
	if sectionNames.IsOnly("citation") && len(styles) == 1 && len(got) > 0 {
		text, err := cite.FormatAll(styles[0], got)
		if err != nil {
			return nil, err
		}
		if err := citeAll(found.Records, styles); err != nil {
			return nil, err
		}
		found.Text = text
	}
	return found, nil
}

// Records fetches articles by PMID, PMCID or DOI. Every word must satisfy IsID.
func Records(ctx context.Context, in *command.Input, words []string) (*entity.Found[Article], error) {
	ids, err := parseArticleIDs(words)
	if err != nil {
		return nil, err
	}
	client, found, pmids, err := pmidsOf(ctx, in, ids)
	if err != nil || len(pmids) == 0 {
		return found, err
	}
	_, err = fetchRecords(ctx, in, client, found, ids, pmids)
	return found, err
}

// fetchRecords fetches the articles and adds them to found.
func fetchRecords(
	ctx context.Context, in *command.Input, client *entrez.Client, found *entity.Found[Article],
	ids []*articleID, pmids []string,
) ([]*pubmed.Article, error) {
	got, err := client.FetchSteps(ctx, pmids, httpclient.BeginTask(ctx, "records", len(pmids)))
	got, kept, local, err := fromCorpus(ctx, in, pmids, got, err)
	if err != nil {
		return nil, err
	}
	if local != "" {
		found.Notices = append(found.Notices, local)
	}
	for _, a := range got.Articles {
		found.Records = append(found.Records, &Article{
			Article: a, URL: "https://pubmed.ncbi.nlm.nih.gov/" + a.PMID + "/", BookURL: a.Book.URL(),
			PublicationDate: publishedOn(a),
			FreeFullText:    a.PMCID != "", corpusDoc: kept[a.PMID],
		})
	}
	for _, id := range ids {
		if i := slices.IndexFunc(found.Records, func(a *Article) bool { return a.PMID == id.pmid }); i >= 0 {
			found.Add(id.input, found.Records[i])
		}
	}
	addKnown(found, ids)
	lose(found, ids, got.Unread, got.Problem)
	if n := len(got.Unread); n > 0 && !in.Nested {
		found.Notices = append(found.Notices, entity.PartialNotice(in, len(pmids)-n, len(pmids)))
	}
	var unread []string
	for _, b := range got.Broken {
		unread = append(unread, b.PMID)
	}
	addMissing(found, ids, slices.Concat(got.Missing, got.Deleted))
	if len(got.Broken) > 0 {
		lose(found, ids, unread, &result.Failure{
			Code: result.Upstream, Message: "PubMed sent a record that cannot be read: " + got.Broken[0].Error(),
			Details: map[string]any{"unreadable": unread}, Try: in.LineWith(),
		})
	}
	for _, pmid := range got.Deleted {
		found.Notices = append(found.Notices, "PubMed has deleted article "+pmid)
	}
	addRetractions(found, in.IsSet("style"))
	var how efetch
	how.Efetch.URLs, how.Efetch.Method = got.URLs, got.Method
	found.Extra = how
	return got.Articles, nil
}

// addRetractions adds a notice of the retracted articles among several, and with cited also of a single one.
func addRetractions(found *entity.Found[Article], cited bool) {
	var retracted []string
	for _, a := range found.Records {
		if a.Retracted && (cited || len(found.Records) > 1) {
			retracted = append(retracted, a.PMID)
		}
	}
	found.Notices = append(found.Notices, entity.RetractionNotices(retracted)...)
}

// ncbiText is NCBI's own text of the requested records.
type ncbiText struct {
	Requested   []string `json:"requested"`
	PMIDs       []string `json:"pmids"` // records in the text
	NotFound    []string `json:"not_found"`
	Unavailable []string `json:"unavailable"` // ids whose source did not answer
	Format      string   `json:"format"`
	Text        string   `json:"text"`
	URL         string   `json:"efetch_url"`
}

// publishedOn returns the publication date of a record, for a chapter the chapter's own.
func publishedOn(a *pubmed.Article) pubmed.PubDate {
	if isChapter(a) {
		return a.IssueDate()
	}
	return a.PublicationDate
}

// fetchText makes NCBI's own text the payload of found.
func fetchText(
	ctx context.Context, client *entrez.Client, found *entity.Found[Article], ids []*articleID,
	words, pmids []string, format string,
) error {
	kind := map[string]entrez.TextFormat{
		"abstract": entrez.Abstract, "medline": entrez.Medline, "xml": entrez.XML,
	}[format]
	got, err := client.FetchText(ctx, pmids, kind)
	if httpclient.IsKind(err, httpclient.NotFound) {
		addMissing(found, ids, pmids)
		return nil
	}
	if err != nil {
		return err
	}
	addMissing(found, ids, got.Missing)
	there := slices.DeleteFunc(pmids, func(id string) bool { return slices.Contains(got.Missing, id) })
	found.Payload = result.Text{
		Value: ncbiText{
			Requested: words, PMIDs: there, NotFound: found.Absent(), Unavailable: found.Unavailable(),
			Format: format, Text: got.Text, URL: got.URL,
		},
		Text: got.Text,
	}
	return nil
}

// articleNext suggests commands for sections that were not requested.
func articleNext(a *Article) []result.Argv {
	var next []result.Argv
	for _, c := range a.Corrections {
		if c.PMID != "" && warns(c.Type) {
			next = append([]result.Argv{{"get", "article", c.PMID}}, next...)
		}
	}
	next = append(next, annotationCommands(a.Annotations.Value)...)
	links := result.Argv{"get", "article", a.PMID}
	if !a.Similar.Requested {
		links = append(links, "similar")
	}
	if !a.CitedBy.Requested {
		links = append(links, "citedby")
	}
	if len(links) > 3 {
		next = append(next, links)
	}
	if a.PMCID != "" && !a.FullText.Requested {
		next = append(next, result.Argv{"get", "article", a.PMID, "fulltext"})
	}
	if a.Citations == nil {
		next = append(next, result.Argv{"get", "article", a.PMID, "citation", "--style", "ris"})
	}
	return next
}
