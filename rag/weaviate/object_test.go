package weaviate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

// Encoding and decoding returns the same tokens, and with fillers the number of
// different words is the length of the text.
func TestEncodedTokensDecodeToTheSame(t *testing.T) {
	for _, d := range ragtest.Documents(30) {
		for _, c := range d.Chunks {
			checkTokens(t, c.Tokens, 0)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var tokens []store.Token
		at := uint32(0)
		for range r.IntN(60) {
			at += []uint32{0, 1, 1, 1, 2, 34, 35, 36, 70, 71, 500}[r.IntN(11)]
			tokens = append(tokens, store.Token{Term: fmt.Sprint("t", r.IntN(20)), Pos: at})
		}
		r.Shuffle(len(tokens), func(i, j int) { tokens[i], tokens[j] = tokens[j], tokens[i] })
		checkTokens(t, tokens, r.IntN(2)*(len(tokens)+r.IntN(50)))
	}
}

func checkTokens(t *testing.T, tokens []store.Token, length int) {
	t.Helper()
	terms, places := encodeTokens(tokens, length, true)
	different := map[string]bool{}
	for word := range strings.FieldsSeq(terms) {
		different[word] = true
	}
	if length == 0 {
		length = len(tokens)
	}
	if len(different) != length {
		t.Errorf("%d different words, want the length %d", len(different), length)
	}
	if bare, _ := encodeTokens(tokens, length, false); len(strings.Fields(bare)) != length {
		t.Errorf("%d words, want the length %d", len(strings.Fields(bare)), length)
	}
	want, got := rag.NewBag(tokens), rag.NewBag(decodeTokens(terms, places))
	for _, at := range want {
		slices.Sort(at)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if alone := decodeTokens(terms, ""); len(alone) != len(tokens) {
		t.Errorf("%d of %d terms without places", len(alone), len(tokens))
	}
}

// Any term is stored as one word, and matches itself in a query.
func TestOddTermsAreOneWord(t *testing.T) {
	for _, term := range []string{"a b", "~", "~1", "\u00a0", "a\tb", "\x00", "\u2028", "e\u0301", "\xff", "\U000e0001", "𝛼"} {
		t.Run(term, func(t *testing.T) {
			terms, places := encodeTokens([]store.Token{{Term: term, Pos: 3}, {Term: "z", Pos: 4}}, 0, true)
			bag := rag.NewBag(decodeTokens(terms, places))
			if len(strings.Fields(terms)) != 2 || !bag.Matches(plain(store.Phrase{Slots: []store.Slot{{Terms: []string{term}}, {Terms: []string{"z"}, At: 1}}})) {
				t.Errorf("%q is stored as %q", term, terms)
			}
			if quoted := fmt.Sprintf("%q", plainTerm(term)); strings.Contains(quoted, `\`) {
				t.Errorf("%q needs escapes that GraphQL may not know: %s", term, quoted)
			}
		})
	}
}

func TestObjectsHoldTheFieldsOfDocuments(t *testing.T) {
	d := ragtest.Documents(1)[0]
	d.Journal.ISOAbbreviation, d.PDat, d.Version = "J. Num. 0", "2024-05", 4
	for i := range d.Chunks {
		d.Chunks[i].Vector, d.Chunks[i].SecondVector = []float32{0.6, 0.8}, []float32{0, 0, 1}
	}
	x, _ := faked(t, nil)
	x.models[local] = model{"local-1", 3}
	objects, err := x.objects(d)
	if err != nil || len(objects) != len(d.Chunks) {
		t.Fatal(len(objects), err)
	}
	o := objects[0]
	p := row(o.Properties.(map[string]any))
	for name, want := range map[string]any{
		propPMID: "1000", propChunkID: d.Chunks[0].ID, propText: d.Chunks[0].Text, propNumber: int64(1000), propOrdinal: 0,
		propDate: int64(20240501), propYear: int64(2024), propVersion: 4, propFacts: d.Facts, propModel: "m", propLocalModel: "local-1", propRetracted: true,
		propSourceURL: "https://pubmed.ncbi.nlm.nih.gov/1000/", propLength: len(d.Chunks[0].Tokens), propLR: d.LR,
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if p[name] != want {
				t.Errorf("%s is %v, want %v", name, p[name], want)
			}
		})
	}
	if got, want := fmt.Sprint(p[propJournalNames]), "[journal of number 0 j num 0 0000-0000]"; got != want {
		t.Errorf("journal names %s, want %s", got, want)
	}
	if string(o.ID) != rag.UUID(1000, d.Chunks[0].ID) || fmt.Sprint(o.Vectors) != "map[local:[0 0 1] passage:[0.6 0.8]]" {
		t.Errorf("id %s, vector %v", o.ID, o.Vectors)
	}
	// A text without a known word has an empty vector; the service's may come later.
	d.Chunks[0].Vector, d.Chunks[0].SecondVector = nil, []float32{}
	if without, err := x.objects(d); err != nil || without[0].Vectors != nil {
		t.Errorf("without vectors: %v, %v", without, err)
	}
	// Every property is in the schema, otherwise a server rejects it.
	for name := range p {
		if !slices.ContainsFunc(properties, func(q struct {
			name, kind string
			use        use
		}) bool {
			return q.name == name
		}) {
			t.Errorf("%s is no property of the class", name)
		}
	}
}

func TestNewestVersionOfEachPMIDIsKept(t *testing.T) {
	doc := func(pmid record.PMID, version int, lr, title string) *store.Document {
		return &store.Document{PMID: pmid, PMIDVersion: version, LR: lr, Title: title}
	}
	var got []string
	for _, d := range newest([]*store.Document{
		doc(1, 1, "2024", "old"), doc(2, 1, "2024", "first"), doc(1, 1, "2025", "new"), doc(1, 1, "2023", "older"),
		doc(2, 1, "2024", "second"), doc(3, 2, "2020", "version 2"), doc(3, 1, "2025", "version 1"),
	}) {
		got = append(got, d.Title)
	}
	if want := "new second version 2"; strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}
