// Package rag finds passages of the local corpus by words and by meaning.
//
// It cuts abstracts into chunks, computes their vectors, reads queries, fuses
// what the two searches of an engine find, and weighs documents by the quality
// of their evidence. Terms come from rag/analyze, the vectors of the default
// embedder from rag/lsa; the engines are behind the Index contract, with a suite
// in rag/ragtest that both pass.
//
// How well it finds, with nothing tuned but NearWeight and lsa.Dim, both round
// (PubMedQA: 1,000 abstracts and as many questions; MED: 1,033 abstracts, 30
// questions; `go test -v -run Retrieval ./rag/ragtest`):
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
// first and MAP 0.514 on the second. With NearWeight from 0.2 to 0.5 the MAP of
// both goes from 0.575 to 0.641 on MED, with lsa.Dim from 3√n to 5√n from 0.638
// to 0.607; on PubMedQA neither moves it by more than 0.001.
//
// It is not for storing (store), for fetching (entrez) or for showing results.
//
//	for _, p := range rag.Chunks(doc.Abstract, doc.Sections) {
//		fmt.Println(p.ID, rag.UUID(doc.PMID, p.ID), p.Text(doc.Abstract))
//	}
package rag
