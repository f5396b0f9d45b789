// Package weaviate is the engine for a corpus that one machine is too small for:
// an index (rag.Index) kept in a Weaviate server, or a cluster of them.
//
// It is not for storing documents, which stay in package store, nor for joining
// words and meaning, which package rag does alike for every engine.
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
// for each repetition: Weaviate before BlockMax-WAND takes the number of different
// words of a text for its length where BM25 takes the number of all, and with the
// fillers the two are the same. Vectors are under the name passage.
//
// # Scores
//
// Words side by side, also with AND and NOT and filters, are scored by the server:
// its formula and parameters are those of package store, so the scores are the
// embedded engine's, to the precision of 32 bits. What the server does not know, a
// phrase, a prefix, an AND below an OR, becomes a filter that lets through at
// least what matches; a thousand candidates, the best by their words, are then
// held against the query and scored here. Where more chunks pass the filter, the
// best of them may be beyond the thousand. Equal scores are in the order of PMID,
// but which of many equal ones are the last that come is the server's choice.
//
// The server ranks by the frequencies within a shard. Up to three nodes hold one
// shard, each a copy of it; with more nodes scores differ a little from shard to
// shard, as everywhere.
//
// # Vectors
//
// The nearest are found by a graph (HNSW) in a large corpus, which may overlook
// some, and by comparing all where fewer than 40,000 chunks pass the filter.
// Vectors of another model are never compared: a chunk keeps the name of its
// model.
//
// # Consistency
//
// Writes and reads ask for a majority of the copies (QUORUM), so that both go on
// while one node of three is away. Search itself runs on one copy; a class with
// several is made with asynchronous replication, which mends a copy that has
// missed writes.
//
// Weaviate has no transactions. Within one process searches wait for the batch
// that is being stored, and see every document whole; another process may for
// that moment find a document by some of its chunks alone, or, where its words
// have changed, by none. A Put that fails is to be repeated, which completes it.
//
// A server of version 1.29 or later is expected. From 1.30 on it ranks by
// BlockMax-WAND, which was seen to overlook matches that were written within
// seconds: start it with USE_INVERTED_SEARCHABLE=false where that matters.
package weaviate
