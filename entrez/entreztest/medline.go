package entreztest

import (
	"strings"

	"biomcp/entrez/cite"
	"biomcp/entrez/pubmed"
)

const medlineWidth = 88 // columns of the MEDLINE display format

// medline returns a record in the MEDLINE display format (captures medline_pubmed_result*). It is
// the NBIB of package cite without the times that the dates of the history lack. A book is written
// like an article.
func medline(a *pubmed.Article) string {
	article := *a
	article.Book = nil
	text, err := cite.Format("nbib", &article)
	if err != nil {
		panic(err) // the style exists
	}
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), " 00:00", "")
}

// sourceLine returns the SO field: journal, date, volume, DOI.
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
