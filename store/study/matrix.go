package study

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/store/replace"
	"biomcp/store/study/symbols"
)

// A matrixIndex locates the row of each gene in a table of genes by samples.
type matrixIndex struct {
	File    string
	Samples []string
	First   int // column of the first sample
	Genes   []string
	Entrez  entrezIDs // by gene
	Offset  []int64
	Length  []int32
	Line    []int32
	Again   map[string]int // number of duplicate rows by gene; they are excluded
	Text    string         // path of the unpacked text in the cache folder; "" if not packed or not saved
	Packed  bool
	Cells   *cells // set for a file with one row per gene and sample; Offset is then empty
}

// countDuplicate counts a duplicate row of a gene.
func (t *matrixIndex) countDuplicate(gene string) {
	if t.Again == nil {
		t.Again = map[string]int{}
	}
	t.Again[gene]++
}

// A Matrix is a table of genes by samples with copy number or expression. Rows are read on
// demand.
type Matrix struct {
	Profile     Profile
	Notices     []string
	study       *Study
	samples     *Samples
	index       *matrixIndex
	gene        map[string]int
	rowByEntrez map[int32]int // row by Entrez ID
	number      []int         // by column: sample number, -1 if unknown or a duplicate
}

// Matrix opens the table of a profile of copy number or expression.
func (s *Study) Matrix(p Profile) (*Matrix, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m, ok := s.matrices[p.File]; ok {
		return m, nil
	}
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	index, err := loadIndexed(s, p.File, "matrix", buildMatrix)
	if err != nil {
		return nil, err
	}
	number, err := samples.match(p.File, index.Samples)
	if err != nil {
		return nil, err
	}
	m := &Matrix{
		Profile: p, study: s, samples: samples, index: index, number: number,
		gene: make(map[string]int, len(index.Genes)), rowByEntrez: map[int32]int{},
	}
	for i, g := range index.Genes {
		m.gene[g] = i
		if _, known := m.rowByEntrez[index.Entrez[i]]; !known && index.Entrez[i] > 0 {
			m.rowByEntrez[index.Entrez[i]] = i
		}
	}
	again, seen := 0, map[int]bool{-1: false}
	for i, at := range m.number {
		if seen[at] {
			m.number[i] = -1
			again++
		}
		seen[at] = at >= 0
	}
	if again > 0 {
		m.Notices = []string{fmt.Sprintf("%s of %s excluded: same sample as an earlier column, with another barcode.",
			english.Plural(again, "column", ""), p.File)}
	}
	s.matrices[p.File] = m
	return m, nil
}

// lacksSampleOf reports whether the header of another table names a sample of the study that
// this matrix does not have.
func (m *Matrix) lacksSampleOf(other Profile) bool {
	_, h, done, err := m.study.table(other.File)
	if err != nil {
		return false
	}
	done()
	samples, err := m.study.Samples()
	return err == nil && slices.ContainsFunc(h.names, func(name string) bool {
		at, known := samples.Number(name)
		return known && !slices.Contains(m.number, at)
	})
}

// geneColumns lists the columns that describe a gene. All columns to the right of the last of
// them are samples.
var geneColumns = []string{
	"HUGO_SYMBOL", "ENTREZ_GENE_ID", "GENE SYMBOL", "GENE_SYMBOL", "LOCUS ID", "CYTOBAND", "COMPOSITE.ELEMENT.REF",
}

func buildMatrix(src *source, keep string) (*matrixIndex, error) {
	r, err := src.reader()
	if err != nil {
		return nil, err
	}
	t := &matrixIndex{File: src.name, Packed: src.recoded}
	read := func(r io.Reader) error { return t.read(newLines(src.name, r)) }
	if !src.recoded || keep == "" {
		return t, read(r)
	}
	// The name of the unpacked text includes the hash of the packed file, so an index never
	// points into the text of another version.
	err = replace.File(keep, func(w io.Writer) error { return read(io.TeeReader(r, w)) })
	if err != nil {
		return nil, err
	}
	t.Text = fmt.Sprintf("%s-%016x", keep, src.hash.Sum64())
	older, _ := filepath.Glob(keep + "-*")
	for _, f := range older {
		os.Remove(f)
	}
	return t, os.Rename(keep, t.Text)
}

// complete reports whether the unpacked text that the index refers to exists.
func (t *matrixIndex) complete() bool {
	if t.Text == "" {
		return true
	}
	_, err := os.Stat(t.Text)
	return err == nil
}

