package intake

import (
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// UIDs of the MeSH check tags that tell what a study is about
// (https://meshb.nlm.nih.gov).
const (
	meshHumans  = "D006801"
	meshAnimals = "D000818"
)

// Document is a PubMed record as the corpus keeps it, without its chunks. Dates
// are written as the record has them: a time with Z behind it, though PubMed's
// times carry no zone, a missing hour as 00:00. EDAT is the date of PubStatus
// pubmed, CRDT of PubStatus entrez, LR is DateRevised. Human and Animal are the
// MeSH check tags, Indexed is status MEDLINE.
func Document(a *pubmed.Article) (*store.Document, error) {
	pmid, err := record.ParsePMID(a.PMID)
	if err != nil {
		return nil, err
	}
	d := &store.Document{
		PMID: pmid, PMIDVersion: max(a.Version, 1),
		Title: a.Title, VernacularTitle: a.VernacularTitle, Abstract: a.Abstract,
		Journal: store.Journal{
			Title: a.Journal.Title, ISOAbbreviation: a.Journal.ISOAbbreviation, MedlineTA: a.Journal.Abbreviation,
			NLMID: a.Journal.NLMID, ISSN: a.Journal.ISSN, Volume: a.Journal.Volume, Issue: a.Journal.Issue, Pages: a.Journal.Pages,
		},
		PubTypes: a.PublicationTypes, Keywords: a.Keywords, Languages: a.Language,
		DOI: a.DOI, PMCID: a.PMCID,
		PDat: a.PublicationDate.String(), MedlineDate: a.PublicationDate.MedlineDate, Epub: a.ElectronicDate.String(),
		EDAT: timestamp(a.Dates.Pubmed), CRDT: timestamp(a.Dates.Entrez), LR: timestamp(a.Dates.LastRevised),
		Status: a.Status, Retracted: a.Retracted, Indexed: a.Status == "MEDLINE",
	}
	for _, s := range a.Sections {
		d.Sections = append(d.Sections, store.Section(s))
	}
	for _, p := range a.Authors {
		d.Authors = append(d.Authors, store.Author{
			LastName: p.LastName, ForeName: p.ForeName, Initials: p.Initials, Suffix: p.Suffix,
			Collective: p.CollectiveName, ORCID: p.ORCID,
		})
	}
	for _, m := range a.Mesh {
		h := store.Heading{Descriptor: m.Descriptor, UI: m.UI, Major: m.Major}
		for _, q := range m.Qualifiers {
			h.Qualifiers = append(h.Qualifiers, q.Name)
		}
		d.Mesh = append(d.Mesh, h)
		d.Human = d.Human || m.UI == meshHumans || m.Descriptor == "Humans"
		d.Animal = d.Animal || m.UI == meshAnimals || m.Descriptor == "Animals"
	}
	for _, c := range a.Corrections {
		d.Corrections = append(d.Corrections, store.Correction{Type: c.Type, PMID: c.PMID, Source: c.Source, Note: c.Note})
	}
	if b := a.Book; b != nil {
		d.Publisher = b.Publisher
		if b.Title != a.Title {
			d.BookTitle = b.Title
		}
		if d.PDat == "" {
			d.PDat = b.ContributionDate.String()
		}
	}
	if d.PDat == "" {
		d.PDat = d.Epub
	}
	d.Facts = rag.Facts(d)
	return d, nil
}

// timestamp writes a date of pubmed.Dates as RFC 3339; "" where no whole day is
// known.
func timestamp(date string) string {
	switch len(date) {
	case len("2006-01-02"):
		return date + "T00:00:00Z"
	case len("2006-01-02T15:04"):
		return date + ":00Z"
	}
	return ""
}
