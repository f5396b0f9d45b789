package weaviate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"
	"github.com/weaviate/weaviate/entities/models"

	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

// holds evaluates a condition on terms like a server.
func holds(w *models.WhereFilter, bag rag.Bag) bool {
	has := func(term string) bool { return len(bag[term]) > 0 }
	switch filters.WhereOperator(w.Operator) {
	case filters.And:
		return !slices.ContainsFunc(w.Operands, func(o *models.WhereFilter) bool { return !holds(o, bag) })
	case filters.Or:
		return slices.ContainsFunc(w.Operands, func(o *models.WhereFilter) bool { return holds(o, bag) })
	case filters.Equal:
		return has(*w.ValueText)
	case filters.NotEqual:
		return !has(*w.ValueText)
	case filters.ContainsAny:
		return slices.ContainsFunc(w.ValueTextArray, has)
	case filters.Like:
		for term := range bag {
			if strings.HasPrefix(term, strings.TrimSuffix(*w.ValueText, "*")) {
				return true
			}
		}
		return false
	}
	panic(w.Operator)
}

// randomQuery generates a query of any shape.
func randomQuery(r *rand.Rand, depth int) store.Query {
	term := func() string { return string(rune('a' + r.IntN(6))) }
	kinds := 9
	if depth == 0 {
		kinds = 4
	}
	list := func() []store.Query {
		parts := make([]store.Query, r.IntN(4))
		for i := range parts {
			parts[i] = randomQuery(r, depth-1)
		}
		return parts
	}
	switch r.IntN(kinds) {
	case 0:
		return store.Prefix{Text: term()}
	case 1:
		slots := make([]store.Slot, 1+r.IntN(3))
		for i := range slots {
			slots[i] = store.Slot{Terms: []string{term(), term()}, At: uint32(i)}
		}
		return store.Phrase{Slots: slots}
	case 2:
		return store.All{}
	case 4:
		return store.Not{Query: randomQuery(r, depth-1)}
	case 8:
		return store.Documents{Query: randomQuery(r, depth-1)}
	case 5:
		return store.And(list())
	case 6:
		return store.Or(list())
	}
	return store.Term{Text: term()}
}

// Random queries and chunks agree with superset, scored, anyWord, exact, flat and
// matchesNothing.
func TestEveryMatchPassesTheServersCondition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	score := scorer{chunks: 10, average: 4, terms: map[string]float64{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}, prefixes: map[string]float64{}}
	matched, kept, right, flats := 0, 0, 0, 0
	for range 20000 {
		q := randomQuery(r, 3)
		var tokens []store.Token
		for i := range r.IntN(8) {
			tokens = append(tokens, store.Token{Term: string(rune('a'+r.IntN(6))) + strings.Repeat("x", r.IntN(2)), Pos: uint32(i)})
		}
		bag := rag.NewBag(tokens)
		matches := bag.Matches(q)
		w := superset(q, false)
		passes := w == nil || holds(w.Build(), bag)
		if matches && !passes {
			t.Fatalf("%#v matches %v, which does not pass %s", q, bag, w.String())
		}
		if matches && matchesNothing(q) {
			t.Fatalf("%#v should match nothing, and matches %v", q, bag)
		}
		var l leaves
		l.add(q)
		leaf := slices.ContainsFunc(l.terms, func(t store.Term) bool { return bag.Matches(t) }) ||
			slices.ContainsFunc(l.prefixes, func(p store.Prefix) bool { return bag.Matches(p) })
		if matches && hasLeaf(q) && !leaf {
			t.Fatalf("%#v matches %v, which holds none of its leaves", q, bag)
		}
		if anyWord(q) && !matchesNothing(q) && matches != leaf {
			t.Fatalf("%#v is only words, matches %v: %v", q, bag, matches)
		}
		if exact(q, false) && matches != passes {
			t.Fatalf("%#v is exact, matches %v: %v", q, bag, matches)
		}
		if flat(q) {
			flats++
			sum := 0.0
			for _, l := range l.terms {
				sum += score.score(bag, 5, l)
			}
			if got := score.score(bag, 5, q); matches && math.Abs(got-sum) > 1e-9 {
				t.Fatalf("%#v is flat, scores %v with %g, its terms %g", q, bag, got, sum)
			}
		}
		if matches {
			matched++
		}
		if passes {
			kept++
		}
		if matches == passes || hasDocuments(q) {
			right++
		}
	}
	if matched < 4000 || kept > 20000-4000 || right < 17000 || flats < 2000 {
		t.Errorf("of 20000, %d matched, %d passed, %d as they should, %d were flat", matched, kept, right, flats)
	}
}

