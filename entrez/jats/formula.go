package jats

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pubmed"
)

// bestAlternative chooses among representations of the same thing: the one that
// is text, TeX before MathML, before a picture.
func bestAlternative(n *node) *node {
	if best := n.child("tex-math", "math", "table", "array", "textual-form", "preformat", "code"); best != nil {
		return best
	}
	for _, k := range n.kids {
		if k.name != "" {
			return k
		}
	}
	return nil
}

// formula is what stands in a formula's element, as TeX where the article has
// it, else as a line of text, and the pictures of it.
func (p *parser) formula(n *node) (text string, tex bool, files []string) {
	parts := n.kids
	if n.name == "tex-math" || n.name == "math" {
		parts = []*node{n}
	}
	p.inside++
	defer func() { p.inside-- }()
	in := flow{p: p, flat: true}
	for _, k := range parts {
		if k.name == "alternatives" {
			k = bestAlternative(k)
		}
		switch {
		case k == nil, k.name == "label", k.isPicture():
		case k.name == "tex-math":
			in.write(bareTeX(k.words()))
			tex = true
		case k.name == "math":
			if n.child("tex-math") == nil {
				in.write(mathText(k))
			}
		default:
			in.add(k)
		}
	}
	return in.take(), tex, pictures(n)
}

func (n *node) isPicture() bool {
	return n != nil && (n.name == "graphic" || n.name == "inline-graphic" || n.name == "media" || n.name == "inline-media")
}

// pictures are the files named under a node.
func pictures(n *node) []string {
	var files []string
	n.each(func(k *node) {
		if href := k.attr("href"); k.isPicture() && href != "" {
			files = append(files, href)
		}
	})
	return files
}

var texBody = regexp.MustCompile(`(?s)\\begin\{document\}(.*)\\end\{document\}`)

// bareTeX takes the formula out of the small document that many publishers wrap
// around it, and drops the dollar signs.
func bareTeX(s string) string {
	if m := texBody.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, "$") && strings.HasSuffix(s, "$") && len(s) > 1 {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// mathText writes MathML 3 (https://www.w3.org/TR/MathML3/chapter3.html) on a
// line: (a+b)/c, √(x), x², K_(d). What is no layout element is the text of its
// parts.
func mathText(n *node) string {
	var parts []string
	for _, k := range n.kids {
		switch k.name {
		case "":
			if text := strings.TrimSpace(k.text); text != "" {
				parts = append(parts, visible(text))
			}
		case "annotation", "annotation-xml", "mphantom", "none", "mprescripts":
		case "mspace":
			parts = append(parts, " ")
		default:
			parts = append(parts, mathText(k))
		}
	}
	at := func(i int) string {
		if i < len(parts) {
			return parts[i]
		}
		return ""
	}
	rest := func(n int) string { return strings.Join(parts[min(n, len(parts)):], "") }
	switch n.name {
	case "mfrac":
		return group(at(0)) + "/" + group(at(1)) + rest(2)
	case "msqrt":
		return "√" + group(rest(0))
	case "mroot":
		return raised(at(1)) + "√" + group(at(0)) + rest(2)
	case "msup", "mover":
		return group(at(0)) + raised(at(1)) + rest(2)
	case "msub", "munder":
		return group(at(0)) + lowered(at(1)) + rest(2)
	case "msubsup", "munderover":
		return group(at(0)) + lowered(at(1)) + raised(at(2)) + rest(3)
	case "mfenced":
		return n.fence("open", "(") + strings.Join(parts, ", ") + n.fence("close", ")")
	case "mtable":
		return strings.Join(parts, "; ")
	case "mtr", "mlabeledtr":
		return strings.Join(parts, ", ")
	}
	return rest(0)
}

func (n *node) fence(attr, otherwise string) string {
	for _, a := range n.attrs {
		if a.Name.Local == attr {
			return a.Value
		}
	}
	return otherwise
}

// visible drops MathML's invisible operators.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x2061 && r <= 0x2064 {
			return -1
		}
		return r
	}, s)
}

// group puts parentheses around what is more than one number or name.
func group(s string) string {
	compound := strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '.' && r != '%'
	})
	if compound < 0 || enclosed(s) || utf8.RuneCountInString(s) == 1 {
		return s
	}
	return "(" + s + ")"
}

// enclosed reports whether s is one pair of parentheses with no other in it.
func enclosed(s string) bool {
	return strings.HasPrefix(s, "(") && strings.Index(s, ")") == len(s)-1 && strings.Count(s, "(") == 1
}

func raised(s string) string { return scripted(s, pubmed.Superscript, "^(") }

func lowered(s string) string { return scripted(s, pubmed.Subscript, "_(") }

// scripted writes a script in Unicode's characters, else as x^(...), always with
// the parentheses, so that what follows is never drawn in.
func scripted(s string, convert func(string) (string, bool), open string) string {
	if len(s) <= maxScript {
		if out, ok := convert(s); ok {
			return out
		}
	}
	if enclosed(s) {
		s = s[1 : len(s)-1]
	}
	return open + s + ")"
}
