package sets

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"biomcp/store/table"
	"biomcp/store/table/phenotype"
)

// Phenotype is a term of the Human Phenotype Ontology.
type Phenotype struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Synonyms   []PhenotypeName `json:"synonyms,omitempty"`
	AltIDs     []string        `json:"alt_ids,omitempty"` // ids of terms that were merged into it
	Obsolete   bool            `json:"obsolete,omitempty"`
	ReplacedBy []string        `json:"replaced_by,omitempty"`
	Consider   []string        `json:"consider,omitempty"` // possible replacements of an obsolete term
}

// PhenotypeName is a synonym of a term. Scope is exact, broad, narrow or related.
type PhenotypeName struct {
	Text  string `json:"text"`
	Scope string `json:"scope"`
}

// DiseaseFeatures is a disease with its annotations.
type DiseaseFeatures struct {
	ID       string           `json:"id"` // OMIM:154700, ORPHA:558 or DECIPHER:1
	Name     string           `json:"name"`
	Features []DiseaseFeature `json:"features"`
}

// DiseaseFeature is an annotation of a disease with a term, as HPO writes it.
type DiseaseFeature struct {
	HPO       string `json:"hpo" column:"hpo_id"`
	Not       bool   `json:"not,omitempty"`                          // the disease does not have the feature
	Frequency string `json:"frequency,omitempty" column:"frequency"` // 12/45, 22% or the id of a term: HP:0040281
	Onset     string `json:"onset,omitempty" column:"onset"`         // id of a term
	Sex       string `json:"sex,omitempty" column:"sex"`
	Aspect    string `json:"aspect" column:"aspect"`       // P abnormality, I inheritance, C course, M modifier
	Reference string `json:"reference" column:"reference"` // PMID:…, OMIM:… or ORPHA:…

	frequency float64
}

// PhenotypeModel holds the versions of the two files and the model that ranks diseases.
type PhenotypeModel struct {
	Ontology    string           `json:"ontology"`    // release of hp.obo: 2026-09-01
	Annotations string           `json:"annotations"` // version of phenotype.hpoa
	Model       *phenotype.Model `json:"model"`
}

// Kinds and filter fields of HPO's rows. The ID of the only row with the kind ModelKind is its kind.
const (
	TermKind    = "term"
	DiseaseKind = "disease"
	ModelKind   = "model"

	PhenotypeField = "name"      // the name or a synonym of a term
	AlternateID    = "alternate" // an id of a term that was merged into it
)

// The files of HPO.
const ontologyFile, annotationFile = "hp.obo", "phenotype.hpoa"

// readHPO reads the ontology, in OBO 1.2 (tags of the file of 2026-09-01 in
// github.com/obophenotype/human-phenotype-ontology), and the annotations of diseases (columns in
// docs/annotations/phenotype_hpoa.md of the same repository). Lines with "#" before the columns give the
// version of the annotations.
func readHPO(r *reader) {
	terms, release := readOntology(r)
	diseases, version := readAnnotations(r, terms)
	model := &phenotype.Model{}
	for _, t := range terms {
		if number, _ := hpoNumber(t.ID); !t.Obsolete {
			model.Terms = append(model.Terms, number)
		}
	}
	slices.Sort(model.Terms)
	model.Parents = make([][]int, len(model.Terms))
	for _, t := range terms {
		row := &table.Row{ID: t.ID, Kind: TermKind, Name: t.Name, Body: t.Phenotype}
		row.Add(AlternateID, t.AltIDs...)
		if !t.Obsolete {
			row.Add(PhenotypeField, t.Name)
			for _, s := range t.Synonyms {
				row.Add(PhenotypeField, s.Text)
			}
			if err := t.addParents(model); err != nil {
				r.err = cmp.Or(r.err, err)
				return
			}
		}
		r.putAll(row)
	}
	mean := meanFrequency(diseases)
	for _, d := range diseases {
		d.addTo(model, mean)
		r.putAll(&table.Row{ID: d.ID, Kind: DiseaseKind, Name: d.Name, Body: d})
	}
	if r.err == nil && model.Check() != nil {
		r.err = formatError(annotationFile, "it has no annotations of diseases")
	}
	body := PhenotypeModel{release, version, model}
	r.putAll(&table.Row{ID: ModelKind, Kind: ModelKind, Name: "HPO " + release, Body: body})
}

