package store

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/zstd"

	"biomcp/entrez/record"
)

// bodyCodec compresses document bodies, each by itself, with a dictionary made
// from the corpus: records have much in common and little within themselves. The
// dictionary has the commonest words (wordList), and what zstd takes for its own.
//
// A stored body is a frame of zstd or, where the dictionary it names has words, the byte
// wordsBody and the frame without its magic number.
type bodyCodec struct {
	mu      sync.Mutex
	latest  *packer
	decoder *zstd.Decoder
	lists   map[uint32]*wordList // by dictionary
}

// packer compresses bodies with one dictionary. Its methods may be called concurrently.
type packer struct {
	id      int64 // of the dictionary, 0 for none
	words   *wordList
	encoder *zstd.Encoder
}

const wordsBody = 1

var frameMagic = []byte{0x28, 0xb5, 0x2f, 0xfd} // https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1

func newPacker(id int64, words *wordList, dictionary []byte) (*packer, error) {
	options := []zstd.EOption{zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(256 << 10)}
	if id != 0 {
		options = append(options, zstd.WithEncoderDict(dictionary))
	}
	e, err := zstd.NewWriter(nil, options...)
	return &packer{id, words, e}, err
}

// pack returns the stored form of a body.
func (p *packer) pack(body []byte) []byte {
	room := packing.Get().(*packingRoom)
	defer packing.Put(room)
	return p.packIn(room, body)
}

// packDocument returns the stored form of a document, and the hash of its content.
func (p *packer) packDocument(doc *Document) (packed []byte, hash int64) {
	room := packing.Get().(*packingRoom)
	defer packing.Put(room)
	room.body, hash = appendBody(room.body[:0], doc)
	return p.packIn(room, room.body), hash
}

func (p *packer) packIn(room *packingRoom, body []byte) []byte {
	if p.words == nil {
		room.packed = p.encoder.EncodeAll(body, room.packed[:0])
		return slices.Clone(room.packed)
	}
	room.coded = p.words.encode(room.coded[:0], body)
	room.packed = p.encoder.EncodeAll(room.coded, room.packed[:0])
	packed := slices.Clone(room.packed[len(frameMagic)-1:])
	packed[0] = wordsBody
	return packed
}

// packingRoom is memory for packing a body.
type packingRoom struct{ body, coded, packed []byte }

var packing = sync.Pool{New: func() any { return new(packingRoom) }}

// A dictionary is made when a corpus first has trainAt documents, and again each
// time it has grown trainAgain-fold: what comes first, old records say, is not
// like what comes later. Training takes some tenths of a second.
const (
	trainAt      = 4000
	trainAgain   = 8
	trainStored  = 1000 // documents of the corpus that the words are counted in, besides those of the batch
	trainSamples = 400
	trainEnough  = 100
	dictSize     = 32 << 10
)

// packer returns the one with the latest dictionary.
func (c *bodyCodec) packer(w *reader) (*packer, error) {
	var latest int64
	if err := w.row("SELECT coalesce(max(id),0) FROM dictionary", nil, &latest); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.latest != nil && c.latest.id == latest {
		return c.latest, nil
	}
	var data []byte
	if err := w.row("SELECT data FROM dictionary WHERE id=?", []any{latest}, &data); err != nil {
		return nil, err
	}
	words, dictionary, err := readDictionary(data)
	if err != nil {
		return nil, err
	}
	if words != nil && !words.number() {
		return nil, errBody
	}
	p, err := newPacker(latest, words, dictionary)
	if err == nil {
		c.latest = p
	}
	return p, err
}

// packer returns the one for documents that are put, nil while there is no dictionary:
// the batch may be what one is made from.
func (b *Batch) packer() *packer {
	b.packing.Do(func() {
		err := b.s.read(context.Background(), "read dictionary", func(r *reader) (err error) {
			b.packs, err = b.s.bodies.packer(r)
			return err
		})
		if err != nil || b.packs.id == 0 {
			b.packs = nil // Commit says what is wrong
		}
	})
	return b.packs
}

// unpack reads a stored body, under whatever dictionary.
func (c *bodyCodec) unpack(r *reader, packed []byte) ([]byte, error) {
	c.mu.Lock()
	d, lists := c.decoder, c.lists
	c.mu.Unlock()
	if d != nil {
		body, err := unpackWith(d, lists, packed)
		if !errors.Is(err, zstd.ErrUnknownDictionary) {
			return body, err
		}
	}
	// The first body, or one under a dictionary made since: read them all.
	options := []zstd.DOption{zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256 << 20), zstd.WithDecoderLowmem(true)}
	lists = map[uint32]*wordList{}
	err := r.each("SELECT id, data FROM dictionary", nil, func(scan func(...any) error) error {
		var id uint32
		var data []byte
		if err := scan(&id, &data); err != nil {
			return err
		}
		words, dictionary, err := readDictionary(data)
		if words != nil {
			lists[id] = words
		}
		options = append(options, zstd.WithDecoderDicts(dictionary))
		return err
	})
	if err != nil {
		return nil, err
	}
	if d, err = zstd.NewReader(nil, options...); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.decoder, c.lists = d, lists // the one before may be in use, and holds nothing but memory
	c.mu.Unlock()
	return unpackWith(d, lists, packed)
}

