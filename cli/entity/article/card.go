package article

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
)

// articleCard renders the head of an article and, if no section is requested, its main
// part. Retractions and corrections come first.
func articleCard(a *Article, sectionNames entity.Sections) result.Doc {
	title := record.Title(a.Title, a.VernacularTitle) // the book's title for a whole book
	doc := result.Doc{}
	for _, w := range warningsOf(a.Article) {
		doc = append(doc, result.Alert{Text: w.text})
		if w.note != "" {
			doc = append(doc, result.PassageOf(w.note)...)
		}
	}
	doc = append(doc, result.Heading{Level: 1, Text: cmp.Or(title, "(no title)")})
	if !wholeCard(sectionNames) { // identifies the article above its sections
		return append(doc, result.Fields{
			{Name: "PMID", Value: a.PMID}, {Name: "DOI", Value: a.DOI}, {Name: "PMCID", Value: a.PMCID},
		})
	}
	doc = append(doc, result.Fields{
		{Name: "Authors", Value: authorLine(a.Article)},
		{Name: "Original title", Value: a.VernacularTitle},
		{Name: "Journal", Value: journalLine(a.Article)},
		{Name: "Book", Value: bookLine(a.Article)},
		{Name: "Chapter", Value: chapterLine(a.Article)},
		{Name: "Type", Value: strings.Join(a.PublicationTypes, ", ")},
		{Name: "PMID", Value: a.PMID},
		{Name: "DOI", Value: a.DOI},
		{Name: "PMCID", Value: a.PMCID},
		{Name: "Free full text", Value: freeFullText(a.PMCID)},
		{Name: "Cited by", Value: citedBy(a.Cited)},
		{Name: "Language", Value: notEnglish(a.Language)},
		{Name: "Status", Value: a.Status},
		{Name: "Link", Value: a.URL},
		{Name: "Text", Value: a.BookURL},
	})
	if !sectionNames.Has("abstract") {
		doc = append(doc, abstractPart(a)...)
	}
	if aff := affiliations(a.Authors); len(aff) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Affiliations"},
			result.Passage{Block: result.List{Items: aff, Ordered: true}})
	}
	var mesh []string
	for _, m := range a.Mesh {
		name := m.Descriptor
		if isMajor(m) {
			name += " (major)"
		}
		mesh = append(mesh, name)
	}
	terms := result.Fields{
		{Name: "Keywords", Value: strings.Join(a.Keywords, "; ")},
	}
	if !sectionNames.Has("mesh") {
		terms = append(result.Fields{{Name: "MeSH", Value: strings.Join(mesh, "; ")}}, terms...)
	}
	if slices.ContainsFunc(terms, func(f result.Field) bool { return f.Value != "" }) {
		doc = append(doc, result.Heading{Level: 2, Text: "Terms"}, terms)
	}
	if a.Coi != "" {
		doc = append(doc, result.Heading{Level: 2, Text: "Conflicts of interest"})
		doc = append(doc, result.PassageOf(a.Coi)...)
	}
	return doc
}

// wholeCard reports whether no section or every section of an article is requested.
func wholeCard(sectionNames entity.Sections) bool {
	return len(sectionNames) == 0 ||
		sectionNames.Has("mesh") && sectionNames.Has("citation") && sectionNames.Has("fulltext")
}

// abstractPart renders the abstracts, or a placeholder for a missing one.
func abstractPart(a *Article) result.Doc {
	doc := append(result.Doc{result.Heading{Level: 2, Text: "Abstract"}}, abstractsDoc(a)...)
	if len(doc) == 1 {
		doc = append(doc, result.Para{Text: "None in PubMed."})
	}
	return doc
}

// abstractsDoc renders the abstract, then those in other languages and for other readers.
func abstractsDoc(a *Article) result.Doc {
	doc := abstractDoc(a.Sections)
	for _, o := range a.OtherAbstracts {
		doc = append(doc, result.Heading{Level: 2, Text: otherAbstract(o)})
		doc = append(doc, abstractDoc(o.Sections)...)
	}
	return doc
}

func abstractDoc(sections []pubmed.AbstractSection) result.Doc {
	var doc result.Doc
	for _, s := range sections {
		text := s.Text
		if s.Label != "" {
			text = s.Label + ": " + text
		}
		doc = append(doc, result.PassageOf(text)...)
	}
	return doc
}

func otherAbstract(o pubmed.OtherAbstract) string {
	switch {
	case o.Type == "plain-language-summary":
		return "Plain language summary"
	case o.Language != "" && o.Language != "eng":
		return "Abstract (" + o.Language + ")"
	}
	return "Abstract (" + o.Type + ")"
}

