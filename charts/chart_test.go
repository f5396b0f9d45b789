package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

var hostile = []string{"<script>alert(1)</script>", "A & B \"quoted\" 'x'", "\x00\x01\x1b[31mred", "rtl \u202etxt.exe", "\xff\xfe broken", "]]>", "\ufffe\uffff", strings.Repeat("long ", 300), "日本語のラベル", ""}

func TestHostileLabelsAreText(t *testing.T) {
	for _, s := range hostile {
		ch := chartOf(t, "bar", Values{Labels: Labels{Title: s, Subtitle: s, Group: s, Value: s, Note: s}, List: []Value{{s, 3}, {s, 4}}})
		svg, err := SVG(ch, Options{})
		if err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(bytes.NewReader(svg))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", s, err)
			}
			if e, ok := token.(xml.StartElement); ok && !slices.Contains([]string{"svg", "title", "desc", "path", "text"}, e.Name.Local) {
				t.Errorf("%q: element %s", s, e.Name.Local)
			}
		}
		if strings.ContainsAny(string(svg), "\u202e\x1b\x00") {
			t.Errorf("%q: a control character is in the picture", s)
		}
		text, err := Terminal(ch, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(text, "\u202e\x1b\x00") {
			t.Errorf("%q: a control character is at the terminal", s)
		}
	}
}

// chartOf returns a chart of the given kind.
func chartOf(t testing.TB, kind string, d Data) Chart {
	t.Helper()
	ch, err := New(kind, d)
	if err != nil {
		t.Fatal(err)
	}
	return ch
}

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Width: 239}, "width must be 240 to 4096, not 239"},
		{Options{Height: 5000}, "height must be 160 to 4096, not 5000"},
		{Options{Cols: 19}, "cols must be 20 to 500, not 19"},
		{Options{Rows: 201}, "rows must be 8 to 200, not 201"},
		{Options{Scale: 4.1}, "scale must be 0.5 to 4, not 4.1"},
		{Options{Scale: math.NaN()}, "scale must be 0.5 to 4, not NaN"},
		{Options{Theme: "neon"}, `unknown chart theme "neon"; available: light, dark, solarized, minimal`},
		{Options{Palette: "rainbow"}, `unknown chart palette "rainbow"; available: okabe-ito, wong`},
	} {
		t.Run(c.want, func(t *testing.T) {
			if err := c.o.Check(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%+v: %v", c.o, err)
			}
		})
	}
	if err := (Options{Palette: "tol_bright", Theme: "solarized"}).Check(); err != nil {
		t.Error(err)
	}
}

// The contrast of every text to its background is at least 4.5 (WCAG 2.2, 1.4.3), by
// WCAG's relative luminance.
func TestTextCanBeRead(t *testing.T) {
	for _, th := range themes {
		for name, ink := range map[string]drawing.Color{"text": th.text, "muted": th.muted} {
			if got := contrast(ink, th.background); got < 4.5 {
				t.Errorf("%s: the contrast of %s is %.2f", th.name, name, got)
			}
		}
	}
}

// Every colour of every palette is visible on every theme's background, so no group is yellow on
// white.
func TestGroupsCanBeSeen(t *testing.T) {
	for _, theme := range Themes() {
		for _, palette := range Palettes() {
			t.Run(theme+" "+palette, func(t *testing.T) {
				_, l, err := Options{Theme: theme, Palette: palette}.resolve("")
				if err != nil {
					t.Fatal(err)
				}
				for i := range 20 {
					if got := contrast(l.color(i), l.background); got < minContrast {
						t.Errorf("the contrast of colour %d is %.2f", i, got)
					}
					if got := contrast(readable(l.color(i)), l.color(i)); got < minContrast {
						t.Errorf("the contrast of a text on colour %d is %.2f", i, got)
					}
				}
				for _, class := range append(mutationClasses, "unknown") {
					if got := contrast(l.classColor(class), l.background); got < minContrast {
						t.Errorf("the contrast of %s is %.2f", class, got)
					}
				}
			})
		}
	}
	if minContrast < 3 {
		t.Errorf("the minimum contrast is %v, want at least 3", float64(minContrast))
	}
	if contrast(hex("000000"), hex("ffffff")) != 21 {
		t.Error("the contrast of black and white is 21, by definition")
	}
}

func TestPNGHasTheSizeAskedFor(t *testing.T) {
	ch := chartOf(t, "bar", Values{List: []Value{{"a", 1}}})
	image, err := PNG(ch, Options{Width: 300, Height: 200, Scale: 1.5})
	if err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(bytes.NewReader(image))
	if err != nil || c.Width != 450 || c.Height != 300 {
		t.Errorf("%+v, %v", c, err)
	}
	var size *SizeError
	if _, err := PNG(ch, Options{Width: 4096, Height: 4096, Scale: 4}); !errors.As(err, &size) || size.Width != 4*4096 {
		t.Errorf("an image of 268 million pixels: %v", err)
	}
}

