package entity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/pubtator"
)

// Article is a PubMed record with the parts that were asked for beside it. A
// part that was not asked for is absent from the JSON.
type Article struct {
	*pubmed.Article
	URL string `json:"url"`

	// References is the section, which takes the place of the record's own list.
	References  []related         `json:"references,omitempty"`
	Similar     []related         `json:"similar,omitempty"`
	CitedBy     []related         `json:"citedby,omitempty"`
	Retrieved   map[string]int    `json:"retrieved_count,omitempty"` // by section: how many links there are rows for
	LinkURLs    map[string]string `json:"elink_url,omitempty"`       // by section
	Annotations []pubtator.Group  `json:"annotations,omitempty"`
	FullText    *fullText         `json:"fulltext,omitempty"`
	Citations   map[string]string `json:"citations,omitempty"`
}

func article() Entity {
	return Define(Spec[Article]{
		Name: "article", Plural: "articles", IDs: "<pmid|pmcid|doi>...", MaxIDs: 200,
		Search: articleSearch(),
		Short:  "Read articles: abstract, MeSH, citations, full text, who cites them",
		Help: command.Help{
			About:  "A retraction, an erratum or an expression of concern is always said first.",
			Input:  "Up to 200 PMIDs, PMCIDs (PMC3531190) or DOIs (10.1093/nar/gks1195), mixed.",
			Output: "A card with the abstract; with sections a short head and those sections. --format medline, abstract or xml is NCBI's own text.",
			Surprises: "citation alone with one --style prints nothing but the citations, ready for a file. " +
				"Full text exists for open-access articles in PMC; --part reads some of its parts.",
		},
		Examples: []command.Example{
			{Line: "biomcp get article 32051057", Does: "one article"},
			{Line: "biomcp get article 32051057 mesh citation --style bibtex", Does: "its MeSH headings and a BibTeX entry"},
			{Line: "biomcp get article PMC3531190 10.1093/nar/gks1195 similar --limit 10", Does: "what is like two articles"},
			{Line: "biomcp get article 23193287 fulltext --part 2-3", Does: "two parts of a full text"},
			{Line: "biomcp get article 32051057 citation --style ris", Does: "a RIS record for a reference manager"},
		},
		Flags: func(f *command.Flags) {
			f.Enum("format", "card", "how to answer", "card", "abstract", "medline", "xml")
			f.EnumList("style", cite.Styles[0], "citation styles, comma-separated", cite.Styles...)
			f.Limit(5, 50, "how many similar articles, citing articles and references to show")
			f.String("part", "", "which parts of the full text, by their numbers in its outline: 3 or 2-4 or 5-")
		},
		IsID:  isArticleID,
		Fetch: fetchArticles,
		Card:  articleCard,
		Sections: []Section[Article]{
			{
				Name: "mesh", Label: "MeSH headings", Short: "MeSH headings with qualifiers and supplementary concepts", Source: "PubMed",
				Has: func(a *Article) bool { return len(a.Mesh)+len(a.SupplMesh) > 0 }, Doc: meshDoc,
			},
			{
				Name: "grants", Label: "Grants", Short: "who paid for it", Source: "PubMed",
				Has: func(a *Article) bool { return len(a.Grants) > 0 }, Doc: grantsDoc,
			},
			linkSection("references", "References in PubMed", "articles it cites", "pubmed_pubmed_refs", func(a *Article) *[]related { return &a.References }),
			linkSection("similar", "Similar articles", "articles like it, with PubMed's score", "pubmed_pubmed", func(a *Article) *[]related { return &a.Similar }),
			linkSection("citedby", "Cited by", "articles in PubMed Central that cite it", "pubmed_pubmed_citedin", func(a *Article) *[]related { return &a.CitedBy }),
			{
				Name: "annotations", Label: "Annotations", Short: "genes, diseases, chemicals, variants and species in it (PubTator3)", Source: "PubTator3",
				Load: loadAnnotations, Has: func(a *Article) bool { return len(a.Annotations) > 0 }, Doc: annotationsDoc,
			},
			{
				Name: "fulltext", Label: "Full text", Short: "open-access full text from PMC, with an outline", Source: "PubMed Central",
				Load: loadFullText, Has: func(a *Article) bool { return a.FullText != nil }, Doc: func(a *Article) result.Doc { return a.FullText.Doc() },
			},
			{
				Name: "citation", Label: "Citation", Short: "formatted references: " + strings.Join(cite.Styles, ", "), Source: "PubMed",
				Load: loadCitations, Has: func(a *Article) bool { return len(a.Citations) > 0 }, Doc: citationDoc,
			},
		},
		Next: articleNext,
		Rest: articleRest,
	})
}

