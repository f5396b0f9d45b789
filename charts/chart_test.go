package charts

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

var hostile = []string{"<script>alert(1)</script>", "A & B \"quoted\" 'x'", "\x00\x01\x1b[31mred", "rtl \u202etxt.exe", "\xff\xfe broken", "]]>", "\ufffe\uffff", strings.Repeat("long ", 300), "日本語のラベル", ""}

func TestHostileLabelsAreText(t *testing.T) {
	for _, s := range hostile {
		ch := Bar{Labels: Labels{Title: s, Subtitle: s, X: s, Y: s, Note: s}, Bars: []Value{{s, 3}, {s, 4}}}
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

func TestOptionsAreChecked(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Width: 239}, "--width must be 240-4096"},
		{Options{Height: 5000}, "--height must be 160-4096"},
		{Options{Cols: 19}, "--cols must be 20-500"},
		{Options{Rows: 201}, "--rows must be 8-200"},
		{Options{Scale: 4.1}, "--scale must be 0.5-4.0"},
		{Options{Scale: math.NaN()}, "--scale must be 0.5-4.0"},
		{Options{Theme: "neon"}, `unknown chart theme "neon"; themes: light, dark, solarized, minimal`},
		{Options{Palette: "rainbow"}, `unknown chart palette "rainbow"; palettes: okabe-ito, wong`},
	} {
		if err := c.o.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	if err := (Options{Palette: "tol_bright", Theme: "solarized"}).Check(); err != nil {
		t.Error(err)
	}
}

func TestPNGHasTheSizeAskedFor(t *testing.T) {
	ch := Bar{Bars: []Value{{"a", 1}}}
	image, err := PNG(ch, Options{Width: 300, Height: 200, Scale: 1.5})
	if err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(bytes.NewReader(image))
	if err != nil || c.Width != 450 || c.Height != 300 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := PNG(ch, Options{Width: 4096, Height: 4096, Scale: 4}); err == nil {
		t.Error("an image of 268 million pixels was made")
	}
}

// A terminal chart has exactly the rows asked for, none wider than its columns.
func TestTerminalSize(t *testing.T) {
	for _, color := range []bool{false, true} {
		for _, o := range []Options{{Cols: 20, Rows: 8}, {Cols: 80, Rows: 24}, {Cols: 500, Rows: 200}} {
			o.Color = color
			text, err := Terminal(Box{Labels: Labels{Title: "日本語 title"}, Samples: []Sample{{"a", []float64{1, 2, 3, 9}}, {"b", nil}}}, o)
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

// Ticks are multiples of 1, 2 or 5 times a power of ten, on the axis, and about as many
// as asked for.
func TestTicksAreRound(t *testing.T) {
	for _, a := range []axis{{min: 0, max: 1}, {min: -3.7, max: 12.2}, {min: 0, max: 16.7e6}, {min: 1e-7, max: 3e-7}, {min: 0, max: 1, whole: true}, {min: 0, max: 7, whole: true}} {
		for n := 1; n < 12; n++ {
			step := a.step(n)
			mantissa := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9))
			if !slices.ContainsFunc([]float64{1, 2, 5}, func(v float64) bool { return math.Abs(v-mantissa) < 1e-6 }) {
				t.Errorf("%+v: step %g", a, step)
			}
			if a.whole && step < 1 {
				t.Errorf("%+v: step %g of an axis of counts", a, step)
			}
			r := a.rounded(n)
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

// A bar's length is its value: axes of bars begin at zero.
func TestBarsStartAtZero(t *testing.T) {
	a := span("", true, 770, 835).rounded(6)
	if a.min != 0 || math.Abs(a.share(835)/a.share(770)-835./770) > 1e-12 {
		t.Errorf("%+v", a)
	}
	if a := span("", true, -3, -9); a.max != 0 {
		t.Errorf("%+v", a)
	}
	if a := span("", false, math.NaN(), math.Inf(1)); a.min != 0 || a.max != 1 {
		t.Errorf("%+v", a)
	}
}

func TestDensityHasTheAreaOne(t *testing.T) {
	v := sorted([]float64{1, 2, 2.5, 4, 4.2, 9, math.NaN()})
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
		if got := quantile(v, p); math.Abs(got-want) > 1e-12 {
			t.Errorf("quantile %g is %g, want %g", p, got, want)
		}
	}
}

func TestScatterOfManyPointsIsBinnedAndSmall(t *testing.T) {
	p := Points{Name: "all"}
	for i := range 20_000 {
		p.X, p.Y = append(p.X, math.Sin(float64(i))), append(p.Y, math.Cos(float64(i)*1.7))
	}
	svg, err := SVG(Scatter{Groups: []Points{p}}, Options{})
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
		p.X, p.Y = append(p.X, math.Sin(float64(i))), append(p.Y, math.Cos(float64(i)*1.7))
	}
	for b.Loop() {
		if _, err := SVG(Scatter{Groups: []Points{p}}, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
