package variantname

import (
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

// residue is an amino acid in one letter, * the end of the protein, and X that too.
const residue = `[ACDEFGHIKLMNPQRSTVWYX*]`

// A change of a protein in one letter, without p.: V600E, M1?, E746_A750del,
// D770_N771insSVD, L747_P753delinsS, Q18[23], F620Sfs*10.
var (
	changeForm = pattern.Lazy(strings.ReplaceAll(`^R[0-9]{1,5}(?:R|\?|R?fs[*X0-9?]*|R?ext[*A-Z0-9?-]*|(?:_R[0-9]{1,5})?(?:=|del|dup|(?:del)?insR+|\[[0-9]{1,4}\]))$`, "R", residue))
	spelled    = pattern.Lazy(`^(.*[0-9](?:del|dup))[ACDEFGHIKLMNPQRSTVWY]+$`) // the residues that are gone
	shiftForm  = pattern.Lazy(`^(.[0-9]+).?fs.*$`)
)

// acids are the amino acids, each by its one letter and then its three.
const acids = "AAla CCys DAsp EGlu FPhe GGly HHis IIle KLys LLeu MMet NAsn PPro QGln RArg SSer TThr VVal WTrp YTyr *Ter"

// speller writes the amino acids of a change in one letter, in three and, of three in
// lower case, with a capital; lowered has the words of HGVS in lower case.
type speller struct{ one, three, titled, lowered *strings.Replacer }

var spell = sync.OnceValue(func() speller {
	var one, three, titled []string
	for _, a := range strings.Fields(acids) {
		one, three, titled = append(one, a[1:], a[:1]), append(three, a[:1], a[1:]), append(titled, strings.ToLower(a[1:]), a[1:])
	}
	lowered := strings.NewReplacer("DELINS", "delins", "DEL", "del", "DUP", "dup", "INS", "ins", "INV", "inv", "FS", "fs", "EXT", "ext")
	return speller{strings.NewReplacer(one...), strings.NewReplacer(three...), strings.NewReplacer(titled...), lowered}
})

// Protein is a change of a protein in three letters and in one; ok is false where
// the text is none. A frameshift is known by its first residue, as ClinVar writes it:
// p.Phe620Serfs*10 is p.Phe620fs.
func Protein(text string) (long, short string, ok bool) {
	text = strings.TrimPrefix(unbracketed(text), "p.")
	text = unbracketed(text)
	for _, written := range []string{text, capitals(text)} {
		if short = spelled().ReplaceAllString(spell().one.Replace(written), "$1"); changeForm().MatchString(short) {
			break
		}
	}
	if !changeForm().MatchString(short) {
		return "", "", false
	}
	short = strings.ReplaceAll(shiftForm().ReplaceAllString(short, "${1}fs"), "X", "*")
	return "p." + spell().three.Replace(short), short, true
}

func unbracketed(text string) string {
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return text[1 : len(text)-1]
	}
	return text
}

// capitals is a change of a protein whose letters are in another case: v600e, VAL600GLU.
func capitals(text string) string {
	text = strings.ToLower(text)
	if full := spell().titled.Replace(text); full != text {
		return full
	}
	return spell().lowered.Replace(strings.ToUpper(text))
}

// SameChange reports whether a change of a protein, in either spelling, is the one.
func SameChange(text, short string) bool {
	_, s, ok := Protein(text)
	return ok && s == short || text == short
}
