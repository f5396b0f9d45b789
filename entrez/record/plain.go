package record

import (
	"html"
	"strings"

	"biomcp/entrez/pattern"
)

var (
	comment = pattern.Lazy(`(?s)<!--.*?-->|<renderMultiMedia.*?>`)
	ends    = pattern.Lazy(`</(?:p|li|paragraph|item|tr|caption|title)\s*>|<br\s*/?>`)
	cell    = pattern.Lazy(`</t[dh]\s*>`)
	tag     = pattern.Lazy(`<[^>]*>`)
	spaces  = pattern.Lazy(`[ \t\r\x{a0}]+`)
	blank   = pattern.Lazy(` ?\n[\s]*`)
)

// Plain is the text of markup, of HTML or of a narrative block of HL7: a paragraph, an item
// and a row of a table each in a line.
func Plain(markup string) string {
	text := strings.ReplaceAll(comment().ReplaceAllString(markup, ""), "\n", " ")
	text = cell().ReplaceAllString(ends().ReplaceAllString(text, "\n"), " | ")
	return Lines(spaces().ReplaceAllString(html.UnescapeString(tag().ReplaceAllString(text, "")), " "))
}

// Lines is a text without empty lines.
func Lines(text string) string { return strings.TrimSpace(blank().ReplaceAllString(text, "\n")) }
