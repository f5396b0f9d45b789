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
	raised  = pattern.Lazy(`(?s)<sup(?:\s[^>]*)?>(.*?)</sup\s*>`)
	spaces  = pattern.Lazy(`[ \t\r\x{a0}]+`)
	blank   = pattern.Lazy(` ?\n[\s]*`)
)

// Plain returns the text of markup in HTML or of a narrative block of HL7. Each paragraph, list
// item and table row becomes a line. Superscripts stay raised, so that 10<sup>9</sup> does not become 109.
func Plain(markup string) string {
	markup = raised().ReplaceAllStringFunc(markup, func(sup string) string {
		text := strings.TrimSpace(html.UnescapeString(tag().ReplaceAllString(sup, "")))
		if text == "" {
			return ""
		}
		return html.EscapeString(SuperscriptText(text))
	})
	text := strings.ReplaceAll(comment().ReplaceAllString(markup, ""), "\n", " ")
	text = cell().ReplaceAllString(ends().ReplaceAllString(text, "\n"), " | ")
	return Lines(spaces().ReplaceAllString(html.UnescapeString(tag().ReplaceAllString(text, "")), " "))
}

// Lines removes empty lines from a text.
func Lines(text string) string { return strings.TrimSpace(blank().ReplaceAllString(text, "\n")) }
