package study

import "biomcp/store/study/symbols"

// A StructuralVariant is one row of a table of structural variants or fusions. Its texts are ""
// if blank.
type StructuralVariant struct {
	Sample           int // index in Samples
	Site1, Site2     string
	Frame            string // Site2_Effect_On_Frame, or Frame
	TumorSplitReads  string
	NormalSplitReads string
	Event            string // Event_Info, or Fusion
	IsSite1, IsSite2 bool   // the site is the requested gene
	Driver, Germline bool   // GeneFusions tells whether the file knows
}

// GeneFusions holds the structural variants of one gene in the samples profiled for it.
type GeneFusions struct {
	Variants             []StructuralVariant
	Profiled             *ProfiledSamples
	HasDriver, HasStatus bool // the file has the columns cbp_driver and SV_Status
	ExcludedRows
}

// A fusionTable holds the parsed table of structural variants.
type fusionTable struct {
	rows                 []fusionRow
	samples              []string
	hasDriver, hasStatus bool
}

type fusionRow struct {
	StructuralVariant
	sample           string
	entrez1, entrez2 int32
}

// spell returns a symbol of HGNC's table in HGNC's letter case, and any other text as it is.
func spell(site string) string {
	if symbols.Names(site) == nil {
		return site
	}
	return symbols.Spell(site)
}

// StructuralVariants returns the rows that involve a gene, in samples profiled for it.
func (s *Study) StructuralVariants(gene string) (list []StructuralVariant, on *ProfiledSamples, omitted ExcludedRows, err error) {
	f, err := s.GeneFusions(gene)
	if err != nil {
		return nil, nil, omitted, err
	}
	return f.Variants, f.Profiled, f.ExcludedRows, nil
}

// GeneFusions reads the structural variants of a gene.
func (s *Study) GeneFusions(gene string) (*GeneFusions, error) {
	p, err := s.profile(StructuralVariants)
	if err != nil {
		return nil, err
	}
	key := s.gene(gene)
	on, err := s.profiledFor(p, key)
	if err != nil {
		return nil, err
	}
	t, err := s.fusions()
	if err != nil {
		return nil, err
	}
	g := &GeneFusions{Profiled: on, HasDriver: t.hasDriver, HasStatus: t.hasStatus}
	for _, row := range t.rows {
		v := row.StructuralVariant
		v.IsSite1, v.IsSite2 = key.matches(v.Site1, row.entrez1), key.matches(v.Site2, row.entrez2)
		if !v.IsSite1 && !v.IsSite2 {
			continue
		}
		at, known := on.Samples.Number(row.sample)
		switch {
		case !known:
			g.addUnknown(row.sample)
		case !on.Included[at]:
			g.NotProfiled++
		default:
			v.Sample, v.Site1, v.Site2 = at, spell(v.Site1), spell(v.Site2)
			g.Variants = append(g.Variants, v)
		}
	}
	_, err = on.Samples.match(p.File, t.samples)
	return g, err
}

// readFusions parses the table of structural variants.
func (s *Study) readFusions() (*fusionTable, error) {
	p, err := s.profile(StructuralVariants)
	if err != nil {
		return nil, err
	}
	l, h, done, err := s.table(p.File)
	if err != nil {
		return nil, err
	}
	defer done()
	columns := []int{
		h.column("SAMPLE_ID", "TUMOR_SAMPLE_BARCODE"),
		h.column("SITE1_HUGO_SYMBOL", "HUGO_SYMBOL"), h.column("SITE2_HUGO_SYMBOL"),
		h.column("SITE2_EFFECT_ON_FRAME", "FRAME"),
		h.column("TUMOR_SPLIT_READ_COUNT"), h.column("NORMAL_SPLIT_READ_COUNT"),
		h.column("EVENT_INFO", "FUSION"),
		h.column("SITE1_ENTREZ_GENE_ID", "ENTREZ_GENE_ID"), h.column("SITE2_ENTREZ_GENE_ID"),
		h.column("SV_STATUS"), h.column("CBP_DRIVER"),
	}
	if columns[0] < 0 {
		return nil, l.errorf("", "no column SAMPLE_ID")
	}
	if columns[1] < 0 && columns[2] < 0 {
		return nil, l.errorf("", "no column SITE1_HUGO_SYMBOL or SITE2_HUGO_SYMBOL")
	}
	for _, c := range columns[9:] { // not needed to find a variant
		delete(h.duplicates, c)
	}
	t := &fusionTable{hasStatus: columns[9] >= 0, hasDriver: columns[10] >= 0}
	var ids dictionary
	err = l.rows(h, columns, func(f [][]byte) error {
		if len(f[0]) == 0 {
			return l.errorf(h.names[columns[0]], "no sample")
		}
		sample := ids.number(f[0])
		t.rows = append(t.rows, fusionRow{
			StructuralVariant{
				Site1: text(f[1]), Site2: text(f[2]), Frame: text(f[3]), TumorSplitReads: text(f[4]),
				NormalSplitReads: text(f[5]), Event: text(f[6]), Germline: isGermline(f[9]), Driver: isDriver(f[10]),
			},
			ids.words[sample], entrez(f[7]), entrez(f[8]),
		})
		return nil
	})
	t.samples = ids.words
	return t, err
}
