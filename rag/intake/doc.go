// Package intake brings PubMed records into the corpus: from files, and from
// NCBI as the changes since the last time.
//
// A sync is a pipeline that holds a few thousand records at most: one goroutine
// reads, workers normalise, cut into chunks and analyse, the embedder makes
// vectors, and one writer commits batches in the order of their reading, each
// with the note of what it completes (a file, a part of a delta's window). So a
// sync that is killed at any moment has lost nothing it had told of, and the next
// one goes on from there.
//
//	report, err := intake.Import(ctx, intake.Options{Store: corpus}, "baseline/")
//	var incomplete *intake.Incomplete // what was stored is stored
//
// It is not for searching (rag), nor for talking to NCBI (entrez).
package intake
