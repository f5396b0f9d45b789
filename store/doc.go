// Package store keeps the corpus, with its search index, in one SQLite file on this disk.
//
// It is not for deciding what a text means: texts come here already cut into
// chunks and terms, and vectors already computed.
//
//	s, err := store.Open(ctx, store.Options{Dir: dataDir})
//	b := s.Begin("ergothioneine") // what brings these documents
//	err = b.Put(&store.Document{PMID: 1, Title: "…", Chunks: []store.Chunk{{ID: "w0", Text: "…", Tokens: terms}}})
//	done, err := b.Commit(ctx)
//	hits, err := s.Search(ctx, store.Term{Text: "mushroom"}, store.Filter{From: "2020"}, 20)
//
// # What the corpus is
//
// The corpus is literature: every document is a record of PubMed under its PMID
// (package entrez/record), and the vocabulary of Document and Filter is PubMed's.
// Other things do not go in: tables of tests, medicines, vaccines and the like are
// in package store/table, replies of services in store/replies, each in another file.
//
// # What holds
//
// A Commit is one transaction: documents, their chunks, the words and vectors by
// which they are found, what they replace, and the mark that a file or a part of
// a job is done, become visible together, or not at all. Once Commit has returned,
// neither SIGKILL nor the loss of power takes that back (WAL, synchronous=FULL).
// One process writes at a time, others wait for it; any number read meanwhile,
// each on a snapshot. A file that is not ours (package disk), is damaged or has another
// layout is an error and is left as it is; a Repair mends damaged rows in
// place, and rebuilds what is damaged beyond them from what can be read (package
// damaged).
//
// Every row carries a CRC-32C (package rows), which reads compare: of what is damaged there is
// an error, and no other answer. What many rows depend on is there twice. Check
// says what is damaged, and Lost what a Repair could not read.
//
// Search is exact (package wordindex).
// Near is exact up to 2,000 chunks, all there are, or documents that pass the filter;
// beyond, it compares the chunks that codes of two bits a dimension choose, of a great
// corpus among those of the nearest partitions. What is compared are the vectors as they
// are stored, the same that Vectors returns and an external engine is given.
//
// # Layout
//
// The tables, and what a row holds, are in migrations/, the layout. A later layout is
// another script there, which leads to it from the one before; they run in order, each in
// a transaction, and PRAGMA user_version counts them. A document's body is the
// fields in the order of body_codec.go, compressed by a code for the words and phrases of the
// corpus (package textcode). Package wordindex has the word index. Vectors lie by PMID, a
// dimension in one byte; their codes lie apart from them (package vectors). Next to the file,
// in locks/, lie empty files that processes lock: one for each query key being
// synced, one for merging, and one that who writes shares and a Repair has alone.
//
// # Partitions
//
// Where a model has 100,000 chunks or more, their codes lie in partitions of about a
// thousand that are near each other, and a search compares those of the nearest
// partitions until it has seen 131,072 chunks that pass, or half of a small model, at
// least 50,000: what it reads does not grow with the corpus (H. Jégou, M. Douze, C. Schmid,
// Product quantization for nearest neighbor search, IEEE TPAMI 33, 2011, IVFADC; J. Johnson,
// M. Douze, H. Jégou, Billion-scale similarity search with GPUs, IEEE Trans. Big Data 7,
// 2019). Under a filter it goes on to further partitions; where 2,000 documents or fewer
// pass, it reads their vectors and no code.
//
// New codes lie by PMID, and every search compares them all. When they are 50,000, they
// are moved to the partitions with the nearest means; each gets a row of them, made again
// from the vectors, of what is left of these without the mean of the partition. Eight
// rows are joined, and a partition that has become twice too great is split by k-means
// over its own codes, one partition at a time, which keeps searches good as the corpus
// grows (as in Y. Xu et al., SPFresh: Incremental In-Place Update for Billion-Scale
// Vector Search, SOSP 2023). The first partitions of a great corpus come from a sample
// of it. No copy of the whole is ever made, and every step is a
// transaction: a process killed between two leaves a corpus that is searched as well.
//
// The vectors are what holds; codes only choose. A document that is revised or removed
// leaves its old code in its partition, as finding it would cost more than it does: a
// search reads the vectors of what codes choose, so it passes over what is no more and
// takes the newest of what is there twice. Old codes are left out when their partition
// is written, or all partitions are when more than half of them are old.
//
// Of the 200 nearest of a million made-up vectors (storetest), a search of 13 % of them
// in 849 partitions finds 0.974 and for no query fewer than 0.845; one of all codes finds
// 0.998 (BenchmarkPartitions_1M). Of three million, a search of 4 % finds 0.965, and for
// no query fewer than 0.770; one of all codes finds 0.993 (BenchmarkPartitions_3M).
// These were measured with vectors of two bytes a dimension: of 100,000, all of which are
// looked at, two bytes find 0.998 and one byte 0.995, as rounding exchanges neighbours that
// are about as near.
//
// Queries of three words over a model fitted on made-up texts are harder, as many chunks are
// about as near. More partitions do not help; more candidates do, and codes that are relative
// to the mean of their partition: of 3.35 million vectors and 2,400 candidates that are
// compared, codes of whole vectors find 0.940 of the 200 nearest and for no query fewer than
// 0.585, relative ones 0.969 and 0.720, and of 4,800 candidates 0.990 and 0.895. Of 5.5
// million, of which 4,460 are compared, 0.965 are found, and for no query fewer than 0.570.
// These were in part made by earlier rules, and their codes made again. Of 10.7 million that
// had relative codes from the first partition on, of which 4,800 are compared, 0.990 are
// found, and for no query fewer than 0.865; in a corpus of 1.9 million records, with the model
// that it fitted itself, 0.991 and 0.890; of ten million 0.963 and 0.705 (BenchmarkSearchGrown),
// where on average 3,100 of the 4,800 are compared, until no other is likely to be nearer.
//
// # Size and speed
//
// Of three million made-up records each takes 0.59 KB, and its words and columns 0.56 KB:
// 1.17 KB without vectors, and with a vector of 256 dimensions 1.59 KB; of ten million 1.64 KB:
// some 50 GB for the 40 million records of PubMed without vectors, 70 GB with. Real records have longer bodies:
// the 163 at hand take 0.76 KB, by a code made from 2,000 others. Memory is bounded by
// Options.CacheBytes and CodeBytes and by the batch, whatever the size of the
// corpus; opening costs a millisecond. bench_test.go measures all of it on corpora
// that storetest makes up.
package store
