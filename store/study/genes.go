package study

import (
	"slices"
	"strings"

	"biomcp/store/study/symbols"
)

// A geneKey identifies one gene by its Entrez ID, 0 if unknown, and its names in upper case,
// the requested name first. Genes are renamed (PARK2 became PRKN in 2016), so a mutation table,
// a panel and a request may use different names; the ID stays the same. cBioPortal prefers the
// ID too, if a file has it (https://docs.cbioportal.org/file-formats/#mutation-data).
type geneKey struct {
	id    int32
	names []string
}

// gene returns the key of a requested symbol, completed from otherNames and the panels.
func (s *Study) gene(symbol string) geneKey {
	k := geneKey{names: []string{strings.ToUpper(strings.TrimSpace(symbol))}}
	for _, name := range s.otherNames(k.names)[k.names[0]] {
		k.add(name, entrez([]byte(name)))
	}
	return s.onPanels(k)
}

// otherNames returns other names of genes, and Entrez IDs, by symbol in upper case: those of
// Library.LookupNames, or else those of package symbols.
func (s *Study) otherNames(genes []string) map[string][]string {
	var names map[string][]string
	if s.names != nil {
		names = s.names(genes)
	}
	if names == nil {
		names = map[string][]string{}
	}
	for _, g := range genes {
		if _, known := names[g]; !known {
			if list := symbols.Names(g); list != nil {
				names[g] = list
			}
		}
	}
	return names
}

// KnowsGene reports whether the gene occurs in a panel, in a table of copy number or expression,
// among the mutations or structural variants, or in HGNC's table. If listed is false, the study
// has neither a panel nor such a table.
func (s *Study) KnowsGene(gene string) (known, listed bool) {
	key := s.gene(gene)
	known = len(s.otherNames(key.names[:1])[key.names[0]]) > 0
	for _, p := range s.panels().byID {
		known, listed = known || p.covers(key), true
	}
	for _, p := range s.profiles {
		if m, err := s.Matrix(p); err == nil && p.Present && (p.Data == CopyNumber || p.Data == Expression) {
			_, found := m.find(&key)
			known, listed = known || found, true
		}
	}
	if t, err := s.mutations(); err == nil {
		known = known || len(t.find(&key)) > 0
	}
	fusions, _, _, err := s.StructuralVariants(gene)
	return known || err == nil && len(fusions) > 0, listed
}

// HasMutations reports whether the mutation table has a row of the gene, of any class.
func (s *Study) HasMutations(gene string) bool {
	t, err := s.mutations()
	if err != nil {
		return false
	}
	key := s.gene(gene)
	return len(t.find(&key)) > 0
}

// onPanels adds the Entrez ID that the panels give for a gene.
func (s *Study) onPanels(k geneKey) geneKey {
	for _, name := range k.names {
		k.add(name, s.panels().entrez[name])
	}
	return k
}

// add adds a name, and the ID if none is known yet.
func (k *geneKey) add(name string, id int32) {
	if name = strings.ToUpper(name); name != "" && !slices.Contains(k.names, name) {
		k.names = append(k.names, name)
	}
	if k.id == 0 && id > 0 {
		k.id = id
	}
}

// matches reports whether a row or panel entry with this name and Entrez ID is the gene.
func (k geneKey) matches(name string, id int32) bool {
	return id > 0 && id == k.id || slices.Contains(k.names, strings.ToUpper(name))
}

// covers reports whether the panel includes the gene. A key with an empty name matches every
// panel.
func (p Panel) covers(k geneKey) bool {
	hasSymbol := func(name string) bool { return p.symbols[name] }
	return k.names[0] == "" || p.ids[k.id] || slices.ContainsFunc(k.names, hasSymbol)
}

// entrez parses an Entrez ID. It returns 0 if b is not one; NCBI has no negative IDs.
func entrez(b []byte) int32 {
	n := int32(0)
	for _, c := range b {
		if c < '0' || c > '9' || n > 100_000_000 {
			return 0
		}
		n = n*10 + int32(c-'0')
	}
	return n
}

// entrezIDs holds the Entrez ID of each gene, by gene number. A gene whose rows have different
// IDs is marked as disputed.
type entrezIDs []int32

const disputed = -1

// record stores the ID that a row gives for a gene. If rows disagree, it marks the gene as
// disputed.
func (e *entrezIDs) record(gene uint32, id int32) {
	for int(gene) >= len(*e) {
		*e = append(*e, 0)
	}
	switch was := (*e)[gene]; {
	case id == 0 || was == id || was == disputed:
	case was == 0:
		(*e)[gene] = id
	default:
		(*e)[gene] = disputed
	}
}
