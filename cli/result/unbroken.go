package result

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"biomcp/entrez/pattern"
)

// amount matches a number with its sign and percent sign, infinity, or a missing bound.
const amount = `(?:[-−<]?(?:\d[\d.,]*(?:[eE][-+]?\d+)?|∞)(?: ?%)?|-)`

// intervalPattern matches an estimate with its interval, an interval, or a percentage with a space:
// 1.2 (0.9 to 1.6), 0.52 to 0.91, 95 %.
var intervalPattern = pattern.Lazy(amount + ` \(` + amount + ` to ` + amount + `\)|` + amount + ` to ` + amount + `|\d %`)

// unbroken returns the words of text. An interval of at most width columns is one word, with its spaces.
func unbroken(text string, width int) []string {
	words := strings.Fields(text)
	if !strings.Contains(text, " to ") && !strings.Contains(text, " %") {
		return words
	}
	const space = "\x00" // no cell contains it
	glued := intervalPattern().ReplaceAllStringFunc(strings.Join(words, " "), func(m string) string {
		return strings.ReplaceAll(m, " ", space)
	})
	words = nil
	for _, word := range strings.Fields(glued) {
		if word = strings.ReplaceAll(word, space, " "); runewidth.StringWidth(word) > width {
			words = append(words, strings.Fields(word)...)
		} else {
			words = append(words, word)
		}
	}
	return words
}
