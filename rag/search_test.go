package rag_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

// compass embeds a text by its first letter in two dimensions: a and b are near each other, and
// z is far. It records its texts.
type compass struct {
	asked []string
	err   error
}

func (c *compass) Model() string { return "compass" }
func (c *compass) Dim() int      { return 2 }

func (c *compass) Embed(_ context.Context, texts []string) ([][]float32, error) {
	c.asked = append(c.asked, texts...)
	var out [][]float32
	for _, text := range texts {
		switch {
		case strings.HasPrefix(text, "a"):
			out = append(out, []float32{1, 0})
		case strings.HasPrefix(text, "b"):
			out = append(out, []float32{0.8, 0.6})
		default:
			out = append(out, []float32{0, 1})
		}
	}
	return out, c.err
}

func TestAPanicInTheSearchByMeaningReachesTheCaller(t *testing.T) {
	s := searcher(t, &compass{}, "apple")
	var broken *compass
	s.Embedder = broken // its first use is a nil dereference
	defer func() {
		if p := fmt.Sprint(recover()); !strings.Contains(p, "nil pointer") {
			t.Errorf("recovered %.100q", p)
		}
	}()
	answer, err := s.Search(t.Context(), "apple", rag.Options{TopK: 5})
	t.Errorf("got %v, %v", answer, err)
}

func searcher(t *testing.T, e rag.Embedder, titles ...string) *rag.Searcher {
	t.Helper()
	m, c := &ragtest.Memory{}, rag.NewCutter()
	var docs []*store.Document
	for i, title := range titles {
		d := &store.Document{PMID: record.PMID(i + 1), Title: title, PDat: fmt.Sprint(2000 + i)}
		c.Cut(d)
		v, _ := (&compass{}).Embed(context.Background(), []string{title})
		d.Chunks[0].Vector = v[0]
		docs = append(docs, d)
	}
	if err := m.Put(context.Background(), docs); err != nil {
		t.Fatal(err)
	}
	return &rag.Searcher{Index: m, Corpus: m, Embedder: e, Now: func() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }}
}

func ask(t *testing.T, s *rag.Searcher, query string, o rag.Options) (*rag.Answer, []record.PMID) {
	t.Helper()
	if o.TopK == 0 {
		o.TopK = 20
	}
	answer, err := s.Search(context.Background(), query, o)
	if err != nil {
		t.Fatal(err)
	}
	pmids := []record.PMID{}
	for _, r := range answer.Results {
		pmids = append(pmids, r.PMID)
	}
	return answer, pmids
}

func TestSearchByWordsAndMeaning(t *testing.T) {
	c := &compass{}
	s := searcher(t, c, "aspirin in stroke", "brain infarction", "zinc in stroke")
	answer, pmids := ask(t, s, "aspirin stroke", rag.Options{})
	if !slices.Equal(pmids, []record.PMID{1, 2, 3}) || answer.WordHits != 2 || answer.VectorHits != 3 || answer.NoModel || answer.VectorErr != nil {
		t.Errorf("%v of %+v", pmids, answer)
	}
	if first := answer.Results[0]; *first.Sim != 1 || *first.BM25 <= 0 || first.Score != 1 {
		t.Errorf("%+v", first)
	}
	if !slices.Equal(c.asked, []string{"aspirin stroke"}) {
		t.Errorf("embedded %q", c.asked)
	}
	if _, pmids := ask(t, s, "aspirin stroke", rag.Options{TopK: 1}); !slices.Equal(pmids, []record.PMID{1}) {
		t.Errorf("the best: %v", pmids)
	}
	if _, pmids := ask(t, s, "aspirin", rag.Options{Filter: store.Filter{From: "2001"}}); !slices.Equal(pmids, []record.PMID{2, 3}) {
		t.Errorf("filtered: %v", pmids)
	}
}

// A pasted title finds its document first, unless many have that title, and within the
// filter and the operators of the query.
func TestAPastedTitleFindsItsDocument(t *testing.T) {
	letters := slices.Repeat([]string{"Letter to the editor"}, 6)
	titles := append(letters, "Pain of the heart", "Pain, pain and pain of the heart, heart, heart", "Not for AND in HEART FAILURE", "Heart failure")
	s := searcher(t, &compass{}, titles...)
	for query, want := range map[string]struct {
		first record.PMID
		title bool
	}{
		"Pain of the heart.":           {7, true},
		"pain heart":                   {8, false},
		"Not for AND in HEART FAILURE": {9, true},
		`"heart failure"`:              {10, true},
		"heart failure":                {10, true},
		"letter to the editor":         {1, false},
	} {
		t.Run(query, func(t *testing.T) {
			answer, pmids := ask(t, s, query, rag.Options{})
			if len(pmids) == 0 || pmids[0] != want.first || answer.Results[0].Title != want.title {
				t.Errorf("%v, %+v", pmids, answer.Results)
			}
		})
	}
	for query, f := range map[string]store.Filter{"Pain of the heart": {From: "2007"}, "heart NOT failure": {}} {
		t.Run(query, func(t *testing.T) {
			if answer, _ := ask(t, s, query, rag.Options{Filter: f}); slices.ContainsFunc(answer.Results, func(r rag.Result) bool { return r.Title }) {
				t.Errorf("%+v", answer.Results)
			}
		})
	}
}

