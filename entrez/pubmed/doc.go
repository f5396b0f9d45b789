// Package pubmed turns PubMed XML into articles: the reply of EFetch, a file of
// the yearly baseline or of the daily updates, as a stream of any length in
// constant memory.
//
//	r, err := pubmed.NewReader(file) // unpacks gzip
//	if err != nil {
//		return err
//	}
//	for item, err := range pubmed.Scan(r) {
//		var broken *pubmed.RecordError
//		if errors.As(err, &broken) {
//			log.Print(broken) // this record is lost, the others are not
//			continue
//		}
//		if err != nil {
//			return err // not PubMed XML, cut short, or a failed read
//		}
//		if item.Article != nil {
//			fmt.Println(item.Article.PMID, item.Article.Title)
//		}
//	}
//
// The format is NLM's DTD pubmed_250101
// (https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd). Elements are found
// by name and not by position, so older files and hand-made ones are read too.
//
// It is not a general XML parser: it reads UTF-8 only, expands no entity but
// XML's five and character references, and passes over every element it has no
// use for. JATS full text is the work of package jats.
package pubmed
