// Package charts draws data as images: SVG, PNG or text for a terminal.
//
//	ch, err := charts.New("bar", charts.Values{
//		Labels: charts.Labels{Title: "TP53 mutation classes", Value: "Count"},
//		List:   []charts.Value{{"Missense", 48}, {"Nonsense", 7}}})
//	svg, err := charts.SVG(ch, charts.Options{})
//
// Data has one of several forms, such as named values, samples or curves. A kind of chart is one
// value that draws a form; each kind has a file of its own and is available for all data of its
// form. Kinds draw on a canvas in pixels, and the canvas uses a chart.Renderer of go-chart:
// go-chart's own for PNG, one that escapes text for SVG, and one of Unicode cells for a terminal.
// The package computes only statistics that exist to be drawn: histogram bins, box quartiles and
// kernel densities.
//
// Package gallery shows every kind, and compares the images with those in its testdata. After an
// intended change, update the images and look at them:
//
//	go test ./charts/gallery -update
//
// Every kind keeps these rules. A title is never cut; it wraps. Axis labels never overlap: they
// wrap, move to the other axis, or are thinned out. Bars start at zero. Axes have round ticks. No
// information is in colour alone.
package charts
