package cite

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// bookChapter is a synthetic chapter in the manner of GeneReviews.
func bookChapter() *pubmed.Article {
	return &pubmed.Article{
		PMID: "90000020", Title: "Heat Intolerance", AuthorsComplete: true, Language: []string{"eng"},
		Authors:         []pubmed.Author{{LastName: "Ong", ForeName: "Tai", Initials: "T"}},
		Editors:         []pubmed.Author{{LastName: "Adam", ForeName: "Mara P", Initials: "MP"}, {LastName: "Bean", ForeName: "Lo", Initials: "L"}},
		PublicationDate: pubmed.PubDate{Year: 1993}, Dates: pubmed.Dates{LastRevised: "2024-08-08"},
		ArticleIDs: []pubmed.ArticleID{{Type: "bookaccession", Value: "NBK99"}},
		Book: &pubmed.Book{
			Title: "SyntheticReviews", Publisher: "University of Nowhere", PublisherLocation: "Nowhere (NO)", Medium: "Internet", Accession: "NBK99",
			Edition: "2nd edition", ISBN: []string{"9780000000002"},
			BeginningDate: pubmed.PubDate{Year: 1993}, EndingDate: pubmed.PubDate{Year: 2024}, ContributionDate: pubmed.PubDate{Year: 2001, Month: 3, Day: 26},
		},
	}
}

func TestChapter(t *testing.T) {
	prose(t, "chapter", bookChapter(),
		"Ong, T. (2001). Heat Intolerance. In M. P. Adam & L. Bean (Eds.), *SyntheticReviews* (2nd ed.). University of Nowhere. https://www.ncbi.nlm.nih.gov/books/NBK99/",
		`Ong, Tai. "Heat Intolerance." *SyntheticReviews*, edited by Mara P. Adam and Lo Bean, 2nd ed., University of Nowhere, 26 Mar. 2001, https://www.ncbi.nlm.nih.gov/books/NBK99/.`,
		"Ong T. Heat Intolerance. 2001 Mar 26 [updated 2024 Aug 8]. In: Adam MP, Bean L, editors. SyntheticReviews [Internet]. 2nd ed. Nowhere (NO): University of Nowhere; 1993-2024. PMID: 90000020. Available from: https://www.ncbi.nlm.nih.gov/books/NBK99/")
	for style, parts := range map[string][]string{
		"ris":      {"TY  - CHAP\n", "ED  - Adam, Mara P\n", "TI  - Heat Intolerance\nT2  - SyntheticReviews\nPY  - 2001\nDA  - 2001/03/26/\n", "PB  - University of Nowhere\nCY  - Nowhere (NO)\nSN  - 9780000000002\n", "UR  - https://www.ncbi.nlm.nih.gov/books/NBK99/\n"},
		"bibtex":   {"@inbook{pmid90000020,", "editor    = {Adam, Mara P and Bean, Lo},", "booktitle = {{SyntheticReviews}},", "publisher = {University of Nowhere},", "isbn      = {9780000000002},"},
		"nbib":     {"PMID- 90000020\nSTAT- Publisher\nDRDT- 20240808\nCTDT- 20010326\nPB  - University of Nowhere\n", "TI  - Heat Intolerance\nBTI - SyntheticReviews\n", "FED - Adam, Mara P\nED  - Adam MP\n", "AID - NBK99 [bookaccession]\n"},
		"csl-json": {`"type": "chapter"`, `"container-title": "SyntheticReviews"`, `"editor": [`, `"ISBN": "9780000000002"`, `"publisher-place": "Nowhere (NO)"`},
	} {
		t.Run(style, func(t *testing.T) {
			got := must(t, style, bookChapter())
			for _, part := range parts {
				if !strings.Contains(got, part) {
					t.Errorf("%s has no %q:\n%s", style, part, got)
				}
			}
		})
	}
}

func TestWholeBook(t *testing.T) {
	whole := bookChapter()
	whole.Title, whole.Authors = whole.Book.Title, nil
	whole.Book.ContributionDate, whole.Book.BeginningDate, whole.Book.EndingDate = pubmed.PubDate{}, pubmed.PubDate{}, pubmed.PubDate{}
	whole.Book.Edition, whole.Book.Volume = "3", "2"
	prose(t, "book of editors", whole,
		"Adam, M. P., & Bean, L. (Eds.). (1993). *SyntheticReviews* (3rd ed., Vol. 2). University of Nowhere. https://www.ncbi.nlm.nih.gov/books/NBK99/",
		"Adam, Mara P., and Lo Bean, editors. *SyntheticReviews*. 3rd ed., vol. 2, University of Nowhere, 1993, https://www.ncbi.nlm.nih.gov/books/NBK99/.",
		"Adam MP, Bean L, editors. SyntheticReviews [Internet]. 3rd ed. Vol. 2. Nowhere (NO): University of Nowhere; 1993. PMID: 90000020. Available from: https://www.ncbi.nlm.nih.gov/books/NBK99/")
	for style, part := range map[string]string{
		"ris": "TY  - BOOK\n", "bibtex": "@book{pmid90000020,", "csl-json": `"type": "book"`, "nbib": "BTI - SyntheticReviews\n",
	} {
		t.Run(style, func(t *testing.T) {
			if got := must(t, style, whole); !strings.Contains(got, part) || strings.Contains(got, "T2  -") || strings.Contains(got, "booktitle") {
				t.Errorf("%s has no %q:\n%s", style, part, got)
			}
		})
	}
}

func TestEdition(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "2": "2nd ed.", "3rd": "3rd ed.", "11": "11th ed.", "21": "21st ed.", "2nd edition": "2nd ed.", "4th ed.": "4th ed.", "Revised Edition": "Revised ed.",
	} {
		t.Run(in, func(t *testing.T) {
			if got := edition(in); got != want {
				t.Errorf("%q: %q, want %q", in, got, want)
			}
		})
	}
}

func TestNumberOfEditors(t *testing.T) {
	for n, want := range map[int]string{
		0: "In SyntheticReviews", 1: "In S. E1 (Ed.), S", 2: "In S. E1 & S. E2 (Eds.), S", 3: "In S. E1, S. E2, & S. E3 (Eds.), S",
		20: "S. E18, S. E19, & S. E20 (Eds.), S", 21: "S. E18, S. E19, … S. E21 (Eds.), S", 30: "S. E19, … S. E30 (Eds.), S",
	} {
		c := bookChapter()
		c.Editors = nil
		for i := range n {
			c.Editors = append(c.Editors, pubmed.Author{LastName: fmt.Sprint("E", i+1), Initials: "S"})
		}
		if got := must(t, "apa", c); !strings.Contains(got, want) || n > 20 && strings.Contains(got, "E20") {
			t.Errorf("%d editors: %s, want %q", n, got, want)
		}
	}
}

// Only a book of no authors has its editors in their place.
func TestEditorsAreNotAuthors(t *testing.T) {
	chapter, whole := bookChapter(), bookChapter()
	chapter.Authors, whole.Title = nil, whole.Book.Title
	for name, c := range map[string]struct {
		a    *pubmed.Article
		want string
	}{
		"chapter without authors": {chapter, "Heat Intolerance. (2001). In M. P. Adam & L. Bean (Eds.), S"},
		"book of an author":       {whole, "Ong, T. (1993). SyntheticReviews"},
	} {
		if got := must(t, "apa", c.a); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %q first", name, got, c.want)
		}
	}
}
