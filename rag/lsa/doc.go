// Package lsa is latent semantic analysis fitted on the user's own corpus
// (S. Deerwester et al., Indexing by latent semantic analysis, JASIS 41, 1990):
// it computes vectors of text without a network, a download or a pretrained model.
//
// To fit, a document is the bag of its analysed terms, weighted (1 + ln tf) · idf,
// idf = ln(N/df), and scaled to length 1. The leading right singular vectors V of the
// matrix of documents by terms and their singular values σ are found by randomised
// subspace iteration (N. Halko, P. G. Martinsson, J. A. Tropp, Finding structure with
// randomness, SIAM Review 53, 2011).
//
// The vector of any text, a document or a query, in Dim dimensions is
//
//	L2[ L2(Σ (1 + ln tf) · entropy · V√σ) + L2(Σ (1 + ln tf) · idf · L2(Vσ)) ]
//
// over its terms and their rows of V, where L2 scales to length 1 and entropy is
// 1 + Σ p ln p / ln N for the shares p of the documents in the occurrences of a term
// (S. Dumais, Improving the retrieval of information from external sources, 1991).
// The first sum emphasises the terms that say most about the topics of the corpus. In the
// second each term has the length of its idf, so that frequent terms, whose rows are
// long, do not outweigh the rare ones. A model has one row of Dim + 1 numbers per term.
//
// The same documents in the same order give the same model, bit for bit on one
// type of processor, for any number of goroutines.
//
// It does not analyse text: terms come from rag/analyze.
//
//	f := lsa.NewFitter(documents)
//	for doc := range corpus {
//		if f.Takes(doc.PMID) {
//			f.Add(tokens)
//		}
//	}
//	model, err := f.Fit(ctx) // store model.Rows()
//	space, err := lsa.Open(ctx, stored)
//	v, err := space.Vectors(ctx, texts) // v[i] is nil if no term is known
package lsa
