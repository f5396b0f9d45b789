package entreztest

import (
	"strings"

	"biomcp/entrez/cite"
	"biomcp/entrez/pubmed"
)

const medlineWidth = 88 // columns of the MEDLINE display format

// medline writes a record in the MEDLINE display format (captures
// medline_pubmed_result*), which is the NBIB of package cite without the hours
// that a date of the history does not have. A book is written as an article is.
func medline(a *pubmed.Article) string {
	article := *a
	article.Book = nil
	text, err := cite.Format("nbib", &article)
	if err != nil {
		panic(err) // the style exists
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), " 00:00", "")
}

// sourceLine is the SO field: journal, date, volume, DOI.
func sourceLine(a *pubmed.Article) string {
	out := a.Journal.Abbreviation + ". " + source(a) + "."
	if a.DOI != "" {
		out += " doi: " + a.DOI + "."
	}
	if a.ElectronicDate.Year != 0 && a.PubModel == "Print-Electronic" {
		out += " Epub " + dateText(a.ElectronicDate) + "."
	}
	return out
}
