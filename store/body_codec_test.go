package store

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// fillFields sets every storable field below v to a different value.
func fillFields(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Uint32:
		v.SetUint(uint64(*n))
	case reflect.Bool:
		v.SetBool(*n%2 == 0)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fillFields(v.Index(i), n)
		}
	case reflect.Struct:
		to := v.NumField()
		if v.Type() == reflect.TypeFor[Chunk]() {
			to = chunkText + 1
		}
		for i := range to {
			fillFields(v.Field(i), n)
		}
	}
}

// A new field of Document is stored without further code.
func TestEveryFieldOfADocumentIsStored(t *testing.T) {
	doc, n := new(Document), 0
	fillFields(reflect.ValueOf(doc).Elem(), &n)
	doc.PMID, doc.Version = 0, 0
	body, _ := encodeBody(doc)
	if back, err := decodeBody(body); err != nil || !reflect.DeepEqual(back, doc) {
		t.Errorf("stored as %+v, %v, want %+v", back, err, doc)
	}
	skims(t, body)
}

// skims checks that skimBody accepts exactly the bodies that decodeBody decodes, and returns the same
// as the document of one.
func skims(t *testing.T, body []byte) {
	t.Helper()
	doc, want, failed := decodeContent(body)
	chunks, content, err := skimBody(body)
	if (err == nil) != (failed == nil) {
		t.Fatalf("skimming %q: %v, decoding: %v", body, err, failed)
	}
	if err == nil && (chunks != len(doc.Chunks) || string(content) != string(want)) {
		t.Errorf("skimming %q: %d chunks and %q, want %d and %q", body, chunks, content, len(doc.Chunks), want)
	}
}

// Lists, texts and numbers of any size are stored, including numbers of several digits.
func TestGreatDocumentIsStored(t *testing.T) {
	for _, n := range []int{30, 31, 32, 33, 63, 64, 1023, 1024, 1025, 40_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			doc := &Document{PMIDVersion: n, Title: strings.Repeat("t", n), Languages: []string{}, PubTypes: []string{}, Mesh: []Heading{}, Corrections: []Correction{}, Sections: []Section{}, SupplMesh: []Supplementary{}, Grants: []Grant{}, Chemicals: []Chemical{}, Cites: []record.PMID{}}
			for i := range n {
				doc.Keywords = append(doc.Keywords, fmt.Sprint("keyword ", i))
				doc.Authors = append(doc.Authors, Author{LastName: fmt.Sprint("Name", i)})
				doc.Chunks = append(doc.Chunks, Chunk{ID: fmt.Sprint("w", i), Text: strings.Repeat("x", i%50)})
			}
			doc.Abstract, doc.Facts = strings.Repeat("x", n), uint32(n)<<16
			body, hash := encodeBody(doc)
			if back, err := decodeBody(body); err != nil || !reflect.DeepEqual(back, doc) {
				t.Errorf("a document with %d of everything was not read back: %v", n, err)
			}
			skims(t, body)
			if _, content, _ := decodeContent(body); hash != contentHash(doc) || hash != hashOf(doc.PMID, content) {
				t.Errorf("a document with %d of everything has two hashes", n)
			}
		})
	}
}

// Every 64-bit number is decoded correctly, and its bytes do not occur in words.
func TestDigitsAreReadBack(t *testing.T) {
	for _, low := range []uint64{0, 1, 31, 32} {
		for shift := range 64 {
			for _, n := range []uint64{low << shift, low<<shift - 1, low<<shift + 1} {
				w := coder{}
				if got := w.num(n); got != n {
					t.Fatalf("writing %d returns %d", n, got)
				}
				for _, b := range w.b {
					if b >= 0x80 || b-'0' < 10 || b|0x20-'a' < 26 && b >= 'A' {
						t.Fatalf("%d has byte %#x", n, b)
					}
				}
				r := coder{reading: true, s: string(w.b) + "rest"}
				if got := r.num(0); got != n || r.s != "rest" || r.bad {
					t.Fatalf("%d was read as %d, with %q left", n, got, r.s)
				}
			}
		}
	}
	for _, s := range []string{"", "!", "!!!!!!!!!!!!!!!!\x00", "a\x00"} {
		t.Run(s, func(t *testing.T) {
			r := coder{reading: true, s: s}
			if r.num(0); !r.bad {
				t.Errorf("%q was read", s)
			}
		})
	}
}

// A body of another format is rejected.
func TestOtherBodyFormats(t *testing.T) {
	body, _ := encodeBody(&Document{PDat: "2024"})
	if body[0]++; body[0] != bodyFormat+1 {
		t.Fatalf("the body begins with %d", body[0])
	}
	if d, err := decodeBody(body); err == nil {
		t.Errorf("read as %+v", d)
	}
}

// The hash of a record depends on its PMID, so that a repair detects a body stored under another
// PMID.
func TestHashIsOfThePMID(t *testing.T) {
	a, b := Document{PMID: 1, Title: "t"}, Document{PMID: 2, Title: "t"}
	if contentHash(&a) == contentHash(&b) {
		t.Error("two PMIDs have one hash")
	}
	b = Document{PMID: 1, Title: "t", LR: "2024-01-01", Facts: 3}
	if contentHash(&a) != contentHash(&b) {
		t.Error("LR and Facts change the hash")
	}
}

func TestDamagedBodiesAreErrors(t *testing.T) {
	body, _ := encodeBody(synthetic(1))
	for i := range body {
		if _, err := decodeBody(body[:i]); err == nil {
			t.Fatalf("%d of %d bytes were taken for a document", i, len(body))
		}
		skims(t, body[:i])
		for bit := range 8 {
			changed := slices.Clone(body)
			changed[i] ^= 1 << bit
			skims(t, changed)
		}
	}
	if _, err := decodeBody(append(body, 0)); err == nil {
		t.Error("trailing bytes were taken for part of a document")
	}
}
