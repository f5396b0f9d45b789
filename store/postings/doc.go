// Package postings implements the word index of the corpus: immutable segments that list, for each
// term, the chunks that hold it with frequencies and positions, and the search over them. It does
// not define terms, and it does not store bytes: a segment is a set of numbered pages that a Source
// provides and a Sink receives.
//
//	w := postings.NewWriter(sink, lengths, ids)
//	w.Begin("mushroom"); w.Add(0, 1, positions); w.End() // terms and chunks ascending
//	w.Close()
//	seg := postings.NewSegment(1, len(lengths))
//	top := postings.NewTop(10)
//	…
//
// The chunks of a segment are numbered from 0 in the order of PMID and ordinal. [Stream] documents
// the layout of the pages.
//
// Packing with exceptions follows PFOR (Zukowski et al., Super-Scalar RAM-CPU Cache Compression,
// ICDE 2006). Block maxima follow Ding and Suel, Faster Top-k Document Retrieval Using Block-Max
// Indexes (SIGIR 2011). Competitive pairs are as in Lucene 8. The search by windows with essential
// and non-essential terms follows Turtle and Flood's MaxScore (1995), as Lucene 9 applies it to
// blocks.
package postings
