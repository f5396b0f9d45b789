package result

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// JSON encodes v on one line. It differs from encoding/json in three ways.
//
// The type of an object member decides whether it can be missing. An empty string is
// encoded as null, and so is a nil pointer. A number or bool is always present. Strings in a list
// are not changed.
//
// A member that is a nil list is encoded as an empty list. To encode null, for example if a
// source did not answer, use a pointer to a list.
//
// "<" is not escaped. Control characters and bidirectional overrides are escaped, so that the
// output is harmless on a terminal.
func JSON(v any) ([]byte, error) {
	body, err := encoder{}.value(nil, reflect.ValueOf(v))
	return escapeControls(body), err
}

// EncodeMembers encodes a struct, or a pointer to one, with only the named members.
func EncodeMembers(v any, names []string) ([]byte, error) {
	keep := func(name string) bool { return slices.Contains(names, name) }
	body, err := encoder{}.object(nil, reflect.Indirect(reflect.ValueOf(v)), keep)
	return escapeControls(body), err
}

// EncodeWithout encodes a struct, or a pointer to one, without the named members.
func EncodeWithout(v any, names []string) ([]byte, error) {
	keep := func(name string) bool { return !slices.Contains(names, name) }
	body, err := encoder{}.object(nil, reflect.Indirect(reflect.ValueOf(v)), keep)
	return escapeControls(body), err
}

// plainJSON encodes v as JSON does, but keeps empty strings as "".
func plainJSON(v any) ([]byte, error) {
	body, err := encoder{plain: true}.value(nil, reflect.ValueOf(v))
	return escapeControls(body), err
}

// An encoder appends JSON to a slice. If plain is true, empty strings stay "", otherwise
// empty string members become null.
type encoder struct{ plain bool }

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// value appends the encoding of any value.
func (e encoder) value(b []byte, v reflect.Value) ([]byte, error) {
	if !v.IsValid() {
		return append(b, "null"...), nil
	}
	if v.CanAddr() && reflect.PointerTo(v.Type()).Implements(marshaler) {
		return leaf(b, v.Addr().Interface())
	}
	if v.Type().Implements(marshaler) || v.Type().Implements(textMarshaler) {
		return leaf(b, v.Interface())
	}
	switch kind := v.Kind(); {
	case kind == reflect.Pointer, kind == reflect.Interface:
		return e.value(b, v.Elem())
	case kind == reflect.Struct:
		return e.object(b, v, func(string) bool { return true })
	case kind == reflect.Map && !v.IsNil() && v.Type().Key().Kind() == reflect.String:
		return e.stringMap(b, v)
	case isList(v.Type()) && !v.IsNil(), kind == reflect.Array:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			var err error
			if b, err = e.value(b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	return leaf(b, v.Interface())
}

// leaf appends the encoding of v by encoding/json.
func leaf(b []byte, v any) ([]byte, error) {
	w := bytes.NewBuffer(b)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(w.Bytes(), []byte("\n")), nil
}

// object appends a struct with the members that keep selects.
func (e encoder) object(b []byte, v reflect.Value, keep func(name string) bool) ([]byte, error) {
	b = append(b, '{')
	for _, m := range membersOf(v.Type()) {
		field, err := v.FieldByIndexErr(m.index)
		if err != nil || m.omits(field) || !keep(m.name) { // an error means that an embedded pointer is nil
			continue
		}
		if b, err = e.member(b, m.name, field); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// stringMap appends a map with sorted keys.
func (e encoder) stringMap(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '{')
	keys := v.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	for _, k := range keys {
		var err error
		if b, err = e.member(b, k.String(), v.MapIndex(k)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// member appends the name and value of a member.
func (e encoder) member(b []byte, name string, v reflect.Value) ([]byte, error) {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b, err := leaf(b, name)
	if err != nil {
		return nil, err
	}
	b = append(b, ':')
	if !e.plain && v.Kind() == reflect.String && v.Len() == 0 {
		return append(b, "null"...), nil
	}
	if v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
	}
	if isList(v.Type()) && v.IsNil() {
		return append(b, "[]"...), nil
	}
	return e.value(b, v)
}

// isList reports whether values of type t are encoded as a list. That excludes bytes and types
// that encode themselves.
func isList(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !t.Implements(marshaler)
}

// A member is a struct field with its JSON name and options.
type member struct {
	index               []int
	name                string
	omitEmpty, omitZero bool
}

// omits reports whether the options omit the member because of its value v.
func (m member) omits(v reflect.Value) bool {
	if m.omitZero {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return z.IsZero()
		}
		return v.IsZero()
	}
	if m.omitEmpty {
		switch v.Kind() {
		case reflect.Slice, reflect.Map, reflect.String:
			return v.Len() == 0
		case reflect.Struct, reflect.Array:
			return false
		}
		return v.IsZero()
	}
	return false
}

var knownMembers sync.Map // reflect.Type -> []member

// membersOf returns the fields of t that encoding/json would write, in its order.
func membersOf(t reflect.Type) []member {
	if known, ok := knownMembers.Load(t); ok {
		return known.([]member)
	}
	members := []member{}
	var whole [][]int // embedded structs that are a single member or omitted
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		isWithin := func(w []int) bool { return len(w) < len(f.Index) && slices.Equal(w, f.Index[:len(w)]) }
		if slices.ContainsFunc(whole, isWithin) {
			continue
		}
		if f.Anonymous && name != "" {
			whole = append(whole, f.Index)
		}
		if !f.IsExported() || f.Anonymous && name == "" || name == "-" {
			continue
		}
		name = cmp.Or(name, f.Name)
		members = append(members, member{f.Index, name, options == "omitempty", options == "omitzero"})
	}
	knownMembers.Store(t, members)
	return members
}
