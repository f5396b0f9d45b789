package pubmed

import "cmp"

// bookDocument reads a BookDocument, which is a chapter or a whole book.
func (d *decoder) bookDocument(a *Article) {
	if a.Book == nil {
		a.Book = &Book{}
	}
	for d.child() {
		switch string(d.name) {
		case "PMID":
			d.pmid(a)
		case "ArticleIdList":
			d.articleIDs(a)
		case "Book":
			d.book(a)
		case "LocationLabel":
			d.appendText(&a.Book.LocationLabels)
		case "AuthorList":
			d.authorList(&a.Authors, a)
		case "InvestigatorList":
			d.people(&a.Investigators, "Investigator")
		case "PublicationType":
			d.appendText(&a.PublicationTypes)
		case "Sections":
			d.sections(a.Book)
		case "KeywordList":
			d.textList(&a.Keywords, "Keyword")
		case "ContributionDate":
			a.Book.ContributionDate = d.date()
		case "DateRevised":
			a.Dates.LastRevised = d.stamp()
		case "ItemList":
			list := BookItems{Type: d.attrText("ListType"), Items: []string{}}
			if d.textList(&list.Items, "Item"); len(list.Items) > 0 {
				a.Book.ItemLists = append(a.Book.ItemLists, list)
			}
		case "ReferenceList":
			d.referenceList()
		default:
			d.commonElement(a)
		}
	}
}

func (d *decoder) book(a *Article) {
	b := a.Book
	for d.child() {
		switch string(d.name) {
		case "Publisher":
			d.texts(field{"PublisherName", &b.Publisher}, field{"PublisherLocation", &b.PublisherLocation})
		case "BookTitle":
			b.Title = d.text()
		case "PubDate":
			a.PublicationDate = d.date()
		case "BeginningDate":
			b.BeginningDate = d.date()
		case "EndingDate":
			b.EndingDate = d.date()
		case "AuthorList":
			d.authorList(&b.Authors, a)
		case "InvestigatorList":
			d.people(&a.Investigators, "Investigator")
		case "Isbn":
			d.appendText(&b.ISBN)
		default:
			d.fill(field{"Volume", &b.Volume}, field{"VolumeTitle", &b.VolumeTitle}, field{"Edition", &b.Edition},
				field{"CollectionTitle", &b.Collection}, field{"Medium", &b.Medium}, field{"ReportNumber", &b.ReportNumber})
		}
	}
}

// sections reads the titles of Section elements, depth first.
func (d *decoder) sections(b *Book) {
	for d.child() {
		switch string(d.name) {
		case "Section":
			d.sections(b)
		case "SectionTitle":
			d.appendText(&b.Sections)
		default:
			d.skip()
		}
	}
}

// finishBook copies the book's title and authors to an article that has no title or authors, and
// sets the accession.
func finishBook(a *Article) {
	b := a.Book
	a.Title = cmp.Or(a.Title, b.Title)
	if len(a.Authors) == 0 {
		a.Authors = b.Authors
	}
	for _, id := range a.ArticleIDs {
		if id.Type == "bookaccession" && b.Accession == "" {
			b.Accession = id.Value
		}
	}
	fillSlices(b, bookLists())
}
