package rag

import (
	"strings"
	"testing"
	"unicode/utf8"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// A background sentence that repeats the question does not displace the answer, with labels,
// with headings, and by place alone. Words of one sentence find that sentence.
func TestEvidenceAnswersTheQuestion(t *testing.T) {
	a := analyze.New()
	background := "The effect of ergothioneine on mushroom tumours of mice is debated."
	methods := "We fed forty animals for six weeks with a plain diet from a local shop."
	results := "Tumours of the mice shrank by a third with ergothioneine."
	conclusion := "This amino acid slows such growth."
	sections := []store.Section{
		{Label: "BACKGROUND", Text: background}, {Label: "METHODS", Text: methods},
		{Label: "RESULTS", Text: results}, {Label: "CONCLUSIONS", Text: conclusion},
	}
	labelled := "BACKGROUND: " + background + " METHODS: " + methods + " RESULTS: " + results + " CONCLUSIONS: " + conclusion
	for name, d := range map[string]*store.Document{
		"labels":    {Abstract: labelled, Sections: sections},
		"headings":  {Abstract: labelled},
		"sentences": {Abstract: strings.NewReplacer("BACKGROUND: ", "Background. ", "METHODS: ", "Methods. ", "RESULTS: ", "Results. ", "CONCLUSIONS: ", "Conclusions. ").Replace(labelled)},
		"place":     {Abstract: strings.Join([]string{background, methods, results, conclusion}, " ")},
	} {
		for _, c := range []struct {
			query string
			limit int
			want  string
		}{
			{"Does ergothioneine shrink tumours of mice?", 120, results},
			{"Does ergothioneine shrink tumours of mice?", 120, conclusion},
			{"ergothioneine tumours", 75, results},
			{"something else", 60, conclusion},
			{"forty animals local shop", 90, methods},
			{"debate mushroom", 85, background},
		} {
			if got := ParseQuery(a, c.query).Evidence(a, d, c.limit); !strings.Contains(got, c.want) {
				t.Errorf("%s, %s: got %q, want %q in it", name, c.query, got, c.want)
			}
		}
	}
	d := &store.Document{Abstract: background + " " + methods + " " + results + " " + conclusion}
	got := ParseQuery(a, "debated mushrooms amino acid growth").Evidence(a, d, 110)
	if want := background + " … " + conclusion; got != want {
		t.Errorf("two places: got %q, want %q", got, want)
	}
	if got := ParseQuery(a, "tumours").Evidence(a, d, 1000); got != d.Abstract {
		t.Errorf("a short abstract: got %q, want all of it", got)
	}
	long := &store.Document{Abstract: strings.Repeat("words without end ", 20) + "ergothioneine " + strings.Repeat("and αβγ ", 50)}
	got = ParseQuery(a, "ergothioneine").Evidence(a, long, 80)
	if !strings.Contains(got, "ergothioneine") || len(got) > 90 || !strings.HasPrefix(got, "… ") || !strings.HasSuffix(got, " …") {
		t.Errorf("a long sentence: got %q, want at most 80 bytes around the word", got)
	}
}

func FuzzEvidence(f *testing.F) {
	f.Add("a b", "x y. Z a. B c", "Z", 5)
	f.Add("ergo", strings.Repeat("é", 300), "", 7)
	f.Add("", "Results. A b. Conclusions. C d. E f.", "Results", 12)
	a := analyze.New()
	f.Fuzz(func(t *testing.T, query, text, label string, limit int) {
		if limit < 1 || limit > 1000 || !utf8.ValidString(text) || len(text) > 10000 || len(query) > 200 {
			t.Skip()
		}
		d := &store.Document{Abstract: text, Sections: []store.Section{{Label: label, Text: text}}}
		got := ParseQuery(a, query).Evidence(a, d, limit)
		if len(text) > limit && len(strings.TrimSuffix(strings.TrimPrefix(got, "… "), " …")) > limit {
			t.Errorf("got %d bytes, want at most %d", len(got), limit)
		}
		if strings.Contains(text, "…") {
			return
		}
		for part := range strings.SplitSeq(got, "…") {
			if !strings.Contains(text, strings.TrimSpace(part)) || !utf8.ValidString(part) {
				t.Errorf("got %q, want parts of %q", got, text)
			}
		}
	})
}
