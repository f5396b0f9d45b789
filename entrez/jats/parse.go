package jats

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/record"
)

type parser struct {
	article     *Article
	language    string         // the article's language
	refs        map[string]int // number of each reference by its id
	spare       int            // number of cells that spans and padding may still add
	inlineDepth int            // nesting depth of flow.renderInline
}

// Parse parses one full text, or the first of a reply. It returns a *FormatError if the document is
// not JATS, too large, too deep or truncated, a *NoArticleError if the reply is valid but has no
// article (because it is not in PMC or not free to share), and errors of r, wrapped.
func Parse(r io.Reader) (*Article, error) {
	root, err := readTree(r, documentBounds)
	if err != nil {
		return nil, err
	}
	n := root.find("article")
	if n == nil {
		return nil, missingArticle(root)
	}
	p := &parser{article: &Article{}, refs: map[string]int{}, spare: spareCells}
	p.read(n)
	return p.article, nil
}

// missingArticle returns the error for a reply without an article, with the message that the reply
// contains:
func missingArticle(root *node) error {
	if reply := root.find("Reply"); reply != nil && reply.attr("error") != "" {
		return &NoArticleError{Reason: reply.attr("error")}
	}
	for _, name := range []string{"ERROR", "error"} {
		if message := root.find(name).words(); message != "" {
			return &NoArticleError{Reason: message}
		}
	}
	for _, k := range root.kids {
		switch k.name {
		case "":
		case "pmc-articleset":
			return &NoArticleError{Reason: "the reply is empty"}
		default:
			return &FormatError{Reason: fmt.Sprintf("<%s> is not a JATS article", k.name)}
		}
	}
	return &FormatError{Reason: "not XML"}
}

func (p *parser) read(n *node) {
	a := p.article
	p.language = primaryLanguage(cmp.Or(n.attr("lang"), "en")) // JATS's default
	*a = Article{
		Type: n.attr("article-type"), Authors: []string{}, Keywords: []string{}, Related: []RelatedArticle{},
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
			a.Back = append(a.Back, p.subArticle(k)...)
		}
	}

	for i, ref := range refs {
		a.Refs = append(a.Refs, p.reference(ref, i+1))
	}
	p.setLists(n)
}

// subArticle reads a peer review, a reply or a translation that is published with the article, as a section of
// its own.
func (p *parser) subArticle(n *node) []Section {
	title := cmp.Or(p.line(n.find("article-title")), n.attr("article-type"))
	out := []Section{{Level: 1, ID: n.attr("id"), Title: title, Blocks: []Block{}}}
	for _, k := range n.kids {
		if k.name == "front" || k.name == "front-stub" {
			out = append(out, p.subAbstracts(k)...)
		}
		if k.name == "body" || k.name == "back" {
			out = append(out, p.sections(k, 2)...)
		}
		if refs := p.referenceBlocks(k); k.name == "back" && len(refs) > 0 {
			out = append(out, Section{Level: 2, Title: "References of " + title, Blocks: refs})
		}
		if k.name == "sub-article" || k.name == "response" {
			out = append(out, p.subArticle(k)...)
		}
	}
	return out
}

// subAbstracts returns the abstracts of a part, such as those of a translation, as sections.
func (p *parser) subAbstracts(front *node) (out []Section) {
	front.each(func(k *node) {
		if k.name != "abstract" && k.name != "trans-abstract" {
			return
		}
		title := cmp.Or(p.line(k.child("title")), "Abstract")
		out = append(out, Section{Level: 2, Title: title, Blocks: []Block{}})
		out = append(out, p.sections(withoutTitle(k), 3)...)
	})
	return out
}

