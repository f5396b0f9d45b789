package clinvartable

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
)

const (
	hashBits   = 40
	entrySize  = 8 // hash and row
	partBits   = 4 // bits of the hash that number the temporary files
	rowBits    = 64 - hashBits
	rowMask    = 1<<rowBits - 1
	partsCount = 1 << partBits
)

// hash returns a hash of a key with hashBits bits.
func hash(key string) uint64 { return xxhash.Sum64String(key) >> rowBits }

// An indexWriter collects keys in temporary files, since those of all variants do not fit into memory.
type indexWriter struct {
	files  [partsCount]*os.File
	parts  [partsCount]*bufio.Writer
	counts [partsCount]int
	bits   int
	err    error // first error of add
}

func newIndexWriter(dir string) (*indexWriter, error) {
	w := &indexWriter{}
	for i := range w.files {
		f, err := os.CreateTemp(dir, temporary+"*")
		if err != nil {
			return nil, errors.Join(err, w.close())
		}
		w.files[i], w.parts[i] = f, bufio.NewWriterSize(f, 1<<16)
	}
	return w, nil
}

// close removes the temporary files.
func (w *indexWriter) close() (err error) {
	for _, f := range w.files {
		if f != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	return err
}

// add adds a key of a row. finish returns its error.
func (w *indexWriter) add(key string, row int) {
	h := hash(key)
	part := h >> (hashBits - partBits)
	var entry [entrySize]byte
	binary.BigEndian.PutUint64(entry[:], h<<rowBits|uint64(row))
	w.counts[part]++
	if _, err := w.parts[part].Write(entry[:]); err != nil {
		w.err = cmp.Or(w.err, err)
	}
}

// finish writes the blocks of the index. A block holds the keys whose hashes have its number as their first bits.
func (w *indexWriter) finish(p *packWriter) error {
	total := 0
	for _, n := range w.counts {
		total += n
	}
	w.bits = max(partBits, bits.Len(uint(total/1024))) // about 1024 keys or fewer in a block
	for part, f := range w.files {
		err := errors.Join(w.err, w.parts[part].Flush())
		if err == nil {
			_, err = f.Seek(0, io.SeekStart)
		}
		if err != nil {
			return err
		}
		entries := make([]uint64, w.counts[part])
		if err := binary.Read(bufio.NewReaderSize(f, 1<<20), binary.BigEndian, entries); err != nil {
			return err
		}
		slices.Sort(entries)
		for from := 0; from < len(entries); {
			number := entries[from] >> (64 - w.bits)
			to := from
			var body []byte
			for last := uint64(0); to < len(entries) && entries[to]>>(64-w.bits) == number; to++ {
				h := entries[to] >> rowBits
				body = binary.AppendUvarint(body, h-last)
				body = append(body, byte(entries[to]), byte(entries[to]>>8), byte(entries[to]>>16))
				last = h
			}
			if err := p.put(indexBlock, int(number), body); err != nil {
				return err
			}
			from = to
		}
	}
	return nil
}

// rows returns the rows that may have a key.
func (t *Table) rows(key string) (rows []int, err error) {
	h := hash(key)
	body, err := t.pack.block(indexBlock, int(h>>(hashBits-t.index)))
	d := decode{body: body}
	for at := uint64(0); len(d.body) > 0; {
		at += d.number()
		row := d.bytes(rowBits / 8)
		if at == h {
			rows = append(rows, int(row[0])|int(row[1])<<8|int(row[2])<<16)
		}
		if at > h {
			break
		}
	}
	return rows, errors.Join(err, d.err())
}
