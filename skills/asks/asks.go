// Package asks has, for each worked example, the questions that lead to its commands, in a
// file of its own: slug.yaml. [Fit] makes of them what package skills routes by,
// skills/asks.json, which `go run ./build` writes. It is no part of the program.
//
// A file is a list of pairs of first commands, each with the phrasings that ask for it, one a
// line, with <id>, <gene> and the like in the place of names and <topic> for anything else;
// see [skills.Ask]. Write phrasings as people type them: a question, a few words, a request.
// elsewhere.txt has questions that no command answers.
package asks

import (
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"biomcp/skills"
)

//go:embed *.yaml elsewhere.txt
var files embed.FS

// How the regression is fitted: how often it sees each phrasing, how far it goes for the
// first, how soon it goes less far, how much weights shrink, and of how many features one is
// left out.
const (
	rounds = 30
	rate   = 2.0
	decay  = 0.1
	shrink = 0.0006
	drop   = 3
	stride = 7919 // a prime: the order in which it sees them
)

// topics are kinds of names that the topic of a question can be.
var topics = []string{"condition", "drug", "gene", "from"}

// read is every ask and its phrasings; the last has the questions from elsewhere. sum is of
// all that they are read from.
func read() (list []*skills.Ask, sum string, err error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return nil, "", err
	}
	all := sha256.New()
	for _, name := range names {
		body, err := files.ReadFile(name)
		if err != nil {
			return nil, "", err
		}
		all.Write(body)
		var own []*skills.Ask
		if err := yaml.Unmarshal(body, &own); err != nil {
			return nil, "", fmt.Errorf("%s: %w", name, err)
		}
		for _, a := range own {
			a.Example = strings.TrimSuffix(name, ".yaml")
		}
		list = append(list, own...)
	}
	elsewhere, err := files.ReadFile("elsewhere.txt")
	all.Write(elsewhere)
	all.Write(skills.Words())
	return append(list, &skills.Ask{Like: string(elsewhere)}), fmt.Sprintf("%x", all.Sum(nil)), err
}

// Phrasings are all of them, with <id> and the like in the place of names.
func Phrasings() (all []string, err error) {
	list, _, err := read()
	for _, a := range list {
		all = append(all, strings.Split(strings.TrimSpace(a.Like), "\n")...)
	}
	return all, err
}

// phrasing is one that the regression learns.
type phrasing struct {
	ask      int
	features []string
}

// Fit makes skills/asks.json: a multinomial logistic regression from the features of a
// question to asks, by stochastic gradient descent. It is old where that is made from the
// same files, since another machine may round otherwise.
//
// Each time it sees a phrasing it leaves some features out, as other people leave out words. In
// a cross-validation in five parts it finds the ask of 83 in 100 phrasings, else of 82; the best phrasing by
// BM25 or by the cosine is of the right ask for 10 in 100 fewer.
func Fit(old string) (string, error) {
	list, sum, err := read()
	if err != nil {
		return "", err
	}
	var before skills.Index
	if json.Unmarshal([]byte(old), &before) == nil && before.MadeFrom == sum {
		return old, nil
	}
	x := fit(list)
	x.MadeFrom = sum
	out, err := json.MarshalIndent(x, "", " ")
	return string(out) + "\n", err
}

func fit(list []*skills.Ask) *skills.Index {
	var all []phrasing
	weights := map[string][]float64{"": make([]float64, len(list))}
	for k, a := range list {
		stems := map[string]bool{}
		for text := range strings.Lines(strings.TrimSpace(a.Like)) {
			own := skills.Features(text)
			all = append(all, phrasing{k, own})
			if slices.Contains(own, "<topic>") {
				about := a.About
				if about == nil {
					about = topics
				}
				all = append(all, phrasing{k, append(slices.Clone(own), "<"+about[len(all)/2%len(about)]+">")})
			}
			for _, s := range skills.Asking(text) {
				stems[s] = true
			}
		}
		a.Words = slices.Sorted(maps.Keys(stems))
	}
	for _, p := range all {
		for _, f := range p.features {
			if weights[f] == nil {
				weights[f] = make([]float64, len(list))
			}
		}
	}
	for round := range rounds {
		step := rate / (1 + decay*float64(round))
		for i := range all {
			p := all[i*stride%len(all)]
			if len(p.features) > 2 {
				p.features = slices.Clone(p.features)
				for range len(p.features) / drop {
					at := (round*stride + i) % len(p.features)
					p.features = slices.Delete(p.features, at, at+1)
				}
			}
			value := skills.Strength(len(p.features))
			for k, off := range shares(weights, p.features, value) {
				if k == p.ask {
					off--
				}
				weights[""][k] -= step / 100 * off
				for _, f := range p.features {
					weights[f][k] -= step * (off*value + shrink*weights[f][k])
				}
			}
		}
	}
	x := &skills.Index{Asks: list, Weights: map[string][]byte{}}
	for f, row := range weights {
		for _, w := range row {
			x.Weights[f] = append(x.Weights[f], byte(int8(math.Round(min(127, max(-127, w*skills.Scale))))))
		}
	}
	return x
}

func shares(weights map[string][]float64, features []string, value float64) []float64 {
	p := slices.Clone(weights[""])
	for _, f := range features {
		for k, w := range weights[f] {
			p[k] += value * w
		}
	}
	skills.Softmax(p)
	return p
}
