package pubmed

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"biomcp/entrez/record"
)

const (
	// maxRecord limits the size of one record, and thereby all memory; see BenchmarkScan_8MBRecords
	// for the worst case. A record with fifteen thousand collaborators and their affiliations is
	// well below it.
	maxRecord = 8 << 20
	firstSize = 256 << 10 // initial size of the buffer
	maxName   = 32        // longer than every tag name that is compared, with "</" and ">"
	maxTag    = 64 << 10  // maximum length of the start tag of a set or record
	maxGuess  = 4 << 10   // number of bytes searched for the PMID of a broken record
)

// A framer finds records in a stream. It holds only the current record: the buffer grows up to
// limit bytes, and a longer record is a RecordError.
type framer struct {
	r     io.Reader
	limit int

	buf      []byte
	pos, end int   // the unread input is buf[pos:end]
	base     int64 // stream offset of buf[0]
	readErr  error // may be io.EOF

	root        string // name of the current set, "" outside of sets
	seenRecords bool   // a set or record has been read
	begun       bool   // a record has begun
	other       string // name of the first other element in a set
	records     int
	resync      bool // after a broken record: skip to the next record or the end of the set
	reread      int  // number of bytes that retry made next read again
	searched    map[string]lookup
}

// A lookup records an unsuccessful search: the pattern does not occur between two stream offsets.
// It keeps a file with many unclosed comments from being searched to its end for each of them.
type lookup struct{ from, to int64 }

func newFramer(r io.Reader, limit int) *framer {
	size := firstSize
	if whole, ok := r.(interface{ Len() int }); ok { // in memory, often a single record
		size = min(size, whole.Len()+1)
	}
	return &framer{r: r, limit: limit, buf: make([]byte, size), searched: map[string]lookup{}}
}

