package refparse

import (
	"strings"
	"unicode"

	"biomcp/entrez/pattern"
)

var (
	bibtexStart   = pattern.Lazy(`(?m)^[ \t]*@[ \t]*[A-Za-z]+[ \t]*[{(][^\n]*`)
	bracedLetters = pattern.Lazy(`\{([A-Za-z0-9]+)\}`)
	bibtexEntry   = pattern.Lazy(`@[ \t]*([A-Za-z]+)[ \t]*([{(])`)
)

// bibtexField returns the common name of a field of BibTeX or biblatex, or "".
func bibtexField(name string) string {
	switch name {
	case "title", "volume", "doi", "pmid", "pmcid", "url", "note", "year", "journal":
		return name
	case "journaltitle", "fjournal", "booktitle":
		return "journal"
	case "date":
		return "year"
	case "number", "issue":
		return "issue"
	case "pages":
		return "page"
	case "eid", "article-number":
		return "article number"
	case "pmc":
		return "pmcid"
	case "howpublished", "ee":
		return "url"
	case "annote", "extra":
		return "note"
	}
	return ""
}

// readBibTeX parses entries (Patashnik, BibTeXing, 1988). Abbreviations of @string are filled in.
// Text outside entries is a comment. An entry that is never closed ends at the next one that begins
// a line.
func readBibTeX(text string) File {
	f := File{Format: BibTeX}
	macros := map[string]string{}
	damaged := false // an entry is never closed
	for {
		start := bibtexEntry().FindStringSubmatchIndex(text)
		if start == nil {
			break
		}
		f.skipLines(text[:start[0]])
		kind, open, head := strings.ToLower(text[start[2]:start[3]]), text[start[4]], text[start[0]:start[1]]
		body := text[start[1]:]
		p := entryParser{text: body, macros: macros, closer: '}'}
		if open == '(' {
			p.closer = ')'
		}
		if !damaged {
			p.parse(kind)
			damaged = !p.closed
		}
		if damaged {
			end := len(body)
			if next := bibtexStart().FindStringIndex(body); next != nil {
				end = next[0]
			}
			p = entryParser{text: body[:end], macros: macros, closer: p.closer}
			p.parse(kind)
		}
		text = body[p.at:]
		switch kind {
		case "comment", "preamble":
		case "string":
			for _, field := range p.fields {
				macros[field.name] = field.value
			}
		default:
			b := builder{used: true, first: head}
			for _, field := range p.fields {
				b.setBibTeX(field.name, field.value, p.eprintType())
			}
			f.add(&b)
		}
	}
	f.skipLines(text)
	return f
}

func (f *File) skipLines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		f.skip(line)
	}
}

func (b *builder) setBibTeX(name, value, eprintType string) {
	switch name {
	case "author":
		first := firstBibTeXName(value)
		if group, isGroup := inBraces(first); isGroup {
			b.set("group", fromTeX(group))
			return
		}
		b.set("author", familyFirst(fromTeX(first)))
	case "eprint":
		if strings.EqualFold(eprintType, "pubmed") || strings.EqualFold(eprintType, "pmid") {
			b.set("pmid", value)
		}
	case "doi": // braces around letters are part of a DOI
		b.set("doi", fromTeX(bracedLetters().ReplaceAllString(value, `\{$1\}`)))
	default:
		b.set(bibtexField(name), fromTeX(value))
	}
}

// firstBibTeXName returns the first of the names that "and" separates outside braces.
func firstBibTeXName(names string) string {
	depth := 0
	names = strings.Join(strings.Fields(names), " ")
	for i, r := range names {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case depth == 0 && strings.HasPrefix(strings.ToLower(names[i:]), " and "):
			return names[:i]
		}
	}
	return names
}

// inBraces returns the text of a name that is wholly enclosed in braces.
func inBraces(name string) (string, bool) {
	inner, opens := strings.CutPrefix(name, "{")
	inner, closes := strings.CutSuffix(inner, "}")
	if !opens || !closes || strings.ContainsAny(inner, "{}") {
		return "", false
	}
	return inner, true
}

// groupName matches a word of the name of a group, which BibTeX files often give without braces.
var groupName = pattern.Lazy(`(?i)\b(?:group|consortium|collaborat\w+|investigators|trialists|team|society|` +
	`committee|network|organi[sz]ation|association|institutes?|academy|initiative|agency|ministry|department|university|` +
	`foundation|council|federation|college)\b`)

// familyFirst returns a name such as "Martin L. van King" as "van King, Martin L.", and the name of a group
// as it is.
func familyFirst(name string) string {
	words := strings.Fields(name)
	last := len(words) - 1
	isWhole := strings.Contains(name, ",") || groupName().MatchString(name)
	if isWhole || last < 1 || initialsForm().MatchString(words[last]) {
		return name
	}
	for last > 1 && unicode.IsLower([]rune(words[last-1])[0]) {
		last--
	}
	return strings.Join(words[last:], " ") + ", " + strings.Join(words[:last], " ")
}

// An entryParser parses the fields of one entry.
type entryParser struct {
	text   string
	at     int
	closer byte
	closed bool
	macros map[string]string
	fields []bibtexValue
}

type bibtexValue struct{ name, value string }

func (p *entryParser) eprintType() string {
	for _, f := range p.fields {
		if f.name == "eprinttype" || f.name == "archiveprefix" {
			return f.value
		}
	}
	return ""
}

// parse reads the fields up to the end of the entry.
func (p *entryParser) parse(kind string) {
	if kind == "comment" || kind == "preamble" {
		_, p.closed = p.group(p.closer)
		return
	}
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == p.closer:
			p.at, p.closed = p.at+1, true
			return
		case c == ',' || c == ' ' || c == '\t' || c == '\n':
			p.at++
		default:
			name := p.upTo("=," + string(p.closer))
			if p.at < len(p.text) && p.text[p.at] == '=' {
				p.at++
				p.fields = append(p.fields, bibtexValue{strings.ToLower(strings.TrimSpace(name)), p.value()})
			}
		}
	}
}

// upTo returns the text before the next character of stops.
func (p *entryParser) upTo(stops string) string {
	rest := p.text[p.at:]
	n := strings.IndexAny(rest, stops)
	if n < 0 {
		n = len(rest)
	}
	p.at += n
	return rest[:n]
}

// value reads a value: {text}, "text", a number or an abbreviation, or several of them joined by #.
func (p *entryParser) value() string {
	out := ""
	for {
		for p.at < len(p.text) && strings.ContainsRune(" \t\n#", rune(p.text[p.at])) {
			p.at++
		}
		if p.at >= len(p.text) {
			return out
		}
		switch c := p.text[p.at]; c {
		case '{':
			p.at++
			text, _ := p.group('}')
			out += text
		case '"':
			p.at++
			text, _ := p.group('"')
			out += text
		default:
			word := strings.TrimSpace(p.upTo(",#\n" + string(p.closer)))
			if text, ok := p.macros[strings.ToLower(word)]; ok {
				word = text
			}
			out += word
		}
		for p.at < len(p.text) && strings.ContainsRune(" \t\n", rune(p.text[p.at])) {
			p.at++
		}
		if p.at >= len(p.text) || p.text[p.at] != '#' {
			return out
		}
	}
}

// group returns the text before the closing character that is outside inner braces, and moves
// behind it. closed is false if there is none.
func (p *entryParser) group(closer byte) (text string, closed bool) {
	depth, start := 0, p.at
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '\\':
			p.at++
		case c == closer && depth == 0:
			p.at++
			return p.text[start : p.at-1], true
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	p.at = len(p.text)
	return p.text[min(start, len(p.text)):], false
}
