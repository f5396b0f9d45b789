package study

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A mutationTable holds the parsed table of mutations: numbers for each row, and the texts that
// the numbers refer to.
type mutationTable struct {
	File                             string
	Genes, Samples, Classes, Changes []string
	Gene, Sample, Class, Change      []uint32
	Position                         []int32   // in the protein; 0 if unknown
	Length                           []int32   // protein length by gene; 0 if unknown
	Entrez                           entrezIDs // by gene
	Sequenced                        []string  // samples named by the comment #sequenced_samples: A B above the header
	Driver, Germline                 []bool    // by row; nil if the file does not have the column
	gene                             map[string]uint32
	genesByEntrez                    map[int32][]uint32 // genes by Entrez ID
	rows                             []uint32           // row numbers grouped by gene, in file order within a gene
	start                            []uint32           // index in rows of each gene's first row; one more at the end
}

// readMutations reads the table of the preferred mutation profile.
func (s *Study) readMutations() (*mutationTable, error) {
	p, err := s.profile(Mutations)
	if err != nil {
		return nil, err
	}
	return s.mutationsOf(p)
}

// mutationsOf reads the table of a profile, from its index if possible.
func (s *Study) mutationsOf(p Profile) (*mutationTable, error) {
	t, err := loadIndexed(s, p.File, "mutations", buildMutations)
	if err != nil {
		return nil, err
	}
	t.sortRows()
	return t, nil
}

// sortRows groups the rows by gene.
func (t *mutationTable) sortRows() {
	t.gene = make(map[string]uint32, len(t.Genes))
	t.genesByEntrez = map[int32][]uint32{}
	for i, g := range t.Genes {
		t.gene[g] = uint32(i)
		if id := t.Entrez[i]; id > 0 {
			t.genesByEntrez[id] = append(t.genesByEntrez[id], uint32(i))
		}
	}
	t.start = make([]uint32, len(t.Genes)+1)
	for _, g := range t.Gene {
		t.start[g+1]++
	}
	for i := range t.Genes {
		t.start[i+1] += t.start[i]
	}
	t.rows = make([]uint32, len(t.Gene))
	next := slices.Clone(t.start)
	for row, g := range t.Gene {
		t.rows[next[g]] = uint32(row)
		next[g]++
	}
}

// find returns the rows of a gene in file order. It adds the table's names and ID of the gene
// to k.
func (t *mutationTable) find(k *geneKey) []uint32 {
	var genes []uint32
	for _, name := range k.names {
		if g, ok := t.gene[name]; ok {
			genes = append(genes, g)
			k.add(name, t.Entrez[g])
		}
	}
	for _, g := range t.genesByEntrez[k.id] {
		if !slices.Contains(genes, g) {
			genes = append(genes, g)
			k.add(t.Genes[g], 0)
		}
	}
	if len(genes) == 1 {
		return t.rowsOf(genes[0])
	}
	var rows []uint32
	for _, g := range genes {
		rows = append(rows, t.rowsOf(g)...)
	}
	slices.Sort(rows)
	return rows
}

// rowsOf returns the rows of the gene with the given number.
func (t *mutationTable) rowsOf(gene uint32) []uint32 { return t.rows[t.start[gene]:t.start[gene+1]] }

// placeMutations returns the sample number of each of the table's samples, -1 if the study does
// not have the sample.
func (s *Study) placeMutations() ([]int, error) {
	t, err := s.mutations()
	if err != nil {
		return nil, err
	}
	return s.placesOf(t)
}

func (s *Study) placesOf(t *mutationTable) ([]int, error) {
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	return samples.match(t.File, t.Samples)
}

func buildMutations(src *source, _ string) (*mutationTable, error) {
	r, err := src.reader()
	if err != nil {
		return nil, err
	}
	return parseMutations(newLines(src.name, r))
}