// fill reads more input, and reports whether it did. It may move the buffer, but not the bytes
// relative to pos.
func (f *framer) fill() bool {
	if f.readErr != nil {
		return false
	}
	if f.pos > 0 && len(f.buf)-f.end < len(f.buf)/4 {
		copy(f.buf, f.buf[f.pos:f.end])
		f.base += int64(f.pos)
		f.pos, f.end = 0, f.end-f.pos
	}
	if f.end == len(f.buf) {
		longer := make([]byte, min(2*len(f.buf), max(f.limit, firstSize)+2*maxTag))
		copy(longer, f.buf)
		f.buf = longer
	}
	for range 100 {
		n, err := f.r.Read(f.buf[f.end:])
		f.end += n
		f.readErr = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	f.readErr = io.ErrNoProgress
	return false
}

// ahead returns at least n bytes from pos on, or fewer at the end of the input.
func (f *framer) ahead(n int) []byte {
	for f.end-f.pos < n && f.fill() {
	}
	return f.buf[f.pos:f.end]
}

// find returns the first position of pattern at or after n, relative to pos. It returns -1 if the end of the
// input or the limit comes first.
func (f *framer) find(n int, pattern string) int {
	offset := f.base + int64(f.pos)
	searched := f.searched[pattern]
	if from := offset + int64(n); searched.from <= from && from <= searched.to {
		n = int(searched.to - offset)
	} else {
		searched.from = from
	}
	for {
		i := bytes.Index(f.buf[f.pos+n:f.end], []byte(pattern))
		if i >= 0 {
			n += i
		} else {
			n = max(n, f.end-f.pos-len(pattern)+1)
		}
		f.searched[pattern] = lookup{searched.from, offset + int64(n)}
		if i >= 0 && n <= f.limit {
			return n
		}
		if n > f.limit || !f.fill() {
			return -1
		}
	}
}

// tagEnd returns the position after the ">" that ends the start tag at pos, ignoring quoted ones.
// It returns -1 if the tag is malformed, and 0 if the input ends in it.
func (f *framer) tagEnd() int {
	var quote byte
	for n := 1; n < maxTag; n++ {
		if n >= len(f.ahead(n+1)) {
			return 0
		}
		switch c := f.buf[f.pos+n]; {
		case c == '<':
			return -1
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return n + 1
		}
	}
	return -1
}

// next returns the next record element, which is valid until the following call. After a
// *RecordError the caller may continue; every other error is final. At the end of valid input the
// error is io.EOF.
func (f *framer) next() ([]byte, error) {
	if f.base == 0 && f.end == 0 {
		if err := f.sniff(); err != nil {
			return nil, err
		}
	}
	for {
		i := bytes.IndexByte(f.buf[f.pos:f.end], '<')
		text := f.buf[f.pos:f.end]
		if i >= 0 {
			text = text[:i]
		}
		if f.root == "" && !f.resync && len(bytes.TrimSpace(text)) > 0 {
			if f.seenRecords {
				return nil, &FormatError{"something else after the last record"}
			}
			return nil, &FormatError{"text"}
		}
		f.pos += len(text)
		if i < 0 {
			if !f.fill() {
				return nil, f.atEnd("")
			}
			continue
		}
		rec, err := f.tag(f.ahead(maxName))
		if rec != nil || err != nil {
			return rec, err
		}
	}
}

// tag skips the markup at pos between two records, or returns the record that starts there.
func (f *framer) tag(b []byte) ([]byte, error) {
	switch {
	case len(b) < 2:
		return nil, f.atEnd("")
	case b[1] == '/':
		if f.root != "" && closes(b, f.root) {
			f.root = ""
			end := f.find(0, ">")
			if end < 0 {
				return nil, f.atEnd("")
			}
			f.resync = false
			f.pos += end + 1
			return nil, nil
		}
	case f.resync && (b[1] == '!' || b[1] == '?'):
	case bytes.HasPrefix(b, []byte("<!--")):
		return nil, f.pass(4, "-->")
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		return nil, f.pass(9, "]]>")
	case b[1] == '!':
		return nil, f.declaration()
	case b[1] == '?':
		return nil, f.instruction()
	default:
		return f.element(string(tagName(b[1:])))
	}
	f.pos++
	return nil, nil
}

// pass moves behind the next occurrence of a pattern, at any distance.
func (f *framer) pass(n int, pattern string) error {
	for {
		if i := bytes.Index(f.buf[f.pos+n:f.end], []byte(pattern)); i >= 0 {
			f.pos += n + i + len(pattern)
			return nil
		}
		f.pos = max(f.pos+n, f.end-len(pattern)+1)
		n = 0
		if !f.fill() {
			return f.atEnd("")
		}
	}
}

// element enters a set, returns a record, or skips any other start tag.
func (f *framer) element(name string) ([]byte, error) {
	switch {
	case isRecord(name) || name == "BookDocument" && f.root != "PubmedArticleSet" && !f.resync:
		f.begun, f.seenRecords, f.resync = true, true, false
		return f.record(name)
	case f.resync:
	case name == "PubmedArticleSet" || name == "PubmedBookArticleSet" || name == "BookDocumentSet":
		end := f.tagEnd()
		if end < 0 {
			return nil, &FormatError{"XML with a malformed <" + name}
		}
		if end == 0 {
			return nil, f.atEnd("")
		}
		if f.buf[f.pos+end-2] != '/' {
			f.root = name
		}
		f.seenRecords = true
		f.pos += end
		return nil, nil
	case f.root == "" || name == "ERROR":
		return nil, f.foreign(name)
	case f.other == "":
		f.other = name
	}
	f.pos++
	return nil, nil
}

func isRecord(name string) bool {
	switch name {
	case "PubmedArticle", "PubmedBookArticle", "DeleteCitation", "DeleteDocument":
		return true
	}
	return false
}

func tagName(b []byte) []byte { return b[:nameLen(b)] }

// closes reports whether b begins with the end tag of the element name. The caller has checked
// "</".
func closes(b []byte, name string) bool {
	n := 2 + len(name)
	return len(b) > n && string(b[2:n]) == name && !isName[b[n]]
}

// record returns the record whose start tag is at pos. In well-formed XML, "<" only occurs in
// markup, so that text needs no parsing.
func (f *framer) record(name string) ([]byte, error) {
	n := f.tagEnd()
	if n < 0 {
		f.resync = true
		return nil, f.broken(1, "its start tag is malformed")
	}
	if n == 0 {
		return nil, f.unclosed(name)
	}
	if f.buf[f.pos+n-2] == '/' {
		return f.take(n), nil
	}
	for {
		i := bytes.IndexByte(f.buf[f.pos+n:f.end], '<')
		if i < 0 {
			n = f.end - f.pos
		} else {
			n += i
		}
		if n > f.limit || i < 0 && !f.fill() {
			return nil, f.unclosed(name)
		}
		if i < 0 {
			continue
		}
		b := f.ahead(n + maxName)[n:]
		end := n + 1
		switch {
		case len(b) < 2:
			end = -1
		case b[1] == '/':
			switch {
			case closes(b, name):
				if end = f.find(n, ">"); end >= 0 {
					return f.take(end + 1), nil
				}
			case f.root != "" && closes(b, f.root):
				return nil, f.broken(n, "it does not end before its set does")
			}
		case b[1] == 'P' || b[1] == 'D':
			if isRecord(string(tagName(b[1:]))) {
				return nil, f.broken(n, "it does not end before the next one begins")
			}
		case bytes.HasPrefix(b, []byte("<!--")):
			end = f.find(n+4, "-->")
		case bytes.HasPrefix(b, []byte("<![CDATA[")):
			end = f.find(n+9, "]]>")
		case b[1] == '?':
			end = f.find(n+2, "?>")
		}
		if end < 0 {
			return nil, f.unclosed(name)
		}
		n = end
	}
}

func (f *framer) take(n int) []byte {
	rec := f.buf[f.pos : f.pos+n : f.pos+n]
	f.pos += n
	f.records++
	return rec
}

// broken skips n bytes of the broken record at pos, and returns a RecordError.
func (f *framer) broken(n int, reason string) error {
	err := &RecordError{PMID: guessPMID(f.ahead(maxGuess)), Offset: f.base + int64(f.pos), Reason: reason}
	f.pos += n
	return err
}

// unclosed skips a record that does not end before the input or the limit does. The cause may be a comment or
// CDATA section without an end. If the text contains a later record or the record's end tag, the scan continues
// there; otherwise the input is truncated.
func (f *framer) unclosed(name string) error {
	rest := f.buf[f.pos:f.end]
	reason := "a comment, CDATA section or instruction in it does not end"
	if len(rest) > f.limit {
		reason = fmt.Sprintf("longer than %d bytes", f.limit)
	} else if hiddenRecord(rest) < 0 {
		_, after, _ := bytes.Cut(rest, []byte("</"+name))
		if bytes.IndexByte(after, '>') < 0 {
			return f.atEnd(guessPMID(rest))
		}
	}
	f.resync = true
	return f.broken(1, reason)
}

// retry continues at a record hidden in the malformed record rec, behind a comment that was meant
// to end earlier. It has no effect after too many bytes have been read again. rec must be the last
// record that next returned.
func (f *framer) retry(rec []byte) {
	if n := hiddenRecord(rec); n > 0 && f.reread < 1<<30 {
		f.reread += len(rec)
		f.pos += n - len(rec)
		f.resync = true
	}
}

// hiddenRecord returns the position at which a second record starts in b, or -1.
func hiddenRecord(b []byte) int {
	for n := 1; n < len(b); n++ {
		i := bytes.Index(b[n:], []byte("<Pubmed"))
		if i < 0 {
			break
		}
		if n += i; isRecord(string(tagName(b[n+1:]))) {
			return n
		}
	}
	return -1
}

// guessPMID returns the first PMID in the text of a record that cannot be parsed, or "".
func guessPMID(b []byte) string {
	b = b[:min(len(b), maxGuess)]
	if n := hiddenRecord(b); n > 0 {
		b = b[:n]
	}
	_, after, _ := bytes.Cut(b, []byte("<PMID"))
	_, after, _ = bytes.Cut(after, []byte(">"))
	if id, _, ok := bytes.Cut(after, []byte("<")); ok && record.ValidPMID(string(id)) {
		return string(id)
	}
	return ""
}

// atEnd returns the error for the end of the input. pmid is the current record's, or "" if unknown.
func (f *framer) atEnd(pmid string) error {
	offset := f.base + int64(f.end)
	switch {
	case f.readErr == nil:
		return &FormatError{"XML with an instruction that does not end"}
	case f.readErr != io.EOF && !errors.Is(f.readErr, io.ErrUnexpectedEOF):
		return fmt.Errorf("reading PubMed XML failed at byte %d: %w", offset, f.readErr)
	case f.readErr == io.EOF && f.pos == f.end && !f.seenRecords:
		return &FormatError{"a document without content"}
	case f.readErr == io.EOF && f.pos == f.end && f.root == "" && f.other != "" && !f.begun:
		return &FormatError{fmt.Sprintf("a set of other elements (%.40q)", f.other)}
	case f.readErr == io.EOF && f.pos == f.end && f.root == "":
		return io.EOF
	}
	return &TruncatedError{PMID: pmid, Offset: offset, Records: f.records}
}
