package study

import (
	"slices"
	"strings"
)

// geneKey is one gene: its Entrez id, 0 if no file says it, and its names in upper
// case, first that which was asked for. Genes are renamed (PARK2 is PRKN since 2016),
// and a table of mutations, a panel and a question may each have another of the names;
// the id is the same. cBioPortal goes by the id too, if a file has it
// (https://docs.cbioportal.org/file-formats/#mutation-data).
type geneKey struct {
	id    int32
	names []string
}

// gene is what the panels, and Library.Names, know of a gene that was asked for.
func (s *Study) gene(symbol string) geneKey {
	k := geneKey{names: []string{strings.ToUpper(strings.TrimSpace(symbol))}}
	if s.names != nil && k.names[0] != "" {
		for _, name := range s.names(k.names)[k.names[0]] {
			k.add(name, entrez([]byte(name)))
		}
	}
	return s.onPanels(k)
}

// Knows reports whether a list of genes that the study comes with has a gene: a panel, a table of
// copy number or expression, mutations, structural variants, or Library.Names. listed is false where
// there is no such list, by which it could be told.
func (s *Study) Knows(gene string) (known, listed bool) {
	key := s.gene(gene)
	known = s.names != nil && len(s.names(key.names[:1])[key.names[0]]) > 0
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

// onPanels adds the id that the panels have for a gene.
func (s *Study) onPanels(k geneKey) geneKey {
	for _, name := range k.names {
		k.add(name, s.panels().entrez[name])
	}
	return k
}

// add adds a name, and the id if none is known.
func (k *geneKey) add(name string, id int32) {
	if name = strings.ToUpper(name); name != "" && !slices.Contains(k.names, name) {
		k.names = append(k.names, name)
	}
	if k.id == 0 && id > 0 {
		k.id = id
	}
}

// is reports whether a row or a panel with a name and an id is of the gene.
func (k geneKey) is(name string, id int32) bool {
	return id > 0 && id == k.id || slices.Contains(k.names, strings.ToUpper(name))
}

// covers reports whether the panel has the gene; each has one that is not named.
func (p Panel) covers(k geneKey) bool {
	return k.names[0] == "" || p.ids[k.id] || slices.ContainsFunc(k.names, func(name string) bool { return p.symbols[name] })
}

// entrez reads an Entrez id, 0 if there is none. NCBI has no negative ids.
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

// entrezIDs are the ids of genes by their numbers, as rows give them. A gene with rows
// of different ids has none: it is not known which is right.
type entrezIDs []int32

const disputed = -1

func (e *entrezIDs) note(gene uint32, id int32) {
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
