// Package variantname parses the names of variants: HGVS, SPDI, coordinates, rs numbers, IDs of ClinVar and
// ClinGen, and a gene with a change, such as BRAF V600E. It sends no requests: callers look the parsed name up in
// ClinVar and dbSNP.
//
//	n := variantname.Parse("BRAF p.V600E", assembly.GRCh38)
//	n.Gene, n.Change, n.Short // "BRAF", "p.Val600Glu", "V600E"
//
// Sources: HGVS Nomenclature, https://hgvs-nomenclature.org/; for SPDI Holmes et al., Bioinformatics 36:1902
// (2020).
package variantname

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"biomcp/entrez/assembly"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/variation"
)

// A Kind is a way to name a variant.
type Kind int

// The ways to name a variant.
const (
	None        Kind = iota
	VariationID      // 13961, VCV000013961
	RS               // rs113488022
	ClinVarTerm      // RCV…, CA…, NP_…:p.…, NM_…:c.[…]: to be found by searching ClinVar
	Sequence         // HGVS on a sequence with its version, or SPDI
	GeneChange       // BRAF V600E, BRAF c.1799T>A
	EnsemblHGVS      // ENST…:c.…, LRG_…t1:c.…: to be converted by Ensembl
	Unversioned      // NM_004333:c.1799T>A, NP_004324:p.V600E: to be read on the newest version
)

// A Name is a parsed name of a variant.
type Name struct {
	Kind               Kind
	Word               string
	ID                 string // VariationID, or the digits of an rs number
	Gene, Change       string // set if Kind is GeneChange; Change is in ClinVar's form: p.Val600Glu, c.1799T>A
	Accession          string // sequence of a protein change, or of one that only ClinVar's titles have: c.[1075A>C;1080C>G]
	Short              string // protein change with one-letter residues: V600E
	HGVS               string // set if Kind is Sequence (unless it is SPDI), EnsemblHGVS or Unversioned
	SPDI               variation.SPDI
	Assembly           string // assembly on which a coordinate without one was read
	LegacyChange       string // the change as typed, if in the numbering of older papers
	VersionedAccession string // accession with its version, set by the caller once found, if the name has none
}

var (
	vcvForm         = pattern.Lazy(`^(?i)VCV0*([1-9][0-9]{0,9})(\.[0-9]+)?$`)
	rsForm          = pattern.Lazy(`^(?i)rs ?([1-9][0-9]{0,9})$`)
	otherForm       = pattern.Lazy(`^(?i)(RCV[0-9]{9}(?:\.[0-9]+)?|CA[0-9]{3,12})$`)
	copyNumberTitle = pattern.Lazy(`^GRCh3[78]/hg(?:19|38) .*\(chr[0-9XY]+:[0-9_?()-]+\)`)
	npForm          = pattern.Lazy(`^([NX]P_[0-9]{6,9})(\.[0-9]{1,2})?:(p\.[][A-Za-z0-9_*=?;()]+)$`)
	hgvsForm        = pattern.Lazy(`^([NX][CGMRTW]_[0-9]{6,9})(\.[0-9]{1,2})?(?:\([A-Za-z0-9-]+\))?:` +
		`([cgmnr]\.[A-Za-z0-9_+*>=()-]+)$`)
	titleName = pattern.Lazy(`^([NX][MR]_[0-9]{6,9}\.[0-9]{1,2})(?:\([A-Za-z0-9-]+\))?:` +
		`([cnr]\.[][0-9A-Za-z*+_>=;()?-]+)$`)
	ensembl = pattern.Lazy(`^(ENS[TGP][0-9]{11}(?:\.[0-9]{1,2})?|LRG_[0-9]{1,4}(?:[tp][0-9]{1,2})?):` +
		`([cgnp]\.[A-Za-z0-9_+*>=()?-]+)$`)
	snvForm    = pattern.Lazy(`^[gm]\.([0-9]+)([ACGT])>([ACGT])$`)
	geneForm   = pattern.Lazy(`^([A-Za-z][A-Za-z0-9-]{0,20})[ :]+(.+)$`)
	geneSymbol = pattern.Lazy(`^[A-Z][A-Z0-9-]{1,20}$`)
	cdnaForm   = pattern.Lazy(`^c\.[][0-9*+_>A-Za-z=;()?-]+$`)
)

// IsCoding reports whether text is a change of a transcript: c.1799T>A.
func IsCoding(text string) bool { return cdnaForm().MatchString(text) }

// IsChange reports whether word is a change without a gene, which belongs to the word before it.
func IsChange(word string) bool {
	_, _, ok := Protein(word)
	return ok || IsCoding(word) || Coding(word) != ""
}

