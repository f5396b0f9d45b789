package entreztest

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// greek maps Greek letters to their names, as in PubMed's index: "β-catenin" is found by beta.
var greek = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon",
	'ζ': "zeta", 'η': "eta", 'θ': "theta", 'ι': "iota", 'κ': "kappa",
	'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'ο': "omicron",
	'π': "pi", 'ρ': "rho", 'σ': "sigma", 'ς': "sigma", 'τ': "tau",
	'υ': "upsilon", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}

// eachWord calls yield with every word of text, in a buffer that it reuses. A word is a run of
// letters and digits, in lower case, without accents, and with Greek letters spelled out. All other
// characters, including the apostrophe and the hyphen, end a word (NCBI translates "cancer's" to
// "cancer s").
func eachWord(text string, yield func([]byte)) {
	if !isASCII(text) {
		text = norm.NFKD.String(text)
	}
	var buf []byte
	flush := func() {
		if len(buf) > 0 {
			yield(buf)
			buf = buf[:0]
		}
	}
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			buf = append(buf, byte(r))
		case 'A' <= r && r <= 'Z':
			buf = append(buf, byte(r)+'a'-'A')
		case r < utf8.RuneSelf:
			flush()
		case unicode.Is(unicode.Mn, r):
		default:
			r = unicode.ToLower(r)
			if name, ok := greek[r]; ok {
				buf = append(buf, name...)
			} else if unicode.IsLetter(r) || unicode.IsDigit(r) {
				buf = utf8.AppendRune(buf, r)
			} else {
				flush()
			}
		}
	}
	flush()
}

// wordsOf returns the words of eachWord as a slice.
func wordsOf(text string) []string {
	var out []string
	eachWord(text, func(w []byte) { out = append(out, string(w)) })
	return out
}

// fold returns the form in which exact terms (headings, journals, names) are compared: the words of
// text, separated by single spaces.
func fold(text string) string {
	var out []byte
	eachWord(text, func(w []byte) {
		if out != nil {
			out = append(out, ' ')
		}
		out = append(out, w...)
	})
	return string(out)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// stopWords lists the words that PubMed removes from an untagged query (PubMed User Guide,
// "Stopwords").
var stopWords = stringSet(`a about again all almost also although always among an
and another any are as at be because been before being between both but by can
could did do does done due during each either enough especially etc for found
from further had has have having here how however i if in into is it its itself
just kg km made mainly make may mg might ml mm most mostly must nearly neither
no nor obtained of often on our overall perhaps pmid quite rather really
regarding seem seen several should show showed shown shows significantly since
so some such than that the their theirs them then there therefore these they
this those through thus to upon use used using various very was we were what
when which while with within without would`)

func stringSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
