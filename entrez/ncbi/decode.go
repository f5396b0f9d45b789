package ncbi

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
)

// DecodeXML decodes a reply leniently: broken UTF-8 and HTML entities are read.
func DecodeXML(body []byte, v any) error { return decoder(body).Decode(v) }

func decoder(body []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(body, []byte("\uFFFD"))))
	d.Entity = xml.HTMLEntity
	// What claims another encoding was made valid UTF-8 above.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// List is s without blank entries, and never nil.
func List(s []string) []string {
	out := make([]string, 0, len(s))
	for _, v := range s {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// NCBI writes an empty value as "", null, [] or not at all, whatever its type
// otherwise is, and numbers with and without quotation marks. These types take
// each for what it means.

// Text is a string, or a number in its own spelling.
type Text string

func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*t = Text(s)
		return nil
	}
	var n json.Number
	if json.Unmarshal(b, &n) == nil {
		*t = Text(n)
	}
	return nil // a list or object where text should be says nothing
}

// Texts is a list of strings; one string is a list of one.
type Texts []string

func (t *Texts) UnmarshalJSON(b []byte) error {
	var one Text
	var each []Text
	if json.Unmarshal(b, &each) != nil {
		if err := one.UnmarshalJSON(b); err != nil {
			return err
		}
		each = []Text{one}
	}
	*t = nil
	for _, s := range each {
		if s != "" {
			*t = append(*t, string(s))
		}
	}
	return nil
}

// Many is a list of objects, where an empty one may be written as anything else.
type Many[T any] []T

func (m *Many[T]) UnmarshalJSON(b []byte) error {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '[' {
		*m = nil
		return nil
	}
	return json.Unmarshal(b, (*[]T)(m))
}
