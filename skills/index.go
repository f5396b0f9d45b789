package skills

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"
)

//go:embed asks.json
var asksFile []byte

// Ask is a pair of first commands and the questions that lead to it.
type Ask struct {
	Example   string     // the slug of its worked example; "" where no command answers
	Like      string     `json:"-"`          // phrasings
	About     []string   `json:"-"`          // kinds that a <topic> of its phrasings can be, where not all
	First     [][]string `json:",omitempty"` // with {id} and the like
	Published [][]string `json:",omitempty"` // for a question of no study, where it has all that these need
	Otherwise [][]string `json:",omitempty"` // where the question does not have what First needs
	Ignores   []string   `json:",omitempty"` // kinds that have a flag, and are not asked for
	Words     []string   `json:",omitempty"` // stems of its phrasings

	example     *Example
	words       map[string]bool
	needs, uses map[string]bool // kinds of names that First has a place for, and that any command takes
}

// Index is asks.json: by which features of a question each ask is known.
type Index struct {
	MadeFrom string            // a digest of the files
	Asks     []*Ask            //
	Weights  map[string][]byte // by feature, "" for none: a signed byte for each ask, Scale to 1
}

// Scale is what stands for 1 in the bytes of the weights.
const Scale = 10

// index is read when the first question is asked, and does not change.
var index = sync.OnceValue(func() *Index {
	x := &Index{}
	if err := json.Unmarshal(asksFile, x); err != nil {
		panic(err) // the file is part of the program
	}
	for _, a := range x.Asks {
		a.prepare()
	}
	return x
})

// Strength is the value of each of n features: long questions count as much as short ones.
func Strength(n int) float64 { return 1 / math.Sqrt(float64(max(1, n))) }

// Softmax makes shares that add up to 1 of the logarithms of odds.
func Softmax(p []float64) {
	most, sum := slices.Max(p), 0.0
	for k := range p {
		p[k] = math.Exp(p[k] - most)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
}

// found is an ask with how likely it is what a question asks, 0 to 1.
type found struct {
	*Ask
	share float64
}

// near are the asks, the likeliest first, of those that have a place for a question's names.
func (x *Index) near(q question) (list []found) {
	var known []string
	other := false // a word that no phrasing has
	for _, f := range q.features() {
		if x.Weights[f] != nil {
			known = append(known, f)
		} else {
			other = true
		}
	}
	if other && !slices.Contains(known, "<topic>") {
		known = append(known, "<topic>")
	}
	p := make([]float64, len(x.Asks))
	for i, f := range append(known, "") {
		value := Strength(len(known))
		if i == len(known) {
			value = 1
		}
		for k, w := range x.Weights[f] {
			p[k] += value * float64(int8(w)) / Scale
		}
	}
	for k, a := range x.Asks {
		p[k] += math.Log(a.fits(q))
	}
	Softmax(p)
	for k, a := range x.Asks {
		list = append(list, found{a, p[k]})
	}
	slices.SortStableFunc(list, func(a, b found) int { return cmp.Compare(b.share, a.share) })
	return list
}