// referenceBlocks returns the references of a part, which have numbers of their own.
func (p *parser) referenceBlocks(n *node) (all []Block) {
	for i, ref := range n.references() {
		all = append(all, Block{Kind: Paragraph, Text: p.reference(ref, i+1).Line()})
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
			kindRank := slices.Index(pubTypes, kind)
			if kindRank < 0 {
				kindRank = len(pubTypes)
			}
			if d := date(k); d != "" && kindRank < rank && kind != "pmc-release" {
				a.Published, rank = d, kindRank
			}
		case "permissions":
			p.permissions(k)
		case "copyright-statement": // NLM 2, outside permissions
			a.Licence.Copyright = p.line(k)
		case "related-article":
			a.Related = append(a.Related, RelatedArticle{
				Type: k.attr("related-article-type"), IDType: k.attr("ext-link-type"), ID: k.attr("href"),
			})
		case "product", "supplementary-material":
			p.frontSection(k)
		case "abstract", "trans-abstract":
			language := k.attr("lang")
			isOriginal := func(a Abstract) bool { return a.Language == "" }
			if k.name == "abstract" && (primaryLanguage(language) == p.language || !slices.ContainsFunc(a.Abstracts, isOriginal)) {
				language = "" // only a trans-abstract is a translation
			}
			a.Abstracts = append(a.Abstracts, Abstract{
				Type: k.attr("abstract-type"), Title: p.line(k.child("title")), Language: language,
				Sections: p.sections(withoutTitle(k), 1),
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
	for _, notes := range n.children("notes") {
		a.Back = append(a.Back, p.section(notes, 1)...)
	}
}

// frontTitles names the elements of the front matter that are read as sections.
var frontTitles = map[string]string{"product": "Reviewed work", "supplementary-material": "Supplementary material"}

// frontSection adds an element of the front matter as a section, or to the section of the one
// before.
func (p *parser) frontSection(n *node) {
	a, title := p.article, frontTitles[n.name]
	blocks := p.inner(&node{kids: []*node{n}})
	if n.name == "product" {
		blocks = []Block{{Kind: Paragraph, Text: p.work(n).line()}}
	}
	if last := len(a.Back) - 1; last >= 0 && a.Back[last].Title == title {
		a.Back[last].Blocks = append(a.Back[last].Blocks, blocks...)
		return
	}
	a.Back = append(a.Back, Section{Level: 1, Title: title, Blocks: blocks})
}

// primaryLanguage returns the language of a tag, such as en for en-GB.
func primaryLanguage(tag string) string {
	language, _, _ := strings.Cut(strings.ToLower(tag), "-")
	return language
}

// pubTypes lists JATS's kinds of publication date in order of preference. A collection is dated
// before or after the article itself.
var pubTypes = []string{
	"epub", "pubelectronic", "epub-ppub", "ppub", "pubprint", "pub", "collection", "collectionelectronic",
}

// withoutTitle returns a copy of an element without its title and label, which have been read.
func withoutTitle(n *node) *node {
	out := *n
	isTitle := func(k *node) bool { return k.name == "title" || k.name == "label" }
	out.kids = slices.DeleteFunc(slices.Clone(n.kids), isTitle)
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

// authors adds the contributors whose role is author or not given.
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

// shortName returns a name as "Rossi MA Jr": family name, initials and suffix.
func shortName(n *node) string {
	givenNames := n.child("given-names")
	initials := ""
	if givenNames != nil {
		if initials = givenNames.attr("initials"); initials == "" {
			initials = initialsOf(givenNames.words())
		}
	}
	parts := []string{n.child("surname").words(), initials, n.child("suffix").words()}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func initialsOf(givenNames string) string {
	out := ""
	isSeparator := func(r rune) bool { return strings.ContainsRune(" -.‐", r) }
	for _, word := range strings.FieldsFunc(givenNames, isSeparator) {
		if word == strings.ToUpper(word) && len([]rune(word)) <= 3 {
			out += word // already initials
			continue
		}
		out += firstLetter(word)
	}
	return out
}

// firstLetter returns the first letter of a word, with a sign that a transcription writes before it, as
// in ʿAlī.
func firstLetter(word string) string {
	for i, r := range word {
		if !unicode.Is(unicode.Lm, r) {
			return word[:i+utf8.RuneLen(r)]
		}
	}
	return word
}

func (p *parser) permissions(n *node) {
	l := &p.article.Licence
	if l.Copyright = p.line(n.child("copyright-statement")); l.Copyright == "" {
		if holder := p.line(n.child("copyright-holder")); holder != "" {
			l.Copyright = strings.TrimSpace("© " + n.child("copyright-year").words() + " " + holder)
		}
	}
	for _, k := range n.children("license") {
		var texts []string
		for _, part := range k.kids {
			switch part.name {
			case "license_ref":
				l.URL = cmp.Or(l.URL, part.words())
			default:
				if text := p.line(&node{kids: []*node{part}}); text != "" {
					texts = append(texts, text)
				}
			}
		}
		l.Text = strings.TrimSpace(l.Text + "\n" + strings.Join(texts, "\n"))
		l.URL = cmp.Or(l.URL, k.attr("href"))
		k.each(func(link *node) {
			if href := link.attr("href"); link.name == "ext-link" && strings.Contains(href, "creativecommons.org") {
				l.URL = cmp.Or(l.URL, href)
			}
		})
	}
}

// date returns a date as 2012-10-01, 2012-10 or 2012, or "" if there is no year.
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