// Parse parses a name in the form of HGVS, of the databases or of everyday use. If word does not
// name a variant, its kind is [None]; [FindAmbiguity] may then explain why. A coordinate without an
// assembly is read on defaultAssembly.
func Parse(word, defaultAssembly string) Name {
	text := normalize(word)
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
	case is(hgvsForm) && m[2] == "" && assembly.WithVersion(defaultAssembly, m[1]) != "":
		n.Assembly = defaultAssembly
		n.setSequence(assembly.WithVersion(defaultAssembly, m[1]), m[3])
	case is(hgvsForm) && m[2] == "":
		n.Kind, n.HGVS = Unversioned, m[1]+":"+m[3]
	case is(hgvsForm):
		n.setSequence(m[1]+m[2], m[3])
	case is(titleName):
		n.Kind, n.Accession, n.Change = ClinVarTerm, m[1], m[2]
	case is(ensembl):
		n.Kind, n.HGVS = EnsemblHGVS, text
	case is(npForm):
		n.Kind, n.Accession, n.Change = ClinVarTerm, m[1]+m[2], m[3]
		if long, short, ok := Protein(m[3]); ok {
			n.Change, n.Short = long, short
		}
		if m[2] == "" {
			n.Kind, n.HGVS = Unversioned, n.Accession+":"+n.Change
		}
	case is(otherForm):
		n.Kind, n.Word = ClinVarTerm, strings.ToUpper(text)
	case is(copyNumberTitle):
		n.Kind = ClinVarTerm
	case n.parsePlace(text, defaultAssembly), is(geneForm) && n.parseGeneChange(strings.ToUpper(m[1]), m[2]):
	}
	return n
}

// IsUnambiguous reports whether text can only be the name of a variant. RS1 and CA9 are genes, CA125 is an alias of a gene,
// and a number alone may be an ID of many kinds.
func IsUnambiguous(text string) bool {
	if isPlainWord(text) {
		return false
	}
	switch n := Parse(text, assembly.GRCh38); {
	case n.Kind == RS:
		return len(text) > len("rs1")
	case strings.HasPrefix(n.Word, "CA"):
		return len(n.Word) > len("CA99999")
	default:
		return n.Kind != None && !ncbi.UIDForm().MatchString(text)
	}
}

// isPlainWord reports whether text is ASCII without digits and periods. Every name of a variant has a number, or a
// period as in BRAF c.=. The check saves parsing each word of a question.
func isPlainWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r == '.' || '0' <= r && r <= '9' || r > unicode.MaxASCII })
}

// Spellings returns the spellings of a variant in articles, and its gene if the name includes it. The spellings are
// the rs number, or the change with one-letter and with three-letter residues, the typed form first. It returns
// none if text is neither an rs number nor a change.
func Spellings(text string) (gene string, spellings []string) {
	n := Parse(strings.TrimSpace(text), assembly.GRCh38)
	long, short, alone := Protein(n.Word)
	switch gene, change, isAmbiguous := ambiguous(normalize(text)); {
	case n.Kind == RS:
		return "", []string{"rs" + n.ID}
	case isAmbiguous: // C3435T is also written c.3435C>T
		return gene, append([]string{change}, strings.TrimPrefix(substitution(change), "c."))
	case n.LegacyChange != "":
		return n.Gene, []string{n.LegacyChange, strings.TrimPrefix(n.Change, "p.")}
	case n.Kind == GeneChange:
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

// setSequence sets n to a change in HGVS, which is written with m. on the mitochondrion. It also sets the SPDI of a
// substitution of one base on a chromosome.
func (n *Name) setSequence(accession, change string) {
	if _, chromosome := assembly.Lookup(accession); chromosome == "MT" {
		change = "m" + strings.TrimLeft(change, "gm")
	}
	n.Kind, n.HGVS = Sequence, accession+":"+change
	if m := snvForm().FindStringSubmatch(change); m != nil {
		if _, chromosome := assembly.Lookup(accession); chromosome != "" {
			var place int
			_, _ = fmt.Sscan(m[1], &place) // digits; out of range, the position does not exist
			n.SPDI = variation.SPDI{Sequence: accession, Position: place - 1, Deleted: m[2], Inserted: m[3]}
		}
	}
}

// Join joins words that are parts of one name, as they are typed without quotes: a gene and a change, a position
// and its bases, or a title of ClinVar.
func Join(words []string) (out []string) {
	for len(words) > 0 {
		n := min(len(words), maxParts)
		for n > 1 && !isOneName(words[:n]) {
			n--
		}
		out, words = append(out, joinParts(words[:n])), words[n:]
	}
	return out
}

// maxParts is the maximum number of words in a name: 7 140753336 rs113488022 A T.
const maxParts = 5

// joinParts joins the words of a name, and puts the gene before its change.
func joinParts(words []string) string {
	if len(words) == 2 && IsChange(words[0]) && geneSymbol().MatchString(words[1]) {
		if Parse(words[1], assembly.GRCh38).Kind == None {
			return words[1] + " " + words[0]
		}
	}
	return strings.Join(words, " ")
}

// isOneName reports whether words are one name. If the first word names a variant by itself, they are only if it is
// a number, as the chromosome of a position, or if a title of ClinVar continues with the protein change.
func isOneName(words []string) bool {
	n := Parse(joinParts(words), assembly.GRCh38)
	_, _, isUnclear := FindAmbiguity(joinParts(words))
	_, isNamed := ReadEntity(joinParts(words))
	switch first := Parse(words[0], assembly.GRCh38); first.Kind {
	case None:
		return n.Kind != None || isUnclear || isNamed
	case VariationID:
		return n.Kind == Sequence
	case RS:
		return false
	}
	return len(words) == 2 && strings.HasPrefix(trimParens(words[1]), "p.") && n.Kind != None
}
