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
	s := &splitter{in: []rune(line), words: []string{}, bad: check(line)}
	for ; s.at < len(s.in); s.at++ {
		s.read(s.in[s.at])
	}
	if s.quote != 0 {
		name := "single quote '"
		if s.quote == '"' {
			name = `double quote "`
		}
		s.fail(Unbalanced, "unbalanced "+name, s.opened,
			"close it, or write \\"+string(s.quote)+" if it belongs to the text")
	}
	s.endWord()
	if s.bad != nil {
		s.bad.Words = s.words
		return nil, s.bad
	}
	return s.words, nil
}

// A splitter holds the state of Split while it reads a line.
type splitter struct {
	in     []rune
	at     int // index of the character being read
	words  []string
	word   strings.Builder
	inWord bool
	quote  rune // the open quote; 0 outside quotes
	opened int  // position of the open quote, counted from 1
	bad    *Error
}

// next returns the character after the current one, or -1 at the end of the line.
func (s *splitter) next() rune {
	if s.at+1 < len(s.in) {
		return s.in[s.at+1]
	}
	return -1
}

// add adds a character to the current word.
func (s *splitter) add(c rune) {
	s.inWord = true
	s.word.WriteRune(c)
}

// endWord ends the current word, if any.
func (s *splitter) endWord() {
	if s.inWord {
		s.words = append(s.words, s.word.String())
		s.word.Reset()
		s.inWord = false
	}
}

// fail records the first error. Outside quotes the rejected character ends the current word.
func (s *splitter) fail(kind Kind, token string, char int, advice string) {
	if s.bad == nil {
		s.bad = &Error{Kind: kind, Token: token, Char: char, Advice: advice}
	}
	if s.quote == 0 {
		s.endWord()
	}
}

// read reads the character c at the current index.
func (s *splitter) read(c rune) {
	switch {
	case s.quote == '\'':
		if c == s.quote {
			s.quote = 0
		} else {
			s.add(c)
		}
	case c == '`', c == '$' && s.next() == '(':
		token := "$("
		if c == '`' {
			token = "backtick"
		}
		s.fail(NotShell, token, s.at+1, substitutionAdvice+"; "+quoteAdvice)
	case s.quote == '"':
		s.readDoubleQuoted(c)
	default:
		s.readUnquoted(c)
	}
}

// readDoubleQuoted reads a character inside double quotes.
func (s *splitter) readDoubleQuoted(c rune) {
	next := s.next()
	switch {
	case c == s.quote:
		s.quote = 0
	case c == '\\' && strings.ContainsRune("$`\"\\\n", next):
		s.at++
		if next != '\n' {
			s.add(next)
		}
	default:
		s.add(c)
	}
}

// readUnquoted reads a character outside quotes.
func (s *splitter) readUnquoted(c rune) {
	switch c {
	case '\'', '"':
		s.quote, s.opened, s.inWord = c, s.at+1, true
	case '\\':
		next := s.next()
		if next < 0 {
			s.fail(Unbalanced, "nothing follows the backslash", s.at+1, "write it twice if it belongs to the text")
			return
		}
		s.at++
		if next != '\n' {
			s.add(next)
		}
	case ' ', '\t':
		s.endWord()
	default:
		if op, ok := operators[c]; ok {
			s.fail(NotShell, op.name, s.at+1, op.advice+"; "+quoteAdvice)
			return
		}
		s.add(c)
	}
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
