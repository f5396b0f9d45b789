// Package rag searches passages of the local corpus by words and by meaning.
//
// It cuts abstracts into chunks, computes their vectors, parses queries, fuses the
// hits of the two searches of an engine, and assesses the quality of evidence of
// documents. Terms come from rag/analyze, the vectors of the default embedder from
// rag/lsa. Engines implement Index and pass the conformance suite in rag/ragtest.
//
// Retrieval quality, with nothing tuned except NearWeight and lsa.Dim, both round
// numbers (PubMedQA: 1,000 abstracts and as many questions; MED: 1,033 abstracts,
// 30 questions; `go run ./build eval DIR` measures any such collection, package
// evaluate):
//
//	                    nDCG@10  recall@100  MAP    MRR
//	PubMedQA  words      0.988     0.998    0.985  0.985
//	          meaning    0.968     0.999    0.958  0.958
//	          both       0.989     0.999    0.986  0.986
//	MED       words      0.686     0.804    0.513  0.888
//	          meaning    0.778     0.937    0.684  0.889
//	          both       0.741     0.919    0.622  0.911
//
// Plain SQLite FTS5 (porter, any word, title weight 2) has nDCG@10 0.977 on the
// first and MAP 0.514 on the second. On MED, the MAP of both is 0.575 with
// NearWeight 0.2 and 0.641 with 0.5, 0.638 with lsa.Dim 3√n and 0.607 with 5√n; on
// PubMedQA it changes by 0.001 at most.
//
// It does not store documents (store), fetch them (entrez) or show results.
//
//	for _, p := range rag.Chunks(doc.Abstract, doc.Sections) {
//		fmt.Println(p.ID, rag.UUID(doc.PMID, p.ID), p.Text(doc.Abstract))
//	}
package rag
