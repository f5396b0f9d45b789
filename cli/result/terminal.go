package result

import (
	"fmt"
	"strings"

	"github.com/mattn/go-runewidth"
)

// terminal lays out blocks for a terminal. It wraps text and draws tables to fit the
// width. It measures text in display columns, so that CJK and combining characters
// stay aligned.
type terminal struct {
	width int
	long  bool // show complete rows of hits
	paint paint
}

func newTerminal(f Format) terminal {
	w := f.Width
	if w <= 0 {
		w = 80
	}
	return terminal{width: max(w, 20), long: f.Long, paint: paint{enabled: f.Color}}
}

// block returns a block as text of the terminal.
func (t terminal) block(b Block) string {
	switch b := b.(type) {
	case Heading:
		text := strings.Join(wrap(line(b.Text), t.width), "\n")
		if b.Level <= 1 {
			return t.paint.title(text) + "\n\n"
		}
		return t.paint.bold(text) + "\n"
	case Para:
		return t.paragraphs(b.Text)
	case Alert:
		mark := t.paint.yellow("! ")
		if alertWord(b.Text) == "Warning:" {
			mark = t.paint.red("! ")
		}
		return mark + t.hangingIndent(line(b.Text), 2) + "\n"
	case Fields:
		if text := t.formatFields(b, 0); text != "" {
			return text + "\n"
		}
	case Prose:
		return t.block(Para{Text: strings.ReplaceAll(b.Text, b.Mark, "")})
	case List:
		return t.items(b)
	case Verbatim:
		return strings.TrimRight(removeControls(b.Text), "\n") + "\n\n"
	case Quote:
		var s strings.Builder
		for _, l := range wrap(line(b.Text), t.width-4) {
			s.WriteString(t.paint.dim("  │ ") + l + "\n")
		}
		return s.String() + "\n"
	case Figure:
		if drawing := t.drawing(b.Draw); drawing != "" {
			return drawing
		}
		return t.paint.dim(t.hangingIndent(line(b.Title+": "+b.Alt), 0)) + "\n"
	case Fence:
		if drawing := t.drawing(b.Draw); drawing != "" {
			return drawing
		}
		var s strings.Builder
		for _, l := range strings.Split(strings.TrimRight(clean(b.Text), "\n"), "\n") {
			s.WriteString("  " + t.paint.cyan(l) + "\n")
		}
		return s.String() + "\n"
	}
	return ""
}

// paragraphs wraps each line of a text as a paragraph.
func (t terminal) paragraphs(text string) string {
	var s strings.Builder
	for _, p := range strings.Split(clean(text), "\n") {
		if p = strings.TrimSpace(p); p != "" {
			s.WriteString(strings.Join(wrap(p, t.width), "\n") + "\n\n")
		}
	}
	return s.String()
}

// items returns a list with a bullet or a number before each item.
func (t terminal) items(l List) string {
	var s strings.Builder
	for i, item := range l.Items {
		mark := "• "
		if l.Ordered {
			mark = fmt.Sprintf("%*d. ", len(fmt.Sprint(len(l.Items))), i+1)
		}
		s.WriteString(mark + t.hangingIndent(line(item), runewidth.StringWidth(mark)))
	}
	return s.String() + "\n"
}

// drawing calls draw for the width of the terminal. It returns "" if draw is nil or fails.
func (t terminal) drawing(draw func(width int, color bool) (string, error)) string {
	if draw == nil {
		return ""
	}
	drawing, err := draw(t.width, t.paint.enabled)
	if err != nil {
		return ""
	}
	return drawing + "\n"
}

// quote returns the block: on a terminal nobody takes an abstract for a command.
func (t terminal) quote(block string, _ bool) string { return block }

func (t terminal) fenceEnds(Fence) (open, end string) { return "", "\n" }

// hangingIndent wraps text and indents all lines but the first.
func (t terminal) hangingIndent(text string, indent int) string {
	return strings.Join(wrap(text, t.width-indent), "\n"+strings.Repeat(" ", indent)) + "\n"
}

// formatFields formats fields with aligned values. A name wider than half the width stands on
// its own line.
func (t terminal) formatFields(fields Fields, indent int) string {
	wide := 0
	for _, f := range fields {
		if w := runewidth.StringWidth(line(f.Name)); f.Value != "" && w <= (t.width-indent)/2 {
			wide = max(wide, w)
		}
	}
	var s strings.Builder
	for _, f := range fields {
		if f.Value == "" {
			continue
		}
		s.WriteString(strings.Repeat(" ", indent))
		name := line(f.Name)
		if runewidth.StringWidth(name) > wide {
			s.WriteString(t.paint.dim(t.hangingIndent(name, indent)) + strings.Repeat(" ", indent))
			name = ""
		}
		s.WriteString(t.paint.dim(runewidth.FillRight(name, wide)) + "  " + t.hangingIndent(line(f.Value), indent+wide+2))
	}
	return s.String()
}

// wrap breaks text at spaces into lines of at most width display columns. It breaks longer
// words as well, after a vertical bar or a slash if possible, but not within a number or an interval unless that
// exceeds a line.
func wrap(text string, width int) []string {
	var lines []string
	var cur strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, cur.String())
		cur.Reset()
		used = 0
	}
	for _, word := range unbroken(text, width) {
		w := runewidth.StringWidth(word)
		if used > 0 && used+1+w > width {
			flush()
		}
		for w > width {
			part := runewidth.Truncate(word, width, "")
			if part == "" {
				break
			}
			if n := cutBeforeNumber(word, len(part)); n > 0 {
				part = part[:n]
			}
			if n := strings.LastIndexAny(part, "|/") + 1; n > len(part)/3 { // between two of several names
				part = part[:n]
			}
			cur.WriteString(part)
			flush()
			word = word[len(part):]
			w = runewidth.StringWidth(word)
		}
		if used > 0 {
			cur.WriteByte(' ')
			used++
		}
		cur.WriteString(word)
		used += w
	}
	if cur.Len() > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

// paint colours text if on is true.
type paint struct{ enabled bool }

func (p paint) wrap(code, s string) string {
	if !p.enabled || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p paint) title(s string) string  { return p.wrap("1;36", s) }
func (p paint) bold(s string) string   { return p.wrap("1", s) }
func (p paint) dim(s string) string    { return p.wrap("2", s) }
func (p paint) red(s string) string    { return p.wrap("1;31", s) }
func (p paint) yellow(s string) string { return p.wrap("33", s) }
func (p paint) cyan(s string) string   { return p.wrap("36", s) }
