package studytest

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every change lies within its protein, whose length is known, and a few residues are changed often.
func TestChangesFitTheirProteins(t *testing.T) {
	if len(proteins) != len(symbols) {
		t.Fatalf("want a protein for each of %d genes, got %d", len(symbols), len(proteins))
	}
	for i := range symbols {
		if n := proteinLength(i); n < 100 || n > 6000 {
			t.Errorf("%s: want a possible length, got %d", Gene(i), n)
		}
	}
	dir, err := Small.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "data_mutations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	counts, rows := map[string]int{}, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		cells := strings.Split(lines.Text(), "\t")
		if len(cells) < 6 || cells[5] == "" || cells[0] == "Hugo_Symbol" {
			continue
		}
		rows++
		counts[cells[0]+" "+cells[4]]++
		at, length, _ := strings.Cut(cells[5], "/")
		position, _ := strconv.Atoi(at)
		most, _ := strconv.Atoi(length)
		if position < 1 || position > most {
			t.Errorf("%s %s: want a position up to %d, got %d", cells[0], cells[4], most, position)
		}
		if cells[0] == "TP53" && most != 393 {
			t.Errorf("TP53: want 393 amino acids, got %d", most)
		}
	}
	if rows < 400 {
		t.Errorf("want at least 400 changes, got %d", rows)
	}
	for _, hotspot := range []string{"TP53 p.R175H", "KRAS p.G12D", "EGFR p.L858R", "PIK3CA p.H1047R"} {
		if counts[hotspot] < 1 {
			t.Errorf("want %s in the study, got none", hotspot)
		}
	}
}
