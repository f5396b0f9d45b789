package store

import (
	"errors"
	"sync"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/zstd"

	"biomcp/entrez/record"
)

// bodyCodec compresses document bodies, each by itself, with a dictionary made
// from the corpus: records have much in common and little within themselves. On
// real records it takes off 18 % (1,257 bytes a record to 1,027, at the fastest
// level, which with a dictionary packs as well as the default one).
type bodyCodec struct {
	mu      sync.Mutex
	encoder *zstd.Encoder
	with    int64 // the dictionary of encoder
	decoder *zstd.Decoder
}

// A dictionary is made when a corpus first has trainAt documents, and again each
// time it has grown trainAgain-fold: what comes first, old records say, is not
// like what comes later. Training takes a third of a second.
const (
	trainAt      = 4000
	trainAgain   = 8
	trainSamples = 400
	trainEnough  = 100
	dictSize     = 32 << 10
)

// packer returns the encoder for the latest dictionary.
func (c *bodyCodec) packer(w *reader) (*zstd.Encoder, error) {
	var latest int64
	if err := w.row("SELECT coalesce(max(id),0) FROM dictionary", nil, &latest); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.encoder == nil || c.with != latest {
		options := []zstd.EOption{zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(256 << 10)}
		if latest != 0 {
			var data []byte
			if err := w.row("SELECT data FROM dictionary WHERE id=?", []any{latest}, &data); err != nil {
				return nil, err
			}
			options = append(options, zstd.WithEncoderDict(data))
		}
		e, err := zstd.NewWriter(nil, options...)
		if err != nil {
			return nil, err
		}
		c.encoder, c.with = e, latest
	}
	return c.encoder, nil
}

// unpack reads a stored body, under whatever dictionary.
func (c *bodyCodec) unpack(r *reader, packed []byte) ([]byte, error) {
	c.mu.Lock()
	d := c.decoder
	c.mu.Unlock()
	if d != nil {
		body, err := d.DecodeAll(packed, nil)
		if !errors.Is(err, zstd.ErrUnknownDictionary) {
			return body, err
		}
	}
	// The first body, or one under a dictionary made since: read them all.
	options := []zstd.DOption{zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256 << 20), zstd.WithDecoderLowmem(true)}
	err := r.each("SELECT data FROM dictionary", nil, func(scan func(...any) error) error {
		var data []byte
		err := scan(&data)
		options = append(options, zstd.WithDecoderDicts(data))
		return err
	})
	if err != nil {
		return nil, err
	}
	if d, err = zstd.NewReader(nil, options...); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.decoder = d // the one before may be in use, and holds nothing but memory
	c.mu.Unlock()
	return d.DecodeAll(packed, nil)
}

// train makes a dictionary if the corpus, with the batch, has reached the size
// for it.
func (c *commit) train(documents int64, changed []record.PMID, kept map[record.PMID]*operation) error {
	var at int64
	if err := c.w.row("SELECT value FROM meta WHERE key='trained'", nil, &at); err != nil {
		return err
	}
	if documents < max(trainAt, at*trainAgain) {
		return nil
	}
	var samples [][]byte
	take := func(body []byte) { samples = append(samples, body[:min(len(body), 8<<10)]) }
	for i := 0; i < len(changed); i += 1 + len(changed)/trainSamples {
		if op := kept[changed[i]]; op != nil {
			take(op.body)
		}
	}
	err := c.w.each("SELECT body FROM document WHERE body IS NOT NULL ORDER BY pmid DESC LIMIT ?", []any{trainSamples - len(samples)}, func(scan func(...any) error) error {
		var packed []byte
		if err := scan(&packed); err != nil {
			return err
		}
		body, err := c.s.bodies.unpack(c.w, packed)
		if err == nil {
			take(body)
		}
		return err
	})
	if err != nil || len(samples) < trainEnough {
		return err
	}
	var id uint32
	if err := c.w.row("SELECT coalesce(max(id),0)+1 FROM dictionary", nil, &id); err != nil {
		return err
	}
	if data := buildDictionary(samples, id); data != nil {
		if err := c.w.exec("INSERT INTO dictionary VALUES(?,?)", id, data); err != nil {
			return err
		}
	}
	return c.w.exec("INSERT OR REPLACE INTO meta VALUES('trained',?)", documents)
}

// buildDictionary returns nil where the samples have too little in common, which
// the library reports as an error or, on some inputs, by a panic.
func buildDictionary(samples [][]byte, id uint32) (data []byte) {
	defer func() {
		if p := recover(); p != nil {
			data = nil
		}
	}()
	data, err := dict.BuildZstdDict(samples, dict.Options{MaxDictSize: dictSize, HashBytes: 6, ZstdDictID: id, ZstdLevel: zstd.SpeedFastest})
	if err != nil {
		return nil
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderDict(data))
	if err != nil {
		return nil
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderDicts(data))
	if err != nil {
		return nil
	}
	defer d.Close()
	back, err := d.DecodeAll(e.EncodeAll(samples[0], nil), nil)
	if err != nil || string(back) != string(samples[0]) {
		return nil
	}
	return data
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
