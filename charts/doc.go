// Package charts draws data as pictures: SVG, PNG, or characters of a terminal.
//
//	bars := charts.Bar{Labels: charts.Labels{Title: "TP53 mutation classes", Y: "Count"},
//		Bars: []charts.Value{{Name: "Missense", Value: 48}, {Name: "Nonsense", Value: 7}}}
//	svg, err := charts.SVG(bars, charts.Options{})
//
// A chart is a value with its data; each kind is one file. It draws on a canvas in
// pixels, and the canvas on a chart.Renderer of go-chart: go-chart's own for PNG, one
// that escapes text for SVG, and one of Unicode cells for a terminal. So a kind is
// drawn by the same code for all three. Statistics are not computed here: a chart
// takes estimates and shows them. The exceptions are those that exist only to be
// drawn, the bins of a histogram and the kernel density of a sample.
//
// Rules that every kind keeps: a title is never cut, it wraps; labels of an axis never
// overlap, they wrap, turn to the other axis, or every second one is left out; bars
// start at zero; axes have round ticks; no information is in colour alone.
package charts
