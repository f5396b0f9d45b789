package pubmed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pairs of a character and its raised or lowered form (Unicode blocks Superscripts
// and Subscripts, Spacing Modifier Letters, Phonetic Extensions). Letters that only
// fonts for phonetics draw (q, C, F, ...) are left out. Signs that are high by
// themselves are their own superscript, and every dash is a minus.
const (
	superscripts = "0⁰1¹2²3³4⁴5⁵6⁶7⁷8⁸9⁹+⁺-⁻‐⁻‑⁻–⁻−⁻=⁼(⁽)⁾" +
		"aᵃbᵇcᶜdᵈeᵉfᶠgᵍhʰiⁱjʲkᵏlˡmᵐnⁿoᵒpᵖrʳsˢtᵗuᵘvᵛwʷxˣyʸzᶻ" +
		"AᴬBᴮDᴰEᴱGᴳHᴴIᴵJᴶKᴷLᴸMᴹNᴺOᴼPᴾRᴿTᵀUᵁVⱽWᵂ" +
		"βᵝγᵞδᵟθᶿφᵠχᵡ" +
		"®®™™℠℠°°**∗∗††‡‡§§′′″″''"
	subscripts = "0₀1₁2₂3₃4₄5₅6₆7₇8₈9₉+₊-₋‐₋‑₋–₋−₋=₌(₍)₎" +
		"aₐeₑhₕiᵢjⱼkₖlₗmₘnₙoₒpₚrᵣsₛtₜuᵤvᵥxₓ" +
		"βᵦγᵧρᵨφᵩχᵪ"
)

// Superscript writes s in Unicode's superscript characters and reports whether
// every character of s has one; if not, it returns s unchanged. A space stays a
// space, and a slash stays a slash except next to a digit, where it could be taken
// for a division of the whole: "-/-" is "⁻/⁻", but "1/2" has no superscript.
func Superscript(s string) (string, bool) { return scripted(s, superscripts) }

// Subscript is Superscript for subscripts.
func Subscript(s string) (string, bool) { return scripted(s, subscripts) }

func scripted(s, pairs string) (string, bool) {
	var out strings.Builder
	before := '0' // a slash may neither begin the text nor follow a digit
	for i, r := range s {
		to := r
		switch r {
		case ' ':
		case '/':
			after, n := utf8.DecodeRuneInString(s[i+1:])
			if n == 0 || isDigit(before) || isDigit(after) {
				return s, false
			}
		default:
			if to = paired(r, pairs); to < 0 {
				return s, false
			}
		}
		out.WriteRune(to)
		before = r
	}
	return out.String(), true
}

func paired(r rune, pairs string) rune {
	for len(pairs) > 0 {
		from, n := utf8.DecodeRuneInString(pairs)
		to, m := utf8.DecodeRuneInString(pairs[n:])
		if from == r {
			return to
		}
		pairs = pairs[n+m:]
	}
	return -1
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// raised and lowered write a run as a script. Where Unicode has no characters for
// it they use the linear format of Unicode Technical Note 28 (section 2), x^(a,b)
// and K_(d), always with the parentheses, so that what follows is never drawn in.
func raised(s string) string {
	if up, ok := Superscript(s); ok {
		return up
	}
	return "^(" + s + ")"
}

func lowered(s string) string {
	if down, ok := Subscript(s); ok {
		return down
	}
	return "_(" + s + ")"
}

// grouped puts parentheses around what is more than one number, name, sign (with
// the marks on it) or bracket, as an operand of a fraction, root or power.
func grouped(s string) string {
	compound := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '.' && r != '%'
	}
	_, first := utf8.DecodeRuneInString(s)
	if strings.TrimLeftFunc(s[first:], unicode.IsMark) == "" || !strings.ContainsFunc(s, compound) || enclosed(s) {
		return s
	}
	return "(" + s + ")"
}

// enclosed reports whether s is one pair of brackets with all the rest inside.
func enclosed(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth <= 0 {
			return i > 0 && i == len(s)-1
		}
	}
	return false
}
