package charts

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An oncoprint tells how many samples a column stands for on the canvas that is drawn: with characters at
// several widths, and in a picture. If each sample has a column of its own, it tells nothing.
func TestOncoprintTellsHowManySamplesShareAColumn(t *testing.T) {
	note := regexp.MustCompile(`One column stands for (\d+)(?: (?:or|to) (\d+))? samples\.`)
	for _, samples := range []int{9, 60, 162, 2000} {
		cells := make([]GeneCell, samples)
		for i := range cells {
			if i%2 == 0 {
				cells[i].Mutation = "TRUNC"
			}
		}
		ch := chartOf(t, "oncoprint", oncoprintOf(cells...))
		check := func(text string, columns int) {
			t.Helper()
			m := note.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
			if merged := columns < samples; merged != (m != nil) {
				t.Errorf("%d samples in %d columns: want the note: %v, got %q", samples, columns, merged, m)
			}
			if m == nil {
				return
			}
			least, _ := strconv.Atoi(m[1])
			most, err := strconv.Atoi(m[2])
			if err != nil {
				most = least
			}
			if least*columns > samples || most*columns < samples || least < samples/columns || most > samples/columns+1 {
				t.Errorf("%d samples in %d columns: got %q", samples, columns, m[0])
			}
		}
		for _, cols := range []int{40, 80, 120, 300} {
			text, err := Terminal(ch, Options{Cols: cols, Rows: 20})
			if err != nil {
				t.Fatal(err)
			}
			_, row, _ := strings.Cut(text, "50 % ")
			row, _, _ = strings.Cut(row, "\n")
			check(text, min(samples, len([]rune(strings.TrimRight(row, " ")))))
		}
		picture := pictureOf(t, oncoprintOf(cells...), Options{})
		drawn := 0 // a column with an event is a box of its own, or all are one
		for _, m := range regexp.MustCompile(`M([0-9.]+) [0-9.]+L([0-9.]+) [^"]*" fill="#000000"`).FindAllStringSubmatch(picture, -1) {
			x0, _ := strconv.ParseFloat(m[1], 64)
			x1, _ := strconv.ParseFloat(m[2], 64)
			drawn = max(drawn, int(x1-x0+.5))
		}
		if samples > 1000 {
			check(textOf(picture), drawn)
		} else {
			check(textOf(picture), samples)
		}
	}
}

// textOf returns the words of a picture.
func textOf(svg string) string {
	var words []string
	for _, m := range regexp.MustCompile(`>([^<]+)</text>`).FindAllStringSubmatch(svg, -1) {
		words = append(words, m[1])
	}
	return strings.Join(words, " ")
}

// The legend explains the signs of shared columns: an amplified and a mutated sample together have several kinds.
func TestOncoprintLegendOfSharedColumns(t *testing.T) {
	cells := make([]GeneCell, 200)
	for i := range cells {
		cells[i] = [...]GeneCell{{Copies: "AMP"}, {Mutation: "MISSENSE"}}[i%2]
	}
	ch := chartOf(t, "oncoprint", oncoprintOf(cells...))
	for cols, want := range map[int]bool{60: true, 300: false} {
		text, err := Terminal(ch, Options{Cols: cols, Rows: 12})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text, "Several kinds"); got != want || got != strings.Contains(text, "+") {
			t.Errorf("%d columns: want several kinds in the legend: %v, got\n%s", cols, want, text)
		}
	}
}

// A waterfall tells how many samples a bar stands for, and what it shows then. If all fit, it tells nothing.
func TestWaterfallTellsHowManySamplesShareABar(t *testing.T) {
	d := SampleValues{}
	for i := range 500 {
		d.List = append(d.List, Value{fmt.Sprint("S", i), float64(500 - i)})
	}
	ch := chartOf(t, "waterfall", d)
	title := regexp.MustCompile(`<title>S\d+ and (\d+) more: `)
	for _, o := range []Options{{Width: 480}, {}, {Width: 2000}} {
		svg := svgOf(t, "waterfall", d, o)
		want := ""
		if m := title.FindStringSubmatch(svg); m != nil {
			n, _ := strconv.Atoi(m[1])
			want = fmt.Sprintf("One bar stands for up to %d samples", n+1)
		}
		if got := textOf(svg); !strings.Contains(got, want) || want == "" && strings.Contains(got, "One bar") {
			t.Errorf("width %d: want %q, got %s", o.Width, want, got)
		}
	}
	for cols, want := range map[int]bool{40: true, 80: true, 300: false} {
		text, err := Terminal(ch, Options{Cols: cols, Rows: 20})
		if got := strings.Contains(text, "One bar stands for up to "); err != nil || got != want {
			t.Errorf("%d columns: want the note: %v, got %v\n%s", cols, want, err, text)
		}
	}
}
