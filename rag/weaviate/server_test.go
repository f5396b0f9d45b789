package weaviate_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/intake"
	"biomcp/rag/ragtest"
	"biomcp/rag/weaviate"
	"biomcp/rag/weaviate/weaviatetest"
	"biomcp/store"
)

func TestMain(m *testing.M) { os.Exit(weaviatetest.Main(m)) }

var classes atomic.Int32

func config(node *weaviatetest.Node) weaviate.Config {
	return weaviate.Config{URL: node.URL, Class: fmt.Sprint("Test", classes.Add(1)), Model: "suite", Dim: ragtest.Dim}
}

func connect(t testing.TB, c weaviate.Config) *weaviate.Index {
	t.Helper()
	x, err := weaviate.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// open returns an index with a new class.
func open(t testing.TB, node *weaviatetest.Node) *weaviate.Index {
	t.Helper()
	x := connect(t, config(node))
	if err := x.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	return x
}

func put(t testing.TB, x rag.Index, docs []*store.Document) {
	t.Helper()
	if err := x.Put(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
}

func wantKind(t testing.TB, err error, kinds ...weaviate.Kind) {
	t.Helper()
	var e *weaviate.Error
	if !errors.As(err, &e) || !slices.Contains(kinds, e.Kind) {
		t.Fatalf("error %v, want one of %v", err, kinds)
	}
}

// TestServer runs the tests that need a single node.
func TestServer(t *testing.T) {
	node := weaviatetest.Start(t, 1)[0]
	t.Run("Suite", func(t *testing.T) {
		ragtest.Suite(t, ragtest.Engine{Open: func(t testing.TB) rag.Index { return open(t, node) }, Approximate: true})
	})
	t.Run("RankingEqualsTheReference", func(t *testing.T) { ranking(t, node) })
	t.Run("ARemovedClassIsCreatedAgain", func(t *testing.T) { class(t, node) })
	t.Run("VectorsOfAnotherModelAreNotCompared", func(t *testing.T) { models(t, node) })
	t.Run("BothVectorsOfAChunkAreSearched", func(t *testing.T) { twoVectors(t, node) })
	t.Run("AnyTextIsAccepted", func(t *testing.T) { anyText(t, node) })
	t.Run("AnInterruptedMoveIsResumed", func(t *testing.T) { move(t, node) })
	t.Run("ARealCollectionHasTheSameResults", func(t *testing.T) { collection(t, node) })
	t.Run("AFrozenServerIsATimeout", func(t *testing.T) { frozen(t, node) })
	t.Run("AKilledServerLosesNothingStored", func(t *testing.T) { killed(t, node) }) // the last: it kills the node
}

// ranking requests few of many matches: they are the right ones only if the server
// ranks like the reference.
func ranking(t *testing.T, node *weaviatetest.Node) {
	x, ref := open(t, node), &ragtest.Memory{}
	docs := ragtest.Documents(1200)
	put(t, x, docs)
	put(t, ref, docs)
	for _, text := range []string{"heart failure", "the patients", "IL-6", "tumour OR kinase", "cataract lens sepsis statin", "vitamin liver insulin insulin", "inflam*", "NOT patients", "NOT lens"} {
		q := rag.ParseQuery(analyze.New(), text).Lexical
		for _, k := range []int{1, 10, 200} {
			got, err := x.Words(t.Context(), q, store.Filter{}, k)
			if err != nil {
				t.Fatal(err)
			}
			want, err := ref.Words(t.Context(), q, store.Filter{}, k)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if i >= len(got) || got[i].Score < want[i].Score-1e-6 {
					t.Errorf("%s, k=%d: hit %d of %d is not as good as %+v", text, k, i, len(got), want[i])
					break
				}
			}
		}
	}
}

func class(t *testing.T, node *weaviatetest.Node) {
	c := config(node)
	reader := connect(t, c)
	_, err := reader.Words(t.Context(), store.Term{Text: "heart"}, store.Filter{}, 10)
	wantKind(t, err, weaviate.Missing)

	// Several processes create it at once.
	done := make(chan error)
	for range 4 {
		go func() { done <- connect(t, c).Ensure(context.Background()) }()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	docs := ragtest.Documents(5)
	put(t, reader, docs)

	// It is removed after the reader has checked it.
	for range 2 { // the second finds no class, which is no error
		if err := connect(t, c).Drop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	_, err = reader.Words(t.Context(), store.Term{Text: "heart"}, store.Filter{}, 10)
	wantKind(t, err, weaviate.Missing)
	put(t, reader, docs) // creates the class again
	if n := len(places(t, reader)); n != len(placesOf(docs)) {
		t.Errorf("%d chunks", n)
	}
}

// models stores documents without vectors, then with vectors of several models.
func models(t *testing.T, node *weaviatetest.Node) {
	c := config(node)
	c.Model, c.Dim = "", 0
	docs := ragtest.Documents(20)
	vectors := map[rag.Place][]float32{}
	for _, d := range docs {
		for i := range d.Chunks {
			vectors[rag.Place{PMID: d.PMID, Ordinal: i}], d.Chunks[i].Vector = d.Chunks[i].Vector, nil
		}
	}
	x := connect(t, c)
	put(t, x, docs)
	near := func(x *weaviate.Index, want int) error {
		t.Helper()
		hits, _, err := x.SearchVectors(t.Context(), make([]float32, ragtest.Dim-1, ragtest.Dim)[:ragtest.Dim-1:ragtest.Dim-1], store.Filter{}, 100)
		if err == nil && len(hits) != want {
			t.Errorf("%d hits, want %d", len(hits), want)
		}
		return err
	}
	if err := near(x, 0); err != nil { // without a model any vector is accepted
		t.Error(err)
	}

	q := vectors[rag.Place{PMID: docs[1].PMID}]
	first := config(node)
	first.Class, first.Model = c.Class, "first"
	x = connect(t, first)
	if hits, _, err := x.SearchVectors(t.Context(), q, store.Filter{}, 100); err != nil || len(hits) != 0 {
		t.Errorf("before there are vectors: %d hits, %v", len(hits), err)
	}
	with := 0
	for _, d := range docs {
		for i := range d.Chunks {
			if d.Chunks[i].Vector = vectors[rag.Place{PMID: d.PMID, Ordinal: i}]; d.Chunks[i].Vector != nil {
				with++
			}
		}
	}
	put(t, x, docs)
	if hits, _, err := x.SearchVectors(t.Context(), q, store.Filter{}, 100); err != nil || len(hits) != with || hits[0].PMID != docs[1].PMID {
		t.Errorf("%d hits, want %d, %v", len(hits), with, err)
	}

	// Another model of the same dimension: refused until there are vectors of it.
	second := first
	second.Model = "second"
	x = connect(t, second)
	_, _, err := x.SearchVectors(t.Context(), q, store.Filter{}, 100)
	wantKind(t, err, weaviate.Invariant)
	put(t, x, docs[:5])
	if hits, _, err := x.SearchVectors(t.Context(), q, store.Filter{}, 100); err != nil || len(hits) == 0 || len(hits) >= with || hits[0].PMID != docs[1].PMID {
		t.Errorf("while vectors are renewed: %d hits, %v", len(hits), err)
	}

	// Another dimension.
	third := first
	third.Model, third.Dim = "third", 3
	x = connect(t, third)
	_, _, err = x.SearchVectors(t.Context(), []float32{1, 0, 0}, store.Filter{}, 100)
	wantKind(t, err, weaviate.Invariant)
	if hits, err := x.Words(t.Context(), store.All{}, store.Filter{}, 100); err != nil || len(hits) == 0 {
		t.Errorf("search by words with vectors of another dimension: %d hits, %v", len(hits), err)
	}
	for _, d := range docs {
		for i := range d.Chunks {
			d.Chunks[i].Vector = []float32{1, 0, 0}
		}
	}
	wantKind(t, x.Put(t.Context(), docs), weaviate.Invariant)
	if err := x.UseModels(t.Context(), store.Model{Name: "third", Dim: 3}, store.Model{}); err != nil {
		t.Fatal(err)
	}
	put(t, x, docs)
	if hits, _, err := x.SearchVectors(t.Context(), []float32{1, 0, 0}, store.Filter{}, 1); err != nil || len(hits) != 1 || hits[0].Score < 0.999 {
		t.Errorf("%v, %v", hits, err)
	}
}

// anyText uses odd texts in queries, filters and documents.
func anyText(t *testing.T, node *weaviatetest.Node) {
	x, ref := open(t, node), &ragtest.Memory{}
	texts := []string{`"`, `\`, `a"}){x}`, "*", "?", "a*b", "~1", "\x00\x01", "\u2028", "\U000e0001", "𝛼", "a b", "\xff\xfe", "${x}", "{{", "NaN", "or", "the", "AND", strings.Repeat("x", 5000)}
	docs := ragtest.Documents(len(texts))
	for i, text := range texts {
		d := docs[i]
		d.Journal.Title, d.PubTypes, d.Mesh = text, []string{text}, []store.Heading{{Descriptor: text, UI: text}}
		for j := range d.Chunks {
			c := &d.Chunks[j]
			c.Text += text
			c.Tokens = append(c.Tokens, store.Token{Term: text, Pos: 9999}, store.Token{Term: text, Pos: 10000})
		}
	}
	put(t, x, docs)
	put(t, ref, docs)
	for _, text := range texts {
		slot := store.Slot{Terms: []string{text}}
		for _, q := range []store.Query{
			store.Term{Text: text}, store.Phrase{Slots: []store.Slot{slot, {Terms: slot.Terms, At: 1}}}, store.And{store.All{}, store.Not{Query: store.Term{Text: text}}},
		} {
			got, err := x.Words(t.Context(), q, store.Filter{}, 1000)
			want, _ := ref.Words(t.Context(), q, store.Filter{}, 1000)
			_, not := q.(store.And)
			if err != nil || len(got) < len(want) && !not { // the server may not distinguish two odd characters
				t.Errorf("%.40q: %d hits, want %d, %v", text, len(got), len(want), err)
			}
		}
		for _, f := range []store.Filter{{Journals: []string{text}}, {PubTypes: []string{text}}, {Mesh: []string{text}}} {
			got, err := x.Words(t.Context(), store.All{}, f, 1000)
			want, _ := ref.Words(t.Context(), store.All{}, f, 1000)
			if err != nil || len(got) < len(want) {
				t.Errorf("%.40q: %d hits, want %d, %v", text, len(got), len(want), err)
			}
		}
		if _, err := x.Words(t.Context(), store.Prefix{Text: text}, store.Filter{}, 10); err != nil {
			t.Errorf("%.40q*: %v", text, err)
		}
	}
}

// move copies a corpus to the server, with an interruption.
func move(t *testing.T, node *weaviatetest.Node) {
	dir := t.TempDir()
	var xml strings.Builder
	xml.WriteString("<PubmedArticleSet>")
	for i := range 1200 {
		fmt.Fprintf(&xml, `<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">%d</PMID><DateRevised><Year>2024</Year><Month>01</Month><Day>01</Day></DateRevised>
<Article><Journal><JournalIssue><PubDate><Year>%d</Year></PubDate></JournalIssue><Title>Synthetic Journal</Title></Journal><ArticleTitle>Synthetic record %d of word%d</ArticleTitle>
<Abstract><AbstractText>Patients of group%d had outcome%d.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>`, i+1, 2000+i%20, i+1, i%50, i%7, i%11)
	}
	xml.WriteString("</PubmedArticleSet>")
	file := filepath.Join(dir, "synthetic.xml")
	if err := os.WriteFile(file, []byte(xml.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	corpus, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	if _, err := intake.Import(t.Context(), intake.Options{Store: corpus, NoVectors: true}, file); err != nil {
		t.Fatal(err)
	}
	c := config(node)
	c.Model, c.Dim = "", 0
	x := connect(t, c)
	put(t, x, ragtest.Documents(1)[:1]) // PMID 1000 in another version
	extra := ragtest.Documents(1)[0]
	for i := range extra.Chunks {
		extra.Chunks[i].Vector = nil
	}
	extra.PMID = 5000
	put(t, x, []*store.Document{extra}) // not in the corpus

	ctx, cancel := context.WithCancel(t.Context())
	_, err = intake.Move(ctx, intake.Options{Store: corpus, Index: x, Progress: func(p intake.Progress) {
		if p.Records >= 1000 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped: %v", err)
	}
	moved, err := intake.Move(t.Context(), intake.Options{Store: corpus, Index: x})
	if err != nil || moved.Before != 500 || moved.Documents+moved.Before != 1200 || moved.Removed != 1 {
		t.Errorf("%+v, %v", moved, err)
	}
	embedded := rag.NewCorpusIndex(corpus, 0)
	var want []rag.Place
	for d, err := range corpus.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range d.Chunks {
			want = append(want, rag.Place{PMID: d.PMID, Ordinal: i, ChunkID: c.ID})
		}
	}
	if got := places(t, x); !slices.Equal(got, want) {
		t.Errorf("%d chunks, the corpus has %d", len(got), len(want))
	}
	for _, text := range []string{"word7", "group3 outcome5", "patients", `"outcome2"`, "synthetic AND word1*"} {
		q := rag.ParseQuery(analyze.New(), text).Lexical
		got, err := x.Words(t.Context(), q, store.Filter{From: "2005"}, 20)
		if err != nil {
			t.Fatal(err)
		}
		want, err := embedded.Words(t.Context(), q, store.Filter{From: "2005"}, 20)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if i >= len(got) || got[i].PMID != want[i].PMID && got[i].Score < want[i].Score-1e-6 || got[i].Facts != want[i].Facts {
				t.Errorf("%s: hit %d is not %+v", text, i, want[i])
				break
			}
		}
	}
}

func places(t testing.TB, x rag.Index) (list []rag.Place) {
	t.Helper()
	for p, err := range x.Chunks(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

func placesOf(docs []*store.Document) (list []rag.Place) {
	for _, d := range docs {
		for i, c := range d.Chunks {
			list = append(list, rag.Place{PMID: d.PMID, Ordinal: i, ChunkID: c.ID})
		}
	}
	return list
}

// frozen puts a document to a server that accepts the request and never answers.
func frozen(t *testing.T, node *weaviatetest.Node) {
	c := config(node)
	c.Timeout = 300 * time.Millisecond
	x := connect(t, c)
	if err := open(t, node).Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	node.Freeze(t)
	err := x.Put(t.Context(), ragtest.Documents(1))
	node.Thaw(t)
	wantKind(t, err, weaviate.Timeout)
	patient := c
	patient.Timeout = 0
	put(t, connect(t, patient), ragtest.Documents(1)) // works after Thaw
}

// killed kills the node while documents are stored. The documents that were
// acknowledged must be there, and repeating Put must complete the others.
func killed(t *testing.T, node *weaviatetest.Node) {
	c := config(node)
	x := connect(t, c)
	docs := ragtest.Documents(400)
	put(t, x, docs[:100])
	acknowledged, failed := make(chan int, 100), make(chan error, 1)
	go func() {
		defer close(acknowledged)
		for i := 100; i < 400; i += 10 {
			if err := x.Put(context.Background(), docs[i:i+10]); err != nil {
				failed <- err
				return
			}
			acknowledged <- i + 10
		}
	}()
	stored := 100
	for n := range acknowledged {
		if stored = n; n == 150 {
			node.Kill(t)
		}
	}
	if stored < 400 {
		wantKind(t, <-failed, weaviate.Unreachable, weaviate.Timeout, weaviate.Failed)
	}
	_, err := x.Words(t.Context(), store.All{}, store.Filter{}, 10)
	wantKind(t, err, weaviate.Unreachable)

	node.Restart(t)
	there := places(t, x)
	for _, p := range placesOf(docs[:stored]) {
		if !slices.Contains(there, p) {
			t.Errorf("%v was acknowledged and is missing", p)
		}
	}
	put(t, x, docs)
	if got := places(t, x); !slices.Equal(got, placesOf(docs)) {
		t.Errorf("%d chunks, want %d", len(got), len(placesOf(docs)))
	}
}
