package variantname

import (
	"strings"
	"sync"

	"biomcp/entrez/pattern"
)

// residue matches an amino acid in one letter. Both * and X are the end of the protein.
const residue = `[ACDEFGHIKLMNPQRSTVWYX*]`

// changeForm matches a protein change with one-letter residues and without p.: V600E, M1?, E746_A750del,
// D770_N771insSVD, L747_P753delinsS, Q18[23], F620Sfs*10.
var (
	changeForm = pattern.Lazy(strings.ReplaceAll(`^R[0-9]{1,5}(?:R|\?|R?fs[*X0-9?]*|R?ext[*A-Z0-9?-]*|`+
		`(?:_R[0-9]{1,5})?(?:=|del|dup|(?:del)?insR+|\[[0-9]{1,4}\]))$`, "R", residue))
	// ends with the deleted or repeated residues
	spelledResidues = pattern.Lazy(`^(.*[0-9](?:del|dup))[ACDEFGHIKLMNPQRSTVWY]+$`)
	shiftForm       = pattern.Lazy(`^(.[0-9]+).?fs.*$`)
)

// acids lists the amino acids, each as its one-letter code followed by its three-letter code.
const acids = "AAla CCys DAsp EGlu FPhe GGly HHis IIle KLys LLeu MMet NAsn PPro QGln RArg SSer TThr VVal WTrp YTyr *Ter"

// A speller rewrites changes. oneLetter and threeLetter replace amino acids with these codes, titleCase
// capitalizes three-letter codes in lower case, and keywords writes HGVS words such as DEL in lower case.
type speller struct{ oneLetter, threeLetter, titleCase, keywords *strings.Replacer }

var spell = sync.OnceValue(func() speller {
	var oneLetter, threeLetter, titleCase []string
	for _, a := range strings.Fields(acids) {
		letter, code := a[:1], a[1:]
		oneLetter = append(oneLetter, code, letter)
		threeLetter = append(threeLetter, letter, code)
		titleCase = append(titleCase, strings.ToLower(code), code)
	}
	return speller{
		strings.NewReplacer(oneLetter...), strings.NewReplacer(threeLetter...), strings.NewReplacer(titleCase...),
		strings.NewReplacer("DELINS", "delins", "DEL", "del", "DUP", "dup", "INS", "ins", "INV", "inv",
			"FS", "fs", "EXT", "ext"),
	}
})

// Protein parses a change of a protein and returns it with three-letter residues, as p.Val600Glu, and with
// one-letter residues, as V600E. ok is false if text is not such a change. Like ClinVar, it reduces a frameshift to
// its first residue: p.Phe620Serfs*10 becomes p.Phe620fs.
func Protein(text string) (long, short string, ok bool) {
	text = strings.TrimPrefix(trimParens(text), "p.")
	text = trimParens(text)
	for _, written := range []string{text, fixCase(text)} {
		short = spelledResidues().ReplaceAllString(spell().oneLetter.Replace(written), "$1")
		if changeForm().MatchString(short) {
			break
		}
	}
	if !changeForm().MatchString(short) {
		return "", "", false
	}
	short = strings.ReplaceAll(shiftForm().ReplaceAllString(short, "${1}fs"), "X", "*")
	return "p." + spell().threeLetter.Replace(short), short, true
}

func trimParens(text string) string {
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return text[1 : len(text)-1]
	}
	return text
}

// fixCase restores upper and lower case in a protein change such as v600e or VAL600GLU.
func fixCase(text string) string {
	text = strings.ToLower(text)
	if full := spell().titleCase.Replace(text); full != text {
		return full
	}
	return spell().keywords.Replace(strings.ToUpper(text))
}

// SameChange reports whether text, in either spelling, is the protein change short.
func SameChange(text, short string) bool {
	_, s, ok := Protein(text)
	return ok && s == short || text == short
}
