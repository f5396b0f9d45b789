package oql

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error is an error in the text of a query or an expression.
type Error struct {
	Line, Column int // from 1
	Message      string
	Corrected    string // the corrected text, "" if unknown
}

func (e *Error) Error() string {
	if e.Line > 1 {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Message)
}

// ParseQuery reads the lines of a query, the tracks of an oncoprint.
func ParseQuery(text string) (Query, error) {
	p := &parser{text: text}
	q, err := p.query("")
	if err == nil && len(q) == 0 {
		err = p.errorAt(0, "", "no gene; a line is such as TP53 or TP53: MUT AMP")
	}
	return q, err
}

// ParseExpr reads an expression, which defines a group of samples. It is ParseStudyExpr without a study.
func ParseExpr(text string) (Expr, error) { return ParseStudyExpr(text, nil) }

// ParseStudyExpr reads an expression about a study. values returns the values of an attribute in the study:
// only such a value may contain and, or, or a sign of the language without quotes. values may be nil.
func ParseStudyExpr(text string, values func(attribute string) []string) (Expr, error) {
	return (&parser{text: text, inExpr: true, values: values}).expr()
}

func (p *parser) expr() (Expr, error) {
	x, err := p.or(0)
	if err == nil && p.at < len(p.text) {
		err = p.unexpected()
	}
	return x, err
}

// A parser reads a text from at on.
type parser struct {
	text     string
	at       int
	inExpr   bool
	defaults []Alteration                    // set by DATATYPES
	values   func(attribute string) []string // nil without a study
	isTrial  bool                            // reads a corrected text; its errors correct nothing
}

// canRead reports whether a corrected text is a query or an expression, as the text should be.
func (p *parser) canRead(text string) bool {
	if p.isTrial {
		return false
	}
	trial := &parser{text: text, inExpr: p.inExpr, values: p.values, isTrial: true}
	var err error
	if p.inExpr {
		_, err = trial.expr()
	} else {
		_, err = trial.query("")
	}
	return err == nil
}

// errorAt returns an error at an offset. corrected is the corrected text or "".
func (p *parser) errorAt(at int, corrected, format string, args ...any) error {
	before := p.text[:min(at, len(p.text))]
	line := strings.LastIndexByte(before, '\n') + 1
	return &Error{
		strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[line:]) + 1, fmt.Sprintf(format, args...), corrected,
	}
}

// mostShown is the maximum number of characters of a text that a message shows.
const mostShown = 100

// shown returns a text for a message: on one line, and cut if it is long.
func shown(text string) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > mostShown {
		return string(r[:mostShown-1]) + "…"
	}
	return string(r)
}

// replaced returns the text with the part from one offset to another replaced.
func (p *parser) replaced(from, to int, with string) string {
	return p.text[:from] + with + p.text[to:]
}

