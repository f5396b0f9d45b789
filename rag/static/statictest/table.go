// Package statictest writes small synthetic tables of token vectors for tests.
//
// Only tests import it.
package statictest

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Write writes a table with one row per token, in order, to a new folder, and returns the
// folder.
func Write(t testing.TB, tokens []string, rows [][]float32) string {
	t.Helper()
	var data []byte
	for _, row := range rows {
		for _, x := range row {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	vocabulary := map[string]int{}
	for i, token := range tokens {
		vocabulary[token] = i
	}
	dir := t.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("model.safetensors", Safetensors(t, map[string]any{
		"embeddings": map[string]any{
			"dtype": "F32", "shape": []int{len(rows), len(rows[0])}, "data_offsets": []int{0, len(data)},
		},
	}, data))
	write("tokenizer.json", Tokenizer(t, vocabulary))
	return dir
}

// Safetensors returns a safetensors file with a header and data.
func Safetensors(t testing.TB, header map[string]any, data []byte) []byte {
	t.Helper()
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return append(append(file, text...), data...)
}

// Tokenizer returns the tokenizer.json of a WordPiece vocabulary.
func Tokenizer(t testing.TB, vocabulary map[string]int) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"model": map[string]any{
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocabulary,
		},
		"normalizer": map[string]any{
			"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
			"strip_accents": nil, "lowercase": true,
		},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
