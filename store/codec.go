package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// The body of a stored document: the format number, then every field in the
// order below. A number is an unsigned varint; a text is its length and its
// bytes; a list is its length and its members. Long texts come last, one beside
// the other, where the compressor sees that chunks repeat the abstract.
const bodyFormat = 1

var errBody = errors.New("a stored document cannot be read")

type encoder struct{ b []byte }

func (e *encoder) num(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) text(s ...string) {
	for _, t := range s {
		e.num(uint64(len(t)))
		e.b = append(e.b, t...)
	}
}

func (e *encoder) list(l []string) {
	e.num(uint64(len(l)))
	e.text(l...)
}

func (e *encoder) flags(set ...bool) {
	var n uint64
	for i, on := range set {
		if on {
			n |= 1 << i
		}
	}
	e.num(n)
}

// decoder reads what encoder wrote. The first fault makes every later read
// return zero values; err tells at the end.
type decoder struct {
	s   string
	bad bool
}

func (d *decoder) num() uint64 {
	var n uint64
	for i := range len(d.s) {
		c := d.s[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.s = d.s[i+1:]
			return n
		}
		if i == binary.MaxVarintLen64-1 {
			break
		}
	}
	d.s, d.bad = "", true
	return 0
}

func (d *decoder) text(into ...*string) {
	for _, p := range into {
		n := d.num()
		if n > uint64(len(d.s)) {
			d.s, d.bad = "", true
			return
		}
		*p, d.s = d.s[:n], d.s[n:]
	}
}

// count reads a list's length, which cannot exceed the bytes that are left.
func (d *decoder) count() int {
	n := d.num()
	if n > uint64(len(d.s)) {
		d.s, d.bad = "", true
		return 0
	}
	return int(n)
}

func (d *decoder) list() []string {
	l := make([]string, d.count())
	for i := range l {
		d.text(&l[i])
	}
	return l
}

func (d *decoder) flags(into ...*bool) {
	n := d.num()
	for i, p := range into {
		*p = n&(1<<i) != 0
	}
}

// encodeContent writes what NCBI says of a record, but for the revision date,
// which is compared by itself.
func (e *encoder) content(doc *Document) {
	e.num(uint64(doc.PMIDVersion))
	e.flags(doc.Retracted, doc.Indexed, doc.Human, doc.Animal)
	e.text(doc.PDat, doc.MedlineDate, doc.Epub, doc.EDAT, doc.CRDT, doc.Status, doc.DOI, doc.PMCID, doc.Publisher, doc.BookTitle)
	j := doc.Journal
	e.text(j.Title, j.ISOAbbreviation, j.MedlineTA, j.NLMID, j.ISSN, j.Volume, j.Issue, j.Pages)
	e.list(doc.Languages)
	e.list(doc.PubTypes)
	e.num(uint64(len(doc.Authors)))
	for _, a := range doc.Authors {
		e.text(a.LastName, a.ForeName, a.Initials, a.Suffix, a.Collective, a.ORCID)
	}
	e.num(uint64(len(doc.Mesh)))
	for _, h := range doc.Mesh {
		e.flags(h.Major)
		e.text(h.Descriptor, h.UI)
		e.list(h.Qualifiers)
	}
	e.list(doc.Keywords)
	e.num(uint64(len(doc.Corrections)))
	for _, c := range doc.Corrections {
		e.text(c.Type, c.PMID, c.Source, c.Note)
	}
	e.text(doc.Title, doc.VernacularTitle, doc.Abstract)
	e.num(uint64(len(doc.Sections)))
	for _, s := range doc.Sections {
		e.text(s.Label, s.Category, s.Text)
	}
}

func (d *decoder) content(doc *Document) {
	doc.PMIDVersion = int(d.num())
	d.flags(&doc.Retracted, &doc.Indexed, &doc.Human, &doc.Animal)
	d.text(&doc.PDat, &doc.MedlineDate, &doc.Epub, &doc.EDAT, &doc.CRDT, &doc.Status, &doc.DOI, &doc.PMCID, &doc.Publisher, &doc.BookTitle)
	j := &doc.Journal
	d.text(&j.Title, &j.ISOAbbreviation, &j.MedlineTA, &j.NLMID, &j.ISSN, &j.Volume, &j.Issue, &j.Pages)
	doc.Languages = d.list()
	doc.PubTypes = d.list()
	doc.Authors = make([]Author, d.count())
	for i := range doc.Authors {
		a := &doc.Authors[i]
		d.text(&a.LastName, &a.ForeName, &a.Initials, &a.Suffix, &a.Collective, &a.ORCID)
	}
	doc.Mesh = make([]Heading, d.count())
	for i := range doc.Mesh {
		h := &doc.Mesh[i]
		d.flags(&h.Major)
		d.text(&h.Descriptor, &h.UI)
		h.Qualifiers = d.list()
	}
	doc.Keywords = d.list()
	doc.Corrections = make([]Correction, d.count())
	for i := range doc.Corrections {
		c := &doc.Corrections[i]
		d.text(&c.Type, &c.PMID, &c.Source, &c.Note)
	}
	d.text(&doc.Title, &doc.VernacularTitle, &doc.Abstract)
	doc.Sections = make([]Section, d.count())
	for i := range doc.Sections {
		s := &doc.Sections[i]
		d.text(&s.Label, &s.Category, &s.Text)
	}
}

// encodeBody returns the stored form of doc and the hash of its content.
func encodeBody(doc *Document) (body []byte, hash int64) {
	e := encoder{b: make([]byte, 0, 1024+len(doc.Abstract)*3)}
	e.num(bodyFormat)
	start := len(e.b)
	e.content(doc)
	sum := sha256.Sum256(e.b[start:])
	e.text(doc.LR)
	e.num(uint64(doc.Facts))
	e.num(uint64(len(doc.Chunks)))
	for _, c := range doc.Chunks {
		e.text(c.ID, c.Section, c.Text)
	}
	return e.b, int64(binary.LittleEndian.Uint64(sum[:]))
}

// decodeBody reads what encodeBody wrote. PMID and Version are not in it.
func decodeBody(body []byte) (*Document, error) {
	d := decoder{s: string(body)} // once: every text of the document is a part of it
	if d.num() != bodyFormat {
		return nil, errBody
	}
	doc := new(Document)
	d.content(doc)
	d.text(&doc.LR)
	doc.Facts = uint32(d.num())
	doc.Chunks = make([]Chunk, d.count())
	for i := range doc.Chunks {
		c := &doc.Chunks[i]
		d.text(&c.ID, &c.Section, &c.Text)
	}
	if d.bad || d.s != "" {
		return nil, errBody
	}
	return doc, nil
}
