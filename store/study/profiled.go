package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// ProfiledSamples tells which samples were assayed for a gene. Their number is the denominator of a
// rate.
type ProfiledSamples struct {
	Included []bool // by sample
	N        int    // number of samples
	Patients int    // number of patients with a profiled sample
	Basis    string // how they were determined, such as "case list laml_sequenced and gene panel matrix"
	Notices  []string
	Samples  *Samples // all samples of the study
	// Unlisted is set if nothing says which samples were assayed. Included then has every
	// sample, and N is not the denominator of a rate.
	Unlisted bool
}

// coverage tells which samples were assayed for a kind of data, and on which panel.
type coverage struct {
	in       []bool
	panel    []int // by sample: index in panels, or -1 if all genes are covered
	panels   []Panel
	size     []int // number of samples by panel
	basis    string
	notices  []string
	unlisted bool
	unknown  error // set if samples were assayed on panels whose genes are unknown
	samples  *Samples
}

// ProfiledSamples returns the samples assayed for a gene: those in the case list of the data whose
// panel, given by the panel matrix or the meta file, includes the gene. A sample of the list
// counts as covered if the matrix does not name it, but not if the matrix has NA for it.
//
// Without a case list, copy number and expression use the samples of their table; for other
// data the panel matrix alone decides. Without both, a mutation file may name the sequenced
// samples, and the samples examined for structural variants are unknown; otherwise all samples
// count.
// GeneValues also excludes samples without a value.
//
// If the genes of a panel are unknown, the error is of kind NoPanel. An empty gene asks for
// samples assayed for any gene.
func (s *Study) ProfiledSamples(p Profile, gene string) (*ProfiledSamples, error) {
	return s.profiledFor(p, s.gene(gene))
}

func (s *Study) profiledFor(p Profile, gene geneKey) (*ProfiledSamples, error) {
	c, err := s.coverage(p)
	if err == nil && gene.names[0] != "" {
		err = c.unknown
	}
	if err != nil {
		return nil, err
	}
	covers := c.covering(gene)
	r := &ProfiledSamples{
		Included: make([]bool, len(c.in)), Basis: c.basis, Notices: slices.Clip(c.notices), Samples: c.samples,
		Unlisted: c.unlisted,
	}
	for i, in := range c.in {
		r.Included[i] = in && (c.panel[i] < 0 || covers[c.panel[i]])
	}
	r.count()
	return r, nil
}

func (r *ProfiledSamples) count() {
	r.N, r.Patients = 0, 0
	for _, of := range r.Samples.ByPatient {
		n := 0
		for _, i := range of {
			if r.Included[i] {
				n++
			}
		}
		r.N += n
		if n > 0 {
			r.Patients++
		}
	}
}

// suchAs returns " (such as A, B)" for a list of examples, of which it names the first three.
func suchAs(examples []string) string {
	if len(examples) == 0 {
		return ""
	}
	return " (such as " + strings.Join(examples[:min(3, len(examples))], ", ") + ")"
}

// notef adds a notice.
func (c *coverage) notef(format string, args ...any) {
	c.notices = append(c.notices, fmt.Sprintf(format, args...))
}

// mask sets the values of samples that are not profiled for the gene to NaN.
func (c *coverage) mask(gene geneKey, values []float64) {
	covers := c.covering(gene)
	for i, in := range c.in {
		if !in || c.panel[i] >= 0 && !covers[c.panel[i]] {
			values[i] = math.NaN()
		}
	}
}

// covering reports, for each panel, whether it includes the gene.
func (c *coverage) covering(gene geneKey) []bool {
	covers := make([]bool, len(c.panels))
	for i, p := range c.panels {
		covers[i] = p.covers(gene)
	}
	return covers
}

// coverage returns the coverage of a profile, which it reads once.
func (s *Study) coverage(p Profile) (*coverage, error) {
	s.assays.Lock()
	defer s.assays.Unlock()
	if c, ok := s.coverages[p.File]; ok {
		return c, nil
	}
	c, err := s.readCoverage(p)
	if err == nil {
		s.coverages[p.File] = c
	}
	return c, err
}