// A term is a stanza of the ontology.
type term struct {
	Phenotype
	parents []string
}

// addParents adds the parents of a term to the model. A parent that the file lacks means that it is cut off.
func (t *term) addParents(m *phenotype.Model) error {
	number, _ := hpoNumber(t.ID)
	at := m.Find(number)
	m.Parents[at] = []int{}
	for _, id := range t.parents {
		parent, ok := hpoNumber(id)
		i := m.Find(parent)
		if !ok || i < 0 {
			return formatError(ontologyFile, "it is cut off or damaged: the parent %.40q of %s is missing", id, t.ID)
		}
		m.Parents[at] = append(m.Parents[at], i)
	}
	return nil
}

// readOntology reads the terms of hp.obo and its release.
func readOntology(r *reader) (terms []*term, release string) {
	before, end := *r.report, &endReader{Reader: r.open(ontologyFile)}
	lines := bufio.NewScanner(end)
	lines.Buffer(nil, maxLine)
	var t *term // nil in the header and in stanzas other than terms
	header := false
	for r.err == nil && lines.Scan() {
		line := text(lines.Bytes())
		tag, value, _ := strings.Cut(line, ": ")
		switch {
		case tag == "format-version":
			header = true
		case tag == "data-version":
			release = value[strings.LastIndexByte(value, '/')+1:]
		case line != "" && !header:
			r.err = formatError(ontologyFile, "it begins with %.40q, not with its format-version", line)
		case line == "[Term]":
			t = &term{}
			terms = append(terms, t)
		case strings.HasPrefix(line, "["):
			t = nil
		case t != nil:
			t.add(tag, value)
		}
	}
	cutOff := end.byte != '\n' && t != nil && t.Name == ""
	terms = slices.DeleteFunc(terms, func(t *term) bool {
		_, ok := hpoNumber(t.ID)
		if ok && t.Name != "" {
			r.report.Read++
			return false
		}
		r.report.skip("%s: %.40q is not a term with a name", ontologyFile, t.ID)
		return true
	})
	switch err := r.report.check(ontologyFile, before, true); {
	case r.err != nil:
	case lines.Err() != nil:
		r.err = lines.Err()
	case cutOff:
		r.err = formatError(ontologyFile, "it is cut off in its last term")
	case !errors.Is(err, io.EOF):
		r.err = err
	}
	return terms, release
}

// add reads one tag of the term.
func (t *term) add(tag, value string) {
	id, _, _ := strings.Cut(value, " ")
	switch tag {
	case "id":
		t.ID = id
	case "name":
		t.Name = value
	case "alt_id":
		t.AltIDs = append(t.AltIDs, id)
	case "is_a":
		t.parents = append(t.parents, id)
	case "is_obsolete":
		t.Obsolete = value == "true"
	case "replaced_by":
		t.ReplacedBy = append(t.ReplacedBy, id)
	case "consider":
		t.Consider = append(t.Consider, id)
	case "synonym": // "text" SCOPE type [references]
		quoted, rest := value, ""
		if i := strings.LastIndex(value, `" `); i > 0 {
			quoted, rest = value[1:i], value[i+2:]
		}
		scope, _, _ := strings.Cut(strings.ToLower(rest), " ")
		t.Synonyms = append(t.Synonyms, PhenotypeName{strings.ReplaceAll(quoted, `\"`, `"`), scope})
	}
}

