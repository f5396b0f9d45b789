package charts

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"github.com/golang/freetype/truetype"
	"github.com/mattn/go-runewidth"
	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// A terminal cell is 8 by 16 pixels, with 2 by 4 dots (Unicode's braille patterns, U+2800).
const (
	cellWidth, cellHeight = 8, 16
	dotSize               = 4
)

func cellsOf(s string) int { return runewidth.StringWidth(s) }

// cells is a chart.Renderer that draws with the characters of a terminal: lines as braille dots,
// areas as block characters, and text as itself.
type cells struct {
	chart.Renderer // nil, so a chart that needs another method panics
	cols, rows     int
	grid           []cell
	background     drawing.Color
	inColor        bool
	shades         []drawing.Color // fill colours in the order of their first use

	strokeColor, fillColor, textColor drawing.Color
	dash                              []float64
	paths                             [][]point
}

type cell struct {
	dots, area          uint8  // bits as in a braille pattern
	text                rune   // -1: covered by a wide character to the left
	marks               string // combining marks above or below text
	dotColor, areaColor drawing.Color
	textColor           drawing.Color
	faint               bool // the area is translucent
	shade               int  // index of the area's colour in cells.shades
}

func newCells(cols, rows int, background drawing.Color, color bool) *cells {
	return &cells{cols: cols, rows: rows, grid: make([]cell, cols*rows), background: background, inColor: color}
}

func (t *cells) SetFont(*truetype.Font)            {}
func (t *cells) SetDPI(float64)                    {}
func (t *cells) SetFontSize(float64)               {}
func (t *cells) SetStrokeWidth(float64)            {}
func (t *cells) SetStrokeColor(c drawing.Color)    { t.strokeColor = c }
func (t *cells) SetFillColor(c drawing.Color)      { t.fillColor = c }
func (t *cells) SetFontColor(c drawing.Color)      { t.textColor = c }
func (t *cells) SetStrokeDashArray(dash []float64) { t.dash = dash }
func (t *cells) MoveTo(x, y int)                   { t.paths = append(t.paths, []point{{float64(x), float64(y)}}) }

func (t *cells) LineTo(x, y int) {
	last := len(t.paths) - 1
	t.paths[last] = append(t.paths[last], point{float64(x), float64(y)})
}

func (t *cells) Close() {
	last := len(t.paths) - 1
	t.paths[last] = append(t.paths[last], t.paths[last][0])
}

// Circle adds a circle to the path, or draws a small one as a dot.
func (t *cells) Circle(radius float64, x, y int) {
	if radius < 6 {
		t.dot(float64(x), float64(y), t.fillColor)
		return
	}
	t.MoveTo(x+int(radius), y)
	t.ArcTo(x, y, radius, radius, 0, 2*math.Pi)
}

// ArcTo adds an arc to the path.
func (t *cells) ArcTo(cx, cy int, rx, ry, start, delta float64) {
	last, steps := len(t.paths)-1, max(2, int(delta*16))
	for i := range steps + 1 {
		a := start + delta*float64(i)/float64(steps)
		t.paths[last] = append(t.paths[last], point{float64(cx) + rx*math.Cos(a), float64(cy) + ry*math.Sin(a)})
	}
}

func (t *cells) Stroke() {
	t.outline()
	t.paths = nil
}

func (t *cells) FillStroke() {
	t.fill()
	t.outline()
	t.paths = nil
}

func (t *cells) Fill() {
	t.fill()
	t.paths = nil
}