// efetch is how the records were fetched, for the JSON answer.
type efetch struct {
	Efetch struct {
		URLs   []string `json:"urls"`
		Method string   `json:"method"`
	} `json:"efetch"`
}

func fetchArticles(ctx context.Context, in *command.Input, words []string, asked Asked) (*Found[Article], error) {
	ids, err := parseArticleIDs(words)
	if err != nil {
		return nil, err
	}
	format, styles := in.String("format"), in.List("style")
	if format != "card" && len(asked) > 0 {
		return nil, result.Invalid("--format "+format+" is NCBI's own text and has no sections", in.Line(words)...)
	}
	if in.Given("style") && !asked.Has("citation") {
		return nil, result.Invalid("--style goes with the section citation", in.Line(append(slices.Clone(words), "citation"))...)
	}
	if in.Given("part") {
		if !asked.Has("fulltext") {
			return nil, result.Invalid("--part goes with the section fulltext", in.Line(append(slices.Clone(words), "fulltext"))...)
		}
		if _, err := parseParts(in.String("part")); err != nil {
			return nil, err
		}
	}
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	notices, err := resolve(ctx, client, ids)
	if err != nil {
		return nil, err
	}
	found := &Found[Article]{Records: []*Article{}, Missing: []string{}, Notices: notices}
	var pmids []string
	for _, id := range ids {
		if id.pmid == "" {
			found.Missing = append(found.Missing, id.typed)
		} else if !slices.Contains(pmids, id.pmid) {
			pmids = append(pmids, id.pmid)
		}
	}
	if len(pmids) == 0 {
		return found, nil
	}
	if format != "card" {
		found.Instead, err = ownText(ctx, client, words, pmids, format)
		return found, err
	}
	got, err := client.Fetch(ctx, pmids)
	if err != nil {
		return nil, err
	}
	for _, a := range got.Articles {
		found.Records = append(found.Records, &Article{Article: a, URL: "https://pubmed.ncbi.nlm.nih.gov/" + a.PMID + "/"})
	}
	for _, id := range ids {
		if id.pmid != "" && (slices.Contains(got.Missing, id.pmid) || slices.Contains(got.Deleted, id.pmid)) {
			found.Missing = append(found.Missing, id.typed)
		}
	}
	for _, pmid := range got.Deleted {
		found.Notices = append(found.Notices, "PubMed has deleted article "+pmid)
	}
	for _, b := range got.Broken {
		found.Notices = append(found.Notices, "a record came that cannot be read: "+b.Error())
	}
	for _, a := range found.Records {
		if a.Retracted && len(got.Articles) > 1 {
			found.Notices = append(found.Notices, "RETRACTED: article "+a.PMID+" has been retracted")
		}
	}
	var how efetch
	how.Efetch.URLs, how.Efetch.Method = got.URLs, got.Method
	found.Extra = how
	if asked.Only("citation") && len(styles) == 1 && len(got.Articles) > 0 {
		text, err := cite.FormatAll(styles[0], got.Articles)
		if err != nil {
			return nil, err
		}
		if err := citeAll(found.Records, styles); err != nil {
			return nil, err
		}
		found.Alone = text
	}
	return found, nil
}

// ncbiText is NCBI's own text of some records.
type ncbiText struct {
	Requested []string `json:"requested"`
	PMIDs     []string `json:"pmids"`
	Format    string   `json:"format"`
	Text      string   `json:"text"`
}

func (ncbiText) Kind() string { return "article.text" }

func (t ncbiText) Doc() result.Doc { return result.Doc{result.Verbatim{Text: t.Text}} }

func ownText(ctx context.Context, client *entrez.Client, words, pmids []string, format string) (result.Payload, error) {
	kind := map[string]entrez.TextFormat{"abstract": entrez.Abstract, "medline": entrez.Medline, "xml": entrez.XML}[format]
	text, err := client.FetchText(ctx, pmids, kind)
	if err != nil {
		return nil, err
	}
	return ncbiText{Requested: words, PMIDs: pmids, Format: format, Text: text.Text}, nil
}

func articleNext(a *Article) []result.Argv {
	next := []result.Argv{{"get", "article", a.PMID, "similar", "citedby"}}
	if a.PMCID != "" && a.FullText == nil {
		next = append(next, result.Argv{"get", "article", a.PMID, "fulltext"})
	}
	for _, c := range a.Corrections {
		if c.PMID != "" && warns(c.Type) {
			next = append([]result.Argv{{"get", "article", c.PMID}}, next...)
		}
	}
	return append(next, result.Argv{"get", "article", a.PMID, "citation", "--style", "ris"})
}

func articleRest(in *command.Input, a *Article, items int) result.Argv {
	if a.FullText == nil || items >= len(a.FullText.shown) {
		return nil
	}
	return in.Again("--part", fmt.Sprintf("%d-", a.FullText.shown[items].Number))
}
