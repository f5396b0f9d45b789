package pubmed

import (
	"bytes"
	"os"
	"reflect"
	"testing"
)

func synthetics(t testing.TB, name string) []Item {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	got, broken, final := scanned(bytes.NewReader(data))
	if len(broken) > 0 || final != nil {
		t.Fatal(broken, final)
	}
	return got
}

func TestSyntheticRecordsEqualReference(t *testing.T) {
	for _, name := range []string{"articles.xml", "books.xml"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := referenceScan(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			got := synthetics(t, name)
			if len(got) != len(want) {
				t.Fatalf("%s: %d items, %d by encoding/xml", name, len(got), len(want))
			}
			for i := range got {
				if d := diff(got[i], want[i]); d != "" {
					t.Errorf("%s, item %d: %s", name, i, d)
				}
			}
		})
	}
}

// equal compares with values written out in this file, so that an error in both decoders is found
// too.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %s\nwant %s", what, show(got), show(want))
	}
}

func TestArticle(t *testing.T) {
	got := synthetics(t, "articles.xml")
	if len(got) != 4 {
		t.Fatal(len(got), "items")
	}
	nobody := func(last, fore, initials string) Author {
		return Author{LastName: last, ForeName: fore, Initials: initials, Affiliations: []string{}}
	}
	ann := Author{
		LastName: "O'Example", ForeName: "Ann Béla", Initials: "AB", Suffix: "3ʳᵈ", ORCID: "0000-0002-1825-0097",
		EqualContrib: true, Affiliations: []string{"Dept A, Example City.", "²Dept B."},
	}
	compact := nobody("Compact", "", "X")
	compact.ORCID = "0000-0002-1694-233X"
	group := nobody("", "", "")
	group.CollectiveName = "The Synthetic Study Group"
	want := &Article{
		PMID: "99000001", Version: 2,
		Title:           "Uptake of ¹⁸F-FDG and CO₂ in Apoe⁻/⁻ mice: a 10⁻³\u2009mol trial <pilot>.",
		VernacularTitle: "Über Beispiele.",
		Abstract: "BACKGROUND & AIMS: We asked whether\u00a0x_(a,b) matters.\n\n" +
			"RESULTS: p < 0.05 & \"k\" > 3 held at K_(d).\n\nIt does.",
		Sections: []AbstractSection{
			{"BACKGROUND & AIMS", "BACKGROUND", "We asked whether\u00a0x_(a,b) matters."},
			{"RESULTS", "RESULTS", `p < 0.05 & "k" > 3 held at K_(d).`},
			{"", "", "It does."},
		},
		Copyright: "© 2020 Nobody.",
		OtherAbstracts: []OtherAbstract{
			{"plain-language-summary", "eng", []AbstractSection{{"WHAT", "", "In plain words."}}, "Free."},
			{"Publisher", "eng", []AbstractSection{{"", "", "Again."}}, ""},
		},
		Authors:       []Author{ann, nobody("Wrong", "Check", "C"), compact, group},
		Editors:       []Author{},
		Investigators: []Author{nobody("Site", "S", "S")},
		PersonalNames: []Author{nobody("Subject", "Sue", "S")},
		Journal: Journal{
			Title: "Synthetic journal of & examples", ISOAbbreviation: "Synth J Ex", Abbreviation: "Synth J Ex",
			ISSN: "1111-2222", ISSNType: "Electronic", ISSNLinking: "1111-2223", Volume: "12", Issue: "Suppl 1",
			Pages: "737-48", StartPage: "737", EndPage: "748", NLMID: "0000001", Country: "Exampleland", Medium: "Internet",
		},
		PublicationDate: PubDate{Year: 2020, Month: 9, Day: 5},
		ElectronicDate:  PubDate{Year: 2020, Month: 8, Day: 30},
		Dates: Dates{
			Received: "2020-01-02", Revised: "2020-05-06", Accepted: "2020-02", Entrez: "2020-08-29T12:05",
			Pubmed: "2020-08-30T06:00", Medline: "2021-03-05T06:01", PMCRelease: "2021-09-01", Retracted: "2022-12-01",
			Completed: "2021-03-04", LastRevised: "2022-12-31",
		},
		PublicationTypes: []string{"Journal Article", "Retracted Publication"},
		Keywords:         []string{"H₂O", "water", "wet"},
		Mesh: []Mesh{
			{"Exampleland", "D000002", false, []Qualifier{}},
			{"Examples", "D000003", true, []Qualifier{{"therapy", "Q000001", true}, {"history", "Q000002", false}}},
		},
		SupplMesh:   []SupplMesh{{"Example disease", "C000001", "Disease"}},
		Chemicals:   []Chemical{{"Example acid", "D000001", "0"}},
		GeneSymbols: []string{"exa-1"},
		DataBanks:   []DataBank{{"ClinicalTrials.gov", []string{"NCT00000000", "NCT00000001"}}},
		Grants: []Grant{
			{"R01 & more", "HL", "NHLBI & NIH <HHS>", "United States"},
			{"", "", "Fund R&D &eacute; & Co", ""},
		},
		Corrections: []Correction{{"RetractionIn", "Synth J Ex. 2022;14:1", "99000009", "by the editors"}},
		References: []Reference{
			{"First cited work. 2001.", "99000101", "10.5555/foreign.1", "PMC9000101"},
			{"Second.", "", "10.5555/foreign.2", ""},
		},
		Notes: []string{"Original DateCompleted: 20210304"},
		DOI:   "10.5555/own", PMCID: "PMC9000001",
		ArticleIDs: []ArticleID{{"pubmed", "99000001"}, {"pmc", "9000001"}, {"doi", "10.5555/own"}, {"pii", "S1111"}},
		ELocations: []ELocation{{"pii", "S1111"}, {"doi", "10.5555/elocation"}},
		Language:   []string{"eng", "ger"},
		Status:     "MEDLINE", IndexingMethod: "Curated", PublicationStatus: "ppublish", PubModel: "Print-Electronic",
		CitationSubsets: []string{"IM"}, Coi: "None declared.", Retracted: true,
	}
	if d := diff(got[0], Item{Article: want}); d != "" {
		t.Error(d)
	}

	old := got[1].Article
	equal(t, "MedlineDate", old.PublicationDate, PubDate{Year: 1998, MedlineDate: "1998 Dec-1999 Jan"})
	equal(t, "DOI of ELocationID", old.DOI, "10.5555/fallback")
	equal(t, "ELocationID without ValidYN", old.ELocations, []ELocation{{"doi", "doi:10.5555/fallback"}})
	equal(t, "Cites", old.References, []Reference{{Citation: "Cited long ago", PMID: "99000102"}})
	equal(t, "corrections", old.Corrections, []Correction{{Type: "ErratumIn", Source: "Erratum"}})
	equal(t, "retracted", old.Retracted, false)
	equal(t, "default IdType", old.ArticleIDs, []ArticleID{{"pubmed", "99000002"}})
	equal(t, "authors", old.Authors, []Author{})
	equal(t, "authors complete", old.AuthorsComplete, true)

	formulas := got[2].Article
	equal(t, "title", formulas.Title, "[Formulas].")
	equal(t, "MathML", formulas.Abstract, "Given x²+(a+b)/2, ∑ᵢ₌₁ⁿxᵢ and ¹³¹I; x\u0304=√(y−1)[1;2].")
	equal(t, "season", formulas.PublicationDate, PubDate{Year: 2019, Season: "Winter-Spring"})
	equal(t, "pages", formulas.Journal.Pages, "e12")

	equal(t, "deletion", got[3].Deleted, []string{"99000004", "99000005"})
}

