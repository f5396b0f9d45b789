// Package rag searches passages of the local corpus by words and by meaning.
//
// It cuts abstracts into chunks, computes their vectors, parses queries, fuses the hits
// of the two searches of an engine, and grades the quality of evidence of documents.
// Terms come from rag/analyze. The vectors of the default embedder come from rag/lsa,
// joined to a table of token vectors (rag/static) if one is configured. Engines
// implement Index and pass the conformance suite in rag/ragtest.
//
// A search has three steps beyond BM25 and cosine similarity, each measured in
// rag/evaluate/RESULTS.md:
//
//   - A word that occurs n times in a query weighs 1 + ln n.
//   - Hits by meaning are compared with the first five documents too, by the cubes of their
//     scores (compareAgain), and those of a query of more than eight terms by their MeSH
//     headings as well (byHeadings).
//   - A title is one more term of its first chunk, so that a query equal to a title finds
//     that document first (titleShare).
//
// Package rag does not store documents (store), fetch them (entrez) or show results.
//
//	rag.NewCutter().Cut(doc)
//	for _, c := range doc.Chunks {
//		fmt.Println(c.ID, rag.UUID(doc.PMID, c.ID), c.Text)
//	}
package rag