func TestScoresEqualTheReference(t *testing.T) {
	docs := ragtest.Documents(60)
	ref := &ragtest.Memory{}
	if err := ref.Put(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	type chunk struct {
		bag    rag.Bag
		length float64
	}
	chunks := map[rag.Place]chunk{}
	s := scorer{terms: map[string]float64{}, prefixes: map[string]float64{}}
	for _, d := range docs {
		for i, c := range d.Chunks {
			chunks[rag.Place{PMID: d.PMID, Ordinal: i, ChunkID: c.ID}] = chunk{rag.NewBag(c.Tokens), float64(len(c.Tokens))}
			s.chunks++
			s.average += float64(len(c.Tokens))
		}
	}
	s.average /= s.chunks
	scores := 0
	for _, text := range []string{"heart failure", `"heart failure" patients`, "inflam* insulin", "il-6 AND (cancer OR NOT mice)", `NOT "beta blocker"`} {
		t.Run(text, func(t *testing.T) {
			q := rag.ParseQuery(analyze.New(), text).Lexical
			var l leaves
			l.add(q)
			holding := func(q store.Query) (n float64) {
				for _, c := range chunks {
					if c.bag.Matches(q) {
						n++
					}
				}
				return n
			}
			for _, term := range l.terms {
				s.terms[term.Text] = s.idf(holding(term))
			}
			for _, p := range l.prefixes {
				s.prefixes[p.Text] = s.idf(holding(p))
			}
			hits, err := ref.Words(t.Context(), q, store.Filter{}, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				c := chunks[rag.Place{PMID: h.PMID, Ordinal: h.Ordinal, ChunkID: h.ChunkID}]
				if got := s.score(c.bag, c.length, q); math.Abs(got-h.Score) > 1e-9 {
					t.Errorf("%s: %d has %g, want %g", text, h.PMID, got, h.Score)
				}
				scores++
			}
		})
	}
	if scores < 100 {
		t.Errorf("only %d scores were compared", scores)
	}
}

func TestFiltersBecomeConditions(t *testing.T) {
	equal := func(name string, value bool) string {
		return fmt.Sprintf(`{operator: Equal path: [%q] valueBoolean: %v}`, name, value)
	}
	for _, test := range []struct {
		f    store.Filter
		want string
	}{
		{store.Filter{}, ""},
		{store.Filter{From: "2020"}, `{operator: GreaterThanEqual path: ["date"] valueInt: 20200101}`},
		{store.Filter{From: "2020/3", To: "2021-02"}, `{operator: And operands:[{operator: GreaterThanEqual path: ["date"] valueInt: 20200301},{operator: LessThanEqual path: ["date"] valueInt: 20210228}]}`},
		{store.Filter{Journals: []string{" N. Engl. J. Med. ", "1533-4406"}}, `{operator: ContainsAny path: ["journal_names"] valueText: ["n engl j med","1533-4406"]}`},
		{store.Filter{Mesh: []string{"Heart", "D008168"}}, `{operator: And operands:[{operator: ContainsAny path: ["mesh_names"] valueText: ["heart"]},{operator: ContainsAny path: ["mesh_names"] valueText: ["d008168"]}]}`},
		{store.Filter{PubTypes: []string{"\"\x00é"}}, `{operator: ContainsAny path: ["pub_type_names"] valueText: ["\"_é"]}`},
		{store.Filter{NotTypes: []string{"Preprint"}}, `{operator: NotEqual path: ["pub_type_names"] valueText: "preprint"}`},
		{store.Filter{PubTypes: []string{" "}}, `{operator: ContainsAny path: ["pub_type_names"] valueText: ["_"]}`},
		{store.Filter{HasPMC: true, ExcludeRetracted: true, Humans: true, Animals: true}, "{operator: And operands:[" +
			strings.Join([]string{equal("has_pmc", true), equal("retracted", false), equal("human", true), equal("animal", true)}, ",") + "]}"},
	} {
		t.Run(fmt.Sprint(test.f), func(t *testing.T) {
			w, err := filterClause(test.f)
			got := strings.TrimPrefix(strings.TrimSpace(argument(w)), "where:")
			if err != nil || got != test.want {
				t.Errorf("%+v is %s, want %s, %v", test.f, got, test.want, err)
			}
		})
	}
	for _, date := range []string{"soon", "20", "2020-13", "2020-00", "2020-01-32", "2020-1-1-1", "-", "２０２０"} {
		_, err := filterClause(store.Filter{To: date})
		wantKind(t, err, Invalid, date)
	}
}