// A word that the corpus lacks, or hardly has, is searched for as the one a letter away if
// nothing was found for it, and else only offered.
func TestAMisspeltWordIsOffered(t *testing.T) {
	titles := slices.Repeat([]string{"Diabetes and the heart attack"}, 101)
	s := searcher(t, nil, append(titles, "An atack", "Metformine", "Mental status", "The status", "Statistical")...)
	for query, want := range map[string]string{
		"diabtes":               "diabtes: diabetes (101); diabetes",
		"Dibetes NOT metformin": "Dibetes: diabetes (101); diabetes NOT metformin",
		"diabtes diabtesx":      "diabtes: diabetes (101); diabetes diabtesx", // two letters away, and no part of it is replaced
		"nothing of statin":     "; ",                                         // stati has the term of status
		"heart atack":           "atack: attack (101); ",
		"heart xattack":         "xattack: attack (101); heart attack",
		"metformine":            "; ",
		"hart attack":           "; ", // too short to tell
		"IL-6 of diabetics":     "; ",
		"nothing NOT diabtes":   "; ",
	} {
		t.Run(query, func(t *testing.T) {
			answer, found := ask(t, s, query, rag.Options{})
			var got []string
			for _, m := range answer.Misspelt {
				got = append(got, fmt.Sprintf("%s: %s (%d)", m.Word, m.Suggestion, m.Chunks))
			}
			if got := strings.Join(got, ", ") + "; " + answer.Corrected; got != want || (len(found) == 0) != strings.HasPrefix(query, "nothing") && !strings.HasPrefix(query, "IL-6") {
				t.Errorf("%s, %d found", got, len(found))
			}
		})
	}
}

// A word that is in no passage is searched for as a near one that is, among other words, with a tag and
// under AND. A word in a phrase or under NOT, a symbol, a short word, a word with other names and a word of
// MeSH, such as smell, stay.
func TestAnAbsentWordIsReplaced(t *testing.T) {
	titles := slices.Repeat([]string{"Hypertension and its treatment"}, 3)
	s := searcher(t, nil, append(titles, "Migraine treatment", "BRCAX treatment", "Small peptic price")...)
	s.Thesaurus = func(_ context.Context, terms []string) (map[string]rag.Names, error) {
		if slices.Contains(terms, "hypertensiom") {
			return map[string]rag.Names{"hypertensiom": {Kind: rag.Heading, All: []string{"Migraine"}}}, nil
		}
		return nil, nil
	}
	for query, want := range map[string]string{
		"hypertensoin treatment":                "hypertension treatment",
		"smell of treatment":                    "",
		"septic treatment":                      "",
		"prime treatment":                       "",
		"hypertensoin AND treatment":            "hypertension AND treatment",
		"treatmnt of hypertensoin":              "treatment of hypertension",
		"migraine OR hypertensoin[tiab]":        "migraine OR hypertension[tiab]",
		"hypertensoin treatment[ti]":            "hypertension treatment[ti]",
		"(hypertensoin OR migraine) NOT brcax":  "(hypertension OR migraine) NOT brcax",
		"hypertensoin -hypertensoin treatment":  "hypertension -hypertensoin treatment",
		"treatment NOT hypertensoin":            "",
		"treatment -hypertensoin":               "",
		`"hypertensoin" treatment`:              "",
		`"hypertensoin treatment" OR migraine`:  "",
		"treatment AND hypertensoin j[au]":      "",
		"BRCAY treatment":                       "",
		"hypertensiom treatment":                "",
		"treatmentoid":                          "",
		"hypertension treatment":                "",
		`hypertensoin "hypertensoin treatment"`: `hypertension "hypertensoin treatment"`,
	} {
		answer, _ := ask(t, s, query, rag.Options{})
		if answer.Corrected != want {
			t.Errorf("%s was searched for as %q, want %q", query, answer.Corrected, want)
		}
		for _, m := range answer.Misspelt {
			if m.Replaced != (want != "") || !strings.Contains(m.AsTyped, `"`+m.Word+`"`) {
				t.Errorf("%s: %+v, want the query with the word in quotes", query, m)
			}
		}
	}
}

