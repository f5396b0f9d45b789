package result

import (
	"slices"
	"strings"
	"testing"
)

func TestIntervalsAreNotBroken(t *testing.T) {
	for text, want := range map[string][]string{
		"hazard ratio 1.20 (0.90 to 1.60), p 0.2": {"hazard", "ratio", "1.20 (0.90 to 1.60),", "p", "0.2"},
		"12.1 % (8.0 % to 17 %) of them":          {"12.1 % (8.0 % to 17 %)", "of", "them"},
		"23.4 (11.0 to -)":                        {"23.4 (11.0 to -)"},
		"0.52 to ∞ months":                        {"0.52 to ∞", "months"},
		"-1.5e-05 to 2":                           {"-1.5e-05 to 2"},
		"go to 5 shops":                           {"go", "to", "5", "shops"},
		"a 95 % interval":                         {"a", "95 %", "interval"},
	} {
		if got := unbroken(text, 80); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := unbroken(text, 5); strings.Join(got, " ") != text || slices.ContainsFunc(got, func(w string) bool {
			return strings.Contains(w, " ") && len(w) > 5
		}) {
			t.Errorf("%q in 5 columns: got %q", text, got)
		}
	}
	if got := wrap("ratio 1.20 (0.90 to 1.60)", 22); len(got) != 2 || got[1] != "1.20 (0.90 to 1.60)" {
		t.Errorf("got %q", got)
	}
}

// A word of several names between vertical bars that exceeds a line is broken after a bar, and a path
// after a slash, so that no name is broken.
func TestWrapBreaksAlternativesAfterABar(t *testing.T) {
	for text, want := range map[string]string{
		"study list|summary|co-occurrence|oncoprint": "study|list|summary||co-occurrence||oncoprint",
		"/home/someone/studies/synthetic_demo":       "/home/someone/|studies/|synthetic_demo",
		"list|averyveryverylongwordthatexceedsaline": "list|averyveryverylo|ngwordthatexceedsali|ne",
	} {
		got := strings.Join(wrap(text, 20), "|")
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
