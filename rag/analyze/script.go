package analyze

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"biomcp/entrez/pattern"
)

// scriptMark is inserted before raised or lowered text that is a separate part of
// a compound: BRAFⱽ⁶⁰⁰ᴱ becomes BRAF-scriptMark-V600E. It binds closer than a hyphen.
const scriptMark = '\x02'

// isScript reports whether a rune below tableEnd is raised or lowered (the
// compatibility mappings <super> and <sub> of the Unicode Character Database).
// A rune of these blocks without a mapping (ᴯ, or one not assigned) is not, since
// foldScript has nothing to replace it with.
func isScript(r rune) bool {
	switch {
	case r == 0xAA, r == 0xB2, r == 0xB3, r == 0xB9, r == 0xBA,
		r >= 0x2B0 && r <= 0x2B8, r >= 0x2E0 && r <= 0x2E4,
		r >= 0x1D2C && r <= 0x1D6A, r == 0x1D78, r >= 0x1D9B && r <= 0x1DBF,
		r >= 0x2070 && r <= 0x209C, r == 0x2C7C, r == 0x2C7D:
		return !norm.NFKD.IsNormalString(string(r))
	}
	return false
}

// foldScript appends the run of raised or lowered characters at the start of s as
// ordinary characters, and returns the number of bytes read.
func foldScript(dst []byte, s string) ([]byte, int) {
	n := strings.IndexFunc(s, func(r rune) bool { return !isScript(r) })
	if n < 0 {
		n = len(s)
	}
	return appendScript(dst, norm.NFKD.String(s[:n]), s[n:]), n
}

// appendScript appends a script, with a scriptMark if it is a separate part of
// the word before it or of the rest of the text.
func appendScript(dst []byte, script, rest string) []byte {
	if bare := strings.TrimLeft(script, "0123456789"); bare != script && prose(bare) { // VO₂ₘₐₓ
		n := len(script) - len(bare)
		dst = append(append(markScript(dst, script), script[:n]...), scriptMark)
		script = bare
	}
	dst = fold(markScript(dst, script), script)
	last := dst[len(dst)-1]
	withinWord := rest != "" && isWordByte(rest[0]) && isWordByte(last)
	if withinWord && (!isDigit(last) || prose(rest)) {
		dst = append(dst, scriptMark) // covers a missing space too, as in SiO₂thin
	}
	return dst
}

// markScript appends a scriptMark if the script is a separate part. A number is
// one only after an ordinary word: CO₂, m² and ¹³¹I are names, cells² is cells
// with a footnote.
func markScript(dst []byte, script string) []byte {
	if !touches(dst) || !isWordByte(script[0]) {
		return dst
	}
	tail := dst[max(0, len(dst)-3):]
	if !isDigit(script[0]) || len(tail) == 3 && prose(string(tail)) {
		dst = append(dst, scriptMark)
	}
	return dst
}

// touches reports whether dst ends within a word.
func touches(dst []byte) bool { return len(dst) > 0 && isWordByte(dst[len(dst)-1]) }

// prose reports whether s begins with three lower-case letters, unlike any formula.
func prose(s string) bool {
	for i := range 3 {
		if i >= len(s) || s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// Scripts in brackets, as in older PubMed records: CO(2), Ca(2+), 5-HT(2A),
// t(1/2), 10(-6), CD4(+), HLA-B(*)57:01; and (131)I before the name.
var (
	bracketed = pattern.Lazy(`^\(([+*-]|[+-]?[0-9]{1,3}(?:[./][0-9])?[A-Za-z]?[+-]?)\)`)
	massFirst = pattern.Lazy(`^\(([0-9]{1,3}m?)\)([A-Z][a-z]?)`)
)

// foldLine reads a script written in ASCII at the start of s: in brackets, or in the linear
// format that package pubmed writes if Unicode has no characters (Unicode Technical Note 28:
// x^(a,b), K_(d), 10^6). It returns the number of bytes read, or zero if there is no script.
func foldLine(dst []byte, s string) ([]byte, int) {
	switch {
	case !touches(dst):
		if m := massFirst().FindStringSubmatch(s); m != nil && nuclides()[strings.ToLower(m[1]+m[2])] {
			return append(dst, m[1]...), len(m[1]) + len("()")
		}
	case s[0] == '(':
		if m := bracketed().FindStringSubmatch(s); m != nil && raises(dst) {
			return appendScript(dst, m[1], s[len(m[0]):]), len(m[0])
		}
	case strings.HasPrefix(s[1:], "("):
		return append(dst, scriptMark), len("^(")
	case s[0] == '^' && len(s) > 1 && isWordByte(s[1]):
		return markScript(dst, s[1:]), len("^")
	}
	return dst, 0
}

// raises reports whether a script can follow the end of dst. 10 is the only number with a
// script, because 12(3) is a volume and issue.
func raises(dst []byte) bool {
	i := len(dst)
	for i > 0 && isDigit(dst[i-1]) {
		i--
	}
	return i == len(dst) || i > 0 && isWordByte(dst[i-1]) || string(dst[i:]) == "10"
}

// nuclides holds the nuclides in names of tracers, therapies and spectra.
var nuclides = Words(`1h 2h 3h 11c 13c 14c 13n 15n 15o 17o 18o 18f 19f 22na 23na 31p 32p 33p 35s 40k 45ca 44sc 47sc
	51cr 55fe 57fe 59fe 57co 58co 60co 62cu 64cu 67cu 65zn 67ga 68ga 75se 81mkr 82rb 85kr 86rb 89sr 90sr 90y 86y
	89zr 99mo 99tc 99mtc 103pd 106ru 109cd 111in 113min 123i 124i 125i 127i 129i 131i 129xe 133xe 134cs 137cs
	149tb 153gd 153sm 161tb 166ho 169er 169yb 170tm 177lu 186re 188re 192ir 195mpt 198au 201tl 203hg 203pb
	210pb 210po 211at 212bi 212pb 213bi 223ra 224ra 226ra 225ac 227th 232th 235u 238u 238pu 239pu 241am`)

// nuclide writes I131 and Tc99m with the mass first, like 131I. It does not change H3 and P32,
// which are proteins.
func nuclide(word string) string {
	i := 0
	for i < len(word) && i < 3 && isASCIILetter(word[i]) {
		i++
	}
	if first := word[i:] + word[:i]; i > 0 && nuclides()[first] && word[:i] != "h" && word[:i] != "p" {
		return first
	}
	return word
}

// substitution returns the index at which an amino acid substitution begins after the name of a
// gene (BRAFV600E), or zero if there is none.
func substitution(w []byte) int {
	const residues = "acdefghiklmnpqrstvwyx"
	i := len(w) - 1
	for i > 0 && isDigit(w[i-1]) {
		i--
	}
	if digits := len(w) - 1 - i; i < 4 || digits < 2 || digits > 5 || isDigit(w[0]) ||
		strings.IndexByte(residues, w[len(w)-1]) < 0 || strings.IndexByte(residues, w[i-1]) < 0 {
		return 0
	}
	return i - 1
}
