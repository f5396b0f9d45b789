package article

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/pubtator"
)

// relatedArticle is an article that another one links to. Score is PubMed's measure of
// similarity, or null if the link has no score.
type relatedArticle struct {
	PMID    string   `json:"pmid"`
	Title   string   `json:"title"`
	Authors []string `json:"authors"`
	Source  string   `json:"source"`
	Score   *int     `json:"score"`
	eutils.Marks
	URL string `json:"url"`
}

// linkSection returns a section of ELink's links, described by ESummary.
func linkSection(
	name string, synonyms []string, label, short, link string,
	field func(*Article) *entity.Part[[]relatedArticle],
) entity.Section[Article] {
	return entity.Section[Article]{
		Name: name, Synonyms: synonyms, Label: label, Short: short, Source: "PubMed ELink",
		Members: []string{"retrieved_count", "elink_url"},
		Load: func(ctx context.Context, in *command.Input, records []*Article) (entity.LoadResult, error) {
			return loadLinks(ctx, in, records, name, label, link, field)
		},
		Has:   func(a *Article) bool { return len(field(a).Value) > 0 },
		Doc:   func(a *Article) result.Doc { return relatedDoc(field(a).Value, link == entrez.Similar) },
		Table: true, Limited: true, Cite: citeRows,
	}.WithRows(relatedArticle{})
}

// loadLinks fetches the links of all articles in one request, and then the titles of those
// that it shows.
func loadLinks(
	ctx context.Context, in *command.Input, records []*Article, name, label, link string,
	field func(*Article) *entity.Part[[]relatedArticle],
) (entity.LoadResult, error) {
	var got entity.LoadResult
	var asked []string
	for _, a := range records {
		field(a).Requested = true
		asked = append(asked, a.PMID)
	}
	client := in.App.Entrez()
	limit, offset, err := entity.LimitAndOffset(in)
	if err != nil {
		return got, err
	}
	left := entity.MaxRows // for the remaining articles
	if !entity.ExportsRows(in) {
		limit = min(limit, entity.MaxRows/len(records))
	}
	sets, err := client.LinkSets(ctx, asked, link)
	if err != nil {
		if sets, err = linksFromCorpus(ctx, in, asked, link, label, err, &got); err != nil {
			return got, err
		}
	}
	got.MissingIDs, got.Problem = sets.Failed, sets.Problem
	var ids []string // linked articles
	var cut truncation
	for _, a := range records {
		links := sets.ByID[a.PMID]
		if links == nil {
			continue
		}
		if offset > 0 && offset >= len(links.Items) && len(records) == 1 {
			return got, entity.PastEndError(in, len(links.Items))
		}
		rows := linkRows(entity.Window(links.Items, offset, min(limit, left)))
		for _, r := range rows {
			ids = append(ids, r.PMID)
		}
		field(a).Value, left = rows, left-len(rows)
		a.setLinks(name, len(rows), links)
		if len(links.Items) > len(rows) {
			cut.add(a.PMID, len(links.Items))
		}
	}
	got.Notices = append(got.Notices, cut.notices(in, label, limit, offset)...)
	if len(ids) == 0 {
		return got, nil
	}
	sums, missing, err := describeLinked(ctx, in, client, ids, label, &got)
	if err != nil {
		return got, err
	}
	noteUndescribed(&got, label, missing)
	describeRows(result.Map(records, func(a *Article) []relatedArticle { return field(a).Value }), sums)
	return got, nil
}

// linkRows converts links to rows without titles.
func linkRows(links []entrez.Link) []relatedArticle {
	rows := []relatedArticle{}
	for _, l := range links {
		r := relatedArticle{PMID: l.PMID, URL: "https://pubmed.ncbi.nlm.nih.gov/" + l.PMID + "/"}
		if l.HasScore {
			r.Score = &l.Score
		}
		rows = append(rows, r)
	}
	return rows
}

// describeRows fills in the rows of all lists that have a summary, by PMID.
func describeRows(lists [][]relatedArticle, sums []entrez.Summary) {
	described := map[string]entrez.Summary{}
	for _, s := range sums {
		described[s.UID] = s
	}
	for _, rows := range lists {
		for i := range rows {
			if s, ok := described[rows[i].PMID]; ok {
				rows[i].Title, rows[i].Authors, rows[i].Source, rows[i].Marks = s.Title, s.Authors, sourceLine(s),
					eutils.MarksFrom(s)
			}
		}
	}
}

