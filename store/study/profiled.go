package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Profiled says which samples were assayed for a gene: the denominator of a rate.
type Profiled struct {
	In       []bool // by sample
	N        int    // samples
	Patients int    // patients with such a sample
	Basis    string // what says so: "case list laml_sequenced and gene panel matrix"
	Notices  []string
}

// coverage says which samples were assayed for data of a sort, and on which panel.
type coverage struct {
	in      []bool
	panel   []int // of each sample, in panels; -1 where every gene is covered
	panels  []Panel
	size    []int // samples of each panel
	exome   int   // samples in which every gene is covered
	basis   string
	notices []string
}

// Profiled are the samples assayed for a gene: those of the case list of the data
// whose panel, by the panel matrix or the meta file, has the gene. A sample of the
// list that the matrix does not name counts as covered, one that it gives NA does not.
// A panel whose genes are not known is left out and named in a notice. Without a case
// list the matrix alone decides; without both, all samples count. An empty gene asks for
// those assayed for any. For copy number and expression, those without a value are
// left out as well by GeneValues.
func (s *Study) Profiled(p Profile, gene string) (*Profiled, error) {
	c, err := s.coverage(p)
	if err != nil {
		return nil, err
	}
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	covers := c.covering(gene)
	r := &Profiled{In: make([]bool, len(c.in)), Basis: c.basis, Notices: c.notices}
	for i, in := range c.in {
		r.In[i] = in && (c.panel[i] < 0 || covers[c.panel[i]])
	}
	r.count(samples)
	return r, nil
}

func (r *Profiled) count(samples *Samples) {
	r.N, r.Patients = 0, 0
	for _, of := range samples.ByPatient {
		n := 0
		for _, i := range of {
			if r.In[i] {
				n++
			}
		}
		r.N += n
		if n > 0 {
			r.Patients++
		}
	}
}

// covering says of each panel whether it has the gene.
func (c *coverage) covering(gene string) []bool {
	covers := make([]bool, len(c.panels))
	for i, p := range c.panels {
		covers[i] = gene == "" || p.genes[strings.ToUpper(gene)]
	}
	return covers
}

// samplesFor is how many samples are profiled for a gene.
func (c *coverage) samplesFor(gene string) int {
	n := c.exome
	for i, covered := range c.covering(gene) {
		if covered {
			n += c.size[i]
		}
	}
	return n
}

func (s *Study) coverage(p Profile) (*coverage, error) {
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	list, err := s.assayed(p.Data)
	if err != nil {
		return nil, err
	}
	matrix, err := s.matrix()
	if err != nil {
		return nil, err
	}
	var panelOf map[string]string
	if matrix != nil {
		panelOf = matrix.of(p.Data, p.StableID)
	}
	c := &coverage{in: make([]bool, len(samples.IDs)), panel: make([]int, len(samples.IDs))}
	var named []string // samples, before panels are looked at
	switch {
	case list != nil:
		named, c.basis = list.Samples, "case list "+list.StableID
	case p.Data == CopyNumber || p.Data == Expression:
		m, err := s.Matrix(p)
		if err != nil {
			return nil, err
		}
		named, c.basis = m.index.Samples, "samples of "+p.File
	case panelOf != nil:
		named, c.basis = slices.Sorted(maps.Keys(panelOf)), ""
	default:
		named, c.basis = samples.IDs, "all samples of "+strings.TrimPrefix(samples.Basis, "samples of ")
		c.notices = append(c.notices, fmt.Sprintf("Study %s has no list of the samples with %s data, so all its samples count as profiled.", s.ID, p.Data.words()))
	}
	unknown := 0
	for _, id := range named {
		if i, ok := samples.Number(id); ok {
			c.in[i] = true
		} else {
			unknown++
		}
	}
	if unknown > 0 {
		c.notices = append(c.notices, fmt.Sprintf("%d samples that have %s data are not in %s and are left out.", unknown, p.Data.words(), samples.Basis))
	}
	if panelOf != nil || p.GenePanel != "" {
		c.addPanels(s, samples, panelOf, p.GenePanel)
	}
	for i, in := range c.in {
		switch {
		case !in:
		case panelOf == nil && p.GenePanel == "" || c.panel[i] < 0:
			c.panel[i] = -1
			c.exome++
		default:
			c.size[c.panel[i]]++
		}
	}
	return c, nil
}

// addPanels gives each sample its panel, and takes out samples that have none.
func (c *coverage) addPanels(s *Study, samples *Samples, panelOf map[string]string, all string) {
	basis := "gene panel matrix"
	if panelOf == nil {
		basis = "gene panel " + all
	}
	if c.basis != "" {
		basis = c.basis + " and " + basis
	}
	c.basis = basis
	at := map[string]int{}
	absent := map[string]int{}
	for i, id := range samples.IDs {
		if c.panel[i] = -1; !c.in[i] {
			continue
		}
		name, named := panelOf[id]
		if panelOf == nil {
			name, named = all, true
		}
		if !named || exome(name) {
			continue
		}
		if missing([]byte(name)) {
			c.in[i] = false
			continue
		}
		key := strings.ToUpper(name)
		n, known := at[key]
		if !known {
			panel, have := s.panels()[key]
			if !have {
				absent[name]++
				c.in[i] = false
				continue
			}
			n = len(c.panels)
			at[key] = n
			c.panels, c.size = append(c.panels, panel), append(c.size, 0)
		}
		c.panel[i] = n
	}
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		c.notices = append(c.notices, fmt.Sprintf("The genes of panel %s are not known, so its %d samples are not in the denominator; put the panel's file into the folder %s.", name, absent[name], panelFolder))
	}
}
