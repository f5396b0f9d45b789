// Package rag finds passages of the local corpus by words and by meaning.
//
// It cuts abstracts into chunks, computes their vectors, reads queries, fuses
// what the two searches of an engine find, and weighs documents by the quality
// of their evidence. Terms come from rag/analyze, the vectors of the default
// embedder from rag/lsa; the engines are behind the Index contract, with a suite
// in rag/ragtest that both pass.
//
// It is not for storing (store), for fetching (entrez) or for showing results.
//
//	for _, p := range rag.Chunks(doc.Abstract, doc.Sections) {
//		fmt.Println(p.ID, rag.UUID(doc.PMID, p.ID), p.Text(doc.Abstract))
//	}
package rag