// linksFromCorpus replaces a failed ELink by the articles of the local corpus that cite the
// requested ones. If it cannot, it returns why.
func linksFromCorpus(
	ctx context.Context, in *command.Input, pmids []string, link, label string, cause error, got *entity.LoadResult,
) (*entrez.LinkSets, error) {
	if link != entrez.CitedBy || !isOutage(cause) || in.Nested {
		return nil, cause
	}
	of, err := citingInCorpus(context.WithoutCancel(ctx), in, pmids)
	if err != nil || len(of) == 0 {
		return nil, cause
	}
	sets := &entrez.LinkSets{ByID: of}
	for _, id := range pmids {
		if of[id] == nil {
			sets.Failed, sets.Problem = append(sets.Failed, id), cause
		}
	}
	got.State, got.Sources = result.Degraded, []string{"Local corpus"}
	got.Notices = append(got.Notices,
		label+" comes from the local corpus alone, by the references of its articles; PubMed may know more: "+
			cause.Error())
	return sets, nil
}

// A truncation lists the articles whose lists are longer than shown.
type truncation struct {
	pmids   []string
	longest int // length of the longest list
}

// add adds an article and the whole length of its list.
func (t *truncation) add(pmid string, length int) {
	t.pmids, t.longest = append(t.pmids, pmid), max(t.longest, length)
}

// notices returns a notice that some lists were truncated.
func (t *truncation) notices(in *command.Input, label string, limit, offset int) []string {
	switch to := offset + limit; {
	case len(t.pmids) == 0:
		return nil
	case len(t.pmids) > 1:
		return []string{fmt.Sprintf("%s: %d of each of %d articles shown, of up to %d; --limit shows more, "+
			"--offset the next",
			label, limit, len(t.pmids), t.longest)}
	case to < t.longest:
		return []string{fmt.Sprintf("%s of %s: %d of %d shown; --limit shows more, and the next: %s", label,
			t.pmids[0], limit, t.longest, entity.LineFrom(in, to+1, "--offset", fmt.Sprint(to)))}
	default:
		return []string{fmt.Sprintf("%s of %s: %d of %d shown", label, t.pmids[0], t.longest-offset, t.longest)}
	}
}

// setLinks stores the number of rows of a section and the URL of ELink's answer.
func (a *Article) setLinks(section string, rows int, links *entrez.Links) {
	a.links.Lock()
	defer a.links.Unlock()
	if a.Retrieved == nil {
		a.Retrieved, a.LinkURLs = map[string]int{}, map[string]string{}
	}
	a.Retrieved[section], a.LinkURLs[section] = rows, ""
	if links != nil {
		a.LinkURLs[section] = links.URL
	}
}

func relatedDoc(rows []relatedArticle, scored bool) result.Doc {
	t := result.Table{Columns: result.Columns("PMID", "Title", "Authors", "Source"), Hits: true, Brief: briefTable()}
	if scored {
		t.Columns = append(t.Columns, result.Column{Name: "Score", Right: true})
	}
	for _, r := range rows {
		title := r.MarkTitle(r.Title)
		row := []string{r.PMID, title, entity.EtAl(r.Authors, 3), r.Source}
		if r.Score != nil {
			row = append(row, fmt.Sprint(*r.Score))
		}
		t.Rows = append(t.Rows, row)
		t.Brief.Rows = append(t.Brief.Rows, brief(title, r.Authors, r.Source, "PMID "+r.PMID))
	}
	return result.Doc{t}
}

func loadAnnotations(ctx context.Context, in *command.Input, records []*Article) (entity.LoadResult, error) {
	var got entity.LoadResult
	byID := map[string]*Article{}
	var ids []string
	for _, a := range records {
		a.Annotations.Requested = true
		byID[a.PMID] = a
		ids = append(ids, a.PMID)
	}
	docs, err := pubtator.Annotations(ctx, in.App.Network(), ids)
	if err != nil {
		return got, err
	}
	for _, d := range docs {
		if a := byID[d.PMID]; a != nil {
			a.Annotations.Value = append([]pubtator.Group{}, d.Summary()...)
		}
	}
	for _, a := range records {
		if a.Annotations.Value == nil {
			got.MissingIDs = append(got.MissingIDs, a.PMID)
		}
	}
	if len(got.MissingIDs) == 0 {
		return got, nil
	}
	got.Problem = errors.New("PubTator3 does not have " + command.Abbreviate(got.MissingIDs))
	if len(got.MissingIDs) == len(records) {
		return got, got.Problem
	}
	return got, nil
}

