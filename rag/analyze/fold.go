package analyze

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez/record"
)

// greekMark is inserted between the name of a Greek letter and an adjacent word (TNFα becomes
// TNF-greekMark-alpha). It makes the two parts of one compound, as a hyphen does.
const greekMark = '\x01'

// tableEnd is the first rune that is not folded by the table. The ideographic scripts, where
// every character is a word, begin here.
const tableEnd = 0x2E80

var greekNames = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon",
	'ζ': "zeta", 'η': "eta", 'θ': "theta", 'ι': "iota", 'κ': "kappa",
	'λ': "lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'ο': "omicron", 'π': "pi",
	'ρ': "rho", 'σ': "sigma", 'ς': "sigma", 'τ': "tau", 'υ': "upsilon",
	'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}

var foldTable = sync.OnceValue(func() *[tableEnd]string {
	var t [tableEnd]string
	for r := rune(utf8.RuneSelf); r < tableEnd; r++ {
		t[r] = decompose(r)
	}
	return &t
})

// decompose returns the folded form of one rune: compatibility decomposition
// (NFKD) without combining marks, letters in lower case, dashes and primes as
// ASCII, any other character as a space.
func decompose(r rune) string {
	switch {
	case r >= 0x2010 && r <= 0x2015, r == 0x2212, r == 0x207B, r == 0x208B:
		return "-"
	case r == 0xAD, r >= 0x200B && r <= 0x200D, r == 0x2060:
		return ""
	case r >= 0x2018 && r <= 0x201B, r >= 0x2032 && r <= 0x2035, r == 0xB4, r == 0x2BC, r == 0x2B9:
		return "'"
	case r == 0xB7, r == 0x22C5, r == 0x2219:
		return "." // the raised decimal point of The Lancet
	case r == 0x2044, r == 0x2215:
		return "/"
	case r == 0x2122, r == 0x2120: // trade marks are not part of the name
		return " "
	}
	if s, ok := record.PlainLetter(r); ok {
		return s
	}
	var b strings.Builder
	for _, d := range norm.NFKD.String(string(r)) {
		switch {
		case unicode.Is(unicode.Mn, d):
		case d < utf8.RuneSelf && d > ' ':
			b.WriteRune(d)
		case d == 0x2212:
			b.WriteByte('-')
		case d == 0x2044: // fraction slash, as in ½
			b.WriteByte('/')
		case unicode.IsLetter(d), unicode.IsNumber(d), unicode.Is(unicode.Mc, d):
			b.WriteRune(unicode.ToLower(d))
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// fold appends s to dst in the form that the scanner reads. ASCII keeps its case. Every other
// byte of the result belongs to a letter.
func fold(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			c := s[i]
			switch c {
			case greekMark, scriptMark:
				c = ' '
			case '(', '^', '_':
				var n int
				if dst, n = foldLine(dst, s[i:]); n > 0 {
					i += n
					continue
				}
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			dst = append(dst, ' ')
		case r == 'µ', r == 'μ':
			// Before a letter it is the prefix micro, which older PubMed
			// records write u: µg, μm, µmol.
			if i+n < len(s) && isASCIILetter(s[i+n]) {
				dst = append(dst, 'u')
			} else {
				dst = appendGreek(dst, "mu", s[i+n:])
			}
		case r >= 0x370 && r < 0x400 || r >= 0x1F00 && r < 0x2000:
			run, end := greekRun(s[i:])
			n = end
			if len(run) > 2 { // a Greek word, not a symbol
				for _, g := range run {
					dst = utf8.AppendRune(dst, g)
				}
				break
			}
			for _, g := range run {
				dst = appendGreek(dst, greekNames[g], s[i+n:])
			}
		case isScript(r):
			dst, n = foldScript(dst, s[i:])
		case r >= 0xBC && r <= 0xBE, r >= 0x2150 && r <= 0x215F: // ½
			if len(dst) > 0 && isDigit(dst[len(dst)-1]) {
				dst = append(dst, ' ')
			}
			dst = append(dst, foldTable()[r]...)
		case r < tableEnd:
			dst = append(dst, foldTable()[r]...)
		default:
			dst = appendIdeograph(dst, r)
		}
		i += n
	}
	return dst
}

// greekRun returns the Greek letters at the start of s, without marks and in
// lower case, and the number of bytes read.
func greekRun(s string) (run []rune, n int) {
	for i, r := range s {
		if r < 0x370 || r >= 0x400 && r < 0x1F00 || r >= 0x2000 {
			if !unicode.Is(unicode.Mn, r) && r != 'µ' {
				return run, i
			}
			continue
		}
		for _, g := range foldTable()[r] {
			if greekNames[g] != "" {
				run = append(run, g)
			}
		}
	}
	return run, len(s)
}

func appendGreek(dst []byte, name, rest string) []byte {
	if len(dst) > 0 && isWordByte(dst[len(dst)-1]) {
		dst = append(dst, greekMark)
	}
	dst = append(dst, name...)
	if rest != "" && isWordByte(rest[0]) {
		dst = append(dst, greekMark)
	}
	return dst
}

// appendIdeograph folds a rune beyond the table: a compatibility form (full
// width, mathematical italic) as the character it represents, a letter as one
// word.
func appendIdeograph(dst []byte, r rune) []byte {
	if s := norm.NFKC.String(string(r)); s != string(r) {
		return fold(dst, s)
	}
	dst = append(dst, ' ')
	if unicode.IsLetter(r) || unicode.IsNumber(r) {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
		dst = append(dst, ' ')
	}
	return dst
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool       { return c >= '0' && c <= '9' }
func isWordByte(c byte) bool {
	return isASCIILetter(c) || isDigit(c) || c >= utf8.RuneSelf || c == greekMark || c == scriptMark
}
