package cite

import (
	"fmt"
	"slices"
	"strings"

	"biomcp/entrez/pubmed"
)

// style is a way to format a work. A file of several works begins with prefix, has separator between
// them, and ends with suffix.
type style struct {
	name                      string
	write                     func(*work) string
	prefix, separator, suffix string
}

// styles lists the styles in the order in which messages list them.
var styles = []style{
	{name: "ris", write: ris},
	{name: "bibtex", write: bibtex, separator: "\n"},
	{name: "apa", write: apa, separator: "\n"},
	{name: "mla", write: mla, separator: "\n"},
	{name: "vancouver", write: vancouver, separator: "\n"},
	{name: "nbib", write: nbib, separator: "\n", suffix: "\n"},
	{name: "csl-json", write: cslJSON, prefix: "[\n  ", separator: ",\n  ", suffix: "\n]\n"},
}

// Emphasis encloses the text that [FormatMarked] sets in italics. It is a Unicode noncharacter
// (https://www.unicode.org/faq/private_use.html#noncharacters), which does not occur in records.
const Emphasis = "\ufdd0"

func italic(s string) string { return wrap(Emphasis, s, Emphasis) }

// Styles lists the styles that [Format] accepts.
var Styles = names()

func names() []string {
	out := make([]string, len(styles))
	for i, s := range styles {
		out[i] = s.name
	}
	return out
}

// A StyleError reports an unknown style.
type StyleError struct{ Style string }

func (e *StyleError) Error() string {
	return fmt.Sprintf("no citation style %q; styles: %s", e.Style, strings.Join(Styles, ", "))
}

// FormatMarked is like [Format], but encloses in [Emphasis] the parts that apa and mla set in italics.
func FormatMarked(style string, a *pubmed.Article) (string, error) {
	s, err := find(style)
	if err != nil {
		return "", err
	}
	return s.prefix + s.write(newWork(a)) + s.suffix, nil
}

// Format formats one article in a style, as plain text. It returns a *StyleError if the style is
// unknown. Records of ris and bibtex end with a line feed, and those of nbib with an empty line, so
// that joined files are one valid file. A citation of apa, mla or vancouver is one line without a
// line feed. csl-json is a list of one item, as its schema requires.
func Format(style string, a *pubmed.Article) (string, error) {
	return FormatAll(style, []*pubmed.Article{a})
}

// FormatAll formats several articles as one file, in their order.
func FormatAll(style string, articles []*pubmed.Article) (string, error) {
	entries, err := Entries(style, articles)
	if err != nil {
		return "", err
	}
	return JoinEntries(style, entries)
}

// Entries formats each article by itself. [JoinEntries] joins the results.
func Entries(style string, articles []*pubmed.Article) ([]string, error) {
	s, err := find(style)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(articles))
	for i, a := range articles {
		out[i] = strings.ReplaceAll(s.write(newWork(a)), Emphasis, "")
	}
	return out, nil
}

// JoinEntries joins the results of one or more calls of [Entries] into one file.
func JoinEntries(style string, entries []string) (string, error) {
	s, err := find(style)
	if err != nil {
		return "", err
	}
	return s.prefix + strings.Join(entries, s.separator) + s.suffix, nil
}

func find(name string) (style, error) {
	i := slices.IndexFunc(styles, func(s style) bool { return s.name == name })
	if i < 0 {
		return style{}, &StyleError{Style: name}
	}
	return styles[i], nil
}
