package store

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// A body of programs before textcode is a frame of zstd under a dictionary, or the byte
// oldWordsBody and the frame without its magic number, where the dictionary has a list
// of words too: what is packed then has the numbers of words, one byte for each of the
// commonest ones and two or three for others. Below 0x80 a byte is itself; the bytes
// from leadOne on begin a number; one from 0x80 on that belongs to no word of the list
// follows a leadByte. Between two numbers that follow one another there is a space.
const (
	oldWordsBody = 1

	leadByte  = 0x80
	leadOne   = 0x81 // 64 words
	leadTwo   = 0xc1 // 62 × 256 words
	leadThree = 0xff // 65,536 words
	oneByte   = leadTwo - leadOne
	twoBytes  = (leadThree - leadTwo) << 8
)

var frameMagic = []byte{0x28, 0xb5, 0x2f, 0xfd} // https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1

// oldWordsMagic begins a dictionary with a list of words: after it come the length of
// the list, its words with a line end behind each, and the dictionary of zstd.
const oldWordsMagic = "bmw1"

// readOldDictionary separates a row of the table dictionary into the list of words, nil
// for none, and the dictionary of zstd.
func readOldDictionary(data []byte) (words []string, dictionary []byte, err error) {
	rest, ok := bytes.CutPrefix(data, []byte(oldWordsMagic))
	if !ok {
		return nil, data, nil
	}
	n, size := binary.Uvarint(rest)
	if size <= 0 || n > uint64(len(rest)-size) {
		return nil, nil, errBody
	}
	text := string(rest[size : size+int(n)])
	return strings.Split(text, "\n"), rest[size+int(n):], nil
}

var dictionaryMagic = []byte{0x37, 0xa4, 0x30, 0xec} // https://www.rfc-editor.org/rfc/rfc8878#section-5

func isOldDictionary(data []byte) bool {
	_, dictionary, err := readOldDictionary(data)
	if err != nil || !bytes.HasPrefix(dictionary, dictionaryMagic) {
		return false
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderDicts(dictionary))
	if err == nil {
		d.Close()
	}
	return err == nil
}

// oldBodies reads bodies under the dictionaries of zstd that a corpus has.
type oldBodies struct {
	decoder *zstd.Decoder
	words   map[uint32][]string // by dictionary
}

// loadOldBodies reads all of those dictionaries.
func loadOldBodies(r *reader) (*oldBodies, error) {
	options := []zstd.DOption{zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(256 << 20), zstd.WithDecoderLowmem(true)}
	o := &oldBodies{words: map[uint32][]string{}}
	err := r.each("SELECT id, data FROM dictionary", nil, func(scan func(...any) error) error {
		var id uint32
		var data []byte
		if err := scan(&id, &data); err != nil {
			return err
		}
		if bytes.HasPrefix(data, []byte(codeMagic)) {
			return nil
		}
		words, dictionary, err := readOldDictionary(data)
		o.words[id] = words
		options = append(options, zstd.WithDecoderDicts(dictionary))
		return err
	})
	if err != nil {
		return nil, err
	}
	o.decoder, err = zstd.NewReader(nil, options...)
	return o, err
}

func (o *oldBodies) unpack(packed []byte) ([]byte, error) {
	if len(packed) == 0 || packed[0] != oldWordsBody {
		return o.decoder.DecodeAll(packed, nil)
	}
	frame := slices.Concat(frameMagic, packed[1:])
	coded, err := o.decoder.DecodeAll(frame, nil)
	if err != nil {
		return nil, err
	}
	var header zstd.Header
	if err := header.Decode(frame); err != nil {
		return nil, err
	}
	return decodeWords(o.words[header.DictionaryID], coded)
}

func decodeWords(words []string, coded []byte) ([]byte, error) {
	b := make([]byte, 0, 4*len(coded))
	after := false // a number
	for i := 0; i < len(coded); i++ {
		c := coded[i]
		if c < leadByte {
			b, after = append(b, c), false
			continue
		}
		more := 1 // bytes
		switch {
		case c == leadThree:
			more = 2
		case c >= leadOne && c < leadTwo:
			more = 0
		}
		if i+more >= len(coded) {
			return nil, errBody
		}
		i += more
		if c == leadByte {
			b, after = append(b, coded[i]), false
			continue
		}
		n := int(c) - leadOne
		switch more {
		case 1:
			n = oneByte + (int(c)-leadTwo)<<8 + int(coded[i])
		case 2:
			n = oneByte + twoBytes + int(coded[i-1])<<8 + int(coded[i])
		}
		if n >= len(words) {
			return nil, errBody
		}
		if after {
			b = append(b, ' ')
		}
		b, after = append(b, words[n]...), true
	}
	return b, nil
}
