package rag_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

func read(text string) rag.Query {
	today := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	return rag.ReadQuery(analyze.New(), text, rag.ReadOptions{Today: today})
}

// Every tag, in each of its forms and cases, is read after a word, several words, a phrase, a prefix and
// a group, and is removed from the words. One that the corpus has no field for is named.
func TestEveryTagIsRead(t *testing.T) {
	for _, f := range rag.Fields() {
		for _, tag := range f.Tags {
			for _, typed := range []string{tag, strings.ToUpper(tag), " " + tag + " "} {
				for _, operand := range []string{"2020", "2020 2021", `"2020"`, `"2020" `, "20*", "(2020 OR 2021)", "2020 "} {
					text := operand + "[" + typed + "]"
					q := read(text)
					if len(q.Tags) == 0 {
						t.Errorf("%s: no tag was read, want %s", text, f.Name)
						continue
					}
					for _, part := range q.Tags {
						if part.Field != f.Name || part.Missing != f.Missing() || part.Tag != "["+typed+"]" {
							t.Errorf("%s: read as %+v, want the field %s", text, part, f.Name)
						}
						if f.Missing() && part.Note == "" {
							t.Errorf("%s: the answer does not say what was done instead", text)
						}
					}
					if strings.Contains(q.Text, "[") {
						t.Errorf("%s: the words are %q, want none of the tag", text, q.Text)
					}
				}
			}
		}
	}
}

// The reading of a query with fields, which the answers show.
func TestQueriesWithFieldsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"heart attack[ti]":                              "heart attack[title]",
		"heart attack [Title]":                          "heart attack[title]",
		`"heart attack"[tiab] statin`:                   `"heart attack"[title or abstract] statin`,
		"(migraine OR headache)[tiab] AND aura":         "(migraine[title or abstract] OR headache[title or abstract]) AND aura",
		"(migraine[ti] OR headache)[tiab]":              "(migraine[title] OR headache[title or abstract])",
		"title:migraine aura":                           "migraine[title] aura",
		`TITLE:"migraine with aura" topiramate`:         `"migraine with aura"[title] topiramate`,
		"title:(migraine OR headache) AND aura":         "(migraine[title] OR headache[title]) AND aura",
		"author:Smith JA cancer":                        "Smith JA[author] cancer",
		"author:smith AND cancer":                       "smith[author] AND cancer",
		"year:2018-2020 cancer":                         "2018-2020[date of publication] cancer",
		"2018/01/01:2020[dp] cancer":                    "2018/01/01:2020[date of publication] cancer",
		"cancer -smith[au]":                             "cancer AND NOT smith[author]",
		"cancer -author:smith":                          "cancer AND NOT smith[author]",
		"depression year:2018":                          "depression 2018[date of publication]",
		"women OR covid year:2020":                      "women OR covid AND 2020[date of publication]",
		"covid AND women title:covid":                   "covid AND women AND covid[title]",
		"depression author:Wang mice":                   "depression Wang[author] mice",
		"statin*[tiab] AND van der Berg J[au]":          "statin*[title or abstract] AND van der Berg J[author]",
		"benzo[a]pyrene and [18F]FDG":                   "benzo[a]pyrene and [18F]FDG",
		"Title: Effects of statins":                     "Title: Effects of statins",
		"ratio title:":                                  "ratio title:",
		`"2018/01/01"[dp] : "3000"[dp] AND migraine`:    `2018/01/01"[dp] : "3000[date of publication] AND migraine`,
		"cancer NOT (smith j[au] OR 2020[dp])":          "cancer AND NOT (smith j[author] OR 2020[date of publication])",
		"Diabetes Mellitus[MeSH Terms] metformin[tiab]": "Diabetes Mellitus[MeSH heading] metformin[title or abstract]",
	} {
		if got := read(text).Reads; got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

func TestDatesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"2020[dp]": "2020 2020", "2020/05[dp]": "2020-05 2020-05", "2018:2020[dp]": "2018 2020",
		"2018/01/01:2020[dp]": "2018-01-01 2020", `"2018/01/01"[dp] : "3000"[Date - Publication]`: "2018-01-01 3000",
		`"2018/01/01":"2020/12/31"[dp]`: "2018-01-01 2020-12-31", "year:2018-2020": "2018 2020", "year:2019": "2019 2019",
		"year:2018:2020": "2018 2020", `"last 5 years"[dp]`: "2021-11-28 2026-11-28", "last month[dp]": "2026-10-28 2026-11-28",
		"soon[dp]":      "left out, soon is not a date such as 2020, 2020/05, 2020/05/11 or 2018:2020",
		"2020:2018[dp]": "left out, 2020 is after 2018",
	} {
		q := read(text)
		var got string
		for _, f := range q.Conditions {
			if f.From != "" {
				got = f.From + " " + f.To
			}
		}
		for _, part := range q.Tags {
			got += part.Note
		}
		if got != want {
			t.Errorf("%s is read as %q, want %q", text, got, want)
		}
	}
}

