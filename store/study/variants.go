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
	p, err := s.profile(StructuralVariants)
	if err != nil {
		return nil, nil, omitted, err
	}
	key := s.gene(gene)
	if on, err = s.profiledFor(p, key); err != nil {
		return nil, nil, omitted, err
	}
	l, h, done, err := s.table(p.File)
	if err != nil {
		return nil, nil, omitted, err
	}
	defer done()
	columns := []int{
		h.column("SAMPLE_ID", "TUMOR_SAMPLE_BARCODE"),
		h.column("SITE1_HUGO_SYMBOL", "HUGO_SYMBOL"), h.column("SITE2_HUGO_SYMBOL"),
		h.column("SITE2_EFFECT_ON_FRAME", "FRAME"),
		h.column("TUMOR_SPLIT_READ_COUNT"), h.column("NORMAL_SPLIT_READ_COUNT"),
		h.column("EVENT_INFO", "FUSION"),
		h.column("SITE1_ENTREZ_GENE_ID", "ENTREZ_GENE_ID"), h.column("SITE2_ENTREZ_GENE_ID"),
	}
	if columns[0] < 0 {
		return nil, nil, omitted, l.errorf("", "no column SAMPLE_ID")
	}
	if columns[1] < 0 && columns[2] < 0 {
		return nil, nil, omitted, l.errorf("", "no column SITE1_HUGO_SYMBOL or SITE2_HUGO_SYMBOL")
	}
	var ids dictionary
	err = l.rows(h, columns, func(f [][]byte) error {
		if len(f[0]) == 0 {
			return l.errorf(h.names[columns[0]], "no sample")
		}
		ids.number(f[0])
		one, two := text(f[1]), text(f[2])
		if !key.matches(one, entrez(f[7])) && !key.matches(two, entrez(f[8])) {
			return nil
		}
		at, known := on.Samples.Number(text(f[0]))
		if !known {
			omitted.addUnknown(text(f[0]))
			return nil
		}
		if !on.Included[at] {
			omitted.NotProfiled++
			return nil
		}
		list = append(list, StructuralVariant{
			Sample: at, Site1: spell(one), Site2: spell(two), Frame: text(f[3]), TumorSplitReads: text(f[4]),
			NormalSplitReads: text(f[5]), Event: text(f[6]),
		})
		return nil
	})
	if err == nil {
		_, err = on.Samples.match(p.File, ids.words)
	}
	return list, on, omitted, err
}