func (s *Study) readCoverage(p Profile) (*coverage, error) {
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	list, err := s.assayedList(p.Data)
	if err != nil {
		return nil, err
	}
	matrix, err := s.matrix()
	if err != nil {
		return nil, err
	}
	var panelOf []int32
	if matrix != nil {
		panelOf = matrix.columnFor(p.Data, s.normalizeProfileID(p.StableID))
	}
	var sequenced []string
	if list == nil && panelOf == nil && p.Data == Mutations {
		t, err := s.mutations()
		if err == nil && t.File != p.File {
			t, err = s.mutationsOf(p)
		}
		if err != nil {
			return nil, err
		}
		sequenced = t.Sequenced
	}
	c := &coverage{in: make([]bool, len(samples.IDs)), panel: make([]int, len(samples.IDs)), samples: samples}
	var named []string // assayed samples, before panels are considered
	unknown := 0       // assayed samples that are not in the study
	var examples []string
	switch {
	case list != nil:
		named, c.basis = list.samples, "case list "+list.stableID
	case p.Data == CopyNumber || p.Data == Expression || p.Data == Protein:
		m, err := s.Matrix(p)
		if err != nil {
			return nil, err
		}
		named, c.basis = m.index.Samples, "samples of "+p.File
	case panelOf != nil:
		for i, panel := range panelOf {
			c.in[i] = panel > 0
		}
		unknown, examples = matrix.unknown, matrix.examples
	case p.Data == StructuralVariants:
		named, c.basis, c.unlisted = samples.IDs, "no list of the samples examined for structural variants", true
		c.notef("No list says which samples of %s were examined for structural variants, so there are counts "+
			"and no rate.", s.ID)
	case sequenced != nil:
		named, c.basis = sequenced, "sequenced_samples of "+p.File
	default:
		named, c.basis = samples.IDs, "all samples of "+strings.TrimPrefix(samples.Basis, "samples of ")
		c.notef("Study %s has no list of the samples with %s data, so all its samples count as profiled.",
			s.ID, p.Data.words())
	}
	if list != nil {
		if _, err := samples.match(list.file, named); err != nil {
			return nil, err
		}
	}
	for _, id := range named {
		if i, ok := samples.Number(id); ok {
			c.in[i] = true
		} else {
			unknown++
			examples = append(examples, id)
		}
	}
	if samples.DuplicateRows > 0 {
		c.notef("%s of %s excluded: same sample as an earlier row, with another barcode.",
			english.Plural(samples.DuplicateRows, "row", ""), samples.Basis)
	}
	if unknown > 0 {
		c.notef("%s with %s data excluded: not in %s%s.",
			english.Plural(unknown, "sample", ""), p.Data.words(), samples.Basis, suchAs(examples))
	}
	if panelOf != nil || p.GenePanel != "" {
		if n := c.addPanels(s, matrix, panelOf, p.GenePanel); n > 0 {
			c.notef("%s excluded as not profiled: the gene panel matrix has NA for the %s data.",
				english.Plural(n, "sample", ""), p.Data.words())
		}
	}
	for i, in := range c.in {
		switch {
		case !in:
		case panelOf == nil && p.GenePanel == "" || c.panel[i] < 0:
			c.panel[i] = -1
		default:
			c.size[c.panel[i]]++
		}
	}
	c.unknown = c.unknownPanelsError(s.ID)
	return c, nil
}

// addPanels assigns each sample its panel, from the matrix or, without a matrix, the panel
// named all. It excludes samples with NA in the matrix and returns their number.
func (c *coverage) addPanels(s *Study, matrix *panelMatrix, panelOf []int32, all string) (naCount int) {
	names, basis := []string{all}, "gene panel "+all
	if panelOf != nil {
		names, basis = matrix.panels, "gene panel matrix"
	}
	if c.basis != "" {
		basis = c.basis + " and " + basis
	}
	c.basis = basis
	// meaning maps each name in the matrix to an index in panels or to one of these.
	const everything, nothing = -1, -2
	meaning := make([]int, len(names))
	for i, name := range names {
		panel, known := s.panels().byID[strings.ToUpper(name)]
		switch {
		case !known && exome(name):
			meaning[i] = everything
		case missing([]byte(name)):
			meaning[i] = nothing
		default:
			meaning[i] = len(c.panels)
			if !known {
				panel = Panel{ID: name}
			}
			c.panels, c.size = append(c.panels, panel), append(c.size, 0)
		}
	}
	for i := range c.in {
		name := 0
		if panelOf != nil {
			name = int(panelOf[i]) - 1
		}
		c.panel[i] = everything
		if c.in[i] && name >= 0 {
			c.panel[i] = meaning[name]
			if c.in[i] = meaning[name] != nothing; !c.in[i] {
				naCount++
			}
		}
	}
	return naCount
}

// unknownPanelsError returns an error if samples were assayed on panels whose genes are unknown.
func (c *coverage) unknownPanelsError(id string) error {
	var names []string
	samples := 0
	for i, p := range c.panels {
		if len(p.Genes) == 0 && c.size[i] > 0 {
			names = append(names, p.ID)
			samples += c.size[i]
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	which := "panel " + names[0]
	if len(names) > 1 {
		which = "panels " + strings.Join(names, ", ")
	}
	err := newError(NoPanel, "the genes of the %s (%s) are unknown: study download %s fetches them from cBioPortal, "+
		"study panels add FILE reads them from a file", which, english.Plural(samples, "sample", ""), id)
	err.Study = id
	return err
}
