package result

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Format says how an outcome is to look.
type Format struct {
	JSON     bool // on one line; indented with Terminal
	Terminal bool // laid out for reading: tables, wrapped lines
	Color    bool // with Terminal
	Width    int  // columns of the terminal; 80 where it is not known
	Long     bool // with Terminal: rows of hits whole, not in a line or two

	// ErrWidth is the columns of the terminal that errors go to, and 0 where they go to none:
	// there they are neither wrapped nor coloured.
	ErrWidth int

	// Max bounds standard output, in characters; 0 is no bound. Markdown is cut
	// between items, and within one only where it is longer than an answer, with a
	// notice and the command for the rest; JSON and Verbatim text are never cut but
	// refused.
	Max int
}

// Render writes an outcome: the answer to out, everything else to errs. It is
// the only function that makes output bytes. The error is a write error, or a
// *Failure, already written, where the answer could not be shown (JSON or
// Verbatim over Max).
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

// errorIs opens the message of a failure.
const errorIs = "error: "

func failureText(failure *Failure, f Format) string {
	p := paint{on: f.Color && f.ErrWidth > 0}
	message := clean(failure.Message)
	if f.ErrWidth > 0 {
		message = strings.Join(wrap(message, max(f.ErrWidth-len(errorIs), 20)), "\n"+strings.Repeat(" ", len(errorIs)))
	}
	text := p.red(errorIs) + message + "\n"
	if len(failure.Try) > 0 {
		text += p.bold("try:   ") + clean(failure.Try.String()) + "\n"
	}
	for _, other := range failure.Or {
		text += p.bold("or:    ") + clean(other.String()) + "\n"
	}
	if len(failure.Owner) > 0 {
		text += "the server's owner can run: " + clean(failure.Owner.String()) + "\n"
	}
	return text
}

// layout turns blocks into text; markdown and terminal are the two.
type layout interface {
	block(b Block) string                 // one block, with the blank line after it
	tableHead(t Table) string             // the lines before the first row
	tableRow(t Table, i int) string       // one row; "" if the whole table is drawn by tableHead
	fenceEnds(f Fence) (open, end string) // what opens and closes each part of one that is cut
}

func renderText(out, errs io.Writer, r *Result, f Format) error {
	doc := r.Doc()
	if len(doc) == 1 {
		if v, ok := doc[0].(Verbatim); ok {
			return renderVerbatim(out, errs, r, v, f)
		}
	}
	var l layout = markdown{}
	if f.Terminal {
		l = newTerminal(f)
	}
	var head strings.Builder
	for _, n := range r.Notices {
		head.WriteString(l.block(Alert{Text: n}))
	}
	laid := layOut(doc, l)
	if bad := pastEnd(r, laid.text.Len()); bad != nil {
		return refuse(errs, bad, f)
	}
	_, err := io.WriteString(out, strings.TrimRight(fit(laid, head.String(), r, f, l), "\n")+"\n")
	return err
}

// pastEnd refuses to go on after the end of an answer.
func pastEnd(r *Result, length int) *Failure {
	if r.At == 0 || r.At < length {
		return nil
	}
	failure := Invalid(fmt.Sprintf("the answer ends before place %d: it has changed, or the place is not of this answer", r.At))
	if r.Rest != nil {
		failure.Try = r.Rest(0)
	}
	return failure
}

// refuse writes a failure in place of an answer, and returns it.
func refuse(errs io.Writer, failure *Failure, f Format) error {
	if err := renderFailure(errs, failure, f); err != nil {
		return err
	}
	return failure
}

// fit is the answer with the commands to type next, as many as there is room
// for after the whole of it, or cut.
func fit(laid *sheet, head string, r *Result, f Format, l layout) string {
	from, next := laid.at(r.At), Map(r.Next, Argv.String)
	body := head + from.open + laid.text.String()[from.bytes:]
	chars := utf8.RuneCountInString(body)
	for n := len(next); n >= 0; n-- {
		tail := ""
		if n > 0 {
			tail = l.block(Heading{Level: 2, Text: "Next"}) + l.block(Fence{Text: strings.Join(next[:n], "\n")})
		}
		if f.Max <= 0 || chars+utf8.RuneCountInString(tail) <= f.Max {
			return body + tail
		}
	}
	return laid.cut(from, head, f.Max, r, l)
}

// renderVerbatim writes text for another program unchanged; to a terminal
// without control characters.
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
		return refuse(errs, tooLong, f)
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
		if _, err := fmt.Fprintf(w, "notice: %s\n", line(n)); err != nil {
			return err
		}
	}
	return nil
}
