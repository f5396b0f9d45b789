package entity

import (
	"testing"

	"biomcp/entrez/record"
)

// Hits are of nothing that was asked where every word and every filter that includes was
// dropped; a filter that excludes asks for nothing.
func TestNothingOfAQueryIsLeft(t *testing.T) {
	lost := func(phrases ...string) (list []record.Dropped) {
		for _, p := range phrases {
			list = append(list, record.Dropped{Phrase: p, Gone: true})
		}
		return list
	}
	class := Applied{Flag: "class", Value: "zq", Term: `"zq"[Class]`}
	for name, c := range map[string]struct {
		q       Query
		dropped []record.Dropped
		want    bool
	}{
		"all":               {Query{Text: "Zzq yyq"}, lost("zzq yyq"), true},
		"word by word":      {Query{Text: "zzq OR (yyq AND zzq)"}, lost("zzq", "yyq"), true},
		"a word is left":    {Query{Text: "vega zzq"}, lost("zzq"), false},
		"in words apart":    {Query{Text: "zzq"}, []record.Dropped{{Phrase: "zzq"}}, false},
		"nothing":           {Query{Text: "vega"}, nil, false},
		"filters too":       {Query{Text: "zzq", Filters: []Applied{class}}, lost("zzq", `"zq"[Class]`), true},
		"a filter is left":  {Query{Text: "zzq", Filters: []Applied{class}}, lost("zzq"), false},
		"one that narrows":  {Query{Text: "zzq", Filters: []Applied{{Flag: "review", Value: "true", narrow: true}}}, lost("zzq"), true},
		"one that excludes": {Query{Text: "zzq", Filters: []Applied{{Flag: "not", Value: "a", Exclude: true}}}, lost("zzq"), true},
	} {
		if got := c.q.nothingLeft(c.dropped); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWithoutWordsThatAreNotSearchedFor(t *testing.T) {
	for _, c := range []struct{ text, phrase, want string }{
		{"the role of The heart", "the", "role of heart"},
		{"role of the heart", "of the", "role heart"},
		{"heart AND the", "the", "heart AND the"},
		{"the AND heart", "the", "the AND heart"},
		{`"over the heart" the lung`, "the", `"over the heart" the lung`},
		{`lung the "heart failure"`, "the", `lung "heart failure"`},
		{"the", "the", "the"},
		{"theory", "the", "theory"},
		{"heart", "", "heart"},
	} {
		t.Run(c.text, func(t *testing.T) {
			if got := without(c.text, c.phrase); got != c.want {
				t.Errorf("%q without %q is %q, not %q", c.text, c.phrase, got, c.want)
			}
		})
	}
}
