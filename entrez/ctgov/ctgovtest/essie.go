package ctgovtest

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// An Expression is a parsed Essie expression. Operators lists its operators in order. Holds reports
// whether a study matches it in one of the fields.
type Expression struct {
	Operators []string
	Matches   func(s Study, fields []string) bool
}

type predicate = func(s Study, fields []string) bool

// token matches one token. A quoted term is one token, which includes the quotes.
var token = regexp.MustCompile(`"[^"]*"?|[()\[\],]|[^\s()\[\],"]+`)

var operators = []string{"OR", "AND", "NOT", "(", ")", "[", "]", ",", "AREA", "SEARCH", "RANGE", "MISSING", "ALL"}

// Parse parses an expression.
func Parse(text string) (*Expression, error) {
	p := &parser{tokens: token.FindAllString(text, -1)}
	h := p.parseOr()
	if len(p.tokens) > 0 || p.bad {
		return nil, errors.New("invalid expression: " + text)
	}
	return &Expression{p.used, h}, nil
}

type parser struct {
	tokens, used []string
	bad          bool
}

// accept consumes the next token if it is want, and reports whether it is.
func (p *parser) accept(want string) bool {
	if len(p.tokens) == 0 || p.tokens[0] != want {
		return false
	}
	p.tokens = p.tokens[1:]
	if unicode.IsUpper(rune(want[0])) {
		p.used = append(p.used, want)
	}
	return true
}

func (p *parser) parseOr() predicate {
	h := p.parseAnd()
	for p.accept("OR") {
		a, b := h, p.parseAnd()
		h = func(s Study, f []string) bool { return a(s, f) || b(s, f) }
	}
	return h
}

func (p *parser) parseAnd() predicate {
	h := p.parseTerm()
	for p.accept("AND") {
		a, b := h, p.parseTerm()
		h = func(s Study, f []string) bool { return a(s, f) && b(s, f) }
	}
	return h
}

func (p *parser) parseTerm() predicate {
	switch {
	case p.accept("NOT"):
		h := p.parseTerm()
		return func(s Study, f []string) bool { return !h(s, f) }
	case p.accept("("):
		h := p.parseOr()
		p.bad = p.bad || !p.accept(")")
		return h
	case p.accept("AREA"):
		area := p.brackets()
		h := p.parseTerm()
		return func(s Study, _ []string) bool { return h(s, area) }
	case p.accept("SEARCH"): // one site must match the whole expression
		p.bad = p.brackets()[0] != "Location" || p.bad
		h := p.parseTerm()
		return func(s Study, f []string) bool {
			return slices.ContainsFunc(s.sites(), func(site Study) bool { return h(site, f) })
		}
	case p.accept("RANGE"):
		ends := append(p.brackets(), "")
		return func(s Study, f []string) bool {
			return slices.ContainsFunc(s.texts(f...), func(v string) bool {
				aboveMin := ends[0] == "MIN" || years(v) >= years(ends[0])
				return aboveMin && (ends[1] == "MAX" || years(v) <= years(ends[1]))
			})
		}
	case p.accept("MISSING"):
		return func(s Study, f []string) bool { return len(s.texts(f...)) == 0 }
	case p.accept("ALL"):
		return func(Study, []string) bool { return true }
	}
	var words []string // one field must contain all of them
	isWord := func() bool { return len(p.tokens) > 0 && !slices.Contains(operators, p.tokens[0]) }
	for quoted := false; !quoted && isWord(); p.tokens = p.tokens[1:] {
		if quoted = p.tokens[0][0] == '"'; quoted && len(words) > 0 {
			break
		}
		words = append(words, split(p.tokens[0])...)
	}
	p.bad = p.bad || len(words) == 0
	return func(s Study, f []string) bool {
		return slices.ContainsFunc(s.texts(f...), func(v string) bool {
			has := split(v)
			return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(has, w) })
		})
	}
}

// brackets parses an argument in square brackets and splits it at its commas.
func (p *parser) brackets() (parts []string) {
	p.bad = p.bad || !p.accept("[")
	for n := slices.Index(p.tokens, "]"); n >= 0; {
		parts = strings.Split(strings.Join(p.tokens[:n], " "), " , ")
		p.tokens = p.tokens[n+1:]
		return parts
	}
	p.bad = true
	return []string{""}
}

func split(text string) []string {
	isSeparator := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(strings.ToLower(text), isSeparator)
}

var day = regexp.MustCompile(`(\d{4})(?:-(\d\d))?(?:-(\d\d))?`)

// years converts an age such as "18 Years" or "6 months" to years, and a date to a number that
// sorts. A date without a day or a month is the first day of its month or year.
func years(age string) float64 {
	if m := day.FindStringSubmatch(age); m != nil {
		n, _ := strconv.ParseFloat(m[1]+cmp.Or(m[2], "01")+cmp.Or(m[3], "01"), 64)
		return n
	}
	number, unit, _ := strings.Cut(strings.ToLower(age), " ")
	n, _ := strconv.ParseFloat(number, 64)
	if strings.HasPrefix(unit, "month") {
		return n / 12
	}
	return n
}
