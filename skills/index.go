package skills

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"sync"
)

//go:embed intents.json
var asksFile []byte

// An Intent holds the first two commands for a kind of question, and phrasings of such questions.
type Intent struct {
	Example   string     // the slug of the worked example; "" for questions that no command answers
	Like      string     `json:"-"`          // phrasings, one per line
	About     []string   `json:"-"`          // kinds that <topic> stands for in the phrasings; nil means the usual ones
	First     [][]string `json:",omitempty"` // commands with placeholders such as {id}
	Published [][]string `json:",omitempty"` // tried next if the question lacks values for First, such as a study
	Otherwise [][]string `json:",omitempty"` // tried last
	Ignores   []string   `json:",omitempty"` // kinds of values that are not passed on as flags
	Words     []string   `json:",omitempty"` // stems of the phrasings that do not belong to a topic

	example *Example
	words   map[string]bool
	needs   map[string]bool // kinds of values with a placeholder in the first command
	uses    map[string]bool // kinds of values that any of the commands accepts
}

// Index is the content of intents.json, a classifier of questions by intent.
type Index struct {
	MadeFrom string            // digest of the source files
	Asks     []*Intent         // the classes
	Weights  map[string][]byte // for each feature, or "" for the bias, a signed byte per Intent in units of 1/Scale
}

// Scale is the factor between a weight and its byte in Index.Weights.
const Scale = 10

// index loads intents.json at the first call.
var index = sync.OnceValue(func() *Index {
	x := &Index{}
	if err := json.Unmarshal(asksFile, x); err != nil {
		panic(err) // the file is embedded in the program
	}
	for _, a := range x.Asks {
		a.prepare()
	}
	return x
})

// FeatureValue returns the value of each feature of a question with n features. It makes long and
// short questions count equally.
func FeatureValue(n int) float64 { return 1 / math.Sqrt(float64(max(1, n))) }

// Softmax replaces log-odds with probabilities, which add up to 1.
func Softmax(p []float64) {
	maximum, sum := slices.Max(p), 0.0
	for k := range p {
		p[k] = math.Exp(p[k] - maximum)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
}

// scoredAsk is an Intent with its probability for a question.
type scoredAsk struct {
	*Intent
	share float64
}

// rank returns all Asks with their probabilities, the most likely first. An Intent that does not fit
// the names in the question becomes less likely.
func (x *Index) rank(q question) (list []scoredAsk) {
	var known []string
	unknown := false // the question has a feature that is in no phrasing
	for _, f := range q.features() {
		if x.Weights[f] != nil {
			known = append(known, f)
		} else {
			unknown = true
		}
	}
	if unknown && !slices.Contains(known, "<topic>") {
		known = append(known, "<topic>")
	}
	p := make([]float64, len(x.Asks))
	for i, f := range append(known, "") {
		value := FeatureValue(len(known))
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
		list = append(list, scoredAsk{a, p[k]})
	}
	slices.SortStableFunc(list, func(a, b scoredAsk) int { return cmp.Compare(b.share, a.share) })
	return list
}
