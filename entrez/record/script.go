package record

import (
	"strings"
	"unicode/utf8"
)

// Pairs of a character and its raised or lowered form (Unicode blocks Superscripts and Subscripts,
// Spacing Modifier Letters, Phonetic Extensions). Letters that only phonetic fonts contain (q, C,
// F, ...) are missing. Characters that are high by themselves are their own superscript, and every
// dash is a minus.
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

// Superscript converts s to Unicode's superscript characters, and reports whether every character
// has one. If not, it returns s unchanged. A space stays a space. A slash stays a slash, but has no
// superscript at either end or next to a digit, since 1/2 could be read as a division of the whole
// text: "-/-" becomes "⁻/⁻", but "1/2" has no superscript.
func Superscript(s string) (string, bool) { return toScript(s, superscripts) }

// Subscript converts s to subscript characters, as [Superscript] does to superscripts.
func Subscript(s string) (string, bool) { return toScript(s, subscripts) }

func toScript(s, pairs string) (string, bool) {
	var out strings.Builder
	before := '0' // a slash may neither begin the text nor follow a digit
	for i, r := range s {
		converted := r
		switch r {
		case ' ':
		case '/':
			after, n := utf8.DecodeRuneInString(s[i+1:])
			if n == 0 || isDigit(before) || isDigit(after) {
				return s, false
			}
		default:
			if converted = lookupPair(r, pairs); converted < 0 {
				return s, false
			}
		}
		out.WriteRune(converted)
		before = r
	}
	return out.String(), true
}

// lookupPair returns the character after r in pairs, or -1 if r is not in them.
func lookupPair(r rune, pairs string) rune {
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

// SuperscriptText writes a run as a superscript. If Unicode lacks characters for it, it uses the
// linear format of Unicode Technical Note 28 (section 2), x^(a,b). It always adds the
// parentheses, so that following text is never part of the script.
func SuperscriptText(s string) string {
	if up, ok := Superscript(s); ok {
		return up
	}
	return "^(" + s + ")"
}

// SubscriptText writes a run as a subscript, as [SuperscriptText] does a superscript: K_(d).
func SubscriptText(s string) string {
	if down, ok := Subscript(s); ok {
		return down
	}
	return "_(" + s + ")"
}
