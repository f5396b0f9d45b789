// Package lsa is latent semantic analysis fitted on the user's own corpus
// (S. Deerwester et al., Indexing by latent semantic analysis, JASIS 41, 1990):
// it computes vectors of text without a network, a download or a pretrained model.
//
// A document is the bag of its analysed terms, weighted (1 + ln tf) · ln(N/df)
// and scaled to length 1. The leading right singular vectors of the matrix of
// documents by terms, found by randomised subspace iteration (N. Halko, P. G.
// Martinsson, J. A. Tropp, Finding structure with randomness, SIAM Review 53,
// 2011), project any bag of terms into Dim dimensions; new documents and queries
// are projected in the same way. A model holds one row of Dim numbers per term.
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
//	model, err := f.Fit(ctx)
//	v := model.Vector(bag) // nil where no term is known
package lsa