// warningTypes lists the corrections that readers must see before the text, worst first.
var warningTypes = []struct{ kind, text string }{
	{record.RetractionIn, ""}, // the text follows record.RetractedNotice
	{record.RetractedRepublishedIn, " and published again"},
	{"ExpressionOfConcernIn", "Expression of concern"},
	{"ErratumIn", "Erratum"},
	{"CorrectedandRepublishedIn", "Corrected and published again"},
	{"UpdateIn", "Updated"},
	{"RetractionOf", "This is a retraction notice of another article"},
	{"ExpressionOfConcernFor", "This is an expression of concern about another article"},
	{"ErratumFor", "This is an erratum of another article"},
}

// warns reports whether a correction changes how the article should be read.
func warns(kind string) bool {
	for _, w := range warningTypes[:6] {
		if w.kind == kind {
			return true
		}
	}
	return false
}

// A warning is a correction in our words, with the note of the record about it, if any.
type warning struct{ text, note string }

func (w warning) String() string { return strings.TrimSuffix(w.text+". "+w.note, ". ") }

func warningsOf(a *pubmed.Article) []warning {
	var out []warning
	marked := false
	for _, w := range warningTypes {
		for _, c := range a.Corrections {
			if c.Type != w.kind {
				continue
			}
			text := w.text
			if record.IsRetraction(w.kind) {
				text = record.RetractedNotice(a.PMID) + text
			}
			if c.Source != "" {
				text += ": " + strings.TrimSuffix(c.Source, ".")
			}
			if c.PMID != "" {
				text += " (PMID " + c.PMID + ")"
			}
			out = append(out, warning{text, c.Note})
			marked = marked || record.IsRetraction(w.kind)
		}
	}
	if a.Retracted && !marked {
		out = append([]warning{{text: record.RetractedNotice(a.PMID)}}, out...)
	}
	return out
}

// authorLine lists the authors with the numbers of their affiliations, if they have any.
func authorLine(a *pubmed.Article) string {
	authors, suffix := a.Authors, ""
	if len(authors) == 0 && len(a.Editors) > 0 {
		authors, suffix = a.Editors, " (editors)"
	}
	order := affiliationOrder(authors)
	names := make([]string, len(authors))
	for i, p := range authors {
		names[i] = p.Name()
		if p.Suffix != "" && p.LastName != "" {
			names[i] = p.LastName + " " + p.Initials + " " + p.Suffix
		}
		marks := result.Map(p.Affiliations, func(aff string) string { return fmt.Sprint(order[aff]) })
		if len(marks) > 0 {
			names[i] += " [" + strings.Join(marks, ",") + "]"
		}
	}
	line := strings.Join(names, ", ")
	if !a.AuthorsComplete && len(a.Authors) > 0 {
		line += ", et al."
	}
	return line + suffix
}

func affiliationOrder(authors []pubmed.Author) map[string]int {
	order := map[string]int{}
	for _, p := range authors {
		for _, aff := range p.Affiliations {
			if _, known := order[aff]; !known {
				order[aff] = len(order) + 1
			}
		}
	}
	return order
}

// affiliations returns the distinct affiliations in the order of the authors.
func affiliations(authors []pubmed.Author) []string {
	order := affiliationOrder(authors)
	return slices.SortedFunc(maps.Keys(order), func(a, b string) int { return order[a] - order[b] })
}

// journalLine returns a source such as "J Test. 2024-05;10(2):100-10".
func journalLine(a *pubmed.Article) string {
	j := a.Journal
	name := cmp.Or(j.Title, j.ISOAbbreviation)
	if name == "" {
		return ""
	}
	return record.SourceLine(name, dateText(a.PublicationDate), j.Volume, j.Issue, j.Pages)
}

// dateText returns a date as the record has it, which may be a season or free text.
func dateText(d pubmed.PubDate) string {
	switch {
	case d.MedlineDate != "":
		return d.MedlineDate
	case d.Season != "":
		return fmt.Sprintf("%d %s", d.Year, d.Season)
	}
	return d.String()
}

func bookLine(a *pubmed.Article) string {
	b := a.Book
	if b == nil {
		return ""
	}
	parts := []string{b.Title}
	if b.Edition != "" {
		parts = append(parts, b.Edition)
	}
	if b.Publisher != "" {
		parts = append(parts, strings.TrimSuffix(b.PublisherLocation+": "+b.Publisher, ": "))
	}
	switch from, to := b.BeginningDate.Year, b.EndingDate.Year; {
	case from > 0 && to > from:
		parts = append(parts, fmt.Sprintf("%d–%d", from, to))
	case isChapter(a) && from > 0 && to == 0:
		parts = append(parts, fmt.Sprintf("since %d", from))
	case dateText(a.PublicationDate) != "":
		parts = append(parts, dateText(a.PublicationDate))
	}
	return strings.Join(parts, ". ")
}

// freeFullText names the place of the free full text, or returns "" if none is known.
func freeFullText(pmcid string) string {
	if pmcid == "" {
		return ""
	}
	return "in PMC"
}

// citedBy returns text such as "12 articles in PMC", or "" if the number is unknown.
func citedBy(n *int) string {
	if n == nil {
		return ""
	}
	return english.Plural(*n, "article", "") + " in PMC"
}

