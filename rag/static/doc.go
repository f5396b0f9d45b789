// Package static reads a table of token vectors, as model2vec publishes them, and
// makes vectors of texts with it, without a network or service, in some microseconds per text.
//
// A table is a file in the safetensors format
// (https://github.com/huggingface/safetensors) with one matrix that has a row per
// token, as float32, float16 or int8. Beside it, tokenizer.json has a WordPiece
// vocabulary like BERT's (https://huggingface.co/docs/tokenizers). The vector of a text
// is the sum of the rows of its tokens, each times a weight that the caller gives,
// scaled to length 1. Rows are read when they are first needed, and kept.
//
// It does not fit models on a corpus, as package lsa does. Package rag joins both.
//
//	table, err := static.Open("potion-base-8M") // the folder, or its .safetensors
//	v, err := table.Vector(table.Tokens("heart attack"), weights)
package static
