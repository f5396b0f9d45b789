// Package rag searches passages of the local corpus by words and by meaning.
//
// It cuts abstracts into chunks, computes their vectors, parses queries, fuses the
// hits of the two searches of an engine, and assesses the quality of evidence of
// documents. Terms come from rag/analyze, the vectors of the default embedder from
// rag/lsa, joined to a table of token vectors (rag/static) where one is named. Engines
// implement Index and pass the conformance suite in rag/ragtest.
//
// Retrieval quality, with nothing tuned except the shares (SharesOf) and lsa.Dim, all
// round numbers (PubMedQA: 1,000 abstracts and as many questions; MED: 1,033 abstracts,
// 30 questions; `go run ./build eval DIR` measures any such collection, package
// evaluate):
//
//	                    nDCG@10  MAP    recall@100  MRR
//	PubMedQA  words      0.989  0.986     0.998    0.986
//	          meaning    0.976  0.969     0.999    0.969
//	          both       0.989  0.986     0.998    0.986
//	MED       words      0.697  0.519     0.804    0.896
//	          meaning    0.775  0.675     0.933    0.875
//	          both       0.757  0.642     0.927    0.889
//
// Plain SQLite FTS5 (porter, any word, title weight 2) has nDCG@10 0.976 on the
// first and nDCG@10 0.690, MAP 0.513 on the second. The MAP of both on MED is 0.626
// with 0.4 for meaning and 0.657 with 0.6; on PubMedQA it changes by 0.002 at most.
// On random parts of 60, 150 and 300 documents of both collections, both is better
// than words alone by up to 0.07, and never worse by more than 0.001 (nDCG@10).
//
// With the vectors of a sentence model (all-MiniLM-L6-v2, 256 tokens a chunk, over
// Text Embeddings Inference's protocol) they have
//
//	                    nDCG@10  MAP    recall@100  MRR
//	PubMedQA  meaning    0.984  0.980     0.998    0.980
//	          both       0.992  0.990     0.998    0.990
//	          three      0.992  0.990     0.998    0.990
//	MED       meaning    0.787  0.714     0.959    0.911
//	          both       0.797  0.706     0.954    0.944
//	          three      0.778  0.690     0.957    0.906
//
// where three is all three searches with the shares of SharesOf.
//
// A query is widened by the headings of MeSH of which it has an entry term (EntryTerms),
// where fewer than three chunks have the term. NLM's file was not at hand to measure
// this; the names and exact synonyms of the Human Phenotype Ontology in its place left
// PubMedQA as it was (34 queries widened), and gave MED +0.002 MAP and 0.000 nDCG@10 (one
// query). Where up to ten chunks may have the term, PubMedQA loses 0.0006 by words.
//
// What gained nothing on these sets was left out. Abbreviations that a record defines (A.
// Schwartz, M. Hearst, PSB 2003), indexed with their long form: MED nDCG@10 -0.002. A
// weight for each query from its length, idf, the agreement of the two searches and
// their best scores, chosen by cross-validation over both sets: MED -0.006 to +0.030 by
// the statistics used, PubMedQA always below, by 0.001 to 0.005.
//
// It does not store documents (store), fetch them (entrez) or show results.
//
//	for _, p := range rag.Chunks(doc.Abstract, doc.Sections) {
//		fmt.Println(p.ID, rag.UUID(doc.PMID, p.ID), p.Text(doc.Abstract))
//	}
package rag