// isChapter reports whether a record is one chapter of a book.
func isChapter(a *pubmed.Article) bool { return a.Book != nil && a.Title != a.Book.Title }

// chapterLine returns the dates of a chapter, which differ from those of its book, as in
// "2001-02-03, revised 2020-04-05".
func chapterLine(a *pubmed.Article) string {
	if !isChapter(a) {
		return ""
	}
	date := dateText(a.Book.ContributionDate)
	revised, _, _ := strings.Cut(a.Dates.LastRevised, "T")
	switch {
	case revised == "" || revised == date:
		return date
	case date == "":
		return "revised " + revised
	}
	return date + ", revised " + revised
}

func notEnglish(langs []string) string {
	if len(langs) == 1 && langs[0] == "eng" {
		return ""
	}
	return strings.Join(langs, ", ")
}

func meshDoc(a *Article) result.Doc {
	t := result.Table{Columns: result.Columns("Heading", "Major", "Qualifiers", "UI")}
	for _, m := range a.Mesh {
		var qualifiers []string
		for _, q := range m.Qualifiers {
			name := q.Name
			if q.Major {
				name += " (major)"
			}
			qualifiers = append(qualifiers, name)
		}
		t.Rows = append(t.Rows, []string{m.Descriptor, yes(isMajor(m)), strings.Join(qualifiers, "; "), m.UI})
	}
	for _, s := range a.SupplMesh {
		t.Rows = append(t.Rows, []string{s.Name, "", "supplementary: " + strings.ToLower(s.Type), s.UI})
	}
	return result.Doc{t}
}

// isMajor reports whether a heading is a major topic of the article, by itself or by one
// of its qualifiers, like PubMed's [majr].
func isMajor(m pubmed.Mesh) bool {
	return m.Major || slices.ContainsFunc(m.Qualifiers, func(q pubmed.Qualifier) bool { return q.Major })
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}

func grantsDoc(a *Article) result.Doc {
	return result.Doc{result.Table{
		Columns: result.Columns("Grant", "Agency", "Acronym", "Country"),
		Rows: result.Map(a.Grants, func(g pubmed.Grant) []string {
			return []string{g.ID, g.Agency, g.Acronym, g.Country}
		}),
	}}
}

func annotationsDoc(a *Article) result.Doc {
	t := result.Table{Columns: result.Columns("Type", "Entity", "Identifier", ">Mentions", "As written")}
	for _, g := range a.Annotations.Value {
		for _, e := range g.Entities {
			t.Rows = append(t.Rows, []string{
				g.Type, e.Name, e.Identifier, fmt.Sprint(e.Mentions), entity.EtAl(e.Texts, 4),
			})
		}
	}
	return result.Doc{t}
}

// retractionSection returns the section that tells whether PubMed has a notice about a
// record. Every answer shows notices before the text; only this section reports
// the absence of notices.
func retractionSection() entity.Section[Article] {
	return entity.Section[Article]{
		Name: "retraction",
		Synonyms: []string{
			"retractions", "retracted", "corrections", "correction", "erratum", "errata", "concern", "notices",
		},
		Label: "Retraction and corrections",
		Short: "whether it was retracted, corrected or questioned", Source: "PubMed",
		Load: func(_ context.Context, _ *command.Input, records []*Article) (entity.LoadResult, error) {
			for _, a := range records {
				a.Retraction = entity.Part[string]{Requested: true, Value: retractionOf(a)}
			}
			return entity.LoadResult{}, nil
		},
		Has: func(a *Article) bool { return a.Retraction.Value != "" },
		Doc: func(a *Article) result.Doc {
			if len(warningsOf(a.Article)) > 0 {
				return result.PassageOf(a.Retraction.Value)
			}
			return result.Doc{result.Para{Text: a.Retraction.Value}}
		},
	}
}

func retractionOf(a *Article) string {
	if warnings := warningsOf(a.Article); len(warnings) > 0 {
		return strings.Join(result.Map(warnings, warning.String), ". ") + "."
	}
	where := "in PubMed"
	if a.corpusDoc != nil {
		where = "in the local corpus, which has the record" + revisionText(a.corpusDoc)
	}
	return "No retraction, correction or expression of concern is recorded " + where + "."
}

// countCitations asks ESummary how many articles in PMC cite each article, and returns the
// numbers by PMID, nil if unknown. If ESummary fails, it returns a notice instead.
func countCitations(
	ctx context.Context, client *entrez.Client, pmids []string,
) (cited map[string]*int, notices []string) {
	sums, err := client.Summaries(ctx, pmids)
	if err != nil {
		return nil, []string{"the numbers of citing articles are missing: " + err.Error()}
	}
	cited = map[string]*int{}
	for _, s := range sums.Items {
		cited[s.UID] = s.CitedInPMC
	}
	return cited, nil
}
