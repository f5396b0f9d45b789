// Package assembly maps chromosomes of the two human genome assemblies to their accessions. A
// position identifies a place only together with its assembly.
//
// Sources: NCBI assemblies GCF_000001405.40 (GRCh38.p14) and GCF_000001405.25 (GRCh37.p13).
package assembly

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
)

// The supported assemblies.
const (
	GRCh38 = "GRCh38"
	GRCh37 = "GRCh37"
)

// Names lists both assemblies, the current one first.
var Names = []string{GRCh38, GRCh37}

// versions holds the versions of the accessions NC_000001 to NC_000024 (X is 23, Y is 24) by
// assembly, in the order of Names.
var versions = [2][24]int{
	{11, 12, 12, 12, 10, 12, 14, 11, 12, 11, 10, 12, 11, 9, 10, 10, 11, 10, 10, 11, 9, 11, 11, 10},
	{10, 11, 11, 11, 9, 11, 13, 10, 11, 10, 9, 11, 10, 8, 9, 9, 10, 9, 9, 10, 8, 10, 10, 9},
}

// mitochondrion is the accession of the mitochondrial genome in both assemblies.
const mitochondrion = "NC_012920.1"

// Lookup returns the assembly and the chromosome ("7", "X", "MT") of an accession. It returns "" for
// other accessions.
func Lookup(accession string) (name, chromosome string) {
	if accession == mitochondrion {
		return GRCh38, "MT"
	}
	var n, version int
	if _, err := fmt.Sscanf(accession, "NC_%06d.%d", &n, &version); err != nil || n < 1 || n > 24 {
		return "", ""
	}
	for i, name := range Names {
		if versions[i][n-1] == version {
			return name, chromosomeNames[n-1]
		}
	}
	return "", ""
}

var chromosomeNames = [24]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16",
	"17", "18", "19", "20", "21", "22", "X", "Y"}

// Chromosome returns the normalized name of a chromosome, or "" if text is not one: chr7, 7 and
// CHR7 give 7; chrM gives MT.
func Chromosome(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	text = strings.TrimPrefix(text, "CHR")
	if text == "M" || text == "MT" {
		return "MT"
	}
	for _, c := range chromosomeNames {
		if c == text {
			return c
		}
	}
	return ""
}

// Other returns the other of the two assemblies.
func Other(name string) string {
	if name == GRCh38 {
		return GRCh37
	}
	return GRCh38
}

// Accession returns the accession of a chromosome in an assembly, or "" if it has none.
func Accession(name, chromosome string) string {
	chromosome = Chromosome(chromosome)
	if chromosome == "MT" {
		return mitochondrion
	}
	i, k := slices.Index(Names, name), slices.Index(chromosomeNames[:], chromosome)
	if i < 0 || k < 0 {
		return ""
	}
	return fmt.Sprintf("NC_%06d.%d", k+1, versions[i][k])
}

// WithVersion returns the accession with its version in an assembly, given one without, such as
// NC_000007. It returns "" if the accession does not belong to a chromosome.
func WithVersion(name, accession string) string {
	for _, c := range chromosomeNames {
		if a := Accession(name, c); strings.HasPrefix(a, accession+".") {
			return a
		}
	}
	return ""
}

var regionForm = pattern.Lazy(`^(?i)(?:chr)?([0-9]{1,2}|X|Y|M|MT):([0-9]{1,9})(?:-([0-9]{1,9}))?$`)

// Region parses a text such as 7:140719327-140924929: a chromosome and its first and last position,
// counted from 1. A single position is allowed, and so are commas in the numbers.
func Region(text string) (chromosome string, first, last int, ok bool) {
	m := regionForm().FindStringSubmatch(strings.ReplaceAll(strings.TrimSpace(text), ",", ""))
	if m == nil {
		return "", 0, 0, false
	}
	first, _ = strconv.Atoi(m[2])
	last, _ = strconv.Atoi(cmp.Or(m[3], m[2]))
	chromosome = Chromosome(m[1])
	return chromosome, first, last, chromosome != "" && 0 < first && first <= last
}

// IsRegion reports whether a text is a place that [Region] can parse.
func IsRegion(text string) bool {
	_, _, _, ok := Region(text)
	return ok
}
