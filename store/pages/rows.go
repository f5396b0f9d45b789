package pages

import (
	"encoding/binary"
	"errors"
	"math"
)

// Row is a row of a table or an entry of an index.
type Row struct {
	Key    int64 // the rowid; 0 in an index and in a table without rowid
	Table  bool  // has a rowid
	Values []Value
	Zeros  int // pages of zeros that it goes on over

	// Err says that a part of it cannot be read. Values are then those before that
	// part, of what is known of them.
	Err error
}

// Value is a value of a row. Bytes are those of a text or blob.
type Value struct {
	Kind  Kind
	Int   int64
	Bytes []byte
}

// Kind is the type of a value.
type Kind byte

// The types of SQLite.
const (
	Null Kind = iota
	Int
	Float
	Text
	Blob
)

// Shape is a letter for each value: n null, i int, f float, t text, b blob.
func (r Row) Shape() string {
	b := make([]byte, len(r.Values))
	for i, v := range r.Values {
		b[i] = "niftb"[v.Kind]
	}
	return string(b)
}

// The kinds of page of a tree.
const (
	innerIndex = 2
	innerTable = 5
	leafIndex  = 10
	leafTable  = 13
)

var (
	errPage  = errors.New("a page is damaged")
	errCell  = errors.New("a row is damaged")
	errChain = errors.New("the continuation of a row is damaged")
)

// Rows are the rows that page n holds, none where it is free or of another kind. err
// says that the page is damaged, so that rows may be missing.
func (f *File) Rows(n int) (rows []Row, err error) {
	if kind, _ := f.mapped(n); kind == mapFree {
		return nil, nil
	}
	b := f.page(n)
	head := 0
	if n == 1 {
		head = 100
	}
	if b == nil || len(b) < head+12 {
		return nil, errPage
	}
	kind := b[head]
	switch kind {
	case innerTable:
		return nil, nil
	case innerIndex, leafIndex, leafTable:
	default:
		return nil, errPage
	}
	count, pointers := int(binary.BigEndian.Uint16(b[head+3:])), head+8
	if kind == innerIndex {
		pointers += 4
	}
	if pointers+2*count > len(b) {
		return nil, errPage
	}
	for i := range count {
		at := int(binary.BigEndian.Uint16(b[pointers+2*i:]))
		if at < pointers+2*count || at >= len(b) {
			err = errPage
			continue
		}
		if row, ok := f.row(b, at, kind); ok {
			rows = append(rows, row)
		} else {
			err = errCell
		}
	}
	if kind == leafTable && outOfOrder(rows) {
		err = errCell
	}
	return rows, err
}

// outOfOrder marks the rows whose key cannot be right, as those before and after it
// are in order without it.
func outOfOrder(rows []Row) (found bool) {
	for i := range rows {
		before, after := int64(math.MinInt64), int64(math.MaxInt64)
		if i > 0 {
			before = rows[i-1].Key
		}
		if i+1 < len(rows) {
			after = rows[i+1].Key
		}
		if before < after && (rows[i].Key <= before && i > 0 || rows[i].Key >= after && i+1 < len(rows)) {
			rows[i].Err, rows[i].Key, found = errCell, 0, true
		}
	}
	return found
}

// row reads the cell at a place of a page.
func (f *File) row(b []byte, at int, kind byte) (r Row, ok bool) {
	if kind == innerIndex {
		at += 4
	}
	length, n := varint(b, at)
	if at += n; n == 0 || length < 1 || length > 1<<30 {
		return r, false
	}
	most := (f.size-12)*64/255 - 23
	if kind == leafTable {
		most = f.size - 35
		if r.Key, n = varint(b, at); n == 0 {
			return r, false
		}
		r.Table = true
		at += n
	}
	total, local := int(length), int(length)
	if total > most {
		least := (f.size-12)*32/255 - 23
		if local = least + (total-least)%(f.size-4); local > most {
			local = least
		}
	}
	if at+local > len(b) || local < total && at+local+4 > len(b) {
		return r, false
	}
	payload := b[at : at+local]
	if local < total {
		payload, r.Zeros, r.Err = f.chain(payload, total, int(binary.BigEndian.Uint32(b[at+local:])))
	}
	values, whole := parse(payload, total)
	if r.Values = values; !whole && r.Err == nil {
		r.Err = errCell
	}
	return r, true
}

// chain adds what of a row lies in further pages.
func (f *File) chain(payload []byte, total, next int) (_ []byte, zeros int, err error) {
	payload = payload[:len(payload):len(payload)]
	for len(payload) < total {
		if kind, _ := f.mapped(next); next < 2 || kind != 0 && kind != mapOverflow1 && kind != mapOverflow2 {
			return payload, zeros, errChain
		}
		b := f.page(next)
		if b == nil {
			return payload, zeros, errChain
		}
		part := b[4:min(len(b), 4+total-len(payload))]
		if allZero(part) {
			zeros++
		}
		payload = append(payload, part...)
		next = int(binary.BigEndian.Uint32(b))
	}
	if next != 0 {
		return payload, zeros, errChain
	}
	return payload, zeros, nil
}

func allZero(b []byte) bool {
	for _, x := range b {
		if x != 0 {
			return false
		}
	}
	return true
}

// parse reads the values of a record of which there may be only the beginning.
func parse(b []byte, total int) (values []Value, whole bool) {
	header, n := varint(b, 0)
	if n == 0 || header < int64(n) || header > int64(len(b)) {
		return nil, false
	}
	at := int(header)
	for pos := n; pos < int(header); {
		kind, n := varint(b[:header], pos)
		if n == 0 || kind < 0 {
			return values, false
		}
		pos += n
		v, size := value(kind)
		if size < 0 || at+size > len(b) {
			return values, false
		}
		body := b[at : at+size]
		at += size
		switch v.Kind {
		case Int:
			if size > 0 {
				v.Int = int64(int8(body[0]))
				for _, x := range body[1:] {
					v.Int = v.Int<<8 | int64(x)
				}
			}
		case Text, Blob:
			v.Bytes = body
		}
		values = append(values, v)
	}
	return values, at == total
}

// value is the type of a serial type and its size, -1 for one that is none.
func value(serial int64) (v Value, size int) {
	switch {
	case serial == 0:
		return v, 0
	case serial <= 4:
		return Value{Kind: Int}, int(serial)
	case serial == 5:
		return Value{Kind: Int}, 6
	case serial == 6:
		return Value{Kind: Int}, 8
	case serial == 7:
		return Value{Kind: Float}, 8
	case serial <= 9:
		return Value{Kind: Int, Int: serial - 8}, 0
	case serial <= 11 || serial > 1<<31:
		return v, -1
	case serial%2 == 0:
		return Value{Kind: Blob}, int(serial-12) / 2
	}
	return Value{Kind: Text}, int(serial-13) / 2
}

// varint reads a number of up to nine bytes; n is 0 where there is none.
func varint(b []byte, at int) (v int64, n int) {
	var u uint64
	for i := range 9 {
		if at+i >= len(b) {
			return 0, 0
		}
		x := b[at+i]
		if i == 8 {
			return int64(u<<8 | uint64(x)), 9
		}
		u = u<<7 | uint64(x&0x7f)
		if x < 0x80 {
			return int64(u), i + 1
		}
	}
	return 0, 0
}