// drawField returns a tagged part of a query, and whether a document matches it.
func drawField(rng *rand.Rand) (string, func(d *store.Document) bool) {
	word := fmt.Sprintf("zyx%dq", rng.IntN(8))
	last, initial := []string{"Müller", "O'Brien", "Smith"}[rng.IntN(3)], string(rune('A'+rng.IntN(3)))
	has := func(text string) bool { return slices.Contains(strings.Fields(text), word) }
	by := func(authors []store.Author) bool {
		return slices.ContainsFunc(authors, func(a store.Author) bool {
			return a.LastName == last && strings.HasPrefix(a.Initials, initial)
		})
	}
	plain := strings.NewReplacer("ü", "u", "'", "").Replace(strings.ToLower(last))
	year := 2015 + rng.IntN(8)
	switch rng.IntN(14) {
	case 11:
		return fmt.Sprintf("year:%d", year), func(d *store.Document) bool { return d.PDat[:4] == fmt.Sprint(year) }
	case 12:
		return "author:" + last, func(d *store.Document) bool {
			return slices.ContainsFunc(d.Authors, func(a store.Author) bool { return a.LastName == last })
		}
	case 0:
		return word + "[ti]", func(d *store.Document) bool { return has(d.Title) }
	case 1:
		return "title:" + word, func(d *store.Document) bool { return has(d.Title) }
	case 2:
		return word + "[Title/Abstract]", func(d *store.Document) bool { return has(d.Title + " " + d.Abstract) }
	case 3:
		return plain + " " + strings.ToLower(initial) + "[au]", func(d *store.Document) bool { return by(d.Authors) }
	case 4:
		return last + " " + initial + "[1au]", func(d *store.Document) bool { return by(d.Authors[:1]) }
	case 5:
		return fmt.Sprintf("%d:%d[dp]", year, year+2), func(d *store.Document) bool {
			return d.PDat >= fmt.Sprint(year) && d.PDat[:4] <= fmt.Sprint(year+2)
		}
	case 6:
		return word + "[mesh]", func(d *store.Document) bool {
			return slices.ContainsFunc(d.Mesh, func(h store.Heading) bool { return h.Descriptor == word })
		}
	case 7:
		return word + "[majr]", func(d *store.Document) bool {
			return slices.ContainsFunc(d.Mesh, func(h store.Heading) bool { return h.Descriptor == word && h.Major })
		}
	case 8:
		return "german[la]", func(d *store.Document) bool { return d.Languages[0] == "ger" }
	case 9:
		return word + "[gr]", func(d *store.Document) bool { return d.Grants[0].ID == word }
	case 10:
		return fmt.Sprintf("%d[pmid]", 1+rng.IntN(40)), nil
	}
	return word + " zyx*[ti]", func(d *store.Document) bool { return has(d.Title) && strings.Contains(d.Title, "zyx") }
}