func TestBook(t *testing.T) {
	got := synthetics(t, "books.xml")
	if len(got) != 3 {
		t.Fatal(len(got), "items")
	}
	person := func(last, fore, initials string) []Author {
		return []Author{{LastName: last, ForeName: fore, Initials: initials, Affiliations: []string{}}}
	}
	a := got[0].Article
	equal(t, "book", a.Book, &Book{
		Title: "Examples® of Disease", Authors: person("Booker", "Bea", "B"), Publisher: "University of Examples",
		PublisherLocation: "Example City", Volume: "2", VolumeTitle: "More", Edition: "3rd", Collection: "Collected",
		ISBN: []string{"9780000000001", "0000000002"}, Medium: "Internet", ReportNumber: "R-1",
		Sections: []string{"Diagnosis", "Testing", "Management"}, LocationLabels: []string{"Chapter 7"},
		ContributionDate: PubDate{Year: 2001, Month: 2, Day: 3}, BeginningDate: PubDate{Year: 1993, Month: 10},
		EndingDate: PubDate{Year: 2024, Season: "Fall"}, Accession: "NBK000001",
		ItemLists: []BookItems{{"Synonyms", []string{"Sample syndrome", "ES"}}},
	})
	equal(t, "title", a.Title, "Example Syndrome")
	equal(t, "authors", a.Authors, person("Writer", "Will", "W"))
	equal(t, "editors", a.Editors, person("Editor", "Ed", "E"))
	equal(t, "date", a.PublicationDate, PubDate{Year: 1993})
	equal(t, "abstract", a.Abstract, "CLINICAL CHARACTERISTICS: Mild.")
	equal(t, "dates", a.Dates, Dates{Pubmed: "2011-01-01T00:00", LastRevised: "2020-04-05"})
	equal(t, "DOI", a.DOI, "10.5555/chapter")
	equal(t, "ids", a.ArticleIDs, []ArticleID{{"bookaccession", "NBK000001"}, {"pubmed", "99100001"}, {"doi", "10.5555/chapter"}})
	equal(t, "types", a.PublicationTypes, []string{"Review"})
	equal(t, "grants", a.Grants, []Grant{{ID: "G1", Agency: "Fund"}})
	equal(t, "references", a.References, []Reference{{Citation: "Cited.", DOI: "10.5555/foreign"}})

	whole := got[1].Article
	equal(t, "title of a whole book", whole.Title, "A Whole Book")
	equal(t, "authors of a whole book", whole.Authors[0].Name(), "Panel on Examples")
	equal(t, "date of a whole book", whole.PublicationDate.String(), "2015-09")
	equal(t, "deletion", got[2].Deleted, []string{"99100003"})
}
