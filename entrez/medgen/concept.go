package medgen

import (
	"cmp"
	"slices"
	"strings"

	"biomcp/entrez"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Concept is a record of MedGen. Lists are never nil.
type Concept struct {
	UID          string // of the E-utilities: 44287
	CUI          string // C0024796, or CN and six digits
	Name         string
	Synonyms     []string
	Definition   Definition
	SemanticType string
	Inheritance  []string
	Features     []Feature
	Genes        []Gene
	IDs          []string // in other vocabularies, as ParseID writes them
	Merged       string   // the uid or CUI that replaced it, "" where none did
	Suppressed   bool     // MedGen does not show it
	Cut          bool     // a part of conceptmeta could not be read
}

// Definition is whose words say what a concept is. Text is "" where the source does
// not let them be passed on; URL is then where they are, as far as that is known.
type Definition struct {
	Text   string `json:"text"`
	Source string `json:"source"`
	URL    string `json:"url"`
}

// Gene is one that MedGen associates with a concept.
type Gene struct {
	Symbol   string `json:"symbol"`
	ID       string `json:"entrez_id"`
	Cytoband string `json:"cytoband"`
}

// Feature is a clinical feature, with its id in the Human Phenotype Ontology.
type Feature struct {
	HPO  string `json:"hpo"`
	Name string `json:"name"`
}

// cuiForm is the form of a CUI.
var cuiForm = pattern.Lazy(`(?i)^(C[0-9]{7}|CN[0-9]{6})$`)

// IsCUI reports whether a word has the form of a CUI.
func IsCUI(word string) bool { return cuiForm().MatchString(word) }

// Read reads a summary.
func Read(d entrez.Doc) *Concept {
	m, err := parseMeta(d.Text("conceptmeta"))
	c := &Concept{
		UID: d.UID, CUI: d.Text("conceptid"), Name: strings.TrimSpace(d.Text("title")),
		SemanticType: cmp.Or(d.Text("semantictype.value"), d.Text("semantictype")),
		Synonyms:     []string{}, Inheritance: ncbi.List(m.Inheritance), Features: []Feature{}, Genes: []Gene{},
		IDs:    m.ids(),
		Merged: strings.TrimSpace(d.Text("merged")), Suppressed: yes(d.Text("suppressed")), Cut: err != nil,
	}
	c.Definition = m.definition()
	c.SemanticType = cmp.Or(c.SemanticType, strings.Join(ncbi.List(m.SemanticTypes), ", "))
	known := map[string]bool{strings.ToLower(c.Name): true}
	for _, n := range m.Names {
		text := strings.Join(strings.Fields(n.Text), " ")
		if key := strings.ToLower(text); text != "" && !restricted[n.Source] && !known[key] {
			known[key] = true
			c.Synonyms = append(c.Synonyms, text)
		}
	}
	for _, f := range m.Features {
		if name := strings.TrimSpace(f.Name); name != "" {
			c.Features = append(c.Features, Feature{HPO: f.ID, Name: name})
		}
	}
	for _, g := range m.Genes {
		if symbol := strings.TrimSpace(g.Symbol); symbol != "" {
			c.Genes = append(c.Genes, Gene{symbol, g.ID, g.Cytoband})
		}
	}
	return c
}

// URL is the page of a concept.
func (c *Concept) URL() string { return "https://www.ncbi.nlm.nih.gov/medgen/" + c.UID }

// Has reports whether a concept has an id of another vocabulary, or a CUI or uid.
func (c *Concept) Has(id string) bool {
	return strings.EqualFold(c.CUI, id) || c.UID == id || slices.ContainsFunc(c.IDs,
		func(own string) bool { return strings.EqualFold(own, id) })
}

// yes reads a mark of which only the empty value is known.
func yes(s string) bool {
	return !slices.Contains([]string{"", "0", "n", "no", "false"}, strings.ToLower(strings.TrimSpace(s)))
}