// drawNamed returns a group of words with the name of a field before one of them, at any place, and whether
// a document matches it.
func drawNamed(rng *rand.Rand) (string, func(d *store.Document) bool) {
	word, year := fmt.Sprintf("zyx%dq", rng.IntN(8)), 2015+rng.IntN(8)
	named, matches := "title:"+word, func(d *store.Document) bool { return slices.Contains(strings.Fields(d.Title), word) }
	switch rng.IntN(3) {
	case 0:
		named, matches = "author:Smith", func(d *store.Document) bool {
			return slices.ContainsFunc(d.Authors, func(a store.Author) bool { return a.LastName == "Smith" })
		}
	case 1:
		named = fmt.Sprintf("year:%d", year)
		matches = func(d *store.Document) bool { return d.PDat[:4] == fmt.Sprint(year) }
	}
	minus := rng.IntN(4) == 0
	if minus {
		named = "-" + named
	}
	words := []string{fmt.Sprintf("zyx%dq", rng.IntN(8)), "passage"}[rng.IntN(2):]
	query := slices.Insert(slices.Clone(words), rng.IntN(len(words)+1), named)
	return "(" + strings.Join(query, " ") + ")", func(d *store.Document) bool {
		all := strings.Fields(d.Title + " " + d.Abstract + " " + strings.Join(rag.Subjects(d), " "))
		for _, w := range words {
			if !slices.Contains(all, w) {
				return false
			}
		}
		return matches(d) != minus
	}
}

// drawTagged returns a query with fields, words and operators, and whether a document matches it.
func drawTagged(rng *rand.Rand, depth int) (string, func(d *store.Document) bool) {
	if depth == 0 || rng.IntN(4) == 0 {
		text, matches := drawField(rng)
		if matches == nil {
			matches = func(d *store.Document) bool { return text == fmt.Sprintf("%d[pmid]", d.PMID) }
		}
		if rng.IntN(3) == 0 {
			word := fmt.Sprintf("zyx%dq", rng.IntN(8))
			return word, func(d *store.Document) bool {
				all := d.Title + " " + d.Abstract + " " + strings.Join(rag.Subjects(d), " ")
				return slices.Contains(strings.Fields(all), word)
			}
		}
		return text, matches
	}
	if rng.IntN(4) == 0 {
		return drawNamed(rng)
	}
	a, isA := drawTagged(rng, depth-1)
	b, isB := drawTagged(rng, depth-1)
	switch rng.IntN(3) {
	case 0:
		return "(" + a + " AND " + b + ")", func(d *store.Document) bool { return isA(d) && isB(d) }
	case 1:
		return "(" + a + " OR " + b + ")", func(d *store.Document) bool { return isA(d) || isB(d) }
	}
	return "(" + a + " NOT " + b + ")", func(d *store.Document) bool { return isA(d) && !isB(d) }
}

// drawDocuments returns documents whose words, authors, dates and headings are drawn.
func drawDocuments(rng *rand.Rand, n int) (docs []*store.Document) {
	cutter := rag.NewCutter()
	words := func(n int) string {
		list := []string{"passage"}
		for range rng.IntN(n) {
			list = append(list, fmt.Sprintf("zyx%dq", rng.IntN(8)))
		}
		return strings.Join(list, " ")
	}
	for i := range n {
		d := &store.Document{
			PMID: record.PMID(i + 1), PMIDVersion: 1, Title: words(3), PDat: fmt.Sprint(2014+rng.IntN(11), "-05"),
			Languages: []string{[]string{"eng", "ger"}[rng.IntN(2)]},
			Grants:    []store.Grant{{ID: fmt.Sprintf("zyx%dq", rng.IntN(8))}},
		}
		for range 1 + rng.IntN(2) {
			d.Authors = append(d.Authors, store.Author{
				LastName: []string{"Müller", "O'Brien", "Smith", "Smithson"}[rng.IntN(4)],
				Initials: []string{"A", "AB", "B", "C"}[rng.IntN(4)],
			})
		}
		for range rng.IntN(3) {
			h := store.Heading{Descriptor: fmt.Sprintf("zyx%dq", rng.IntN(8)), Major: rng.IntN(2) == 0}
			d.Mesh = append(d.Mesh, h)
		}
		for j := range 1 + rng.IntN(3) {
			text := words(3)
			d.Abstract += text + " "
			d.Chunks = append(d.Chunks, store.Chunk{ID: fmt.Sprint("w", j), Text: text, Vector: []float32{1, 0}})
		}
		cutter.Tokenize(d)
		docs = append(docs, d)
	}
	return docs
}

// corpusOf stores documents, with vectors, in a new corpus.
func corpusOf(t *testing.T, docs []*store.Document) (*store.Store, *rag.CorpusIndex) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	model, err := s.NewModel(t.Context(), "compass", 2)
	if err != nil {
		t.Fatal(err)
	}
	b := s.Begin("q").WithModel(model.ID)
	for _, d := range docs {
		if err := b.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, rag.NewCorpusIndex(s, model.ID)
}

