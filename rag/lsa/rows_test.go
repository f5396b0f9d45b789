package lsa

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"biomcp/rag/lsa/lsatest"
	"biomcp/store/intern"
)

// counted counts the reads of a stored model.
type counted struct {
	lsatest.Memory
	mu          sync.Mutex
	rows, times int
}

func (c *counted) Rows(ctx context.Context, keys []string) (map[string][]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows += len(keys)
	return c.Memory.Rows(ctx, keys)
}

func (c *counted) Each(ctx context.Context, f func(string, []byte) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.times++
	return c.Memory.Each(ctx, f)
}

// Vectors are equal, bit for bit, whether rows are loaded by key or all at once. Concurrent
// callers load the whole model only once. Keys of other rows are skipped.
func TestModelThatIsLoadedWholeMakesTheSameVectors(t *testing.T) {
	var texts [][]string
	for i := range 90 {
		var text []string
		for j := range 12 {
			text = append(text, fmt.Sprint("t", (i*i+7*j*i+j)%170))
		}
		texts = append(texts, append(text, text[:i%5]...))
	}
	rows := lsatest.Copy(fit(t, texts).Rows())
	rows["\x01other"] = []byte{1}
	asked := append(texts, []string{"unknown", "t3", ""}, []string{"unknown"}, nil)
	var want [][]float32
	for _, text := range asked {
		s, err := Open(t.Context(), rows)
		if err != nil {
			t.Fatal(err)
		}
		s.terms = 1 << 20 // a few rows are few
		want = append(want, vectorsOf(t, s, text)...)
		if s.whole != nil {
			t.Fatal("a model was loaded whole for the sake of one text")
		}
	}
	source := &counted{Memory: rows}
	s, err := Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i, text := range asked {
				if got := vectorsOf(t, s, text)[0]; !reflect.DeepEqual(got, want[i]) {
					t.Errorf("text %d: %v, by key %v", i, got, want[i])
				}
			}
		})
	}
	all.Wait()
	if source.times != 1 || source.rows > 8*len(rows)/4 {
		t.Errorf("a model of %d rows was loaded %d times, and %d rows by their keys", len(rows), source.times, source.rows)
	}
	before := source.rows
	vectorsOf(t, s, asked...)
	if source.rows != before || source.times != 1 {
		t.Error("rows of a loaded model were asked for")
	}
}

// A released model is loaded again when it is needed.
func TestReleasedModel(t *testing.T) {
	texts := topics(200, 20, 100)
	source := &counted{Memory: lsatest.Copy(fit(t, texts).Rows())}
	s, err := Open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	want := vectorsOf(t, s, texts...)
	s.Release()
	if s.whole != nil || len(s.rows) > 0 {
		t.Error("rows of a released model are kept")
	}
	if got := vectorsOf(t, s, texts...); !reflect.DeepEqual(got, want) || source.times != 2 {
		t.Errorf("loaded %d times; other vectors: %v", source.times, !reflect.DeepEqual(got, want))
	}
}

// The error of a stored number is at most half a step, a step is a 127th of the greatest of its
// 32 numbers, and storing a loaded row again does not change it.
func TestStoredRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, dim := range []int{1, 32, 50, 256} {
		for _, size := range []float64{0, 1e-30, 1e-4, 1, 1e6} {
			row := make([]float32, dim)
			for i := range row {
				row[i] = float32(rng.NormFloat64() * size / float64(1+i)) // later ones are smaller
			}
			stored := appendRow(nil, row, 2.5)
			read := appendStored(nil, stored)
			if len(stored) != rowSize(dim) || len(read) != dim+1 || read[dim] != 2.5 {
				t.Fatal(len(stored), len(read))
			}
			for from := 0; from < dim; from += 32 {
				group, greatest := row[from:min(dim, from+32)], 0.0
				for _, x := range group {
					greatest = max(greatest, math.Abs(float64(x)))
				}
				for i, x := range group {
					if off := math.Abs(float64(read[from+i] - x)); off > 0.501*greatest/127 {
						t.Errorf("%g is read as %g", x, read[from+i])
					}
				}
			}
			if again := appendRow(nil, read[:dim], 2.5); !bytes.Equal(again, stored) {
				t.Errorf("%d of %g: another row when it is stored again", dim, size)
			}
		}
	}
}

// The bytes in which rows are stored turn no vector by more than a degree.
func TestVectorsOfStoredRowsAreThoseOfTheModel(t *testing.T) {
	for _, n := range []int{16, 1000} {
		texts := topics(n, 40, 300)
		m := fit(t, texts)
		texts = texts[:min(n, 500)]
		want := vectorsOf(t, exact(t, m), texts...)
		for i, got := range vectorsOf(t, open(t, m), texts...) {
			if cos := dot(got, want[i]); cos < math.Cos(math.Pi/180) {
				t.Errorf("%d documents: the vector of %d is %.5f of its model's", n, i, cos)
			}
		}
	}
}

// exact returns the Space of a model with the rows as they were fitted.
func exact(t testing.TB, m *Model) *Space {
	t.Helper()
	s := open(t, m)
	s.whole = &table{width: m.Dim + 1}
	for _, i := range m.sortedTerms() {
		intern.Add(&s.whole.terms, m.terms[i])
		s.whole.rows = append(append(s.whole.rows, m.rows[i*m.Dim:(i+1)*m.Dim]...), m.scales[i])
	}
	return s
}
