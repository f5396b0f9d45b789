package static

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/rag/static/statictest"
)

var vocabulary = []string{"[UNK]", "heart", "attack", "my", "##ocard", "##ium", "-", "α", "café", "cafe", "心"}

func rows() [][]float32 {
	list := make([][]float32, len(vocabulary))
	for i := range list {
		list[i] = []float32{float32(i), 1, -0.5}
	}
	return list
}

func opened(t *testing.T) *Table {
	t.Helper()
	table, err := Open(statictest.Write(t, vocabulary, rows()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

func TestTokensAreThoseOfBERT(t *testing.T) {
	table := opened(t)
	for text, want := range map[string][]int{
		"":                          nil,
		"Heart ATTACK":              {1, 2},
		"heart-attack":              {1, 6, 2},
		"myocardium":                {3, 4, 5},
		"myocardiums heart":         {1}, // no piece for the s: the whole word is unknown
		"Café":                      {9}, // lower case without accents
		"heart\x00 \u200battack\n":  {1, 2},
		"心心":                        {10, 10},
		"[UNK] heart":               {1},
		"α":                         {7},
		strings.Repeat("heart", 21): nil, // longer than a word that is split
	} {
		t.Run(fmt.Sprintf("%.60s", text), func(t *testing.T) {
			if got := table.Tokens(text); !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		})
	}
}

func TestVectorIsTheWeightedSum(t *testing.T) {
	table := opened(t)
	weights := make([]float32, table.Rows())
	weights[1], weights[2] = 2, 0.5
	v, err := table.Vector([]int{1, 2, 2}, weights)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{2*1 + 0.5*2*2, 2 + 1, -1 - 0.5} // by hand
	norm := math.Sqrt(want[0]*want[0] + want[1]*want[1] + want[2]*want[2])
	for i := range want {
		if math.Abs(float64(v[i])-want[i]/norm) > 1e-6 {
			t.Errorf("%v, want %v scaled to length 1", v, want)
		}
	}
	if v, err := table.Vector(nil, weights); v != nil || err != nil {
		t.Errorf("no tokens: %v, %v", v, err)
	}
	if v, err := table.Vector([]int{3}, weights); v != nil || err != nil {
		t.Errorf("no weight: %v, %v", v, err)
	}
}

func TestSumIdentifiesATable(t *testing.T) {
	other := rows()
	other[4][1] = 7
	second, err := Open(filepath.Join(statictest.Write(t, vocabulary, other), "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	first := opened(t)
	if again := opened(t); again.Sum() != first.Sum() || second.Sum() == first.Sum() {
		t.Errorf("%s, %s, and another table %s", first.Sum(), again.Sum(), second.Sum())
	}
}

func TestNumbersOfOtherKinds(t *testing.T) {
	for bits, want := range map[uint16]float32{0x3C00: 1, 0xC000: -2, 0x3555: 0.33325195, 0x0001: 5.9604645e-8, 0x8000: 0, 0x7BFF: 65504} {
		t.Run(fmt.Sprint(bits), func(t *testing.T) {
			if got := half(bits); got != want {
				t.Errorf("%04x: %g, want %g", bits, got, want)
			}
		})
	}
	for kind, data := range map[string][]byte{"I8": {127, 0x81, 0}, "F16": {0, 0x3C, 0, 0xBC, 0, 0}} {
		t.Run(kind, func(t *testing.T) {
			file := statictest.Safetensors(t, map[string]any{"e": map[string]any{"dtype": kind, "shape": []int{1, 3}, "data_offsets": []int{0, len(data)}}}, data)
			m, _, err := readHeader(bytes.NewReader(file), int64(len(file)))
			if err != nil {
				t.Fatal(err)
			}
			if row, err := m.row(bytes.NewReader(file), 0); err != nil || !slices.Equal(row, []float32{1, -1, 0}) {
				t.Errorf("%s: %v, %v", kind, row, err)
			}
		})
	}
}

func TestFilesThatAreNoTables(t *testing.T) {
	entry := func(kind string, shape, offsets any) map[string]any {
		return map[string]any{"e": map[string]any{"dtype": kind, "shape": shape, "data_offsets": offsets}}
	}
	good := statictest.Tokenizer(t, map[string]int{"a": 0})
	for name, c := range map[string]struct {
		table, tokenizer []byte
		want             string
	}{
		"short":             {[]byte{1, 2}, good, "shorter"},
		"a huge header":     {[]byte{0, 0, 0, 0, 0, 0, 0, 1, '{', '}'}, good, "header has"},
		"no JSON":           {[]byte{2, 0, 0, 0, 0, 0, 0, 0, '{', '['}, good, "not JSON"},
		"other numbers":     {statictest.Safetensors(t, entry("BF16", []int{1, 1}, []int{0, 2}), []byte{0, 0}), good, `"BF16"`},
		"cut short":         {statictest.Safetensors(t, entry("F32", []int{2, 2}, []int{0, 16}), make([]byte, 15)), good, "cut short"},
		"a wrong shape":     {statictest.Safetensors(t, entry("F32", []int{-1, 2}, []int{0, 16}), make([]byte, 16)), good, "shape"},
		"a vast shape":      {statictest.Safetensors(t, entry("I8", []int{1 << 40, 1 << 40}, []int{0, 0}), nil), good, "shape"},
		"a vector":          {statictest.Safetensors(t, entry("F32", []int{2}, []int{0, 8}), make([]byte, 8)), good, "1 dimensions"},
		"nothing":           {statictest.Safetensors(t, map[string]any{}, nil), good, "0 matrices"},
		"no number":         {statictest.Safetensors(t, entry("F32", []int{1, 1}, []int{0, 4}), []byte{0, 0, 0xC0, 0x7F}), good, "not finite"},
		"another tokenizer": {nil, []byte(`{"model":{"type":"Unigram","vocab":[["a",0.1]]}}`), `"Unigram"`},
		"another splitter":  {nil, []byte(`{"model":{"type":"WordPiece","vocab":{"a":0}},"pre_tokenizer":{"type":"Metaspace"}}`), `"Metaspace"`},
		"another folding":   {nil, []byte(`{"model":{"type":"WordPiece","vocab":{"a":0}},"normalizer":{"type":"Precompiled"}}`), `"Precompiled"`},
		"no tokenizer":      {nil, nil, "no tokenizer.json"},
		"a bad tokenizer":   {nil, []byte(`[`), "not JSON"},
		"no vocabulary":     {nil, []byte(`{"model":{"type":"WordPiece"}}`), "no vocabulary"},
		"too many tokens":   {nil, statictest.Tokenizer(t, map[string]int{"a": 1}), "the ID 1"},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			dir := t.TempDir()
			if c.table == nil {
				c.table = statictest.Safetensors(t, entry("F32", []int{1, 1}, []int{0, 4}), make([]byte, 4))
			}
			if err := os.WriteFile(filepath.Join(dir, "t.safetensors"), c.table, 0o600); err != nil {
				t.Fatal(err)
			}
			if c.tokenizer != nil {
				if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), c.tokenizer, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Open(dir)
			if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if _, err := Open(filepath.Join(t.TempDir(), "absent")); err == nil || strings.Contains(err.Error(), os.TempDir()) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrFormat) {
		t.Errorf("an empty folder: %v", err)
	}
}

func FuzzSafetensors(f *testing.F) {
	f.Add(statictest.Safetensors(f, map[string]any{"e": map[string]any{"dtype": "F16", "shape": []int{2, 1}, "data_offsets": []int{0, 4}}}, []byte{1, 2, 3, 4}))
	f.Add([]byte{2, 0, 0, 0, 0, 0, 0, 0, '{', '}'})
	notFinite := []byte{0, 0x7f, 3, 4}
	f.Add(statictest.Safetensors(f, map[string]any{"e": map[string]any{"dtype": "F16", "shape": []int{2, 1}, "data_offsets": []int{0, 4}}}, notFinite))
	f.Fuzz(func(t *testing.T, file []byte) {
		r := bytes.NewReader(file)
		m, _, err := readHeader(r, int64(len(file)))
		if err != nil {
			return
		}
		for _, i := range []int{0, m.rows - 1} {
			if row, err := m.row(r, i); err == nil && len(row) != m.dim {
				t.Errorf("a row of %d numbers, not %d", len(row), m.dim)
			} else if err != nil && !errors.Is(err, ErrFormat) {
				t.Error(err)
			}
		}
	})
}

func FuzzTokenizer(f *testing.F) {
	f.Add(statictest.Tokenizer(f, map[string]int{"heart": 0, "##s": 1}), "Hearts, hearts")
	f.Add([]byte(`{"model":{"type":"WordPiece","vocab":{"":3},"continuing_subword_prefix":""},"pre_tokenizer":{"type":"BertPreTokenizer"}}`), "a b\xff")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		w, err := readTokenizer(file)
		if err != nil {
			return
		}
		for _, id := range w.tokens(text) {
			known := false
			for _, have := range w.ids {
				known = known || have == id
			}
			if !known {
				t.Errorf("token %d is not in the vocabulary", id)
			}
		}
	})
}
