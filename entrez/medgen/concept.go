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
	UID          string // uid in the E-utilities: 44287
	CUI          string // C0024796, or CN and six digits
	Name         string
	Synonyms     []string
	Definition   Definition
	SemanticType string
	Inheritance  []string
	Features     []Feature
	Genes        []Gene
	IDs          []string // IDs in other vocabularies, as ParseID returns them
	Merged       string   // uid or CUI of the concept that replaced it, or ""
	Suppressed   bool     // MedGen hides it
	Truncated    bool     // a part of conceptmeta could not be parsed
}

// Definition is a definition and its source. If the source does not permit distribution, Text is ""
// and URL is the address of the text, if known.
type Definition struct {
	Text   string `json:"text"`
	Source string `json:"source"`
	URL    string `json:"url"`
}

// Gene is a gene that MedGen associates with a concept.
type Gene struct {
	Symbol   string `json:"symbol"`
	ID       string `json:"entrez_id"`
	Cytoband string `json:"cytoband"`
}

// Feature is a clinical feature with its ID in the Human Phenotype Ontology.
type Feature struct {
	HPO  string `json:"hpo"`
	Name string `json:"name"`
}

// cuiForm matches a CUI.
var cuiForm = pattern.Lazy(`(?i)^(C[0-9]{7}|CN[0-9]{6})$`)

// IsCUI reports whether a word has the form of a CUI.
func IsCUI(word string) bool { return cuiForm().MatchString(word) }

// ParseSummary parses a summary.
func ParseSummary(d entrez.Doc) *Concept {
	m, err := parseMeta(d.Text("conceptmeta"))
	c := &Concept{
		UID: d.UID, CUI: d.Text("conceptid"), Name: strings.TrimSpace(d.Text("title")),
		SemanticType: cmp.Or(d.Text("semantictype.value"), d.Text("semantictype")),
		Synonyms:     []string{}, Inheritance: ncbi.List(m.Inheritance), Features: []Feature{}, Genes: []Gene{},
		IDs:    m.ids(),
		Merged: strings.TrimSpace(d.Text("merged")), Suppressed: isSet(d.Text("suppressed")), Truncated: err != nil,
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

// URL returns the address of the concept's page.
func (c *Concept) URL() string { return "https://www.ncbi.nlm.nih.gov/medgen/" + c.UID }

// HasID reports whether id is one of the concept's IDs: in another vocabulary, its CUI or its uid.
func (c *Concept) HasID(id string) bool {
	return strings.EqualFold(c.CUI, id) || c.UID == id || slices.ContainsFunc(c.IDs,
		func(other string) bool { return strings.EqualFold(other, id) })
}

// isSet reports whether a flag is set. NCBI documents only its empty value.
func isSet(s string) bool {
	return !slices.Contains([]string{"", "0", "n", "no", "false"}, strings.ToLower(strings.TrimSpace(s)))
}