// hpoNumber returns the number of an id of HPO.
func hpoNumber(id string) (int, bool) {
	digits, ok := strings.CutPrefix(id, "HP:")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && len(digits) == 7
}

// readAnnotations reads the diseases of phenotype.hpoa and its version.
func readAnnotations(r *reader, terms []*term) (list []*DiseaseFeatures, version string) {
	current := map[string]string{} // ids of terms, by their own and their former ids
	for _, t := range terms {
		for _, id := range slices.Concat(t.AltIDs, []string{t.ID}) {
			current[id] = t.ID
			if t.Obsolete {
				current[id] = strings.Join(t.ReplacedBy[:min(1, len(t.ReplacedBy))], "")
			}
		}
	}
	known := map[string]*DiseaseFeatures{}
	sheet := readSheet(r, annotationFile, func(s *Sheet, f *DiseaseFeature) (err error) {
		id := s.Text("database_id")
		frequency, ok := parseFrequency(f.Frequency)
		if current[f.HPO] == "" || !ok || id == "" {
			return skip("%.80q is not an annotation with a term and a frequency", id+" "+f.HPO+" "+f.Frequency)
		}
		f.HPO, f.Not, f.frequency = current[f.HPO], s.Text("qualifier") == "NOT", frequency
		if f.Not {
			f.frequency = 0
		}
		d := known[id]
		if d == nil {
			d = &DiseaseFeatures{ID: id, Name: s.Text("disease_name")}
			known[id], list = d, append(list, d)
		}
		d.Features = append(d.Features, *f)
		return nil
	})
	slices.SortFunc(list, func(a, b *DiseaseFeatures) int { return cmp.Compare(a.ID, b.ID) })
	if r.err == nil {
		for _, line := range sheet.Title {
			if v, ok := strings.CutPrefix(line, "#version:"); ok {
				version = strings.TrimSpace(v)
			}
		}
	}
	return list, version
}

// frequencyTerms maps terms of frequency to the middle of the range that hp.obo defines for each.
var frequencyTerms = map[string]float64{"HP:0040280": 1, "HP:0040281": 0.895, "HP:0040282": 0.545, "HP:0040283": 0.17,
	"HP:0040284": 0.025, "HP:0040285": 0}

// unstated marks an annotation without a frequency.
const unstated = -1

// parseFrequency returns a frequency of an annotation: a fraction, a percentage or a term. It returns unstated if
// the text is empty.
func parseFrequency(text string) (float64, bool) {
	if f, ok := frequencyTerms[text]; ok {
		return f, true
	}
	if text == "" {
		return unstated, true
	}
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		f, err := strconv.ParseFloat(percent, 64)
		return f / 100, err == nil && f >= 0 && f <= 100
	}
	part, whole, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(part)
	of, err2 := strconv.Atoi(whole)
	if err != nil || err2 != nil || n < 0 || of < max(n, 1) {
		return 0, false
	}
	return float64(n) / float64(of), true
}

// meanFrequency returns the mean of the stated frequencies other than 0, or 1 if none is stated.
func meanFrequency(diseases []*DiseaseFeatures) float64 {
	sum, n := 0.0, 0.0
	for _, d := range diseases {
		for _, f := range d.Features {
			if f.frequency > 0 {
				sum, n = sum+f.frequency, n+1
			}
		}
	}
	if n == 0 {
		return 1
	}
	return sum / n
}

// addTo adds the disease to the model. Several annotations with one term count as the most frequent of them. mean is
// the frequency of an annotation without one.
func (d *DiseaseFeatures) addTo(m *phenotype.Model, mean float64) {
	frequencies := map[int]float64{}
	for _, f := range d.Features {
		number, _ := hpoNumber(f.HPO)
		if i := m.Find(number); i >= 0 {
			if f.frequency == unstated {
				f.frequency = mean
			}
			frequencies[i] = max(frequencies[i], f.frequency)
		}
	}
	m.Add(d.ID, frequencies)
}
