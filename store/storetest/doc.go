// Package storetest generates corpora with PubMed's word statistics for tests and benchmarks. The
// texts are random: words are syllables drawn from a Zipf-Mandelbrot distribution. They are not
// suited to judging the quality of results.
//
//	g := storetest.New(1)
//	doc := g.Document(41) // the same every time
package storetest