// A query with fields finds exactly the documents that match it, by words alone, with vectors, and beside
// an engine without fields. A list of conditions is as long as it says.
func TestFieldsFindExactlyTheirDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	docs := drawDocuments(rng, 40)
	corpus, index := corpusOf(t, docs)
	lists, found := 0, 0
	for name, s := range map[string]*rag.Searcher{
		"words":   {Index: index, Corpus: corpus},
		"meaning": {Index: index, Corpus: corpus, Embedder: &compass{}},
		"engine":  {Index: &ragtest.Memory{}, Spare: index, Corpus: corpus, Embedder: &compass{}},
		"memory":  {Index: memoryOf(t, docs), Corpus: corpus},
	} {
		for range 150 {
			text, matches := drawTagged(rng, 3)
			q := read(text)
			if len(q.Tags) == 0 || !q.Strict {
				continue
			}
			var want, got []record.PMID
			for _, d := range docs {
				if matches(d) {
					want = append(want, d.PMID)
				}
			}
			if q.OnlyConditions {
				hits, total, err := corpus.List(t.Context(), q.Filtered(store.Filter{}), 0, 100)
				if err != nil || total != len(want) || len(hits) != total {
					t.Fatalf("%s lists %d of %d documents, %v, want %d", text, len(hits), total, err, len(want))
				}
				lists++
			}
			answer, err := s.Search(t.Context(), text, rag.Options{TopK: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range answer.Results {
				got = append(got, r.PMID)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("%s: %s found %v, want %v", name, text, got, want)
			}
			found += min(1, len(got))
		}
	}
	if found < 100 || lists < 20 {
		t.Errorf("only %d queries had hits and %d were lists", found, lists)
	}
}

func memoryOf(t *testing.T, docs []*store.Document) *ragtest.Memory {
	m := &ragtest.Memory{}
	if err := m.Put(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	return m
}

// In a query without operators a part with a field is required, and the words are alternatives.
func TestWordsBesideFieldsAreAlternatives(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	docs := drawDocuments(rng, 40)
	corpus, index := corpusOf(t, docs)
	for name, embedder := range map[string]rag.Embedder{"words": nil, "meaning": &compass{}} {
		s := &rag.Searcher{Index: index, Corpus: corpus, Embedder: embedder}
		for range 100 {
			tag, required := drawField(rng)
			if required == nil {
				continue
			}
			text := tag + " zyx1q passage"
			if !strings.Contains(tag, "[") { // a tag takes in the words before it
				text = []string{text, "zyx1q " + tag + " passage", "passage zyx1q " + tag}[rng.IntN(3)]
			}
			answer, err := s.Search(t.Context(), text, rag.Options{TopK: 100})
			if err != nil {
				t.Fatal(err)
			}
			var got, want []record.PMID
			for _, r := range answer.Results {
				got = append(got, r.PMID)
			}
			for _, d := range docs { // each has the word passage
				if required(d) {
					want = append(want, d.PMID)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Fatalf("%s: %s found %v, want %v", name, text, got, want)
			}
		}
	}
}

// Other names of a word are alternatives to it, and do not replace the part with a field.
func TestOtherNamesKeepFields(t *testing.T) {
	docs := drawDocuments(rand.New(rand.NewPCG(7, 7)), 40)
	corpus, index := corpusOf(t, docs)
	s := &rag.Searcher{Index: index, Corpus: corpus}
	s.Thesaurus = func(context.Context, []string) (map[string]rag.Names, error) {
		return map[string]rag.Names{"zyx1q": {Kind: rag.Heading, All: []string{"Passage"}}}, nil
	}
	answer, err := s.Search(t.Context(), "title:zyx2q zyx1q", rag.Options{TopK: 100})
	if err != nil || len(answer.Query.Widened) != 1 || len(answer.Results) == 0 {
		t.Fatalf("%+v, %v, want a widened query with hits", answer.Query, err)
	}
	for _, r := range answer.Results {
		if title := docs[r.PMID-1].Title; !strings.Contains(title, "zyx2q") {
			t.Errorf("%q is among the hits of title:zyx2q", title)
		}
	}
}
