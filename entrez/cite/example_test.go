package cite_test

import (
	"fmt"

	"biomcp/entrez/cite"
	"biomcp/entrez/pubmed"
)

func ExampleFormat() {
	article := &pubmed.Article{ // synthetic
		PMID: "90000001", Title: "Bread and beer.", AuthorsComplete: true,
		Authors:         []pubmed.Author{{LastName: "Rossi", ForeName: "Maria", Initials: "M"}},
		Journal:         pubmed.Journal{Title: "Journal of yeast", ISOAbbreviation: "J Yeast", Volume: "7", Issue: "2", Pages: "101-9"},
		PublicationDate: pubmed.PubDate{Year: 2024, Month: 5},
	}
	for _, style := range []string{"vancouver", "apa"} {
		text, err := cite.Format(style, article)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text)
	}
	// Output:
	// Rossi M. Bread and beer. J Yeast. 2024 May;7(2):101-9. PMID: 90000001.
	// Rossi, M. (2024). Bread and beer. Journal of Yeast, 7(2), 101–109.
}
