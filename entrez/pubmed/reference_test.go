package pubmed

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// referenceScan decodes a whole document with encoding/xml.
func referenceScan(r io.Reader) (items []Item, err error) {
	d := xml.NewDecoder(r)
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return items, nil
		} else if err != nil {
			return items, err
		}
		start, ok := t.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "PubmedArticle", "PubmedBookArticle":
			var x xRecord
			if err := d.DecodeElement(&x, &start); err != nil {
				return items, err
			}
			a := x.article()
			if !regexp.MustCompile(`^[1-9][0-9]{0,11}$`).MatchString(a.PMID) {
				return items, fmt.Errorf("PMID %q", a.PMID)
			}
			items = append(items, Item{Article: a})
		case "DeleteCitation", "DeleteDocument":
			var x struct {
				PMIDs []element `xml:"PMID"`
			}
			if err := d.DecodeElement(&x, &start); err != nil {
				return items, err
			}
			items = append(items, Item{Deleted: texts(x.PMIDs)})
		}
	}
}

func (x *xRecord) article() *Article {
	c, art := &x.Citation, &x.Citation.Article
	a := &Article{
		PMID: c.PMID.Text, Title: art.Title.Text, VernacularTitle: art.Vernacular.Text,
		Authors: []Author{}, AuthorsComplete: true, Editors: []Author{},
		Investigators: people(c.Investigators), PersonalNames: people(c.Names),
		PublicationTypes: texts(art.Types), Keywords: texts(c.Keywords), GeneSymbols: texts(c.Genes),
		Language: texts(art.Languages), CitationSubsets: texts(c.Subsets), Notes: texts(c.Notes),
		Status: collapse(c.Status), IndexingMethod: collapse(c.Indexing), PubModel: collapse(art.PubModel),
		Coi: c.Coi.Text, PublicationDate: art.Journal.Issue.Date.pubDate(),
		Mesh: []Mesh{}, SupplMesh: []SupplMesh{}, Chemicals: []Chemical{}, DataBanks: []DataBank{},
		Grants: grants(art.Grants), Corrections: []Correction{}, References: []Reference{},
		OtherAbstracts: []OtherAbstract{}, ArticleIDs: []ArticleID{}, ELocations: []ELocation{},
	}
	a.Version = version(c.PMID)
	a.Sections, a.Copyright = art.Abstract.sections(), art.Abstract.Copyright.Text
	for _, o := range c.OtherAbstracts {
		other := OtherAbstract{collapse(o.Type), collapse(o.Language), o.sections(), o.Copyright.Text}
		if other.Language == "" {
			other.Language = "eng"
		}
		if len(other.Sections) > 0 {
			a.OtherAbstracts = append(a.OtherAbstracts, other)
		}
	}
	x.authors(a, &a.Authors, art.Authors)
	a.Journal = Journal{
		Title: art.Journal.Title.Text, ISOAbbreviation: art.Journal.ISO.Text, Abbreviation: c.Journal.TA.Text,
		ISSNLinking: c.Journal.Linking.Text, Volume: art.Journal.Issue.Volume.Text,
		Issue: art.Journal.Issue.Issue.Text, NLMID: c.Journal.NLM.Text, Country: c.Journal.Country.Text,
		Medium: collapse(art.Journal.Issue.Medium),
	}
	for _, n := range art.Journal.ISSN {
		if a.Journal.ISSN == "" && n.Text != "" {
			a.Journal.ISSN, a.Journal.ISSNType = n.Text, collapse(n.Attr["IssnType"])
		}
	}
	pages(a, art.Pagination)
	for _, date := range art.Dates {
		if date.Kind == "" || date.Kind == "Electronic" {
			a.ElectronicDate = date.pubDate()
		}
	}
	for _, m := range c.Chemicals {
		if m.Name.Text != "" {
			a.Chemicals = append(a.Chemicals, Chemical{m.Name.Text, collapse(m.Name.Attr["UI"]), m.Registry.Text})
		}
	}
	for _, m := range c.Suppl {
		if m.Text != "" {
			a.SupplMesh = append(a.SupplMesh, SupplMesh{m.Text, collapse(m.Attr["UI"]), collapse(m.Attr["Type"])})
		}
	}
	for _, m := range c.Mesh {
		heading := Mesh{m.Descriptor.Text, collapse(m.Descriptor.Attr["UI"]), m.Descriptor.Attr["MajorTopicYN"] == "Y", []Qualifier{}}
		for _, q := range m.Qualifiers {
			heading.Qualifiers = append(heading.Qualifiers, Qualifier{q.Text, collapse(q.Attr["UI"]), q.Attr["MajorTopicYN"] == "Y"})
		}
		if heading.Descriptor != "" {
			a.Mesh = append(a.Mesh, heading)
		}
	}
	for _, b := range art.DataBanks {
		if b.Name.Text != "" {
			a.DataBanks = append(a.DataBanks, DataBank{b.Name.Text, texts(b.Accessions)})
		}
	}
	var cites []Reference
	for _, m := range c.Corrections {
		if m.Type == "Cites" {
			cites = append(cites, Reference{Citation: m.Source.Text, PMID: m.PMID.Text})
		} else {
			a.Corrections = append(a.Corrections, Correction{collapse(m.Type), m.Source.Text, m.PMID.Text, m.Note.Text})
		}
		if m.Type == "RetractionIn" || m.Type == "RetractedandRepublishedIn" {
			a.Retracted = true
		}
	}
	a.Dates.Completed, a.Dates.LastRevised = c.Completed.stamp(), c.Revised.stamp()
	ids := x.Data.IDs
	references := x.Data.References.List
	history := x.Data.History
	a.PublicationStatus = x.Data.Status.Text
	if x.Book != nil {
		x.book(a)
		ids = append(slices.Clone(x.Book.IDs), x.More.IDs...)
		references, history, a.PublicationStatus = x.Book.References.List, x.More.History, x.More.Status.Text
	}
	for _, date := range history {
		if to := dateField(&a.Dates, date.Status); to != nil && date.stamp() > *to {
			*to = date.stamp()
		}
	}
	for _, id := range ids {
		one := ArticleID{collapse(id.Attr["IdType"]), id.Text}
		if one.Type == "" {
			one.Type = "pubmed"
		}
		if one.Value != "" && !slices.Contains(a.ArticleIDs, one) {
			a.ArticleIDs = append(a.ArticleIDs, one)
		}
	}
	for _, id := range a.ArticleIDs {
		if id.Type == "doi" && a.DOI == "" {
			a.DOI = doi(id.Value)
		}
		if (id.Type == "pmc" || id.Type == "pmcid") && a.PMCID == "" {
			a.PMCID = pmcid(id.Value)
		}
		if id.Type == "bookaccession" && a.Book != nil && a.Book.Accession == "" {
			a.Book.Accession = id.Value
		}
	}
	for _, e := range art.ELocations {
		if kind := collapse(e.Attr["EIdType"]); e.Attr["ValidYN"] != "N" && e.Text != "" {
			a.ELocations = append(a.ELocations, ELocation{kind, e.Text})
			if a.DOI == "" && kind == "doi" {
				a.DOI = doi(e.Text)
			}
		}
	}
	for _, r := range references {
		one := Reference{Citation: r.Citation.Text}
		for _, id := range r.IDs {
			switch id.Attr["IdType"] {
			case "doi":
				one.DOI = doi(id.Text)
			case "pubmed", "":
				one.PMID = id.Text
			case "pmc", "pmcid":
				one.PMCID = pmcid(id.Text)
			}
		}
		if one != (Reference{}) {
			a.References = append(a.References, one)
		}
	}
	if len(a.References) == 0 && cites != nil {
		a.References = cites
	}
	if slices.Contains(a.PublicationTypes, "Retracted Publication") {
		a.Retracted = true
	}
	paragraphs := []string{}
	for _, s := range a.Sections {
		if s.Label != "" {
			s.Text = s.Label + ": " + s.Text
		}
		paragraphs = append(paragraphs, s.Text)
	}
	a.Abstract = strings.Join(paragraphs, "\n\n")
	return a
}

