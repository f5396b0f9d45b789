package jats

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/pattern"
)

// A Reference is one entry of the reference list. Number counts the entries from 1, and Label is
// the printed one. An entry that cites several works has the identifiers of the first that has any,
// and lists all of them.
type Reference struct {
	Number int    `json:"number"`
	ID     string `json:"id"`
	Label  string `json:"label"`
	List   string `json:"list,omitempty"` // title of the reference list, if the article has several
	Text   string `json:"text"`
	PMID   string `json:"pmid"`
	PMCID  string `json:"pmcid"`
	DOI    string `json:"doi"`
	Works  []Work `json:"works,omitempty"`
}

// A Work is one of several works that a reference cites.
type Work struct {
	Text  string `json:"text"`
	PMID  string `json:"pmid"`
	PMCID string `json:"pmcid"`
	DOI   string `json:"doi"`
}

// Line returns the number, the text and the identifiers that the text lacks, on one line:
// "[3] Lee C. More. 2010. PMID: 123. doi: 10.1/x".
func (r Reference) Line() string {
	works := r.Works
	if len(works) == 0 {
		works = []Work{{Text: r.Text, PMID: r.PMID, PMCID: r.PMCID, DOI: r.DOI}}
	}
	lines := make([]string, len(works))
	for i, w := range works {
		lines[i] = w.line()
	}
	return strings.TrimSpace(fmt.Sprintf("[%d] %s", r.Number, strings.Join(lines, "; ")))
}

func (w Work) line() string {
	out := w.Text
	for _, id := range []struct{ name, value string }{{"PMID", w.PMID}, {"PMCID", w.PMCID}, {"doi", w.DOI}} {
		if id.value == "" || containsWord(w.Text, id.value) {
			continue
		}
		if out != "" && !strings.ContainsAny(out[len(out)-1:], ".?!") {
			out += "."
		}
		out = strings.TrimSpace(out + " " + id.name + ": " + id.value)
	}
	return out
}

// containsWord reports whether text contains word without a letter or digit around it. It ignores
// case.
func containsWord(text, word string) bool {
	text, word = strings.ToLower(text), strings.ToLower(word)
	joined := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for {
		before, after, found := strings.Cut(text, word)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if !joined(last) && !joined(first) {
			return true
		}
		text = after
	}
}

func (p *parser) reference(n *node, number int) Reference {
	out := Reference{Number: number, ID: n.attr("id"), Label: p.line(n.child("label"))}
	var texts []string
	for _, k := range n.kids {
		switch k.name {
		case "label", "object-id":
			continue
		case "":
			if strings.TrimSpace(k.text) == "" {
				continue
			}
			k = &node{kids: []*node{k}}
		case "citation-alternatives":
			if k = k.child("mixed-citation", "element-citation", "nlm-citation"); k == nil {
				continue
			}
		}
		work := p.work(k)
		if work == (Work{}) {
			continue
		}
		if work.Text != "" {
			texts = append(texts, work.Text)
		}
		out.Works = append(out.Works, work)
		out.PMID, out.PMCID = cmp.Or(out.PMID, work.PMID), cmp.Or(out.PMCID, work.PMCID)
		out.DOI = cmp.Or(out.DOI, work.DOI)
	}
	out.Text = strings.Join(texts, "; ")
	if len(out.Works) < 2 {
		out.Works = nil
	}
	return out
}

var (
	pubmedLink = pattern.Lazy(`(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov/pubmed)/(\d{1,8})\b`)
	pmcLink    = pattern.Lazy(`/(?:pmc/articles|articles)/(PMC\d+)\b`)
	doiLink    = pattern.Lazy(`(?i)^(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d.*)$`)
)

// work reads one citation with its identifiers. An element that states an identifier has precedence
// over a link.
func (p *parser) work(n *node) Work {
	out := Work{Text: p.citation(n)}
	var linked Work
	n.each(func(k *node) {
		switch k.name {
		case "pub-id":
			switch id := k.words(); k.attr("pub-id-type") {
			case "pmid":
				out.PMID = cmp.Or(out.PMID, id)
			case "pmcid", "pmc":
				out.PMCID = cmp.Or(out.PMCID, pmcid(id))
			case "doi":
				out.DOI = cmp.Or(out.DOI, submatch(doiLink(), id), id)
			}
		case "ext-link", "uri":
			address := cmp.Or(k.attr("href"), k.words())
			switch k.attr("ext-link-type") {
			case "pmid":
				linked.PMID = cmp.Or(linked.PMID, address)
			case "pmcid":
				linked.PMCID = cmp.Or(linked.PMCID, pmcid(address))
			}
			linked.PMID = cmp.Or(linked.PMID, submatch(pubmedLink(), address))
			linked.PMCID = cmp.Or(linked.PMCID, submatch(pmcLink(), address))
			linked.DOI = cmp.Or(linked.DOI, submatch(doiLink(), address))
		}
	})
	out.PMID, out.PMCID = cmp.Or(out.PMID, linked.PMID), cmp.Or(out.PMCID, linked.PMCID)
	out.DOI = cmp.Or(out.DOI, linked.DOI)
	return out
}

// submatch returns the first group of the first match of re in s, or "".
func submatch(re *regexp.Regexp, s string) string {
	if m := re.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return ""
}

// setLists names the reference list of each reference if the article has several, such as one for
// the studies of a review.
func (p *parser) setLists(n *node) {
	var titles []string
	lists := 0
	var walk func(n *node, title string)
	walk = func(n *node, title string) {
		for _, k := range n.kids {
			switch k.name {
			case "ref":
				titles = append(titles, title)
			case "ref-list":
				lists++
				walk(k, cmp.Or(p.line(k.child("title")), title))
			case "sub-article", "response":
			default:
				walk(k, title)
			}
		}
	}
	walk(n, "")
	for i := range p.article.Refs {
		if lists > 1 {
			p.article.Refs[i].List = titles[i]
		}
	}
}

// referenceNotes adds the text in a reference list that is not a reference.
func (f *flow) referenceNotes(list *node) {
	for _, k := range list.kids {
		switch k.name {
		case "ref", "title", "label":
		default:
			f.add(k)
		}
	}
}
