package result

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// randomDoc returns a random answer and the number of its items. Item n begins with "§n§" and ends with "¶n¶".
func randomDoc(r *rand.Rand) (doc Doc, items int) {
	for range r.IntN(4) {
		doc = append(doc, randomBlock(r))
	}
	if r.IntN(2) == 0 {
		tab := Table{Columns: Columns("A", ">B"), Main: true}
		for range r.IntN(40) {
			tab.Rows = append(tab.Rows, []string{fmt.Sprintf("§%d§ ", items) + text(r, 6), text(r, 2) + fmt.Sprintf(" ¶%d¶", items)})
			items++
		}
		doc = append(doc, tab)
	} else {
		for range r.IntN(12) {
			one := Doc{Heading{2, fmt.Sprintf("§%d§ ", items) + text(r, 3)}}
			for range r.IntN(4) {
				one = append(one, randomBlock(r))
			}
			doc = append(doc, append(one, Para{fmt.Sprintf("¶%d¶", items)}).Item()...)
			items++
		}
	}
	for range r.IntN(3) {
		doc = append(doc, randomBlock(r))
	}
	return doc, items
}

func randomBlock(r *rand.Rand) Block {
	switch r.IntN(10) {
	case 0:
		return Alert{text(r, 20)}
	case 1:
		return Fields{{"Name", text(r, 9)}, {"Empty", ""}, {text(r, 2), text(r, 40)}}
	case 2:
		return List{Items: []string{text(r, 9), text(r, 30)}, Ordered: r.IntN(2) == 0}
	case 3:
		return Quote{text(r, 40)}
	case 4:
		return Fence{Lang: "text", Text: text(r, 9) + "\n```\n" + text(r, 30)}
	case 5:
		return Table{Columns: Columns("A", "B"), Rows: [][]string{{text(r, 4), text(r, 9)}, {"x"}}}
	case 6:
		return Heading{1 + r.IntN(3), text(r, 6)}
	case 7:
		return Passage{Fence{Lang: "text", Text: text(r, 9) + "\n```\n" + text(r, 30)}}
	case 8:
		return Passage{Para{text(r, 60) + "\n" + text(r, 60)}}
	}
	return Para{text(r, 60) + "\n" + text(r, 60)}
}

// readPages returns the pages of an answer. It gets each page with the command that continues the
// previous one. Pages do not include notices, commands and the text that closes and reopens a cut
// table or fence.
func readPages(t *testing.T, r *Result, f Format) (pages []string) {
	t.Helper()
	l := layout(markdown{})
	if f.Terminal {
		l = newTerminal(f)
	}
	laid := layOut(r.Doc(), l)
	for r.Offset = 0; ; {
		out, _ := render(t, Outcome{Result: r}, f)
		if n := utf8.RuneCountInString(out); n > f.Max {
			t.Fatalf("%d characters, at most %d", n, f.Max)
		}
		from := laid.placeAt(r.Offset)
		for _, n := range r.Notices {
			out = strings.TrimPrefix(out, l.block(Alert{Text: n}))
		}
		out = strings.TrimPrefix(out, from.open)
		_, rest, cut := strings.Cut(out, "biomcp more ")
		if !cut {
			if i := strings.LastIndex(out, strings.TrimRight(l.block(Heading{2, "Next"}), "\n")); i >= 0 && len(r.Next) > 0 {
				out = out[:i]
			}
			return append(pages, out)
		}
		var next int
		if _, err := fmt.Sscan(rest, &next); err != nil || next <= r.Offset {
			t.Fatalf("the answer from %d goes on at %d: %v", r.Offset, next, err)
		}
		shown := laid.text.String()[from.bytes:next]
		if !strings.HasPrefix(out, shown+laid.placeAt(next).end) {
			t.Fatalf("from %d to %d is shown as\n%s", from.bytes, next, out)
		}
		pages, r.Offset = append(pages, shown), next
	}
}

