package oql

import (
	"slices"
	"strings"

	"biomcp/store/study"
	"biomcp/store/study/symbols"
)

// attribute reads the value of a comparison.
func (p *parser) attribute(from int, id, op string) (Expr, error) {
	for _, spelling := range [][2]string{{"==", "="}, {"≥", ">="}, {"≤", "<="}, {"≠", "!="}} {
		if op == spelling[0] {
			op = spelling[1]
		}
	}
	upper := strings.ToUpper(id)
	switch Kind(upper) {
	case Mutation, CopyNumber, Expression, Protein:
		return nil, p.errorAt(from, "", "%s needs a gene and a colon before it, such as TP53: %s%s...", upper, upper, op)
	}
	p.skip("")
	v := &typedValue{parser: p, a: &Attribute{ID: upper, Op: op}, from: from, start: p.at}
	if p.isQuote() {
		var err error
		if v.a.Value, err = p.quoted(); err != nil {
			return nil, err
		}
		v.isQuoted = true
	} else {
		v.read()
	}
	if v.a.Value == "" {
		return nil, p.errorAt(p.at, "", "%s%s has no value", upper, op)
	}
	return v.a, v.check()
}

func (p *parser) isQuote() bool {
	return p.at < len(p.text) && strings.IndexByte(`"'`, p.text[p.at]) >= 0
}

// A typedValue is the value of a comparison. The parser is at its end.
type typedValue struct {
	*parser
	a           *Attribute
	from, start int // offsets of the attribute and of the value
	isQuoted    bool
	isKnown     bool            // the study has the value
	known       map[string]bool // values in the study, in lower case; nil until needed
}

const (
	valueEnd   = "&|;\n"
	valueBreak = " \t,!(["         // signs after which another condition may begin
	valueSigns = ",:!=<>()[]\"≥≤≠" // signs that need quotes
)

// read reads a value without quotes. It ends before an operator, unless a longer one is in the study.
func (v *typedValue) read() {
	ends := v.ends()
	v.at = ends[0]
	v.a.Value = v.before(v.at)
	if len(ends) == 1 && !strings.ContainsAny(v.a.Value, valueSigns+" \t") && !isOperator(v.a.Value) {
		return
	}
	for _, end := range slices.Backward(ends) {
		if text := v.before(end); v.has(text) {
			v.at, v.a.Value, v.isKnown = end, text, true
			return
		}
	}
}

// before returns the value if it ends at an offset.
func (v *typedValue) before(end int) string { return strings.TrimSpace(v.text[v.start:end]) }

// has reports whether the attribute has a value in the study, ignoring case.
func (v *typedValue) has(value string) bool {
	if v.known == nil && v.values != nil {
		v.known = map[string]bool{}
		for _, text := range v.values(v.a.ID) {
			v.known[strings.ToLower(strings.TrimSpace(text))] = true
		}
	}
	return value != "" && v.known[strings.ToLower(value)]
}

// ends returns the offsets where the value may end: before each AND or OR, and at the next other operator.
func (v *typedValue) ends() (list []int) {
	depth := 0
	for at := v.start; ; at++ {
		if at == len(v.text) || strings.IndexByte(valueEnd, v.text[at]) >= 0 {
			return append(list, at)
		}
		switch v.text[at] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return append(list, at)
			}
		case ' ', '\t':
			next := *v.parser
			if next.at = at; next.accept("AND", "OR") != "" {
				list = append(list, at)
			}
		}
	}
}

// check returns an error for a value that is not a number although the comparison needs one, or that may
// be a value and further conditions.
func (v *typedValue) check() error {
	byText := v.a.Op == "=" || v.a.Op == "!="
	switch {
	case !byText && !isNumber(v.a.Value):
		return v.numberError()
	case !byText || v.isQuoted || v.isKnown:
		return nil
	}
	words := strings.Fields(v.a.Value)
	if strings.EqualFold(words[0], "AND") || strings.EqualFold(words[0], "OR") {
		return v.errorAt(v.start, v.corrected(v.inQuotes()),
			"%s%s has no value before %s; if it is the value, write it in quotes: %s",
			v.a.ID, v.a.Op, words[0], shown(v.inQuotes()))
	}
	joined, isSure := v.joined()
	hasNot := slices.ContainsFunc(words[1:], func(w string) bool { return strings.EqualFold(w, "NOT") })
	if !isSure && !hasNot && !strings.ContainsAny(v.a.Value, valueSigns) {
		return nil // the evaluator notes a value that no sample has
	}
	const notValue = "%q is not a value of %s; "
	if list := v.listed(); list != "" {
		return v.errorAt(v.start, v.corrected(list), notValue+"write one value in each comparison: %s",
			shown(v.a.Value), v.a.ID, shown(list))
	}
	switch {
	case joined == "":
		return v.errorAt(v.start, v.corrected(v.inQuotes()), notValue+"write it in quotes if it is one: %s",
			shown(v.a.Value), v.a.ID, shown(v.inQuotes()))
	case isSure || v.values == nil:
		return v.errorAt(v.start, v.corrected(joined), notValue+"join conditions with &: %s; or write it in quotes: %s",
			shown(v.a.Value), v.a.ID, shown(joined), shown(v.inQuotes()))
	}
	return v.errorAt(v.start, v.corrected(v.inQuotes()), notValue+"write it in quotes: %s; or join conditions with &: %s",
		shown(v.a.Value), v.a.ID, shown(v.inQuotes()), shown(joined))
}

