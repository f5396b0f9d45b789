package study

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"biomcp/store/study/stats"
	"biomcp/store/study/symbols"
)

// GeneMutations holds the mutations of one gene in the samples profiled for it.
type GeneMutations struct {
	Gene           string   // as requested, in HGNC's letter case
	Names          []string // the gene's names in the table, in HGNC's letter case
	Profiled       *ProfiledSamples
	Variants       []Variant // in file order
	Mutated        []bool    // by sample; true only for profiled samples
	MutatedSamples int       // number of mutated samples
	ExcludedRows
	File          string // file with the rows
	PreferredFile string // the preferred file, if it lacks the gene and another file has it
	HasRows       bool   // the table has a row of the gene, of any class
	HasDriver     bool   // the file tells drivers from passengers (cbp_driver)
	HasStatus     bool   // the file has the column Mutation_Status
	ProteinLength int    // in amino acids, if the file gives it and every variant fits; otherwise 0
}

// ExcludedRows counts the excluded rows by reason.
type ExcludedRows struct {
	Silent        int       // do not change the protein; 0 if silent variants were requested
	NotProfiled   int       // sample not profiled for the gene
	UnknownSample int       // sample not in the study
	Unknown       [3]string // the first of these samples
}

// addUnknown counts a row whose sample is not in the study.
func (r *ExcludedRows) addUnknown(sample string) {
	r.UnknownSample++
	if at := slices.Index(r.Unknown[:], ""); at >= 0 && !slices.Contains(r.Unknown[:], sample) {
		r.Unknown[at] = sample
	}
}

// GeneMutations reads the mutations of a gene. Unless includeSilent is set, it drops variants
// that do not change the protein: silent, intronic, RNA and intergenic variants and those in
// untranslated or flanking regions. Variants in the promoter of TERT are kept. If the preferred
// mutation file has no row of the gene, GeneMutations tries the other mutation files.
func (s *Study) GeneMutations(gene string, includeSilent bool) (*GeneMutations, error) {
	if gene = strings.ToUpper(strings.TrimSpace(gene)); gene == "" {
		return nil, newError(Invalid, "the gene is missing")
	}
	t, err := s.mutations()
	if err != nil {
		return nil, err
	}
	p, _ := s.Profile(Mutations)
	key := s.gene(gene)
	rows, instead := t.find(&key), ""
	place, err := s.places()
	if err != nil {
		return nil, err
	}
	for _, other := range s.similarProfiles(p) {
		if len(rows) > 0 {
			break
		}
		if further, err := s.mutationsOf(other); err == nil && len(further.find(&key)) > 0 {
			p, t, rows, instead = other, further, further.find(&key), t.File
			if place, err = s.placesOf(t); err != nil {
				return nil, err
			}
		}
	}
	on, err := s.profiledFor(p, key)
	if err != nil {
		return nil, err
	}
	g := &GeneMutations{
		File: t.File, PreferredFile: instead, Gene: symbols.Spell(gene), Names: t.namesOf(rows), HasRows: len(rows) > 0,
		Profiled: on, Mutated: make([]bool, len(on.Included)), HasDriver: t.Driver != nil, HasStatus: t.Germline != nil,
	}
	promoter := key.promoterCounts()
	quiet := t.silentClasses(includeSilent, promoter)
	for _, row := range rows {
		at := place[t.Sample[row]]
		switch {
		case quiet[t.Class[row]]:
			g.Silent++
		case at < 0:
			g.addUnknown(t.Samples[t.Sample[row]])
		case !on.Included[at]:
			g.NotProfiled++
		default:
			g.ProteinLength = max(g.ProteinLength, int(t.Length[t.Gene[row]]))
			g.Variants = append(g.Variants, t.variant(row, at, promoter))
			if !g.Mutated[at] {
				g.Mutated[at] = true
				g.MutatedSamples++
			}
		}
	}
	if slices.ContainsFunc(g.Variants, func(v Variant) bool { return v.Position > g.ProteinLength }) {
		g.ProteinLength = 0
	}
	return g, nil
}

func (t *mutationTable) silentClasses(include, promoter bool) []bool {
	quiet := make([]bool, len(t.Classes))
	for i, c := range t.Classes {
		quiet[i] = !include && silent(c, promoter)
	}
	return quiet
}

