package store

import (
	"reflect"
	"sync"
	"unsafe"

	"biomcp/store/rows"
)

// shape describes how the coder stores values of a type, so that a check can pass over them without
// building a document.
type shape struct {
	kind    reflect.Kind // String, Slice, Struct, or Uint64 for a number
	elem    *shape       // member of a list
	fields  []*shape     // fields of a struct
	passage bool         // a struct that ends with a text, which may be a position in the abstract
}

var number = &shape{kind: reflect.Uint64}

// shapeOf returns the shape of a type, with the fields that coder.value stores.
func shapeOf(t reflect.Type) *shape {
	s := &shape{kind: t.Kind()}
	switch t {
	case reflect.TypeFor[Chunk]():
		s.passage, s.fields = true, shapesOf(t, 0, chunkText)
		return s
	case reflect.TypeFor[Section]():
		s.passage, s.fields = true, shapesOf(t, 0, sectionText)
		return s
	}
	switch t.Kind() {
	case reflect.String:
	case reflect.Slice:
		s.elem = shapeOf(t.Elem())
	case reflect.Struct:
		s.fields = shapesOf(t, 0, t.NumField())
	default:
		return number
	}
	return s
}

// shapesOf returns the shapes of the fields of a struct from index from up to, but not including, to.
// Consecutive bools are one number.
func shapesOf(t reflect.Type, from, to int) (list []*shape) {
	for i := from; i < to; i++ {
		if t.Field(i).Type.Kind() == reflect.Bool && i > from && t.Field(i-1).Type.Kind() == reflect.Bool {
			continue
		}
		list = append(list, shapeOf(t.Field(i).Type))
	}
	return list
}

// bodyShape holds the shapes of the fields of a body: before the abstract, between it and LR, and
// from LR up to the chunks, which are the last field.
var bodyShape = sync.OnceValue(func() (s struct{ head, content, rest []*shape }) {
	t := reflect.TypeFor[Document]()
	s.head = shapesOf(t, contentFrom, abstractAt)
	s.content = shapesOf(t, abstractAt+1, contentTo)
	s.rest = shapesOf(t, contentTo, t.NumField())
	return s
})

// skimBody checks that decodeBody can decode a body. It returns the number of chunks, and the part of
// body that is hashed.
func skimBody(body []byte) (chunks int, content []byte, err error) {
	c := coder{s: unsafe.String(unsafe.SliceData(body), len(body)), reading: true} // gone before body changes
	if c.num(0) != bodyFormat {
		return 0, nil, rows.ErrDamaged
	}
	s, from := bodyShape(), len(body)-len(c.s)
	c.skipAll(s.head)
	n := c.count(0)
	c.abstract, c.s = c.s[:n], c.s[n:]
	c.skipAll(s.content)
	content = body[from : len(body)-len(c.s)]
	last := len(s.rest) - 1
	c.skipAll(s.rest[:last])
	chunks = c.skipList(s.rest[last].elem)
	if c.bad || c.s != "" {
		return 0, nil, rows.ErrDamaged
	}
	return chunks, content, nil
}

func (c *coder) skipAll(list []*shape) {
	for _, s := range list {
		c.skip(s)
	}
}

// skip passes over a value.
func (c *coder) skip(s *shape) {
	switch s.kind {
	case reflect.Uint64:
		c.readNum()
	case reflect.String:
		c.skipText()
	case reflect.Slice:
		c.skipList(s.elem)
	case reflect.Struct:
		c.skipAll(s.fields)
		if s.passage {
			c.skipPassage()
		}
	}
}

// skipList passes over a list and returns the number of its members.
func (c *coder) skipList(elem *shape) int {
	n := c.count(0)
	for range n {
		c.skip(elem)
	}
	return n
}

func (c *coder) skipText() {
	n := c.count(0)
	c.s = c.s[n:]
}

// skipPassage passes over the text of a section or chunk.
func (c *coder) skipPassage() {
	at := c.readNum()
	if at == 0 {
		c.skipText()
		return
	}
	at--
	n := c.readNum()
	if rest := uint64(len(c.abstract)); at > rest || n > rest-at {
		c.fail()
	}
}
