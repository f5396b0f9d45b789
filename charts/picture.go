package charts

import (
	"bytes"
	"cmp"
	"image"
	colors "image/color"
	"image/png"
	"maps"
	"math"
	"slices"
)

// Picture draws a chart as a PNG image of some pixels in width and at most some bytes: what
// a model looks at. Options.Scale does not count. The image has the 256 colours that are
// most frequent in it; if it is still too large, it is narrower.
func Picture(ch Chart, o Options, pixelsWide, most int) ([]byte, error) {
	o, th, err := o.resolve("light")
	if err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	scale := math.Min(float64(pixelsWide)/width, math.Sqrt(mostPictured/(width*height)))
	for {
		picture, err := pixels(ch, o, th, scale)
		if err != nil {
			return nil, err
		}
		if data, err := fewColors(picture); err != nil || len(data) < most || scale*width < 300 {
			return data, err
		}
		scale *= .8
	}
}

// mostPictured is how many pixels a picture has at most; a very high one is narrower.
const mostPictured = 1 << 22

// fewColors is an image as PNG with at most 256 of its colours, each of the others as the
// nearest of these.
func fewColors(from *image.RGBA) ([]byte, error) {
	counts := map[colors.RGBA]int{}
	each := func(do func(x, y int)) {
		for y := range from.Bounds().Dy() {
			for x := range from.Bounds().Dx() {
				do(x, y)
			}
		}
	}
	each(func(x, y int) { counts[from.RGBAAt(x, y)]++ })
	all := slices.SortedFunc(maps.Keys(counts), func(a, b colors.RGBA) int {
		order := func(c colors.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
		return cmp.Or(counts[b]-counts[a], order(a)-order(b))
	})
	palette := make(colors.Palette, 0, 256)
	for _, c := range all[:min(256, len(all))] {
		palette = append(palette, c)
	}
	index := make(map[colors.RGBA]uint8, len(all))
	for _, c := range all {
		index[c] = uint8(palette.Index(c))
	}
	to := image.NewPaletted(from.Bounds(), palette)
	each(func(x, y int) { to.SetColorIndex(x, y, index[from.RGBAAt(x, y)]) })
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, to)
	return b.Bytes(), err
}
