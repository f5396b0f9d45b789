package study

import (
	"slices"
	"strconv"
	"strings"

	"biomcp/store/study/symbols"
)

// An AlteredGene lists the samples that have a mutation, or a structural variant, of one gene. It is
// valid during a call only.
type AlteredGene struct {
	Gene    string // in HGNC's letter case
	Samples []int  // altered samples among those profiled, each once
	Events  int    // number of rows
	key     geneKey
}

// Matches reports whether symbol is a name of the gene.
func (g *AlteredGene) Matches(symbol string) bool { return g.key.matches(symbol, 0) }

// Names returns the known names of the gene, in upper case, and its Entrez ID.
func (g *AlteredGene) Names() []string {
	names := slices.Clone(g.key.names)
	if g.key.id > 0 {
		names = append(names, strconv.Itoa(int(g.key.id)))
	}
	return names
}

// RowOf returns the name of a gene's row, and whether there is one.
func (m *Matrix) RowOf(g *AlteredGene) (name string, ok bool) {
	key := geneKey{g.key.id, slices.Clone(g.key.names)}
	row, ok := m.find(&key)
	if ok {
		name = symbols.Spell(m.index.Genes[row])
	}
	return name, ok
}

// EachMutated calls fn for each gene with a mutation, in unspecified order. Genes with the same Entrez ID,
// and without an ID those that HGNC renamed, are one gene, named as on a panel or else by the most frequent
// name.
func (s *Study) EachMutated(includeSilent bool, fn func(g *AlteredGene)) (ExcludedRows, error) {
	t, err := s.mutations()
	if err != nil {
		return ExcludedRows{}, err
	}
	p, _ := s.Profile(Mutations)
	return s.eachAltered(p, t, includeSilent, fn)
}

// EachRearranged calls fn for each gene with a structural variant, as EachMutated does. A variant of two
// genes belongs to both.
func (s *Study) EachRearranged(fn func(g *AlteredGene)) (ExcludedRows, error) {
	p, err := s.profile(StructuralVariants)
	if err != nil {
		return ExcludedRows{}, err
	}
	t, err := s.rearrangements(p)
	if err != nil {
		return ExcludedRows{}, err
	}
	return s.eachAltered(p, t, true, fn)
}

func (s *Study) eachAltered(
	p Profile, t *mutationTable, includeSilent bool, fn func(g *AlteredGene),
) (omitted ExcludedRows, err error) {
	c, err := s.coverage(p)
	if err == nil {
		err = c.unknown
	}
	if err != nil {
		return omitted, err
	}
	place, err := s.placesOf(t)
	if err != nil {
		return omitted, err
	}
	quiets := map[bool][]bool{false: t.silentClasses(includeSilent, false), true: t.silentClasses(includeSilent, true)}
	groups, other := s.sameGenes(t)
	if len(c.panels) > 0 { // a panel may list a gene of the table under another name
		for symbol, names := range s.otherNames(t.Genes) {
			other[symbol] = names
		}
	}
	counted := make([]int, len(c.in)) // by sample: 1 + the index of the group it was last counted for
	for i, same := range groups {
		g := &AlteredGene{key: geneKey{names: []string{s.nameOf(t, same)}}}
		for _, one := range same {
			g.key.add(t.Genes[one], t.Entrez[one])
			for _, name := range other[t.Genes[one]] {
				g.key.add(name, 0)
			}
		}
		g.key = s.onPanels(g.key)
		g.Gene = symbols.Spell(g.key.names[0])
		covers, quiet := c.covering(g.key), quiets[g.key.promoterCounts()]
		for _, one := range same {
			for _, row := range t.rowsOf(one) {
				at := place[t.Sample[row]]
				switch {
				case quiet[t.Class[row]]:
					omitted.Silent++
				case at < 0:
					omitted.addUnknown(t.Samples[t.Sample[row]])
				case !c.in[at] || c.panel[at] >= 0 && !covers[c.panel[at]]:
					omitted.NotProfiled++
				default:
					g.Events++
					if counted[at] != i+1 {
						counted[at] = i + 1
						g.Samples = append(g.Samples, at)
					}
				}
			}
		}
		if g.Events > 0 {
			fn(g)
		}
	}
	return omitted, nil
}

// rearrangements returns the structural variants as a table with a row for each gene of a variant.
func (s *Study) rearrangements(p Profile) (*mutationTable, error) {
	f, err := s.fusions()
	if err != nil {
		return nil, err
	}
	t := &mutationTable{File: p.File, Classes: []string{unknownClass}}
	var genes, samples dictionary
	for _, row := range f.rows {
		sample, last := samples.number([]byte(row.sample)), -1
		for i, symbol := range []string{row.Site1, row.Site2} {
			if missing([]byte(symbol)) {
				continue
			}
			gene := genes.number([]byte(strings.ToUpper(symbol)))
			t.Entrez.record(gene, []int32{row.entrez1, row.entrez2}[i])
			if int(gene) != last {
				t.Gene, t.Sample, t.Class = append(t.Gene, gene), append(t.Sample, sample), append(t.Class, 0)
			}
			last = int(gene)
		}
	}
	t.Genes, t.Samples = genes.words, samples.words
	t.sortRows()
	return t, nil
}

// ProfiledCounts counts the samples of each group that are profiled for a gene.
type ProfiledCounts struct {
	coverage *coverage
	all      []int   // by group: samples for which all genes are covered
	onPanel  [][]int // by panel and group
}

// ProfiledCounts returns the counts for a profile of mutations or structural variants. group holds the
// group of each sample, negative for none. It returns an error of kind NoPanel if the genes of a panel are
// unknown.
func (s *Study) ProfiledCounts(p Profile, group []int, groups int) (*ProfiledCounts, error) {
	c, err := s.coverage(p)
	if err == nil {
		err = c.unknown
	}
	if err != nil {
		return nil, err
	}
	n := &ProfiledCounts{coverage: c, all: make([]int, groups), onPanel: make([][]int, len(c.panels))}
	for i := range n.onPanel {
		n.onPanel[i] = make([]int, groups)
	}
	for i, in := range c.in {
		switch {
		case !in || group[i] < 0:
		case c.panel[i] < 0:
			n.all[group[i]]++
		default:
			n.onPanel[c.panel[i]][group[i]]++
		}
	}
	return n, nil
}

// Unlisted reports whether nothing says which samples were examined. The counts then have every sample,
// and are not the denominators of rates.
func (n *ProfiledCounts) Unlisted() bool { return n.coverage.unlisted }

// Of returns the number of profiled samples by group.
func (n *ProfiledCounts) Of(g *AlteredGene) []int {
	counts := append([]int(nil), n.all...)
	for i, covered := range n.coverage.covering(g.key) {
		if covered {
			for group, k := range n.onPanel[i] {
				counts[group] += k
			}
		}
	}
	return counts
}
