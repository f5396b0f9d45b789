package result

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// anyDoc is a random answer and how many items it has; each item says its
// number as "§n§", once.
func anyDoc(r *rand.Rand) (doc Doc, items int) {
	mark := func() string { items++; return fmt.Sprintf("§%d§ ", items-1) }
	lead := r.IntN(4)
	for range lead {
		doc = append(doc, anyBlock(r))
	}
	if r.IntN(2) == 0 {
		tab := Table{Columns: Columns("A", ">B"), Main: true}
		for range r.IntN(60) {
			tab.Rows = append(tab.Rows, []string{mark() + text(r, 6), text(r, 2)})
		}
		return append(doc, tab), items
	}
	for range r.IntN(20) {
		doc = append(doc, Heading{2, mark() + text(r, 3)})
		for range r.IntN(4) {
			doc = append(doc, anyBlock(r))
		}
		doc = append(doc, Step{})
	}
	return doc, items
}

func anyBlock(r *rand.Rand) Block {
	switch r.IntN(8) {
	case 0:
		return Alert{text(r, 20)}
	case 1:
		return Fields{{"Name", text(r, 9)}, {"Empty", ""}, {text(r, 2), text(r, 40)}}
	case 2:
		return List{Items: []string{text(r, 9), text(r, 30)}, Ordered: r.IntN(2) == 0}
	case 3:
		return Quote{text(r, 40)}
	case 4:
		return Fence{"text", text(r, 9) + "\n```\n" + text(r, 30)}
	case 5:
		return Table{Columns: Columns("A", "B"), Rows: [][]string{{text(r, 4), text(r, 9)}, {"x"}}}
	case 6:
		return Heading{1 + r.IntN(3), text(r, 6)}
	}
	return Para{text(r, 60) + "\n" + text(r, 60)}
}

func TestOutputNeverExceedsMax(t *testing.T) {
	cuts, continued := 0, 0
	for seed := range uint64(800) {
		r := rand.New(rand.NewPCG(2, seed))
		doc, items := anyDoc(r)
		long := strings.Repeat(" 漢12345678", r.IntN(250))
		res := &Result{Payload: sample{doc: doc}}
		for range r.IntN(4) {
			res.Notices = append(res.Notices, text(r, 12))
			res.Next = append(res.Next, Argv{"get", text(r, 9)})
		}
		if r.IntN(5) > 0 {
			res.Rest = func(n int) Argv {
				if n >= items {
					return nil
				}
				return Argv{"more", fmt.Sprint(n), long[:len(long)*(items-n)/items]} // fewer ids, shorter
			}
		}
		most := 1 + r.IntN(6000)
		f := Format{Max: most, Terminal: seed%4 == 0, Width: 40 + r.IntN(80)}
		out, _ := render(t, Outcome{Result: res}, f)
		whole, _ := render(t, Outcome{Result: res}, Format{Terminal: f.Terminal, Width: f.Width})
		if n := utf8.RuneCountInString(out); n > most {
			t.Fatalf("seed %d: %d characters, at most %d", seed, n, most)
		}
		if utf8.RuneCountInString(whole) < most && out != whole {
			t.Fatalf("seed %d: an answer that fits was changed", seed)
		}
		if out == whole || f.Terminal {
			continue
		}
		cuts++
		kept, _, _ := strings.Cut(out, "> **Note:** The answer was cut")
		if kept != "" && kept != out && !strings.HasSuffix(kept, "\n\n") {
			t.Fatalf("seed %d: the notice runs into the answer: %.200q", seed, kept[max(0, len(kept)-100):])
		}
		shown := strings.Count(out, "§") / 2
		_, after, ok := strings.Cut(out, "The rest:\n\n```\nbiomcp more ")
		if !ok {
			continue
		}
		continued++
		if !strings.HasPrefix(after, fmt.Sprintf("%d ", shown)) {
			t.Fatalf("seed %d: %d items are shown, the rest begins %.20q", seed, shown, after)
		}
		if !strings.HasPrefix(whole, strings.TrimRight(kept, "\n")) {
			t.Fatalf("seed %d: what is shown is not the answer's beginning", seed)
		}
	}
	if cuts < 100 || continued < 50 {
		t.Errorf("only %d answers were cut, %d could be continued: this proves nothing", cuts, continued)
	}
}

func TestNextCommandsAreDroppedBeforeTheAnswerIsCut(t *testing.T) {
	r := rows(20)
	r.Rest = func(int) Argv { return Argv{"more"} }
	whole, _ := render(t, Outcome{Result: &r}, Format{})
	r.Next = []Argv{{"first"}, {strings.Repeat("second", 30)}}
	most := utf8.RuneCountInString(whole) + 60
	out, _ := render(t, Outcome{Result: &r}, Format{Max: most})
	if !strings.HasPrefix(out, whole) || !strings.HasSuffix(out, "## Next\n\n```\nbiomcp first\n```\n") {
		t.Errorf("%s", out)
	}
}

func TestCutBeforeTheFirstItemNamesASmallerRequest(t *testing.T) {
	r := rows(3)
	r.Payload = sample{doc: Doc{Heading{1, "One"}, Fence{Text: strings.Repeat("x\n", 900)}, Step{}, Heading{1, "Two"}}}
	out, _ := render(t, Outcome{Result: &r}, Format{Max: 500})
	if want := "# One\n\n> **Note:** The answer was cut at 500 characters. Less at once:\n\n```\nbiomcp more 0\n```\n"; out != want {
		t.Errorf("%q, want %q", out, want)
	}
}
