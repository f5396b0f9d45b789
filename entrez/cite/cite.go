package cite

import (
	"fmt"
	"slices"
	"strings"

	"biomcp/entrez/pubmed"
)

// entry is one way to write a work, and what separates several.
type entry struct {
	name                   string
	write                  func(*work) string
	before, between, after string
}

// In the order in which they are listed to a user.
var styles = []entry{
	{name: "ris", write: ris},
	{name: "bibtex", write: bibtex, between: "\n"},
	{name: "apa", write: apa, between: "\n"},
	{name: "mla", write: mla, between: "\n"},
	{name: "vancouver", write: vancouver, between: "\n"},
	{name: "nbib", write: nbib, between: "\n", after: "\n"},
	{name: "csl-json", write: cslJSON, before: "[\n  ", between: ",\n  ", after: "\n]\n"},
}

// Styles are the names that Format takes.
var Styles = names()

func names() []string {
	out := make([]string, len(styles))
	for i, s := range styles {
		out[i] = s.name
	}
	return out
}

// StyleError is a style that does not exist.
type StyleError struct{ Style string }

func (e *StyleError) Error() string {
	return fmt.Sprintf("no citation style %q; styles: %s", e.Style, strings.Join(Styles, ", "))
}

// Format writes one article in a style. ris and bibtex give records that end
// with a line feed, nbib with an empty line, so that files joined are one file
// again; apa, mla and vancouver one line without it, csl-json a
// list of one item, as its schema wants. The error is a *StyleError.
func Format(style string, a *pubmed.Article) (string, error) {
	return FormatAll(style, []*pubmed.Article{a})
}

// FormatAll writes several articles as one file, in their order: records one
// after the other, prose one citation a line, csl-json one list.
func FormatAll(style string, articles []*pubmed.Article) (string, error) {
	i := slices.IndexFunc(styles, func(s entry) bool { return s.name == style })
	if i < 0 {
		return "", &StyleError{Style: style}
	}
	s := styles[i]
	var out strings.Builder
	out.WriteString(s.before)
	for i, a := range articles {
		if i > 0 {
			out.WriteString(s.between)
		}
		out.WriteString(s.write(newWork(a)))
	}
	out.WriteString(s.after)
	return out.String(), nil
}
