package rag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A piece is a token for measuring the length of chunks: a word (letters, marks and digits,
// with a decimal point or comma between digits) or one other visible character.
type piece struct {
	start, end int // byte offsets
	kind       pieceKind
}

type pieceKind uint8

const (
	wordPiece   pieceKind = iota
	numberPiece           // a word that begins with a digit
	comparator            // < = ≥ ± and the like
	stopPiece             // ends a sentence
	otherPiece
)

// split appends the pieces of text to dst.
func split(dst []piece, text string) []piece {
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !inWord(r) {
			if !unicode.IsSpace(r) {
				dst = append(dst, piece{i, i + n, kindOf(r)})
			}
			i += n
			continue
		}
		p := piece{start: i, kind: wordPiece}
		if unicode.IsDigit(r) {
			p.kind = numberPiece
		}
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !inWord(r) && !((r == '.' || r == ',' || r == '·') && betweenDigits(text, i, n)) {
				break
			}
			i += n
		}
		p.end = i
		dst = append(dst, p)
	}
	return dst
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func betweenDigits(text string, i, n int) bool {
	return i > 0 && i+n < len(text) && isDigit(text[i-1]) && isDigit(text[i+n])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func kindOf(r rune) pieceKind {
	switch {
	case strings.ContainsRune("<>=≤≥≦≧≪≫≈≃≅∼~±∓×", r):
		return comparator
	case strings.ContainsRune(".?!。", r):
		return stopPiece
	}
	return otherPiece
}

// CountTokens returns the length of text in the tokens that limit chunks.
func CountTokens(text string) int { return len(split(nil, text)) }

// cuttable reports whether a chunk may end before pieces[i]. It may end at a space, but not
// between a number and its comparator with the word before (p < 0.05), its sign, its unit or
// the word it counts (5 mg, 45 patients), nor between a percentage and CI, or CI and a number.
func cuttable(text string, pieces []piece, i int) bool {
	if i <= 0 || i >= len(pieces) {
		return true
	}
	a, b := pieces[i-1], pieces[i]
	if a.end == b.start {
		return false
	}
	switch left, right := text[a.start:a.end], text[b.start:b.end]; {
	case a.kind == comparator, b.kind == comparator:
		return false
	case a.kind == numberPiece && (b.kind == wordPiece || b.kind == numberPiece):
		return false
	case isSign(left) && b.kind == numberPiece, a.kind == numberPiece && isSign(right):
		return false
	case left == "%" && b.kind == wordPiece:
		return false
	case b.kind == numberPiece && (left == "CI" || left == "vs" || left == "versus" || left == "to" || left == "than"):
		return false
	case a.kind == numberPiece && (right == "%" || right == "°" || right == "‰" || right == "µ"):
		return false
	}
	return true
}

func isSign(s string) bool {
	switch s {
	case "-", "+", "–", "—", "−", "/", "^":
		return true
	}
	return false
}

// endsSentence reports whether a sentence ends before pieces[i].
func endsSentence(text string, pieces []piece, i int) bool {
	if i <= 0 || i >= len(pieces) || pieces[i-1].end == pieces[i].start {
		return false
	}
	last := i - 1
	if c := text[pieces[last].start]; last > 0 && (c == ')' || c == '"' || c == ']') {
		last--
	}
	r, _ := utf8.DecodeRuneInString(text[pieces[i].start:])
	return pieces[last].kind == stopPiece && !unicode.IsLower(r)
}
