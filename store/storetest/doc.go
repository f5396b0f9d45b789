// Package storetest makes up corpora with PubMed's word statistics for tests and
// benchmarks. Nothing in them was written by anyone: words are syllables drawn
// by the law of Zipf and Mandelbrot. It is not for judging how good results are.
//
//	g := storetest.New(1)
//	doc := g.Document(41) // the same every time
package storetest
