package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of an Error.
type Kind int

const (
	// NotShell marks an operator or a substitution that only a shell would execute.
	NotShell Kind = iota + 1
	// Unbalanced marks a quote that is never closed, or a backslash at the end.
	Unbalanced
	// BadCharacter marks a control character or invalid UTF-8.
	BadCharacter
)

// Error describes the character that Split rejects.
type Error struct {
	Kind Kind
	// Token is the offending text in readable form: "|", "$(", "newline", "U+0000".
	Token string
	// Char is its position, counted in characters from 1.
	Char int
	// Advice suggests a correction.
	Advice string
	// Words are the words of the line with every rejected operator read as a space.
	// They show the flags that were given; do not run them.
	Words []string
}

func (e *Error) Error() string {
	switch e.Kind {
	case NotShell:
		return fmt.Sprintf("this is not a shell: %s at character %d is not carried out; %s", e.Token, e.Char, e.Advice)
	case Unbalanced:
		return fmt.Sprintf("%s at character %d; %s", e.Token, e.Char, e.Advice)
	default:
		return fmt.Sprintf("unusable character %s at character %d; %s", e.Token, e.Char, e.Advice)
	}
}

// operators are the characters that a shell acts on outside quotes, with advice for the user.
// The openings of a substitution, "$(" and backtick, are handled separately because a shell
// acts on them inside double quotes too.
var operators = map[rune]struct{ name, advice string }{
	'|':  {"|", "use --limit, a section or --json instead of a pipe"},
	'>':  {">", "the answer is returned to you, and no file is written"},
	'<':  {"<", "put the input into the command itself"},
	';':  {";", "send one command per call"},
	'&':  {"&", "send one command per call"},
	'\n': {"newline", "send one command per call"},
	'\r': {"newline", "send one command per call"},
}

const (
	substitutionAdvice = "run the inner command in a separate call and put its answer here"
	quoteAdvice        = "if it belongs to the text, put it in single quotes"
)

// Split cuts line into words at spaces and tabs, as the POSIX shell does (XCU 2.2 Quoting).
// Single quotes keep everything. Double quotes keep everything but a backslash before $ ` " \
// or newline. A backslash outside quotes keeps the next character, and a backslash before a
// newline joins the lines. Adjacent quoted and unquoted parts form one word; an empty pair of
// quotes is an empty word.
//
// Shell expansions ($HOME, *, ?, ~, {a,b}), parentheses and # are literal, because a query may
// contain them. Operators that a shell would execute are errors: an unquoted | > < ; & or
// newline, and $( or a backtick. The last two are errors inside double quotes too, because a
// shell substitutes there as well.
//
// The error is always an [*Error]. A line of blanks has no words and no error.
func Split(line string) ([]string, error) {
	in := []rune(line)
	out := []string{}
	var word strings.Builder
	inWord := false
	quote, opened := rune(0), 0
	end := func() {
		if inWord {
			out = append(out, word.String())
			word.Reset()
			inWord = false
		}
	}
	bad := check(line)
	fail := func(kind Kind, token string, char int, advice string) {
		if bad == nil {
			bad = &Error{Kind: kind, Token: token, Char: char, Advice: advice}
		}
		if quote == 0 {
			end()
		}
	}
	for i := 0; i < len(in); i++ {
		c := in[i]
		next := rune(-1)
		if i+1 < len(in) {
			next = in[i+1]
		}
		switch {
		case quote == '\'':
			if c == quote {
				quote = 0
			} else {
				word.WriteRune(c)
			}
		case c == '`', c == '$' && next == '(':
			token := "$("
			if c == '`' {
				token = "backtick"
			}
			fail(NotShell, token, i+1, substitutionAdvice+"; "+quoteAdvice)
		case quote == '"':
			switch {
			case c == quote:
				quote = 0
			case c == '\\' && strings.ContainsRune("$`\"\\\n", next):
				i++
				if next != '\n' {
					word.WriteRune(next)
				}
			default:
				word.WriteRune(c)
			}
		case c == '\'', c == '"':
			quote, opened, inWord = c, i+1, true
		case c == '\\':
			if next < 0 {
				fail(Unbalanced, "nothing follows the backslash", i+1, "write it twice if it belongs to the text")
				break
			}
			i++
			if next != '\n' {
				inWord = true
				word.WriteRune(next)
			}
		case c == ' ', c == '\t':
			end()
		default:
			if op, ok := operators[c]; ok {
				fail(NotShell, op.name, i+1, op.advice+"; "+quoteAdvice)
				break
			}
			inWord = true
			word.WriteRune(c)
		}
	}
	if quote != 0 {
		name := "single quote '"
		if quote == '"' {
			name = `double quote "`
		}
		fail(Unbalanced, "unbalanced "+name, opened, "close it, or write \\"+string(quote)+" if it belongs to the text")
	}
	end()
	if bad != nil {
		bad.Words = out
		return nil, bad
	}
	return out, nil
}

// check returns an error for a character that no command may contain. A newline and a tab are
// text inside quotes; Split handles them outside.
func check(line string) *Error {
	char := 0
	for i, r := range line {
		char++
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(line[i:], "\uFFFD"):
			token := fmt.Sprintf("0x%02X (not UTF-8)", line[i])
			return &Error{Kind: BadCharacter, Token: token, Char: char, Advice: "send the command as UTF-8 text"}
		case r == '\r' && strings.HasPrefix(line[i+1:], "\n"):
		case unicode.IsControl(r) && r != '\t' && r != '\n':
			token := fmt.Sprintf("U+%04X (a control character)", r)
			return &Error{Kind: BadCharacter, Token: token, Char: char, Advice: "leave it out"}
		}
	}
	return nil
}
