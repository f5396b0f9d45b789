package result

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format selects the form of the output.
type Format struct {
	JSON     bool // JSON on one line; indented with Terminal
	Terminal bool // drawn tables and wrapped lines
	Color    bool // colour; requires Terminal
	Width    int  // columns of the terminal; 0 means 80
	Long     bool // show complete rows of hits; requires Terminal

	// ErrWidth is the number of columns of the terminal that shows errors. If it is 0, errors do
	// not go to a terminal and are neither wrapped nor coloured.
	ErrWidth int

	// Max is the maximum length of standard output in characters; 0 means no limit.
	// Longer markdown is cut between items, or within an item that is too long, and
	// ends with a notice and the command for the rest. Longer JSON and Verbatim text
	// is replaced with a failure.
	Max int
}

// Render writes the answer of an outcome to out and everything else to errs. No other
// function produces output bytes. It returns a write error or, if JSON or Verbatim text
// exceeds Max, a *Failure that it has already written.
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

// renderFailure writes a failure as text.
func renderFailure(w io.Writer, failure *Failure, f Format) error {
	_, err := io.WriteString(w, failureText(failure, f))
	return err
}

// errorPrefix precedes the message of a failure.
const errorPrefix = "error: "

// failureText returns a failure as text, with the commands that it suggests.
func failureText(failure *Failure, f Format) string {
	p := paint{enabled: f.Color && f.ErrWidth > 0}
	message := clean(failure.Message)
	if f.ErrWidth > 0 {
		message = strings.Join(wrap(message, max(f.ErrWidth-len(errorPrefix), 20)), "\n"+strings.Repeat(" ", len(errorPrefix)))
	}
	text := p.red(errorPrefix) + message + "\n"
	if len(failure.Try) > 0 {
		text += p.bold("try:   ") + clean(failure.Try.String()) + "\n"
	}
	for _, other := range failure.Alternatives {
		text += p.bold("or:    ") + clean(other.String()) + "\n"
	}
	if len(failure.OwnerTry) > 0 {
		text += "the server's owner can run: " + clean(failure.OwnerTry.String()) + "\n"
	}
	return text
}

// A layout turns blocks into text. It is implemented by markdown and terminal.
type layout interface {
	block(b Block) string                 // returns one block and the blank line after it
	tableHead(t Table) string             // returns the lines before the first row
	tableRow(t Table, i int) string       // returns one row, or "" if tableHead returns the whole table
	shownColumns(t Table) []Column        // returns the columns that tableHead and tableRow show
	fenceEnds(f Fence) (open, end string) // returns the first and last lines of each part of a fence that is cut
	// quote marks the text of a block as a passage. If it is joined, the next block continues the quote.
	quote(block string, joined bool) string
}

// renderText writes an answer as markdown or for a terminal.
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
	head, laid := layOutAnswer(doc, r, f, l)
	if bad := checkOffset(r, laid.text.Len()); bad != nil {
		return refuse(errs, bad, f)
	}
	_, err := io.WriteString(out, strings.TrimRight(fitText(laid, head, r, f, l), "\n")+"\n")
	return err
}

// layOutAnswer returns the notices before an answer, and the answer with its trailing notices. If that
// would have to be cut, all notices come before it, so that the first part has them.
func layOutAnswer(doc Doc, r *Result, f Format, l layout) (head string, laid *sheet) {
	text := func(notices []string) string { return strings.Join(Map(Alerts(notices), l.block), "") }
	if leading, trailing := r.SplitNotices(); r.Offset == 0 && len(trailing) > 0 {
		head, laid = text(leading), layOut(slices.Concat(doc, Alerts(trailing)), l)
		if f.Max <= 0 || utf8.RuneCountInString(head)+utf8.RuneCountInString(laid.text.String()) <= f.Max {
			return head, laid
		}
	}
	return text(r.Notices), layOut(doc, l)
}

// checkOffset returns a failure if r.At lies behind the end of the answer, otherwise nil.
func checkOffset(r *Result, length int) *Failure {
	if r.Offset == 0 || r.Offset < length {
		return nil
	}
	failure := Invalid(fmt.Sprintf("the answer ends before place %d: "+
		"it has changed, or the place belongs to another answer", r.Offset))
	if r.ContinueFrom != nil {
		failure.Try = r.ContinueFrom(0)
	}
	return failure
}

// refuse writes a failure instead of an answer and returns it.
func refuse(errs io.Writer, failure *Failure, f Format) error {
	if err := renderFailure(errs, failure, f); err != nil {
		return err
	}
	return failure
}

// fitText returns the answer from r.At on, and as many of the next commands as fit after it. If the
// answer itself exceeds the maximum, fitText cuts it.
func fitText(laid *sheet, head string, r *Result, f Format, l layout) string {
	from, next := laid.placeAt(r.Offset), Map(r.Next, Argv.String)
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

// renderVerbatim writes text for another program. It removes control characters if the output
// is a terminal and makes no other change. If the text exceeds the maximum and there is no smaller
// answer, it writes a part and a notice with the command for the rest.
func renderVerbatim(out, errs io.Writer, r *Result, v Verbatim, f Format) error {
	text := v.Text
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if bad := checkOffset(r, len(text)); bad != nil {
		return refuse(errs, bad, f)
	}
	rest := text[nextRune(text, r.Offset):]
	notices := r.Notices
	if n := utf8.RuneCountInString(rest); f.Max > 0 && n > f.Max {
		tooLong := tooLong("the text", n, r, f)
		if len(tooLong.Try) > 0 && r.Offset == 0 || r.ContinueFrom == nil {
			if utf8.RuneCountInString(failureText(tooLong, f)) > f.Max {
				tooLong.Try = nil
			}
			return refuse(errs, tooLong, f)
		}
		from := len(text) - len(rest)
		rest = rest[:cutVerbatim(rest, f.Max)]
		notices = append(slices.Clone(notices), fmt.Sprintf("part of the text; for the remaining %d characters: %s",
			n-utf8.RuneCountInString(rest), r.ContinueFrom(from+len(rest))))
	}
	text = rest
	if err := writeNotices(errs, notices); err != nil {
		return err
	}
	if f.Terminal {
		text = removeControls(text)
	}
	_, err := io.WriteString(out, text)
	return err
}

// nextRune returns the first index of a rune in text that is not before i.
func nextRune(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// cutVerbatim returns the number of bytes of text that hold at most chars characters. They end with a
// line unless the last line has more than half of them.
func cutVerbatim(text string, chars int) int {
	end := len(text)
	for i := range text {
		if chars--; chars < 0 {
			end = i
			break
		}
	}
	if i := strings.LastIndexByte(text[:end], '\n') + 1; i > end/2 {
		return i
	}
	return end
}

// writeNotices writes notices as lines.
func writeNotices(w io.Writer, notices []string) error {
	for _, n := range notices {
		if _, err := fmt.Fprintf(w, "notice: %s\n", line(n)); err != nil {
			return err
		}
	}
	return nil
}
