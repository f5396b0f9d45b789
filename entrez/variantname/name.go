// Package variantname reads the names of variants: HGVS, SPDI, coordinates, rs numbers, ids
// of ClinVar and ClinGen, and a gene with a change, such as BRAF V600E. It asks nobody: what
// a name means is for ClinVar and dbSNP to say.
//
//	n := variantname.Read("BRAF p.V600E", assembly.GRCh38)
//	n.Gene, n.Change, n.Short // "BRAF", "p.Val600Glu", "V600E"
//
// Sources: HGVS Nomenclature, https://hgvs-nomenclature.org/; for SPDI Holmes et al.,
// Bioinformatics 36:1902 (2020).
package variantname

import (
	"fmt"
	"regexp"
	"strings"

	"biomcp/entrez/assembly"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variation"
)

// Kind is a way to name a variant.
type Kind int

// The ways to name a variant.
const (
	None        Kind = iota
	VariationID      // 13961, VCV000013961
	RS               // rs113488022
	Searched         // RCV…, CA…, NP_…:p.…, NM_…:c.[…]: found by that word in ClinVar
	Sequence         // HGVS on a sequence, SPDI
	OfGene           // BRAF V600E, BRAF c.1799T>A
)

// Name is a word that names a variant, read.
type Name struct {
	Kind         Kind
	Word         string
	ID           string // VariationID, or the number of an rs
	Gene, Change string // of OfGene; the change as ClinVar writes it: p.Val600Glu, c.1799T>A
	Transcript   string // of a change that only a title of ClinVar has: c.[1075A>C;1080C>G]
	Short        string // a change of a protein in one letter: V600E
	HGVS         string // of Sequence, unless it is an SPDI
	SPDI         variation.SPDI
	Assembly     string // that a bare coordinate was read on
}

var (
	vcvForm    = pattern.Lazy(`^(?i)VCV0*([1-9][0-9]{0,9})(\.[0-9]+)?$`)
	rsForm     = pattern.Lazy(`^(?i)rs([1-9][0-9]{0,9})$`)
	otherForm  = pattern.Lazy(`^(?i)(RCV[0-9]{9}(?:\.[0-9]+)?|CA[0-9]{3,12})$`)
	npForm     = pattern.Lazy(`^([NX]P_[0-9]{6,9}(?:\.[0-9]{1,2})?):(p\.[][A-Za-z0-9_*=?;()]+)$`)
	hgvsForm   = pattern.Lazy(`^([NX][CGMRTW]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:([cgmnr]\.[A-Za-z0-9_+*>=()-]+)$`)
	titleName  = pattern.Lazy(`^([NX][MR]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:([cnr]\.[][0-9A-Za-z*+_>=;()?-]+)$`)
	placeForm  = pattern.Lazy(`^(?i:chr)([0-9]{1,2}|[XYMxym]|MT|mt):(?:g\.)?([0-9][0-9_]*(?:[ACGTacgt]+>[ACGTacgt]+|(?:del|dup|ins|inv)[ACGTacgt]*(?:ins[ACGTacgt]+)?))$`)
	snvForm    = pattern.Lazy(`^[gm]\.([0-9]+)([ACGT])>([ACGT])$`)
	geneForm   = pattern.Lazy(`^([A-Za-z][A-Za-z0-9-]{0,20})[ :]+(.+)$`)
	geneSymbol = pattern.Lazy(`^[A-Z][A-Z0-9-]{1,20}$`)
	cdnaForm   = pattern.Lazy(`^c\.[][0-9*+_>A-Za-z=;()?-]+$`)
)

// IsCoding reports whether a text is a change of a transcript: c.1799T>A.
func IsCoding(text string) bool { return cdnaForm().MatchString(text) }

// IsChange reports whether a word is a change without its gene: it belongs to the
// word before it.
func IsChange(word string) bool {
	_, _, ok := Protein(word)
	return ok || IsCoding(word)
}

