package charts

// Axes are the labels of the axes of a chart, "" for none.
func (ch Chart) Axes() []string { return []string{ch.across, ch.up} }
