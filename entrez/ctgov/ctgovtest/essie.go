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

// Expression is an Essie expression that was read: its operators in their order, and
// whether it holds for a study in some of its fields.
type Expression struct {
	Operators []string
	Holds     func(s Study, fields []string) bool
}

type holds = func(s Study, fields []string) bool

// A term in quotes is one token, which begins with the quote.
var token = regexp.MustCompile(`"[^"]*"?|[()\[\],]|[^\s()\[\],"]+`)

var operators = []string{"OR", "AND", "NOT", "(", ")", "[", "]", ",", "AREA", "SEARCH", "RANGE", "MISSING", "ALL"}

// Parse reads an expression.
func Parse(text string) (*Expression, error) {
	p := &parser{tokens: token.FindAllString(text, -1)}
	h := p.either()
	if len(p.tokens) > 0 || p.bad {
		return nil, errors.New("no expression: " + text)
	}
	return &Expression{p.used, h}, nil
}

type parser struct {
	tokens, used []string
	bad          bool
}

func (p *parser) next(is string) bool {
	if len(p.tokens) == 0 || p.tokens[0] != is {
		return false
	}
	p.tokens = p.tokens[1:]
	if unicode.IsUpper(rune(is[0])) {
		p.used = append(p.used, is)
	}
	return true
}

func (p *parser) either() holds {
	h := p.both()
	for p.next("OR") {
		a, b := h, p.both()
		h = func(s Study, f []string) bool { return a(s, f) || b(s, f) }
	}
	return h
}

func (p *parser) both() holds {
	h := p.one()
	for p.next("AND") {
		a, b := h, p.one()
		h = func(s Study, f []string) bool { return a(s, f) && b(s, f) }
	}
	return h
}

func (p *parser) one() holds {
	switch {
	case p.next("NOT"):
		h := p.one()
		return func(s Study, f []string) bool { return !h(s, f) }
	case p.next("("):
		h := p.either()
		p.bad = p.bad || !p.next(")")
		return h
	case p.next("AREA"):
		area := p.brackets()
		h := p.one()
		return func(s Study, _ []string) bool { return h(s, area) }
	case p.next("SEARCH"): // of all sites, in one
		p.bad = p.brackets()[0] != "Location" || p.bad
		h := p.one()
		return func(s Study, f []string) bool {
			return slices.ContainsFunc(s.sites(), func(site Study) bool { return h(site, f) })
		}
	case p.next("RANGE"):
		ends := append(p.brackets(), "")
		return func(s Study, f []string) bool {
			return slices.ContainsFunc(s.texts(f...), func(v string) bool {
				return (ends[0] == "MIN" || years(v) >= years(ends[0])) && (ends[1] == "MAX" || years(v) <= years(ends[1]))
			})
		}
	case p.next("MISSING"):
		return func(s Study, f []string) bool { return len(s.texts(f...)) == 0 }
	case p.next("ALL"):
		return func(Study, []string) bool { return true }
	}
	var words []string // of a term: one field has them all
	for quoted := false; !quoted && len(p.tokens) > 0 && !slices.Contains(operators, p.tokens[0]); p.tokens = p.tokens[1:] {
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

// brackets is what is between [ and ], by the commas.
func (p *parser) brackets() (parts []string) {
	p.bad = p.bad || !p.next("[")
	for n := slices.Index(p.tokens, "]"); n >= 0; {
		parts = strings.Split(strings.Join(p.tokens[:n], " "), " , ")
		p.tokens = p.tokens[n+1:]
		return parts
	}
	p.bad = true
	return []string{""}
}

func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

var day = regexp.MustCompile(`(\d{4})(?:-(\d\d))?(?:-(\d\d))?`)

// years reads an age, "18 Years", "6 months", or puts dates, of which a month or a year begins
// with its first day, in their order.
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
