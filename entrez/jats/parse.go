package jats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/record"
)

type parser struct {
	article  *Article
	language string         // of the article
	refs     map[string]int // id of a reference -> its number
	spare    int            // cells that spans and padding may still add
	inside   int            // how deep flow.inside is in itself
}

// Parse reads one full text, the first where a reply holds several. Errors are
// *FormatError (not JATS, too large, too deep, cut short), *NoArticleError (a
// good reply without an article: not in PMC, or not free to be given out) and
// the reader's own, wrapped.
func Parse(r io.Reader) (*Article, error) {
	root, err := readTree(r, documentBounds)
	if err != nil {
		return nil, err
	}
	n := root.find("article")
	if n == nil {
		return nil, absent(root)
	}
	p := &parser{article: &Article{}, refs: map[string]int{}, spare: spareCells}
	p.read(n)
	return p.article, nil
}

// absent makes the error for a reply without article from what it says:
// <Reply Id="1" error="..."/>, <eFetchResult><ERROR>...</ERROR>, <error>...</error>.
func absent(root *node) error {
	if reply := root.find("Reply"); reply != nil && reply.attr("error") != "" {
		return &NoArticleError{Reason: reply.attr("error")}
	}
	for _, name := range []string{"ERROR", "error"} {
		if said := root.find(name).words(); said != "" {
			return &NoArticleError{Reason: said}
		}
	}
	for _, k := range root.kids {
		switch k.name {
		case "":
		case "pmc-articleset":
			return &NoArticleError{Reason: "the reply is empty"}
		default:
			return &FormatError{Reason: fmt.Sprintf("<%s> is no JATS article", k.name)}
		}
	}
	return &FormatError{Reason: "no XML in it"}
}

func (p *parser) read(n *node) {
	a := p.article
	p.language = primary(cmp.Or(n.attr("lang"), "en")) // JATS's default
	*a = Article{
		Type: n.attr("article-type"), Authors: []string{}, Keywords: []string{}, Related: []Related{},
		Abstracts: []Abstract{}, Body: []Section{}, Back: []Section{}, Footnotes: []Note{}, Refs: []Reference{},
	}
	refs := n.references()
	for i, ref := range refs {
		p.refs[ref.attr("id")] = i + 1
	}
	for _, k := range n.kids {
		switch k.name {
		case "front":
			p.front(k)
		case "body":
			a.Body = append(a.Body, p.sections(k, 1)...)
		case "back":
			a.Back = append(a.Back, p.sections(k, 1)...)
		case "floats-group", "floats-wrap":
			if blocks := p.inner(k); len(blocks) > 0 {
				a.Back = append(a.Back, Section{Level: 1, Title: "Figures and tables", Blocks: blocks})
			}
		case "sub-article", "response":
			a.Back = append(a.Back, p.attached(k)...)
		}
	}

	for i, ref := range refs {
		a.Refs = append(a.Refs, p.reference(ref, i+1))
	}
}

// attached is a peer review, a reply or a translation printed with the article,
// as a separate section.
func (p *parser) attached(n *node) []Section {
	out := []Section{{Level: 1, ID: n.attr("id"), Title: cmp.Or(p.line(n.find("article-title")), n.attr("article-type")), Blocks: []Block{}}}
	for _, k := range n.kids {
		if k.name == "body" || k.name == "back" {
			out = append(out, p.sections(k, 2)...)
		}
		if refs := p.cited(k); k.name == "back" && len(refs) > 0 {
			out = append(out, Section{Level: 2, Title: "References of " + out[0].Title, Blocks: refs})
		}
		if k.name == "sub-article" || k.name == "response" {
			out = append(out, p.attached(k)...)
		}
	}
	return out
}

// cited returns the references of a part, which numbers them itself.
func (p *parser) cited(n *node) (all []Block) {
	for i, ref := range n.references() {
		all = append(all, Block{Kind: Paragraph, Text: fmt.Sprintf("[%d] %s", i+1, p.reference(ref, i+1).Text)})
	}
	return all
}

