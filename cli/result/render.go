package result

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Format says how an outcome is to look.
type Format struct {
	JSON     bool
	Terminal bool // laid out for reading: tables, wrapped lines
	Color    bool // with Terminal
	Width    int  // columns of the terminal; 80 where it is not known

	// Max bounds standard output, in characters; 0 is no bound. Markdown is cut
	// between items with a notice and the command for the rest; JSON and
	// Verbatim text are never cut but refused.
	Max int
}

// Render writes an outcome: the answer to out, everything else to errs. It is
// the only function that makes output bytes. The error is a write error, or a
// *Failure where the answer could not be shown (JSON or Verbatim over Max);
// what it says has been written.
func Render(out, errs io.Writer, o Outcome, f Format) error {
	if f.JSON {
		return renderJSON(out, errs, o, f)
	}
	if o.Result != nil {
		if err := renderText(out, errs, o.Result, f); err != nil {
			return err
		}
	}
	if o.Failure != nil {
		return renderFailure(errs, o.Failure, f)
	}
	return nil
}

func renderFailure(w io.Writer, failure *Failure, f Format) error {
	_, err := io.WriteString(w, failureText(failure, f))
	return err
}

func failureText(failure *Failure, f Format) string {
	p := paint{on: f.Color}
	text := p.red("error: ") + clean(failure.Message) + "\n"
	if len(failure.Try) > 0 {
		text += p.bold("try:   ") + clean(failure.Try.String()) + "\n"
	}
	return text
}

// layout turns blocks into text; markdown and terminal are the two.
type layout interface {
	block(b Block) string           // one block, with the blank line after it
	tableHead(t Table) string       // the lines before the first row
	tableRow(t Table, i int) string // one row; "" where the whole table is drawn by tableHead
	tableEnd(t Table) string
}

func renderText(out, errs io.Writer, r *Result, f Format) error {
	doc := r.Payload.Doc()
	if len(doc) == 1 {
		if v, ok := doc[0].(Verbatim); ok {
			return renderVerbatim(out, errs, r, v, f)
		}
	}
	var l layout = markdown{}
	if f.Terminal {
		l = newTerminal(f)
	}
	var head Doc
	for _, n := range r.Notices {
		head = append(head, Alert{Text: n})
	}
	doc = append(head, doc...)
	var tail Doc
	if len(r.Next) > 0 {
		lines := make([]string, len(r.Next))
		for i, n := range r.Next {
			lines[i] = n.String()
		}
		tail = Doc{Heading{Level: 2, Text: "Next"}, Fence{Text: strings.Join(lines, "\n")}}
	}
	b := budget{left: f.Max, bounded: f.Max > 0}
	if b.bounded {
		b.left -= reserve // room for the notice that says it was cut
	}
	if b.fits(doc, l) {
		doc = append(doc, tail...)
	}
	text, cut := b.write(doc, l)
	if cut {
		for _, blk := range cutNotice(f.Max, r, b.items) {
			text += l.block(blk)
		}
	}
	_, err := io.WriteString(out, strings.TrimRight(text, "\n")+"\n")
	return err
}

// renderVerbatim writes text for another program as it is; to a terminal
// without what the terminal would obey.
func renderVerbatim(out, errs io.Writer, r *Result, v Verbatim, f Format) error {
	text := v.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if n := utf8.RuneCountInString(text); f.Max > 0 && n > f.Max {
		tooLong := tooLong("the text", n, r, f)
		if utf8.RuneCountInString(failureText(tooLong, f)) > f.Max {
			tooLong.Try = nil
		}
		if err := renderFailure(errs, tooLong, f); err != nil {
			return err
		}
		return tooLong
	}
	if err := noticesTo(errs, r.Notices); err != nil {
		return err
	}
	if f.Terminal {
		text = harmless(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

func noticesTo(w io.Writer, notices []string) error {
	for _, n := range notices {
		if _, err := fmt.Fprintf(w, "notice: %s\n", clean(n)); err != nil {
			return err
		}
	}
	return nil
}

// reserve is what is kept free for the notice of a cut, in characters.
const reserve = 600

func cutNotice(max int, r *Result, items int) Doc {
	text := fmt.Sprintf("The answer was cut at %d characters.", max)
	if r.Rest != nil && items > 0 {
		if rest := r.Rest(items); rest != nil {
			return Doc{Alert{Text: text + " The rest:"}, Fence{Text: rest.String()}}
		}
	}
	return Doc{Alert{Text: text + " Ask for less at once: fewer ids, named sections, or a smaller --limit."}}
}

// budget hands out characters to blocks and counts the items that fitted.
type budget struct {
	left    int
	bounded bool
	items   int
}

func (b *budget) take(s string) bool {
	if !b.bounded {
		return true
	}
	n := utf8.RuneCountInString(s)
	if n > b.left {
		return false
	}
	b.left -= n
	return true
}

func (b budget) fits(doc Doc, l layout) bool {
	_, cut := b.write(doc, l) // b is a copy
	return !cut
}

// write lays out blocks until one does not fit. A block that is cut is cut
// between rows, never inside one; before the first item a long block is cut
// between its lines.
func (b *budget) write(doc Doc, l layout) (text string, cut bool) {
	var out bytes.Buffer
	safe, items := 0, 0 // the length and count at the last complete item
	for _, blk := range doc {
		switch t := blk.(type) {
		case Step:
			b.items++
			safe, items = out.Len(), b.items
		case Table:
			if !b.table(&out, t, l) {
				return out.String(), true
			}
		default:
			s := l.block(blk)
			if b.take(s) {
				out.WriteString(s)
				continue
			}
			if items > 0 {
				b.items = items
				return out.String()[:safe], true
			}
			for _, line := range strings.SplitAfter(s, "\n") {
				if !b.take(line) {
					break
				}
				out.WriteString(line)
			}
			return out.String() + "\n", true
		}
	}
	return out.String(), false
}

func (b *budget) table(out *bytes.Buffer, t Table, l layout) bool {
	head := l.tableHead(t)
	if !b.take(head) {
		return false
	}
	out.WriteString(head)
	for i := range t.Rows {
		row := l.tableRow(t, i)
		if !b.take(row) {
			out.WriteString(l.tableEnd(t))
			return false
		}
		out.WriteString(row)
		if t.Main {
			b.items++
		}
	}
	end := l.tableEnd(t)
	out.WriteString(end)
	return true
}
