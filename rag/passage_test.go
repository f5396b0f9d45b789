package rag

import (
	"strings"
	"testing"
	"unicode/utf8"

	"biomcp/rag/analyze"
)

func TestPassageHasTheMostQueryTerms(t *testing.T) {
	a := analyze.New()
	text := "Background was long and told nothing. We gave mushrooms rich in ergothioneine to mice. Tumours shrank. " +
		"IL-6 fell by 5.5 mg/L, and ergothioneine of mushrooms rose. Nothing else was seen."
	q := ParseQuery(a, "ergothioneine mushroom IL6")
	if got, want := q.Passage(a, text, 70), "… IL-6 fell by 5.5 mg/L, and ergothioneine of mushrooms rose. …"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := q.Passage(a, text, 1000); got != text {
		t.Errorf("a short text was cut: %q", got)
	}
	if got, want := ParseQuery(a, "zebra").Passage(a, text, 40), "Background was long and told nothing. …"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for query, want := range map[string]string{"ergothio*": "We gave mushrooms", "shrink* tumo*": "Tumours shrank.", "inflammat* NOT tumo*": "Background"} {
		t.Run(query, func(t *testing.T) {
			if got := strings.TrimPrefix(ParseQuery(a, query).Passage(a, text, 60), "… "); !strings.HasPrefix(got, want) {
				t.Errorf("%s: %q, want %q", query, got, want)
			}
		})
	}
	long := strings.Repeat("wörter ohne ende ", 50) + "ergothioneine " + strings.Repeat("αβγ mehr ", 50)
	got := q.Passage(a, long, 120)
	if !strings.Contains(got, "ergothioneine") || len(got) > 130 || !strings.HasPrefix(got, "… ") || !strings.HasSuffix(got, " …") {
		t.Errorf("%q", got)
	}
}

func FuzzPassage(f *testing.F) {
	f.Add("a b", "x y. Z a. B c", 5)
	f.Add("ergo", strings.Repeat("é", 300), 7)
	f.Add("", "", 1)
	a := analyze.New()
	f.Fuzz(func(t *testing.T, query, text string, limit int) {
		if limit < 1 || limit > 1000 || !utf8.ValidString(text) || len(text) > 10000 || len(query) > 200 {
			t.Skip()
		}
		got := ParseQuery(a, query).Passage(a, text, limit)
		inner := strings.TrimSuffix(strings.TrimPrefix(got, "… "), " …")
		if !strings.Contains(text, inner) || !utf8.ValidString(got) {
			t.Errorf("%q of %q", got, text)
		}
		if len(text) > limit && len(inner) > limit {
			t.Errorf("%d bytes, at most %d", len(inner), limit)
		}
	})
}

func TestSentences(t *testing.T) {
	text := "Tumours shrank by 5.5 mg.  (They grew, e.g. later.) Then\n"
	want := []string{"Tumours shrank by 5.5 mg.", "(They grew, e.g. later.)", "Then"}
	if got := Sentences(text); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Sentences(" "); len(got) != 0 {
		t.Errorf("an empty text: got %q, want none", got)
	}
}