func parseMutations(l *lines) (*mutationTable, error) {
	h, err := l.header()
	if err != nil {
		return nil, err
	}
	columns := []int{
		h.column("HUGO_SYMBOL"), h.column("ENTREZ_GENE_ID"), h.column("TUMOR_SAMPLE_BARCODE", "SAMPLE_ID"),
		h.column("VARIANT_CLASSIFICATION"), h.column("HGVSP_SHORT"), h.column("PROTEIN_POSITION"),
		h.column("MUTATION_STATUS"), h.column("VALIDATION_STATUS"),
		h.column("AMINO_ACID_CHANGE"), h.column("PROTEIN_CHANGE"), h.column("CBP_DRIVER"),
	}
	if columns[0] < 0 && columns[1] < 0 {
		return nil, l.errorf("", "no column HUGO_SYMBOL")
	}
	if columns[2] < 0 {
		return nil, l.errorf("", "no column TUMOR_SAMPLE_BARCODE or SAMPLE_ID")
	}
	for _, c := range columns[4:] { // duplicates of columns that describe the variant are ignored
		delete(h.duplicates, c)
	}
	t := &mutationTable{File: l.file}
	var lengths proteinLengths
	for _, c := range h.comments {
		key, ids, _ := strings.Cut(strings.Join(c, " "), ":")
		if strings.EqualFold(strings.TrimSpace(key), "sequenced_samples") {
			t.Sequenced = strings.Fields(ids)
		}
	}
	var genes, samples, classes, changes dictionary
	upper, classOf := map[string]uint32{}, map[string]uint32{}
	err = l.rows(h, columns, func(f [][]byte) error {
		if len(f[2]) == 0 {
			return l.errorf(h.names[columns[2]], "no sample")
		}
		symbol := f[0]
		if len(symbol) == 0 || strings.EqualFold(string(symbol), "Unknown") {
			if symbol = f[1]; len(symbol) == 0 || string(symbol) == "0" || missing(symbol) {
				return nil
			}
		}
		switch strings.ToUpper(string(f[6])) {
		case "NONE", "LOH", "WILDTYPE": // not a variant
			return nil
		}
		// cBioPortal also excludes retracted and refuted variants (MutationFilter, ImportExtendedMutationData).
		if word := strings.ToUpper(string(f[7])); strings.HasPrefix(word, "REDACTED") || word == "WILDTYPE" {
			return nil
		}
		g, known := upper[string(symbol)]
		if !known {
			g = genes.number([]byte(strings.ToUpper(text(symbol))))
			upper[string(symbol)] = g
		}
		class, known := classOf[string(f[3])]
		if !known {
			name, _ := NormalizeClass(text(f[3]))
			if missing(f[3]) {
				name = unknownClass
			}
			class = classes.number([]byte(name))
			classOf[string(f[3])] = class
		}
		t.Entrez.record(g, entrez(f[1]))
		change := f[4]
		for _, other := range [][]byte{f[8], f[9], nil} {
			if bytes.HasPrefix(change, []byte("p.")) || !missing(change) {
				break
			}
			change = other
		}
		t.Gene = append(t.Gene, g)
		t.Sample = append(t.Sample, samples.number(f[2]))
		t.Class = append(t.Class, class)
		t.Change = append(t.Change, changes.number(change))
		t.Position = append(t.Position, position(change, f[5]))
		if columns[6] >= 0 {
			t.Germline = append(t.Germline, isGermline(f[6]))
		}
		if columns[10] >= 0 {
			t.Driver = append(t.Driver, isDriver(f[10]))
		}
		lengths.add(g, f[5])
		return nil
	})
	t.Length = lengths.mostCommon(len(genes.words))
	t.Genes, t.Samples, t.Classes, t.Changes = genes.words, samples.words, classes.words, changes.words
	return t, err
}

// isGermline reports whether the status of a variant is germline, as in cBioPortal's MutationUtils.
func isGermline(status []byte) bool { return bytes.Contains(bytes.ToUpper(status), []byte("GERMLINE")) }

