package lsa

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"biomcp/entrez/record"
	"biomcp/rag/analyze"
	"biomcp/rag/lsa/lsatest"
	"biomcp/store"
)

// topics generates documents of seven topics: half of the words of a document are
// of its topic, half common to all. Words follow Zipf's law.
func topics(docs, words, vocabulary int) (texts [][]string) {
	r := rand.New(rand.NewPCG(3, 4))
	for d := range docs {
		texts = append(texts, topical(r, d%7, words, vocabulary))
	}
	return texts
}

func topical(r *rand.Rand, topic, words, vocabulary int) (text []string) {
	for range words {
		rank := int(math.Exp(r.Float64() * math.Log(float64(vocabulary))))
		if r.IntN(2) == 0 {
			text = append(text, fmt.Sprintf("t%dw%d", topic, rank))
		} else {
			text = append(text, fmt.Sprintf("w%d", rank))
		}
	}
	return text
}

func fit(t testing.TB, texts [][]string) *Model {
	t.Helper()
	f := NewFitter(len(texts))
	for _, text := range texts {
		f.Add(tokens(text))
	}
	m, err := f.Fit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func tokens(text []string) (tokens []store.Token) {
	for _, w := range text {
		tokens = append(tokens, store.Token{Term: w})
	}
	return tokens
}

func open(t testing.TB, m *Model) *Space {
	t.Helper()
	s, err := Open(context.Background(), lsatest.Copy(m.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func vectorsOf(t testing.TB, s *Space, texts ...[]string) [][]float32 {
	t.Helper()
	v, err := s.Vectors(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// weighted is the matrix of documents by terms, written down from the definition
// in double precision, and the column and weight of each term.
func weighted(texts [][]string) (a *mat.Dense, column map[string]int, idf map[string]float64) {
	column, df := map[string]int{}, map[string]float64{}
	for _, text := range texts {
		for _, w := range slices.Compact(slices.Sorted(slices.Values(text))) {
			if df[w]++; df[w] == 1 {
				column[w] = len(column)
			}
		}
	}
	idf = df
	for w := range df {
		idf[w] = math.Log(float64(len(texts)) / df[w])
	}
	a = mat.NewDense(len(texts), len(column), nil)
	for d, text := range texts {
		row := a.RawRowView(d)
		for w, c := range column {
			tf := 0.0
			for _, x := range text {
				if x == w {
					tf++
				}
			}
			if tf > 0 {
				row[c] = (1 + math.Log(tf)) * idf[w]
			}
		}
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	return a, column, idf
}

// entropies are the entropy weights, written down from the definition.
func entropies(texts [][]string) map[string]float64 {
	count, total := map[string]map[int]float64{}, map[string]float64{}
	for d, text := range texts {
		for _, w := range text {
			if count[w] == nil {
				count[w] = map[int]float64{}
			}
			count[w][d]++
			total[w]++
		}
	}
	weights := map[string]float64{}
	for w, in := range count {
		weights[w] = 1
		for _, tf := range in {
			p := tf / total[w]
			weights[w] += p * math.Log(p) / math.Log(float64(len(texts)))
		}
	}
	return weights
}

// defined are the vectors of texts by the definition in the package comment, with
// LAPACK's singular vectors in double precision.
func defined(t *testing.T, texts [][]string, dim int) (vectors [][]float64) {
	a, column, idf := weighted(texts)
	entropy := entropies(texts)
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var v mat.Dense
	svd.VTo(&v)
	sigma := svd.Values(nil)[:dim]
	unit := func(x []float64) []float64 { floats.Scale(1/floats.Norm(x, 2), x); return x }
	for _, text := range texts {
		topics, terms := make([]float64, dim), make([]float64, dim)
		for w, c := range column {
			tf := 0.0
			for _, x := range text {
				if x == w {
					tf++
				}
			}
			if tf == 0 {
				continue
			}
			rooted, scaled := make([]float64, dim), make([]float64, dim)
			for i, s := range sigma {
				rooted[i], scaled[i] = v.At(c, i)*math.Sqrt(s), v.At(c, i)*s
			}
			floats.AddScaled(topics, (1+math.Log(tf))*entropy[w], rooted)
			floats.AddScaled(terms, (1+math.Log(tf))*idf[w], unit(scaled))
		}
		floats.Add(unit(topics), unit(terms))
		vectors = append(vectors, unit(topics))
	}
	return vectors
}

func TestVectorsHaveTheCosinesOfTheirDefinition(t *testing.T) {
	texts := topics(16, 40, 300)
	s := exact(t, fit(t, texts))
	if s.Dim != 16 || s.Docs != 16 {
		t.Fatalf("%d dimensions, %d documents", s.Dim, s.Docs)
	}
	got, want := vectorsOf(t, s, texts...), defined(t, texts, 16)
	for i := range texts {
		for j := range texts {
			if want := floats.Dot(want[i], want[j]); math.Abs(want-dot(got[i], got[j])) > 1e-4 {
				t.Errorf("documents %d and %d: %f, want %f", i, j, dot(got[i], got[j]), want)
			}
		}
	}
}

// The fitted basis is orthonormal and captures at least 97% of the variance that the exact
// singular vectors capture (LAPACK, double precision), although the singular values of this
// corpus decrease slowly.
func TestBasisIsCloseToExactSVD(t *testing.T) {
	texts := topics(300, 60, 1000)
	m := fit(t, texts)
	a, column, _ := weighted(texts)
	entropy := entropies(texts)
	v := mat.NewDense(len(column), m.Dim, nil)
	for i, term := range m.terms {
		for j := range m.Dim {
			v.Set(column[term], j, float64(m.rows[i*m.Dim+j]/m.roots[j])/entropy[term])
		}
	}
	var square, av mat.Dense
	square.Mul(v.T(), v)
	for i := range m.Dim {
		square.Set(i, i, square.At(i, i)-1)
	}
	if off := mat.Norm(&square, 2); off > 1e-4 {
		t.Errorf("the basis is %g from orthonormal", off)
	}
	av.Mul(a, v)
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDNone) {
		t.Fatal("no decomposition")
	}
	exact := 0.0
	for _, sigma := range svd.Values(nil)[:m.Dim] {
		exact += sigma * sigma
	}
	got := math.Pow(mat.Norm(&av, 2), 2)
	if got < 0.97*exact || got > exact*1.0001 {
		t.Errorf("captured %.4f of %.4f", got, exact)
	}
}

// A corpus of two documents has a model or is too small, whatever its words are.
func TestFitOfTwoDocuments(t *testing.T) {
	small := 0
	for i := range 100 {
		f := NewFitter(2)
		f.Add(tokens([]string{fmt.Sprint("a", i), fmt.Sprint("b", i)}))
		f.Add(tokens([]string{fmt.Sprint("c", i), fmt.Sprint("d", i)}))
		if m, err := f.Fit(t.Context()); errors.Is(err, ErrTooSmall) {
			small++
		} else if err != nil || m.Dim != 2 {
			t.Errorf("%d: %v, %v", i, m, err)
		}
	}
	if small == 0 || small == 100 {
		t.Errorf("%d of 100 are too small", small)
	}
}

// A matrix is rotated in its own place, whatever part of the columns is kept, and each
// column divided by the root of its value.
func TestRotate(t *testing.T) {
	const n, l = 2500, 7
	r := rand.New(rand.NewPCG(5, 6))
	for _, k := range []int{1, 4, l} {
		t.Run(fmt.Sprint(k), func(t *testing.T) {
			v, e, values := make([]float32, n*l), make([]float64, l*l), make([]float64, k)
			for i := range v {
				v[i] = r.Float32()
			}
			for i := range e {
				e[i] = r.NormFloat64()
			}
			var want mat.Dense
			exact := mat.NewDense(n, l, nil)
			for i, x := range v {
				exact.Set(i/l, i%l, float64(x))
			}
			want.Mul(exact, mat.NewDense(l, l, e).Slice(0, l, 0, k))
			for j := range values {
				values[j] = float64((j + 1) * (j + 1))
			}
			got := rotate(v, l, e, values)
			if len(got) != n*k || &got[0] != &v[0] {
				t.Fatalf("%d numbers for %d columns, in another place: %v", len(got), k, &got[0] != &v[0])
			}
			for i, x := range got {
				if want := want.At(i/k, i%k) / float64(i%k+1); math.Abs(float64(x)-want) > 1e-4 {
					t.Fatalf("%d columns, row %d: %v, want %v", k, i/k, x, want)
				}
			}
		})
	}
}

func TestModelDoesNotDependOnTheNumberOfGoroutines(t *testing.T) {
	texts := topics(1500, 30, 2000)
	was := runtime.GOMAXPROCS(1)
	one := fit(t, texts)
	runtime.GOMAXPROCS(3)
	three := fit(t, texts)
	runtime.GOMAXPROCS(was)
	if one.Name() != three.Name() || !slices.Equal(one.rows, three.rows) {
		t.Errorf("%s and %s differ", one.Name(), three.Name())
	}
	if three := fit(t, topics(1500, 30, 2001)); one.Name() == three.Name() {
		t.Error("another corpus has the same name")
	}
}

// Renaming one word, which changes the order of the terms, changes the
// similarities of documents by 0.05 at most.
func TestRenamingAWordHardlyChangesSimilarities(t *testing.T) {
	texts := topics(400, 60, 1000)
	other := topics(400, 60, 1000)
	for _, text := range other {
		for i, w := range text {
			if w == "w31" {
				text[i] = "a new word"
			}
		}
	}
	a, b := vectorsOf(t, open(t, fit(t, texts)), texts...), vectorsOf(t, open(t, fit(t, other)), other...)
	moved := 0.0
	for i := range a {
		for j := range i {
			moved = max(moved, math.Abs(float64(blas.Sdot(len(a[i]), a[i], 1, a[j], 1)-blas.Sdot(len(b[i]), b[i], 1, b[j], 1))))
		}
	}
	if moved > 0.05 {
		t.Errorf("a similarity changed by %.2f", moved)
	}
}

func TestTextsOfOneTopicAreSimilar(t *testing.T) {
	texts := topics(400, 30, 200)
	s := open(t, fit(t, texts))
	v := vectorsOf(t, s, texts[0], texts[7], texts[1], []string{"t0w1", "t0w2"}, []string{"unheard", "of"}, nil)
	for i, x := range v[:4] {
		if math.Abs(dot(x, x)-1) > 1e-5 {
			t.Errorf("vector %d has length² %f", i, dot(x, x))
		}
	}
	if dot(v[0], v[1]) < dot(v[0], v[2])+0.2 || dot(v[3], v[1]) < dot(v[3], v[2])+0.2 {
		t.Errorf("same topic %.2f, another %.2f; query %.2f, %.2f", dot(v[0], v[1]), dot(v[0], v[2]), dot(v[3], v[1]), dot(v[3], v[2]))
	}
	if v[4] != nil || v[5] != nil {
		t.Error("unknown words have a vector")
	}
	mixed := slices.Clone(texts[0])
	slices.Reverse(mixed)
	if again := vectorsOf(t, s, append(mixed, "unheard")); !slices.Equal(again[0], v[0]) {
		t.Error("the order of the words, or an unknown one, changes the vector")
	}
}

func TestFitOfATooSmallCorpusFails(t *testing.T) {
	for name, texts := range map[string][][]string{
		"nothing":      {},
		"one":          {{"a", "b"}},
		"all the same": {{"a", "b"}, {"a", "b"}, {"b", "a"}},
		"no words":     {nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := NewFitter(len(texts))
			for _, text := range texts {
				f.Add(tokens(text))
			}
			if _, err := f.Fit(context.Background()); !errors.Is(err, ErrTooSmall) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	open(t, fit(t, [][]string{{"a", "b"}, {"b", "c"}, {"c", "d"}}))
}

func TestFitReturnsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	f := NewFitter(2)
	f.Add(tokens([]string{"a", "b"}))
	f.Add(tokens([]string{"b", "c", "d"}))
	if _, err := f.Fit(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDamagedOrOtherVersionModelsAreRejected(t *testing.T) {
	ctx := context.Background()
	for _, header := range [][]byte{{Version + 1, analyze.Version, 2, 3, 4}, {Version, analyze.Version + 1, 2, 3, 4}} {
		if _, err := Open(ctx, lsatest.Memory(map[string][]byte{"": header})); !errors.Is(err, ErrVersion) {
			t.Error(err)
		}
	}
	whole := append([]byte{Version, analyze.Version, 2, 3, 4}, make([]byte, 8)...)
	for _, rows := range []map[string][]byte{{}, {"": nil}, {"": {Version, 1}}, {"": whole[:9]}, {"": append(whole, 0)}, {"": slices.Concat(whole[:4], binary.AppendUvarint(nil, 1<<63), whole[5:])}} {
		if _, err := Open(ctx, lsatest.Memory(rows)); err == nil {
			t.Errorf("%v was opened", rows)
		}
	}
	for _, terms := range []byte{4, 80} {
		t.Run(fmt.Sprint(terms), func(t *testing.T) { // one row is above and below the ratio
			whole[4] = terms
			s, err := Open(ctx, lsatest.Memory(map[string][]byte{"": whole, "a": {1, 2, 3}}))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Vectors(ctx, [][]string{{"a"}}); !errors.Is(err, ErrDamaged) {
				t.Error("a row of another length was read:", err)
			}
		})
	}
}

func TestSizeOfSampleAndDimensions(t *testing.T) {
	if f := NewFitter(MaxDocs); !f.InSample(1) || !f.InSample(record.MaxPMID) {
		t.Error("a document of a small corpus is not in the sample")
	}
	f, n := NewFitter(1_000_000), 0
	for pmid := range record.PMID(1_000_000) {
		if f.InSample(30_000_000 + pmid) {
			n++
		}
	}
	if n < MaxDocs*98/100 || n > MaxDocs*102/100 {
		t.Errorf("the sample has %d documents, want about %d", n, MaxDocs)
	}
	for n, want := range map[int]int{0: 0, 16: 16, 1000: 126, 4096: 256, 40_000_000: 256} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if Dim(n) != want {
				t.Errorf("%d documents: %d dimensions", n, Dim(n))
			}
		})
	}
	if NeedsRefit(100, 149) || !NeedsRefit(100, 150) {
		t.Error("a corpus outgrows its model before it has grown by half, or not when it has")
	}
}
