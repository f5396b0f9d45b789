package jats

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// bounds of a document: its size, its elements, attributes and pieces of text
// together, and how deep elements may nest.
type bounds struct{ bytes, nodes, depth int }

// Full texts of PMC reach 30 MB and half a million elements, and nest 40 deep.
var documentBounds = bounds{bytes: 64 << 20, nodes: 4 << 20, depth: 100}

// FormatError says why bytes are not a full text.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "full text: " + e.Reason }

// NoArticleError is a good reply that holds no article; Reason is the service's.
type NoArticleError struct{ Reason string }

func (e *NoArticleError) Error() string { return "no full text: " + e.Reason }

// node is an element, or a text where name is "".
type node struct {
	name  string // without prefix
	attrs []xml.Attr
	text  string
	kids  []*node
}

// readTree reads a whole document into memory. References to entities that the
// document declares are an error, those of HTML are known.
func readTree(r io.Reader, most bounds) (*node, error) {
	source := &reader{r: r, left: most.bytes + 1}
	d := xml.NewDecoder(source)
	d.Entity = xml.HTMLEntity
	root := &node{name: "#document"}
	open := []*node{root}
	for nodes := 0; ; {
		token, err := d.Token()
		switch {
		case source.failed != nil:
			return nil, fmt.Errorf("full text: %w", source.failed)
		case source.left <= 0:
			return nil, &FormatError{Reason: fmt.Sprintf("longer than %d bytes", most.bytes)}
		case err == io.EOF:
			return root, nil
		case err != nil:
			return nil, &FormatError{Reason: err.Error()}
		}
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(open) > most.depth {
				return nil, &FormatError{Reason: fmt.Sprintf("nested deeper than %d elements", most.depth)}
			}
			n := &node{name: t.Name.Local, attrs: t.Attr}
			last.kids = append(last.kids, n)
			open = append(open, n)
			nodes += 1 + len(t.Attr)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			last.kids = append(last.kids, &node{text: string(t)})
			nodes++
		}
		if nodes > most.nodes {
			return nil, &FormatError{Reason: fmt.Sprintf("more than %d elements and attributes", most.nodes)}
		}
	}
}

// reader stops after a number of bytes and keeps the error of what it reads
// from apart from those of the XML.
type reader struct {
	r      io.Reader
	left   int
	failed error
}

func (r *reader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n, err := r.r.Read(p[:min(len(p), r.left)])
	r.left -= n
	if err != nil && err != io.EOF {
		r.failed = err
	}
	return n, err
}

func (n *node) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}

// child is the first child element of one of the names, tried in that order.
func (n *node) child(names ...string) *node {
	for _, name := range names {
		for _, k := range n.kids {
			if k.name == name {
				return k
			}
		}
	}
	return nil
}

func (n *node) children(name string) []*node {
	var out []*node
	for _, k := range n.kids {
		if k.name == name {
			out = append(out, k)
		}
	}
	return out
}

// find is the first descendant with a name, in document order.
func (n *node) find(name string) *node {
	for _, k := range n.kids {
		if k.name == name {
			return k
		}
		if found := k.find(name); found != nil {
			return found
		}
	}
	return nil
}

// each calls visit for every descendant element that no element named in except
// is above.
func (n *node) each(visit func(*node), except ...string) {
	for _, k := range n.kids {
		if k.name != "" && !slices.Contains(except, k.name) {
			visit(k)
			k.each(visit, except...)
		}
	}
}

// references are the references of a part, but not of what is attached to it.
func (n *node) references() (refs []*node) {
	n.each(func(k *node) {
		if k.name == "ref" {
			refs = append(refs, k)
		}
	}, "sub-article", "response")
	return refs
}

// words is all character data under a node, white space collapsed, for values
// that hold no markup worth keeping.
func (n *node) words() string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	var walk func(*node)
	walk = func(n *node) {
		b.WriteString(n.text)
		for _, k := range n.kids {
			walk(k)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}
