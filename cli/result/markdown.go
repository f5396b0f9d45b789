package result

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/record"
)

// markdown lays out blocks as GitHub-flavoured markdown. It does not pad tables, since
// padding costs an agent tokens and a renderer needs none.
type markdown struct{}

func (m markdown) block(b Block) string {
	switch b := b.(type) {
	case Heading:
		return strings.Repeat("#", min(max(b.Level, 1), 6)) + " " + escapeInline(b.Text) + "\n\n"
	case Para:
		return paragraphs(b.Text) + "\n"
	case Alert:
		return "**" + alertWord(b.Text) + "** " + escapeInline(b.Text) + "\n\n"
	case Fields:
		var s strings.Builder
		for _, f := range b {
			if f.Value != "" {
				fmt.Fprintf(&s, "- **%s:** %s\n", escapeInline(f.Name), fieldValue(f.Value))
			}
		}
		if s.Len() == 0 {
			return ""
		}
		return s.String() + "\n"
	case Prose:
		return strings.ReplaceAll(paragraphs(b.Text), b.Mark, "*") + "\n"
	case List:
		var s strings.Builder
		for i, item := range b.Items {
			if b.Ordered {
				fmt.Fprintf(&s, "%d. %s\n", i+1, escapeInline(item))
			} else {
				fmt.Fprintf(&s, "- %s\n", escapeInline(item))
			}
		}
		return s.String() + "\n"
	case Quote:
		return m.quote(m.block(Para(b)), false)
	case Verbatim:
		return strings.TrimRight(clean(b.Text), "\n") + "\n\n"
	case Fence:
		open, end := m.fenceEnds(b)
		return open + strings.TrimRight(clean(b.Text), "\n") + "\n" + end
	}
	return ""
}

// quoteMark begins every line of a quote.
const quoteMark = "> "

// blankQuote is a blank line within a quote.
const blankQuote = ">\n"

// quote begins every line of a block with quoteMark. The blank line after the block ends the quote,
// unless the next block continues it.
func (m markdown) quote(block string, joined bool) string {
	text := strings.TrimRight(block, "\n")
	if text == "" {
		return block
	}
	var s strings.Builder
	for l := range strings.SplitSeq(lineBreaks.Replace(text), "\n") {
		if l == "" {
			s.WriteString(blankQuote)
		} else {
			s.WriteString(quoteMark + l + "\n")
		}
	}
	if joined {
		return s.String() + blankQuote
	}
	return s.String() + "\n"
}

// lineBreaks replaces the separators of lines and paragraphs of Unicode with newlines.
var lineBreaks = strings.NewReplacer("\u2028", "\n", "\u2029", "\n")

func (m markdown) tableHead(t Table) string {
	var s strings.Builder
	for _, c := range t.Columns {
		s.WriteString("| " + escapeCell(c.Name) + " ")
	}
	s.WriteString("|\n")
	for _, c := range t.Columns {
		if c.Right {
			s.WriteString("| ---: ")
		} else {
			s.WriteString("| --- ")
		}
	}
	return s.String() + "|\n"
}

func (m markdown) shownColumns(t Table) []Column { return t.Columns }

func (m markdown) tableRow(t Table, i int) string {
	var s strings.Builder
	for j, c := range t.Columns {
		cell := escapeCell(cellOrDash(t.Rows[i], j))
		if c.Code && !isMissing(t.Rows[i], j) {
			cell = "`" + strings.ReplaceAll(line(t.Rows[i][j]), "|", `\|`) + "`"
		}
		s.WriteString("| " + cell + " ")
	}
	return s.String() + "|\n"
}

// cellOrDash returns cell j of a row, or "-" if it is missing.
func cellOrDash(row []string, j int) string { return cmp.Or(cellOrEmpty(row, j), "-") }

// cellOrEmpty returns cell j of a row, or "" if it is missing.
func cellOrEmpty(row []string, j int) string {
	if isMissing(row, j) {
		return ""
	}
	return row[j]
}

// isMissing reports whether cell j of a row is absent or blank.
func isMissing(row []string, j int) bool { return j >= len(row) || strings.TrimSpace(row[j]) == "" }

