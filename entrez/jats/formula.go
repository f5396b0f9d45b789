package jats

import (
	"bytes"
	"encoding/xml"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
)

// bestAlternative chooses among representations of the same content: text before a picture, and TeX
// before MathML.
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

// formula returns the content of a formula's element, as TeX if the article has it and as a line of
// text otherwise, and the files of its pictures.
func (p *parser) formula(n *node) (text string, tex bool, files []string) {
	parts := n.kids
	if n.name == "tex-math" || n.name == "math" {
		parts = []*node{n}
	}
	p.inlineDepth++
	defer func() { p.inlineDepth-- }()
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
	if n == nil {
		return false
	}
	switch n.name {
	case "graphic", "inline-graphic", "media", "inline-media":
		return true
	}
	return false
}

// pictures returns the files of the pictures under a node.
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

// bareTeX extracts the formula from the small document that many publishers wrap around it, and
// removes the dollar signs.
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

// mathText renders a formula as package pubmed does in titles and abstracts.
func mathText(n *node) string {
	var b bytes.Buffer
	n.markup(&b)
	text, err := pubmed.MathText(b.Bytes())
	if err != nil { // a name that only encoding/xml accepts
		return n.words()
	}
	return text
}

// markup appends a formula as XML, with the attributes that affect its text.
func (n *node) markup(b *bytes.Buffer) {
	escape := func(s string) {
		if err := xml.EscapeText(b, []byte(s)); err != nil {
			panic("jats: " + err.Error()) // writing to a Buffer does not fail
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
