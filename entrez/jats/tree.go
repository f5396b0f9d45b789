package jats

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// bounds limits a document: its size in bytes, the number of its elements, attributes and texts
// together, and the nesting of its elements.
type bounds struct{ bytes, nodes, depth int }

// documentBounds leaves room for the full texts of PMC, which reach 30 MB, half a million elements
// and 40 levels.
var documentBounds = bounds{bytes: 64 << 20, nodes: 4 << 20, depth: 100}

// A FormatError explains why a document is not a full text.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return "full text: " + e.Reason }

// A NoArticleError reports a valid reply without an article. Reason is the service's message.
type NoArticleError struct{ Reason string }

func (e *NoArticleError) Error() string { return "no full text: " + e.Reason }

// A node is an element, or a text if name is "".
type node struct {
	name  string // without prefix
	attrs []xml.Attr
	text  string
	kids  []*node
}

// readTree reads a whole document into memory. It knows HTML's entities, and returns an error for
// entities that the document declares.
func readTree(r io.Reader, limits bounds) (*node, error) {
	source := &reader{r: r, left: limits.bytes + 1}
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
			return nil, &FormatError{Reason: fmt.Sprintf("longer than %d bytes", limits.bytes)}
		case err == io.EOF:
			return root, nil
		case err != nil:
			return nil, &FormatError{Reason: err.Error()}
		}
		last := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			if len(open) > limits.depth {
				return nil, &FormatError{Reason: fmt.Sprintf("nested deeper than %d elements", limits.depth)}
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
		if nodes > limits.nodes {
			return nil, &FormatError{Reason: fmt.Sprintf("more than %d elements and attributes", limits.nodes)}
		}
	}
}

// A reader stops after a number of bytes. It keeps read errors, to tell them apart from errors in
// the XML.
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

// child returns the first child element with one of the names, which it tries in order, or nil.
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

// find returns the first descendant with a name, in document order, or nil.
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

// each calls visit for every descendant element, except elements with the skipped names and their descendants.
func (n *node) each(visit func(*node), skipped ...string) {
	for _, k := range n.kids {
		if k.name != "" && !slices.Contains(skipped, k.name) {
			visit(k)
			k.each(visit, skipped...)
		}
	}
}

// references returns the references of a part, without those of the parts attached to it.
func (n *node) references() (refs []*node) {
	n.each(func(k *node) {
		if k.name == "ref" {
			refs = append(refs, k)
		}
	}, "sub-article", "response")
	return refs
}

// words returns all character data under a node with white space collapsed, for values whose markup
// does not matter.
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
