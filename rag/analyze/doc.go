// Package analyze turns biomedical text into the terms that both search engines
// and the vectors use, so that a word matches by the same rules in all of them.
//
// Text is folded (Unicode compatibility forms, case, accents, Greek letters by
// their names) and cut into words, numbers and compounds. Words are reduced to
// Porter2 stems of their American spelling; names stay whole:
//
//	IL-6  IL6  IL 6          il6; and il for IL-6 and IL 6
//	TNF-α  TNFα  TNF alpha   tnf alpha, and tnfalpha
//	beta-blocker             betablock, and beta blocker
//	BRCA1  p53  HLA-A*02:01  brca1  p53  hlaa0201 (and hla, a0201)
//	CD8+  CD8⁺  CD8(+)       cd8 and cd8+
//	BRAFⱽ⁶⁰⁰ᴱ  BRAFV600E     brafv600e, and braf v600e
//	CO₂  CO2  CO(2)          co2; likewise m², 10⁶, 5-HT(2A), t_(1/2)
//	¹³¹I  131I  I-131        131i
//	5 mg  12-month           5mg  12month (and month)
//	KRAS  APOE               kras  apo and apoe: a symbol in capitals keeps its spelling
//
// Queries are analysed by the same rules. A query word matches a text if they
// share a stem, a compound or a part of a compound.
//
// It does not analyse languages other than English: their words are not stemmed,
// and each ideograph is one word.
//
//	a := analyze.New()
//	tokens, next := a.Tokens(nil, "TNF-α in IL-6-driven oedema", 0)
package analyze