func (x *xRecord) book(a *Article) {
	b, k := x.Book, &x.Book.Book
	a.PMID, a.Version = b.PMID.Text, version(b.PMID)
	a.Title, a.VernacularTitle = b.Title.Text, b.Vernacular.Text
	a.Sections, a.Copyright = b.Abstract.sections(), b.Abstract.Copyright.Text
	a.PublicationTypes, a.Keywords, a.Language = texts(b.Types), texts(b.Keywords), texts(b.Languages)
	a.Investigators = append(people(k.Investigators), people(b.Investigators)...)
	a.Grants = grants(b.Grants)
	a.PublicationDate = k.Date.pubDate()
	a.Dates.LastRevised = b.Revised.stamp()
	pages(a, b.Pagination)
	a.Book = &Book{
		Title: k.Title.Text, Authors: []Author{}, Publisher: k.Publisher.Text, PublisherLocation: k.Location.Text,
		Volume: k.Volume.Text, VolumeTitle: k.VolumeTitle.Text, Edition: k.Edition.Text, Collection: k.Collection.Text,
		ISBN: texts(k.ISBN), Medium: k.Medium.Text, ReportNumber: k.Report.Text, Sections: sectionTitles(b.Sections),
		LocationLabels: texts(b.Labels), ContributionDate: b.Contribution.pubDate(),
		BeginningDate: k.Beginning.pubDate(), EndingDate: k.Ending.pubDate(), ItemLists: []BookItems{},
	}
	x.authors(a, &a.Book.Authors, k.Authors)
	x.authors(a, &a.Authors, b.Authors)
	if len(a.Authors) == 0 {
		a.Authors = a.Book.Authors
	}
	if a.Title == "" {
		a.Title = a.Book.Title
	}
	for _, l := range b.Items {
		if items := texts(l.Items); len(items) > 0 {
			a.Book.ItemLists = append(a.Book.ItemLists, BookItems{collapse(l.Type), items})
		}
	}
}

