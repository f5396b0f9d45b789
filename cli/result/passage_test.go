package result

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// passageTexts are texts that would end a quote if they were printed as they are.
var passageTexts = []string{
	"one\n\ntwo", "one\r\n\r\ntwo", "one\rtwo", "one\u2028two\u2029three", "# Heading\n\n---\n", "```\ncode\n```",
	"\n\n\n", "> quoted\n\nnot quoted", "\x1b[2J\v\f\u0085after", "<!-- \n\n --> <b>\n", "| a | b |\n| --- | --- |\n",
}

// Every line of a passage begins with a quote mark, whatever its text and its block are.
func TestNoTextEndsAPassage(t *testing.T) {
	for i, text := range passageTexts {
		for _, b := range []Block{
			Para{text}, Heading{2, text}, List{Items: []string{text, text}}, Fields{{"Name", text}}, Quote{text},
			Fence{Lang: "text", Text: text}, Verbatim{text}, Prose{text, "\x01"},
		} {
			t.Run(fmt.Sprintf("%T %d", b, i), func(t *testing.T) {
				doc := Doc{Para{"before"}, Passage{b}, Passage{Para{"joined"}}, Para{"after"}}
				out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: doc}}}, Format{})
				body := strings.TrimSuffix(strings.TrimPrefix(out, "before\n\n"), "\n\nafter\n")
				for _, l := range regexp.MustCompile("\r|\n|\v|\f|\u0085|\u2028|\u2029").Split(body, -1) {
					if l != ">" && !strings.HasPrefix(l, "> ") && strings.TrimSpace(text) != "" {
						t.Errorf("%q: the line %q, want a quote mark before it", text, l)
					}
				}
			})
		}
	}
}

// A page that begins within a line of a passage begins with its marks.
func TestAPassageCutWithinALineIsQuotedAgain(t *testing.T) {
	for name, b := range map[string]Block{
		"text": Para{strings.Repeat("word ", 400)}, "code": Fence{Text: strings.Repeat("word ", 400)},
		"quote": Quote{strings.Repeat("word ", 400)},
	} {
		t.Run(name, func(t *testing.T) {
			r := &Result{Payload: sample{doc: Doc{Passage{b}}}, ContinueFrom: func(at int) Argv { return Argv{"more", fmt.Sprint(at)} }}
			pages := 0
			for {
				out, _ := render(t, Outcome{Result: r}, Format{Max: 500})
				for l := range strings.Lines(out) {
					if strings.Contains(l, "word") && !strings.HasPrefix(l, "> ") {
						t.Fatalf("page %d: the line %q, want a quote mark before it", pages, l)
					}
				}
				pages++
				_, rest, more := strings.Cut(out, "biomcp more ")
				if !more {
					break
				}
				fmt.Sscan(rest, &r.Offset)
			}
			if pages < 3 {
				t.Errorf("%d pages, want several", pages)
			}
		})
	}
}

// Passages that follow each other are one quote.
func TestPassagesAreOneQuote(t *testing.T) {
	doc := append(Doc{Para{"BACKGROUND: a\nb"}, Heading{3, "c"}}.Passages(), Para{"after"})
	out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: doc}}}, Format{})
	if want := "> BACKGROUND: a\n>\n> b\n>\n> ### c\n\nafter\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// A terminal shows the block of a passage without a mark.
func TestATerminalShowsNoMarkOfAPassage(t *testing.T) {
	for _, width := range []int{40, 80, 120} {
		text := strings.Repeat("word ", 40)
		with, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: PassageOf(text)}}}, Format{Terminal: true, Width: width})
		without, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{Para{text}}}}}, Format{Terminal: true, Width: width})
		if with != without {
			t.Errorf("%d columns: got %q, want %q", width, with, without)
		}
	}
}
