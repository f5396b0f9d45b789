package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// wordy returns a synthetic document of common and rare words.
func wordy(pmid record.PMID, words string) *Document {
	rng := rand.New(rand.NewPCG(uint64(pmid), 3))
	list := strings.Fields(words)
	var b strings.Builder
	for range 30 {
		fmt.Fprint(&b, list[rng.IntN(len(list))], " ")
	}
	d := synthetic(pmid)
	d.Abstract = b.String() + randomWord(rng)
	d.Chunks = d.Chunks[:1]
	d.Chunks[0].Text, d.Chunks[0].Tokens = d.Abstract, sentence("one two")
	return d
}

const bodyWords = "patients cells treatment expression of the in mice receptor protein results increased levels effect study"

// checkWordy compares every document with the stored one.
func checkWordy(t *testing.T, s *Store, n record.PMID) {
	t.Helper()
	pmid := record.PMID(0)
	for got, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		pmid++
		want := wordy(pmid, bodyWords)
		for i := range want.Chunks {
			want.Chunks[i].Tokens = nil
		}
		want.Version = 1
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("document %d: %+v, want %+v", pmid, got, want)
		}
	}
	if pmid != n {
		t.Errorf("%d documents, want %d", pmid, n)
	}
}

// The code that a commit trains is forgotten if the commit fails. A corpus that has grown much gets
// a new one with the next commit. A repair keeps codes.
func TestCodeOfTheCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("runs in one goroutine, and compresses or repairs much")
	}
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	m, err := s.NewModel(t.Context(), "m", 4)
	if err != nil {
		t.Fatal(err)
	}
	fails := s.Begin("q").WithModel(m.ID)
	for pmid := record.PMID(1); pmid <= trainAt; pmid++ {
		if err := fails.Put(wordy(pmid, strings.ToUpper(bodyWords))); err != nil {
			t.Fatal(err)
		}
	}
	bad := wordy(trainAt+1, bodyWords)
	bad.Chunks[0].Vector = []float32{1}
	if err := fails.Put(bad); err != nil {
		t.Fatal(err)
	}
	if _, err := fails.Commit(t.Context()); !IsKind(err, ModelMismatch) {
		t.Fatal(err)
	}
	other := openTest(t, dir, Options{}) // another process trains a code that gets the same ID
	commitWordy := func(s *Store, from, to record.PMID) {
		t.Helper()
		var docs []*Document
		for pmid := from; pmid <= to; pmid++ {
			docs = append(docs, wordy(pmid, bodyWords))
		}
		commitTest(t, s, "q", docs...)
	}
	commitWordy(other, 1, trainAt)
	commitWordy(s, trainAt+1, trainAt+5)
	var first, last []byte
	if err := s.db.Writer.QueryRow("SELECT a.body, b.body FROM document a, document b WHERE a.pmid=1 AND b.pmid=?", trainAt+5).Scan(&first, &last); err != nil {
		t.Fatal(err)
	}
	if first[0] != codedBody || last[0] != codedBody {
		t.Errorf("the bodies begin with %x and %x", first[0], last[0])
	}
	checkWordy(t, openTest(t, dir, Options{ReadOnly: true}), trainAt+5)

	if _, err := s.db.Writer.Exec("UPDATE meta SET value=1 WHERE key='trained'"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Close(), other.Close()); err != nil {
		t.Fatal(err)
	}
	s = openTest(t, dir, Options{})
	commitWordy(s, trainAt+6, trainAt+6)
	var codes int
	if err := s.db.Writer.QueryRow("SELECT count(*) FROM code").Scan(&codes); err != nil || codes != 2 {
		t.Errorf("%d codes after the corpus has grown, %v", codes, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	repair := repairOf(dir)
	repair.Force = true
	if _, err := repair.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkWordy(t, openTest(t, dir, Options{}), trainAt+6)
}

// A chunk that is not a substring of the abstract keeps its text, and positions outside the
// abstract are rejected.
func TestChunksArePlacesOfTheAbstract(t *testing.T) {
	doc := synthetic(1)
	doc.Abstract = "one two three two one"
	doc.Chunks = []Chunk{{ID: "w0", Text: "one two three"}, {ID: "w1", Text: "three two"}, {ID: "w2", Text: "two one"}, {ID: "w3", Text: "elsewhere"}, {ID: "w4"}, {ID: "w5", Text: "one two"}}
	body, _ := encodeBody(doc)
	got, err := decodeBody(body)
	if err != nil || !reflect.DeepEqual(got.Chunks, doc.Chunks) {
		t.Errorf("%+v, %v", got, err)
	}
	if n := strings.Count(string(body), "three"); n != 1 {
		t.Errorf("the abstract is in the body %d times", n)
	}
	for i := range body {
		for _, c := range []byte{0, 0x7f, 0xff} {
			changed := append([]byte{}, body...)
			changed[i] = c
			_, _ = decodeBody(changed) // must not panic
		}
	}
}
