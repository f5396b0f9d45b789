package corpus

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/store"
)

// document is the answer of rag.get: a record as the local corpus stores it.
type document struct {
	DocID    string      `json:"doc_id"`
	Title    *string     `json:"title"`
	Abstract *string     `json:"abstract"`
	Journal  *string     `json:"journal"`
	PubTypes []string    `json:"pub_types"`
	PDat     *string     `json:"pdat"`
	EDAT     *string     `json:"edat"`
	LR       *string     `json:"lr"`
	PMCID    *string     `json:"pmcid"`
	Quality  rag.Quality `json:"quality"`
	Version  int         `json:"version"`

	doc *store.Document
}

func (document) SchemaBound() {}

// Document returns the definition of the document entity.
func Document() entity.Entity {
	return entity.Define(entity.Spec[document]{
		Name: "document", Synonyms: []string{"doc"}, IDs: entity.IDs{Placeholder: "pmid:<number>", Max: 1},
		Get: command.Command{
			LocalOnly: true,
			Short:     "Read a document of the local corpus",
			Help: command.Help{
				Purpose: "Reads the document that sync pubmed has stored, without a network.",
				Output: "The document; with --json exactly the fields of rag.get. Quality adds up design (0-3), " +
					"recency (0-2), journal (0-2) and human (0-2); it is absent for a retracted document.",
			},
			Examples: []command.Example{{Line: "biomcp get document pmid:32051057", Explanation: "a document from this disk"}},
		},
		Fetch: func(ctx context.Context, in *command.Input, ids []string, _ entity.Sections) (*entity.Found[document], error) {
			d, err := readDocument(ctx, in.App, ids[0])
			if err != nil {
				return nil, err
			}
			corpus, err := in.App.Corpus(ctx)
			if err != nil {
				return nil, err
			}
			deleted, err := intake.Deleted(ctx, corpus)
			notices := append(d.retraction(), deletedNotice([]*store.Document{d.doc}, deleted)...)
			return &entity.Found[document]{Records: []*document{d}, Payload: d, Notices: notices}, err
		},
		Next: func(d *document) []result.Argv {
			return []result.Argv{{"get", "article", d.doc.PMID.String()}}
		},
	})
}

func readDocument(ctx context.Context, app *command.App, id string) (*document, error) {
	pmid, err := record.ParsePMID(strings.TrimPrefix(id, "pmid:"))
	if err != nil {
		return nil, result.Invalid(fmt.Sprintf("%q is not a document id: pmid: and a number", command.Clip(id)),
			"get", "document", "--help")
	}
	corpus, err := app.Corpus(ctx)
	if err != nil {
		return nil, noCorpus(err)
	}
	d, err := corpus.Document(ctx, pmid)
	if store.IsKind(err, store.NotFound) {
		return nil, result.Missing(fmt.Sprintf("the local corpus has no document pmid:%d", pmid), "get", "article",
			pmid.String())
	}
	if err != nil {
		return nil, err
	}
	return &document{
		DocID: fmt.Sprintf("pmid:%d", d.PMID), Title: record.NilIfZero(d.Title), Abstract: record.NilIfZero(d.Abstract),
		Journal:  record.NilIfZero(d.Journal.Title),
		PubTypes: d.PubTypes, PDat: record.NilIfZero(publicationDate(d)), EDAT: record.NilIfZero(d.EDAT),
		LR: record.NilIfZero(d.LR), PMCID: record.NilIfZero(d.PMCID),
		Quality: rag.Assess(d, app.Now()), Version: d.Version, doc: d,
	}, nil
}

// publicationDate returns when a document was published; for a chapter, when it first appeared.
func publicationDate(d *store.Document) string {
	if d.BookTitle != "" {
		return cmp.Or(d.Epub, d.PDat)
	}
	return d.PDat
}

// noCorpus replaces a store.NotFound error by one that suggests how to make a corpus.
func noCorpus(err error) error {
	if store.IsKind(err, store.NotFound) {
		return result.Missing("there is no local corpus yet", "sync", "pubmed", "--help")
	}
	return err
}

// retraction returns a notice for a retracted document, because the schema has no field for it.
func (d document) retraction() []string {
	if !d.doc.Retracted {
		return nil
	}
	text := record.RetractedNotice(d.doc.PMID.String())
	for _, c := range d.doc.Corrections {
		if record.IsRetraction(c.Type) && c.Source != "" {
			text += ": " + strings.TrimSuffix(c.Source, ".")
		}
	}
	return []string{text}
}

func (d document) Doc() result.Doc {
	s := d.doc
	doc := result.Doc{}
	names := result.Map(s.Authors, func(a store.Author) string {
		return strings.TrimSpace(strings.Join([]string{a.LastName, a.Initials, a.Suffix, a.Collective}, " "))
	})
	mesh := result.Map(s.Mesh, func(h store.Heading) string { return h.Descriptor })
	doc = append(doc, result.Heading{Level: 1, Text: cmp.Or(s.Title, "(no title)")}, result.Fields{
		{Name: "Authors", Value: entity.EtAl(names, 10)},
		{Name: "Journal", Value: journalLine(s.Journal, s.PDat)},
		{Name: "Book", Value: s.BookTitle},
		{Name: "Chapter", Value: chapterLine(s)},
		{Name: "Type", Value: strings.Join(s.PubTypes, ", ")},
		{Name: "Document", Value: d.DocID},
		{Name: "DOI", Value: s.DOI},
		{Name: "PMCID", Value: s.PMCID},
		{Name: "Entered", Value: s.EDAT},
		{Name: "Revised", Value: s.LR},
		{Name: "Quality", Value: qualityText(d.Quality)},
		{Name: "Version", Value: strconv.Itoa(d.Version)},
	})
	doc = append(doc, result.Heading{Level: 2, Text: "Abstract"})
	if s.Abstract != "" {
		doc = append(doc, result.PassageOf(s.Abstract)...)
	} else {
		doc = append(doc, result.Para{Text: "None in PubMed."})
	}
	if len(mesh)+len(s.Keywords) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Terms"}, result.Fields{
			{Name: "MeSH", Value: strings.Join(mesh, "; ")},
			{Name: "Keywords", Value: strings.Join(s.Keywords, "; ")},
		})
	}
	return doc
}

// chapterLine returns the dates of a book chapter, as in "2001-02-03, revised 2020-04-05";
// "" if the document is not a chapter.
func chapterLine(d *store.Document) string {
	if d.BookTitle == "" {
		return ""
	}
	if revised, _, _ := strings.Cut(d.LR, "T"); revised != "" && revised != publicationDate(d) {
		return publicationDate(d) + ", revised " + revised
	}
	return publicationDate(d)
}

// journalLine returns a source such as "J Test. 2024-05;10(2):100-10", or "" without a journal.
func journalLine(j store.Journal, date string) string {
	if j.Title == "" {
		return ""
	}
	return record.SourceLine(j.Title, date, j.Volume, j.Issue, j.Pages)
}

func qualityText(q rag.Quality) string {
	part := func(n *int) string { return cmp.Or(entity.FormatNumber(n), "-") }
	return fmt.Sprintf("%d of %d (design %s, recency %s, journal %s, human %s)", q.Total, rag.MaxQuality, part(q.Design),
		part(q.Recency), part(q.Journal), part(q.Human))
}