func (p *parser) front(n *node) {
	a := p.article
	if journal := n.child("journal-meta"); journal != nil {
		a.Journal = p.line(journal.find("journal-title"))
	}
	meta := n.child("article-meta")
	if meta == nil {
		return
	}
	rank := len(pubTypes) + 1
	for _, k := range meta.kids {
		switch k.name {
		case "article-id":
			p.identifier(k)
		case "title-group":
			a.Title = p.line(k.child("article-title"))
			if sub := p.line(k.child("subtitle")); sub != "" {
				a.Title += ": " + sub
			}
		case "article-title": // NLM 1
			a.Title = p.line(k)
		case "contrib-group":
			p.authors(k)
		case "author-notes":
			a.Footnotes = append(a.Footnotes, p.notes(k)...)
		case "pub-date":
			kind := cmp.Or(k.attr("pub-type"), k.attr("date-type")+k.attr("publication-format"))
			at := slices.Index(pubTypes, kind)
			if at < 0 {
				at = len(pubTypes)
			}
			if d := date(k); d != "" && at < rank && kind != "pmc-release" {
				a.Published, rank = d, at
			}
		case "permissions":
			p.permissions(k)
		case "copyright-statement": // NLM 2, outside permissions
			a.Licence.Copyright = p.line(k)
		case "related-article":
			a.Related = append(a.Related, Related{
				Type: k.attr("related-article-type"), IDType: k.attr("ext-link-type"), ID: k.attr("href"),
			})
		case "abstract", "trans-abstract":
			language := k.attr("lang")
			if k.name == "abstract" && (primary(language) == p.language || !slices.ContainsFunc(a.Abstracts, func(a Abstract) bool { return a.Language == "" })) {
				language = "" // only a trans-abstract is a translation
			}
			a.Abstracts = append(a.Abstracts, Abstract{
				Type: k.attr("abstract-type"), Title: p.line(k.child("title")), Language: language,
				Sections: p.sections(untitled(k), 1),
			})
		case "kwd-group":
			k.each(func(word *node) {
				if word.name == "kwd" || word.name == "compound-kwd" {
					if text := p.line(word); text != "" {
						a.Keywords = append(a.Keywords, text)
					}
				}
			})
		case "custom-meta-group", "custom-meta-wrap":
			for _, m := range k.children("custom-meta") {
				if strings.EqualFold(strings.TrimSpace(m.child("meta-name").words()), "data availability") {
					a.DataAvailability = p.line(m.child("meta-value"))
				}
			}
		case "funding-group":
			for _, s := range k.children("funding-statement") {
				a.Funding = strings.TrimSpace(a.Funding + "\n" + p.line(s))
			}
		}
	}
	if n := n.child("notes"); n != nil {
		a.Back = append(a.Back, p.section(n, 1)...)
	}
}

// primary is the language of a tag: en of en-GB.
func primary(tag string) string {
	language, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return language
}

// pubTypes are JATS's kinds of publication date, the one to show first: a
// collection is dated before or after the article itself.
var pubTypes = []string{"epub", "pubelectronic", "epub-ppub", "ppub", "pubprint", "pub", "collection", "collectionelectronic"}

// untitled is an element without the title that was read already.
func untitled(n *node) *node {
	out := *n
	out.kids = slices.DeleteFunc(slices.Clone(n.kids), func(k *node) bool { return k.name == "title" || k.name == "label" })
	return &out
}

func (p *parser) identifier(n *node) {
	id := strings.TrimSpace(n.words())
	switch n.attr("pub-id-type") {
	case "pmid":
		p.article.PMID = id
	case "pmc", "pmcid":
		p.article.PMCID = pmcid(id)
	case "doi":
		p.article.DOI = id
	}
}

func pmcid(id string) string {
	if id == "" || strings.HasPrefix(id, "PMC") {
		return id
	}
	return "PMC" + id
}

// authors takes the contributors who are authors, or who are not said to be
// anything else.
func (p *parser) authors(group *node) {
	for _, c := range group.children("contrib") {
		if role := c.attr("contrib-type"); role != "" && role != "author" {
			continue
		}
		name := c.child("name")
		if alternatives := c.child("name-alternatives"); name == nil && alternatives != nil {
			name = alternatives.child("name")
		}
		text := p.line(c.child("string-name", "collab", "collab-alternatives", "anonymous"))
		if name != nil {
			text = shortName(name)
		} else if c.child("anonymous") != nil {
			text = "Anonymous"
		}
		if text != "" {
			p.article.Authors = append(p.article.Authors, text)
		}
	}
}

// shortName is "Rossi MA Jr": family name, the initials of the given ones, and
// what follows.
func shortName(n *node) string {
	given := n.child("given-names")
	initials := ""
	if given != nil {
		if initials = given.attr("initials"); initials == "" {
			initials = shortened(given.words())
		}
	}
	parts := []string{n.child("surname").words(), initials, n.child("suffix").words()}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func shortened(given string) string {
	out := ""
	for _, word := range strings.FieldsFunc(given, func(r rune) bool { return r == ' ' || r == '-' || r == '.' || r == '‐' }) {
		if word == strings.ToUpper(word) && len([]rune(word)) <= 3 {
			out += word // initials already
			continue
		}
		out += string([]rune(word)[:1])
	}
	return out
}

func (p *parser) permissions(n *node) {
	l := &p.article.Licence
	if l.Copyright = p.line(n.child("copyright-statement")); l.Copyright == "" {
		if holder := p.line(n.child("copyright-holder")); holder != "" {
			l.Copyright = strings.TrimSpace("© " + n.child("copyright-year").words() + " " + holder)
		}
	}
	for _, k := range n.children("license") {
		var said []string
		for _, part := range k.kids {
			switch part.name {
			case "license_ref":
				l.URL = cmp.Or(l.URL, part.words())
			default:
				if text := p.line(&node{kids: []*node{part}}); text != "" {
					said = append(said, text)
				}
			}
		}
		l.Text = strings.TrimSpace(l.Text + "\n" + strings.Join(said, "\n"))
		l.URL = cmp.Or(l.URL, k.attr("href"))
		k.each(func(link *node) {
			if href := link.attr("href"); link.name == "ext-link" && strings.Contains(href, "creativecommons.org") {
				l.URL = cmp.Or(l.URL, href)
			}
		})
	}
}

// date is 2012-10-01, 2012-10 or 2012; "" without a year.
func date(n *node) string {
	var d record.Date
	d.Year, _ = strconv.Atoi(n.child("year").words())
	d.Month, _ = strconv.Atoi(n.child("month").words())
	d.Day, _ = strconv.Atoi(n.child("day").words())
	if d.Year < 1000 || d.Year > 9999 {
		return ""
	}
	return d.OnCalendar().String()
}
