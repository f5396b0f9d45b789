package charts

import (
	"math"
	"sync"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// A look is a theme with a palette.
type look struct {
	name             string
	background, text drawing.Color
	muted, grid      drawing.Color // ticks and notes; grid lines
	frame            bool          // draw axes and grid
	palette          []drawing.Color
	classes          []drawing.Color // colours of mutationClasses; nil: those of the palette
}

// themes holds the colours of everything except the data. The contrast between text and
// background is at least 4.5 (WCAG 2.2, 1.4.3).
var themes = []look{
	{name: "light", background: hex("ffffff"), text: hex("1f2328"), muted: hex("57606a"), grid: hex("e4e7eb"), frame: true},
	{name: "dark", background: hex("16191d"), text: hex("e6e8eb"), muted: hex("a2a9b3"), grid: hex("2f353d"), frame: true},
	{name: "solarized", background: hex("fdf6e3"), text: hex("073642"), muted: hex("586e75"), grid: hex("eee8d5"), frame: true},
	{name: "minimal", background: hex("ffffff"), text: hex("222222"), muted: hex("5f5f5f"), grid: hex("ffffff")},
}

// A palette holds colours as hexadecimal numbers separated by spaces, which are read when a chart is drawn.
type palette struct {
	name   string
	groups string // colours of groups
	types  string // colours of mutationClasses; "" if they have the colours of groups
}

func (p palette) colors() []drawing.Color { return hexes(p.groups) }

// classes returns the colours of mutationClasses, or nil if these have the colours of groups.
func (p palette) classes() []drawing.Color {
	if p.types == "" {
		return nil
	}
	return hexes(p.types)
}

// palettes holds the colours of groups in the order of use, so that the first two differ most.
// Sources: okabe-ito and wong (Okabe and Ito 2008; Wong, Nature Methods 8, 441, 2011), tol-*
// (Paul Tol's notes on colour schemes, 2021), ibm (IBM Design Language, 2018), category10 (D3),
// pastel (ColorBrewer Pastel1), bold (CARTOColors), cbioportal (chartColors of its study view,
// and the mutation classes of [cbioportalClasses]). deuteranopia, protanopia and tritanopia hold the colours of Tol and of Okabe and Ito
// that differ most for these readers.
var palettes = []palette{
	{"okabe-ito", "0072b2 d55e00 009e73 cc79a7 e69f00 56b4e9 999999 f0e442", ""},
	{"wong", "e69f00 56b4e9 009e73 f0e442 0072b2 d55e00 cc79a7 999999", ""},
	{"tol-bright", "4477aa ee6677 228833 ccbb44 66ccee aa3377 bbbbbb", ""},
	{"tol-muted", "332288 cc6677 117733 ddcc77 88ccee 882255 44aa99 999933 aa4499 bbbbbb", ""},
	{"tol-light", "77aadd ee8866 44bb99 ffaabb eedd88 99ddff bbcc33 aaaa00 bbbbbb", ""},
	{"ibm", "648fff dc267f ffb000 785ef0 fe6100", ""},
	{"deuteranopia", "0072b2 e69f00 56b4e9 d55e00 332288 f0e442 999999", ""},
	{"protanopia", "0072b2 f0e442 56b4e9 e69f00 332288 ddcc77 999999", ""},
	{"tritanopia", "d55e00 009e73 cc6677 117733 882255 44aa99 999999", ""},
	{"category10", "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf", ""},
	{"pastel", "b3cde3 fbb4ae ccebc5 decbe4 fed9a6 e5d8bd fddaec d9d9d9", ""},
	{"bold", "3969ac e73f74 11a579 f2b701 7f3c8d 80ba5a e68310 008695 cf1c90 f97b72 a5aa99", ""},
	{"viridis", "440154 21918c fde725 3b528b 5ec962 472d7b 28ae80 addc30 2c728e", ""},
	{"cbioportal", "2986e2 dc3912 f88508 109618 990099 0099c6 dd4477 66aa00 b82e2e 316395", cbioportalClasses},
}

// Themes returns the names of the themes.
func Themes() []string {
	names := make([]string, len(themes))
	for i, t := range themes {
		names[i] = t.name
	}
	return names
}

// Palettes returns the names of the palettes.
func Palettes() []string {
	names := make([]string, len(palettes))
	for i, p := range palettes {
		names[i] = p.name
	}
	return names
}

// color returns the colour of group i. Past the end of the palette its colours are reused, mixed
// with the text colour.
func (l look) color(i int) drawing.Color {
	round := i / len(l.palette)
	return mix(l.palette[i%len(l.palette)], l.text, math.Min(.75, .3*float64(round)))
}

// minContrast is the minimum contrast between the colour of a group and the background (WCAG 2.2,
// 1.4.11). It darkens yellow on white, for example.
const minContrast = 3

// visible returns the colours, mixed with the text colour if their contrast to the background is
// too low.
func (l look) visible(colors []drawing.Color) []drawing.Color {
	list := make([]drawing.Color, len(colors))
	for i, c := range colors {
		list[i] = c
		for share := .05; contrast(list[i], l.background) < minContrast; share += .05 {
			list[i] = mix(c, l.text, share)
		}
	}
	return list
}

// contrast returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2, relative
// luminance).
func contrast(a, b drawing.Color) float64 {
	luminance := func(c drawing.Color) (sum float64) {
		for i, v := range []uint8{c.R, c.G, c.B} {
			s := float64(v) / 255
			if s > .04045 {
				s = math.Pow((s+.055)/1.055, 2.4)
			} else {
				s /= 12.92
			}
			sum += []float64{.2126, .7152, .0722}[i] * s
		}
		return sum + .05
	}
	x, y := luminance(a), luminance(b)
	return math.Max(x, y) / math.Min(x, y)
}

// diverging returns the colour of a share from 0 to 1 on ColorBrewer's scale RdBu, from blue
// through white to red.
func diverging(v float64) drawing.Color {
	v = math.Max(0, math.Min(1, v)) * float64(len(divergingStops())-1)
	i := min(int(v), len(divergingStops())-2)
	return mix(divergingStops()[i], divergingStops()[i+1], v-float64(i))
}

var divergingStops = sync.OnceValue(func() []drawing.Color {
	return hexes("2166ac 4393c3 92c5de d1e5f0 f7f7f7 fddbc7 f4a582 d6604d b2182b")
})

// mix returns the colour at the given share of the way from a to b.
func mix(a, b drawing.Color, share float64) drawing.Color {
	part := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return drawing.Color{R: part(a.R, b.R), G: part(a.G, b.G), B: part(a.B, b.B), A: 255}
}

// readable returns black or white, whichever has more contrast to the given colour.
func readable(on drawing.Color) drawing.Color {
	if black := hex("111111"); contrast(black, on) > contrast(hex("ffffff"), on) {
		return black
	}
	return hex("ffffff")
}

func hex(s string) drawing.Color { return drawing.ColorFromHex(s) }

func hexes(s string) (colors []drawing.Color) {
	for i := 0; i < len(s); i += 7 {
		colors = append(colors, hex(s[i:i+6]))
	}
	return colors
}