func (p *parser) unexpected() error {
	if p.at >= len(p.text) {
		return p.errorAt(p.at, "", "the text ends where a gene or a condition is expected, such as TP53: MUT or AGE>=60")
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	without := strings.TrimSpace(p.replaced(p.at, p.at+1, ""))
	switch {
	case r == ')' || r == ']':
		return p.errorAt(p.at, without, "%q closes nothing", r)
	case !p.inExpr && strings.ContainsRune("&|!(", r):
		return p.errorAt(p.at, "", "%q combines conditions of --group; the lines of a query are genes, such as TP53: MUT; KRAS", r)
	case strings.ContainsRune("=<>", r):
		return p.errorAt(p.at, "", "a gene needs a colon before its alterations, such as TP53: MUT = R273H, "+
			"and a clinical attribute its name before the comparison, such as AGE>=60")
	case unicode.Is(unicode.Pd, r) && r != '-':
		return p.errorAt(p.at, p.replaced(p.at, p.at+utf8.RuneLen(r), "-"), "%q is a dash, not a hyphen", r)
	}
	rest := p.text[p.at:]
	if joined := strings.TrimRight(p.text[:p.at], " \t,") + " & " + rest; p.inExpr && p.canRead(joined) {
		return p.errorAt(p.at, joined, "& or | is missing before %s; join conditions with &: %s", shown(rest), shown(joined))
	}
	return p.errorAt(p.at, "", "unexpected %q", r)
}

// skip skips spaces and the given signs.
func (p *parser) skip(also string) {
	for p.at < len(p.text) && strings.IndexByte(" \t\r"+also, p.text[p.at]) >= 0 {
		p.at++
	}
}

// accept skips spaces and reads the first of the given tokens that is next. It returns "" if none is.
func (p *parser) accept(tokens ...string) string {
	p.skip("")
	for _, t := range tokens {
		if rest := p.text[p.at:]; len(rest) < len(t) || !strings.EqualFold(rest[:len(t)], t) {
			continue
		}
		end := p.at + len(t)
		if isWordByte(t[0]) && end < len(p.text) && (isWordByte(p.text[end]) || p.text[end] == ':') {
			continue // AND is not the beginning of ANDROGEN, nor a gene
		}
		p.at = end
		return t
	}
	return ""
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.@/*", c) >= 0
}

// word reads the characters of a gene or attribute, which may be none.
func (p *parser) word() string {
	from := p.at
	for p.at < len(p.text) && isWordByte(p.text[p.at]) {
		p.at++
	}
	return p.text[from:p.at]
}

const mostNested = 100

// or reads an expression. Line breaks and semicolons separate alternatives, as in a query.
func (p *parser) or(depth int) (Expr, error) {
	if depth > mostNested {
		return nil, p.errorAt(p.at, "", "more than %d parentheses inside each other", mostNested)
	}
	var list Or
	for more := true; more; {
		x, err := p.and(depth)
		if err != nil {
			return nil, err
		}
		if x != nil { // DATATYPES alone is no condition
			list = append(list, x)
		}
		switch p.accept("||", "|", "OR", ";", "\n") {
		case ";", "\n":
			p.skip(",;\n")
			more = p.at < len(p.text) && p.text[p.at] != ')'
		case "":
			more = false
		}
	}
	switch len(list) {
	case 0:
		return nil, p.unexpected()
	case 1:
		return list[0], nil
	}
	return list, nil
}

func (p *parser) and(depth int) (Expr, error) {
	var list And
	for {
		p.skip("\n")
		x, err := p.not(depth, false)
		if err != nil {
			return nil, err
		}
		if x == nil && len(list) > 0 {
			return nil, p.errorAt(p.at, "", "DATATYPES: ends with a semicolon before the condition")
		}
		list = append(list, x)
		next := *p
		next.skip("\n")
		if x == nil || next.accept("&&", "&", "AND") == "" {
			break
		}
		p.at = next.at
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return list, nil
}

// not reads an operand. isNegated reports whether ! precedes it.
func (p *parser) not(depth int, isNegated bool) (Expr, error) {
	if p.accept("!", "NOT") != "" {
		if depth++; depth > mostNested {
			return nil, p.errorAt(p.at, "", "more than %d negations inside each other", mostNested)
		}
		x, err := p.not(depth, true)
		if err == nil && x == nil {
			err = p.unexpected()
		}
		return Not{x}, err
	}
	p.skip("\n")
	from := p.at
	if p.accept("(") == "" {
		return p.condition(isNegated)
	}
	x, err := p.or(depth + 1)
	if err == nil {
		p.skip("\n")
		if p.accept(")") == "" {
			err = p.errorAt(from, "", "the parenthesis is not closed")
			if p.at < len(p.text) {
				err = p.unexpected()
			}
		}
	}
	return x, err
}

// condition reads one condition: a clinical value, a list of samples, or lines of a query. It
// returns nil after DATATYPES.
func (p *parser) condition(isNegated bool) (Expr, error) {
	from := p.at
	word := p.word()
	if strings.EqualFold(word, "samples") && p.accept("(") != "" {
		return p.sampleList(from)
	}
	if word != "" {
		if op := p.accept("!=", ">=", "<=", "==", ">", "<", "=", "≥", "≤", "≠"); op != "" {
			return p.attribute(from, word, op)
		}
	}
	p.at = from
	return p.lines(isNegated)
}

// lines reads lines of a query that no semicolon separates: one if they are negated. It returns nil after
// DATATYPES.
func (p *parser) lines(isNegated bool) (Expr, error) {
	var any Or
	from, end := p.at, 0
	for {
		tracks, set, err := p.statement("")
		if err != nil {
			return nil, err
		}
		if tracks == nil && !set {
			return nil, p.unexpected()
		}
		for _, t := range tracks {
			any = append(any, t.Expr())
		}
		end = len(strings.TrimRight(p.text[:p.at], " ,\t\r"))
		p.skip(",")
		next := *p
		if next.accept("AND", "OR", "NOT") != "" || p.at == len(p.text) ||
			!isWordByte(p.text[p.at]) && !strings.HasPrefix(p.text[p.at:], "::") && p.text[p.at] != '[' {
			break
		}
	}
	switch len(any) {
	case 0:
		return nil, nil
	case 1:
		return any[0], nil
	}
	if isNegated {
		whole, first := Not{any}, append(Or{Not{any[0]}}, any[1:]...)
		corrected := p.replaced(from, end, "("+any.String()+")")
		return nil, p.errorAt(from, corrected, "parentheses must show what is negated: %s or %s",
			shown(whole.String()), shown(first.String()))
	}
	return any, nil
}
