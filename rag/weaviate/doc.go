// Package weaviate is the engine for a corpus that one machine is too small for:
// an index (rag.Index) kept in a Weaviate server, or a cluster of them.
//
// It is not for storing documents, which stay in package store, nor for joining
// words and meaning, which package rag does alike for every engine. The server
// finds candidates; scores are reckoned here by the definition in package store,
// from the frequencies that the server holds, so that they are those of the
// embedded engine.
//
//	index, err := weaviate.New(weaviate.Config{URL: "http://127.0.0.1:8080", Model: model.Name, Dim: model.Dim})
//	if err != nil { … }
//	err = index.Put(ctx, docs) // makes the class where it is missing
//	hits, err := index.Words(ctx, query, store.Filter{From: "2020"}, 200)
//
// # What lies where
//
// Each chunk is one object of the class (PubMedChunk), under the UUID that
// rag.UUID gives it; the table in schema.go lists its properties. The property
// terms holds the analysed terms in their order, and then one filler (~, ~1, ~2)
// for each repetition: Weaviate takes the number of different words of a text for
// its length where BM25 takes the number of all, and with the fillers the two are
// the same. So the server ranks words side by side as we do, and what is asked of
// it beyond the hits that are wanted is a margin for the copies and shards of a
// cluster, whose frequencies differ a little.
//
// A phrase, a prefix or an operator becomes a filter on terms that lets through
// at least what matches; what comes is then held against the query here. Among
// more than some ten thousand candidates, the most a server gives, the best are
// those that the server takes for the best.
//
// # Consistency
//
// Writes and reads ask for a majority of the copies (QUORUM), so that both go on
// while one node of three is away. Search itself runs on one copy of each shard;
// a class with several is created with asynchronous replication, which mends a
// copy that has missed writes. A server of version 1.29 or later is expected;
// with 1.30 and later, ranking by BlockMax-WAND was seen to overlook matches
// that were written within seconds: set USE_INVERTED_SEARCHABLE=false there.
//
// Weaviate has no transactions. Within one process searches wait for the batch
// that is being stored, and see every document whole; another process may for
// that moment find a document by some of its chunks alone. A Put that fails is to
// be repeated, which replaces what it left.
package weaviate
