package gallery

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"biomcp/charts"
)

var update = flag.Bool("update", false, "write the pictures in testdata as they are drawn now")

// Each image equals the reviewed one, as SVG and, for few groups, as terminal text. The package
// documentation explains how to update them.
func TestPictures(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("SKIPPED: other processors round the widths of texts differently in the last digit")
	}
	examples, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, e := range examples {
		known[e.Name+".svg"], known[e.Name+".txt"] = true, hasText(e)
		t.Run(e.Name, func(t *testing.T) {
			picture, err := charts.SVG(e.Chart, charts.Options{})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, e.Name+".svg", string(picture))
			if hasText(e) {
				text, err := charts.Terminal(e.Chart, charts.Options{Cols: 80, Rows: 24})
				if err != nil {
					t.Fatal(err)
				}
				golden(t, e.Name+".txt", text)
			}
		})
	}
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if known[filepath.Base(f)] {
			continue
		}
		if !*update {
			t.Errorf("%s is not drawn by any example; go test ./charts/gallery -update removes it", f)
		} else if err := os.Remove(f); err != nil {
			t.Error(err)
		}
	}
}

func hasText(e Example) bool { return strings.HasSuffix(e.Name, "-few") }

// golden compares an image with its file, or writes the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; draw it with: go test ./charts/gallery -update", err)
	}
	if d := difference(string(want), got); d != "" {
		t.Errorf("%s is another picture; if it is meant to be: go test ./charts/gallery -update\n%s", file, d)
	}
}

// difference returns the first lines of each side that the other side lacks.
func difference(want, got string) string {
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for _, side := range []struct {
		sign      string
		of, other []string
	}{{"-", w, g}, {"+", g, w}} {
		n := 0
		for _, line := range side.of {
			if slices.Contains(side.other, line) {
				continue
			}
			if n++; n <= 5 {
				fmt.Fprintf(&b, "%s%s\n", side.sign, line)
			}
		}
		if n > 5 {
			fmt.Fprintf(&b, "%s... and %d more lines\n", side.sign, n-5)
		}
	}
	if b.Len() == 0 && want != got {
		return "the same lines in another order\n"
	}
	return b.String()
}

// Every kind of chart has an example. A new form of data needs an entry in forms.
func TestEveryKindHasExamples(t *testing.T) {
	examples, err := Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range charts.AllKinds() {
		for _, s := range situations {
			if !slices.ContainsFunc(examples, func(e Example) bool { return e.Name == kind+"-"+s.name }) {
				t.Errorf("the gallery has no %s-%s", kind, s.name)
			}
		}
	}
}

// The synthetic data could be those of a study: a matrix of pairs is symmetric, and the p-value of a ratio
// is under 0.05 exactly if its interval is on one side of 1.
func TestDataArePossible(t *testing.T) {
	for _, s := range situations {
		for _, data := range forms {
			switch d := data(s, rand.New(rand.NewPCG(1, uint64(s.groups)))).(type) {
			case charts.Matrix:
				for i, row := range d.Ratios {
					for j, v := range row {
						if w := d.Ratios[j][i]; v != w && !(math.IsNaN(v) && math.IsNaN(w)) || d.Stars[i][j] != d.Stars[j][i] {
							t.Errorf("%s: want a symmetric matrix, got %g at %d, %d and %g on the other side", s.name, v, i, j, w)
						}
					}
				}
			case charts.Ratios:
				for _, r := range d.Terms {
					p, err := strconv.ParseFloat(r.P, 64)
					if err != nil {
						t.Fatal(err)
					}
					if apart := r.Low > 1 || r.High < 1; apart != (p < .05) && math.Abs(p-.05) > .001 {
						t.Errorf("%s, %s: want a p-value that fits %g to %g, got %s", s.name, r.Name, r.Low, r.High, r.P)
					}
				}
			}
		}
	}
}
