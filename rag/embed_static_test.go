package rag

import (
	"iter"
	"math"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag/lsa"
	"biomcp/rag/lsa/lsatest"
	"biomcp/rag/static"
	"biomcp/rag/static/statictest"
	"biomcp/store"
)

// A vector joins one by the corpus and one by the table. Both have the same length in a
// small corpus; otherwise the table's is half as long. If one is missing, the other is
// used.
func TestVectorsJoinedToATable(t *testing.T) {
	table, err := static.Open(statictest.Write(t, []string{"lens", "glucose", "sugar", "xyzzy"}, [][]float32{{1, 0}, {0, 1}, {0.1, 1}, {-1, 0}}))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	texts := []string{"Insulin lowers glucose.", "Metformin lowers glucose.", "Cataract of the lens.", "Surgery of the lens."}
	for _, c := range []struct {
		documents int
		share     float64
	}{{len(texts), 1}, {smallCorpus, 0.5}} {
		docs := func(func(record.PMID) bool) iter.Seq2[*store.Document, error] {
			return func(yield func(*store.Document, error) bool) {
				for i := range c.documents {
					if !yield(&store.Document{PMID: 1, Title: texts[i%len(texts)]}, nil) {
						return
					}
				}
			}
		}
		m, err := FitLocal(t.Context(), c.documents, docs, table)
		if err != nil {
			t.Fatal(err)
		}
		rows := lsatest.Copy(m.Rows())
		space, err := lsa.Open(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		tokens, err := OpenTokens(t.Context(), table, rows)
		if err != nil || tokens.Weights[0] >= tokens.Weights[3] || tokens.Weights[2] != tokens.Weights[3] {
			t.Fatalf("%v, %v: a token of half the documents must weigh less than an unknown one", tokens, err)
		}
		plain, joined := NewLocal("l", space, nil), NewLocal("j", space, tokens)
		if joined.Dim() != plain.Dim()+2 || m.Dim() != joined.Dim() {
			t.Errorf("%d dimensions, %d without the table, %d fitted", joined.Dim(), plain.Dim(), m.Dim())
		}
		asked := []string{"the lens", "sugar", "surgery", "unheard"}
		s, err1 := plain.Embed(t.Context(), asked)
		v, err2 := joined.Embed(t.Context(), asked)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		length := math.Sqrt(1 + c.share*c.share)
		if got, want := float64(v[0][plain.Dim()]), c.share/length; math.Abs(got-want) > 1e-6 || math.Abs(float64(v[0][0])-float64(s[0][0])/length) > 1e-6 {
			t.Errorf("%d documents: the table has %g of the vector, want %g", c.documents, got, want)
		}
		if s[1] != nil || math.Abs(float64(product(v[1], v[1]))-1) > 1e-5 {
			t.Errorf("a word that the table alone knows: %v", v[1])
		}
		if !slices.Equal(v[2][:plain.Dim()], s[2]) || v[3] != nil {
			t.Errorf("a word that the corpus alone knows: %v; that nobody knows: %v", v[2], v[3])
		}
	}
	if _, err := OpenTokens(t.Context(), table, lsatest.Memory{}); err != lsa.ErrDamaged {
		t.Errorf("no weights: %v", err)
	}
}
