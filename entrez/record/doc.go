// Package record is the vocabulary that every reader of PubMed records shares:
// what a PMID is, what a date of some precision is and which days it spans, how a
// retraction is recognised and shown, and how many results PubMed gives out.
// Each of these is decided here and nowhere else. It knows no service, no file
// and no layout of output.
//
//	pmid, err := record.ParsePMID("32051057")
//	date, ok := record.ParseDate("2024-05")
//	date.First().Number(), date.Last().Number() // 20240501, 20240531
//	record.Label(true, "Bread and beer.")       // "RETRACTED: Bread and beer."
//
// Records themselves are pubmed.Article, as PubMed has them, and store.Document,
// as the corpus keeps them. A new field of an article is two edits: the field of
// pubmed.Article, from which JSON follows, and the XML element that fills it. One
// that the corpus keeps too is three: a field of store.Document with the same
// name, the last one before LR, is copied from the article, stored and read back,
// and documents stored earlier are read without it.
package record
