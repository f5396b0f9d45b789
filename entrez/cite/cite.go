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

// Emphasis stands before and behind what [Marked] has in italics. It is no character
// (https://www.unicode.org/faq/private_use.html#noncharacters), so that no record has a use for it.
const Emphasis = "\ufdd0"

func italic(s string) string { return around(Emphasis, s, Emphasis) }

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

// Marked is Format, with Emphasis where apa and mla want italics.
func Marked(style string, a *pubmed.Article) (string, error) {
	s, err := find(style)
	if err != nil {
		return "", err
	}
	return s.before + s.write(newWork(a)) + s.after, nil
}

// Format writes one article in a style, as plain text. ris and bibtex give records that end
// with a line feed, nbib with an empty line, so that files joined are one file
// again; apa, mla and vancouver one line without it, csl-json a
// list of one item, as its schema wants. The error is a *StyleError.
func Format(style string, a *pubmed.Article) (string, error) {
	return FormatAll(style, []*pubmed.Article{a})
}

// FormatAll writes several articles as one file, in their order: records one
// after the other, prose one citation a line, csl-json one list.
func FormatAll(style string, articles []*pubmed.Article) (string, error) {
	entries, err := Entries(style, articles)
	if err != nil {
		return "", err
	}
	return File(style, entries)
}

// Entries writes articles one by one, for a File.
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

// File is what Entries wrote, at one time or several, as one file.
func File(style string, entries []string) (string, error) {
	s, err := find(style)
	if err != nil {
		return "", err
	}
	return s.before + strings.Join(entries, s.between) + s.after, nil
}

func find(style string) (entry, error) {
	i := slices.IndexFunc(styles, func(s entry) bool { return s.name == style })
	if i < 0 {
		return entry{}, &StyleError{Style: style}
	}
	return styles[i], nil
}
