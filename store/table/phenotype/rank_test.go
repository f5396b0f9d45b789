package phenotype_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"biomcp/store/table/phenotype"
)

// Indexes of the terms of the model of the tests.
const root, abnormal, nervous, seizure, febrile, ataxia, heart, failure, inheritance, recessive = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9

// model returns a synthetic model: two organ systems, and the mode of inheritance.
func model() *phenotype.Model {
	m := &phenotype.Model{
		Terms:   []int{10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
		Parents: [][]int{{}, {root}, {abnormal}, {nervous}, {seizure}, {nervous}, {abnormal}, {heart}, {root}, {inheritance}},
	}
	m.Add("A", map[int]float64{seizure: 0.5, ataxia: 1})
	m.Add("B", map[int]float64{febrile: 0.8, ataxia: 0})
	m.Add("C", map[int]float64{failure: 1, recessive: 1})
	m.Add("D", map[int]float64{nervous: 1})
	return m
}

// backgrounds of the model, by hand: the mean over the four diseases.
const ofSeizure, ofFebrile, ofAtaxia, ofNervous = (0.5 + 0.8) / 4, 0.8 / 4, 1.0 / 4, (1 + 0.8 + 1) / 4

func TestRank(t *testing.T) {
	log := math.Log10
	floor := log(0.01)
	for _, c := range []struct {
		name string
		q    phenotype.Query
		want string // disease: score, kinds of present and absent features
	}{
		{"by the term and a more specific one", phenotype.Query{Present: []int{seizure}}, fmt.Sprintf("B %.4f [specific] []; A %.4f [exact] []; D %.4f [general] []",
			log(0.8/ofSeizure), log(0.5/ofSeizure), log(1/ofNervous))},
		{"by a more general term", phenotype.Query{Present: []int{febrile}}, fmt.Sprintf("B %.4f [exact] []; A %.4f [general] []; D %.4f [general] []",
			log(0.8/ofFebrile), log(0.5/ofSeizure), log(1/ofNervous))},
		{"explicitly lacking", phenotype.Query{Present: []int{seizure, ataxia}}, fmt.Sprintf("A %.4f [exact exact] []; D %.4f [general general] []; B %.4f [specific excluded] []",
			log(0.5/ofSeizure)+log(1/ofAtaxia), 2*log(1/ofNervous), log(0.8/ofSeizure)-3)},
		{"absent", phenotype.Query{Present: []int{seizure}, Absent: []int{ataxia}}, fmt.Sprintf("B %.4f [specific] [excluded]; D %.4f [general] [missing]; A %.4f [exact] [exact]",
			log(0.8/ofSeizure)-log(1-ofAtaxia), log(1/ofNervous)-log(1-ofAtaxia), log(0.5/ofSeizure)+log(0.01/(1-ofAtaxia)))},
		{"no annotation in the branch", phenotype.Query{Present: []int{seizure, recessive}}, fmt.Sprintf("B %.4f [specific unstated] []; A %.4f [exact unstated] []; D %.4f [general unstated] []; C %.4f [missing exact] []",
			log(0.8/ofSeizure), log(0.5/ofSeizure), log(1/ofNervous), floor+log(4))},
		{"another organ system", phenotype.Query{Present: []int{failure, febrile}}, fmt.Sprintf("B %.4f [missing exact] []; C %.4f [exact missing] []; A %.4f [missing general] []; D %.4f [missing general] []",
			log(0.8/ofFebrile)+floor, log(4)+floor, log(0.5/ofSeizure)+floor, log(1/ofNervous)+floor)},
		{"none", phenotype.Query{Absent: []int{ataxia}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, got := model(), ""
			for i, r := range m.Rank(c.q) {
				if i > 0 {
					got += "; "
				}
				got += fmt.Sprintf("%s %.4f %v %v", m.Diseases[r.Disease], r.Score, kinds(r.Present), kinds(r.Absent))
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func kinds(matches []phenotype.Match) (list []phenotype.Kind) {
	for _, m := range matches {
		list = append(list, m.Kind)
	}
	return list
}

// A related term counts by the most informative common ancestor, not by an organ's branch.
func TestRelatedTerm(t *testing.T) {
	m := model()
	m.Add("E", map[int]float64{ataxia: 1, failure: 1})
	for _, r := range m.Rank(phenotype.Query{Present: []int{febrile, failure}}) {
		if m.Diseases[r.Disease] == "E" {
			if got := r.Present[0]; got.Kind != phenotype.Related || got.Term != nervous || got.Frequency != 1 {
				t.Errorf("got %+v, want related by term %d with frequency 1", got, nervous)
			}
			return
		}
	}
	t.Error("E is missing")
}

// A rare feature of a disease counts no less than another feature below the same ancestor.
func TestRareFeature(t *testing.T) {
	m := model()
	m.Add("rare", map[int]float64{febrile: 0.001, seizure: 0.9})
	m.Add("related", map[int]float64{seizure: 0.9})
	scores := map[string]float64{}
	for _, r := range m.Rank(phenotype.Query{Present: []int{febrile}}) {
		scores[m.Diseases[r.Disease]] = r.Score
	}
	if scores["rare"] < scores["related"] || scores["related"] == 0 {
		t.Errorf("with the annotation %v, without %v; want it not to lower the score", scores["rare"], scores["related"])
	}
}

// Diseases with the same score come in a fixed order: exact matches, then few annotations, then the order of the
// model.
func TestTies(t *testing.T) {
	m := &phenotype.Model{Terms: []int{1, 2, 3, 4}, Parents: [][]int{{}, {0}, {1}, {2}}}
	m.Add("first", map[int]float64{2: 1})
	m.Add("second", map[int]float64{2: 1})
	m.Add("specific", map[int]float64{3: 1})
	m.Add("broad", map[int]float64{2: 1, 0: 1})
	var got []string
	for _, r := range m.Rank(phenotype.Query{Present: []int{2}}) {
		got = append(got, m.Diseases[r.Disease])
	}
	if want := []string{"first", "second", "broad", "specific"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestModelInJSON(t *testing.T) {
	m := model()
	text, err := json.Marshal(m)
	var again phenotype.Model
	if err != nil || json.Unmarshal(text, &again) != nil || again.Check() != nil {
		t.Fatalf("%v, %v", err, again.Check())
	}
	q := phenotype.Query{Present: []int{seizure}, Absent: []int{ataxia}}
	if got, want := fmt.Sprint(again.Rank(q)), fmt.Sprint(m.Rank(q)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if again.Find(40) != seizure || again.Find(41) != -1 {
		t.Errorf("Find: %d and %d, want %d and -1", again.Find(40), again.Find(41), seizure)
	}
	if err := json.Unmarshal([]byte(`"?"`), &again.Annotated); err == nil {
		t.Error("no error for a text that is not base64")
	}
	for name, damage := range map[string]func(m *phenotype.Model){
		"no diseases":  func(m *phenotype.Model) { m.Diseases, m.Ends = nil, nil },
		"unknown term": func(m *phenotype.Model) { m.Annotated[0] = 99 },
		"a parent":     func(m *phenotype.Model) { m.Parents[3] = []int{-1} },
		"ends descend": func(m *phenotype.Model) { m.Ends[1] = 1 },
		"frequencies":  func(m *phenotype.Model) { m.Frequencies = m.Frequencies[1:] },
	} {
		m := model()
		if damage(m); !errors.Is(m.Check(), phenotype.ErrDamaged) {
			t.Errorf("%s: %v, want ErrDamaged", name, m.Check())
		}
	}
}

// A term that is its own ancestor does not hang the ranking.
func TestCycle(t *testing.T) {
	m := model()
	m.Parents[nervous] = []int{febrile}
	if got := m.Rank(phenotype.Query{Present: []int{febrile}}); len(got) == 0 {
		t.Error("no disease, want some")
	}
}

// synthetic returns a model of the given size, with a tree of terms whose depth is like HPO's.
func synthetic(terms, diseases, features int) *phenotype.Model {
	random := rand.New(rand.NewPCG(1, 2))
	m := &phenotype.Model{}
	for i := range terms {
		m.Terms = append(m.Terms, i+1)
		var parents []int
		for range min(i, 1+random.IntN(3)/2) {
			parents = append(parents, random.IntN(i/2+1))
		}
		m.Parents = append(m.Parents, parents)
	}
	for i := range diseases {
		list := map[int]float64{}
		for len(list) < features {
			list[random.IntN(terms)] = float64(random.IntN(11)) / 10
		}
		m.Add(fmt.Sprintf("OMIM:%06d", i), list)
	}
	return m
}

// BenchmarkRank_280k reads and ranks 12,700 diseases with 22 features each, by five present and two absent features.
func BenchmarkRank_280k(b *testing.B) {
	text, err := json.Marshal(synthetic(19_000, 12_700, 22))
	if err != nil {
		b.Fatal(err)
	}
	q := phenotype.Query{Present: []int{9000, 12000, 15000, 17000, 18000}, Absent: []int{16000, 14000}}
	b.ReportAllocs()
	for b.Loop() {
		var m phenotype.Model
		if err := errors.Join(json.Unmarshal(text, &m), m.Check()); err != nil {
			b.Fatal(err)
		}
		m.Rank(q)
	}
}
