package charts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean removes the parts of a label that must not reach an image: control characters, marks of
// text direction (which can disguise a label), characters that XML cannot hold, and repeated
// white space.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, unicode.Is(unicode.C, r), r&0xfffe == 0xfffe:
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// wrap breaks a text into lines of at most the given width. It breaks at blanks. A word longer
// than a line is broken after a hyphen, or anywhere if it has none. An empty text has no lines.
func wrap(s string, width float64, measure func(string) float64) (lines []string) {
	line := ""
	add := func(word string) {
		for measure(word) > width { // a word longer than the line
			cut := 0
			for i := range word {
				if i > 0 && measure(word[:i]) > width {
					break
				}
				cut = i
			}
			if hyphen := strings.LastIndexByte(word[:cut], '-'); hyphen > 0 {
				cut = hyphen + 1
			}
			if cut == 0 {
				_, cut = utf8.DecodeRuneInString(word)
			}
			if cut == len(word) {
				break
			}
			lines = append(lines, word[:cut])
			word = word[cut:]
		}
		line = word
	}
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			add(word)
		case measure(line+" "+word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			add(word)
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// number formats a value with at most four significant digits, and an integer with all its
// digits.
func number(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "-"
	case math.IsInf(v, 1):
		return "∞"
	case v == math.Trunc(v) && a < 1e9:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1e6 || a < 1e-3:
		return strconv.FormatFloat(v, 'g', 4, 64)
	default:
		digits := max(0, 3-int(math.Floor(math.Log10(a))))
		text := strconv.FormatFloat(v, 'f', digits, 64)
		return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
}

// withSize returns a name followed by the size of its group.
func withSize(name string, n int) string { return fmt.Sprintf("%s (n=%d)", name, n) }

// joinNotes joins two notes into one.
func joinNotes(a, b string) string { return strings.TrimSpace(a + " " + b) }
