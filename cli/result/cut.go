package result

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A sheet is the text of an answer with the places where it can be cut and continued.
type sheet struct {
	text   strings.Builder
	chars  int
	places []place // from the beginning to the end of the text
}

// A place is a position where an answer can be cut.
type place struct {
	bytes, chars int    // length of the text before the cut
	end          string // closes a table or fence at the cut
	open         string // opens the table or fence again when the answer continues
	item         bool   // an item ends here; such places are preferred
}

// layOut returns the text of a document and its places.
func layOut(doc Doc, l layout) *sheet {
	s := &sheet{places: []place{{}}}
	for i, b := range doc {
		switch b := b.(type) {
		case ItemEnd:
			s.places[len(s.places)-1].item = true
		case Table:
			s.table(b, l)
		case Figure:
			if len(b.Data.Columns) > 0 {
				s.table(b.Data, l)
			}
			s.lines(l.block(b), "", "\n")
		case Fence:
			open, end := l.fenceEnds(b)
			s.lines(l.block(b), open, end)
		case Passage:
			s.passage(b, i+1 < len(doc) && isPassage(doc[i+1]), l)
		default:
			s.lines(l.block(b), "", "\n")
		}
	}
	return s
}

func isPassage(b Block) bool {
	_, is := b.(Passage)
	return is
}

// passage appends a passage. If it is joined, the next one continues its quote.
func (s *sheet) passage(p Passage, joined bool, l layout) {
	open, end := "", "\n"
	if f, ok := p.Block.(Fence); ok {
		if open, end = l.fenceEnds(f); open != "" {
			open, end = strings.TrimSuffix(l.quote(open, false), "\n"), l.quote(end, false)
		}
	}
	s.lines(l.quote(l.block(p.Block), joined), open, end)
}

// add appends text that cannot be cut.
func (s *sheet) add(text string) {
	s.text.WriteString(text)
	s.chars += utf8.RuneCountInString(text)
}

// addPlace adds a place at the end of the text.
func (s *sheet) addPlace(open, end string, item bool) {
	s.places = append(s.places, place{s.text.Len(), s.chars, end, open, item})
}

// lines appends text that can be cut after each line, but not between a line and the blank
// line after it.
func (s *sheet) lines(text, open, end string) {
	for line := range strings.Lines(text) {
		s.add(line)
		switch last := len(s.places) - 1; {
		case open != "" && line == open: // the first line of a fence
		case open != "" && line+"\n" == end && s.places[last].open == open, open == "" && line == "\n" && last > 0:
			s.places[last] = place{s.text.Len(), s.chars, "", "", s.places[last].item}
		default:
			s.addPlace(open, end, false)
		}
	}
	if last := &s.places[len(s.places)-1]; text != "" {
		end := ""
		if strings.HasSuffix(text, blankQuote) {
			end = "\n"
		}
		*last = place{bytes: s.text.Len(), chars: s.chars, end: end, item: last.item}
	}
}

// table appends a table that can be cut after each row, if the layout returns rows.
func (s *sheet) table(t Table, l layout) {
	head, end := l.tableHead(t), "\n"
	s.add(head)
	for i := range t.Rows {
		row := l.tableRow(t, i)
		s.add(row)
		if row != "" && i < len(t.Rows)-1 {
			s.addPlace(head, end, t.Main)
		}
	}
	s.add(end)
	s.addPlace("", "", t.Main)
	for _, c := range l.shownColumns(t) {
		if c.Note != "" {
			s.lines(l.block(Para{c.Note}), "", "\n")
		}
	}
}

// placeAt returns the place at a byte offset, rounded up to a whole character. The offset may
// lie within a line, if a line that exceeds the maximum was cut.
func (s *sheet) placeAt(bytes int) place {
	for text := s.text.String(); bytes < len(text) && !utf8.RuneStart(text[bytes]); bytes++ {
	}
	i := len(s.places) - 1
	for s.places[i].bytes > bytes {
		i--
	}
	p := s.places[i]
	if p.bytes < bytes {
		p.chars += utf8.RuneCountInString(s.text.String()[p.bytes:bytes])
		p.bytes, p.item = bytes, false
		p.open += s.quotesAt(bytes, p.open)
		p.end = "\n" + p.end
		if p.end == "\n" {
			p.end = "\n\n"
		}
	}
	return p
}

// quotesAt returns the marks that begin the line of a quote around a byte offset. Text within a fence
// or table that open opens again is a quote only if open is one.
func (s *sheet) quotesAt(bytes int, open string) string {
	text := s.text.String()
	start := strings.LastIndexByte(text[:bytes], '\n') + 1
	marks := ""
	if open == "" || strings.HasPrefix(open, quoteMark) {
		for strings.HasPrefix(text[start+len(marks):bytes], quoteMark) {
			marks += quoteMark
		}
	}
	return marks
}

// cut returns as much of the text from a place on as fits into max characters together with a
// notice. The length of the notice depends on the place, which is part of its command. Therefore
// cut tries the places backwards, first those at the end of an item, then all.
func (s *sheet) cut(from place, head string, max int, r *Result, l layout) string {
	for _, try := range []struct {
		head    string
		command bool
	}{{head, true}, {"", true}, {head, false}, {"", false}} {
		lead := try.head + from.open
		room := func(p place) (left int, notice string) {
			shown := p.chars - from.chars
			left = max - utf8.RuneCountInString(lead) - shown - utf8.RuneCountInString(p.end)
			if left <= 0 {
				return left, ""
			}
			notice = cutNotice(max, r, p.bytes, try.command, l)
			return left - utf8.RuneCountInString(notice), notice
		}
		for _, item := range []bool{true, false} {
			for _, p := range slices.Backward(s.places) {
				if p.bytes <= from.bytes {
					break
				}
				if item && !p.item {
					continue
				}
				if left, notice := room(p); notice != "" && left >= 0 {
					return lead + s.text.String()[from.bytes:p.bytes] + p.end + notice
				}
			}
		}
		left, _ := room(from)
		if p := s.wordBoundary(from, left-12); left > 12 { // reserve space for a longer offset and for line ends
			if left, notice := room(p); notice != "" && left >= 0 {
				return lead + s.text.String()[from.bytes:p.bytes] + p.end + notice
			}
		}
	}
	bare := []rune(cutNotice(max, r, 0, false, l)) // max is smaller than the shortest notice
	return string(bare[:min(len(bare), max-1)])
}

// wordBoundary returns a place at most chars characters after from. It is the end of a word, unless
// that would more than halve the text.
func (s *sheet) wordBoundary(from place, chars int) place {
	text := s.text.String()[from.bytes:]
	end := len(text)
	for i := range text {
		if chars == 0 {
			end = i
			break
		}
		chars--
	}
	if i := strings.LastIndexByte(text[:end], ' '); i > end/2 {
		end = i + 1
	}
	return s.placeAt(from.bytes + end)
}

// cutNotice returns the notice that ends a cut answer, with the command that continues it or
// with general advice.
func cutNotice(max int, r *Result, at int, withCommand bool, l layout) string {
	text := fmt.Sprintf("The answer was cut at %d characters.", max)
	if !withCommand || r.ContinueFrom == nil {
		return l.block(Alert{Text: text + " Ask for less at once: fewer ids, named sections, or a smaller --limit."})
	}
	return l.block(Alert{Text: text + " The rest:"}) + l.block(Fence{Text: r.ContinueFrom(at).String()})
}
