package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/textcodec"
)

// bodyCodec compresses each document body separately, with a code trained on the corpus: records
// share much with one another but repeat little within themselves.
//
// A stored body is the byte codedBody, the ID of the code in the table code as an unsigned varint,
// and the output of package textcode. If there is no code yet, or zstd is smaller, it is a zstd
// frame instead, which begins with another byte.
type bodyCodec struct {
	mu     sync.Mutex
	latest *packer
	codes  map[uint64]*textcodec.Code // loaded codes by ID

	decoderOnce sync.Once
	decoder     *zstd.Decoder // decodes zstd frames
}

const codedBody = 1

// packer compresses bodies. Its methods are safe for concurrent use.
type packer struct {
	id      uint64          // ID of the code in the table code
	code    *textcodec.Code // nil until one is trained
	encoder *zstd.Encoder
}

func newPacker(id uint64, code *textcodec.Code) (*packer, error) {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)),
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(256<<10), zstd.WithEncoderCRC(false))
	return &packer{id, code, e}, err
}

// pack returns the stored form of a body.
func (p *packer) pack(body []byte) []byte {
	room := packBuffers.Get().(*packBuffer)
	defer packBuffers.Put(room)
	return p.packIn(room, body)
}

// packDocument returns the stored form of a document and the hash of its content.
func (p *packer) packDocument(doc *Document) (packed []byte, hash int64) {
	room := packBuffers.Get().(*packBuffer)
	defer packBuffers.Put(room)
	room.body, hash = appendBody(room.body[:0], doc)
	return p.packIn(room, room.body), hash
}

// zstdMinSize is the length from which zstd is also tried, as it finds repetitions within a body.
const zstdMinSize = 16 << 10

func (p *packer) packIn(room *packBuffer, body []byte) []byte {
	if p.code != nil {
		room.packed = binary.AppendUvarint(append(room.packed[:0], codedBody), p.id)
		room.packed = p.code.Append(room.packed, body)
		if len(body) < zstdMinSize && len(room.packed) <= len(body)/2 {
			return slices.Clone(room.packed)
		}
	}
	frame := p.encoder.EncodeAll(body, nil)
	if p.code != nil && len(room.packed) < len(frame) {
		return slices.Clone(room.packed)
	}
	return frame
}

// packBuffer holds reusable buffers for packing a body.
type packBuffer struct{ body, packed []byte }

var packBuffers = sync.Pool{New: func() any { return new(packBuffer) }}

// A code is trained when a corpus first has trainAt documents, and again whenever the corpus has
// grown retrainGrowth-fold, because early documents (such as old records) may not resemble later ones.
// Training takes seconds.
const (
	trainAt         = 4000
	retrainGrowth   = 8
	trainSamples    = 4000 // half of them from the corpus, half from the batch
	minTrainSamples = 100
)

// packer returns the packer for the latest code. Its code is nil if there is none yet.
func (c *bodyCodec) packer(w *rows.Conn) (*packer, error) {
	var latest uint64
	if err := w.Row("SELECT coalesce(max(id),0) FROM code", nil, &latest); err != nil {
		return nil, err
	}
	c.mu.Lock()
	p := c.latest
	c.mu.Unlock()
	if p != nil && p.id == latest {
		return p, nil
	}
	var code *textcodec.Code
	if latest > 0 {
		var err error
		if code, err = c.code(w, latest); err != nil {
			return nil, err
		}
		if err := code.Check(); err != nil {
			return nil, err
		}
	}
	p, err := newPacker(latest, code)
	if err == nil {
		c.mu.Lock()
		c.latest = p
		c.mu.Unlock()
	}
	return p, err
}

// packer returns the packer for documents that are put. It returns nil if there is no code yet,
// because Commit may train one on this batch.
func (b *Batch) packer() *packer {
	b.packerOnce.Do(func() {
		err := b.s.db.Read(context.Background(), "read code", func(r *rows.Conn) (err error) {
			b.cachedPacker, err = b.s.bodies.packer(r)
			return err
		})
		if err != nil || b.cachedPacker.code == nil {
			b.cachedPacker = nil // Commit reports the error
		}
	})
	return b.cachedPacker
}

