package rag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a part of a query: the bytes from and to.
type token struct {
	kind     tokenKind
	from, to int
	minus    bool // whether it follows a minus, which excludes this token alone
	field    *fieldRef
	closed   bool // whether a tag follows, so that the next word is not part of the text
}

type tokenKind int

const (
	tokenText   tokenKind = iota // one or more words
	tokenPhrase                  // text between quotes
	tokenPrefix                  // word before a star
	tokenOpen
	tokenClose
	tokenNot // the operators are this kind and those after it
	tokenAnd
	tokenOr
	tokenTag  // tag in brackets after its operand
	tokenName // name of a field, and a colon, before its operand
)

// begins and ends report whether an operand can begin, or end, with a token.
func (k tokenKind) begins() bool { return k <= tokenOpen }
func (k tokenKind) ends() bool   { return k <= tokenPrefix || k == tokenClose }

func isQuote(r rune) bool { return strings.ContainsRune(`"“”„«»`, r) }

// lex splits a query into tokens, with tags and names of fields if fields is set. Quotes and opening parentheses count only at the beginning of
// a word, and a closing one only if one is open, so that 5" and TNF(alpha) are words.
func lex(text string, fields bool) []token {
	var tokens []token
	open := 0
	for i := 0; i < len(text); {
		if t := fieldAt(text, i, fields); t.field != nil {
			tokens = append(tokens, t)
			i = t.to
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += n
			continue
		case isQuote(r):
			i += n
			if end := strings.IndexFunc(text[i:], isQuote); end >= 0 {
				_, closing := utf8.DecodeRuneInString(text[i+end:])
				tokens = append(tokens, token{kind: tokenPhrase, from: i, to: i + end})
				i += end + closing
			}
			continue
		case r == '(':
			open++
			tokens = append(tokens, token{kind: tokenOpen, from: i, to: i + n})
			i += n
			continue
		case r == ')' && open > 0:
			open--
			tokens = append(tokens, token{kind: tokenClose, from: i, to: i + n})
			i += n
			continue
		case excludes(text, i):
			tokens = append(tokens, token{kind: tokenNot, from: i, to: i + n, minus: true})
			i += n
			continue
		}
		t := token{kind: tokenText, from: i, to: wordEnd(text, i, open > 0, fields)}
		i = t.to
		switch word := text[t.from:t.to]; word {
		case "AND":
			t.kind = tokenAnd
		case "OR":
			t.kind = tokenOr
		case "NOT":
			t.kind = tokenNot
		default:
			bare, starred := strings.CutSuffix(word, "*")
			if starred && !strings.Contains(bare, "*") && utf8.RuneCountInString(bare) > 1 {
				t.kind, t.to = tokenPrefix, t.to-1
			}
		}
		if last := len(tokens) - 1; last > 0 && t.kind == tokenText && tokens[last].kind == tokenText &&
			tokens[last-1].isAuthorName() && continuesName(text[tokens[last].from:tokens[last].to], text[t.from:t.to]) {
			tokens[last].to = t.to // author:van der Berg JA
			if !isAuthorInitials(text[t.from:t.to]) {
				tokens[last-1].field.note = "the words after the colon are read as one name"
			}
			continue
		}
		tokens = appendToken(tokens, t)
	}
	return tokens
}

func (t token) isAuthorName() bool { return t.kind == tokenName && t.field.Prefix == "author" }

// fieldAt returns the tag or name of a field at i. Its field is nil if there is none.
func fieldAt(text string, i int, fields bool) (t token) {
	if !fields {
		return t
	}
	t.from, t.kind = i, tokenTag
	if t.field, t.to = tagAt(text, i); t.field == nil {
		t.kind = tokenName
		t.field, t.to = nameAt(text, i)
	}
	return t
}

// maxMinusWords is the maximum number of words of a text in which a minus before a word excludes it. In
// longer texts, which were pasted, it is a hyphen.
const maxMinusWords = 40