func TestSearchWithoutVectorsIsByWords(t *testing.T) {
	answer, pmids := ask(t, searcher(t, nil, "aspirin", "brain"), "aspirin", rag.Options{})
	if !answer.NoModel || answer.VectorErr != nil || !slices.Equal(pmids, []record.PMID{1}) || answer.Results[0].Sim != nil || answer.Shares != (rag.Shares{Words: 1}) || answer.Results[0].Score != 1 {
		t.Errorf("without a model: %v, %+v", pmids, answer)
	}
	down := errors.New("down")
	answer, pmids = ask(t, searcher(t, &compass{err: down}, "aspirin", "brain"), "aspirin", rag.Options{})
	if answer.NoModel || !errors.Is(answer.VectorErr, down) || !slices.Equal(pmids, []record.PMID{1}) {
		t.Errorf("embedder down: %v, %+v", pmids, answer)
	}
}

// stuck never returns a vector.
type stuck struct{ compass }

func (stuck) Embed(ctx context.Context, _ []string) ([][]float32, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestSearchDoesNotWaitForASlowEmbeddingService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		answer, pmids := ask(t, searcher(t, &stuck{}, "aspirin", "brain"), "aspirin", rag.Options{})
		if took := time.Since(started); took > 15*time.Second || answer.VectorErr == nil || !slices.Equal(pmids, []record.PMID{1}) {
			t.Errorf("after %v: %v, %v", took, pmids, answer.VectorErr)
		}
	})
}

// A document that a query excludes is not found by meaning.
func TestHitsByMeaningMustMatchAStrictQuery(t *testing.T) {
	c := &compass{}
	s := searcher(t, c, "aspirin in stroke", "aspirin in children", "brain infarction", "a stroke of luck with aspirin")
	for query, want := range map[string][]record.PMID{
		"aspirin NOT children":    {1, 4},
		`"aspirin in stroke"`:     {1},
		"aspirin AND stroke":      {1, 4},
		"aspirin stroke children": {1, 2, 3, 4},
		"NOT stroke":              {2, 3},
		"brain AND unheard":       {},
		"the of":                  {},
	} {
		t.Run(query, func(t *testing.T) {
			_, pmids := ask(t, s, query, rag.Options{})
			slices.Sort(pmids)
			if !slices.Equal(pmids, want) {
				t.Errorf("%s: %v, want %v", query, pmids, want)
			}
		})
	}
	if slices.Contains(c.asked, "") || !slices.Contains(c.asked, "aspirin") {
		t.Errorf("embedded %q", c.asked)
	}
}

func TestACancelledSearchFails(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := searcher(t, &compass{}, "aspirin").Search(ctx, "aspirin", rag.Options{TopK: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// gone is an engine that cannot be used.
type gone struct {
	rag.Finder
	err error
}

func (g gone) Words(context.Context, store.Query, store.Filter, int) ([]store.Hit, error) {
	return nil, g.err
}

func (g gone) SearchVectors(context.Context, []float32, store.Filter, int) ([]store.Hit, bool, error) {
	return nil, false, g.err
}

type unavailable bool

func (unavailable) Error() string       { return "the engine is down" }
func (u unavailable) Unavailable() bool { return bool(u) }

// An engine that is down is replaced by the corpus file, and the query embedded once.
func TestSearchWithoutItsEngine(t *testing.T) {
	c := &compass{}
	s := searcher(t, c, "aspirin in stroke", "brain infarction", "zinc in stroke")
	want, _ := ask(t, s, "aspirin stroke", rag.Options{})
	s.Index, s.Spare, c.asked = gone{err: unavailable(true)}, s.Index, nil
	got, _ := ask(t, s, "aspirin stroke", rag.Options{})
	if fmt.Sprint(got.Results[0].PMID, got.VectorHits, got.WordHits) != fmt.Sprint(want.Results[0].PMID, want.VectorHits, want.WordHits) || got.VectorErr != nil || len(got.Results) != 3 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Unavailable == nil || want.Unavailable != nil || len(c.asked) != 1 {
		t.Errorf("unavailable: %v; embedded %q", got.Unavailable, c.asked)
	}
	s.Index = gone{err: unavailable(false)} // it answers, and means it
	if _, err := s.Search(t.Context(), "aspirin", rag.Options{TopK: 1}); !errors.Is(err, unavailable(false)) {
		t.Errorf("another failure: %v", err)
	}
	s.Index, s.Spare = gone{err: unavailable(true)}, nil
	if _, err := s.Search(t.Context(), "aspirin", rag.Options{TopK: 1}); !errors.Is(err, unavailable(true)) {
		t.Errorf("without a spare: %v", err)
	}
}
