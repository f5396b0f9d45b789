package pubmed

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// maxReply is the number of bytes of a foreign document that are searched for an NCBI error.
const maxReply = 64 << 10

// sniff returns an error if the first bytes show that the input is not XML in UTF-8.
func (f *framer) sniff() error {
	const size = 512 // a fixed size, so that the result does not depend on how much has been read
	b := f.ahead(size)
	b = b[:min(len(b), size)]
	if bytes.HasPrefix(b, []byte("\uFEFF")) {
		f.pos += 3
		b = b[3:]
	}
	text := bytes.TrimSpace(b)
	switch {
	case len(text) == 0 && f.readErr == io.EOF:
		return &FormatError{"an empty input"}
	case len(text) == 0:
		return nil
	case bytes.HasPrefix(b, []byte("\x1f\x8b")):
		return &FormatError{"gzip data"}
	case bytes.HasPrefix(b, []byte("PK\x03\x04")), bytes.HasPrefix(b, []byte("PK\x05\x06")):
		return &FormatError{"a zip archive; unpack it first"}
	case bytes.HasPrefix(b, []byte("\xFE\xFF")), bytes.HasPrefix(b, []byte("\xFF\xFE")),
		bytes.IndexByte(text[:min(4, len(text))], 0) >= 0:
		return &FormatError{"UTF-16 or UTF-32 text; only UTF-8 is read"}
	case text[0] == '{' || text[0] == '[':
		return &FormatError{"JSON"}
	}
	return nil
}

// declaration skips a DOCTYPE with its strings, comments and internal subset. Its declarations are
// not used.
func (f *framer) declaration() error {
	b := f.ahead(maxName)
	words := strings.Fields(strings.ToLower(string(b[:min(len(b), maxName)])))
	if len(words) > 1 && words[0] == "<!doctype" && strings.HasPrefix(words[1], "html") {
		return &FormatError{"an HTML page"}
	}
	depth := 0
	for {
		b := f.ahead(4)
		if len(b) == 0 {
			return f.atEnd("")
		}
		switch c := b[0]; {
		case bytes.HasPrefix(b, []byte("<!--")):
			if err := f.pass(4, "-->"); err != nil {
				return err
			}
			continue
		case c == '"' || c == '\'':
			if err := f.pass(1, string(c)); err != nil {
				return err
			}
			continue
		case bytes.HasPrefix(b, []byte("<?")):
			if err := f.pass(2, "?>"); err != nil {
				return err
			}
			continue
		case c == '<':
			depth++
		case c == '>':
			if depth--; depth == 0 {
				f.pos++
				return nil
			}
		}
		f.pos++
	}
}

// instruction skips a processing instruction. It returns an error if an XML declaration names an
// encoding other than UTF-8.
func (f *framer) instruction() error {
	end := f.find(0, "?>")
	if end < 0 {
		return f.atEnd("")
	}
	text := string(f.buf[f.pos : f.pos+min(end, 200)])
	f.pos += end + 2
	if _, value, ok := strings.Cut(text, "encoding"); ok && strings.HasPrefix(text, "<?xml ") {
		value = strings.TrimLeft(value, " \t\r\n=\"'")
		value, _, _ = strings.Cut(strings.NewReplacer(`"`, " ", "'", " ").Replace(value), " ")
		if !strings.EqualFold(value, "utf-8") && !strings.EqualFold(value, "us-ascii") {
			return &FormatError{fmt.Sprintf("XML in %.40q; only UTF-8 is read", value)}
		}
	}
	return nil
}

// foreign returns the error for a document that is not PubMed's: NCBI's error message if there is
// one, or a FormatError.
func (f *framer) foreign(name string) error {
	b := f.ahead(maxReply)
	b = b[:min(len(b), maxReply)]
	if _, after, ok := bytes.Cut(b, []byte("<ERROR>")); ok {
		if text, _, ok := bytes.Cut(after, []byte("</ERROR>")); ok {
			plain := decodeReferences(strings.ToValidUTF8(string(text), "\uFFFD"))
			return &ReplyError{strings.Join(strings.Fields(plain), " ")}
		}
	}
	switch {
	case strings.EqualFold(name, "html"):
		return &FormatError{"an HTML page"}
	case name == "":
		return &FormatError{"text"}
	}
	return &FormatError{fmt.Sprintf("XML of another kind (%.40q)", name)}
}