// An image for a model has the requested width unless it would exceed the byte limit, and has the
// chart's colours.
func TestPicture(t *testing.T) {
	d := Matrix{}
	for i := range 20 {
		d.Rows = append(d.Rows, fmt.Sprint("gene", i))
		row := make([]float64, 20)
		for j := range row {
			row[j] = math.Exp(math.Sin(float64(i*j)) * 3)
		}
		d.Ratios = append(d.Ratios, row)
	}
	d.Columns = d.Rows
	ch := chartOf(t, "heatmap", d)
	for most, width := range map[int]int{150_000: 1200, 50_000: 0} {
		for _, o := range []Options{{}, {Width: 240, Height: 4096}} {
			data, err := ModelPNG(ch, o, 1200, most)
			if err != nil {
				t.Fatal(err)
			}
			picture, err := png.Decode(bytes.NewReader(data))
			if err != nil || len(data) >= most || width > 0 && o.Height == 0 && picture.Bounds().Dx() != width {
				t.Errorf("%+v: %d bytes, %v, %v", o, len(data), picture.Bounds(), err)
			}
			if r, g, b, _ := picture.At(1, 1).RGBA(); r&g&b != 0xffff {
				t.Error("the background is not white")
			}
		}
	}
	if _, err := ModelPNG(chartOf(t, "pie", Parts{}), Options{Log: true}, 1200, 1000); err == nil {
		t.Error("a pie with a logarithmic axis")
	}
}

// A terminal chart has exactly the requested number of rows, and no row exceeds its columns.
func TestTerminalSize(t *testing.T) {
	ch := chartOf(t, "box", Samples{Labels: Labels{Title: "日本語 title"}, Groups: []Sample{{"a", []float64{1, 2, 3, 9}}, {"b", nil}}})
	for _, color := range []bool{false, true} {
		for _, o := range []Options{{Cols: 20, Rows: 8}, {Cols: 80, Rows: 24}, {Cols: 500, Rows: 200}} {
			o.Color = color
			text, err := Terminal(ch, o)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			if len(lines) != o.Rows {
				t.Errorf("%d rows, want %d", len(lines), o.Rows)
			}
			for _, l := range lines {
				if !color && runewidth.StringWidth(l) > o.Cols {
					t.Errorf("a row of %d columns, want at most %d: %q", runewidth.StringWidth(l), o.Cols, l)
				}
			}
			if strings.Contains(text, "\x1b") != color {
				t.Errorf("escape codes: %v", !color)
			}
		}
	}
}

// Ticks are multiples of 1, 2 or 5 times a power of ten, lie on the axis, and have about the
// requested number.
func TestTicksAreRound(t *testing.T) {
	for _, a := range []axis{{min: 0, max: 1}, {min: -3.7, max: 12.2}, {min: 0, max: 16.7e6}, {min: 1e-7, max: 3e-7}, {min: 0, max: 1, integers: true}, {min: 0, max: 7, integers: true}} {
		for n := 1; n < 12; n++ {
			step := a.step(n)
			mantissa := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
			if !slices.ContainsFunc([]float64{1, 2, 5}, func(v float64) bool { return math.Abs(v-mantissa) < 1e-6 }) {
				t.Errorf("%+v: step %g", a, step)
			}
			if a.integers && step < 1 {
				t.Errorf("%+v: step %g of an axis of counts", a, step)
			}
			r := a.extendToTicks(n)
			ticks := r.roundTicks(n)
			if len(ticks) == 0 || len(ticks) > 2*n+2 {
				t.Errorf("%+v: %d ticks, asked for %d", a, len(ticks), n)
			}
			if n > 2 && math.Abs(ticks[0].at-r.min) > 1e-9*step || n > 2 && math.Abs(ticks[len(ticks)-1].at-r.max) > 1e-6*step {
				t.Errorf("%+v: ticks from %g to %g", r, ticks[0].at, ticks[len(ticks)-1].at)
			}
		}
	}
}

// The length of a bar is its value, because axes of bars start at zero.
func TestBarsStartAtZero(t *testing.T) {
	a := span(true, 770, 835).extendToTicks(6)
	if a.min != 0 || math.Abs(a.share(835)/a.share(770)-835./770) > 1e-12 {
		t.Errorf("%+v", a)
	}
	if a := span(true, -3, -9); a.max != 0 {
		t.Errorf("%+v", a)
	}
	if a := span(false, math.NaN(), math.Inf(1)); a.min != 0 || a.max != 1 {
		t.Errorf("%+v", a)
	}
}

