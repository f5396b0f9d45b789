package entity_test

import (
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// A search returns no hits if the source dropped every word and every filter that includes. A
// filter that excludes, or that only narrows the hits, does not count as a query.
func TestNothingOfAQueryIsLeft(t *testing.T) {
	lost := func(phrases ...string) (list []record.DroppedTerm) {
		for _, p := range phrases {
			list = append(list, record.DroppedTerm{Phrase: p, NotSearched: true})
		}
		return list
	}
	for name, c := range map[string]struct {
		typed   []string
		dropped []record.DroppedTerm
		want    bool
	}{
		"all":                 {[]string{"Zzq yyq"}, lost("zzq yyq"), true},
		"word by word":        {[]string{"zzq OR (yyq AND zzq)"}, lost("zzq", "yyq"), true},
		"a word is left":      {[]string{"vega zzq"}, lost("zzq"), false},
		"in words apart":      {[]string{"zzq"}, []record.DroppedTerm{{Phrase: "zzq"}}, false},
		"nothing":             {[]string{"vega"}, nil, false},
		"filters too":         {[]string{"zzq", "-c", "zq"}, lost("zzq", `"in:zq"[Constellation]`), true},
		"a filter is left":    {[]string{"zzq", "-c", "zq"}, lost("zzq"), false},
		"a catalogue is left": {[]string{"zzq", "--catalogue", "zq"}, lost("zzq"), false},
		"one that narrows":    {[]string{"zzq", "--visible"}, lost("zzq"), true},
		"a class narrows":     {[]string{"zzq", "--class", "A"}, lost("zzq"), true},
		"a date narrows":      {[]string{"zzq", "--date-from", "2020"}, lost("zzq"), true},
		"one that excludes":   {[]string{"zzq", "--exclude-variable"}, lost("zzq"), true},
	} {
		t.Run(name, func(t *testing.T) {
			res, err := searchStars(t, &sky{stars: constellation(1), counts: true, dropped: c.dropped}, c.typed...)
			if err != nil {
				t.Fatal(err)
			}
			text := render(t, res, true)
			if strings.Contains(text, "the source dropped every word of the query") != c.want || strings.Contains(text, `"total":0`) != c.want || strings.Contains(text, `"results":[]`) != c.want {
				t.Error(text)
			}
		})
	}
}

// Without a stop word the query has the same meaning, so its hits are not said to be for a part of it.
func TestStopWordsAreNoPartOfTheQuery(t *testing.T) {
	for isStopWord, want := range map[bool]string{
		true: "Sky ignored: “and”", false: "Sky ignored: “and”; the hits are for the rest of the query only",
	} {
		dropped := []record.DroppedTerm{{Phrase: "and", Action: "ignored", NotSearched: true, OnlyStopWords: isStopWord}}
		res, err := searchStars(t, &sky{stars: constellation(2), counts: true, dropped: dropped}, "vega and deneb")
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Notices[0]; got != want {
			t.Errorf("stop word %v: got the notice %q, want %q", isStopWord, got, want)
		}
	}
}

// The query that --strict suggests omits ignored words, unless this would change the meaning of the
// query.
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
			_, err := searchStars(t, &sky{stars: constellation(1), dropped: []record.DroppedTerm{{Phrase: c.phrase, Action: "ignored", OnlyStopWords: true}}}, c.text, "--strict")
			try := failure(t, err).Try
			if len(try) < 3 || try[2] != c.want || slices.Contains(try, "--strict") == (c.text == c.want) {
				t.Errorf("%q without %q is %q, not %q", c.text, c.phrase, try, c.want)
			}
		})
	}
}
