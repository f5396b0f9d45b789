package store

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// The body of a stored document is the format number, followed by the fields of Document from
// PMIDVersion on in the order of their declaration. Of a chunk it has the fields before Tokens. A
// number is a sequence of five-bit digits, the lowest first. A text is its length and its bytes. A
// list is its length and its members. A struct is its fields; consecutive bools share one number.
// The text of a section or chunk is its position in the abstract: the offset of its first byte plus
// one, and its length; or 0 and the text. Long texts come last. Digits are bytes that do not occur
// in words, so that the compressor sees whole words.
var (
	contentFrom = fieldOf[Document]("PMIDVersion")
	contentTo   = fieldOf[Document]("LR")
	chunkText   = fieldOf[Chunk]("Text")   // last stored field
	sectionText = fieldOf[Section]("Text") // last field
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

// coder writes values to b or, if reading is set, reads them from s. After the first error it sets
// bad, and every later read returns a zero value.
type coder struct {
	b            []byte
	s            string
	reading, bad bool

	abstract string // abstract of the document, once it is known
	offset   int    // offset of the previous section or chunk
}

// continuationDigits maps the value of a digit that another one follows to its byte. The last digit of a
// number is the byte of its value.
const continuationDigits = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// digitValue maps a byte of continuationDigits to its value, and other bytes to 255.
var digitValue = func() (values [256]uint8) {
	for b := range values {
		values[b] = uint8(strings.IndexByte(continuationDigits, byte(b)))
	}
	return values
}()

// num writes n and returns it. When reading, it ignores n and returns the number it reads.
func (c *coder) num(n uint64) uint64 {
	if c.reading {
		return c.readNum()
	}
	rest := n
	for ; rest >= 32; rest >>= 5 {
		c.b = append(c.b, continuationDigits[rest&31])
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
		if d = digitValue[d]; d == 255 {
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

// count codes a length like num. When reading, it fails if the length exceeds the remaining bytes.
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
		if n := c.num(uint64(v.Int())); c.reading { // when writing, v is only read, as other goroutines may read it too
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

// passage codes a struct up to its field text, which may be a substring of the abstract.
func (c *coder) passage(v reflect.Value, text int) {
	c.fields(v, 0, text)
	c.passageText(v.Field(text))
}

// passageText codes the text of a section or chunk.
func (c *coder) passageText(v reflect.Value) {
	if !c.reading {
		text := v.String()
		at := strings.Index(c.abstract[c.offset:], text) // passages follow the order of the abstract
		if at < 0 {
			c.num(0)
			c.value(v)
			return
		}
		c.offset += at
		c.num(uint64(c.offset) + 1)
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

// fields codes the fields of a struct from index from up to, but not including, to.
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

// encodeBody returns the stored form of doc and a hash of its content: the PMID and all stored
// fields except LR, which is compared separately.
func encodeBody(doc *Document) (body []byte, hash int64) {
	return appendBody(make([]byte, 0, 1024+len(doc.Abstract)*2), doc)
}

// appendBody is like encodeBody but appends to dst.
func appendBody(dst []byte, doc *Document) (body []byte, hash int64) {
	v := reflect.ValueOf(doc).Elem()
	c := coder{b: dst, abstract: doc.Abstract}
	c.num(bodyFormat)
	from := len(c.b)
	c.fields(v, contentFrom, contentTo)
	hash = hashOf(doc.PMID, c.b[from:])
	c.offset = 0
	c.fields(v, contentTo, v.NumField())
	return c.b, hash
}

// contentHash returns the hash that encodeBody computes.
func contentHash(doc *Document) int64 {
	_, hash := encodeBody(doc)
	return hash
}

// hashOf returns the hash of a record whose hashed fields are encoded as content.
func hashOf(pmid record.PMID, content []byte) int64 {
	sum := sha256.New()
	var b [sha256.Size]byte
	sum.Write(binary.LittleEndian.AppendUint32(b[:0], uint32(pmid)))
	sum.Write(content)
	return int64(binary.LittleEndian.Uint64(sum.Sum(b[:0])))
}

// decodeBody decodes the output of encodeBody. It does not set PMID and Version.
func decodeBody(body []byte) (*Document, error) {
	doc, _, err := decodeContent(body)
	return doc, err
}

// decodeContent is like decodeBody and also returns the part of body that is hashed.
func decodeContent(body []byte) (doc *Document, content []byte, err error) {
	c := coder{s: string(body), reading: true} // converted once; all texts of the document share its memory
	if c.num(0) != bodyFormat {
		return nil, nil, rows.ErrDamaged
	}
	doc = new(Document)
	v := reflect.ValueOf(doc).Elem()
	from := len(body) - len(c.s)
	c.fields(v, contentFrom, abstractAt+1)
	c.abstract = doc.Abstract
	c.fields(v, abstractAt+1, contentTo)
	content = body[from : len(body)-len(c.s)]
	c.fields(v, contentTo, v.NumField())
	if c.bad || c.s != "" {
		return nil, nil, rows.ErrDamaged
	}
	return doc, content, nil
}
