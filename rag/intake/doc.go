// Package intake brings PubMed records into the corpus: from files (Import), from
// NCBI's file server all there are (Mirror), and from NCBI as the changes since the
// last time (Delta). It also makes the vectors
// that the corpus is searched by (Reembed) and keeps an external engine
// current (Options.Index, Move).
//
//	report, err := intake.Import(ctx, intake.Options{Store: corpus}, "baseline/")
//	var incomplete *intake.Incomplete // what was stored is stored
//
// It is not for searching (rag), nor for talking to NCBI (entrez).
//
// # The pipeline
//
// A sync holds a few thousand records at most. One goroutine reads; workers
// normalise, cut into chunks and analyse; others make vectors; one writer commits
// batches in the order of their reading, each with the note of what it completes:
// a file, a part of a delta's window, what the engine has still to be given. So a
// sync that is killed at any moment loses nothing it has reported as stored, and the next
// one goes on from there. Records that are stored already, as they are or newer,
// are recognised before the work of analysing them: also those of a new year's baseline.
//
// # All of PubMed
//
// Mirror downloads a few files ahead of the one that is imported. A file is on the disk
// under its name only with the right checksum, is noted as imported in the transaction
// of its last records, and is removed after that. The corpus knows which PMIDs the files
// of each year held (store.Vanished), a bit for each. So a new year's files are imported
// over the old, and what none of them holds is removed at the end.
//
// # Vectors
//
// The model of the corpus's own (package lsa) is fitted at the end of a sync, the
// first time when there are LeastDocuments, and again when the corpus has doubled.
// A new model's vectors are made while those in use serve until the last
// chunk has one. New documents get their vectors on the way under the model in
// use. What is in the corpus already is not read again for that: the terms of a chunk
// and how often it has them, which is all that the model takes, are in the word index
// (store.MissingTerms). A service and a table of token vectors take texts.
// Options.NoVectors leaves all of this to a later Reembed, as suits a bulk
// load. Vectors that a stopped or failed sync left out are made by the next one.
//
// # An external engine
//
// The corpus file always holds everything, words and vectors. An engine is given
// each batch just before it is committed; if it fails, the batch is committed
// with a note of what the engine lacks. The same happens if a sync is run without the
// engine. Lacks counts what it lacks, which the next sync, or a Move, gives it.
package intake
