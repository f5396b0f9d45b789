package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// measured matches a duration, a size or a score in prose, such as "13 ms" or "0.989".
var measured = regexp.MustCompile(`\b[0-9.]+ (?:ms|µs|kB|MB of disk)\b|\b0\.[0-9]{3}\b|\b[0-9]+ MB\b`)

// bound matches a limit of the program, which is stated and not measured.
var bound = regexp.MustCompile(`set aside at 100 MB`)

// checkedText matches what the generator writes between two marks, and the excerpts of answers
// that TestReadmeShowsWhatIsPrinted compares.
var checkedText = regexp.MustCompile("(?s)<!-- (\\w+) -->.*?<!-- /\\w+ -->|```text\n.*?```")

func TestDocumentsStateNoMeasuredFiguresOfTheirOwn(t *testing.T) {
	for _, file := range []string{"README.md", "CHANGELOG.md", ".github/CHOOSE.md"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
			if err != nil {
				t.Fatal(err)
			}
			own := bound.ReplaceAll(checkedText.ReplaceAll(text, nil), nil)
			for _, figure := range measured.FindAllString(string(own), -1) {
				t.Errorf("%s states %q outside a generated table; want it in build/generate/figures.tsv", file, figure)
			}
		})
	}
}

func TestRankingReadsTheDefaultSearch(t *testing.T) {
	got, ok := ranking("\n| MED | words | 0.1 | 0 |\n| MED | both | 0.773 | 0.659 |\n", "MED")
	if want := "0.773"; !ok || got != want {
		t.Errorf("ranking = %q, %v; want %q, true", got, ok, want)
	}
}