// The pages of an answer, cut at any length, add up to the complete answer. Only an item that is
// longer than a page is divided.
func TestThePagesAreTheWhole(t *testing.T) {
	cuts := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(2, seed))
		doc, items := randomDoc(r)
		res := &Result{Payload: sample{doc: doc}, ContinueFrom: func(at int) Argv { return Argv{"more", fmt.Sprint(at)} }}
		for range r.IntN(4) {
			res.Notices = append(res.Notices, text(r, 12))
			res.Next = append(res.Next, Argv{"get", text(r, 9)})
		}
		f := Format{Max: 250 + r.IntN(6000), Terminal: seed%4 == 0, Width: 40 + r.IntN(80)}
		var whole strings.Builder
		for i, b := range doc {
			one := Doc{b}
			if i+1 < len(doc) && isPassage(doc[i+1]) && isPassage(b) && !f.Terminal {
				one = append(one, Passage{Para{"end"}})
			}
			s := layOut(one, map[bool]layout{true: newTerminal(f), false: markdown{}}[f.Terminal])
			whole.WriteString(strings.TrimSuffix(s.text.String(), map[bool]string{true: "> end\n\n"}[len(one) > 1]))
		}
		pages := readPages(t, res, f)
		together := strings.Join(pages, "")
		if strings.TrimSpace(together) != strings.TrimSpace(whole.String()) {
			t.Fatalf("seed %d: the pages are\n%s\nand the whole is\n%s", seed, strings.Join(pages, "\n=====\n"), whole.String())
		}
		if len(pages) > 1 {
			cuts++
		}
		for n := range items {
			begin, end := fmt.Sprintf("§%d§", n), fmt.Sprintf("¶%d¶", n)
			i, j := strings.Index(together, begin), strings.Index(together, end)
			if n == 0 {
				i = 0 // the text before the first item belongs to it
			}
			if f.Terminal || utf8.RuneCountInString(together[i:j]) > f.Max/4 {
				continue // a drawn table has no items, and a long item need not fit on a page
			}
			for _, p := range pages {
				if len(res.Notices) == 0 && strings.Contains(p, begin) != strings.Contains(p, end) {
					t.Fatalf("seed %d: item %d is cut at %d characters:\n%s", seed, n, f.Max, p)
				}
			}
		}
	}
	if cuts < 1000 {
		t.Errorf("only %d answers were cut, want at least 1000", cuts)
	}
}

func TestOutputNeverExceedsMax(t *testing.T) {
	for seed := range uint64(800) {
		r := rand.New(rand.NewPCG(2, seed))
		doc, _ := randomDoc(r)
		res := &Result{Payload: sample{doc: doc}, Notices: []string{text(r, 60)}}
		if long := strings.Repeat(" 漢12345678", r.IntN(250)); r.IntN(5) > 0 {
			res.ContinueFrom = func(at int) Argv { return Argv{"more", fmt.Sprint(at), long} }
		}
		f := Format{Max: 1 + r.IntN(6000), Terminal: seed%4 == 0, Width: 40 + r.IntN(80)}
		if out, _ := render(t, Outcome{Result: res}, f); utf8.RuneCountInString(out) > f.Max {
			t.Fatalf("seed %d: more than %d characters:\n%s", seed, f.Max, out)
		}
	}
}

func TestAPlaceAfterTheEndIsRefused(t *testing.T) {
	r := rows(3)
	r.Offset, r.ContinueFrom = 4000, func(at int) Argv { return Argv{"more", fmt.Sprint(at)} }
	out, errs := render(t, Outcome{Result: &r}, Format{})
	if out != "" {
		t.Errorf("standard output: got %q, want nothing", out)
	}
	for _, want := range []string{"ends before place 4000", "try:   biomcp more 0"} {
		if !strings.Contains(errs, want) {
			t.Errorf("standard error: got %q, want it to contain %q", errs, want)
		}
	}
}

func TestNextCommandsAreDroppedBeforeTheAnswerIsCut(t *testing.T) {
	r := rows(20)
	r.ContinueFrom = func(int) Argv { return Argv{"more"} }
	whole, _ := render(t, Outcome{Result: &r}, Format{})
	r.Next = []Argv{{"first"}, {strings.Repeat("second", 30)}}
	most := utf8.RuneCountInString(whole) + 60
	out, _ := render(t, Outcome{Result: &r}, Format{Max: most})
	if !strings.HasPrefix(out, whole) {
		t.Errorf("the answer is cut:\n%s", out)
	}
	if want := "## Next\n\n```\nbiomcp first\n```\n"; !strings.HasSuffix(out, want) {
		t.Errorf("got\n%s\nwant it to end with\n%s", out, want)
	}
}