func (t *matrixIndex) read(l *lines) error {
	h, err := l.header()
	if err != nil {
		return err
	}
	if h.isLong() {
		return t.readLong(l, h)
	}
	hugo := h.column("HUGO_SYMBOL", "GENE SYMBOL", "GENE_SYMBOL", "COMPOSITE.ELEMENT.REF")
	entrezColumn := h.column("ENTREZ_GENE_ID", "LOCUS ID")
	if hugo < 0 && entrezColumn < 0 {
		return l.errorf("", "no column HUGO_SYMBOL")
	}
	for _, name := range geneColumns {
		t.First = max(t.First, h.column(name)+1)
	}
	if err := l.checkUnique(h, []int{hugo, entrezColumn}); err != nil {
		return err
	}
	t.Samples = h.names[t.First:]
	seen := map[string]bool{}
	for _, sample := range t.Samples {
		if seen[sample] && sample != "" {
			return l.errorf(sample, "the sample appears twice")
		}
		seen[sample] = true
	}
	clear(seen)
	return l.each(func(line []byte) error {
		n := bytes.Count(line, []byte("\t")) + 1
		extra := n - len(h.names)
		onlyTabs := len(line)-len(bytes.TrimRight(line, "\t")) >= extra // a blank last cell is a tab too
		if extra < 0 || extra > 0 && !onlyTabs {
			column := strconv.Itoa(min(n, len(h.names)) + 1)
			return l.errorf(column, "the row has %d fields, the header %d", n, len(h.names))
		}
		gene := nthField(line, hugo)
		if len(gene) == 0 {
			gene = nthField(line, entrezColumn)
		}
		if i := bytes.IndexByte(gene, '|'); i > 0 { // SYMBOL|probe
			gene = gene[:i]
		}
		name := strings.ToUpper(text(gene))
		if name == "" {
			return nil
		}
		if seen[name] {
			t.countDuplicate(name)
			return nil
		}
		seen[name] = true
		t.Entrez.record(uint32(len(t.Genes)), entrez(nthField(line, entrezColumn)))
		t.Genes = append(t.Genes, name)
		t.Offset = append(t.Offset, l.start)
		t.Length = append(t.Length, int32(l.length))
		t.Line = append(t.Line, int32(l.no))
		return nil
	})
}

// nthField returns field n of a row, counted from 0. It returns nil if n is -1 or the row is
// too short.
func nthField(line []byte, n int) []byte {
	if n < 0 {
		return nil
	}
	for ; n > 0; n-- {
		i := bytes.IndexByte(line, '\t')
		if i < 0 {
			return nil
		}
		line = line[i+1:]
	}
	if i := bytes.IndexByte(line, '\t'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimSpace(line)
}

// find returns the row of a gene, looked up by requested name, then by synonym, then by Entrez
// ID. It adds the matrix's name and ID of the gene to k.
func (m *Matrix) find(k *geneKey) (row int, ok bool) {
	for _, name := range k.names {
		if row, ok = m.gene[name]; ok {
			k.add(name, m.index.Entrez[row])
			return row, true
		}
	}
	if t, err := m.study.mutations(); k.id == 0 && err == nil { // the mutation table may have the ID
		t.find(k)
	}
	if row, ok = m.rowByEntrez[k.id]; ok {
		k.add(m.index.Genes[row], 0)
	}
	return row, ok
}

// key returns the gene key of a row.
func (m *Matrix) key(row int) geneKey {
	k := geneKey{names: []string{m.index.Genes[row]}}
	k.add(k.names[0], m.index.Entrez[row])
	return m.study.onPanels(k)
}

// Genes returns the genes of the matrix in row order.
func (m *Matrix) Genes() []string { return m.index.Genes }

// row returns the name of a gene's row and its values by sample of the study, NaN if a sample
// has no finite value. If the gene has no row, the error is of kind NotFound.
func (m *Matrix) row(key *geneKey) (name string, values []float64, err error) {
	i, ok := m.find(key)
	if !ok {
		return "", nil, newError(NotFound, "gene %s has no row in %s", symbols.Spell(key.names[0]), m.index.File)
	}
	name, values = m.index.Genes[i], m.blank()
	if m.index.Cells != nil {
		m.index.Cells.fill(i, m.number, values)
		return name, values, nil
	}
	line := make([]byte, m.index.Length[i])
	if err := m.index.readAt(m.study, m.index.Offset[i], line); err != nil {
		return "", nil, err
	}
	return name, values, m.parse(line, int(m.index.Line[i]), values)
}

func (t *matrixIndex) readAt(s *Study, offset int64, line []byte) error {
	failed := func(err error) error {
		if err == nil {
			return nil
		}
		return &Error{Kind: Failed, File: t.File, Message: "the file cannot be read", Err: err}
	}
	if t.Text != "" {
		f, err := os.Open(t.Text)
		if err != nil {
			return failed(err)
		}
		defer f.Close()
		_, err = f.ReadAt(line, offset)
		return failed(err)
	}
	src, err := s.open(t.File)
	if err != nil {
		return err
	}
	defer src.close()
	if !t.Packed {
		_, err := src.file.ReadAt(line, offset)
		return failed(err)
	}
	r, err := src.reader()
	if err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, r, offset); err != nil {
		return failed(err)
	}
	_, err = io.ReadFull(r, line)
	return failed(err)
}

// blank returns a slice of NaN with one element per sample of the study.
func (m *Matrix) blank() []float64 { return slices.Repeat([]float64{math.NaN()}, len(m.samples.IDs)) }

// parse stores the values of a row in values.
func (m *Matrix) parse(line []byte, no int, values []float64) error {
	line = bytes.TrimRight(line, "\r\n")
	for range m.index.First {
		_, line, _ = bytes.Cut(line, []byte("\t"))
	}
	var field []byte
	for i, at := range m.number {
		field, line, _ = bytes.Cut(line, []byte("\t"))
		field = bytes.TrimSpace(field)
		if at < 0 {
			continue
		}
		if v, ok := decimal(field); ok {
			values[at] = v
			continue
		}
		values[at] = math.NaN()
		v, err := strconv.ParseFloat(string(field), 64)
		switch {
		case err == nil && !math.IsInf(v, 0):
			values[at] = v
		case err != nil && !errors.Is(err, strconv.ErrRange) && !missing(field):
			err := newError(Malformed, "%q is not a number", text(field))
			err.File, err.Line, err.Column = m.index.File, no, m.index.Samples[i]
			return err
		}
	}
	return nil
}