// Read reads a word; the kind is None where it names no variant. A bare coordinate
// is read on the assembly.
func Read(word, on string) Name {
	n := Name{Word: word}
	var m []string
	is := func(form func() *regexp.Regexp) bool {
		m = form().FindStringSubmatch(word)
		return m != nil
	}
	spdi, isSPDI := variation.Parse(word)
	switch {
	case is(vcvForm):
		n.Kind, n.ID = VariationID, m[1]
	case is(ncbi.UIDForm):
		n.Kind, n.ID = VariationID, word
	case is(rsForm):
		n.Kind, n.ID = RS, m[1]
	case isSPDI:
		n.Kind, n.SPDI = Sequence, spdi
	case is(hgvsForm):
		n.sequence(m[1], m[2])
	case is(titleName):
		n.Kind, n.Transcript, n.Change = Searched, m[1], m[2]
	case is(placeForm) && assembly.Chromosome(m[1]) != "":
		if n.Assembly = on; assembly.Chromosome(m[1]) == "MT" { // one for both
			n.Assembly = ""
		}
		n.sequence(assembly.Accession(on, m[1]), "g."+upper(m[2]))
	case is(npForm):
		n.Kind, n.Change = Searched, m[2]
		if long, short, ok := Protein(m[2]); ok {
			n.Change, n.Short = long, short
		}
	case is(otherForm):
		n.Kind, n.Word = Searched, strings.ToUpper(word)
	case is(geneForm) && IsCoding(m[2]):
		n.Kind, n.Gene, n.Change = OfGene, strings.ToUpper(m[1]), m[2]
	case is(geneForm):
		if long, short, ok := Protein(m[2]); ok {
			n.Kind, n.Gene, n.Change, n.Short = OfGene, strings.ToUpper(m[1]), long, short
		}
	}
	return n
}

// Owns reports whether a text can name nothing but a variant. RS1 and CA9 are genes, and
// CA125 is an alias of one; a number alone is an id of many things.
func Owns(text string) bool {
	switch n := Read(text, assembly.GRCh38); {
	case n.Kind == RS:
		return len(text) > len("rs1")
	case strings.HasPrefix(n.Word, "CA"):
		return len(n.Word) > len("CA99999")
	default:
		return n.Kind != None && !ncbi.UIDForm().MatchString(text)
	}
}

// InText is how a variant is written in articles: its gene, where that was named, and an
// rs number or a change, as it was typed first, with residues in one letter and in three.
// None: the text is neither.
func InText(text string) (gene string, spellings []string) {
	n := Read(strings.TrimSpace(text), assembly.GRCh38)
	long, short, alone := Protein(n.Word)
	switch {
	case n.Kind == RS:
		return "", []string{"rs" + n.ID}
	case n.Kind == OfGene:
		long, short = n.Change, n.Short
	case !alone:
		return "", nil
	}
	if long = strings.TrimPrefix(long, "p."); short == "" {
		return n.Gene, []string{long}
	}
	if strings.HasSuffix(n.Word, long) {
		return n.Gene, []string{long, short}
	}
	return n.Gene, []string{short, long}
}

// sequence is a change in HGVS. That of one base on a chromosome is its own SPDI. Of
// the mitochondrion it is written m.
func (n *Name) sequence(accession, change string) {
	if _, chromosome := assembly.Of(accession); chromosome == "MT" {
		change = "m" + strings.TrimLeft(change, "gm")
	}
	n.Kind, n.HGVS = Sequence, accession+":"+change
	if m := snvForm().FindStringSubmatch(change); m != nil {
		if _, chromosome := assembly.Of(accession); chromosome != "" {
			var place int
			_, _ = fmt.Sscan(m[1], &place) // digits; one too long is no place that exists
			n.SPDI = variation.SPDI{Sequence: accession, Position: place - 1, Deleted: m[2], Inserted: m[3]}
		}
	}
}

// upper is a change with its bases in capitals: 140753336A>T, 87925512del.
func upper(change string) string {
	change = strings.ToUpper(change)
	for _, w := range []string{"DEL", "DUP", "INS", "INV"} {
		change = strings.ReplaceAll(change, w, strings.ToLower(w))
	}
	return change
}

// Join puts a gene and the change after it into one word, as they are often typed
// without quotes.
func Join(words []string) (out []string) {
	for _, w := range words {
		last := len(out) - 1
		if last >= 0 && IsChange(out[last]) && geneSymbol().MatchString(w) && Read(w, assembly.GRCh38).Kind == None { // the change first
			out[last] = w + " " + out[last]
			continue
		}
		if last >= 0 && IsChange(w) && Read(out[last], assembly.GRCh38).Kind == None && geneForm().MatchString(out[last]+" "+w) {
			out[last] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}
