// Package record defines what all readers of PubMed records share: PMIDs, dates of limited
// precision, the marks of a retraction and the number of results that PubMed returns. It contains
// no code for a service, a file format or output.
//
//	pmid, err := record.ParsePMID("32051057")
//	date, ok := record.ParseDate("2024-05")
//	date.First().Number(), date.Last().Number() // 20240501, 20240531
//	record.Label(true, "Bread and beer.")       // "RETRACTED: Bread and beer."
//
// Complete records are pubmed.Article, as PubMed sends them, and store.Document, as the corpus
// stores them. To add a field to articles, add it to pubmed.Article, from which JSON follows, and
// parse its XML element. To store it in the corpus too, add a field with the same name to
// store.Document, before LR. It is then copied from the article, stored and read, and documents
// stored earlier are read without it.
package record