func TestDensityHasTheAreaOne(t *testing.T) {
	v := sortFinite([]float64{1, 2, 2.5, 4, 4.2, 9, math.NaN()})
	var at []float64
	for x := -20.0; x < 30; x += .01 {
		at = append(at, x)
	}
	sum := 0.0
	for _, d := range kernelDensity(v, at) {
		sum += d * .01
	}
	if math.Abs(sum-1) > 1e-3 {
		t.Errorf("area %g", sum)
	}
	if kernelDensity([]float64{3, 3}, at) != nil {
		t.Error("equal values have a density")
	}
	// R: quantile(c(1,2,2.5,4,4.2,9), c(.25,.5,.75)) is 2.125, 3.25, 4.15
	for p, want := range map[float64]float64{.25: 2.125, .5: 3.25, .75: 4.15, 0: 1, 1: 9} {
		t.Run(fmt.Sprint(p), func(t *testing.T) {
			if got := quantile(v, p); math.Abs(got-want) > 1e-12 {
				t.Errorf("quantile %g is %g, want %g", p, got, want)
			}
		})
	}
}

func TestScatterOfManyPointsIsBinnedAndSmall(t *testing.T) {
	p := Points{Name: "all"}
	for i := range 20_000 {
		p.Comparisons, p.Values = append(p.Comparisons, math.Sin(float64(i))), append(p.Values, math.Cos(float64(i)*1.7))
	}
	svg, err := SVG(chartOf(t, "scatter", Pairs{Groups: []Points{p}}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(svg) > 200_000 || !strings.Contains(string(svg), "20000 points are binned") {
		t.Errorf("%d bytes, binning said: %v", len(svg), strings.Contains(string(svg), "are binned"))
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		if len(s) > 2000 {
			return
		}
		width = max(2, min(80, width))
		lines := wrap(clean(s), float64(width), func(s string) float64 { return float64(cellsOf(s)) })
		if got, want := strings.Join(strings.Fields(strings.Join(lines, "")), ""), strings.ReplaceAll(clean(s), " ", ""); got != want {
			t.Errorf("%q became %q", want, got)
		}
		for _, l := range lines {
			if !utf8.ValidString(l) || cellsOf(l) > width && utf8.RuneCountInString(l) > 1 {
				t.Errorf("line %q is wider than %d", l, width)
			}
		}
	})
}

func BenchmarkSVG_20kPoints(b *testing.B) {
	p := Points{Name: "all"}
	for i := range 20_000 {
		p.Comparisons, p.Values = append(p.Comparisons, math.Sin(float64(i))), append(p.Values, math.Cos(float64(i)*1.7))
	}
	ch := chartOf(b, "scatter", Pairs{Groups: []Points{p}})
	for b.Loop() {
		if _, err := SVG(ch, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A muted group lies under the groups before it.
func TestMutedPointsLieUnderTheOthers(t *testing.T) {
	one := []float64{1}
	for n, want := range map[int][2]string{1: {"2, 2", "1, 1"}, maxPoints: {"2000 points", "1 points"}} {
		muted := Points{Name: "unknown", Muted: true}
		for range n {
			muted.Values, muted.Comparisons = append(muted.Values, 2), append(muted.Comparisons, 2)
		}
		d := Pairs{Groups: []Points{{Name: "mutated", Values: one, Comparisons: one}, muted}}
		svg, err := SVG(chartOf(t, "scatter", d), Options{})
		if err != nil {
			t.Fatal(err)
		}
		under, over := strings.Index(string(svg), ">"+want[0]+"<"), strings.Index(string(svg), ">"+want[1]+"<")
		if under < 0 || over < under {
			t.Errorf("%d muted points: got %q at %d and %q at %d, want the first one first", n, want[0], under, want[1], over)
		}
	}
}

// A circle of binned points has the same scale in every group: one point is smaller than a thousand.
func TestBinnedCirclesOfAllGroupsHaveOneScale(t *testing.T) {
	many, one := Points{Name: "many"}, Points{Name: "one", Values: []float64{2}, Comparisons: []float64{2}}
	for range maxPoints {
		many.Values, many.Comparisons = append(many.Values, 1), append(many.Comparisons, 1)
	}
	svg, err := SVG(chartOf(t, "scatter", Pairs{Groups: []Points{many, one}}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(svg), "a7 7 0 1 0"); got != 2 {
		t.Errorf("got %d arcs of the greatest radius, want the 2 of one circle", got)
	}
}
