package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/dict"
	"github.com/klauspost/compress/zstd"

	"biomcp/entrez/record"
)

// encodeOldWords writes words as older programs did: by number where the list has them.
func encodeOldWords(words []string, text string) (coded []byte) {
	isWord := func(c byte) bool { return isLetter(c) || c >= '0' && c <= '9' || c >= 0x80 }
	numbered := false
	for i := 0; i < len(text); {
		from := i
		if numbered && text[i] == ' ' {
			from++
		}
		to := from
		for to < len(text) && isWord(text[to]) {
			to++
		}
		if n := slices.Index(words, text[from:to]); n >= 0 && to > from && numbered == (from > i) {
			switch {
			case n < 64:
				coded = append(coded, 0x81+byte(n))
			case n < 64+62*256:
				coded = binary.BigEndian.AppendUint16(coded, uint16(0xc100+n-64))
			default:
				coded = append(coded, 0xff)
				coded = binary.BigEndian.AppendUint16(coded, uint16(n-64-62*256))
			}
			i, numbered = to, true
			continue
		}
		for end := max(to, i+1); i < end; i++ {
			if text[i] >= 0x80 {
				coded = append(coded, 0x80)
			}
			coded = append(coded, text[i])
		}
		numbered = false
	}
	return coded
}

func isLetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

func oldWords(n int, first ...string) []string {
	for i := len(first); i < n; i++ {
		first = append(first, fmt.Sprint("invented", i))
	}
	return first
}

func TestOldWordsAreRead(t *testing.T) {
	words := oldWords(20_000, "the", "Müller", "cells", "±", "of")
	for _, text := range []string{
		"", " ", "the", " the ", "the the", "the  the", "the of cells", "the unknown of", "the\nof", "the,of; cells.", "of Müller ± naïve ± the",
		"thecells cellsthe", "\x80\x81\xff\x00\xc1 the", "invented63 invented64 invented15935 invented15936 invented19999 invented20000", "the ",
	} {
		coded := encodeOldWords(words, text)
		if back, err := decodeWords(words, coded); err != nil || string(back) != text {
			t.Errorf("%q was written as %q and read as %q, %v", text, coded, back, err)
		}
	}
	for _, coded := range []string{"\x80", "\xc1", "\xff\x00", "\xff", "\xc1\xff", "\xff\xff\xff", "a\xfe"} {
		if text, err := decodeWords(words[:100], []byte(coded)); err == nil {
			t.Errorf("%q was read as %q", coded, text)
		}
	}
}

// oldBody is a body in the format of older programs: varints, sections as they are.
func oldBody(doc *Document, places bool) []byte {
	c := coder{chunkPlaces: places, abstract: doc.Abstract}
	v := reflect.ValueOf(doc).Elem()
	format := uint64(bodyFormat)
	if places {
		format += chunkPlaces
	}
	c.num(format)
	c.fields(v, contentFrom, contentTo)
	c.fields(v, contentTo, v.NumField())
	return c.b
}

