// Package pubmed parses PubMed XML into articles. It reads replies of EFetch and files of the
// yearly baseline or the daily updates as a stream of any length, in constant memory.
//
//	r, err := pubmed.NewReader(file) // decompresses gzip
//	if err != nil {
//		return err
//	}
//	for item, err := range pubmed.Scan(r) {
//		var broken *pubmed.RecordError
//		if errors.As(err, &broken) {
//			log.Print(broken) // this record is skipped
//			continue
//		}
//		if err != nil {
//			return err // not PubMed XML, truncated, or a failed read
//		}
//		if item.Article != nil {
//			fmt.Println(item.Article.PMID, item.Article.Title)
//		}
//	}
//
// The format is NLM's DTD pubmed_250101
// (https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd). Elements are found by name rather
// than by position, so that older files and files written by hand can be read too.
//
// It is not a general XML parser. It only reads UTF-8, expands only XML's five entities and
// character references, and skips all other elements. Package jats reads JATS full text.
package pubmed
