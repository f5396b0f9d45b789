package cite

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"biomcp/entrez/record"
)

// cslItem is an item of CSL-JSON 1.0.2, with the keys of csl-data.json.
type cslItem struct {
	ID                  string    `json:"id"`
	Type                string    `json:"type"`
	Title               string    `json:"title,omitempty"`
	OriginalTitle       string    `json:"original-title,omitempty"`
	Author              []cslName `json:"author,omitempty"`
	Editor              []cslName `json:"editor,omitempty"`
	ContainerTitle      string    `json:"container-title,omitempty"`
	ContainerTitleShort string    `json:"container-title-short,omitempty"`
	CollectionTitle     string    `json:"collection-title,omitempty"`
	Publisher           string    `json:"publisher,omitempty"`
	PublisherPlace      string    `json:"publisher-place,omitempty"`
	Edition             string    `json:"edition,omitempty"`
	Volume              string    `json:"volume,omitempty"`
	Issue               string    `json:"issue,omitempty"`
	Number              string    `json:"number,omitempty"`
	Page                string    `json:"page,omitempty"`
	PageFirst           string    `json:"page-first,omitempty"`
	Issued              *cslDate  `json:"issued,omitempty"`
	AvailableDate       *cslDate  `json:"available-date,omitempty"`
	Genre               string    `json:"genre,omitempty"`
	Status              string    `json:"status,omitempty"`
	Language            string    `json:"language,omitempty"`
	ISSN                string    `json:"ISSN,omitempty"`
	ISBN                string    `json:"ISBN,omitempty"`
	DOI                 string    `json:"DOI,omitempty"`
	PMID                string    `json:"PMID,omitempty"`
	PMCID               string    `json:"PMCID,omitempty"`
	URL                 string    `json:"URL,omitempty"`
	Source              string    `json:"source,omitempty"`
	Keyword             string    `json:"keyword,omitempty"`
	Note                string    `json:"note,omitempty"`
	Abstract            string    `json:"abstract,omitempty"`
}

type cslName struct {
	Family     string `json:"family,omitempty"`
	GivenNames string `json:"given,omitempty"`
	Suffix     string `json:"suffix,omitempty"`
	Literal    string `json:"literal,omitempty"`
}

type cslDate struct {
	Parts  [][]int `json:"date-parts"`
	Season int     `json:"season,omitempty"`
}

// cslJSON formats one item. [JoinEntries] adds the brackets of the list.
func cslJSON(w *work) string {
	item := cslItem{
		ID: "pmid:" + oneLine(w.PMID), Title: w.dataTitle(), OriginalTitle: w.original,
		Author: cslNames(w.people), Editor: cslNames(w.editors),
		Volume: oneLine(w.Journal.Volume), Issue: oneLine(w.Journal.Issue), Number: w.number, Page: formatPages(w.pages, "-"),
		Issued: w.date.csl(), AvailableDate: readDate(w.ElectronicDate).csl(),
		ISSN: oneLine(w.Journal.ISSN), DOI: oneLine(w.DOI), PMID: oneLine(w.PMID), PMCID: oneLine(w.PMCID), URL: w.pubmedURL(),
		Source: "PubMed", Keyword: strings.Join(w.subjects(), ", "), Note: strings.Join(w.remarks(), " "),
		Abstract: oneLine(w.Abstract),
	}
	if len(w.pages) > 0 {
		item.PageFirst = w.pages[0].first
	}
	if len(w.Language) > 0 {
		item.Language, _ = record.Language(w.Language[0])
	}
	switch {
	case w.Retracted:
		item.Status = "retracted"
	case w.aheadOfPrint():
		item.Status = "advance online publication"
	}
	switch w.kind {
	case article:
		item.Type = "article-journal"
		item.ContainerTitle, item.ContainerTitleShort = oneLine(w.Journal.Title), w.journalAbbreviation()
	case preprint:
		item.Type, item.Genre, item.Publisher = "article", "preprint", oneLine(w.Journal.Title)
	case book:
		item.Type = "book"
	case chapter:
		item.Type, item.ContainerTitle = "chapter", w.bookTitle
	}
	if b := w.Book; b != nil {
		item.Publisher, item.PublisherPlace = oneLine(b.Publisher), oneLine(b.PublisherLocation)
		item.Edition, item.CollectionTitle = oneLine(b.Edition), oneLine(b.Collection)
		item.ISBN = oneLine(strings.Join(b.ISBN, " "))
		item.Volume = joinNonEmpty("", item.Volume, oneLine(b.Volume))
		item.URL = cmp.Or(b.URL(), item.URL)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("  ", "  ")
	if err := enc.Encode(item); err != nil {
		panic("cite: " + err.Error()) // cannot happen: strings and numbers only
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func cslNames(list []person) []cslName {
	var out []cslName
	for _, p := range list {
		if p.group != "" {
			out = append(out, cslName{Literal: p.group})
			continue
		}
		out = append(out, cslName{Family: p.family, GivenNames: p.givenNamesOrInitials(), Suffix: p.generation()})
	}
	return out
}

// csl converts a date or a range of two dates. Seasons are 1 to 4, from spring.
func (d date) csl() *cslDate {
	if d.from.year == 0 {
		return nil
	}
	out := &cslDate{Parts: [][]int{d.from.parts()}}
	if (d.to != point{}) {
		out.Parts = append(out.Parts, d.to.parts())
	}
	out.Season = cslSeason(d.season)
	return out
}

// cslSeason returns the number of a season in CSL-JSON, or 0 if the name is unknown.
func cslSeason(name string) int {
	switch strings.ToLower(name) {
	case "spring":
		return 1
	case "summer":
		return 2
	case "fall", "autumn":
		return 3
	case "winter":
		return 4
	}
	return 0
}

func (p point) parts() []int {
	switch {
	case p.month == 0:
		return []int{p.year}
	case p.day == 0:
		return []int{p.year, p.month}
	}
	return []int{p.year, p.month, p.day}
}
