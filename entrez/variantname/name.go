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
	Recoded          // ENST…:c.…, LRG_…t1:c.…: Ensembl says what it is
	Unversioned      // NM_004333:c.1799T>A, NP_004324:p.V600E: of the newest version
)

// Name is a word that names a variant, read.
type Name struct {
	Kind         Kind
	Word         string
	ID           string // VariationID, or the number of an rs
	Gene, Change string // of OfGene; the change as ClinVar writes it: p.Val600Glu, c.1799T>A
	Accession    string // of a change of a protein, or of one that only a title of ClinVar has: c.[1075A>C;1080C>G]
	Short        string // a change of a protein in one letter: V600E
	HGVS         string // of Sequence, unless it is an SPDI, of Recoded and Unversioned
	SPDI         variation.SPDI
	Assembly     string // that a bare coordinate was read on
	Familiar     string // the change as older papers number it, where it was written so
	Newest       string // the accession with its version, where none was given: for who finds it to set
}

var (
	vcvForm    = pattern.Lazy(`^(?i)VCV0*([1-9][0-9]{0,9})(\.[0-9]+)?$`)
	rsForm     = pattern.Lazy(`^(?i)rs ?([1-9][0-9]{0,9})$`)
	otherForm  = pattern.Lazy(`^(?i)(RCV[0-9]{9}(?:\.[0-9]+)?|CA[0-9]{3,12})$`)
	placed     = pattern.Lazy(`^GRCh3[78]/hg(?:19|38) .*\(chr[0-9XY]+:[0-9_?()-]+\)`)
	npForm     = pattern.Lazy(`^([NX]P_[0-9]{6,9})(\.[0-9]{1,2})?:(p\.[][A-Za-z0-9_*=?;()]+)$`)
	hgvsForm   = pattern.Lazy(`^([NX][CGMRTW]_[0-9]{6,9})(\.[0-9]{1,2})?(?:\([A-Za-z0-9-]+\))?:([cgmnr]\.[A-Za-z0-9_+*>=()-]+)$`)
	titleName  = pattern.Lazy(`^([NX][MR]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:([cnr]\.[][0-9A-Za-z*+_>=;()?-]+)$`)
	ensembl    = pattern.Lazy(`^(ENS[TGP][0-9]{11}(?:\.[0-9]{1,2})?|LRG_[0-9]{1,4}(?:[tp][0-9]{1,2})?):([cgnp]\.[A-Za-z0-9_+*>=()?-]+)$`)
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
	return ok || IsCoding(word) || Coding(word) != ""
}

// Read reads a word, as HGVS and the databases write it or as people do; the kind is None
// where it names no variant, of which [Unclear] may say more. A bare coordinate is read on
// the assembly.
func Read(word, on string) Name {
	text := plain(word)
	n := Name{Word: word}
	var m []string
	is := func(form func() *regexp.Regexp) bool {
		m = form().FindStringSubmatch(text)
		return m != nil
	}
	spdi, isSPDI := variation.Parse(text)
	switch {
	case is(vcvForm):
		n.Kind, n.ID = VariationID, m[1]
	case is(ncbi.UIDForm):
		n.Kind, n.ID = VariationID, text
	case is(rsForm):
		n.Kind, n.ID = RS, m[1]
	case isSPDI:
		n.Kind, n.SPDI = Sequence, spdi
	case is(hgvsForm) && m[2] == "" && assembly.Versioned(on, m[1]) != "":
		n.Assembly = on
		n.sequence(assembly.Versioned(on, m[1]), m[3])
	case is(hgvsForm) && m[2] == "":
		n.Kind, n.HGVS = Unversioned, m[1]+":"+m[3]
	case is(hgvsForm):
		n.sequence(m[1]+m[2], m[3])
	case is(titleName):
		n.Kind, n.Accession, n.Change = Searched, m[1], m[2]
	case is(ensembl):
		n.Kind, n.HGVS = Recoded, text
	case is(npForm):
		n.Kind, n.Accession, n.Change = Searched, m[1]+m[2], m[3]
		if long, short, ok := Protein(m[3]); ok {
			n.Change, n.Short = long, short
		}
		if m[2] == "" {
			n.Kind, n.HGVS = Unversioned, n.Accession+":"+n.Change
		}
	case is(otherForm):
		n.Kind, n.Word = Searched, strings.ToUpper(text)
	case is(placed):
		n.Kind = Searched
	case n.place(text, on), is(geneForm) && n.ofGene(strings.ToUpper(m[1]), m[2]):
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
	switch gene, change, unclear := ambiguous(plain(text)); {
	case n.Kind == RS:
		return "", []string{"rs" + n.ID}
	case unclear: // C3435T is also written c.3435C>T
		return gene, append([]string{change}, strings.TrimPrefix(nucleotide(change), "c."))
	case n.Familiar != "":
		return n.Gene, []string{n.Familiar, strings.TrimPrefix(n.Change, "p.")}
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

// Join puts into one word what are the parts of one name, as they are often typed without
// quotes: a gene and a change, a place and its bases, a title of ClinVar.
func Join(words []string) (out []string) {
	for len(words) > 0 {
		n := min(len(words), mostParts)
		for n > 1 && !isOne(words[:n]) {
			n--
		}
		out, words = append(out, together(words[:n])), words[n:]
	}
	return out
}

// mostParts is how many words one name has: 7 140753336 rs113488022 A T.
const mostParts = 5

// together is the words of a name, the gene before its change.
func together(words []string) string {
	if len(words) == 2 && IsChange(words[0]) && geneSymbol().MatchString(words[1]) && Read(words[1], assembly.GRCh38).Kind == None {
		return words[1] + " " + words[0]
	}
	return strings.Join(words, " ")
}

// isOne reports whether words are one name. After a word that is a name by itself only the
// rest of a place follows, of which a number is a chromosome, or the change of the protein
// in a title of ClinVar.
func isOne(words []string) bool {
	n := Read(together(words), assembly.GRCh38)
	_, _, unclear := Unclear(together(words))
	switch first := Read(words[0], assembly.GRCh38); first.Kind {
	case None:
		return n.Kind != None || unclear
	case VariationID:
		return n.Kind == Sequence
	case RS:
		return false
	}
	return len(words) == 2 && strings.HasPrefix(unbracketed(words[1]), "p.") && n.Kind != None
}
