package entreztest

import (
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pubmed"
)

// A heading is one record of db=mesh: a descriptor or a supplementary concept of the records.
// PubMed records lack entry terms, scope note and tree numbers, which a test can set with
// Server.SetHeading.
type heading struct {
	Heading
	words      string // folded terms and UI, for searching
	qualifiers []string
}

// A Heading describes a MeSH descriptor or supplementary concept by its UI (D009369, C560077).
// Terms begins with the preferred term.
type Heading struct {
	UI             string   `json:"ui"`
	Terms          []string `json:"terms"`
	ScopeNote      string   `json:"scope_note"`
	TreeNumbers    []string `json:"tree_numbers"`
	YearIntroduced string   `json:"year_introduced"`
	SeeRelated     []string `json:"see_related"`
}

func (c *corpus) addHeadings(a *pubmed.Article) {
	for _, m := range a.Mesh {
		h := c.heading(m.UI, m.Descriptor)
		if h == nil {
			continue
		}
		for _, q := range m.Qualifiers {
			if !slices.Contains(h.qualifiers, q.Name) {
				h.qualifiers = append(h.qualifiers, q.Name)
			}
		}
	}
	for _, s := range a.SupplMesh {
		c.heading(s.UI, s.Name)
	}
	for _, chem := range a.Chemicals {
		c.heading(chem.UI, chem.Name)
	}
}

// heading returns the heading of a UI, and adds it if needed. It returns nil if the UI is not
// valid.
func (c *corpus) heading(ui, name string) *heading {
	if meshUID(ui) == "" || name == "" {
		return nil
	}
	h := c.headings[ui]
	if h == nil {
		h = &heading{Heading: Heading{UI: ui, Terms: []string{name}}}
		c.setHeading(h)
	}
	return h
}

func (c *corpus) setHeading(h *heading) {
	words := []string{strings.ToLower(h.UI)}
	for _, t := range h.Terms {
		words = append(words, fold(t))
		c.headUIs[fold(t)] = h.UI
	}
	h.words = " " + strings.Join(words, " | ") + " "
	c.headings[h.UI] = h
}

// meshUID returns the Entrez UID of a MeSH record: 68 + number for D000000 to D999999, and 67 +
// number for C000000 to C999999. The UIDs of the newer nine-digit UIs follow no rule; here they are
// 20 + the last six digits.
func meshUID(ui string) string {
	if len(ui) < 7 {
		return ""
	}
	if _, err := strconv.ParseUint(ui[1:], 10, 32); err != nil {
		return ""
	}
	prefix := map[byte]string{'D': "68", 'C': "67"}[ui[0]]
	if prefix == "" {
		return ""
	}
	if len(ui) > 7 {
		prefix = "20"
	}
	return prefix + ui[len(ui)-6:]
}

func (h *heading) isDescriptor() bool { return h.UI[0] == 'D' }
