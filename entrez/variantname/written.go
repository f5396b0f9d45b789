package variantname

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez/assembly"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variation"
)

var (
	// A place and its change: chr7:140753336A>T, 7:g.87925512del, 7-140753336-A-T,
	// 7 140753336 . A T (a line of a VCF file), hg19 chr7:140453136 A/T.
	placeForm = pattern.Lazy(`^(?i)(?:(hg19|hg38|GRCh37|GRCh38|b37|b38)[ :/(_-]*)?(?:chr)?([0-9]{1,2}|X|Y|M|MT)[ :_-]+(?:[gm]\.)?([0-9][0-9,_]*)(.+)$`)
	bases     = pattern.Lazy(`^(?i)(?:[ :_-]+(?:rs[0-9]+|\.))?[ :_-]*([ACGT]+)[ :_>/|-]+([ACGT]+)$`)
	other     = pattern.Lazy(`^(?i)(?:del|dup|ins|inv)[ACGT]*(?:ins[ACGT]+)?$`)
	rangeEnd  = pattern.Lazy(`^[0-9]+(?:_[0-9]+)?$`)

	noise     = pattern.Lazy(`(?i)\b(?:mutation|mutant|mutated|variant|gene|allele)\b|</?sup>|\^`)
	exon      = pattern.Lazy(`(?i):exon ?[0-9]+\b`)
	blanks    = pattern.Lazy(`\s+`)
	withP     = pattern.Lazy(`^(.*\b[cnr]\.[^ ,:]+)[ ,:]+\(?p\.[^ ]+$`)
	withGene  = pattern.Lazy(`^[A-Za-z][A-Za-z0-9-]{0,20}[ :]+((?:[NX][MRP]_|ENS[TGP]|LRG_)[^ ]+)$`)
	split     = pattern.Lazy(`^([A-Za-z][A-Za-z0-9-]+?)(?:(?:[ :_./|-]|: )([^ :]+)|[(\[]([^ :]+)[)\]])$`)
	position  = pattern.Lazy(`^(?i)chr[0-9XYM]`)
	glued     = pattern.Lazy(`^(BRAF|[KNH]RAS|EGFR|JAK2|IDH[12]|PIK3CA|TP53|KIT|PDGFRA|ALK|FLT3|MYD88|MPL|AKT1|GNA[QS]|GNA11|ESR1|ERBB2|FGFR[23]|MET|RET|ABL1|CFTR|LRRK2|HFE)(?:p\.)?([A-Z][0-9]+[A-Z*]|[A-Z][a-z]{2}[0-9]+[A-Z][a-z]{2})$`)
	deltaForm = pattern.Lazy(`^(?i)(?:delta|del|d|Δ|∆)[ -]?([ACDEFGHIKLMNPQRSTVWY])([0-9]{1,5})$`)

	codingForm = pattern.Lazy(`^(?i)(c\.)?([-*]?[0-9]+(?:[+-][0-9]+)?(?:_[-*]?[0-9]+(?:[+-][0-9]+)?)?)([ACGT]+>[ACGT]+|(?:del[ACGT0-9]*)?ins[ACGT]+|del[ACGT0-9]*|dup[ACGT0-9]*|inv)$`)
	exchange   = pattern.Lazy(`^(?i)([cm]\.)?([ACGT])(-?[0-9]+(?:[+-][0-9]+)?)([ACGT])$`)
	mitoForm   = pattern.Lazy(`^(?i)(?:MT-[A-Z0-9]+[ :]+)?m\.([0-9_]+(?:[ACGT]+>[ACGT]+|(?:del|dup|ins)[ACGT]*))$`)
	mitoGene   = pattern.Lazy(`^MT-(T|RNR|[A-Z])`)
)

// plain is a text as it would be typed in HGVS: without superscripts, arrows and words
// that name no variant.
func plain(text string) string {
	text = norm.NFKC.String(text)
	text = strings.NewReplacer("->", ">", "→", ">", "–", "-", "−", "-", "‐", "-", "‑", "-", `"`, "", "“", "", "”", "", "`", "").Replace(text)
	text = noise().ReplaceAllString(exon().ReplaceAllString(text, ""), " ")
	text = strings.Trim(blanks().ReplaceAllString(text, " "), " ,;")
	if f := strings.Fields(text); len(f) == 2 {
		text = together(f)
	}
	if m := withP().FindStringSubmatch(text); m != nil { // the change of the protein follows from that of the transcript
		text = m[1]
	}
	if m := withGene().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if m := glued().FindStringSubmatch(text); m != nil {
		return m[1] + " " + m[2]
	}
	if m := split().FindStringSubmatch(text); m != nil && !ensembl().MatchString(text) {
		if change := m[2] + m[3]; IsChange(change) || deltaForm().MatchString(change) {
			return m[1] + " " + change
		}
	}
	return text
}