func unpackWith(d *zstd.Decoder, lists map[uint32]*wordList, packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != wordsBody {
		return d.DecodeAll(packed, nil)
	}
	frame := slices.Concat(frameMagic, packed[1:])
	coded, err := d.DecodeAll(frame, nil)
	if err != nil {
		return nil, err
	}
	var header zstd.Header
	if err := header.Decode(frame); err != nil {
		return nil, err
	}
	list := lists[header.DictionaryID]
	if list == nil {
		return nil, errBody
	}
	body, ok := list.decode(coded)
	if !ok {
		return nil, errBody
	}
	return body, nil
}

// train makes a dictionary if the corpus, with the batch, has reached the size
// for it.
func (c *commit) train(documents int64, changed []record.PMID) error {
	var at int64
	if err := c.w.row("SELECT value FROM meta WHERE key='trained'", nil, &at); err != nil {
		return err
	}
	if documents < max(trainAt, at*trainAgain) {
		return nil
	}
	bodies, err := c.samples(changed)
	if err != nil || len(bodies) < trainEnough {
		return err
	}
	var id uint32
	if err := c.w.row("SELECT coalesce(max(id),0)+1 FROM dictionary", nil, &id); err != nil {
		return err
	}
	if data := buildDictionary(bodies, id); data != nil {
		if err := c.w.exec("INSERT INTO dictionary VALUES(?,?)", id, data); err != nil {
			return err
		}
	}
	return c.w.exec("INSERT OR REPLACE INTO meta VALUES('trained',?)", documents)
}

// samples are the bodies of the batch, and of documents from all over the corpus.
func (c *commit) samples(changed []record.PMID) (bodies [][]byte, err error) {
	take := func(body, packed []byte) (err error) {
		if body == nil {
			body, err = c.s.bodies.unpack(c.w, packed)
		}
		bodies = append(bodies, body[:min(len(body), 8<<10)])
		return err
	}
	for _, pmid := range changed {
		if op := c.kept[pmid]; op != nil {
			if err := take(op.body, op.packed); err != nil {
				return nil, err
			}
		}
	}
	var lo, hi int64
	if err := c.w.row("SELECT coalesce(min(pmid),0), coalesce(max(pmid),0) FROM document", nil, &lo, &hi); err != nil {
		return nil, err
	}
	for pmid := lo; pmid <= hi; pmid += 1 + (hi-lo)/trainStored {
		var packed []byte
		found, err := c.w.found("SELECT pmid, body FROM document WHERE pmid>=? AND body IS NOT NULL ORDER BY pmid LIMIT 1", []any{pmid}, &pmid, &packed)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if err := take(nil, packed); err != nil {
			return nil, err
		}
	}
	return bodies, nil
}

// buildDictionary returns nil where the bodies have too little in common, which
// the library reports as an error or, on some inputs, by a panic.
func buildDictionary(bodies [][]byte, id uint32) (data []byte) {
	defer func() {
		if p := recover(); p != nil {
			data = nil
		}
	}()
	words := newWordList(bodies)
	var samples [][]byte
	for i := 0; i < len(bodies); i += 1 + len(bodies)/trainSamples {
		samples = append(samples, words.encode(nil, bodies[i]))
	}
	dictionary, err := dict.BuildZstdDict(samples, dict.Options{MaxDictSize: dictSize, HashBytes: 6, ZstdDictID: id, ZstdLevel: zstd.SpeedFastest})
	if err != nil {
		return nil
	}
	p, err := newPacker(int64(id), words, dictionary)
	if err != nil {
		return nil
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary))
	if err != nil {
		return nil
	}
	defer d.Close()
	back, err := unpackWith(d, map[uint32]*wordList{id: words}, p.pack(bodies[0]))
	if err != nil || string(back) != string(bodies[0]) {
		return nil
	}
	return append(words.appendTo(nil), dictionary...)
}

// forget drops what a transaction that was undone may have read: its dictionary is not
// the one that gets this id.
func (c *bodyCodec) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.decoder, c.lists = nil, nil, nil
}

func (c *bodyCodec) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.decoder != nil {
		c.decoder.Close()
	}
}

// count adds to a number in meta.
func (c *commit) count(key string, n int64) (int64, error) {
	var now int64
	if err := c.w.row("SELECT value FROM meta WHERE key=?", []any{key}, &now); err != nil {
		return 0, err
	}
	now += n
	return now, c.w.exec("INSERT OR REPLACE INTO meta VALUES(?,?)", key, now)
}
