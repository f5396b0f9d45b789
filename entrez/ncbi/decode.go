package ncbi

import (
	"bytes"
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