// escapeCell escapes text for a cell of a markdown table.
func escapeCell(s string) string { return strings.ReplaceAll(escapeInline(s), "|", `\|`) }

func (m markdown) fenceEnds(c Fence) (open, end string) {
	bar := "```"
	for text := clean(c.Text); strings.Contains(text, bar); {
		bar += "`"
	}
	return bar + line(c.Lang) + "\n", bar + "\n\n"
}

// paragraphs makes a markdown paragraph of each line of s. Each ends with a newline.
func paragraphs(s string) string {
	var out strings.Builder
	for _, p := range strings.Split(clean(s), "\n") {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		out.WriteString(escapeLineStart(escapeInline(p)) + "\n")
	}
	return out.String()
}

// escapeInline returns s as one line of markdown that shows it literally. It escapes only what would
// begin a tag, a link, an image, code or emphasis, so that the text stays readable and
// searchable.
func escapeInline(s string) string {
	s = strings.TrimSpace(line(s))
	if !strings.ContainsAny(s, "<`*]\\&") {
		return s
	}
	stars := hasEmphasis(s)
	ticks := strings.Count(s, "`") > 1
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c, next := s[i], byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		switch {
		case c == '<' && (isLetter(next) || next == '/' || next == '!' || next == '?'),
			c == '*' && stars,
			c == '`' && ticks,
			c == '[' && i == 0 && strings.Contains(s, "]:"), // a link reference definition
			c == ']' && (next == '(' || next == '['),
			c == '\\' && isPunct(next),
			c == '&' && isReference(s[i:]):
			out.WriteByte('\\')
		}
		out.WriteByte(c)
	}
	return out.String()
}

// hasEmphasis reports whether stars would make a part of s emphasized: one that can open emphasis comes
// before one that can close it, as CommonMark 0.31, section 6.2, defines both. The alleles *2/*17 cannot.
func hasEmphasis(s string) bool {
	isOpen := false
	before := ' ' // the character before a run of stars
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		if s = s[size:]; r != '*' {
			before = r
			continue
		}
		s = strings.TrimLeft(s, "*")
		after, size := utf8.DecodeRuneInString(s)
		if size == 0 {
			after = ' '
		}
		if isOpen && flanks(after, before) {
			return true
		}
		isOpen = isOpen || flanks(before, after)
	}
	return false
}

// flanks reports whether stars between the characters outer and inner belong to the text of inner.
func flanks(outer, inner rune) bool {
	isPunct := func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
	return !unicode.IsSpace(inner) && (!isPunct(inner) || unicode.IsSpace(outer) || isPunct(outer))
}

// fieldValue formats the value of a field. It formats a query such as AREA[Keyword](x) as code, so that
// it can be copied, and any other text with escapeInline.
func fieldValue(s string) string {
	if strings.Contains(s, "](") && !strings.Contains(s, "`") {
		return "`" + strings.TrimSpace(line(s)) + "`"
	}
	return escapeInline(s)
}

// escapeLineStart escapes a character that would begin a block at the start of a line.
func escapeLineStart(s string) string {
	if s == "" {
		return s
	}
	switch s[0] {
	case '#', '>', '=', '|', '~':
		return `\` + s
	case '-', '+', '*':
		if strings.Trim(s, s[:1]+" ") == "" || s[1] == ' ' { // a rule or a list item
			return `\` + s
		}
	}
	digits := strings.TrimLeft(s, "0123456789")
	isMarker := strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")
	if n := len(s) - len(digits); n > 0 && n < 10 && isMarker {
		return s[:n] + `\` + digits
	}
	return s
}

// isReference reports whether s, which begins with &, begins with a character reference, such
// as &lt; or &#60;.
func isReference(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	name, _, closed := strings.Cut(s[1:min(len(s), 34)], ";")
	return closed && name != "" && strings.Trim(name, "#0123456789"+letters) == ""
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isPunct(c byte) bool { return c > ' ' && c < 0x7f && !isLetter(c) && (c < '0' || c > '9') }

// alertWord returns the first word of an alert: "Warning:" for a retraction, otherwise "Note:".
func alertWord(text string) string {
	if record.HasRetractionLabel(text) {
		return "Warning:"
	}
	return "Note:"
}
