package rag_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// A tag takes the value at the end of the words before it, and the words before the value stay.
func TestTagsTakeTheirValue(t *testing.T) {
	for text, want := range map[string]string{
		"covid 2020[dp]":                 "covid 2020[date of publication]",
		"covid 2020 [dp] women":          "covid 2020[date of publication] women",
		"covid 2018:2020[dp]":            "covid 2018:2020[date of publication]",
		"covid 2018 : 2020[dp]":          "covid 2018 : 2020[date of publication]",
		"long covid 2018/02/03[dp]":      "long covid 2018/02/03[date of publication]",
		"covid last 5 years[dp]":         "covid last 5 years[date of publication]",
		"covid soon[dp]":                 "covid soon[date of publication]",
		"vir* 2020[dp]":                  "vir* 2020[date of publication]",
		"cancer -covid 2020[dp]":         "cancer AND NOT covid AND 2020[date of publication]",
		"covid OR flu 2020[dp]":          "covid OR flu AND 2020[date of publication]",
		`covid "2018"[dp] : "3000"[dp]`:  `covid 2018"[dp] : "3000[date of publication]`,
		"covid 12345678[pmid]":           "covid 12345678[PMID]",
		"covid 12345678, 2345[uid] mice": "covid 12345678, 2345[PMID] mice",
		"covid german[la]":               "covid german[language]",
		"covid pages [pg]":               "covid pages",
		"covid pages [pg] women":         "covid pages women",
		"free full text[sb] AND covid":   "free full text AND covid",
		"covid 100-110[pg]":              "covid 100-110[pages]",
		"covid 2020/01/01:2021[edat]":    "covid 2020/01/01:2021[date of entry]",
		"systematic[sb]":                 "systematic[filter]",
	} {
		q := read(text)
		if q.Reads != want {
			t.Errorf("%s is read as %s, want %s", text, q.Reads, want)
		}
		if strings.Contains(q.Text, "[") || strings.HasPrefix(text, "covid") && !strings.HasPrefix(q.Text, "covid") {
			t.Errorf("%s: the words are %q, want the words before the value without the tag", text, q.Text)
		}
		if len(q.Tags) != 1 {
			t.Errorf("%s: %d tagged parts, want 1", text, len(q.Tags))
		}
		if got, want := q.LeftOut, text == "systematic[sb]"; got != want {
			t.Errorf("%s: LeftOut is %t, want %t", text, got, want)
		}
	}
}