// excludes reports whether there is a minus at i that excludes the word, phrase or parenthesis after
// it: one after a blank or an opening parenthesis. A minus before a digit belongs to the number, that
// of (-)-menthol to the name, and the only word of a query is not excluded.
func excludes(text string, i int) bool {
	after, minus := strings.CutPrefix(text[i:], "-")
	if r, _ := utf8.DecodeRuneInString(after); !minus || !unicode.IsLetter(r) && !isQuote(r) && r != '(' {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	if i > 0 && !unicode.IsSpace(before) && before != '(' {
		return false
	}
	words := len(strings.Fields(text))
	return words > 1 && words <= maxMinusWords
}

// appendToken appends a token. Adjacent words become one token, except a word after a minus or with a
// field.
func appendToken(tokens []token, t token) []token {
	last := len(tokens) - 1
	if last >= 0 && tokens[last].kind == tokenNot && tokens[last].minus {
		t.minus = true
	}
	if t.kind == tokenText && t.field == nil && last >= 0 && tokens[last].takesMore(tokens[:last]) {
		tokens[last].to = t.to
		return tokens
	}
	return append(tokens, t)
}

// takesMore reports whether a token after others is a text to which the next word belongs.
func (t token) takesMore(before []token) bool {
	named := len(before) > 0 && before[len(before)-1].kind == tokenName
	return t.kind == tokenText && !t.minus && !t.closed && t.field == nil && !named
}

// wordEnd returns the end of the word at i: a space, or a parenthesis that closes one opened
// before the word. If fields is set, a tag ends the word, too.
func wordEnd(text string, i int, open, fields bool) int {
	own := 0
	for j, r := range text[i:] {
		switch {
		case r == '[' && fields && own == 0:
			if f, _ := tagAt(text, i+j); f != nil {
				return i + j
			}
		case unicode.IsSpace(r):
			return i + j
		case r == '(':
			own++
		case r == ')' && own > 0:
			own--
		case r == ')' && open:
			return i + j
		}
	}
	return len(text)
}

// fixParens closes open parentheses at the end, and drops parentheses that are unmatched, empty
// or nested deeper than maxDepth.
func fixParens(tokens []token) []token {
	open := 0
	for _, t := range tokens {
		switch t.kind {
		case tokenOpen:
			open++
		case tokenClose:
			open--
		}
	}
	for range open {
		tokens = append(tokens, token{kind: tokenClose})
	}
	partner := make([]int, len(tokens))
	var opened []int
	for i, t := range tokens {
		partner[i] = -1
		switch {
		case t.kind == tokenOpen:
			opened = append(opened, i)
		case t.kind == tokenClose:
			last := opened[len(opened)-1]
			opened = opened[:len(opened)-1]
			if len(opened) < maxDepth {
				partner[i], partner[last] = last, i
			}
		}
	}
	var out []token
	for i, t := range tokens {
		switch {
		case (t.kind == tokenOpen || t.kind == tokenClose) && partner[i] < 0:
		case t.kind == tokenClose && len(out) > 0 && out[len(out)-1].kind == tokenOpen:
			out = out[:len(out)-1]
		default:
			out = append(out, t)
		}
	}
	return out
}

// fixOperators converts operators without operands to words, and drops one at the end.
func fixOperators(tokens []token) []token {
	valid := make([]bool, len(tokens))
	begins := false // whether the token after i begins an operand
	for i := len(tokens) - 1; i >= 0; i-- {
		switch k := tokens[i].kind; {
		case k == tokenNot:
			valid[i] = begins
		case k > tokenNot:
			valid[i] = begins && i > 0 && tokens[i-1].kind.ends()
			begins = false
		default:
			begins = k.begins()
		}
	}
	var out []token
	for i, t := range tokens {
		if t.kind >= tokenNot && !valid[i] {
			if t.kind = tokenText; i > 0 && i == len(tokens)-1 && tokens[i-1].kind.ends() {
				break
			}
		}
		out = appendToken(out, t)
	}
	return out
}
