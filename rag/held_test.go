package rag

import (
	"slices"
	"testing"

	"biomcp/rag/analyze"
	"biomcp/store"
)

func TestHeldWordsOfAQuery(t *testing.T) {
	d := &store.Document{Title: "Black Women's pleasure mapping", Abstract: "IL-6 in type 2 diabetes, a beta-blocker and oedema, n = 1,234. Aged 63 ± 8 years; 5 µg/mL of H₂O₂ 1:1,000.", Keywords: []string{"Hepatitis B"}}
	for query, want := range map[string][2][]string{
		"black hole accretion disk spectroscopy": {{"black"}, {"black", "hole", "accretion", "disk", "spectroscopy"}},
		"What is the black of the hole?":         {{"black"}, {"black", "hole"}},
		"IL6 edema Black BLACK":                  {{"IL6", "edema", "Black"}, {"IL6", "edema", "Black"}},
		"type 2 diabetes, beta blockers":         {{"type", "2", "diabetes", "beta", "blockers"}, {"type", "2", "diabetes", "beta", "blockers"}},
		"TNF-alpha beta-blocker":                 {{"beta-blocker"}, {"TNF-alpha", "beta-blocker"}},
		`"pleasure mapping" NOT diabetes`:        {{"pleasure", "mapping"}, {"pleasure", "mapping"}},
		"1,234 edema,IL6":                        {{"1,234", "edema", "IL6"}, {"1,234", "edema", "IL6"}},
		"μg/mL":                                  {{"μg/mL"}, {"μg/mL"}},
		"µg/mL h2o2":                             {{"µg/mL", "h2o2"}, {"µg/mL", "h2o2"}},
		"63 8 1:1,000 6":                         {{"63", "8", "1", "1,000", "6"}, {"63", "8", "1", "1,000", "6"}},
		"23 3 H₂O 5 g/mL":                        {{"5"}, {"23", "3", "H₂O", "5", "g/mL"}},
		"inflam*":                                {nil, nil},
		"of the":                                 {nil, nil},
	} {
		t.Run(query, func(t *testing.T) {
			held, words := ParseQuery(analyze.New(), query).MatchedWords(d)
			if !slices.Equal(held, want[0]) || !slices.Equal(words, want[1]) {
				t.Errorf("%s: %q of %q, want %q of %q", query, held, words, want[0], want[1])
			}
		})
	}
}

// A document contains a word if it contains another name of it.
func TestHeldByAnotherName(t *testing.T) {
	d := &store.Document{Title: "p53 after Synthetic Infarction"}
	q := ParseQuery(analyze.New(), "TP53 invented attack LFS1 EGFR")
	q.Widened = []Widening{{"TP53", Names{Gene, []string{"TP53", "p53"}}}, {"invented attack", Names{Heading, []string{"Synthetic Infarction"}}}, {"EGFR", Names{Gene, []string{"ERBB1"}}}}
	if held, words := q.MatchedWords(d); !slices.Equal(held, []string{"TP53", "invented", "attack"}) || len(words) != 5 {
		t.Errorf("%q of %q", held, words)
	}
}