// An author's tag takes a name of a known form, or one that the corpus has. The words before it stay.
func TestAuthorTagsTakeTheName(t *testing.T) {
	docs := drawDocuments(rand.New(rand.NewPCG(8, 8)), 8)
	for i, a := range []store.Author{
		{LastName: "Wang", ForeName: "Chuan-Chao", Initials: "CC"}, {LastName: "Wang", ForeName: "Can", Initials: "C"},
		{Collective: "Test Mushroom Group"}, {LastName: "van der Hoek", ForeName: "Lia", Initials: "L"},
		{LastName: "Smith Jones", Initials: "B"}, {LastName: "Covid", ForeName: "Wanda", Initials: "W"},
		{LastName: "Wang", ForeName: "Covadonga", Initials: "C"},
	} {
		docs[i].Authors = []store.Author{a}
	}
	corpus, index := corpusOf(t, docs)
	s := &rag.Searcher{Index: index, Corpus: corpus}
	s.Authors = func(ctx context.Context, names []string) (map[string]string, error) {
		return rag.FindAuthors(ctx, corpus, names)
	}
	for text, want := range map[string]string{
		"passage Wang[au]":                "passage Wang[author] 1 2 7 read as",
		"passage covid Wang[au]":          "passage covid Wang[author] 1 2 7 read as",
		"passage 19 Wang C[au]":           "passage 19 Wang C[author] 1 2 7 read as",
		"Wang CC[au]":                     "Wang CC[author] 1",
		"Wang, Chuan-Chao[fau]":           "Wang, Chuan-Chao[author] 1 searched by last name and initials",
		"Chuan-Chao Wang[fau]":            "Chuan-Chao Wang[author] 1 searched by last name and initials: Wang CC",
		"passage Chuan-Chao Wang[au]":     "passage Chuan-Chao Wang[author] 1 searched by last name and initials: Wang CC",
		"test mushroom group[au]":         "test mushroom group[author] 3",
		"passage test mushroom group[cn]": "passage test mushroom group[author] 3",
		"van der Hoek[au]":                "van der Hoek[author] 4",
		"passage van der Hoek L[1au]":     "passage van der Hoek L[first author] 4 read as",
		"smith jones[au]":                 "smith jones[author] 5",
		"author:van der Hoek passage":     "van der Hoek[author] passage 4 the words after",
		"passage author:van der Hoek L":   "passage van der Hoek L[author] 4 the words after",
		"author:Wang CC passage":          "Wang CC[author] passage 1",
		"passage -author:van der Hoek":    "passage AND NOT van der Hoek[author] 1 2 3 5 6 7 8 the words after",
		"author:Wang passage":             "Wang[author] passage 1 2 7",
	} {
		answer, err := s.Search(t.Context(), text, rag.Options{TopK: 20})
		if err != nil {
			t.Fatal(err)
		}
		got := answer.Query.Reads
		for pmid := record.PMID(1); pmid <= 8; pmid++ {
			if slices.ContainsFunc(answer.Results, func(r rag.Result) bool { return r.PMID == pmid }) {
				got += " " + pmid.String()
			}
		}
		for _, part := range answer.Query.Tags {
			got = strings.TrimSpace(got + " " + part.Note)
		}
		if !strings.HasPrefix(got, want) || strings.Contains(got, " read as the author") != strings.Contains(want, " read as") {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

// Brackets that PubMed does not have as a tag are named, and those of chemistry and editors are words.
func TestBracketsThatAreNotFields(t *testing.T) {
	for text, want := range map[string]string{
		"covid[foo]":                         "covid [foo]",
		"long covid [foo]":                   "long covid [foo]",
		"covid[foo] AND women":               "covid AND women [foo]",
		`"long covid"[foo] women`:            `"long covid" women [foo]`,
		"(covid OR flu)[foo] AND women":      "(covid OR flu) AND women [foo]",
		"covid[foo] women":                   "covid women [foo]",
		"benzo[a]pyrene":                     "benzo[a]pyrene",
		"benzo[a] ring":                      "benzo[a] ring",
		"[Effects of statins]":               "[Effects of statins]",
		"statins [in German] and fibrates":   "statins [in German] and fibrates",
		"the report [sic] was short":         "the report [sic] was short",
		"gold [Au] nanoparticles":            "gold [Au] nanoparticles",
		"platinum [Pt] complexes":            "platinum [Pt] complexes",
		"lanthanum [La] and titanium [Ti] x": "lanthanum [La] and titanium [Ti] x",
		"Wang [Au]":                          "Wang[author] [Au]",
		"Wang [Au] AND covid":                "Wang[author] AND covid [Au]",
		"Wang[Au] covid":                     "Wang[author] covid [Au]",
		"gold [au] covid":                    "gold[author] covid [au]",
		"Neoplasms [Mh] covid":               "Neoplasms[MeSH heading] covid [Mh]",
	} {
		q := read(text)
		got := q.Reads
		for _, part := range q.Tags {
			got += " " + part.Tag
			if part.Field == "" && part.Note == "" {
				t.Errorf("%s: the part %+v has no note", text, part)
			}
		}
		if got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

// An empty value is left out, and the note says so.
func TestEmptyValuesAreLeftOut(t *testing.T) {
	for _, text := range []string{`author:""`, `""[au]`, `covid author:""`, `title:cures author:""`} {
		q := read(text)
		if len(q.Tags) == 0 || q.Tags[len(q.Tags)-1].Note != "left out, without a value" {
			t.Errorf("%s: the parts are %+v, want one that is left out without a value", text, q.Tags)
		}
	}
}

// The list of excluded parts holds their fields.
func TestExcludedPartsKeepTheirField(t *testing.T) {
	for text, want := range map[string]string{
		"covid -Wang[au]": "Wang[au]", "covid -author:Wang": "author:Wang", "covid -flu": "flu", `covid -"long flu"[ti]`: `"long flu"[ti]`,
		"covid -flu mice Wang[au]": "flu", "covid -vir*[ti]": "vir*[ti]",
	} {
		if got := strings.Join(read(text).Minus, "|"); got != want {
			t.Errorf("%s excludes %s, want %s", text, got, want)
		}
	}
}
