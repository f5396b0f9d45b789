package clinvartable

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/zstd"

	"biomcp/store/disk"
)

// A kind is a kind of block. Blocks of a kind are numbered from 0.
type kind uint32

const (
	infoBlock kind = iota
	recordBlock
	lateBlock // places of a block of records that came after it
	indexBlock
	changeBlock
	extraPlaceBlock            // places that are not in the columns
	dictionaryBlock            // the kind of dictionary d is dictionaryBlock+d
	columnBlock     kind = 100 // the kind of column c is columnBlock+c
)

const (
	magic       = "biomcp-clinvar 2"
	trailerSize = 8 + 4 + 4 + len(magic) // offset, length and checksum of the directory, magic
)

// An extent is the place of a block in the file.
type extent struct {
	offset      uint64
	length, sum uint32
}

func blockID(k kind, n int) uint64 { return uint64(k)<<32 | uint64(n) }

var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// A packWriter writes a file of blocks.
type packWriter struct {
	io.Writer
	encoder *zstd.Encoder
	offset  uint64
	ids     []uint64
	places  []extent
	buf     []byte
}

func newPackWriter(w io.Writer) (*packWriter, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	return &packWriter{Writer: w, encoder: e}, err
}

// put compresses and writes a block.
func (p *packWriter) put(k kind, n int, body []byte) error {
	p.buf = p.encoder.EncodeAll(body, p.buf[:0])
	p.ids = append(p.ids, blockID(k, n))
	p.places = append(p.places, extent{p.offset, uint32(len(p.buf)), crc32.Checksum(p.buf, castagnoli())})
	p.offset += uint64(len(p.buf))
	_, err := p.Write(p.buf)
	return err
}

// finish writes the directory and the trailer.
func (p *packWriter) finish() error {
	var body []byte
	for i, id := range p.ids {
		body = binary.AppendUvarint(body, id)
		body = binary.AppendUvarint(body, uint64(p.places[i].length))
		body = binary.LittleEndian.AppendUint32(body, p.places[i].sum)
	}
	body = p.encoder.EncodeAll(body, nil)
	trailer := binary.LittleEndian.AppendUint64(nil, p.offset)
	trailer = binary.LittleEndian.AppendUint32(trailer, uint32(len(body)))
	trailer = binary.LittleEndian.AppendUint32(trailer, crc32.Checksum(body, castagnoli()))
	_, err := p.Write(append(append(body, trailer...), magic...))
	return err
}

// A pack is an open file of blocks.
type pack struct {
	file    *os.File
	decoder *zstd.Decoder
	blocks  map[uint64]extent
}

const reading = "read ClinVar's table"

func damaged(what string) error {
	return disk.NewError(disk.Failed, reading, "%s; biomcp sync clinvar --force stores it again", what)
}

// openPack opens a file of blocks and reads its directory.
func openPack(path string) (*pack, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() < int64(trailerSize) {
		return nil, damaged("the file is not a table of ClinVar")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	p := &pack{file: file, blocks: map[uint64]extent{}}
	p.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := p.readDirectory(info.Size()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

func (p *pack) readDirectory(size int64) error {
	trailer := make([]byte, trailerSize)
	if err := p.readAt(trailer, size-int64(trailerSize)); err != nil {
		return err
	}
	if string(trailer[16:]) != magic {
		return damaged("the file is not a table of ClinVar, or another version of biomcp wrote it")
	}
	e := extent{binary.LittleEndian.Uint64(trailer), binary.LittleEndian.Uint32(trailer[8:]),
		binary.LittleEndian.Uint32(trailer[12:])}
	if e.offset > uint64(size) || uint64(e.length) > uint64(size)-e.offset {
		return damaged("the file is damaged")
	}
	body, err := p.read(e)
	if err != nil {
		return err
	}
	d := decode{body: body}
	for at := uint64(0); len(d.body) > 0; {
		id, length := d.number(), d.number()
		p.blocks[id] = extent{at, uint32(length), binary.LittleEndian.Uint32(d.bytes(4))}
		at += length
	}
	return d.err()
}

func (p *pack) readAt(buf []byte, at int64) error {
	if _, err := p.file.ReadAt(buf, at); err != nil {
		if errors.Is(err, io.EOF) {
			return damaged("the file is cut off")
		}
		return disk.Wrap(context.Background(), reading, err)
	}
	return nil
}

// read returns the contents of a block.
func (p *pack) read(e extent) ([]byte, error) {
	buf := make([]byte, e.length)
	if err := p.readAt(buf, int64(e.offset)); err != nil {
		return nil, err
	}
	if crc32.Checksum(buf, castagnoli()) != e.sum {
		return nil, damaged("the file is damaged")
	}
	body, err := p.decoder.DecodeAll(buf, nil)
	if err != nil {
		return nil, damaged("the file is damaged")
	}
	return body, nil
}

// block returns the contents of a block, or nil if there is no such block.
func (p *pack) block(k kind, n int) ([]byte, error) {
	e, ok := p.blocks[blockID(k, n)]
	if !ok {
		return nil, nil
	}
	return p.read(e)
}

func (p *pack) Close() error {
	p.decoder.Close()
	return p.file.Close()
}

// A decode reads numbers and texts from a block. After a read past the end, all values are zero.
type decode struct {
	body []byte
	bad  bool
}

func (d *decode) number() uint64 {
	v, n := binary.Uvarint(d.body)
	if n <= 0 {
		d.bad, d.body = true, nil
		return 0
	}
	d.body = d.body[n:]
	return v
}

// bytes returns the next n bytes; if there are fewer, it returns n zeros.
func (d *decode) bytes(n uint64) []byte {
	if n > uint64(len(d.body)) {
		d.bad, d.body = true, nil
		return make([]byte, min(n, 8))
	}
	b := d.body[:n]
	d.body = d.body[n:]
	return b
}

func (d *decode) text() string { return string(d.bytes(d.number())) }

func (d *decode) err() error {
	if d.bad {
		return damaged("the file is damaged")
	}
	return nil
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func (d *decode) signed() int {
	u := d.number()
	return int(u>>1) ^ -int(u&1)
}
