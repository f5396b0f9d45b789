package jats

import (
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
)

// numbers returns the numbers of the references in rid, for a citation without a text.
func (p *parser) numbers(rid string) string {
	var out []string
	for _, id := range strings.Fields(rid) {
		if n := p.refs[id]; n > 0 {
			out = append(out, strconv.Itoa(n))
		}
	}
	return strings.Join(out, ",")
}

// isCitationPart reports whether an element is a part of a citation, in the order of NLM's style
// (https://www.ncbi.nlm.nih.gov/books/NBK7256/).
func isCitationPart(name string) bool {
	switch name {
	case "name", "person-group", "collab", "string-name", "surname", "given-names",
		"etal", "year", "month", "day", "article-title", "chapter-title",
		"source", "volume", "issue", "fpage", "lpage", "elocation-id",
		"publisher-name", "publisher-loc", "edition", "comment", "pub-id", "suffix",
		"part-title", "trans-title", "trans-source", "conf-name", "series":
		return true
	}
	return false
}

// citation returns one cited work as a line of text. It keeps the punctuation of a citation that
// has some, and punctuates one that consists of elements only.
func (p *parser) citation(n *node) string {
	for _, k := range n.kids {
		if k.name == "" && strings.TrimSpace(k.text) != "" {
			return p.mixedCitation(n)
		}
	}
	if n.child("source", "article-title", "person-group", "name", "collab", "year") == nil {
		return p.line(n)
	}
	return p.elementCitation(n)
}

var danglingID = pattern.Lazy(`(?i)[\s.,;]*\b(pmid|pmcid|doi|https?://(dx\.)?doi\.org/)\s*:?\s*$`)

// mixedCitation returns the text of a citation with the article's own punctuation, and a space
// between parts that touch. It drops identifiers at the end without punctuation before them, since
// they have fields of their own.
func (p *parser) mixedCitation(n *node) string {
	in := flow{p: p, flat: true}
	var walk func(*node)
	walk = func(n *node) {
		for i, k := range n.kids {
			touches := i > 0 && n.kids[i-1].name != ""
			if touches && isCitationPart(k.name) {
				in.gap = true
			}
			switch {
			case k.name == "pub-id" && touches && hasField(k):
			case k.name == "etal" && len(k.kids) == 0:
				in.write("et al.")
			case isCitationPart(k.name):
				walk(k)
			default:
				in.add(k)
			}
		}
	}
	walk(n)
	return danglingID().ReplaceAllString(in.take(), "")
}

func hasField(id *node) bool {
	switch id.attr("pub-id-type") {
	case "pmid", "pmcid", "pmc", "doi":
		return true
	}
	return false
}

// elementCitation returns "Names. Title. Source. Year;Volume(Issue):Pages. The rest."
func (p *parser) elementCitation(n *node) string {
	parts := map[string]string{}
	var people, rest []string
	for _, k := range n.kids {
		switch k.name {
		case "":
		case "person-group":
			group := p.people(k)
			if kind := k.attr("person-group-type"); kind != "" && kind != "author" {
				rest = append(rest, group+", "+kind)
			} else {
				people = append(people, group)
			}
		case "name", "string-name", "collab", "etal", "anonymous":
			people = append(people, p.people(&node{kids: []*node{k}}))
		case "pub-id":
			if !hasField(k) {
				rest = append(rest, p.line(k))
			}
		case "article-title", "chapter-title", "source", "year", "volume", "issue", "fpage", "lpage",
			"elocation-id", "publisher-name", "publisher-loc":
			if parts[k.name] == "" {
				parts[k.name] = p.line(k)
				continue
			}
			rest = append(rest, p.line(k))
		default:
			rest = append(rest, p.line(k))
		}
	}
	pages := parts["fpage"]
	if last := parts["lpage"]; last != "" && last != pages {
		pages += "-" + last
	}
	if pages == "" {
		pages = parts["elocation-id"]
	} else if id := parts["elocation-id"]; id != "" {
		rest = append(rest, id)
	}
	location := parts["year"]
	if v := parts["volume"]; v != "" {
		location += ";" + v
	}
	if issue := parts["issue"]; issue != "" {
		location += "(" + issue + ")"
	}
	if pages != "" {
		location += ":" + pages
	}
	publisher := parts["publisher-loc"]
	if name := parts["publisher-name"]; name != "" && publisher != "" {
		publisher += ": " + name
	} else if publisher == "" {
		publisher = name
	}
	sentences := append([]string{
		strings.Join(people, ", "), parts["article-title"], parts["chapter-title"], parts["source"], publisher,
		strings.TrimLeft(location, ";:"),
	}, rest...)
	out := ""
	for _, s := range sentences {
		if s == "" {
			continue
		}
		if out != "" {
			out += " "
		}
		out += s
		if !strings.ContainsAny(s[len(s)-1:], ".?!") {
			out += "."
		}
	}
	return out
}

func (p *parser) people(group *node) string {
	var names []string
	for _, k := range group.kids {
		switch k.name {
		case "name":
			names = append(names, shortName(k))
		case "etal":
			names = append(names, "et al.")
		case "":
		default:
			if text := p.line(k); text != "" {
				names = append(names, text)
			}
		}
	}
	return strings.Join(names, ", ")
}
