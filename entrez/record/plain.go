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

// Plain returns the text of markup in HTML or of a narrative block of HL7. Each paragraph, list
// item and table row becomes a line.
func Plain(markup string) string {
	text := strings.ReplaceAll(comment().ReplaceAllString(markup, ""), "\n", " ")
	text = cell().ReplaceAllString(ends().ReplaceAllString(text, "\n"), " | ")
	return Lines(spaces().ReplaceAllString(html.UnescapeString(tag().ReplaceAllString(text, "")), " "))
}

// Lines removes empty lines from a text.
func Lines(text string) string { return strings.TrimSpace(blank().ReplaceAllString(text, "\n")) }
