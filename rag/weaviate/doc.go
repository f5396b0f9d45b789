// Package weaviate is the search engine for a corpus that is too large for one machine: an
// index (rag.Index) in a Weaviate server or a cluster. It does not store documents (store) or
// combine the two searches (rag).
//
//	index, err := weaviate.New(weaviate.Config{URL: "http://127.0.0.1:8080", Model: model.Name, Dim: model.Dim})
//	if err != nil { … }
//	err = index.Put(ctx, docs) // creates the class if it is missing
//	hits, err := index.Words(ctx, query, store.Filter{From: "2020"}, 200)
//
// # Storage
//
// Each chunk is an object of the class PubMedChunk with the UUID of rag.UUID and the properties
// in schema.go. Property terms holds the analysed terms, followed by one filler (~, ~1, ~2) for
// each repetition. Servers without BlockMax-WAND use the number of distinct words as the length
// of a text; with fillers it equals the number of words, as BM25 requires. A chunk has a vector
// named passage of the model in use and, if that is a service's, one named local of the
// corpus's own model.
//
// # Scores
//
// The server scores queries of words, AND, NOT and filters with the formula and parameters of
// package store, so scores equal those of the embedded engine in 32 bits. It cannot score a
// phrase, a prefix or an AND within an OR. For these, this package requests the thousand best
// candidates by words and scores them itself. If more chunks pass, some of the best may be
// missed. The server uses frequencies within a shard: one shard for up to three nodes, more for
// larger clusters, where scores differ slightly between shards. The vector search uses an HNSW
// graph and may miss some of the nearest. If fewer than 40,000 chunks pass the filter, it
// compares all.
//
// # Consistency
//
// Writes and reads require a majority of the copies (QUORUM), so both work while one of three
// nodes is down. A search reads one copy; asynchronous replication repairs copies that missed
// writes. Weaviate has no transactions. Within a process, searches wait for the batch being
// stored and see whole documents; other processes may see parts. Repeating a failed Put
// completes it.
//
// It needs server version 1.29 or later. From 1.30 on, BlockMax-WAND may miss matches written
// in the last seconds; USE_INVERTED_SEARCHABLE=false avoids it. rag/evaluate/RESULTS.md has the
// speed.
package weaviate
