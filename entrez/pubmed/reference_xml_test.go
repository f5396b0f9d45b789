package pubmed

import (
	"encoding/xml"
)

// The reference decoder: the DTD as structs for encoding/xml. It is slow and simple, and shares no
// code with the scanner. It stops at the first error.

type xDate struct {
	Status      string  `xml:"PubStatus,attr"`
	Kind        string  `xml:"DateType,attr"`
	Year        element `xml:"Year"`
	Month       element `xml:"Month"`
	Day         element `xml:"Day"`
	Hour        element `xml:"Hour"`
	Minute      element `xml:"Minute"`
	Season      element `xml:"Season"`
	MedlineDate element `xml:"MedlineDate"`
}

type xPerson struct {
	Valid          string    `xml:"ValidYN,attr"`
	Equal          string    `xml:"EqualContrib,attr"`
	LastName       element   `xml:"LastName"`
	ForeName       element   `xml:"ForeName"`
	Initials       element   `xml:"Initials"`
	Suffix         element   `xml:"Suffix"`
	CollectiveName element   `xml:"CollectiveName"`
	Identifiers    []element `xml:"Identifier"`
	Affiliations   []element `xml:"AffiliationInfo>Affiliation"`
}

type xAuthorList struct {
	Complete string    `xml:"CompleteYN,attr"`
	Type     string    `xml:"Type,attr"`
	Authors  []xPerson `xml:"Author"`
}

type xAbstract struct {
	Type      string    `xml:"Type,attr"`
	Language  string    `xml:"Language,attr"`
	Texts     []element `xml:"AbstractText"`
	Copyright element   `xml:"CopyrightInformation"`
}

type xReferences struct {
	List []xReference
}

type xReference struct {
	Citation element   `xml:"Citation"`
	IDs      []element `xml:"ArticleIdList>ArticleId"`
}

type xSection struct {
	Title    element    `xml:"SectionTitle"`
	Sections []xSection `xml:"Section"`
}

type xPagination struct {
	Start element `xml:"StartPage"`
	End   element `xml:"EndPage"`
	Pages element `xml:"MedlinePgn"`
}

type xGrant struct {
	ID      element `xml:"GrantID"`
	Acronym element `xml:"Acronym"`
	Agency  element `xml:"Agency"`
	Country element `xml:"Country"`
}

type xRecord struct {
	Citation struct {
		Status    string  `xml:"Status,attr"`
		Indexing  string  `xml:"IndexingMethod,attr"`
		PMID      element `xml:"PMID"`
		Completed xDate   `xml:"DateCompleted"`
		Revised   xDate   `xml:"DateRevised"`
		Article   struct {
			PubModel string `xml:"PubModel,attr"`
			Journal  struct {
				ISSN  []element `xml:"ISSN"`
				Issue struct {
					Medium string  `xml:"CitedMedium,attr"`
					Volume element `xml:"Volume"`
					Issue  element `xml:"Issue"`
					Date   xDate   `xml:"PubDate"`
				} `xml:"JournalIssue"`
				Title element `xml:"Title"`
				ISO   element `xml:"ISOAbbreviation"`
			} `xml:"Journal"`
			Title      element       `xml:"ArticleTitle"`
			Vernacular element       `xml:"VernacularTitle"`
			Pagination xPagination   `xml:"Pagination"`
			ELocations []element     `xml:"ELocationID"`
			Abstract   xAbstract     `xml:"Abstract"`
			Authors    []xAuthorList `xml:"AuthorList"`
			Languages  []element     `xml:"Language"`
			DataBanks  []struct {
				Name       element   `xml:"DataBankName"`
				Accessions []element `xml:"AccessionNumberList>AccessionNumber"`
			} `xml:"DataBankList>DataBank"`
			Grants []xGrant  `xml:"GrantList>Grant"`
			Types  []element `xml:"PublicationTypeList>PublicationType"`
			Dates  []xDate   `xml:"ArticleDate"`
		} `xml:"Article"`
		Journal struct {
			Country element `xml:"Country"`
			TA      element `xml:"MedlineTA"`
			NLM     element `xml:"NlmUniqueID"`
			Linking element `xml:"ISSNLinking"`
		} `xml:"MedlineJournalInfo"`
		Chemicals []struct {
			Registry element `xml:"RegistryNumber"`
			Name     element `xml:"NameOfSubstance"`
		} `xml:"ChemicalList>Chemical"`
		Suppl       []element `xml:"SupplMeshList>SupplMeshName"`
		Subsets     []element `xml:"CitationSubset"`
		Corrections []struct {
			Type   string  `xml:"RefType,attr"`
			Source element `xml:"RefSource"`
			PMID   element `xml:"PMID"`
			Note   element `xml:"Note"`
		} `xml:"CommentsCorrectionsList>CommentsCorrections"`
		Genes []element `xml:"GeneSymbolList>GeneSymbol"`
		Mesh  []struct {
			Descriptor element   `xml:"DescriptorName"`
			Qualifiers []element `xml:"QualifierName"`
		} `xml:"MeshHeadingList>MeshHeading"`
		Names          []xPerson   `xml:"PersonalNameSubjectList>PersonalNameSubject"`
		OtherAbstracts []xAbstract `xml:"OtherAbstract"`
		Keywords       []element   `xml:"KeywordList>Keyword"`
		Coi            element     `xml:"CoiStatement"`
		Investigators  []xPerson   `xml:"InvestigatorList>Investigator"`
		Notes          []element   `xml:"GeneralNote"`
	} `xml:"MedlineCitation"`
	Data xData  `xml:"PubmedData"`
	Book *xBook `xml:"BookDocument"`
	More xData  `xml:"PubmedBookData"`
}

