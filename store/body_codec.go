package store

import (
	"biomcp/store/rows"
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"strings"
)

// The body of a stored document is the format number, then the fields of Document
// from PMIDVersion on in the order of their declaration, and of a chunk the fields
// before Tokens. A number is digits of five bits, the lowest first; a text is its length
// and its bytes; a list is its length and its members; a struct is its fields; bools that
// follow one another share a number. The text of a section or a chunk is its place
// in the abstract: the byte it begins at, plus one, and its length; or 0 and the text.
// Long texts come last. A digit is a byte that is in no word, so that words are whole for
// the compressor.
var (
	contentFrom = fieldOf[Document]("PMIDVersion")
	contentTo   = fieldOf[Document]("LR")
	chunkText   = fieldOf[Chunk]("Text")   // the last one that is stored
	sectionText = fieldOf[Section]("Text") // the last one
	abstractAt  = fieldOf[Document]("Abstract")
)

const bodyFormat = 1

func fieldOf[T any](name string) int {
	f, ok := reflect.TypeFor[T]().FieldByName(name)
	if !ok {
		panic("no field " + name)
	}
	return f.Index[0]
}

// coder writes values to b or, where reading is set, reads them from s. The first
// fault makes every later read return zero values, and sets bad.
type coder struct {
	b            []byte
	s            string
	reading, bad bool

	abstract string // of the document
	from     int    // where the section or chunk before begins
}

// continued are the digits that another one follows, by value; the last digit of a number
// is the byte of its value.
const continued = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// continuedValue is the value of a byte of continued, 255 for other bytes.
var continuedValue = func() (values [256]uint8) {
	for b := range values {
		values[b] = uint8(strings.IndexByte(continued, byte(b)))
	}
	return values
}()

// num writes a number and returns it, or returns the one it read.
func (c *coder) num(n uint64) uint64 {
	if c.reading {
		return c.readNum()
	}
	rest := n
	for ; rest >= 32; rest >>= 5 {
		c.b = append(c.b, continued[rest&31])
	}
	c.b = append(c.b, byte(rest))
	return n
}

func (c *coder) readNum() (n uint64) {
	const most = (64 + 4) / 5
	for i := range min(len(c.s), most) {
		d := c.s[i]
		if d < 32 {
			c.s = c.s[i+1:]
			return n | uint64(d)<<(5*i)
		}
		if d = continuedValue[d]; d == 255 {
			break
		}
		n |= uint64(d) << (5 * i)
	}
	return c.fail()
}

func (c *coder) fail() uint64 {
	c.s, c.bad = "", true
	return 0
}

// count is num for a length, which cannot exceed the bytes that are left.
func (c *coder) count(n int) int {
	read := c.num(uint64(n))
	if c.reading && read > uint64(len(c.s)) {
		read = c.fail()
	}
	return int(read)
}

func (c *coder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		n := c.count(v.Len())
		if !c.reading {
			c.b = append(c.b, v.String()...)
			return
		}
		v.SetString(c.s[:n])
		c.s = c.s[n:]
	case reflect.Int:
		if n := c.num(uint64(v.Int())); c.reading { // what is written is only read: others may read it too
			v.SetInt(int64(n))
		}
	case reflect.Uint32:
		if n := c.num(v.Uint()); c.reading {
			v.SetUint(n & (1<<32 - 1))
		}
	case reflect.Slice:
		n := c.count(v.Len())
		if c.reading {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range n {
			c.value(v.Index(i))
		}
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[Chunk]():
			c.passage(v, chunkText)
		case reflect.TypeFor[Section]():
			c.passage(v, sectionText)
		default:
			c.fields(v, 0, v.NumField())
		}
	default:
		panic("a document has a field of kind " + v.Kind().String())
	}
}

// passage is a struct up to its field text, which may be a place of the abstract.
func (c *coder) passage(v reflect.Value, text int) {
	c.fields(v, 0, text)
	c.place(v.Field(text))
}

// place is the text of a section or chunk.
func (c *coder) place(v reflect.Value) {
	if !c.reading {
		text := v.String()
		at := strings.Index(c.abstract[c.from:], text) // they are in the order of the abstract
		if at < 0 {
			c.num(0)
			c.value(v)
			return
		}
		c.from += at
		c.num(uint64(c.from) + 1)
		c.num(uint64(len(text)))
		return
	}
	at := c.num(0)
	if at == 0 {
		c.value(v)
		return
	}
	at--
	n := c.num(0)
	if rest := uint64(len(c.abstract)); at > rest || n > rest-at {
		c.fail()
		return
	}
	v.SetString(c.abstract[at : at+n])
}

// fields are the fields of a struct from one up to another.
func (c *coder) fields(v reflect.Value, from, to int) {
	for i := from; i < to; i++ {
		if v.Field(i).Kind() != reflect.Bool {
			c.value(v.Field(i))
			continue
		}
		last := i
		var set uint64
		for ; last < to && v.Field(last).Kind() == reflect.Bool; last++ {
			if v.Field(last).Bool() {
				set |= 1 << (last - i)
			}
		}
		set = c.num(set)
		for n := i; c.reading && n < last; n++ {
			v.Field(n).SetBool(set&(1<<(n-i)) != 0)
		}
		i = last - 1
	}
}

// encodeBody returns the stored form of doc and the hash of its content: its PMID and what
// NCBI says of the record, except for the revision date, which is compared by itself.
func encodeBody(doc *Document) (body []byte, hash int64) {
	return appendBody(make([]byte, 0, 1024+len(doc.Abstract)*2), doc)
}

// appendBody is encodeBody that appends to dst.
func appendBody(dst []byte, doc *Document) (body []byte, hash int64) {
	v := reflect.ValueOf(doc).Elem()
	c := coder{b: dst, abstract: doc.Abstract}
	c.num(bodyFormat)
	from := len(c.b)
	c.fields(v, contentFrom, contentTo)
	sum := sha256.New()
	sum.Write(binary.LittleEndian.AppendUint32(nil, uint32(doc.PMID)))
	sum.Write(c.b[from:])
	hash = int64(binary.LittleEndian.Uint64(sum.Sum(nil)))
	c.from = 0
	c.fields(v, contentTo, v.NumField())
	return c.b, hash
}

// contentHash is the hash that encodeBody returns.
func contentHash(doc *Document) int64 {
	_, hash := encodeBody(doc)
	return hash
}

// decodeBody reads what encodeBody wrote. PMID and Version are not in it.
func decodeBody(body []byte) (*Document, error) {
	c := coder{s: string(body), reading: true} // once: every text of the document is a part of it
	if c.num(0) != bodyFormat {
		return nil, rows.ErrDamaged
	}
	doc := new(Document)
	v := reflect.ValueOf(doc).Elem()
	c.fields(v, contentFrom, abstractAt+1)
	c.abstract = doc.Abstract
	c.fields(v, abstractAt+1, v.NumField())
	if c.bad || c.s != "" {
		return nil, rows.ErrDamaged
	}
	return doc, nil
}
