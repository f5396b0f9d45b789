package intake

import (
	"cmp"
	"reflect"
	"strings"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/store"
)

// Article is a document of the corpus as the PubMed record that it was made of, as far as
// the corpus keeps it: of references those in PubMed, by their PMID, and no affiliations.
// What [Document] makes of it again is the same document. In 163 real records, whose bodies
// have 1,546 bytes each, grants take 31 of them, substances 12, and the PMIDs of 46 references
// a record 261. Affiliations would take 158, and the references as printed 5,923.
func Article(d *store.Document) *pubmed.Article {
	a := &pubmed.Article{AuthorsComplete: true}
	copyFields(reflect.ValueOf(a).Elem(), reflect.ValueOf(d).Elem())
	a.PMID, a.Version = d.PMID.String(), d.PMIDVersion
	a.Journal.Abbreviation = d.Journal.MedlineTA
	a.PublicationTypes, a.Language = d.PubTypes, d.Languages
	a.PublicationDate, a.ElectronicDate = pubDate(d.PDat), pubDate(d.Epub)
	a.PublicationDate.MedlineDate, a.PublicationDate.Season = d.MedlineDate, d.Season
	a.Dates.Pubmed, a.Dates.Entrez, a.Dates.LastRevised = stamp(d.EDAT), stamp(d.CRDT), stamp(d.LR)
	for i := range a.Authors {
		a.Authors[i].CollectiveName, a.Authors[i].Affiliations = d.Authors[i].Collective, []string{}
	}
	for _, cited := range d.Cites {
		a.References = append(a.References, pubmed.Reference{PMID: cited.String()})
	}
	for i := range a.Mesh {
		empty(reflect.ValueOf(&a.Mesh[i]).Elem())
	}
	if d.PII != "" {
		a.ELocations = []pubmed.ELocation{{Type: "pii", Value: d.PII}}
	}
	if d.BookTitle != "" || d.Publisher != "" {
		a.Book = &pubmed.Book{Title: cmp.Or(d.BookTitle, d.Title), Publisher: d.Publisher, Authors: []pubmed.Author{}}
		if d.BookTitle != "" {
			a.Book.ContributionDate = pubDate(cmp.Or(d.Epub, d.PDat))
			a.ElectronicDate = pubmed.PubDate{}
		}
	}
	empty(reflect.ValueOf(a).Elem())
	return a
}

// empty makes the lists of a record that are nil empty, as those of a decoded one are.
func empty(v reflect.Value) {
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.IsNil() {
			f.Set(reflect.MakeSlice(f.Type(), 0, 0))
		}
	}
}

func pubDate(text string) pubmed.PubDate {
	d, _ := record.ParseDate(text)
	return pubmed.PubDate{Year: d.Year, Month: d.Month, Day: d.Day}
}

// stamp is a time of a document as pubmed.Dates has it. A midnight may be a day that had no
// hour: it is written as the day.
func stamp(t string) string {
	t = strings.TrimSuffix(strings.TrimSuffix(t, "Z"), ":00")
	return strings.TrimSuffix(t, "T00:00")
}
