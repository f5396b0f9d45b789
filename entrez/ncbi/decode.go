package ncbi

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"
)

// DecodeXML decodes a reply. It accepts invalid UTF-8 and HTML entities.
func DecodeXML(body []byte, v any) error { return decoder(body).Decode(v) }

func decoder(body []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(bytes.ToValidUTF8(body, []byte("\uFFFD"))))
	d.Entity = xml.HTMLEntity
	// The body is valid UTF-8 already, whatever encoding it declares.
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d
}

// List returns the trimmed entries of s without empty ones. It never returns nil.
func List(s []string) []string {
	out := make([]string, 0, len(s))
	for _, v := range s {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

// Known is a list of texts. It is null in JSON if it is nil, because the texts are not known then; an empty list says
// that there are none.
type Known []string

// MarshalJSON returns the list, or null.
func (k Known) MarshalJSON() ([]byte, error) { return json.Marshal([]string(k)) }
