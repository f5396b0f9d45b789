package words

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Repair returns the words of the line that the user probably meant by a line that Split
// rejects, or nil if it cannot guess. It keeps a shell operator inside a word as text, as in
// c.1799T>A and Crohn's. For a pipe, a redirection or several commands it returns the first
// command, and for a substitution the inner one.
func Repair(line string) []string {
	for range 20 { // each pass removes one shell metacharacter
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
		case bad.Kind == Unbalanced && i == len(in)-1: // a final quote or backslash quotes nothing
			line = string(in[:i])
		case bad.Kind == Unbalanced && in[i] != '\\' && (i == 0 || unicode.IsSpace(in[i-1])):
			// The quote opens a phrase, so close it at the end of the line, or before another command.
			line = string(in[:i+1]) + firstCommand(in[i+1:]) + string(in[i])
		case bad.Kind == Unbalanced || isText(in, i):
			line = string(in[:i]) + `\` + string(in[i:])
		default:
			line = strings.TrimRightFunc(string(in[:i]), unicode.IsSpace)
			if in[i] == '>' { // 2> redirects standard error
				line = strings.TrimSuffix(line, " 2")
			}
		}
	}
	return nil
}

// inReference matches a semicolon or ampersand of a printed reference and the text after it.
var inReference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(;\d|[;&]\s*\p{Lu}.*\b(19|20)\d\d\b)`)
})

// isText reports whether the shell operator at in[i] is text. A single > or < is text before a capital
// letter or a digit (c.1799T>A, p<0.05) and in a comparison with a number (p < 0.05). | and & are
// text between capital letters or digits. In a printed reference a semicolon is text before a volume
// number, and a semicolon or ampersand before an author if a year follows.
func isText(in []rune, i int) bool {
	isCapital := func(i int) bool {
		return i >= 0 && i < len(in) && (unicode.IsUpper(in[i]) || unicode.IsDigit(in[i]))
	}
	isLetter := i > 0 && (unicode.IsLetter(in[i-1]) || unicode.IsDigit(in[i-1]))
	switch {
	case (in[i] == '>' || in[i] == '<') && (isLetter && isCapital(i+1) || compares(in, i)):
		return true
	case (in[i] == '|' || in[i] == '&') && isCapital(i-1) && isCapital(i+1):
		return true
	}
	return inReference().MatchString(string(in[i:]))
}

// comparedNumber matches a number after < or >, and its unit, but not the name of a file (2024.csv).
var comparedNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^=? *\.?\d+([.,]\d+)*[^\s\w.,/\\]*(\pL+)?([\s)\]},;:'"]|\.?$)`)
})

// compares reports whether in[i] is a < or > before a number: p < 0.05.
func compares(in []rune, i int) bool {
	return (in[i] == '<' || in[i] == '>') && comparedNumber().MatchString(string(in[i+1:]))
}

// firstCommand returns the text before an operator that ends a command, or all of it.
func firstCommand(in []rune) string {
	for i, r := range in {
		isSubstitution := r == '`' || r == '$' && i+1 < len(in) && in[i+1] == '('
		if isSubstitution || strings.ContainsRune(";|&<>\n\r", r) && !isText(in, i) {
			return strings.TrimRightFunc(string(in[:i]), unicode.IsSpace)
		}
	}
	return string(in)
}

// IsSubstitution reports whether Split rejects a line because a shell would replace a part of it with the output of
// another command.
func IsSubstitution(line string) bool {
	_, err := Split(line)
	bad, ok := errors.AsType[*Error](err)
	return ok && (bad.Token == "$(" || bad.Token == "backtick")
}

// inner returns the command inside the substitution at the start of text.
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

// IsID reports whether word may be an ID: it has a digit, or it is a symbol in capitals.
func IsID(word string) bool {
	isSymbol := strings.ToUpper(word) == word && strings.ContainsFunc(word, unicode.IsUpper)
	return (isSymbol || strings.ContainsFunc(word, unicode.IsDigit)) && !strings.HasPrefix(word, "-")
}

// Parts returns the words of each part of a line that Split rejects only for line ends and
// semicolons, such as IDs pasted one a line. It returns nil for any other line.
func Parts(line string) (parts [][]string) {
	for {
		words, err := Split(line)
		bad, rejected := errors.AsType[*Error](err)
		in, rest := []rune(line), ""
		if rejected {
			if !slices.Contains([]string{operators['\n'].name, operators['\r'].name, ";"}, bad.Token) {
				return nil
			}
			if words, err = Split(string(in[:bad.Char-1])); err != nil {
				return nil
			}
			rest = string(in[bad.Char:])
		}
		if len(words) > 0 {
			parts = append(parts, words)
		}
		if !rejected {
			return parts
		}
		line = rest
	}
}

// prompts are the prompts that a user may copy together with a command line.
var prompts = []string{"$", "#", "%", "❯", "PS>"}

// WithoutProgram removes the name or path of this program from the start of a line, and a prompt before
// it: "$ biomcp version", "biomcp.exe version", "/usr/bin/biomcp version".
func WithoutProgram(line []string) []string {
	isProgram := func(word string) bool {
		name, found := strings.CutSuffix(strings.TrimSuffix(strings.ToLower(word), ".exe"), "biomcp")
		isPath := name == "" || strings.HasSuffix(name, "/") || strings.HasSuffix(name, `\`)
		isDrive := len(name) > 1 && name[1] == ':' // whose backslashes the shell removed
		return found && (isPath || isDrive)
	}
	switch {
	case len(line) > 0 && isProgram(line[0]):
		return line[1:]
	case len(line) > 1 && slices.Contains(prompts, line[0]) && isProgram(line[1]):
		return line[2:]
	}
	return line
}
