package static

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"biomcp/store/vectors"
)

// maxTokenizer is the maximum size of tokenizer.json in bytes.
const maxTokenizer = 64 << 20

// A Table makes vectors of texts. Its methods may be called concurrently.
type Table struct {
	Name string // name of the folder or file, for display
	sum  uint32

	matrix matrix
	words  *wordPiece
	data   *os.File

	mu   sync.RWMutex
	rows map[int][]float32
}

// Open opens a table: a folder with one .safetensors file and tokenizer.json, or such a file
// with tokenizer.json beside it. The file stays open. Errors are ErrFormat and those of the
// file system without the path.
func Open(path string) (*Table, error) {
	file, err := tableFile(path)
	if err != nil {
		return nil, err
	}
	data, err := os.Open(file)
	if err != nil {
		return nil, withoutPath(err)
	}
	table, err := open(data, filepath.Join(filepath.Dir(file), "tokenizer.json"))
	if err != nil {
		data.Close()
		return nil, err
	}
	table.Name = filepath.Base(filepath.Clean(path))
	return table, nil
}

func tableFile(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", withoutPath(err)
	}
	if !info.IsDir() {
		return path, nil
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return "", withoutPath(err)
	}
	found := ""
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".safetensors") {
			if found != "" {
				return "", formatError("the folder has several .safetensors files: name one")
			}
			found = filepath.Join(path, e.Name())
		}
	}
	if found == "" {
		return "", formatError("the folder has no .safetensors file")
	}
	return found, nil
}

// withoutPath removes the path from an error of the file system.
func withoutPath(err error) error {
	if e, ok := err.(*os.PathError); ok {
		return fmt.Errorf("the table of token vectors: %w", e.Err)
	}
	return err
}

func open(data *os.File, tokenizer string) (*Table, error) {
	info, err := data.Stat()
	if err != nil {
		return nil, withoutPath(err)
	}
	m, header, err := readHeader(data, info.Size())
	if err != nil {
		return nil, err
	}
	f, err := os.Open(tokenizer)
	if err != nil {
		return nil, formatError("there is no tokenizer.json beside it")
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxTokenizer+1))
	if err != nil || len(text) > maxTokenizer {
		return nil, formatError("tokenizer.json cannot be read, or has more than %d bytes", maxTokenizer)
	}
	words, err := readTokenizer(text)
	if err != nil {
		return nil, err
	}
	for _, id := range words.ids {
		if id < 0 || id >= m.rows {
			return nil, formatError("its vocabulary has the ID %d, but its matrix has %d rows", id, m.rows)
		}
	}
	t := &Table{matrix: m, words: words, data: data, rows: map[int][]float32{}}
	t.sum = crc32.Update(crc32.ChecksumIEEE(header), crc32.IEEETable, text)
	return t, t.sample()
}

// sample adds some rows to the checksum. Tables with equal shape and vocabulary differ in all
// rows.
func (t *Table) sample() error {
	const samples = 64
	step := max(t.matrix.rows/samples, 1)
	for i := 0; i < t.matrix.rows; i += step {
		row, err := t.row(i)
		if err != nil {
			return err
		}
		t.sum = crc32.Update(t.sum, crc32.IEEETable, fmt.Append(nil, row))
	}
	return nil
}

// Close closes the file.
func (t *Table) Close() error { return t.data.Close() }

// Sum returns an identifier of the table: a CRC-32 of its header, its tokenizer and some rows.
func (t *Table) Sum() string { return fmt.Sprintf("%08x", t.sum) }

// Dim returns the dimension of the vectors.
func (t *Table) Dim() int { return t.matrix.dim }

// Rows returns the number of tokens.
func (t *Table) Rows() int { return t.matrix.rows }

// Tokens returns the IDs of the known tokens of a text, from 0 to Rows−1.
func (t *Table) Tokens(text string) []int { return t.words.tokens(text) }

// Vector returns the sum of the rows of tokens, each times its weight, scaled to length 1, or
// nil if the sum is zero.
func (t *Table) Vector(tokens []int, weight []float32) ([]float32, error) {
	v := make([]float32, t.matrix.dim)
	for _, id := range tokens {
		row, err := t.row(id)
		if err != nil {
			return nil, err
		}
		for i, x := range row {
			v[i] += weight[id] * x
		}
	}
	return vectors.Unit(v), nil
}

func (t *Table) row(id int) ([]float32, error) {
	t.mu.RLock()
	row := t.rows[id]
	t.mu.RUnlock()
	if row != nil {
		return row, nil
	}
	row, err := t.matrix.row(t.data, id)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.rows[id] = row
	t.mu.Unlock()
	return row, nil
}
