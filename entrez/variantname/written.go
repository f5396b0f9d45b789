package variantname

import (
	"strconv"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez/assembly"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variation"
)

var (
	// placeForm matches a position and its change: chr7:140753336A>T, 7:g.87925512del,
	// 7-140753336-A-T, hg19 chr7:140453136 A/T, or a line of a VCF file such as "7 140753336 . A
	// T".
	placeForm = pattern.Lazy(`^(?i)(?:(hg19|hg38|GRCh37|GRCh38|b37|b38)[ :/(_-]*)?` +
		`(?:chr)?([0-9]{1,2}|X|Y|M|MT)[ :_-]+(?:[gm]\.)?([0-9][0-9,_]*)(.+)$`)
	allelesForm = pattern.Lazy(`^(?i)(?:[ :_-]+(?:rs[0-9]+|\.))?[ :_-]*([ACGT]+)[ :_>/|-]+([ACGT]+)$`)
	editForm    = pattern.Lazy(`^(?i)(?:del|dup|ins|inv)[ACGT]*(?:ins[ACGT]+)?$`)
	rangeEnd    = pattern.Lazy(`^[0-9]+(?:_[0-9]+)?$`)

	noise          = pattern.Lazy(`(?i)\b(?:mutation|mutant|mutated|variant|gene|allele)\b|</?sup>|\^`)
	exon           = pattern.Lazy(`(?i):exon ?[0-9]+\b`)
	blanks         = pattern.Lazy(`\s+`)
	withProtein    = pattern.Lazy(`^(.*\b[cnr]\.[^ ,:]+)[ ,:]+\(?p\.[^ ]+$`)
	withGene       = pattern.Lazy(`^[A-Za-z][A-Za-z0-9-]{0,20}[ :]+((?:[NX][MRP]_|ENS[TGP]|LRG_)[^ ]+)$`)
	geneAndChange  = pattern.Lazy(`^([A-Za-z][A-Za-z0-9-]+?)(?:(?:[ :_./|-]|: )([^ :]+)|[(\[]([^ :]+)[)\]])$`)
	coordinateForm = pattern.Lazy(`^(?i)chr[0-9XYM]`)
	gluedForm      = pattern.Lazy(`^(BRAF|[KNH]RAS|EGFR|JAK2|IDH[12]|PIK3CA|TP53|KIT|PDGFRA|ALK|FLT3|MYD88|MPL|AKT1|` +
		`GNA[QS]|GNA11|ESR1|ERBB2|FGFR[23]|MET|RET|ABL1|CFTR|LRRK2|HFE)` +
		`(?:p\.)?([A-Z][0-9]+[A-Z*]|[A-Z][a-z]{2}[0-9]+[A-Z][a-z]{2})$`)
	deltaForm = pattern.Lazy(`^(?i)(?:delta|del|d|Δ|∆)[ -]?([ACDEFGHIKLMNPQRSTVWY])([0-9]{1,5})$`)

	codingForm = pattern.Lazy(`^(?i)(c\.)?([-*]?[0-9]+(?:[+-][0-9]+)?(?:_[-*]?[0-9]+(?:[+-][0-9]+)?)?)` +
		`([ACGT]+>[ACGT]+|(?:del[ACGT0-9]*)?ins[ACGT]+|del[ACGT0-9]*|dup[ACGT0-9]*|inv)$`)
	exchange = pattern.Lazy(`^(?i)([cm]\.)?([ACGT])(-?[0-9]+(?:[+-][0-9]+)?)([ACGT])$`)
	mitoForm = pattern.Lazy(`^(?i)(?:MT-[A-Z0-9]+[ :]+)?m\.([0-9_]+(?:[ACGT]+>[ACGT]+|(?:del|dup|ins)[ACGT]*))$`)
	mitoGene = pattern.Lazy(`^MT-(T|RNR|[A-Z])`)
)

// punctuation replaces arrows and dashes with their ASCII forms, and removes quotes.
var punctuation = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("->", ">", "→", ">", "–", "-", "−", "-", "‐", "-", "‑", "-",
		`"`, "", "“", "", "”", "", "`", "")
})

// normalize rewrites text towards HGVS: it removes superscripts, typographic punctuation and words such as
// "mutation", and separates a gene from its change with a space.
func normalize(text string) string {
	text = norm.NFKC.String(text)
	text = punctuation().Replace(text)
	text = noise().ReplaceAllString(exon().ReplaceAllString(text, ""), " ")
	text = strings.Trim(blanks().ReplaceAllString(text, " "), " ,;")
	if f := strings.Fields(text); len(f) == 2 {
		text = joinParts(f)
	}
	if m := withProtein().FindStringSubmatch(text); m != nil { // the transcript change implies the protein change
		text = m[1]
	}
	if m := withGene().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if m := gluedForm().FindStringSubmatch(text); m != nil {
		return m[1] + " " + m[2]
	}
	if m := geneAndChange().FindStringSubmatch(text); m != nil && !ensembl().MatchString(text) {
		if change := m[2] + m[3]; IsChange(change) || deltaForm().MatchString(change) {
			return m[1] + " " + change
		}
	}
	return text
}

