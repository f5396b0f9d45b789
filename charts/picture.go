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

// ModelPNG draws a chart as a PNG image for a model, pixelWidth pixels wide and of fewer than
// maxBytes bytes. It ignores Options.Scale. The image has its 256 most frequent colours. If it is
// still too large, it becomes narrower, down to about 300 pixels.
func ModelPNG(ch Chart, o Options, pixelWidth, maxBytes int) ([]byte, error) {
	o, th, err := o.resolve("light")
	if err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	scale := math.Min(float64(pixelWidth)/width, math.Sqrt(maxPicturePixels/(width*height)))
	for {
		picture, err := pixels(ch, o, th, scale)
		if err != nil {
			return nil, err
		}
		if data, err := fewColors(picture); err != nil || len(data) < maxBytes || scale*width < 300 {
			return data, err
		}
		scale *= .8
	}
}

// maxPicturePixels is the maximum number of pixels of a ModelPNG. A very high image is narrower.
const maxPicturePixels = 1 << 22

// fewColors encodes an image as PNG with at most 256 of its colours. Other colours become the
// nearest of these.
func fewColors(from *image.RGBA) ([]byte, error) {
	counts := map[colors.RGBA]int{}
	runs := func(do func(c colors.RGBA, first, end int)) { // of pixels of one colour
		for at, end := 0, 0; at < len(from.Pix); at = end {
			c := [4]byte(from.Pix[at:])
			for end = at + 4; end < len(from.Pix) && [4]byte(from.Pix[end:]) == c; end += 4 {
			}
			do(colors.RGBA{c[0], c[1], c[2], c[3]}, at/4, end/4)
		}
	}
	runs(func(c colors.RGBA, first, end int) { counts[c] += end - first })
	all := slices.SortedFunc(maps.Keys(counts), func(a, b colors.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
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
	runs(func(c colors.RGBA, first, end int) { copy(to.Pix[first:], bytes.Repeat([]byte{index[c]}, end-first)) })
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, to)
	return b.Bytes(), err
}
