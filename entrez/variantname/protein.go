package variantname

import (
	"strings"

	"biomcp/entrez/pattern"
)

// residue is an amino acid in one letter, * the end of the protein, and X that too.
const residue = `[ACDEFGHIKLMNPQRSTVWYX*]`

// A change of a protein in one letter, without p.: V600E, M1?, E746_A750del,
// D770_N771insSVD, L747_P753delinsS, Q18[23], F620Sfs*10.
var (
	changeForm = pattern.Lazy(strings.ReplaceAll(`^R[0-9]{1,5}(?:R|\?|R?fs[*X0-9?]*|R?ext[*A-Z0-9?-]*|(?:_R[0-9]{1,5})?(?:=|del|dup|(?:del)?insR+|\[[0-9]{1,4}\]))$`, "R", residue))
	shiftForm  = pattern.Lazy(`^(.[0-9]+).?fs.*$`)
)

// acids are the amino acids, each by its one letter and then its three.
const acids = "AAla CCys DAsp EGlu FPhe GGly HHis IIle KLys LLeu MMet NAsn PPro QGln RArg SSer TThr VVal WTrp YTyr *Ter"

// one and three spell the amino acids of a change in one letter and in three.
var one, three = func() (one, three *strings.Replacer) {
	var short, long []string
	for _, a := range strings.Fields(acids) {
		short, long = append(short, a[1:], a[:1]), append(long, a[:1], a[1:])
	}
	return strings.NewReplacer(short...), strings.NewReplacer(long...)
}()

// Protein is a change of a protein in three letters and in one; ok is false where
// the text is none. A frameshift is known by its first residue, as ClinVar writes it:
// p.Phe620Serfs*10 is p.Phe620fs.
func Protein(text string) (long, short string, ok bool) {
	text = strings.TrimPrefix(text, "p.")
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		text = text[1 : len(text)-1]
	}
	short = one.Replace(text)
	if !changeForm().MatchString(short) {
		return "", "", false
	}
	short = strings.ReplaceAll(shiftForm().ReplaceAllString(short, "${1}fs"), "X", "*")
	return "p." + three.Replace(short), short, true
}

// SameChange reports whether a change of a protein, in either spelling, is the one.
func SameChange(text, short string) bool {
	_, s, ok := Protein(text)
	return ok && s == short || text == short
}