// isDriver reports whether a value of the column cbp_driver marks a driver.
func isDriver(word []byte) bool { return bytes.EqualFold(word, []byte("Putative_Driver")) }

// position returns the position of a change in the protein: the first number in change, such as
// p.R882H or p.X125_splice, or else in positionField, such as 882/912. It returns 0 if there is
// none.
func position(change, positionField []byte) int32 {
	for _, b := range [][]byte{change, positionField} {
		i := 0
		for i < len(b) && (b[i] < '0' || b[i] > '9') {
			i++
		}
		j := i
		for j < len(b) && b[j] >= '0' && b[j] <= '9' {
			j++
		}
		if n, err := strconv.Atoi(string(b[i:j])); err == nil && n > 0 && n <= math.MaxInt32 {
			return int32(n)
		}
	}
	return 0
}

// proteinLengths counts the lengths of proteins that the rows of each gene give. Rows may refer to
// different transcripts.
type proteinLengths map[uint32]map[int32]int

// add counts the length in a field such as 273/393.
func (p *proteinLengths) add(gene uint32, positionField []byte) {
	_, after, _ := bytes.Cut(positionField, []byte("/"))
	n, err := strconv.ParseInt(string(after), 10, 32)
	if err != nil || n <= 0 {
		return
	}
	if *p == nil {
		*p = proteinLengths{}
	}
	if (*p)[gene] == nil {
		(*p)[gene] = map[int32]int{}
	}
	(*p)[gene][int32(n)]++
}

// mostCommon returns the most common length for each of n genes, the greatest on a tie.
func (p proteinLengths) mostCommon(n int) []int32 {
	list := make([]int32, n)
	for gene, counts := range p {
		most := 0
		for length, count := range counts {
			if count > most || count == most && length > list[gene] {
				most, list[gene] = count, length
			}
		}
	}
	return list
}

// unknownClass replaces a blank class.
const unknownClass = "unknown"

// silent reports whether variants of a class do not change the protein: silent, intronic, RNA
// and intergenic variants and those in untranslated or flanking regions. If promoter is set,
// variants upstream of the gene are not silent.
func silent(class string, promoter bool) bool {
	switch strings.ToUpper(class) {
	case "SILENT", "INTRON", "3'UTR", "5'UTR", "3'FLANK", "RNA", "IGR":
		return true
	}
	return isPromoter(class) && !promoter
}

func isPromoter(class string) bool { return strings.EqualFold(class, "5'Flank") }

// promoterCounts reports whether cBioPortal counts promoter variants of the gene, which it does
// for TERT, Entrez ID 7015. It shows their protein change as "Promoter", whatever the file
// contains (whiteListGenesForPromoterMutations in MutationFilter.java of
// https://github.com/cBioPortal/cbioportal).
func (k geneKey) promoterCounts() bool { return k.matches("TERT", 7015) }

// variant returns a row as a Variant of the sample with the given number.
func (t *mutationTable) variant(row uint32, sample int, promoter bool) Variant {
	v := Variant{
		Sample: sample, Class: t.Classes[t.Class[row]], Change: t.Changes[t.Change[row]], Position: int(t.Position[row]),
		Driver: t.Driver != nil && t.Driver[row], Germline: t.Germline != nil && t.Germline[row],
	}
	if promoter && isPromoter(v.Class) {
		v.Change, v.Position = "Promoter", 0
	}
	return v
}

// A Variant is one row of the table of mutations.
type Variant struct {
	Sample   int    // index in Samples
	Class    string // Missense_Mutation, …; "unknown" if blank
	Change   string // p.R882H; "" if blank
	Position int    // in the protein; 0 if unknown
	Driver   bool   // GeneMutations.HasDriver tells whether the file knows
	Germline bool   // GeneMutations.HasStatus tells whether the file knows
}
