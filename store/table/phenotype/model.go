// Package phenotype ranks diseases by clinical features. A [Model] holds the terms of the Human
// Phenotype Ontology (HPO) and the features that HPO records of diseases; [Model.Rank] compares the
// features of a patient with all of them.
//
//	ranked := model.Rank(phenotype.Query{Present: []int{seizure, ataxia}, Absent: []int{fever}})
//
// # Measure
//
// The score of a disease is the sum of the decimal logarithms of a likelihood ratio for each feature,
// as in LIRICAL without its genotypes (Robinson et al., "Interpretable clinical genomics with a
// likelihood ratio paradigm", Am J Hum Genet 2020;107:403-417, PMID 32755546). The probability of a
// feature in a disease is divided by its background: its mean probability over all diseases. The
// negative logarithm of the background is the information content of the term.
//
//   - A disease has a term with the highest frequency of its annotations with this term or a more
//     specific one. An annotation without a frequency counts as the mean of the stated ones. LIRICAL counts
//     it as 1, which ranks diseases without numbers before diseases with numbers.
//   - For a present feature, the ratio is frequency / background of the term or, if larger, of one of its
//     ancestors, unless it is a main branch of HPO: the most informative common ancestor of Resnik (1995).
//     So no annotation makes a feature count less. The ratio is at least 0.01, LIRICAL's rate of false
//     positives, and 0.001 if the disease explicitly lacks the feature.
//   - For an absent feature, the ratio is (1 - frequency) / (1 - background), with a numerator of at
//     least 0.01. LIRICAL's bonus of 1000 for a feature that both lack is left out: it is no probability.
//
// # Accuracy
//
// The measure was tried on 44 published cases of LIRICAL's own evaluation, each of another gene
// (github.com/monarch-initiative/pheval, corpora/lirical), with HPO of 2025-01-16 less the annotations from the
// publication of the case. Of 12,687 diseases, the true one was first in 13 cases, among the first 10 in 25 and
// among the first 50 in 30. With those annotations, more of them would be first: they describe the case itself.
//
// The memory of a ranking is proportional to the number of diseases and features of the query.
// BenchmarkRank_280k measures a model larger than that of HPO.
package phenotype

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Model holds terms and diseases, as lists that JSON encodes compactly.
type Model struct {
	Terms   []int   `json:"terms"`   // numbers of the terms that are not obsolete, ascending: 1250 for HP:0001250
	Parents [][]int `json:"parents"` // by term: indexes in Terms

	Diseases []string `json:"diseases"`
	Ends     []int    `json:"ends"` // by disease: the end of its annotations in Annotated, which begin after the last ones
	// Annotated holds indexes in Terms, and Frequencies the frequency of each in ten-thousandths. 0 means that the
	// disease explicitly lacks the feature.
	Annotated   Numbers `json:"annotated"`
	Frequencies Numbers `json:"frequencies"`
}

// Numbers is a list of numbers. In JSON, it is a text of two bytes per number, in base64.
type Numbers []uint16

// MarshalJSON implements json.Marshaler.
func (n Numbers) MarshalJSON() ([]byte, error) {
	data, err := binary.Append(nil, binary.LittleEndian, []uint16(n))
	return []byte(`"` + base64.StdEncoding.EncodeToString(data) + `"`), err
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Numbers) UnmarshalJSON(text []byte) error {
	data, err := base64.StdEncoding.DecodeString(strings.Trim(string(text), `"`))
	if err != nil {
		return err
	}
	*n = make(Numbers, len(data)/2)
	_, err = binary.Decode(data, binary.LittleEndian, []uint16(*n))
	return err
}

const steps = 10_000 // per frequency of 1

// Add adds a disease with the frequencies of its terms. It rounds frequencies to 0.0001, but never to 0.
func (m *Model) Add(disease string, frequencies map[int]float64) {
	for _, term := range slices.Sorted(maps.Keys(frequencies)) {
		f := math.Round(frequencies[term] * steps)
		if frequencies[term] > 0 {
			f = max(f, 1)
		}
		m.Annotated, m.Frequencies = append(m.Annotated, uint16(term)), append(m.Frequencies, uint16(f))
	}
	m.Diseases, m.Ends = append(m.Diseases, disease), append(m.Ends, len(m.Annotated))
}

// annotations returns the number of annotations of a disease.
func (m *Model) annotations(disease int) int {
	if disease == 0 {
		return m.Ends[0]
	}
	return m.Ends[disease] - m.Ends[disease-1]
}

// Find returns the index of the term with a number, or -1 if not found.
func (m *Model) Find(number int) int {
	i, found := slices.BinarySearch(m.Terms, number)
	if !found {
		return -1
	}
	return i
}

// ErrDamaged is returned by Check for a model whose lists do not fit each other.
var ErrDamaged = errors.New("the model of diseases is damaged")

// Check returns ErrDamaged unless Rank can read the model.
func (m *Model) Check() error {
	outside := func(term int) bool { return term < 0 || term >= len(m.Terms) }
	last := 0
	for _, end := range m.Ends {
		if end < last {
			return ErrDamaged
		}
		last = end
	}
	unknown := func(term uint16) bool { return outside(int(term)) }
	if len(m.Parents) != len(m.Terms) || len(m.Terms) > math.MaxUint16 || len(m.Ends) != len(m.Diseases) ||
		len(m.Diseases) == 0 || last != len(m.Annotated) || last != len(m.Frequencies) ||
		slices.ContainsFunc(m.Annotated, unknown) ||
		slices.ContainsFunc(m.Parents, func(parents []int) bool { return slices.ContainsFunc(parents, outside) }) {
		return ErrDamaged
	}
	return nil
}
