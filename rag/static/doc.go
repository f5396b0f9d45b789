// Package static reads a table of token vectors, as model2vec publishes them, and
// makes vectors of texts with it: no network, no service, some microseconds a text.
//
// A table is a file in the safetensors format
// (https://github.com/huggingface/safetensors) with one matrix of a row for each
// token, as float32, float16 or int8, and tokenizer.json next to it with a WordPiece
// vocabulary as BERT's (https://huggingface.co/docs/tokenizers). The vector of a text
// is the sum of the rows of its tokens, each times a weight that the caller gives,
// scaled to length 1. Rows are read when they are first needed, and kept.
//
// It fits nothing and knows no corpus: package lsa does, and package rag joins both.
//
//	table, err := static.Open("potion-base-8M") // the folder, or its .safetensors
//	v, err := table.Vector(table.Tokens("heart attack"), weights)
package static