// Bodies of all older programs are read next to one another and to new ones: zstd alone,
// with a dictionary, and with numbered words.
func TestOldBodiesAreRead(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	const n = 300
	docs := make([]*Document, n)
	var texts, coded [][]byte
	words := strings.Fields(bodyWords)
	for i := range docs {
		docs[i] = wordy(record.PMID(i+1), bodyWords)
		docs[i].Sections = []Section{{Label: "AIM", Text: docs[i].Abstract[:20]}, {Label: "ELSE", Text: "not in the abstract"}}
		body := oldBody(docs[i], i%2 == 0)
		texts, coded = append(texts, body), append(coded, encodeOldWords(words, string(body)))
	}
	commitTest(t, s, "q", docs...)
	encoder := func(id int, samples [][]byte) (*zstd.Encoder, []byte) {
		t.Helper()
		d, err := dict.BuildZstdDict(samples, dict.Options{MaxDictSize: 4 << 10, HashBytes: 6, ZstdDictID: uint32(id), ZstdLevel: zstd.SpeedFastest})
		if err != nil {
			t.Fatal(err)
		}
		e, err := zstd.NewWriter(nil, zstd.WithEncoderDict(d))
		if err != nil {
			t.Fatal(err)
		}
		return e, d
	}
	plain, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	byText, first := encoder(7, texts)
	byWords, second := encoder(9, coded)
	list := strings.Join(words, "\n")
	second = append(binary.AppendUvarint([]byte(oldWordsMagic), uint64(len(list))), append([]byte(list), second...)...)
	for id, data := range map[int][]byte{7: first, 9: second} {
		if !isDictionary(data) || isDictionary(data[:20]) {
			t.Errorf("dictionary %d: whole %v, cut %v", id, isDictionary(data), isDictionary(data[:20]))
		}
		if _, err := s.w.Exec("INSERT INTO dictionary VALUES(?,?)", id, data); err != nil {
			t.Fatal(err)
		}
	}
	for i := range docs {
		var packed []byte
		switch i % 4 {
		case 0:
			packed = plain.EncodeAll(texts[i], nil)
		case 1:
			packed = byText.EncodeAll(texts[i], nil)
		case 2:
			packed = append([]byte{oldWordsBody}, byWords.EncodeAll(coded[i], nil)[len(frameMagic):]...)
		default: // as this program wrote it
			continue
		}
		if _, err := s.w.Exec("UPDATE document SET body=? WHERE pmid=?", packed, i+1); err != nil {
			t.Fatal(err)
		}
	}
	check := func(s *Store) {
		t.Helper()
		i := 0
		for got, err := range s.Documents(t.Context(), 0) {
			if err != nil {
				t.Fatal(err)
			}
			want := *docs[i]
			want.Version, want.Chunks = 1, []Chunk{{ID: docs[i].Chunks[0].ID, Section: docs[i].Chunks[0].Section, Text: docs[i].Chunks[0].Text}}
			if !reflect.DeepEqual(got, &want) {
				t.Fatalf("document %d of kind %d: %+v, want %+v", i+1, i%4, got, &want)
			}
			i++
		}
		if i != n {
			t.Errorf("%d documents", i)
		}
	}
	check(s)
	check(openTest(t, dir, Options{ReadOnly: true}))
	// The content is the same, so a record that comes again is no change.
	if done := commitTest(t, s, "q", docs...); done.Skipped != n {
		t.Errorf("%+v", done)
	}
}

func TestUnusualBodiesAreStored(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	var docs []*Document
	for pmid := record.PMID(1); pmid <= trainAt; pmid++ {
		docs = append(docs, wordy(pmid, bodyWords))
	}
	commitTest(t, s, "q", docs...)
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 3000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	odd := map[record.PMID]string{
		trainAt + 1: strings.Repeat("患者における発現の増加。", 90),
		trainAt + 2: string(noise),
		trainAt + 3: strings.Repeat(string(noise[:100]), 400),
		trainAt + 4: "",
		trainAt + 5: "the cells " + strings.Repeat("x", 5000),
	}
	for pmid, abstract := range odd {
		doc := wordy(pmid, bodyWords)
		doc.Abstract = abstract
		commitTest(t, s, "q", doc)
	}
	for pmid, abstract := range odd {
		doc, err := s.Document(t.Context(), pmid)
		if err != nil || doc.Abstract != abstract {
			t.Fatalf("document %d: %v", pmid, err)
		}
		var size int
		if err := s.w.QueryRow("SELECT length(body) FROM document WHERE pmid=?", pmid).Scan(&size); err != nil {
			t.Fatal(err)
		}
		if most := 800 + min(len(abstract), len(noise)+len(noise)/8); size > most {
			t.Errorf("document %d takes %d bytes", pmid, size)
		}
	}
	var first []byte
	if err := s.w.QueryRow("SELECT body FROM document WHERE pmid=?", trainAt+3).Scan(&first); err != nil || !bytes.HasPrefix(first, frameMagic) {
		t.Errorf("what repeats itself was not left to zstd: %x…, %v", first[:min(len(first), 8)], err)
	}
}