type xData struct {
	History    []xDate     `xml:"History>PubMedPubDate"`
	Status     element     `xml:"PublicationStatus"`
	IDs        []element   `xml:"ArticleIdList>ArticleId"`
	References xReferences `xml:"ReferenceList"`
}

type xBook struct {
	PMID element   `xml:"PMID"`
	IDs  []element `xml:"ArticleIdList>ArticleId"`
	Book struct {
		Publisher     element       `xml:"Publisher>PublisherName"`
		Location      element       `xml:"Publisher>PublisherLocation"`
		Title         element       `xml:"BookTitle"`
		Date          xDate         `xml:"PubDate"`
		Beginning     xDate         `xml:"BeginningDate"`
		Ending        xDate         `xml:"EndingDate"`
		Authors       []xAuthorList `xml:"AuthorList"`
		Investigators []xPerson     `xml:"InvestigatorList>Investigator"`
		Volume        element       `xml:"Volume"`
		VolumeTitle   element       `xml:"VolumeTitle"`
		Edition       element       `xml:"Edition"`
		Collection    element       `xml:"CollectionTitle"`
		ISBN          []element     `xml:"Isbn"`
		Medium        element       `xml:"Medium"`
		Report        element       `xml:"ReportNumber"`
	} `xml:"Book"`
	Labels        []element     `xml:"LocationLabel"`
	Title         element       `xml:"ArticleTitle"`
	Vernacular    element       `xml:"VernacularTitle"`
	Pagination    xPagination   `xml:"Pagination"`
	Languages     []element     `xml:"Language"`
	Authors       []xAuthorList `xml:"AuthorList"`
	Investigators []xPerson     `xml:"InvestigatorList>Investigator"`
	Types         []element     `xml:"PublicationType"`
	Abstract      xAbstract     `xml:"Abstract"`
	Sections      []xSection    `xml:"Sections>Section"`
	Keywords      []element     `xml:"KeywordList>Keyword"`
	Contribution  xDate         `xml:"ContributionDate"`
	Revised       xDate         `xml:"DateRevised"`
	Grants        []xGrant      `xml:"GrantList>Grant"`
	Items         []struct {
		Type  string    `xml:"ListType,attr"`
		Items []element `xml:"Item"`
	} `xml:"ItemList"`
	References xReferences `xml:"ReferenceList"`
}

// UnmarshalXML collects the references of nested lists in document order.
func (r *xReferences) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			switch t.Name.Local {
			case "Reference":
				var one xReference
				if err := d.DecodeElement(&one, &t); err != nil {
					return err
				}
				r.List = append(r.List, one)
			case "ReferenceList":
				err = d.DecodeElement(r, &t)
			default:
				err = d.Skip()
			}
			if err != nil {
				return err
			}
		}
	}
}
