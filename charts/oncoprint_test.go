package charts

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// oncoprintOf returns an oncoprint of one track.
func oncoprintOf(cells ...GeneCell) Oncoprint {
	d := Oncoprint{Labels: Labels{Title: "Oncoprint", Count: "samples"}, Tracks: []GeneTrack{{Name: "TP53", Share: "50 %", Cells: cells}}}
	for i := range cells {
		d.Columns = append(d.Columns, fmt.Sprintf("S%d", i))
	}
	return d
}

func pictureOf(t *testing.T, d Oncoprint, o Options) string {
	t.Helper()
	ch, err := New("oncoprint", d)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := SVG(ch, o)
	if err != nil {
		t.Fatal(err)
	}
	return string(picture)
}

var boxPattern = regexp.MustCompile(`<path d="M([0-9.]+) ([0-9.]+)L([0-9.]+) [0-9.]+L[0-9.]+ ([0-9.]+)L[0-9. ]+Z" fill="(#[0-9a-f]{6})"`)

// A drawnBox is an area of an SVG.
type drawnBox struct {
	x0, y0, x1, y1 float64
	fill           string
}

func boxesOf(t *testing.T, picture string) (list []drawnBox) {
	t.Helper()
	for _, m := range boxPattern.FindAllStringSubmatch(picture, -1) {
		var b drawnBox
		if _, err := fmt.Sscan(strings.Join(m[1:], " "), &b.x0, &b.y0, &b.x1, &b.y1, &b.fill); err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	return list
}

// Each event has its part of the cell and its colour in cBioPortal's palette, and other colours by default.
func TestOncoprintCells(t *testing.T) {
	for _, c := range []struct {
		cell     GeneCell
		fill     string
		from, to float64
	}{
		{GeneCell{Copies: "AMP"}, "#ff0000", 0, 1},
		{GeneCell{Copies: "GAIN"}, "#ffb6c1", 0, 1},
		{GeneCell{Copies: "HETLOSS"}, "#8fd8d8", 0, 1},
		{GeneCell{Copies: "HOMDEL"}, "#0000ff", 0, 1},
		{GeneCell{Mutation: "MISSENSE"}, "#008000", .3333, .6667},
		{GeneCell{Mutation: "TRUNC"}, "#000000", .3333, .6667},
		{GeneCell{Mutation: "INFRAME"}, "#993404", .3333, .6667},
		{GeneCell{Mutation: "PROMOTER"}, "#00b7ce", .3333, .6667},
		{GeneCell{Mutation: "OTHER"}, "#cf58bc", .3333, .6667},
		{GeneCell{Fusion: true}, "#8b00c9", .2, .8},
		{GeneCell{Protein: 1}, "#ff3df8", 0, .2},
		{GeneCell{Protein: -1}, "#00e1ff", .8, 1},
		{GeneCell{Mutation: "TRUNC", Germline: true}, "#ffffff", .46, .54},
	} {
		boxes := boxesOf(t, pictureOf(t, oncoprintOf(c.cell, GeneCell{}), Options{Palette: "cbioportal"}))
		ground := drawnBox{}
		for _, b := range boxes {
			if b.fill == "#bebebe" && b.x1-b.x0 > 20 {
				ground = b
			}
		}
		found := false
		for _, b := range boxes {
			from, to := (b.y0-ground.y0)/(ground.y1-ground.y0), (b.y1-ground.y0)/(ground.y1-ground.y0)
			found = found || b.fill == c.fill && near(from, c.from) && near(to, c.to)
		}
		if !found {
			t.Errorf("%+v: want %s from %g to %g of the height of %v, got %v", c.cell, c.fill, c.from, c.to, ground, boxes)
		}
	}
	if picture := pictureOf(t, oncoprintOf(GeneCell{Copies: "AMP", Mutation: "MISSENSE"}), Options{}); strings.Contains(picture, "#ff0000") || strings.Contains(picture, "#008000") {
		t.Error("want no red and green by default, got them")
	}
}

func near(a, b float64) bool { return a-b < .03 && b-a < .03 }

// A column that was not profiled has a line in place of the ground, and the legend has what occurs.
func TestOncoprintLegend(t *testing.T) {
	all := []string{
		"Amplification", "Deep deletion", "Gain", "Missense", "Truncating", "Structural variant", "High expression", "Not profiled", "No alteration",
	}
	for _, c := range []struct {
		cells []GeneCell
		want  string
	}{
		{[]GeneCell{{Copies: "AMP"}, {}}, "Amplification|No alteration"},
		{[]GeneCell{{Mutation: "TRUNC"}, {NotProfiled: true}}, "Truncating|Not profiled|No alteration"},
		{[]GeneCell{{Fusion: true}, {Expression: 1}}, "Structural variant|High expression|No alteration"},
	} {
		picture := pictureOf(t, oncoprintOf(c.cells...), Options{})
		for _, name := range all {
			if want, got := strings.Contains(c.want, name), strings.Contains(picture, ">"+name+"<"); want != got {
				t.Errorf("%+v: want %s in the legend: %v, got %v", c.cells, name, want, got)
			}
		}
	}
	text, err := New("oncoprint", oncoprintOf(GeneCell{Mutation: "MISSENSE"}, GeneCell{}, GeneCell{NotProfiled: true}))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Terminal(text, Options{Cols: 60, Rows: 10})
	if err != nil || !strings.Contains(plain, "MMM···---") && !strings.Contains(plain, "MM··--") {
		t.Errorf("want a sign for each state at a terminal, got %v\n%s", err, plain)
	}
}

// Without colour the legend explains the sign of several kinds of alteration, if a cell has it.
func TestOncoprintLegendOfSeveralKinds(t *testing.T) {
	several := GeneCell{Mutation: "MISSENSE", Copies: "AMP"}
	for _, c := range []struct {
		cell GeneCell
		want bool
	}{{several, true}, {GeneCell{Copies: "AMP"}, false}} {
		ch, err := New("oncoprint", oncoprintOf(c.cell, GeneCell{}))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Terminal(ch, Options{Cols: 60, Rows: 12})
		if got := strings.Contains(text, "Several kinds"); err != nil || got != c.want {
			t.Errorf("%+v: want several kinds in the legend: %v, got %v, %v\n%s", c.cell, c.want, got, err, text)
		}
	}
}

// Among 10,000 columns one event is still seen, and a rare event wins over a frequent one of its kind.
func TestOncoprintRareEvents(t *testing.T) {
	cells := make([]GeneCell, 10_000)
	for i := range cells {
		if i%3 == 0 {
			cells[i].Mutation = "MISSENSE"
		}
	}
	cells[4321] = GeneCell{Copies: "HOMDEL", Mutation: "PROMOTER"}
	cells[8765].Fusion = true
	d := oncoprintOf(cells...)
	for _, o := range []Options{{Width: 500}, {Width: 1600}, {}} {
		fills := map[string]int{}
		for _, b := range boxesOf(t, pictureOf(t, d, o)) {
			if b.x0 > 100 && b.y1-b.y0 > 5 && b.x1-b.x0 < 8 {
				fills[b.fill]++
			}
		}
		for name, fill := range map[string]string{"deep deletion": "#0072b2", "promoter": "#56b4e9", "structural variant": "#9a3f97"} {
			if fills[fill] == 0 {
				t.Errorf("width %d: want the only %s (%s) to be drawn, got %v", o.Width, name, fill, fills)
			}
		}
	}
	track := GeneTrack{Cells: []GeneCell{{NotProfiled: true}, {}, {Copies: "AMP"}, {Copies: "AMP"}, {Copies: "GAIN"}, {NotProfiled: true}}}
	f := track.frequencies()
	for _, c := range []struct {
		first, last int
		want        GeneCell
	}{
		{0, 1, GeneCell{NotProfiled: true}}, {0, 2, GeneCell{}}, {5, 6, GeneCell{NotProfiled: true}},
		{0, 3, GeneCell{Copies: "AMP"}}, {0, 6, GeneCell{Copies: "GAIN"}},
	} {
		if got := track.merge(c.first, c.last, f); got != c.want {
			t.Errorf("columns %d to %d: want %+v, got %+v", c.first, c.last, c.want, got)
		}
	}
}
