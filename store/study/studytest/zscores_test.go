package studytest

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// readMatrix returns the fields of a matrix by gene.
func readMatrix(t *testing.T, dir, name string) map[string][]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(b)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows[fields[0]] = fields[2:]
	}
	return rows
}

// A second computation, in two passes, gives each z-score of the study in package example from its RSEM values.
func TestZScoresComeFromTheExpression(t *testing.T) {
	dir, err := Small.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	rsem, z := readMatrix(t, dir, "data_mrna_seq_v2_rsem.txt"), readMatrix(t, dir, "data_mrna_seq_v2_rsem_zscores_ref_all_samples.txt")
	if len(z) != 1+Small.Matrix[0] || len(rsem) != len(z) || strings.Join(z["Hugo_Symbol"], " ") != strings.Join(rsem["Hugo_Symbol"], " ") {
		t.Fatalf("want the genes and samples of the RSEM values, got %d genes of %d", len(z), len(rsem))
	}
	for gene, values := range rsem {
		if gene == "Hugo_Symbol" {
			continue
		}
		n, sum, squares := 0., 0., 0.
		for _, v := range values {
			if x, err := strconv.ParseFloat(v, 64); err == nil && x > 0 {
				n, sum = n+1, sum+math.Log2(x+1)
			}
		}
		for _, v := range values {
			if x, err := strconv.ParseFloat(v, 64); err == nil && x > 0 {
				squares += math.Pow(math.Log2(x+1)-sum/n, 2)
			}
		}
		for i, v := range values {
			x, missing := strconv.ParseFloat(v, 64)
			got, err := strconv.ParseFloat(z[gene][i], 64)
			if want := (math.Log2(x+1) - sum/n) / math.Sqrt(squares/n); (missing != nil) != (err != nil) || err == nil && math.Abs(got-want) > 1e-4 {
				t.Errorf("%s, sample %d, RSEM %s: want the z-score %.4f, got %s", gene, i, v, want, z[gene][i])
			}
		}
	}
}

// The values of the example in cBioPortal's documentation of the script (docs/Z-Score-normalization-script.md).
func TestZScoresOfTheDocumentation(t *testing.T) {
	values := []float64{
		0.765, 0.716, 0.417125, 0.115, 0.492875, -0.525, -0.169, 0.396, 0.50475,
		0.400875, 0.393125, 0.9165, 0.627125, 0.337125, 0.705, 0.16425, 0.325, 0.11175,
	}
	got := zScores(values)
	for i, want := range map[int]float64{0: 1.2803, 1: 1.1007, 3: -1.6485, 5: -2.3426, 6: -2.3426, 11: 1.8054, 17: -1.6671} {
		if math.Abs(got[i]-want) > 1e-4 {
			t.Errorf("value %g: want %.4f, got %.4f", values[i], want, got[i])
		}
	}
}
