package oql

import (
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/pattern"
	"biomcp/store/study/symbols"
)

// query reads statements up to the end of the text or a closing bracket.
func (p *parser) query(end string) (q Query, err error) {
	for {
		p.skip(",;\n")
		if p.at == len(p.text) || end != "" && strings.HasPrefix(p.text[p.at:], end) {
			return q, nil
		}
		tracks, set, err := p.statement(end)
		if err != nil {
			return nil, err
		}
		if tracks == nil && !set {
			return nil, p.unexpected()
		}
		q = append(q, tracks...)
	}
}

// statement reads a line: a merged track, a gene with alterations, a fusion, a list of genes, or
// DATATYPES, for which it reports set. It returns no tracks if no line is next.
func (p *parser) statement(end string) (tracks []Track, set bool, err error) {
	from := p.at
	if end == "" && strings.HasPrefix(p.text[p.at:], "[") {
		t, err := p.merged()
		return []Track{t}, false, err
	}
	l, isFusion, err := p.fusionLine()
	if isFusion || err != nil {
		return []Track{{Lines: []Line{l}}}, false, err
	}
	word := p.word()
	if word == "" {
		return nil, false, nil
	}
	if strings.IndexFunc(word, isLetterOrDigit) >= 0 && p.acceptColon() {
		alterations, err := p.alterations(strings.ToUpper(word))
		if strings.EqualFold(word, "DATATYPES") {
			p.defaults = alterations
			return nil, true, err
		}
		return []Track{{Lines: []Line{{strings.ToUpper(word), alterations}}}}, false, err
	}
	p.at = from
	return p.geneList()
}

// acceptColon reads the colon after a gene, not the two of a fusion.
func (p *parser) acceptColon() bool {
	at := p.at
	p.skip("")
	if strings.HasPrefix(p.text[p.at:], ":") && !strings.HasPrefix(p.text[p.at:], "::") {
		p.at++
		return true
	}
	p.at = at
	return false
}

// changePattern matches a protein change or position that is hardly a gene symbol.
var changePattern = pattern.Lazy(`^(P\.)?[ACDEFGHIKLMNPQRSTVWYX*][0-9]{2,}([A-Z*=]|_[A-Z0-9]*|(FS|DEL|INS|DUP).*)?$`)

func isChange(word string) bool {
	word = strings.ToUpper(word)
	return changePattern().MatchString(word) && symbols.Names(word) == nil
}

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// isOperator reports whether a word is an operator of expressions.
func isOperator(word string) bool {
	return slices.ContainsFunc([]string{"AND", "OR", "NOT"}, func(o string) bool { return strings.EqualFold(o, word) })
}

// geneList reads genes without alterations.
func (p *parser) geneList() (tracks []Track, set bool, err error) {
	first := p.at
	for {
		from := p.at
		word := p.word()
		if word == "" || p.acceptColon() || strings.HasPrefix(p.text[p.at:], "::") {
			p.at = from // another statement
			return tracks, false, nil
		}
		if isOperator(word) {
			p.at = from
			if p.inExpr && len(tracks) > 0 {
				return tracks, false, nil
			}
			return nil, false, p.errorAt(from, "", "%s combines conditions of --group, and a gene or a clinical value "+
				"stands on both of its sides", word)
		}
		if strings.IndexFunc(word, isLetterOrDigit) < 0 || strings.EqualFold(word, "DATATYPES") {
			p.at = from
			return nil, false, p.unexpected()
		}
		if isKeyword(word) || isChange(word) {
			corrected := ""
			if len(tracks) > 0 {
				corrected = p.replaced(first, from, strings.TrimRight(p.text[first:from], " ,\t")+": ")
			}
			return nil, false, p.errorAt(from, corrected,
				"%s is an alteration; a gene and a colon stand before it, such as TP53: %s", word, word)
		}
		tracks = append(tracks, Track{Lines: []Line{{strings.ToUpper(word), p.defaults}}})
		at := p.at
		if p.skip(","); p.at == at {
			return tracks, false, nil
		}
	}
}

func (p *parser) merged() (t Track, err error) {
	from := p.at
	p.at++
	p.skip(",;\n")
	t.Merged = true
	if strings.HasPrefix(p.text[p.at:], `"`) {
		end := strings.IndexByte(p.text[p.at+1:], '"')
		if end < 0 {
			return t, p.errorAt(p.at, "", "the quote of the label is not closed")
		}
		t.Label = strings.Join(strings.Fields(p.text[p.at+1:p.at+1+end]), " ")
		p.at += end + 2
	}
	inner, err := p.query("]")
	switch {
	case err != nil:
		return t, err
	case p.at == len(p.text):
		return t, p.errorAt(from, p.text+"]", "the bracket is not closed")
	case len(inner) == 0:
		return t, p.errorAt(from, "", "no gene in the brackets")
	}
	p.at++
	for _, one := range inner {
		t.Lines = append(t.Lines, one.Lines...)
	}
	return t, nil
}
