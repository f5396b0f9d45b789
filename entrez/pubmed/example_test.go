package pubmed_test

import (
	"errors"
	"fmt"
	"log"
	"strings"

	"biomcp/entrez/pubmed"
)

func ExampleScan() {
	file := strings.NewReader(`<PubmedArticleSet>
<PubmedArticle><MedlineCitation><PMID Version="1">1</PMID><Article><ArticleTitle>Uptake of CO<sub>2</sub>.</ArticleTitle></Article></MedlineCitation></PubmedArticle>
<PubmedArticle><MedlineCitation><PMID Version="1">2</PMID>&broken;</MedlineCitation></PubmedArticle>
<DeleteCitation><PMID Version="1">3</PMID></DeleteCitation>
</PubmedArticleSet>`)
	r, err := pubmed.NewReader(file) // unpacks gzip
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range pubmed.Scan(r) {
		var broken *pubmed.RecordError
		switch {
		case errors.As(err, &broken):
			fmt.Println(broken) // this record is skipped
		case err != nil:
			log.Fatal(err) // not PubMed XML, truncated, or a failed read
		case item.Article != nil:
			fmt.Println(item.Article.PMID, item.Article.Title)
		default:
			fmt.Println("deleted:", item.Deleted)
		}
	}
	// Output:
	// 1 Uptake of CO₂.
	// PubMed record 2: unknown or malformed reference "&broken;"
	// deleted: [3]
}
