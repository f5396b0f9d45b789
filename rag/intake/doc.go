// Package intake brings PubMed records into the corpus: from files (Import), from all files of
// NCBI's file server (Mirror), and from NCBI's changes since the last sync (Delta). It also
// makes the vectors for searching the corpus (UpdateVectors) and keeps an external engine current
// (Options.Index, Move).
//
//	report, err := intake.Import(ctx, intake.Options{Store: corpus}, "baseline/")
//	var incomplete *intake.Incomplete // the stored records stay stored
//
// It is not for searching (rag), nor for talking to NCBI (entrez).
//
// # The pipeline
//
// A sync holds a few thousand records at most. One goroutine reads. Workers normalise, cut into
// chunks and analyse; others make vectors. One writer commits batches in reading order, each
// with a note of the work that it completes: a file, or a part of a delta's window. A killed
// sync loses nothing that it has reported as stored, and the next one continues from there.
// Records that are already stored in the same or a newer version are recognised before the work
// of analysing them, as for a new year's baseline.
//
// # All of PubMed
//
// Mirror downloads a few files ahead of the import. A file gets its final name only if its
// checksum is right. It is noted as imported in the transaction that stores its last records,
// and then removed. The corpus knows which PMIDs the files of each year held (store.VanishedPMIDs).
// A new year's files are imported over the old ones, and documents that none of them holds are
// removed at the end.
//
// # Vectors
//
// The corpus's own model (package lsa) is first fitted at the end of the sync that reaches
// LeastDocuments, and again when the corpus has grown by half. UpdateVectors fits it again if any
// document has changed, so that its vectors depend on the documents alone. The vectors in use
// serve until every chunk has one of the new model. New documents get vectors of the model in use before they are
// stored. For stored documents the model needs only term counts, which it reads from the word
// index (store.MissingTerms); a service and a table of token vectors read the texts.
// Options.NoVectors leaves all of this to a later UpdateVectors, for a bulk load. The next sync makes
// the vectors that a stopped or failed sync did not make.
//
// # An external engine
//
// The corpus file always holds everything, words and vectors. An engine is given each batch
// just before the commit. If it fails or is not configured, the batch is committed
// with a note of the documents that the engine lacks. The next sync, or a Move, sends them.
package intake
