package article

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/pubtator"
	"biomcp/entrez/record"
)

// related is an article that another one is linked to. Score is PubMed's own
// measure of similarity, null if a link has none.
type related struct {
	PMID      string   `json:"pmid"`
	Title     string   `json:"title"`
	Authors   []string `json:"authors"`
	Source    string   `json:"source"`
	Score     *int     `json:"score"`
	Retracted bool     `json:"retracted"`
	Preprint  bool     `json:"preprint"`
	URL       string   `json:"url"`
}

// linkSection is a section made of ELink's links and ESummary's descriptions.
func linkSection(name string, also []string, label, short, link string, field func(*Article) *entity.Part[[]related]) entity.Section[Article] {
	return entity.Section[Article]{
		Name: name, Also: also, Label: label, Short: short, Source: "PubMed ELink",
		Members: []string{"retrieved_count", "elink_url"},
		Load: func(ctx context.Context, in *command.Input, records []*Article) (entity.Loaded, error) {
			return loadLinks(ctx, in, records, name, label, link, field)
		},
		Has: func(a *Article) bool { return len(field(a).Value) > 0 },
		Doc: func(a *Article) result.Doc { return relatedDoc(field(a).Value, link == entrez.Similar) }, Table: true, Limited: true,
	}
}

// loadLinks asks for the links of all articles at once and then for the titles of
// those that are shown.
func loadLinks(ctx context.Context, in *command.Input, records []*Article, name, label, link string, field func(*Article) *entity.Part[[]related]) (entity.Loaded, error) {
	var got entity.Loaded
	var asked []string
	for _, a := range records {
		field(a).Asked = true
		asked = append(asked, a.PMID)
	}
	client, err := in.App.Entrez()
	if err != nil {
		return got, err
	}
	limit, _, err := in.Limit()
	if err != nil {
		return got, err
	}
	sets, err := client.LinksOf(ctx, asked, link)
	if err != nil {
		return got, err
	}
	got.Lacking, got.Problem = sets.Failed, sets.Problem
	var ids, longer []string // articles linked to; those that have more links
	most := 0
	for _, a := range records {
		links := sets.Of[a.PMID]
		if links == nil {
			continue
		}
		rows := []related{}
		for _, l := range links.Items[:min(limit, len(links.Items))] {
			r := related{PMID: l.PMID, Authors: []string{}, URL: "https://pubmed.ncbi.nlm.nih.gov/" + l.PMID + "/"}
			if l.HasScore {
				r.Score = &l.Score
			}
			rows = append(rows, r)
			ids = append(ids, l.PMID)
		}
		field(a).Value = rows
		a.setLinks(name, len(rows), links)
		if len(links.Items) > len(rows) {
			longer, most = append(longer, a.PMID), max(most, len(links.Items))
		}
	}
	if len(longer) > 0 {
		text := fmt.Sprintf("%s of %s: %d of %d shown", label, longer[0], limit, most)
		if len(longer) > 1 {
			text = fmt.Sprintf("%s: %d of each of %d articles shown, of up to %d", label, limit, len(longer), most)
		}
		if limit < mostRelated {
			text += "; --limit shows more"
		}
		got.Notices = append(got.Notices, text)
	}
	if len(ids) == 0 {
		return got, nil
	}
	sums, err := client.Summaries(ctx, "pubmed", ids)
	if err != nil {
		got.State = result.Degraded
		got.Notices = append(got.Notices, "the titles of "+label+" are missing: "+err.Error())
		sums = &entrez.Summaries{}
	}
	described := map[string]entrez.Summary{}
	for _, s := range sums.Items {
		described[s.UID] = s
	}
	for _, a := range records {
		rows := field(a).Value
		for i := range rows {
			if s, ok := described[rows[i].PMID]; ok {
				rows[i].Title, rows[i].Authors, rows[i].Source, rows[i].Retracted, rows[i].Preprint = s.Title, s.Authors, sourceLine(s), s.Retracted, s.Preprint
			}
		}
	}
	if len(sums.Missing) > 0 {
		got.Notices = append(got.Notices, fmt.Sprintf("%s: NCBI gave no description of %s", label, entity.Some(sums.Missing)))
	}
	return got, nil
}

// setLinks stores how many rows a section has and the address of ELink's answer,
// which may be none.
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

func relatedDoc(rows []related, scored bool) result.Doc {
	t := result.Table{Columns: result.Columns("PMID", "Title", "Authors", "Source"), Hits: true, Brief: briefTable()}
	if scored {
		t.Columns = append(t.Columns, result.Column{Name: "Score", Right: true})
	}
	for _, r := range rows {
		title := record.Listed(r.Retracted, r.Preprint, r.Title)
		row := []string{r.PMID, title, entity.EtAl(r.Authors, 3), r.Source}
		if r.Score != nil {
			row = append(row, fmt.Sprint(*r.Score))
		}
		t.Rows = append(t.Rows, row)
		t.Brief.Rows = append(t.Brief.Rows, brief(title, r.Authors, r.Source, "PMID "+r.PMID))
	}
	return result.Doc{t}
}

func loadAnnotations(ctx context.Context, in *command.Input, records []*Article) (entity.Loaded, error) {
	var got entity.Loaded
	byID := map[string]*Article{}
	var ids []string
	for _, a := range records {
		a.Annotations.Asked = true
		byID[a.PMID] = a
		ids = append(ids, a.PMID)
	}
	client, err := in.App.Network()
	if err != nil {
		return got, err
	}
	docs, err := pubtator.Annotations(ctx, client, ids)
	if err != nil {
		return got, err
	}
	for _, a := range records {
		a.Annotations.Value = []pubtator.Group{}
	}
	for _, d := range docs {
		if a := byID[d.PMID]; a != nil {
			a.Annotations.Value = d.Summary()
		}
	}
	return got, nil
}

func loadCitations(_ context.Context, in *command.Input, records []*Article) (entity.Loaded, error) {
	return entity.Loaded{}, citeAll(records, in.List("style"))
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
			if marked, err := cite.Marked(s, a.Article); err == nil && strings.Contains(marked, cite.Emphasis) {
				block = result.Prose{Text: marked, Mark: cite.Emphasis}
			}
			doc = append(doc, result.Heading{Level: 3, Text: s}, block)
		}
	}
	return doc
}

var fenceLang = map[string]string{"bibtex": "bibtex", "csl-json": "json"}
