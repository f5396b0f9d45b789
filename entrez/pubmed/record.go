package pubmed

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"biomcp/entrez/record"
)

// A decoder decodes records into Articles, one after another, and reuses its buffers.
type decoder struct {
	lexer
	plain []byte // the text being written
	gap   bool   // white space follows plain

	refs []Reference // references of the current record
}

// decode decodes one record element. For a list of deletions it returns the PMIDs that could be
// read, even with an error.
func (d *decoder) decode(element []byte) (*Article, []string, error) {
	d.reset(element)
	d.refs = d.refs[:0]
	a := &Article{AuthorsComplete: true}
	var deleted []string
	if d.next() == startTag {
		switch string(d.name) {
		case "DeleteCitation", "DeleteDocument":
			a = nil
			deleted = d.pmids()
		case "BookDocument":
			d.bookDocument(a)
		default: // PubmedArticle, PubmedBookArticle
			d.record(a)
		}
	}
	if d.err == nil && d.i < len(d.b) {
		d.fail("text after the end of the record")
	}
	if a != nil && d.err == nil && !record.ValidPMID(a.PMID) {
		d.fail("%.40q is not a PMID", a.PMID)
	}
	if d.err != nil {
		return a, deleted, d.err
	}
	if a != nil {
		d.finish(a)
	}
	return a, deleted, nil
}

// finish sets the fields that depend on several elements.
func (d *decoder) finish(a *Article) {
	if a.Book != nil {
		finishBook(a)
	}
	a.Abstract = JoinSections(a.Sections)
	if a.Journal.Pages == "" {
		a.Journal.Pages = a.Journal.StartPage
		if a.Journal.EndPage != "" {
			a.Journal.Pages += "-" + a.Journal.EndPage
		}
	}
	for _, id := range a.ArticleIDs {
		switch id.Type {
		case "doi":
			a.DOI = cmp.Or(a.DOI, NormalizeDOI(id.Value))
		case "pmc", "pmcid":
			a.PMCID = cmp.Or(a.PMCID, NormalizePMCID(id.Value))
		}
	}
	for _, l := range a.ELocations {
		if a.DOI == "" && l.Type == "doi" {
			a.DOI = NormalizeDOI(l.Value)
		}
	}
	a.References = slices.Clone(d.refs)
	a.citesAsReferences()
	a.Retracted = slices.Contains(a.PublicationTypes, record.RetractedType) ||
		slices.ContainsFunc(a.Corrections, func(c Correction) bool { return record.IsRetraction(c.Type) })
	fillSlices(a, articleLists())
}

// citesAsReferences moves corrections of type Cites to the references, if there are none yet.
// Records had their references there before 2019.
func (a *Article) citesAsReferences() {
	cites := func(c Correction) bool { return c.Type == "Cites" }
	if len(a.References) == 0 {
		for _, c := range a.Corrections {
			if cites(c) {
				a.References = append(a.References, Reference{Citation: c.Source, PMID: c.PMID})
			}
		}
	}
	a.Corrections = slices.DeleteFunc(a.Corrections, cites)
}

// An emptyList holds the empty value of a list field of Article or Book. Such fields are never nil
// in decoded records.
type emptyList struct {
	field int
	value reflect.Value
}

func emptyLists[T any]() (lists []emptyList) {
	for f := range reflect.TypeFor[T]().Fields() {
		if f.Type.Kind() == reflect.Slice {
			lists = append(lists, emptyList{f.Index[0], reflect.MakeSlice(f.Type, 0, 0)})
		}
	}
	return lists
}

var articleLists, bookLists = sync.OnceValue(emptyLists[Article]), sync.OnceValue(emptyLists[Book])

// fillSlices sets the nil lists of target to empty lists.
func fillSlices[T any](target *T, lists []emptyList) {
	fields := reflect.ValueOf(target).Elem()
	for _, l := range lists {
		if f := fields.Field(l.field); f.IsNil() {
			f.Set(l.value)
		}
	}
}

// record reads the children of a PubmedArticle or PubmedBookArticle.
func (d *decoder) record(a *Article) {
	for d.child() {
		switch string(d.name) {
		case "MedlineCitation":
			d.medlineCitation(a)
		case "BookDocument":
			d.bookDocument(a)
		case "PubmedData", "PubmedBookData":
			d.pubmedData(a)
		default:
			d.skip()
		}
	}
}

