// Package session draws the output of a terminal session as an SVG picture.
package session

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/mattn/go-runewidth"
)

// Sizes of the picture in pixels. A column is 0.6 of the font size wide, as in the common
// monospaced fonts; textLength makes every font keep to it.
const (
	fontSize   = 14
	column     = 8.4
	lineHeight = 19
	margin     = 18
)

// The colours of the picture. Their contrast with the background is at least 4.5 (WCAG 2.2, 1.4.3).
const (
	background = "#16191d"
	foreground = "#e6e8eb"
)

// sgr matches a code of Select Graphic Rendition (ECMA-48, section 8.3.117).
var sgr = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// attributes are the SVG attributes of the codes that package result writes.
var attributes = map[string]string{
	"1": ` font-weight="bold"`, "2": ` fill="#a2a9b3"`, "31": ` fill="#ff8b82"`,
	"33": ` fill="#e3b341"`, "36": ` fill="#6cc7d9"`,
}

// SVG returns a picture of the lines of text on a terminal with the given number of columns. text
// may contain the codes of colours that the program prints.
func SVG(text string, columns int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	width, height := float64(columns)*column+2*margin, len(lines)*lineHeight+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" `+
		`font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="%d" fill="%s">`+"\n",
		width, height, width, height, fontSize, foreground)
	fmt.Fprintf(&b, "<title>A terminal session</title>\n")
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	style := ""
	for i, line := range lines {
		y, x := margin+i*lineHeight+fontSize, 0
		for line != "" {
			code := sgr.FindStringSubmatchIndex(line)
			part := line
			if code != nil {
				part = line[:code[0]]
			}
			writePart(&b, part, x, y, style)
			x += runewidth.StringWidth(part)
			if code == nil {
				break
			}
			style = styleOf(line[code[2]:code[3]], style)
			line = line[code[1]:]
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// writePart writes text that begins at column x and has its baseline at y.
func writePart(b *strings.Builder, text string, x, y int, style string) {
	indent := len(text) - len(strings.TrimLeft(text, " "))
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs"%s>%s</text>`+"\n",
		margin+float64(x+indent)*column, y, float64(runewidth.StringWidth(text))*column, style, html.EscapeString(text))
}

// styleOf returns the attributes after a code. An empty code or 0 ends them.
func styleOf(code, style string) string {
	for c := range strings.SplitSeq(code, ";") {
		if c == "" || c == "0" {
			style = ""
			continue
		}
		style += attributes[c]
	}
	return style
}
