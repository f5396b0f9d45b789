// Package charts draws data as pictures: SVG, PNG, or characters of a terminal.
//
//	ch, err := charts.New("bar", charts.Values{
//		Labels: charts.Labels{Title: "TP53 mutation classes", Value: "Count"},
//		List:   []charts.Value{{"Missense", 48}, {"Nonsense", 7}}})
//	svg, err := charts.SVG(ch, charts.Options{})
//
// Data has one of a few forms: named values, samples, curves. A kind of chart is one
// value that says how a form is drawn; each is in a file of its own, and is offered
// wherever there is data of its form. It draws on a canvas in pixels, and the canvas on
// a chart.Renderer of go-chart: go-chart's own for PNG, one that escapes text for SVG,
// and one of Unicode cells for a terminal. So one piece of code draws all three.
// Statistics are not computed here, except those that exist only to be drawn: the bins
// of a histogram, the quartiles of a box, the kernel density of a sample.
//
// Package gallery shows every kind, and compares the pictures with those in its
// testdata. After a change that is meant to be seen, renew them and look at them:
//
//	go test ./charts/gallery -update
//
// Rules that every kind keeps: a title is never cut, it wraps; labels of an axis never
// overlap, they wrap, turn to the other axis, or every second one is left out; bars
// start at zero; axes have round ticks; no information is in colour alone.
package charts
