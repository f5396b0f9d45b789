package variantname

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez/assembly"
	"biomcp/entrez/pattern"
)

// EntityKind is a kind of genomic entity that is not one variant of ClinVar or dbSNP.
type EntityKind int

// The kinds of entities.
const (
	Fusion     EntityKind = iota + 1 // EML4-ALK: two genes that were joined
	Expansion                        // HTT CAG: a repeat that can be longer than usual
	Band                             // 22q11.2: a part of a chromosome
	BandChange                       // 22q11.2 deletion, del(5q): a band and its change
	Range                            // NC_000022.11:g.(?_18900000)_(21500000_?)del: a change between two positions
	Haplotype                        // APOE e4: alleles of several positions on one chromosome
)

// An Entity is a genomic entity that a text names by its form.
type Entity struct {
	Kind       EntityKind
	Name       string   // in the usual spelling: EML4::ALK, HTT CAG, 22q11.2 deletion
	Genes      []string // genes of a fusion, in order, of an expansion or of a haplotype
	Assembly   string   // set for a Range
	Chromosome string   // set for a Range
	First      int      // lowest position of a Range, from 1
	Last       int      // highest position of a Range
	Alleles    []string // for a Haplotype: each rs number with its base
}

var (
	fusionForm = pattern.Lazy(`^([A-Z][A-Z0-9]{1,9})(?:(::)|[-/])([A-Z][A-Z0-9]{1,9})` +
		`( (?:gene )?(?:fusion|rearrangement|translocation)s?)?$`)
	notPartner    = pattern.Lazy(`^(?:HLA|MT|COVID|SARS|HIV)$`)
	expansionForm = pattern.Lazy(`^([A-Z][A-Z0-9]{1,9}|C[0-9]{1,2}orf[0-9]{1,3}) \(?([ACGTN]{3,6}|G4C2)\)?(?:n|[0-9]+)?` +
		`(?:[ -]+(?:tri-?nucleotide |triplet |hexanucleotide )?(?:repeats?|expansions?)(?: expansions?)?)?$`)
	bandForm = pattern.Lazy(`^(?i)(?:chr)?((?:1[0-9]|2[0-2]|[1-9]|X|Y)[pq](?:[0-9]{1,2}(?:\.[0-9]{1,3})?)?` +
		`(?:-[pq]?[0-9]{1,2}(?:\.[0-9]{1,3})?)?)(?: ?((?:micro)?(?:deletion|duplication|triplication)|del|dup)s?)?` +
		`(?: syndrome)?$`)
	karyotype = pattern.Lazy(`^(?i)(del|dup) ?\(?(1[0-9]|2[0-2]|[1-9]|X|Y)\)?\(?([pq][0-9]{0,2}(?:\.[0-9]{1,3})?)\)?$`)
	rangeForm = pattern.Lazy(`^(NC_[0-9]{6}\.[0-9]{1,2}):g\.([0-9?_()]+)(del|dup|inv|\[[0-9]+\])$`)
	spdiRange = pattern.Lazy(`^(NC_[0-9]{6}\.[0-9]{1,2}):([0-9]+):([0-9]+)(?::[ACGTN0-9]*)?$`)
	copyForm  = pattern.Lazy(`^(?i)(?:(GRCh3[78])(?:/hg[0-9]{2})? )?(?:chr)?([0-9]{1,2}|X|Y):([0-9]{2,9})` +
		`[-_]([0-9]{2,9}) ?(?:x[0-9]|del|dup|deletion|duplication|loss|gain)$`)
	apoeForm = pattern.Lazy(`^(?i)APOE[ -]?(?:[eε*]|epsilon)? ?-?([234])$`)
	digits   = pattern.Lazy(`[0-9]+`)
)

// minRange is the length from which a change of a range is one of a copy number.
const minRange = 50

// apoeBases returns the bases of rs429358 and rs7412 for an allele of APOE: 2, 3 or 4.
func apoeBases(allele string) (rs429358, rs7412 string) {
	switch allele {
	case "2":
		return "T", "T"
	case "3":
		return "T", "C"
	}
	return "C", "C"
}

// ReadEntity returns the entity whose form a text has. ok is false if it has no such form.
func ReadEntity(text string) (e Entity, ok bool) {
	text = norm.NFKC.String(strings.TrimSpace(text))
	text = strings.NewReplacer("–", "-", "−", "-", "‐", "-", "‑", "-").Replace(text)
	switch {
	case apoeForm().MatchString(text):
		allele := apoeForm().FindStringSubmatch(text)[1]
		first, second := apoeBases(allele)
		return Entity{Kind: Haplotype, Name: "APOE ε" + allele, Genes: []string{"APOE"},
			Alleles: []string{"rs429358 " + first, "rs7412 " + second}}, true
	case expansionForm().MatchString(text):
		m := expansionForm().FindStringSubmatch(text)
		return Entity{Kind: Expansion, Name: m[1] + " " + m[2], Genes: m[1:2]}, true
	case bandForm().MatchString(text):
		m := bandForm().FindStringSubmatch(text)
		return bandEntity(m[1], m[2])
	case karyotype().MatchString(text):
		m := karyotype().FindStringSubmatch(text)
		return bandEntity(m[2]+m[3], m[1])
	}
	if m := fusionForm().FindStringSubmatch(text); m != nil && !notPartner().MatchString(m[1]) {
		long := len(m[1]) > 2 && len(m[3]) > 2 // PD-L1 is not a fusion
		return Entity{Kind: Fusion, Name: m[1] + "::" + m[3], Genes: []string{m[1], m[3]}}, m[2]+m[4] != "" || long
	}
	return rangeEntity(text)
}

// bandEntity returns a band, or a band with its change.
func bandEntity(band, change string) (Entity, bool) {
	band = strings.ToUpper(band[:1]) + strings.ToLower(band[1:])
	switch change = strings.ToLower(change); change {
	case "":
		return Entity{Kind: Band, Name: band}, true
	case "del":
		change = "deletion"
	case "dup":
		change = "duplication"
	}
	return Entity{Kind: BandChange, Name: band + " " + change}, true
}

// rangeEntity returns the change between two positions that a text describes, whether or not its
// ends are exact.
func rangeEntity(text string) (e Entity, ok bool) {
	var numbers []string
	if m := rangeForm().FindStringSubmatch(text); m != nil {
		e.Assembly, e.Chromosome = assembly.Lookup(m[1])
		numbers = digits().FindAllString(m[2], -1)
	} else if m := spdiRange().FindStringSubmatch(text); m != nil { // SPDI counts from 0
		e.Assembly, e.Chromosome = assembly.Lookup(m[1])
		start, _ := strconv.Atoi(m[2])
		length, _ := strconv.Atoi(m[3])
		numbers = []string{strconv.Itoa(start + 1), strconv.Itoa(start + length)}
	} else if m := copyForm().FindStringSubmatch(text); m != nil {
		e.Assembly, e.Chromosome = assembly.GRCh38, assembly.Chromosome(m[2])
		if strings.HasSuffix(m[1], "37") {
			e.Assembly = assembly.GRCh37
		}
		numbers = m[3:5]
	}
	for _, n := range numbers {
		at, err := strconv.Atoi(n)
		if err != nil {
			return Entity{}, false
		}
		if e.First == 0 || at < e.First {
			e.First = at
		}
		e.Last = max(e.Last, at)
	}
	e.Kind = Range
	e.Name = fmt.Sprintf("%s:%d-%d", e.Chromosome, e.First, e.Last)
	return e, e.Chromosome != "" && e.First > 0 && e.Last-e.First >= minRange
}
