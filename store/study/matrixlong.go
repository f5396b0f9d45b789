package study

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"biomcp/store/study/symbols"
)

// cells holds the values of a matrix whose file has one row per gene and sample (cBioPortal's
// datatype DISCRETE_LONG), ordered by gene. A combination without a row has no value; it is not
// assumed to be unchanged.
type cells struct {
	Start  []uint32 // by gene: index of its first value; one more at the end
	Sample []uint32 // index in matrixIndex.Samples
	Value  []float64
}

// isLong reports whether the table has one row per gene and sample.
func (h *header) isLong() bool { return h.column("SAMPLE_ID") >= 0 && h.column("VALUE") >= 0 }

// readLong reads the rows of such a table after its header. It excludes duplicate values of a
// gene and sample.
func (t *matrixIndex) readLong(l *lines, h *header) error {
	type cell struct {
		gene, sample uint32
		value        float64
	}
	var genes, samples dictionary
	var all []cell
	seen := map[[2]uint32]bool{}
	columns := []int{h.column("HUGO_SYMBOL"), h.column("ENTREZ_GENE_ID"), h.column("SAMPLE_ID"), h.column("VALUE")}
	err := l.rows(h, columns, func(f [][]byte) error {
		symbol := bytes.ToUpper(f[0])
		if len(symbol) == 0 {
			symbol = f[1]
		}
		switch {
		case len(symbol) == 0:
			return nil
		case len(f[2]) == 0:
			return l.errorf(h.names[columns[2]], "no sample")
		}
		c := cell{genes.number(symbol), samples.number(f[2]), math.NaN()}
		t.Entrez.record(c.gene, entrez(f[1]))
		if seen[[2]uint32{c.gene, c.sample}] {
			t.countDuplicate(genes.words[c.gene])
			return nil
		}
		seen[[2]uint32{c.gene, c.sample}] = true
		if !missing(f[3]) {
			v, err := strconv.ParseFloat(string(f[3]), 64)
			if err != nil || math.IsInf(v, 0) {
				return l.errorf(h.names[columns[3]], "%q is not a number", text(f[3]))
			}
			c.value = v
		}
		all = append(all, c)
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b cell) int { return int(a.gene) - int(b.gene) })
	t.Genes, t.Samples, t.Cells = genes.words, samples.words, &cells{Start: make([]uint32, len(genes.words)+1)}
	for _, c := range all {
		t.Cells.Start[c.gene+1]++
		t.Cells.Sample, t.Cells.Value = append(t.Cells.Sample, c.sample), append(t.Cells.Value, c.value)
	}
	for i := range t.Genes {
		t.Cells.Start[i+1] += t.Cells.Start[i]
	}
	return nil
}

// fill stores the values of a gene in values, by sample of the study. number maps columns to
// samples.
func (c *cells) fill(gene int, number []int, values []float64) {
	for i := c.Start[gene]; i < c.Start[gene+1]; i++ {
		if at := number[c.Sample[i]]; at >= 0 {
			values[at] = c.Value[i]
		}
	}
}

// eachLong implements Rows for a table with one row per gene and sample.
func (m *Matrix) eachLong(c *coverage, fn func(gene string, values []float64) error) error {
	for i, gene := range m.index.Genes {
		values := m.blank()
		m.index.Cells.fill(i, m.number, values)
		c.mask(m.key(i), values)
		if err := fn(symbols.Spell(gene), values); err != nil {
			return err
		}
	}
	return nil
}