func (d *decoder) medlineCitation(a *Article) {
	a.Status = d.attrText("Status")
	a.IndexingMethod = d.attrText("IndexingMethod")
	for d.child() {
		switch string(d.name) {
		case "PMID":
			d.pmid(a)
		case "DateCompleted":
			a.Dates.Completed = d.stamp()
		case "DateRevised":
			a.Dates.LastRevised = d.stamp()
		case "Article":
			d.article(a)
		case "MedlineJournalInfo":
			d.journalInfo(&a.Journal)
		case "ChemicalList":
			d.chemicals(a)
		case "SupplMeshList":
			d.supplMesh(a)
		case "CitationSubset":
			d.appendText(&a.CitationSubsets)
		case "CommentsCorrectionsList":
			d.corrections(a)
		case "GeneSymbolList":
			d.textList(&a.GeneSymbols, "GeneSymbol")
		case "MeshHeadingList":
			d.mesh(a)
		case "PersonalNameSubjectList":
			d.people(&a.PersonalNames, "PersonalNameSubject")
		case "OtherAbstract":
			d.otherAbstract(a)
		case "KeywordList":
			d.textList(&a.Keywords, "Keyword")
		case "CoiStatement":
			a.Coi = d.text()
		case "InvestigatorList":
			d.people(&a.Investigators, "Investigator")
		case "GeneralNote":
			d.appendText(&a.Notes)
		default:
			d.skip()
		}
	}
}

func (d *decoder) article(a *Article) {
	a.PubModel = d.attrText("PubModel")
	for d.child() {
		switch string(d.name) {
		case "Journal":
			d.journal(a)
		case "ELocationID":
			d.eLocation(a)
		case "AuthorList":
			d.authorList(&a.Authors, a)
		case "DataBankList":
			d.dataBanks(a)
		case "PublicationTypeList":
			d.textList(&a.PublicationTypes, "PublicationType")
		case "ArticleDate":
			if kind := d.value("DateType"); len(kind) == 0 || string(kind) == "Electronic" {
				a.ElectronicDate = d.date()
			} else {
				d.skip()
			}
		default:
			d.commonElement(a)
		}
	}
}

// commonElement reads an element that Article and BookDocument have in common.
func (d *decoder) commonElement(a *Article) {
	switch string(d.name) {
	case "ArticleTitle":
		a.Title = d.text()
	case "VernacularTitle":
		a.VernacularTitle = d.text()
	case "Pagination":
		d.pagination(&a.Journal)
	case "Abstract":
		d.abstract(&a.Sections, &a.Copyright)
	case "Language":
		d.appendText(&a.Language)
	case "GrantList":
		d.grants(a)
	default:
		d.skip()
	}
}

func (d *decoder) pubmedData(a *Article) {
	for d.child() {
		switch string(d.name) {
		case "History":
			for d.childNamed("PubMedPubDate") {
				date := a.Dates.Status(string(d.value("PubStatus")))
				if stamp := d.stamp(); date != nil {
					*date = max(*date, stamp)
				}
			}
		case "PublicationStatus":
			a.PublicationStatus = d.text()
		case "ArticleIdList":
			d.articleIDs(a)
		case "ReferenceList":
			d.referenceList()
		default:
			d.skip()
		}
	}
}

// eLocation reads an ELocationID, unless it is marked as wrong.
func (d *decoder) eLocation(a *Article) {
	if string(d.value("ValidYN")) == "N" {
		d.skip()
		return
	}
	l := ELocation{Type: d.attrText("EIdType")}
	if l.Value = d.text(); l.Value != "" {
		a.ELocations = append(a.ELocations, l)
	}
}

func (d *decoder) pmid(a *Article) {
	a.Version = max(1, number(d.value("Version")))
	a.PMID = d.text()
}

// pmids reads the PMIDs of a list of deletions.
func (d *decoder) pmids() []string {
	var ids []string
	wrong := ""
	for d.childNamed("PMID") {
		if id := d.text(); record.ValidPMID(id) {
			ids = append(ids, id)
		} else {
			wrong = fmt.Sprintf("%.40q in a list of deletions is not a PMID", id)
		}
	}
	if wrong != "" {
		d.fail("%s", wrong)
	}
	return ids
}

// A field names an element and the variable for its text.
type field struct {
	name   string
	target *string
}

// texts reads the children of the current element into fields.
func (d *decoder) texts(fields ...field) {
	for d.child() {
		d.fill(fields...)
	}
}

// fill reads the current child into the field of its name, or skips it if there is none.
func (d *decoder) fill(fields ...field) {
	for _, f := range fields {
		if string(d.name) == f.name {
			*f.target = d.text()
			return
		}
	}
	d.skip()
}

// appendText appends the element's text to list, unless it is empty.
func (d *decoder) appendText(list *[]string) {
	if text := d.raw(); len(text) > 0 {
		*list = append(*list, string(text))
	}
}

// textList appends the texts of the children with the given name to list.
func (d *decoder) textList(list *[]string, name string) {
	for d.childNamed(name) {
		d.appendText(list)
	}
}
