package variantname

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

// familiarNames are names that older papers and clinics use, by another numbering or
// without a c. or p., and what each is today: a gene, the name and the change in HGVS
// a line.
//
// Sources: the other names of these records in ClinVar; for BRCA1 and BRCA2 the numbering
// of the Breast Cancer Information Core, for CFTR that of the Cystic Fibrosis Mutation
// Database, both of which count from the beginning of the transcript.
//
//go:embed familiar.txt
var familiarNames string

var known = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(familiarNames) {
		if f := strings.Fields(line); len(f) == 3 {
			out[f[0]+" "+strings.ToUpper(f[1])] = f[2]
		}
	}
	return out
})

// oldNumbers are genes whose changes without c. are numbered from the beginning of the
// transcript, by how many bases before the first of the protein.
var oldNumbers = map[string]int{"BRCA1": 119, "BRCA2": 228, "CFTR": 132}

var oldForm = pattern.Lazy(`^([0-9]+)((?:[+-][0-9]+)?[ACGT]>[ACGT])$`)

// familiar is what a familiar name of a change is in HGVS. A substitution by an old
// numbering is where it is; a deletion or insertion may be moved in a repeat, and is one
// only where it is listed.
func familiar(gene, change string) (now string, ok bool) {
	key := strings.TrimPrefix(change, "p.")
	if _, short, is := Protein(change); is {
		key = short
	}
	if now, ok = known()[gene+" "+strings.ToUpper(key)]; ok {
		return now, true
	}
	m := oldForm().FindStringSubmatch(strings.ToUpper(change))
	before := oldNumbers[gene]
	if m == nil || before == 0 {
		return "", false
	}
	at, err := strconv.Atoi(m[1])
	return fmt.Sprintf("c.%d%s", at-before, m[2]), err == nil && at > before
}

// ambiguous reports whether a change such as C3435T is rather one of two bases than of two
// amino acids: no change of a single base makes a cysteine of a threonine.
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
		_, listed := familiar(strings.ToUpper(m[1]), m[2])
		return strings.ToUpper(m[1]), strings.ToUpper(m[2]), !listed && !mitochondrial(strings.ToUpper(m[1]), e[3])
	}
	return "", "", false
}

// Question is what to ask about a text that is no name of one variant.
type Question int

// The questions.
const (
	WhichGene    Question = iota + 1 // V600E alone
	BaseOrAcid                       // ABCB1 C3435T: of the transcript or of the protein
	OldNumbering                     // BRCA1 4184delTCAA: not numbered as HGVS does
	StarAllele                       // CYP2C19*2: a haplotype of a gene of drug response
)

var starForm = pattern.Lazy(`^(?i)([A-Z][A-Z0-9-]{1,12}) ?\*([0-9]{1,3}[A-Z]{0,2}(?:[:x][0-9N]{1,3})*)(?:[/ ]+\*.+)?$`)

// Unclear is what is not clear about a text that names no variant, and its gene and
// change; ok is false of any other text.
func Unclear(text string) (q Question, name Name, ok bool) {
	text = plain(text)
	if gene, change, is := ambiguous(text); is {
		return BaseOrAcid, Name{Gene: gene, Change: nucleotide(change), Short: change}, true
	}
	if m := starForm().FindStringSubmatch(text); m != nil {
		return StarAllele, Name{Gene: strings.ToUpper(m[1]), Change: "*" + m[2]}, true
	}
	if m := geneForm().FindStringSubmatch(text); m != nil {
		gene := strings.ToUpper(m[1])
		_, listed := familiar(gene, m[2])
		return OldNumbering, Name{Gene: gene, Change: m[2]}, !listed && oldNumbers[gene] > 0 && !strings.HasPrefix(m[2], "c.") && Coding(m[2]) != ""
	}
	return WhichGene, Name{Change: text}, IsChange(text)
}