// isNumber reports whether a value is a number that others can be compared with.
func isNumber(text string) bool {
	low, high := study.Interval(text)
	return low == high
}

func (v *typedValue) numberError() error {
	if joined, _ := v.joined(); joined != "" {
		return v.errorAt(v.start, v.corrected(joined), "%q is not a number; join conditions with &: %s",
			shown(v.a.Value), shown(joined))
	}
	if number, _, _ := strings.Cut(v.a.Value, " "); isNumber(number) && !v.isQuoted {
		alone := v.a.ID + v.a.Op + number
		return v.errorAt(v.start, v.corrected(alone), "%q is not a number; write %s", shown(v.a.Value), alone)
	}
	return v.errorAt(v.start, "", "%q is not a number, which %s compares; = and != compare any value",
		shown(v.a.Value), v.a.Op)
}

// corrected returns the text with another comparison, or "" if it cannot be read.
func (v *typedValue) corrected(comparison string) string {
	if after := v.text[v.at:]; after != "" && strings.IndexByte(" \t)", after[0]) < 0 {
		comparison += " "
	}
	if text := v.replaced(v.from, v.at, comparison); v.canRead(text) {
		return text
	}
	return ""
}

// inQuotes returns the comparison with the value in quotes.
func (v *typedValue) inQuotes() string { return v.a.ID + v.a.Op + inQuotes(v.a.Value) }

// joined returns the comparison with & after the first part of the value, or "" if no condition may follow.
// isSure reports whether the first part is a value of the study or a number.
func (v *typedValue) joined() (text string, isSure bool) {
	if v.isQuoted {
		return "", false
	}
	for i := v.start + 1; i < v.at; i++ {
		if strings.IndexByte(valueBreak, v.text[i]) < 0 || strings.IndexByte(valueBreak, v.text[i-1]) >= 0 {
			continue
		}
		value, rest := v.text[v.start:i], strings.TrimSpace(strings.TrimLeft(v.text[i:v.at], " \t,"))
		isKnown := isNumber(value) || v.has(value)
		if !mayBeCondition(rest) || !isKnown && text != "" {
			continue
		}
		text, isSure = v.text[v.from:i]+" & "+rest, isSure || isKnown
	}
	return text, isSure
}

// mayBeCondition reports whether a text begins with a condition: it has a sign of one or a gene.
func mayBeCondition(text string) bool {
	word := (&parser{text: text}).word()
	_, isGene := symbols.Find(word)
	return isGene || isOperator(word) || word != text && strings.ContainsAny(text, ":=<>!([≥≤≠")
}

// listed returns comparisons with each value of a list with commas, or "" if one is not in the study.
func (v *typedValue) listed() string {
	parts := strings.Split(v.a.Value, ",")
	for i, part := range parts {
		if part = strings.TrimSpace(part); !v.has(part) {
			return ""
		}
		parts[i] = v.a.ID + v.a.Op + quote(part)
	}
	if len(parts) > 1 && v.a.Op == "=" {
		return "(" + strings.Join(parts, " | ") + ")"
	}
	return strings.Join(parts, " & ")
}

// quoted reads a value in quotes. A backslash precedes a quote or a backslash in it.
func (p *parser) quoted() (string, error) {
	from, mark := p.at, p.text[p.at]
	var b strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == mark:
			p.at++
			return b.String(), nil
		case c == '\\' && p.at+1 < len(p.text) && strings.IndexByte(`\"'`, p.text[p.at+1]) >= 0:
			p.at++
			b.WriteByte(p.text[p.at])
		default:
			b.WriteByte(c)
		}
	}
	return "", p.errorAt(from, p.text+string(mark), "the quote is not closed")
}

func (p *parser) sampleList(from int) (_ Expr, err error) {
	p.skip("")
	name := ""
	if p.isQuote() {
		if name, err = p.quoted(); err != nil {
			return nil, err
		}
	} else {
		end := strings.IndexAny(p.text[p.at:], valueEnd+")")
		if end < 0 {
			end = len(p.text) - p.at
		}
		name = strings.TrimSpace(p.text[p.at : p.at+end])
		p.at += end
	}
	switch {
	case name == "":
		return nil, p.errorAt(from, "", "samples(FILE) names no file")
	case p.accept(")") == "":
		return nil, p.errorAt(from, "", "samples(FILE) is not closed")
	}
	return &SampleList{name}, nil
}
