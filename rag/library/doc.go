// Package library searches the markdown files of a person's research library
// (store/library) by words.
//
// Texts and queries are analysed like those of the corpus (rag/analyze,
// rag.ParseQuery), so that IL-6 finds IL6 and a query has the same grammar. Files are
// ranked by BM25F: the occurrences of a term are added up over the fields of a file,
// each divided by the field's relative length and weighted, and saturate as one
// (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009, section 3.6):
//
//	idf · tf / (k1 + tf),   tf = Σ weight · occurrences / (1 − b + b · length/average length)
//
// with the k1, b and idf of the corpus. The fields are the title, tags and category,
// and the text.
//
// A [Searcher] keeps the analysed files of the library in memory, about the size of their
// text. Each search first analyses the files that have changed.
//
// It is not for PubMed documents (package rag), and it does not write files.
//
//	found, err := library.NewSearcher(files).Search(ctx, library.Query{Text: "weight loss", Tags: []string{"glp-1"}})
package library