// braille holds the bit of each dot, by its column and row in the cell.
var braille = [2][4]uint8{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

func (t *cells) at(x, y float64) (c *cell, bit uint8) {
	dx, dy := int(math.Floor(x/dotSize)), int(math.Floor(y/dotSize))
	if dx < 0 || dy < 0 || dx >= 2*t.cols || dy >= 4*t.rows {
		return nil, 0
	}
	return &t.grid[dy/4*t.cols+dx/2], braille[dx%2][dy%4]
}

func (t *cells) dot(x, y float64, color drawing.Color) {
	if c, bit := t.at(x, y); c != nil {
		c.dots |= bit
		c.dotColor = color
	}
}

func (t *cells) outline() {
	period := 0.0
	for _, d := range t.dash {
		period += d
	}
	for _, path := range t.paths {
		along := 0.0
		for i := 1; i < len(path); i++ {
			a, b := path[i-1], path[i]
			steps := max(1, int(math.Max(math.Abs(b.x-a.x), math.Abs(b.y-a.y))/2))
			length := math.Hypot(b.x-a.x, b.y-a.y)
			for s := range steps + 1 {
				share := float64(s) / float64(steps)
				if period == 0 || math.Mod(along+share*length, period) < t.dash[0] {
					t.dot(a.x+share*(b.x-a.x), a.y+share*(b.y-a.y), t.strokeColor)
				}
			}
			along += length
		}
	}
}

// fill fills the paths by the even-odd rule, at the centre of each dot.
func (t *cells) fill() {
	if t.fillColor == t.background {
		return
	}
	if !slices.Contains(t.shades, t.fillColor) {
		t.shades = append(t.shades, t.fillColor)
	}
	for row := range 4 * t.rows {
		y := float64(row)*dotSize + dotSize/2
		var crossings []float64
		for _, path := range t.paths {
			for i := range path {
				a, b := path[i], path[(i+1)%len(path)]
				if a.y <= y != (b.y <= y) {
					crossings = append(crossings, a.x+(y-a.y)/(b.y-a.y)*(b.x-a.x))
				}
			}
		}
		slices.Sort(crossings)
		for i := 0; i+1 < len(crossings); i += 2 {
			for x := math.Ceil(crossings[i]/dotSize-.5)*dotSize + dotSize/2; x < crossings[i+1]; x += dotSize {
				c, bit := t.at(x, y)
				if c == nil {
					continue
				}
				if faint := t.fillColor.A < 255; faint {
					c.faint = c.area == 0 || c.faint
				} else {
					c.faint = false
					c.dots &^= bit
				}
				c.area |= bit
				c.areaColor = mix(t.background, t.fillColor, float64(t.fillColor.A)/255)
				c.shade = slices.Index(t.shades, t.fillColor)
			}
		}
	}
}

// Text writes a line with its baseline at y.
func (t *cells) Text(body string, x, y int) {
	row, col := (y-cellHeight/2)/cellHeight, int(math.Round(float64(x)/cellWidth))
	var last *cell // cell of the previous character, or nil if that is outside
	for _, r := range body {
		width := runewidth.RuneWidth(r)
		if last != nil && width == 0 && unicode.Is(unicode.M, r) {
			last.marks += string(r)
			continue
		}
		last = nil
		if width == 0 || row < 0 || row >= t.rows || col < 0 || col+width > t.cols {
			col += width
			continue
		}
		c := &t.grid[row*t.cols+col]
		c.text, c.marks, c.textColor, last = r, "", t.textColor, c
		if width == 2 {
			t.grid[row*t.cols+col+1].text = -1
		}
		col += width
	}
}

// areaBlocks maps sets of dots to the block character that covers them.
var areaBlocks = map[uint8]rune{0xff: '█', 0xe4: '▄', 0xc0: '▂', 0xf6: '▆', 0x47: '▌', 0xb8: '▐', 0x1b: '▀'}

// areaShades distinguishes areas without colour.
var areaShades = []rune{'█', '▒', '▓', '░'}

// glyph returns the character of a cell and its colours. The area is drawn behind the dots.
func (c cell) glyph(inColor bool) (r rune, foreground, background drawing.Color, hasBackground bool) {
	block, isBlock := areaBlocks[c.area]
	if s := c.shade % len(areaShades); !inColor && s > 0 && bits.OnesCount8(c.area) >= 4 {
		block, isBlock = areaShades[s], true
	}
	if !isBlock {
		block = 0x2800 + rune(c.area)
	}
	if c.faint {
		block = '░'
	}
	full := c.area == 0xff && !c.faint
	switch {
	case c.text != 0:
		return c.text, c.textColor, c.areaColor, full
	case c.dots != 0 && (c.area == 0 || c.faint || inColor):
		return 0x2800 + rune(c.dots), c.dotColor, c.areaColor, full
	case c.dots != 0 && !full:
		return 0x2800 + rune(c.dots|c.area), c.dotColor, c.areaColor, false
	case c.dots != 0: // a line over an area is a gap in the area
		return 0x2800 + rune(^c.dots), c.dotColor, c.areaColor, false
	case c.area != 0:
		return block, c.areaColor, c.areaColor, false
	}
	return ' ', drawing.Color{}, drawing.Color{}, false
}

// Save writes the rows without trailing blanks, and successive blank rows as one.
func (t *cells) Save(w io.Writer) error {
	var b strings.Builder
	isBlank := true // the last row
	for row := range t.rows {
		line := t.grid[row*t.cols : (row+1)*t.cols]
		end := len(line)
		for end > 0 && line[end-1] == (cell{}) {
			end--
		}
		if end == 0 && isBlank {
			continue
		}
		isBlank = end == 0
		state := ""
		for _, c := range line[:end] {
			r, front, behind, isBehind := c.glyph(t.inColor)
			if r < 0 {
				continue
			}
			if t.inColor {
				code := "\x1b[0m"
				if r != ' ' {
					code = fmt.Sprintf("\x1b[0;38;2;%d;%d;%dm", front.R, front.G, front.B)
				}
				if isBehind {
					code += fmt.Sprintf("\x1b[48;2;%d;%d;%dm", behind.R, behind.G, behind.B)
				}
				if code != state {
					b.WriteString(code)
					state = code
				}
			}
			b.WriteRune(r)
			b.WriteString(c.marks)
		}
		if state != "" {
			b.WriteString("\x1b[0m")
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}
