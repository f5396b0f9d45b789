package result

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// sheet is an answer laid out, with the places where it can be cut: after each
// item; before the first one is complete, after each line or row.
type sheet struct {
	text   strings.Builder
	chars  int
	items  int
	places []place
}

// place is how much comes before a cut, and what closes it.
type place struct {
	bytes, chars, items int
	end                 string // ends a table or a paragraph
}

func layOut(doc Doc, l layout) *sheet {
	s := &sheet{}
	s.cuttable("")
	for _, b := range doc {
		switch b := b.(type) {
		case Step:
			s.items++
			s.cuttable("")
		case Table:
			s.table(b, l)
		case Figure:
			if len(b.Data.Columns) > 0 {
				s.table(b.Data, l)
			}
			s.lines(l.block(b))
		case Fence: // half a fence would take the notice for its text
			s.add(l.block(b))
			if s.items == 0 {
				s.cuttable("")
			}
		default:
			s.lines(l.block(b))
		}
	}
	return s
}

func (s *sheet) add(text string) {
	s.text.WriteString(text)
	s.chars += utf8.RuneCountInString(text)
}

func (s *sheet) cuttable(end string) {
	s.places = append(s.places, place{s.text.Len(), s.chars, s.items, end})
}

func (s *sheet) lines(text string) {
	if s.items > 0 {
		s.add(text)
		return
	}
	for line := range strings.Lines(text) {
		s.add(line)
		if line == "\n" {
			s.cuttable("")
		} else {
			s.cuttable("\n")
		}
	}
}

func (s *sheet) table(t Table, l layout) {
	s.add(l.tableHead(t))
	end := l.tableEnd(t)
	for i := range t.Rows {
		row := l.tableRow(t, i)
		s.add(row)
		if t.Main {
			s.items++
		}
		drawn := row != "" || i == len(t.Rows)-1
		if drawn && (t.Main || s.items == 0) {
			s.cuttable(end)
		}
	}
	s.add(end)
}

// cut is as much of the sheet as fits into max characters with the notice
// that says so. The notice is as long as its command, which depends on
// where the cut is, so that places are tried from the last one.
func (s *sheet) cut(max int, r *Result, l layout) string {
	for _, withCommand := range []bool{true, false} {
		for i := len(s.places) - 1; i >= 0; i-- {
			p := s.places[i]
			room := max - p.chars - utf8.RuneCountInString(p.end)
			if room <= 0 {
				continue
			}
			notice := cutNotice(max, r, p.items, withCommand, l)
			if utf8.RuneCountInString(notice) <= room {
				return s.text.String()[:p.bytes] + p.end + notice
			}
		}
	}
	bare := []rune(cutNotice(max, r, 0, false, l)) // max is less than a notice
	return string(bare[:min(len(bare), max-1)])
}

func cutNotice(max int, r *Result, items int, withCommand bool, l layout) string {
	text := fmt.Sprintf("The answer was cut at %d characters.", max)
	var rest Argv
	if withCommand && r.Rest != nil {
		rest = r.Rest(items)
	}
	switch {
	case len(rest) == 0:
		return l.block(Alert{Text: text + " Ask for less at once: fewer ids, named sections, or a smaller --limit."})
	case items == 0:
		text += " Less at once:"
	default:
		text += " The rest:"
	}
	return l.block(Alert{Text: text}) + l.block(Fence{Text: rest.String()})
}
