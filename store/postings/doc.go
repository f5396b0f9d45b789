// Package postings is the word index of the corpus: immutable segments that say
// for each term which chunks hold it, how often and where, and the search over
// them. It is not for deciding what a term is, nor for keeping bytes: a segment
// is a set of numbered pages that a Source hands out and a Sink takes.
//
//	w := postings.NewWriter(sink, lengths, ids)
//	w.Begin("mushroom"); w.Add(0, 1, positions); w.End() // terms and chunks ascending
//	w.Close()
//	seg := postings.NewSegment(1, len(lengths))
//	top := postings.NewTop(10)
//	…
//
// # Layout
//
// A chunk of a segment has a number, from 0 on, in the order of PMID and ordinal.
//
// Stream Dict: blocks of about 16 KiB, one a page. An
// entry is the length of the prefix shared with the entry before (0 at the
// start of a block), the length of the rest, the rest, and the number n of
// chunks. With n < 128 there follow the length of the postings, the postings
// and the length of the positions and the positions; else the offsets of the
// list in Post, Skip (and its length there) and Pos. Every number is an
// unsigned varint unless said otherwise.
//
// Stream DictIndex: the first term of each block of Dict.
//
// Stream Post: pages of at most 64 KiB, each ending in 8 zero bytes; blocks never
// cross pages. A block of 128 postings is two bytes, the widths in bits of the
// two halves that follow, bit-packed from the low bit up: the distances of the
// chunk numbers from the one before less 1, and the tf less 1. The few values that are
// wider, where leaving them out makes the block shorter, have their high bits after that
// (pack.go). The last block of a list, if shorter, is written as in Dict: the distance
// less 1 shifted left by one, the low bit set where tf is 1, else followed by tf.
//
// Stream Skip: for each block the distance of its last chunk from that of the
// block before, the distance of its offset, the length of its positions, and the
// competitive pairs: those (tf, length) of its chunks of which none has both the
// greater tf and the smaller length. Whatever the average length becomes, the
// best score of the block is the score of one of them.
//
// Stream Pos: for each posting tf positions, each as the distance from the one
// before. position.go says how such a number is written: in one byte up to 251, which
// most positions in an abstract of usual length have. Terms that begin with a byte
// below 0x20 are properties of the document and have no positions and no pairs.
//
// Streams Lengths and IDs: two and four bytes for each chunk, little-endian,
// 16,384 chunks a page.
//
// Packing with exceptions after Zukowski et al., Super-Scalar RAM-CPU Cache
// Compression (ICDE 2006), PFOR.
//
// Block maxima after Ding and Suel, Faster Top-k Document Retrieval Using
// Block-Max Indexes (SIGIR 2011); competitive pairs as in Lucene 8; the search by
// windows with essential and other terms after Turtle and Flood's MaxScore (1995)
// as Lucene 9 applies it to blocks.
package postings