// namesOf returns the distinct gene names in rows.
func (t *mutationTable) namesOf(rows []uint32) (names []string) {
	for _, row := range rows {
		if name := symbols.Spell(t.Genes[t.Gene[row]]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// GroupByMutation groups patients into mutant and wild type. A patient is mutant if any profiled sample
// is mutated.
func (g *GeneMutations) GroupByMutation() Grouping {
	samples := g.Profiled.Samples
	c := Grouping{
		Names: []string{g.Gene + "-mutant", g.Gene + "-wildtype"}, Group: make([]int, len(samples.Patients)),
		Reason: "not profiled for " + g.Gene, BeforeFollowUp: true,
	}
	for patient, of := range samples.ByPatient {
		c.Group[patient] = -1
		for _, i := range of {
			switch {
			case g.Mutated[i]:
				c.Group[patient] = 0
			case g.Profiled.Included[i] && c.Group[patient] < 0:
				c.Group[patient] = 1
			}
		}
	}
	return c
}

// A GeneCount tells how often one gene is mutated.
type GeneCount struct {
	Gene     string
	Samples  int // number of mutated samples
	Events   int // number of rows
	Profiled int // number of samples profiled for the gene
}

// MutatedGenes counts the mutations of every gene in the table. It sorts by mutated samples,
// then rows, both descending, then by name. Genes with the same Entrez ID, and without an ID
// those that HGNC renamed, are one gene, named as on a panel or else by the most frequent name.
func (s *Study) MutatedGenes(includeSilent bool) (genes []GeneCount, omitted ExcludedRows, err error) {
	samples, err := s.Samples()
	if err != nil {
		return nil, omitted, err
	}
	p, err := s.profile(Mutations)
	if err != nil {
		return nil, omitted, err
	}
	profiled, err := s.ProfiledCounts(p, make([]int, len(samples.IDs)), 1)
	if err != nil {
		return nil, omitted, err
	}
	genes = []GeneCount{}
	omitted, err = s.EachMutated(includeSilent, func(g *AlteredGene) {
		genes = append(genes, GeneCount{Gene: g.Gene, Samples: len(g.Samples), Events: g.Events, Profiled: profiled.Of(g)[0]})
	})
	if err != nil {
		return nil, omitted, err
	}
	slices.SortFunc(genes, func(a, b GeneCount) int {
		return cmp.Or(b.Samples-a.Samples, b.Events-a.Events, cmp.Compare(a.Gene, b.Gene))
	})
	return genes, omitted, nil
}

// sameGenes groups the table's genes by gene: those with one Entrez ID, and those without an ID
// that have a previous or the approved symbol of another one. It also returns the other names of
// genes without an ID.
func (s *Study) sameGenes(t *mutationTable) (groups [][]uint32, other map[string][]string) {
	var unknown []string
	for i, name := range t.Genes {
		if t.Entrez[i] <= 0 {
			unknown = append(unknown, name)
		}
	}
	other = s.otherNames(unknown)
	group := make([]int, len(t.Genes)) // 1 + the index in groups
	for i := range t.Genes {
		same := []uint32{uint32(i)}
		if id := t.Entrez[i]; id > 0 {
			same = t.genesByEntrez[id]
		}
		for _, name := range other[t.Genes[i]] {
			if g, ok := t.gene[strings.ToUpper(name)]; ok && !slices.Contains(same, g) {
				same = append(same, g)
			}
		}
		into := 0
		for _, g := range same {
			into = max(into, group[g])
		}
		if into == 0 {
			groups = append(groups, nil)
			into = len(groups)
		}
		for _, g := range same {
			if group[g] == 0 {
				group[g] = into
				groups[into-1] = append(groups[into-1], g)
			}
		}
	}
	return groups, other
}

// nameOf returns the display name of genes with the same Entrez ID.
func (s *Study) nameOf(t *mutationTable, aliases []uint32) string {
	if name := s.panels().symbol[t.Entrez[aliases[0]]]; name != "" {
		return name
	}
	most := aliases[0]
	for _, g := range aliases[1:] {
		if len(t.rowsOf(g)) > len(t.rowsOf(most)) {
			most = g
		}
	}
	return t.Genes[most]
}

// GeneValues holds the values of one gene in the samples profiled for it.
type GeneValues struct {
	Gene          string // as requested, in HGNC's letter case
	Row           string // name in the table, in HGNC's letter case
	Profile       Profile
	PreferredFile string           // the requested file, if it lacks the gene and another file has it
	Profiled      *ProfiledSamples // samples with a value
	Values        []float64        // by sample, NaN if not profiled
	MissingValues int              // profiled samples without a value; excluded
	DuplicateRows int              // further rows of the gene; excluded
}

// GeneValues reads the row of a gene from a profile of copy number or expression. If that file
// has no such row, GeneValues tries the other files with the same data and datatype. If none
// has it, the error is of kind NotFound.
func (s *Study) GeneValues(p Profile, gene string) (*GeneValues, error) {
	v, err := s.geneValues(p, gene)
	for _, other := range s.similarProfiles(p) {
		if !IsKind(err, NotFound) {
			break
		}
		if found, elsewhere := s.geneValues(other, gene); elsewhere == nil {
			v, err = found, nil
			v.PreferredFile = p.File
		}
	}
	return v, err
}

func (s *Study) geneValues(p Profile, gene string) (*GeneValues, error) {
	if gene = strings.ToUpper(strings.TrimSpace(gene)); gene == "" {
		return nil, newError(Invalid, "the gene is missing")
	}
	m, err := s.Matrix(p)
	if err != nil {
		return nil, err
	}
	key := s.gene(gene)
	row, values, err := m.row(&key)
	if err != nil {
		return nil, err
	}
	on, err := s.profiledFor(p, key)
	if err != nil {
		return nil, err
	}
	on.Notices = append(on.Notices, m.Notices...)
	v := &GeneValues{
		Gene: symbols.Spell(gene), Row: symbols.Spell(row), Profile: p, Profiled: on, Values: values,
		DuplicateRows: m.index.Again[row],
	}
	for i := range values {
		switch {
		case !on.Included[i]:
			values[i] = math.NaN()
		case math.IsNaN(values[i]):
			on.Included[i] = false
			v.MissingValues++
		}
	}
	on.count()
	return v, nil
}

// PatientMeans returns the mean over each patient's samples, NaN if no sample has a value.
func (v *GeneValues) PatientMeans() []float64 { return v.Profiled.Samples.patientMeans(v.Values) }

// patientMeans returns the mean of values over each patient's samples, ignoring NaN.
func (p *Samples) patientMeans(values []float64) []float64 {
	means := make([]float64, len(p.Patients))
	for patient, of := range p.ByPatient {
		var own []float64
		for _, i := range of {
			if !math.IsNaN(values[i]) {
				own = append(own, values[i])
			}
		}
		means[patient] = stats.Mean(own)
	}
	return means
}
