package words

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Meant is the words of the line that was probably meant by one that Split refuses, nil
// where that cannot be said. A sign within a word belongs to the text, as in c.1799T>A
// and Crohn's. Of a pipe, a redirection and several commands it is the first command; of
// a substitution it is the inner one.
func Meant(line string) []string {
	for range 20 { // each time one sign less is in the way
		words, err := Split(line)
		bad, ok := errors.AsType[*Error](err)
		if !ok {
			return words
		}
		in := []rune(line)
		i := bad.Char - 1
		switch {
		case bad.Kind == BadCharacter:
			line = string(in[:i]) + string(in[i+1:])
		case bad.Token == "$(" || bad.Token == "backtick":
			line = inner(string(in[i:]))
		case bad.Kind == Unbalanced && i == len(in)-1: // it quotes nothing
			line = string(in[:i])
		case bad.Kind == Unbalanced && in[i] != '\\' && (i == 0 || unicode.IsSpace(in[i-1])): // it opens a phrase
			line += string(in[i])
			other := map[rune]rune{'"': '\'', '\'': '"'}[in[i]]
			for j := i + 1; j < len(in); j++ { // which another quote closes
				if in[j] == other && (j+1 == len(in) || unicode.IsSpace(in[j+1])) {
					in[j] = in[i]
					line = string(in)
					break
				}
			}
		case bad.Kind == Unbalanced || isText(in, i):
			line = string(in[:i]) + `\` + string(in[i:])
		default:
			line = strings.TrimRightFunc(string(in[:i]), unicode.IsSpace)
			if in[i] == '>' { // 2> is of standard error
				line = strings.TrimSuffix(line, " 2")
			}
		}
	}
	return nil
}

var ofReference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(;\d|[;&]\s*\p{Lu}.*\b(19|20)\d\d\b)`) })

// isText reports whether a shell's sign belongs to the word it is in: a single one
// between letters or digits, and none that ends a command. In a printed reference so
// do a semicolon before a volume, and one or & before an author where a year follows.
func isText(in []rune, i int) bool {
	within := func(i int) bool { return i >= 0 && i < len(in) && (unicode.IsLetter(in[i]) || unicode.IsDigit(in[i])) }
	return slices.Contains([]rune("><|&"), in[i]) && within(i-1) && within(i+1) || ofReference().MatchString(string(in[i:]))
}

// inner is the command of a substitution, which a text begins with.
func inner(text string) string {
	if rest, ok := strings.CutPrefix(text, "$("); ok {
		if end := strings.LastIndexByte(rest, ')'); end >= 0 {
			rest = rest[:end]
		}
		return rest
	}
	rest, _, _ := strings.Cut(text[1:], "`")
	return rest
}
