package storetest

import (
	"math"
	"reflect"
	"testing"
)

func TestDocumentsAreTheSameEveryTime(t *testing.T) {
	a, b := New(1), New(1)
	b.Document(7)
	b.Query(3, 4)
	if x, y := a.Document(5), b.Document(5); !reflect.DeepEqual(x, y) {
		t.Errorf("document 5 is\n%+v, then\n%+v", x, y)
	}
	if reflect.DeepEqual(a.Document(5), New(2).Document(5)) {
		t.Error("another seed makes the same document")
	}
	if x, y := a.Vector(5, 64), b.Vector(5, 64); !reflect.DeepEqual(x, y) {
		t.Error("vector 5 differs")
	}
}

// The generated documents have the statistics that benchmarks rely on.
func TestDocumentsAreLikePubMed(t *testing.T) {
	g := New(1)
	const n = 2000
	words, headings, commonest := 0, 0, 0
	top := Word(StopWords)
	for i := range n {
		d := g.Document(i)
		headings += len(d.Mesh)
		has := false
		for _, c := range d.Chunks {
			words += len(c.Tokens)
			for _, tok := range c.Tokens {
				has = has || tok.Term == top
			}
		}
		if has {
			commonest++
		}
		var sum float64
		for _, x := range g.Vector(i, 16) {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Fatalf("a vector of length %v", math.Sqrt(sum))
		}
	}
	if w := words / n; w < 90 || w > 160 {
		t.Errorf("%d words that count in a document", w)
	}
	if h := float64(headings) / n; h < 9 || h > 12 {
		t.Errorf("%.1f headings a document", h)
	}
	if share := float64(commonest) / n; share < 0.2 || share > 0.5 {
		t.Errorf("the commonest word is in %.2f of the documents", share)
	}
	for i := range 50 {
		if q := g.Query(i, 3); len(q) != 3 || q[0] == q[1] {
			t.Errorf("query %v", q)
		}
		if q := g.CommonWords(i, 3); len(q) != 3 || q[0] == q[1] {
			t.Errorf("query %v", q)
		}
	}
}
