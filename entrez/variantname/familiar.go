package variantname

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

// legacyNames lists names from older papers and clinics, with another numbering or without c. or p. Each line has a
// gene, the old name and the change in HGVS.
//
// Sources: the other names of these records in ClinVar; for BRCA1 and BRCA2 the numbering of the Breast Cancer
// Information Core, for CFTR that of the Cystic Fibrosis Mutation Database. Both number bases from the start of the
// transcript.
//
//go:embed familiar.txt
var legacyNames string

// legacyChanges maps a gene and an old name, as "BRCA1 185DELAG", to the change in HGVS.
var legacyChanges = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(legacyNames) {
		if f := strings.Fields(line); len(f) == 3 {
			out[f[0]+" "+strings.ToUpper(f[1])] = f[2]
		}
	}
	return out
})

// legacyOffset returns the number of bases before the coding sequence of a gene whose older papers
// number bases from the start of the transcript. It returns 0 for any other gene.
func legacyOffset(gene string) int {
	switch gene {
	case "BRCA1":
		return 119
	case "BRCA2":
		return 228
	case "CFTR":
		return 132
	}
	return 0
}

var legacySubstitution = pattern.Lazy(`^([0-9]+)((?:[+-][0-9]+)?[ACGT]>[ACGT])$`)

// legacyToHGVS converts an old name of a change to HGVS. It converts substitutions in the old numbering by
// their offset. A deletion or insertion in a repeat may be written at another position in HGVS, so
// legacyToHGVS only converts those that legacyNames lists.
func legacyToHGVS(gene, change string) (hgvs string, ok bool) {
	key := strings.TrimPrefix(change, "p.")
	if _, short, ok := Protein(change); ok {
		key = short
	}
	if hgvs, ok = legacyChanges()[gene+" "+strings.ToUpper(key)]; ok {
		return hgvs, true
	}
	m := legacySubstitution().FindStringSubmatch(strings.ToUpper(change))
	offset := legacyOffset(gene)
	if m == nil || offset == 0 {
		return "", false
	}
	position, err := strconv.Atoi(m[1])
	return fmt.Sprintf("c.%d%s", position-offset, m[2]), err == nil && position > offset
}

// ambiguous returns the gene and the change of a text such as "ABCB1 C3435T", and ok if its letters are more
// likely bases than amino acids: no change of a single base turns the codon of one of these amino acids
// into a codon of the other.
func ambiguous(text string) (gene, change string, ok bool) {
	m := geneForm().FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	e := exchange().FindStringSubmatch(m[2])
	if e == nil || e[1] != "" || strings.Trim(e[3], "0123456789") != "" {
		return "", "", false
	}
	switch strings.ToUpper(e[2] + e[4]) {
	case "AC", "CA", "CT", "TC", "GT", "TG":
		gene, change = strings.ToUpper(m[1]), strings.ToUpper(m[2])
		_, listed := legacyToHGVS(gene, m[2])
		return gene, change, !listed && !isMitochondrial(gene, e[3])
	}
	return "", "", false
}

// An Ambiguity asks for the information that is missing in an unclear name.
type Ambiguity int

// The questions.
const (
	MissingGene   Ambiguity = iota + 1 // V600E without a gene
	BaseOrResidue                      // ABCB1 C3435T, a change of the transcript or of the protein
	OldNumbering                       // BRCA1 4184delTCAA, which is not numbered as in HGVS
	StarAllele                         // CYP2C19*2, a haplotype of a pharmacogene
)

var starForm = pattern.Lazy(`^(?i)([A-Z][A-Z0-9-]{1,12}) ?\*([0-9]{1,3}[A-Z]{0,2}(?:[:x][0-9N]{1,3})*)(?:[/ ]+\*.+)?$`)

// FindAmbiguity returns the question that a text raises if it almost names a variant, and the gene and the change in
// it. Otherwise ok is false.
func FindAmbiguity(text string) (q Ambiguity, name Name, ok bool) {
	text = normalize(text)
	if gene, change, ok := ambiguous(text); ok {
		return BaseOrResidue, Name{Gene: gene, Change: substitution(change), Short: change}, true
	}
	if m := starForm().FindStringSubmatch(text); m != nil {
		return StarAllele, Name{Gene: strings.ToUpper(m[1]), Change: "*" + m[2]}, true
	}
	if m := geneForm().FindStringSubmatch(text); m != nil {
		gene := strings.ToUpper(m[1])
		_, listed := legacyToHGVS(gene, m[2])
		numbered := Coding(m[2]) != "" && !strings.HasPrefix(m[2], "c.")
		return OldNumbering, Name{Gene: gene, Change: m[2]}, legacyOffset(gene) > 0 && numbered && !listed
	}
	return MissingGene, Name{Change: text}, IsChange(text)
}
