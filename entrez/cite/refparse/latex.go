package refparse

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// accents maps LaTeX's accent commands to combining characters.
var accents = sync.OnceValue(func() map[string]string {
	return map[string]string{
		`"`: "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
		"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323", "b": "\u0331",
	}
})

// texSymbols maps LaTeX's commands without an argument to characters.
var texSymbols = sync.OnceValue(func() map[string]string {
	m := map[string]string{
		"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
		"i": "i", "j": "j", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
		"textless": "<", "textgreater": ">", "lt": "<", "gt": ">", "textunderscore": "_", "textbackslash": `\`, "textbar": "|",
		"textasciitilde": "~", "textasciicircum": "^", "textbraceleft": "{", "textbraceright": "}", "textdollar": "$",
		"textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textquotesingle": "'",
		"textquotedblleft": "“", "textquotedblright": "”", "textdegree": "°", "degree": "°", "textregistered": "®", "texttrademark": "™",
		"pm": "±", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "sim": "~", "textmu": "μ", "textpm": "±",
		"rightarrow": "→", "cdot": "·", "infty": "∞", "S": "§", "copyright": "©", "lbrace": "{", "rbrace": "}", "_": "_",
	}
	for i, name := range strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho " +
		"varsigma sigma tau upsilon phi chi psi omega") {
		m[name], m[strings.ToUpper(name[:1])+name[1:]] = string(rune('α'+i)), string(unicode.ToUpper(rune('α'+i)))
	}
	return m
})

// fromTeX returns the plain text of a value: it undoes escapes, accents and symbols, and removes
// braces, the marks of formulas and other commands.
func fromTeX(s string) string {
	if !strings.ContainsAny(s, `\{}$~`) {
		return s
	}
	t := texReader{text: s}
	return norm.NFC.String(t.read())
}

type texReader struct {
	text string
	at   int
	math bool
}

func (t *texReader) read() string {
	var out strings.Builder
	isURL := strings.Contains(t.text, "://")
	for t.at < len(t.text) {
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		t.at += size
		switch {
		case r == '\\':
			out.WriteString(t.command())
		case r == '{' || r == '}':
		case r == '$':
			t.math = !t.math
		case t.math && (r == '_' || r == '^'):
		case r == '~' && !isURL:
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// command returns the text of a command, whose backslash has been read.
func (t *texReader) command() string {
	name := t.name()
	if mark, ok := accents()[name]; ok {
		if arg := t.argument(); arg == "" && len(name) == 1 && !unicode.IsLetter(rune(name[0])) {
			return name // \~{} is a tilde
		} else if arg != "" {
			_, size := utf8.DecodeRuneInString(arg)
			return arg[:size] + mark + arg[size:]
		}
		return ""
	}
	if symbol, ok := texSymbols()[name]; ok {
		t.at += len(t.text[t.at:]) - len(strings.TrimPrefix(t.text[t.at:], "{}"))
		return symbol
	}
	switch name {
	case "-", "/", "!", "@", "(", ")", "[", "]":
		return ""
	case ",", ";", ":", " ", `\`:
		return " "
	}
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsLetter(first) {
		return "" // formatting, whose argument is read as text
	}
	return name
}

// name reads the name of a command: letters and the space after them, or one other character.
func (t *texReader) name() string {
	rest := t.text[t.at:]
	n := 0
	for n < len(rest) && (rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z') {
		n++
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(rest)
		t.at += n
		return rest[:n]
	}
	t.at += n
	t.at += len(rest[n:]) - len(strings.TrimLeft(rest[n:], " "))
	return rest[:n]
}

// argument reads the argument of an accent: one character, a command, or a group.
func (t *texReader) argument() string {
	rest := strings.TrimLeft(t.text[t.at:], " ")
	t.at = len(t.text) - len(rest)
	switch {
	case rest == "" || rest[0] == '}':
		return ""
	case rest[0] == '\\':
		t.at++
		return t.command()
	case rest[0] == '{':
		end := strings.IndexByte(rest, '}')
		if end < 0 {
			end = len(rest)
		}
		t.at += min(end+1, len(rest))
		inner := texReader{text: rest[1:end]}
		return inner.read()
	}
	_, size := utf8.DecodeRuneInString(rest)
	t.at += size
	return rest[:size]
}