// parsePlace parses a position of the genome with its change, and reports whether text is one. A position
// without an assembly is read on assemblyName.
func (n *Name) parsePlace(text, assemblyName string) bool {
	if m := mitoForm().FindStringSubmatch(text); m != nil {
		n.setSequence(assembly.Accession(assemblyName, "MT"), "m."+upper(m[1]))
		return true
	}
	m := placeForm().FindStringSubmatch(text)
	if m == nil || assembly.Chromosome(m[2]) == "" {
		return false
	}
	if build := strings.ToLower(m[1]); build != "" {
		assemblyName = assembly.GRCh38
		if strings.HasSuffix(build, "37") || build == "hg19" {
			assemblyName = assembly.GRCh37
		}
	}
	chromosome, positions := assembly.Chromosome(m[2]), strings.ReplaceAll(strings.TrimRight(m[3], "_"), ",", "")
	accession := assembly.Accession(assemblyName, chromosome)
	switch b := allelesForm().FindStringSubmatch(m[4]); {
	case !rangeEnd().MatchString(positions):
		return false
	case b != nil && len(b[1])+len(b[2]) == 2:
		n.setSequence(accession, "g."+positions+upper(b[1]+">"+b[2]))
	case b != nil:
		first, err := strconv.Atoi(positions)
		if err != nil {
			return false
		}
		n.Kind, n.SPDI = Sequence, trimAlleles(variation.SPDI{
			Sequence: accession, Position: first - 1, Deleted: upper(b[1]), Inserted: upper(b[2]),
		})
	case editForm().MatchString(m[4]):
		n.setSequence(accession, "g."+positions+upper(m[4]))
	default:
		return false
	}
	if n.Assembly = assemblyName; chromosome == "MT" || m[1] != "" { // the same on both assemblies, or given in text
		n.Assembly = ""
	}
	return true
}

// trimAlleles removes the bases that both alleles begin or end with, as in a VCF file.
func trimAlleles(s variation.SPDI) variation.SPDI {
	for s.Deleted != "" && s.Inserted != "" && s.Deleted[0] == s.Inserted[0] {
		s.Position, s.Deleted, s.Inserted = s.Position+1, s.Deleted[1:], s.Inserted[1:]
	}
	for s.Deleted != "" && s.Inserted != "" && s.Deleted[len(s.Deleted)-1] == s.Inserted[len(s.Inserted)-1] {
		s.Deleted, s.Inserted = s.Deleted[:len(s.Deleted)-1], s.Inserted[:len(s.Inserted)-1]
	}
	return s
}

// parseGeneChange parses a change of a gene, and reports whether it is one.
func (n *Name) parseGeneChange(gene, change string) bool {
	if coordinateForm().MatchString(gene) {
		return false
	}
	n.Gene = gene
	if m := deltaForm().FindStringSubmatch(change); m != nil {
		change = strings.ToUpper(m[1]) + m[2] + "del"
	}
	if hgvs, ok := legacyToHGVS(gene, change); ok {
		n.LegacyChange, change = change, hgvs
	}
	if m := exchange().FindStringSubmatch(change); m != nil && isMitochondrial(gene, m[3]) {
		n.Gene = ""
		n.setSequence(assembly.Accession(assembly.GRCh38, "MT"), "m."+m[3]+strings.ToUpper(m[2]+">"+m[4]))
		return true
	}
	long, short, protein := Protein(change)
	_, _, isAmbiguous := ambiguous(gene + " " + change)
	switch coding := Coding(change); {
	case isAmbiguous:
		return false
	case protein:
		n.Kind, n.Change, n.Short = GeneChange, long, short
	case coding != "" && (strings.HasPrefix(change, "c.") || legacyOffset(gene) == 0):
		n.Kind, n.Change = GeneChange, coding
	case IsCoding(change):
		n.Kind, n.Change = GeneChange, change
	}
	return n.Kind != None
}

// isMitochondrial reports whether a change such as A3243G counts bases of the mitochondrial genome. It does if
// the gene has no protein, or if the number exceeds the longest mitochondrial protein.
func isMitochondrial(gene, number string) bool {
	m := mitoGene().FindStringSubmatch(gene)
	n, err := strconv.Atoi(number)
	if m == nil || err != nil {
		return false
	}
	return m[1] == "T" || m[1] == "RNR" || n > longestMitochondrial
}

const longestMitochondrial = 603 // residues of MT-ND5

// Coding returns a transcript change in ClinVar's form, or "" if text is not such a change. 35delG and c.35delG
// become c.35del, and c.T1799A becomes c.1799T>A.
func Coding(text string) string {
	if m := exchange().FindStringSubmatch(text); m != nil {
		isIntronic := strings.Trim(m[3], "0123456789") != "" // or upstream; such a number is not of a residue
		if strings.EqualFold(m[1], "c.") || m[1] == "" && isIntronic {
			return substitution(text)
		}
	}
	m := codingForm().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	change := upper(m[3])
	if word := strings.TrimRight(change, "ACGT0123456789"); word == "del" || word == "dup" {
		change = word
	}
	return "c." + m[2] + change
}

// substitution converts C3435T to HGVS: c.3435C>T.
func substitution(text string) string {
	m := exchange().FindStringSubmatch(text)
	return "c." + m[3] + strings.ToUpper(m[2]+">"+m[4])
}

// upper writes the bases of a change in upper case: 140753336A>T, 87925512del.
func upper(change string) string { return spell().keywords.Replace(strings.ToUpper(change)) }