func loadCitations(_ context.Context, in *command.Input, records []*Article) (entity.LoadResult, error) {
	return entity.LoadResult{}, citeAll(records, stylesOf(in))
}

// stylesOf returns the citation styles of --style, or else the style that the file name
// of --output implies.
func stylesOf(in *command.Input) []string {
	if style := entity.FileStyle(in); style != "" && !in.Changed("style") {
		return []string{style}
	}
	return in.List("style")
}

func citeAll(records []*Article, styles []string) error {
	for _, a := range records {
		a.Citations = map[string]string{}
		for _, s := range styles {
			text, err := cite.Format(s, a.Article)
			if err != nil {
				return err
			}
			a.Citations[s] = text
		}
	}
	return nil
}

func citationDoc(a *Article) result.Doc {
	var doc result.Doc
	for _, s := range cite.Styles {
		if text, ok := a.Citations[s]; ok {
			var block result.Block = result.Fence{Lang: fenceLang[s], Text: text}
			if marked, err := cite.FormatMarked(s, a.Article); err == nil && strings.Contains(marked, cite.Emphasis) {
				block = result.Prose{Text: marked, Mark: cite.Emphasis}
			}
			doc = append(doc, result.Heading{Level: 3, Text: s}, result.Passage{Block: block})
		}
	}
	return doc
}

var fenceLang = map[string]string{"bibtex": "bibtex", "csl-json": "json"}

// briefTable returns an empty table of articles for narrow output.
func briefTable() *result.Table {
	t := &result.Table{Columns: result.Columns("Title", "First author", "Journal", "Id", "Marks")}
	t.Columns[3].Whole = true
	return t
}

// brief returns a row for briefTable. title comes from [record.ListLabel], source from
// [sourceLine], and id names its kind: "PMID 1".
func brief(title string, authors []string, source, id string, marks ...string) []string {
	journal, when, _ := strings.Cut(source, ". ")
	if len(when) >= 4 {
		journal += " " + when[:4]
	}
	return []string{title, entity.EtAl(authors, 1), journal, id, strings.Join(marks, ", ")}
}

// maxAnnotationCommands is the number of commands of each kind that annotations suggest.
const maxAnnotationCommands = 2

// annotationEntities maps the kinds of annotations to our entities.
var annotationEntities = []struct{ kind, entity string }{
	{"Gene", "gene"}, {"Variant", "variant"}, {"Disease", "disease"}, {"Chemical", "drug"},
}

// annotationCommands suggests commands for the entities that an article mentions most.
// The finished answer drops those that name an unknown record.
func annotationCommands(groups []pubtator.Group) (lines []result.Argv) {
	for _, to := range annotationEntities {
		n := 0
		for _, g := range groups {
			if !strings.EqualFold(g.Type, to.kind) {
				continue
			}
			for _, e := range g.Entities {
				if word := getArg(to.entity, e); word != "" && n < maxAnnotationCommands {
					lines = append(lines, result.Argv{"get", to.entity, word})
					n++
				}
			}
		}
	}
	return lines
}

// getArg returns the word by which get accepts an annotated entity, or "". Of several
// identifiers it takes the first, which belongs to the first organism.
func getArg(entity string, e pubtator.Entity) string {
	id, _, _ := strings.Cut(e.Identifier, ";")
	switch {
	case id == "":
		return ""
	case entity == "disease", entity == "gene":
		return id
	case entity != "variant":
		return e.Name
	case strings.HasPrefix(id, "rs"):
		return id
	}
	if parts := strings.Split(e.Accession, "_"); len(parts) >= 4 { // @VARIANT_p.V600E_BRAF_human
		return parts[len(parts)-2] + " " + e.Name
	}
	return "" // a change without a gene
}
