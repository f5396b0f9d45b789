package jats

import (
	"bytes"
	"encoding/xml"
	"strings"

	"biomcp/entrez/pattern"
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

// formula is the content of a formula's element, as TeX where the article has
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

var texBody = pattern.Lazy(`(?s)\\begin\{document\}(.*)\\end\{document\}`)

// bareTeX takes the formula out of the small document that many publishers wrap
// around it, and drops the dollar signs.
func bareTeX(s string) string {
	if m := texBody().FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	s = strings.TrimSpace(s)
	for strings.HasPrefix(s, "$") && strings.HasSuffix(s, "$") && len(s) > 1 {
		s = strings.TrimSpace(s[1 : len(s)-1])
	}
	return s
}

// mathText is a formula as package pubmed has it in titles and abstracts.
func mathText(n *node) string {
	var b bytes.Buffer
	n.markup(&b)
	text, err := pubmed.MathText(b.Bytes())
	if err != nil { // a name that encoding/xml lets pass
		return n.words()
	}
	return text
}

// markup appends a formula as XML, with the attributes that bear on its text.
func (n *node) markup(b *bytes.Buffer) {
	escape := func(s string) {
		if err := xml.EscapeText(b, []byte(s)); err != nil {
			panic("jats: " + err.Error()) // a Buffer takes everything
		}
	}
	if n.name == "" {
		escape(n.text)
		return
	}
	b.WriteString("<" + n.name)
	for _, a := range n.attrs {
		switch a.Name.Local {
		case "open", "close", "separators":
			b.WriteString(" " + a.Name.Local + `="`)
			escape(a.Value)
			b.WriteString(`"`)
		}
	}
	b.WriteString(">")
	for _, k := range n.kids {
		k.markup(b)
	}
	b.WriteString("</" + n.name + ">")
}