// place reads a place of the genome with its change.
func (n *Name) place(text, on string) bool {
	if m := mitoForm().FindStringSubmatch(text); m != nil {
		n.sequence(assembly.Accession(on, "MT"), "m."+upper(m[1]))
		return true
	}
	m := placeForm().FindStringSubmatch(text)
	if m == nil || assembly.Chromosome(m[2]) == "" {
		return false
	}
	if build := strings.ToLower(m[1]); build != "" {
		on = assembly.GRCh38
		if strings.HasSuffix(build, "37") || build == "hg19" {
			on = assembly.GRCh37
		}
	}
	chromosome, at := assembly.Chromosome(m[2]), strings.ReplaceAll(strings.TrimRight(m[3], "_"), ",", "")
	accession := assembly.Accession(on, chromosome)
	switch b := bases().FindStringSubmatch(m[4]); {
	case !rangeEnd().MatchString(at):
		return false
	case b != nil && len(b[1])+len(b[2]) == 2:
		n.sequence(accession, "g."+at+upper(b[1]+">"+b[2]))
	case b != nil:
		first, err := strconv.Atoi(at)
		if err != nil {
			return false
		}
		n.Kind, n.SPDI = Sequence, trimmed(variation.SPDI{Sequence: accession, Position: first - 1, Deleted: upper(b[1]), Inserted: upper(b[2])})
	case other().MatchString(m[4]):
		n.sequence(accession, "g."+at+upper(m[4]))
	default:
		return false
	}
	if n.Assembly = on; chromosome == "MT" || m[1] != "" { // one for both, or as said
		n.Assembly = ""
	}
	return true
}

// trimmed is a change without the bases that both of its alleles begin or end with, as
// those of a VCF file do.
func trimmed(s variation.SPDI) variation.SPDI {
	for s.Deleted != "" && s.Inserted != "" && s.Deleted[0] == s.Inserted[0] {
		s.Position, s.Deleted, s.Inserted = s.Position+1, s.Deleted[1:], s.Inserted[1:]
	}
	for s.Deleted != "" && s.Inserted != "" && s.Deleted[len(s.Deleted)-1] == s.Inserted[len(s.Inserted)-1] {
		s.Deleted, s.Inserted = s.Deleted[:len(s.Deleted)-1], s.Inserted[:len(s.Inserted)-1]
	}
	return s
}

// ofGene reads a change of a gene.
func (n *Name) ofGene(gene, change string) bool {
	if position().MatchString(gene) {
		return false
	}
	n.Gene = gene
	if m := deltaForm().FindStringSubmatch(change); m != nil {
		change = strings.ToUpper(m[1]) + m[2] + "del"
	}
	if now, ok := familiar(gene, change); ok {
		n.Familiar, change = change, now
	}
	if m := exchange().FindStringSubmatch(change); m != nil && mitochondrial(gene, m[3]) {
		n.Gene = ""
		n.sequence(assembly.Accession(assembly.GRCh38, "MT"), "m."+m[3]+strings.ToUpper(m[2]+">"+m[4]))
		return true
	}
	long, short, protein := Protein(change)
	_, _, unclear := ambiguous(gene + " " + change)
	switch coding := Coding(change); {
	case unclear:
		return false
	case protein:
		n.Kind, n.Change, n.Short = OfGene, long, short
	case coding != "" && (strings.HasPrefix(change, "c.") || oldNumbers[gene] == 0):
		n.Kind, n.Change = OfGene, coding
	case IsCoding(change):
		n.Kind, n.Change = OfGene, change
	}
	return n.Kind != None
}

// mitochondrial reports whether a change such as A3243G is one of the bases of the
// mitochondrion: of a gene without a protein, or beyond the longest of its proteins.
func mitochondrial(gene, number string) bool {
	m := mitoGene().FindStringSubmatch(gene)
	at, err := strconv.Atoi(number)
	return m != nil && err == nil && (m[1] == "T" || m[1] == "RNR" || at > longestMitochondrial)
}

const longestMitochondrial = 603 // residues, of MT-ND5

// Coding is a change of a transcript as ClinVar writes it: 35delG and c.35delG are c.35del,
// T1799A with its c. is c.1799T>A. "" where the text is none.
func Coding(text string) string {
	if m := exchange().FindStringSubmatch(text); m != nil && (strings.EqualFold(m[1], "c.") || m[1] == "" && strings.Trim(m[3], "0123456789") != "") {
		return nucleotide(text)
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

// nucleotide is C3435T as HGVS writes it: c.3435C>T.
func nucleotide(text string) string {
	m := exchange().FindStringSubmatch(text)
	return "c." + m[3] + strings.ToUpper(m[2]+">"+m[4])
}

// upper is a change with its bases in capitals: 140753336A>T, 87925512del.
func upper(change string) string { return spell().lowered.Replace(strings.ToUpper(change)) }