// code returns the code with the given ID.
func (c *bodyCodec) code(r *rows.Conn, id uint64) (*textcodec.Code, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if code := c.codes[id]; code != nil {
		return code, nil
	}
	read := func(query string, row int64) (*textcodec.Code, error) {
		var data []byte
		if err := r.Row(query, []any{row}, &data); err != nil {
			return nil, err
		}
		return textcodec.Read(data) // verifies its own checksum
	}
	code, err := read("SELECT data FROM code WHERE id=?", int64(id))
	if err != nil {
		if code, _ = read("SELECT data FROM page WHERE id=?", rows.CopyOfCode+int64(id)); code == nil {
			return nil, err
		}
	}
	if c.codes == nil {
		c.codes = map[uint64]*textcodec.Code{}
	}
	c.codes[id] = code
	return code, nil
}

// unpack decompresses a stored body whose checksum has been verified.
func (c *bodyCodec) unpack(r *rows.Conn, packed []byte) ([]byte, error) {
	return c.unpackTo(nil, r, packed)
}

// unpackTo is like unpack but appends to dst.
func (c *bodyCodec) unpackTo(dst []byte, r *rows.Conn, packed []byte) ([]byte, error) {
	rest, coded := bytes.CutPrefix(packed, []byte{codedBody})
	if !coded {
		return c.frames().DecodeAll(packed, dst)
	}
	id, size := binary.Uvarint(rest)
	if size <= 0 {
		return nil, rows.ErrDamaged
	}
	code, err := c.code(r, id)
	if err != nil {
		return nil, err
	}
	return code.AppendText(dst, rest[size:])
}

// frames returns the decoder of zstd frames. It is created on first use, so that a process that
// reads no body does not allocate its memory.
func (c *bodyCodec) frames() *zstd.Decoder {
	c.decoderOnce.Do(func() {
		var err error
		if c.decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0),
			zstd.WithDecoderMaxMemory(256<<20)); err != nil {
			panic(err) // only an invalid option fails
		}
	})
	return c.decoder
}

// train trains a code if the corpus, including the batch, has reached the size for it.
func (c *commit) train(documents int64, changed []record.PMID) error {
	var at int64
	if err := c.w.Meta("trained", &at); err != nil {
		return err
	}
	if documents < max(c.s.trainAt, at*retrainGrowth) {
		return nil
	}
	bodies, err := c.samples(changed)
	if err != nil || len(bodies) < minTrainSamples {
		return err
	}
	const insertCode = "INSERT INTO code(id,data) SELECT coalesce(max(id),0)+1,? FROM code"
	if err := c.w.Exec(insertCode, textcodec.Train(bodies).AppendTo(nil)); err != nil {
		return err
	}
	return c.w.SetMeta("trained", documents)
}

// samples returns bodies from the batch and from documents spread over the corpus.
func (c *commit) samples(changed []record.PMID) (bodies [][]byte, err error) {
	take := func(body []byte, err error) error {
		bodies = append(bodies, body[:min(len(body), 8<<10)])
		return err
	}
	for i := 0; i < len(changed); i += 1 + 2*len(changed)/trainSamples {
		if op := c.newContents[changed[i]]; op != nil {
			body, err := op.body, error(nil)
			if body == nil {
				body, err = c.s.bodies.unpack(c.w, op.packed)
			}
			if err := take(body, err); err != nil {
				return nil, err
			}
		}
	}
	var lo, hi int64
	const selectRange = "SELECT coalesce((SELECT min(pmid) FROM document),0)," +
		" coalesce((SELECT max(pmid) FROM document),0)"
	if err := c.w.Row(selectRange, nil, &lo, &hi); err != nil {
		return nil, err
	}
	for pmid := lo; pmid <= hi; pmid += 1 + 2*(hi-lo)/trainSamples {
		var row storedDocument
		found, err := c.w.RowFound(documentRows+"WHERE pmid>=? AND body IS NOT NULL ORDER BY pmid LIMIT 1",
			[]any{pmid}, row.columns()...)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if err := take(c.s.bodyOf(c.w, row)); err != nil {
			return nil, err
		}
		pmid = int64(row.pmid)
	}
	return bodies, nil
}

// forget drops the cached codes after a rollback: a code of the failed transaction may have an ID
// that another code will get.
func (c *bodyCodec) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.codes = nil, nil
}

// count adds n to a number in meta and returns the sum.
func (c *commit) count(key string, n int64) (int64, error) {
	var now int64
	if err := c.w.Meta(key, &now); err != nil {
		return 0, err
	}
	now += n
	return now, c.w.SetMeta(key, now)
}
