// Package disease finds diseases, syndromes and findings in MedGen by their names, and by ids of MedGen,
// MONDO, OMIM, MeSH, Orphanet, HPO, NCIt and the Disease Ontology.
//
// A gene is not a disease: [Client.Find] returns a [resolve.Miss] that names the gene. A concept that
// MedGen merged into another gives the record of the other.
package disease

import (
	"slices"
	"strings"

	"biomcp/entrez/medgen"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/services"
)

// Source is the label of MedGen.
const Source = "MedGen"

const (
	// Max is the maximum number of words of one [Client.FindAll]; a summary can have 100 kB.
	Max = 10
	// MaxConcepts is the number of concepts read per word to find the one with that name.
	MaxConcepts = 20
)

// A Disease is a concept of MedGen.
type Disease struct {
	CUI          string            `json:"cui"`        // concept id: C0024796, or CN and six digits; "" unless MedGen was asked
	UID          string            `json:"medgen_uid"` // uid in the E-utilities: 44287
	Name         string            `json:"name"`
	Synonyms     []string          `json:"synonyms"`
	Definition   medgen.Definition `json:"definition"`
	SemanticType string            `json:"semantic_type"`
	Inheritance  []string          `json:"inheritance"`
	Genes        []medgen.Gene     `json:"genes"`
	Phenotypes   []medgen.Feature  `json:"phenotypes"` // clinical features
	XRefs        XRefs             `json:"xrefs"`
	URL          string            `json:"url"`

	Suppressed bool `json:"-"` // MedGen does not show the concept; it may be wrong or out of use
	Truncated  bool `json:"-"` // a part of MedGen's record could not be read
}

// ID returns the CUI or, if that is unknown, the first MONDO id.
func (d *Disease) ID() string {
	if d.CUI == "" && len(d.XRefs.MONDO) > 0 {
		return d.XRefs.MONDO[0]
	}
	return d.CUI
}

// XRefs holds ids in other vocabularies, in the form that [Client.Find] accepts.
type XRefs struct {
	MONDO    []string `json:"mondo"`
	OMIM     []string `json:"omim"`
	MeSH     []string `json:"mesh"`
	Orphanet []string `json:"orphanet"`
	HPO      []string `json:"hpo"`
	NCIt     []string `json:"ncit"`
}

// FromConcept returns the disease of a concept.
func FromConcept(c *medgen.Concept) *Disease {
	d := &Disease{
		CUI: c.CUI, UID: c.UID, Name: c.Name, Synonyms: c.Synonyms, Definition: c.Definition,
		SemanticType: c.SemanticType,
		Inheritance:  c.Inheritance, Genes: c.Genes, Phenotypes: c.Features, URL: c.URL(),
		Suppressed: c.Suppressed, Truncated: c.Truncated,
	}
	for i, list := range []*[]string{
		&d.XRefs.MONDO, &d.XRefs.OMIM, &d.XRefs.MeSH, &d.XRefs.Orphanet, &d.XRefs.HPO, &d.XRefs.NCIt,
	} {
		*list = slices.DeleteFunc(slices.Clone(c.IDs), func(id string) bool {
			return !strings.HasPrefix(id, medgen.Vocabularies[i]+":")
		})
	}
	return d
}

// IsID reports whether word is an id of MedGen or of another vocabulary.
func IsID(word string) bool {
	_, _, other := medgen.ParseID(word)
	_, doid := services.ParseDOID(word)
	return other || doid || medgen.IsCUI(word) || ncbi.UIDForm().MatchString(word)
}

// IsOwnID reports whether word must be the id of a disease. OMIM, MeSH and NCIt also have ids of
// other things.
func IsOwnID(word string) bool {
	id, _, _ := medgen.ParseID(word)
	_, doid := services.ParseDOID(word)
	prefix, _, _ := strings.Cut(id, ":")
	return slices.Contains([]string{"MONDO", "ORPHA", "HP"}, prefix) || doid || medgen.IsCUI(word)
}