func sectionTitles(sections []xSection) []string {
	titles := []string{}
	for _, s := range sections {
		if s.Title.Text != "" {
			titles = append(titles, s.Title.Text)
		}
		titles = append(titles, sectionTitles(s.Sections)...)
	}
	return titles
}

func (x *xRecord) authors(a *Article, to *[]Author, lists []xAuthorList) {
	for _, l := range lists {
		if l.Complete == "N" {
			a.AuthorsComplete = false
		}
		if l.Type == "editors" {
			a.Editors = append(a.Editors, people(l.Authors)...)
		} else {
			*to = append(*to, people(l.Authors)...)
		}
	}
}

func people(xs []xPerson) []Author {
	out := []Author{}
	for _, x := range xs {
		p := Author{
			LastName: x.LastName.Text, ForeName: x.ForeName.Text, Initials: x.Initials.Text, Suffix: x.Suffix.Text,
			CollectiveName: x.CollectiveName.Text, EqualContrib: x.Equal == "Y", Affiliations: texts(x.Affiliations),
		}
		for _, id := range x.Identifiers {
			if strings.EqualFold(id.Attr["Source"], "orcid") && p.ORCID == "" {
				p.ORCID = orcid(id.Text)
			}
		}
		if x.Valid != "N" && p.LastName+p.ForeName+p.CollectiveName != "" {
			out = append(out, p)
		}
	}
	return out
}

func grants(xs []xGrant) []Grant {
	out := []Grant{}
	for _, x := range xs {
		g := Grant{decodedAgain(x.ID.Text), decodedAgain(x.Acronym.Text), decodedAgain(x.Agency.Text), decodedAgain(x.Country.Text)}
		if g != (Grant{}) {
			out = append(out, g)
		}
	}
	return out
}

func (x *xAbstract) sections() []AbstractSection {
	out := []AbstractSection{}
	for _, t := range x.Texts {
		if t.Text != "" {
			out = append(out, AbstractSection{collapse(t.Attr["Label"]), collapse(t.Attr["NlmCategory"]), t.Text})
		}
	}
	return out
}

func pages(a *Article, p xPagination) {
	a.Journal.StartPage, a.Journal.EndPage, a.Journal.Pages = p.Start.Text, p.End.Text, p.Pages.Text
	if a.Journal.Pages == "" {
		a.Journal.Pages = p.Start.Text
		if p.End.Text != "" {
			a.Journal.Pages += "-" + p.End.Text
		}
	}
}

func texts(xs []element) []string {
	out := []string{}
	for _, x := range xs {
		if x.Text != "" {
			out = append(out, x.Text)
		}
	}
	return out
}

func version(pmid element) int {
	if v := pmid.Attr["Version"]; regexp.MustCompile(`^\d{1,4}$`).MatchString(v) {
		n, _ := strconv.Atoi(v)
		return max(n, 1)
	}
	return 1
}
