// Package store keeps the corpus, PubMed records with their search index, in one SQLite file on the
// local disk.
//
// It does not interpret text. Callers pass texts already cut into chunks and terms, and vectors
// already computed.
//
//	s, err := store.Open(ctx, store.Options{Dir: dataDir})
//	b := s.Begin("ergothioneine") // the query key or file that brings these documents
//	err = b.Put(&store.Document{PMID: 1, Title: "…", Chunks: []store.Chunk{{ID: "w0", Text: "…", Tokens: terms}}})
//	done, err := b.Commit(ctx)
//	hits, err := s.Search(ctx, store.Term{Text: "mushroom"}, store.Filter{From: "2020"}, 20)
//
// Every document is a PubMed record, keyed by its PMID (package entrez/record), and Document and
// Filter use PubMed's vocabulary. Tables of tests, medicines and vaccines belong to package
// store/table, replies of services to store/replies; each has a file of its own.
//
// # Guarantees
//
// A Commit is one transaction: documents, chunks, the word index, vectors and the mark that a file
// or job part is done become visible together or not at all. A Commit that has returned survives
// SIGKILL and power loss (WAL, synchronous=FULL). One process writes at a time and others wait for
// it; any number of readers work meanwhile, each on a snapshot. Open returns an error, and changes
// nothing, if the file belongs to another program (package disk), is damaged or has another layout.
// Repair fixes damaged rows in place. If it cannot, it rebuilds the corpus from the rows that can
// still be read (package damaged).
//
// Every row carries a CRC-32C (package rows) that reads verify, so damage causes an error and never
// a wrong answer. Rows that many others depend on are stored twice. Check lists the damage, and
// Lost the records that a Repair could not read.
//
// # Layout
//
// The scripts in migrations/ define the tables. They run in order, each in a transaction, and
// PRAGMA user_version counts them; a new layout is a new script. body_codec.go defines the stored
// form of a document, which package textcode compresses. Package wordindex holds the word index.
// Vectors are stored by PMID, one byte per dimension, and their two-bit codes separately (package
// vectors; vector_means.go explains partitions). The folder locks/ holds empty files that processes
// lock: one per query key during its sync, one for merging, and one that writers hold shared and
// Repair holds exclusively.
package store
