// Package weaviate is the engine for a corpus that one machine is too small for:
// an index (rag.Index) kept in a Weaviate server, or a cluster of them.
//
// It does not store documents, which stay in package store, nor combine the two
// searches, which package rag does for every engine.
//
//	index, err := weaviate.New(weaviate.Config{URL: "http://127.0.0.1:8080", Model: model.Name, Dim: model.Dim})
//	if err != nil { … }
//	err = index.Put(ctx, docs) // creates the class if it is missing
//	hits, err := index.Words(ctx, query, store.Filter{From: "2020"}, 200)
//
// # Storage
//
// Each chunk is one object of the class (PubMedChunk), under the UUID that
// rag.UUID gives it; the table in schema.go lists its properties. The property
// terms holds the analysed terms in order, and then one filler (~, ~1, ~2) for each
// repetition: before BlockMax-WAND, Weaviate uses as the length of a text the number
// of different words, where BM25 uses the number of words; with the fillers the two
// are equal.
//
// A chunk has two named vectors: passage, under the model that is searched, and, where
// that is an embedding service's, local, under the corpus's own model.
//
// # Scores
//
// Queries of words, also with AND, NOT and filters, are scored by the server: its
// it has the formula and the parameters of package store, so the scores equal those of
// the embedded engine to 32 bits of precision. For a phrase, a prefix or an AND
// within an OR, which the server cannot score, the query becomes a filter that every
// match passes; a thousand candidates, the best by their words, are then matched and
// scored by this package. If more chunks pass the filter, some of the best may be
// missed. Hits with equal scores are in the order of PMID, but if more of them have
// the lowest score than fit, the server decides which are returned.
//
// The server ranks by the frequencies within a shard. With up to three nodes there
// is one shard, copied to each node; with more nodes scores differ slightly between
// shards.
//
// # Vectors
//
// The server searches a graph (HNSW), which may miss some of the nearest; if fewer
// than 40,000 chunks pass the filter, it compares all. Vectors of another model are
// never compared: each chunk has the names of its models.
//
// # What storing costs
//
// The server's processor time decides how fast documents are stored
// (BenchmarkServer_10k; -server.profile says what it is spent on). At 10,000 documents
// with one vector of dimension 256 a document takes the server 2.1 ms on an idle machine
// and this package 0.3 ms: two cores can store at most 800 a second.
// Of the server's time a quarter goes to the postings of words, a seventh each to the
// graph and to the collection of garbage, an eighth to reading JSON, a twelfth to the
// other filters. Its gRPC interface would save less than a tenth. At 300,000 (on a machine
// that is a third faster; BenchmarkServer_300k) it is 3.0 ms, 520 documents a second, and of
// the 200 nearest a search finds 98.6 %. Two choices halve it:
//
//   - The graph has 16 edges a chunk, chosen of 64 candidates, and a search follows up to
//     1000. With 32 of 256 and up to 500 the insertion of a vector takes five
//     times as long at 100,000 (4.5 ms to 0.9 ms on a busy machine), and its share grows
//     with the number of vectors. Of the 200 nearest, a search finds 99.5 % there (99.8 %
//     with the greater graph).
//   - The words have one index, from which the server also answers conditions
//     (AND, NOT, phrases, prefixes). It takes as long, except for a prefix within the
//     minute after a Put, while the server holds the new words in memory: seconds.
//
// An operator can give the server more cores, which it uses, or GOGC=400, by which the
// collection of garbage takes 6 % instead of 14 %, for more memory. ASYNC_INDEXING=true
// puts the graph off, and saves nothing: a search by meaning finds new chunks later.
//
// # Consistency
//
// Writes and reads require a majority of the copies (QUORUM), so that both work
// while one node of three is down. A search runs on one copy; a class with several
// is created with asynchronous replication, which repairs a copy that missed writes.
//
// Weaviate has no transactions. Within one process, searches wait for the batch
// that is being stored, and see whole documents; meanwhile another process may find
// only some chunks of a document, or none if its words changed. Repeating a Put that
// failed completes it.
//
// It needs a server of version 1.29 or later. From 1.30 on the server ranks by
// BlockMax-WAND, which was seen to miss matches written in the last seconds: if that
// matters, start the server with USE_INVERTED_SEARCHABLE=false.
package weaviate
