package medgen

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// meta holds the parsed conceptmeta.
type meta struct {
	Names []struct {
		Source string `xml:"SAB,attr"`
		ID     string `xml:"SDUI,attr"`
		Code   string `xml:"CODE,attr"`
		Text   string `xml:",chardata"`
	} `xml:"Names>Name"`
	Definitions []struct {
		Source string `xml:"source,attr"`
		Text   string `xml:",chardata"`
	} `xml:"Definitions>Definition"`
	Inheritance []string `xml:"ModesOfInheritance>ModeOfInheritance>Name"`
	MIM         []string `xml:"OMIM>MIM"`
	Features    []struct {
		ID   string `xml:"SDUI,attr"`
		Name string `xml:"Name"`
	} `xml:"ClinicalFeatures>ClinicalFeature"`
	Genes []struct {
		ID       string `xml:"gene_id,attr"`
		Cytoband string `xml:"cytogen_loc,attr"`
		Symbol   string `xml:",chardata"`
	} `xml:"AssociatedGenes>Gene"`
	SemanticTypes []string `xml:"SemanticTypes>SemanticType"`
}

// parseMeta parses conceptmeta in its three forms: elements without a root, elements inside
// ConceptMeta, and either of these escaped. After an error it returns the part before it.
func parseMeta(text string) (*meta, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "&lt;") {
		text = html.UnescapeString(text)
	}
	if inner, ok := strings.CutPrefix(text, "<ConceptMeta>"); ok {
		text = strings.TrimSuffix(inner, "</ConceptMeta>")
	}
	m := &meta{}
	return m, ncbi.DecodeXML([]byte("<meta>"+text+"</meta>"), m)
}

// Sources whose text is not distributed, by MedGen's abbreviations. For restricted sources this
// covers names and definitions, for linked ones definitions only.
var (
	restricted = map[string]bool{"SNOMEDCT_US": true, "SNOMEDCT": true, "MDR": true}
	linked     = map[string]bool{"GeneReviews": true, "GENEREVIEWS": true, "OMIM": true, "SNOMEDCT_US": true,
		"SNOMEDCT": true, "MDR": true}
)

// definition returns the first definition that may be distributed, or else the source of the first
// one.
func (m *meta) definition() (d Definition) {
	for _, one := range m.Definitions {
		text := strings.Join(strings.Fields(one.Text), " ")
		switch {
		case one.Source == "" || text == "":
		case !linked[one.Source]:
			return Definition{Text: text, Source: one.Source}
		case d.Source == "":
			d.Source = one.Source
		}
	}
	if d.Source == "GeneReviews" {
		d.URL = "https://www.ncbi.nlm.nih.gov/books/" + m.chapter()
	}
	return d
}

// chapter returns the path of the concept's chapter in GeneReviews, or of the whole book if it has
// none.
func (m *meta) chapter() string {
	for _, n := range m.Names {
		if strings.EqualFold(n.Source, "GENEREVIEWS") && chapterForm().MatchString(n.ID) {
			return n.ID + "/"
		}
	}
	return "NBK1116/"
}

var (
	chapterForm = pattern.Lazy(`^NBK[0-9]+$`)
	umlsForm    = pattern.Lazy(`(?i)^(?:UMLS|MEDGEN|CUI)[:_]\s*(CN?[0-9]{6,7})$`)
	meshForm    = pattern.Lazy(`^[DC][0-9]{6}(?:[0-9]{3})?$`)
	idForm      = pattern.Lazy(`(?i)^(MONDO|OMIM|MIM|MESH|MSH|ORPHA|ORPHANET|ORDO|HP|NCIT|NCI)` +
		`[:_]\s*([A-Z]{0,2}[0-9]{1,12})$`)
)

// Vocabularies lists the prefixes of IDs in other vocabularies in the order of Concept.IDs.
var Vocabularies = []string{"MONDO", "OMIM", "MESH", "ORPHA", "HP", "NCIT"}

// prefixes maps MedGen's abbreviations and other spellings to our prefixes.
var prefixes = map[string]string{
	"MONDO": "MONDO", "OMIM": "OMIM", "MIM": "OMIM", "MESH": "MESH", "MSH": "MESH", "ORPHA": "ORPHA",
	"ORPHANET": "ORPHA", "ORDO": "ORPHA",
	"HP": "HP", "HPO": "HP", "NCIT": "NCIT", "NCI": "NCIT",
}

// ParseID parses an ID of another vocabulary: MONDO:0007947, OMIM:154700, MESH:D008382 or D008382,
// ORPHA:558, HP:0001166, NCIT:C34807, or UMLS:C0024796 for MedGen's own CUI. term is the ID as
// MedGen writes it.
func ParseID(word string) (id, term string, ok bool) {
	word = strings.TrimSpace(word)
	if m := umlsForm().FindStringSubmatch(word); m != nil {
		cui := strings.ToUpper(m[1])
		return cui, cui, true
	}
	if meshForm().MatchString(word) && !IsCUI(word) {
		word = "MESH:" + word
	}
	found := idForm().FindStringSubmatch(word)
	if found == nil {
		return "", "", false
	}
	prefix, number := prefixes[strings.ToUpper(found[1])], strings.ToUpper(found[2])
	switch id = prefix + ":" + number; prefix {
	case "MONDO", "HP":
		return id, id, true
	case "ORPHA":
		return id, "Orphanet_" + number, true
	}
	return id, number, true
}

// ids returns the IDs in Vocabularies. For OMIM it prefers those of the disease, because the names
// also have IDs of its gene.
func (m *meta) ids() []string {
	out := []string{}
	add := func(vocabulary, number string) {
		if id, _, ok := ParseID(vocabulary + ":" + number); ok && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	for _, v := range Vocabularies {
		if v == "OMIM" && len(ncbi.List(m.MIM)) > 0 {
			for _, number := range ncbi.List(m.MIM) {
				add(v, number)
			}
			continue
		}
		for _, n := range m.Names {
			number := cmp.Or(n.ID, n.Code)
			if i := strings.LastIndexAny(number, "_:"); i >= 0 {
				number = number[i+1:]
			}
			if prefixes[n.Source] == v {
				add(v, number)
			}
		}
	}
	return out
}
