package charts

// Axes returns the axis labels of a chart, "" for an axis without a label.
func (ch Chart) Axes() []string { return []string{ch.xLabel, ch.yLabel} }
