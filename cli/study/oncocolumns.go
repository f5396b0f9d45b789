package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/charts"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/oncoprint"
	"biomcp/store/study/oql"
)

// columns decides which samples or patients are columns. With --overlap keep, a sample in several groups has
// a column in each.
func (b *oncoBuilder) columns() (err error) {
	lists := [][]bool{slices.Repeat([]bool{true}, len(b.samples.IDs))}
	keep := b.in.String("overlap") == "keep"
	var patients []int
	if hasGroups(b.in) {
		if b.groups, err = groupsOf(b.in, b.s, b.r, false); err != nil {
			return err
		}
		lists, patients = b.groups.members, b.groups.patients().Group
	}
	for k, in := range lists {
		for patient, of := range b.samples.ByPatient {
			of = slices.DeleteFunc(slices.Clone(of), func(i int) bool { return !in[i] })
			switch {
			case len(of) == 0, b.patients && patients != nil && !keep && patients[patient] != k:
				continue
			case b.patients:
				b.members = append(b.members, of)
			default:
				for _, i := range of {
					b.members = append(b.members, []int{i})
				}
			}
			for b.groups != nil && len(b.group) < len(b.members) {
				b.group = append(b.group, k)
			}
		}
	}
	b.mergeColumns()
	return nil
}

// mergeColumns sets the distinct samples or patients of the columns.
func (b *oncoBuilder) mergeColumns() {
	at := map[int]int{} // by sample or patient: the index in distinct
	for _, members := range b.members {
		unit := members[0]
		if b.patients {
			unit = b.samples.PatientOf[unit]
		}
		k, known := at[unit]
		if !known {
			k, at[unit] = len(b.distinct), len(b.distinct)
			b.distinct = append(b.distinct, nil)
		}
		for _, i := range members {
			if !slices.Contains(b.distinct[k], i) {
				b.distinct[k] = append(b.distinct[k], i)
			}
		}
	}
	b.isAltered, b.isProfiled = make([]bool, len(b.distinct)), make([]bool, len(b.distinct))
}

// id returns the ID of a column.
func (b *oncoBuilder) id(members []int) string {
	if b.patients {
		return b.samples.Patients[b.samples.PatientOf[members[0]]]
	}
	return b.samples.IDs[members[0]]
}

// track reads a track and counts it.
func (b *oncoBuilder) track(a *oncoAnswer, t oql.Track) error {
	d, err := b.Track(t)
	if err != nil {
		return err
	}
	events := bySample(d.Events, len(b.samples.IDs))
	cells := cellsOf(d, events, b.members)
	distinct := cells
	if len(b.distinct) != len(b.members) {
		distinct = cellsOf(d, events, b.distinct)
	}
	b.tracks = append(b.tracks, cells.cells)
	a.Tracks = append(a.Tracks, b.counts(t, cells.cells, distinct, d.Unlisted))
	if d.Unlisted {
		b.r.Notice(t.Name() + ": " + unlistedReason + ", so there is a count and no share")
	}
	return nil
}

// trackCells are the cells of a track.
type trackCells struct {
	cells  []oncoprint.Cell
	partly []bool // not altered, and not profiled for a kind of alteration
}

// cellsOf merges the alterations of the samples of each cell.
func cellsOf(d *oql.TrackData, events [][]oql.Event, cells [][]int) trackCells {
	out := trackCells{make([]oncoprint.Cell, len(cells)), make([]bool, len(cells))}
	for i, members := range cells {
		own, profiled, partly := events[members[0]], d.Profiled[members[0]], d.Partly[members[0]]
		for _, k := range members[1:] {
			own, profiled, partly = append(own, events[k]...), profiled || d.Profiled[k], partly || d.Partly[k]
		}
		out.cells[i], out.partly[i] = oncoprint.NewCell(own, profiled), partly && len(own) == 0
	}
	return out
}

// bySample divides events by sample.
func bySample(events []oql.Event, samples int) [][]oql.Event {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b oql.Event) int { return a.Sample - b.Sample })
	list := make([][]oql.Event, samples)
	for i, end := 0, 0; i < len(events); i = end {
		for end = i + 1; end < len(events) && events[end].Sample == events[i].Sample; end++ {
		}
		list[events[i].Sample] = events[i:end:end]
	}
	return list
}

// counts counts the alterations of a track: the columns of each group, and the distinct samples or patients.
func (b *oncoBuilder) counts(t oql.Track, columns []oncoprint.Cell, distinct trackCells, unlisted bool) oncoTrack {
	out := oncoTrack{Name: t.Name(), Query: oql.Query{t}.String()}
	for i := range distinct.cells {
		c := &distinct.cells[i]
		b.isAltered[i], b.isProfiled[i] = b.isAltered[i] || c.IsAltered(), b.isProfiled[i] || !c.NotProfiled
		out.Altered += b2i(c.IsAltered())
		out.NotProfiled += b2i(c.NotProfiled)
		out.Partly += b2i(distinct.partly[i])
		out.Mutated += b2i(c.Mutation != "")
		out.Copies += b2i(c.Copies != "")
		out.Fused += b2i(c.Fusion)
		out.Expression += b2i(c.Expression != oncoprint.None)
		out.Protein += b2i(c.Protein != oncoprint.None)
	}
	if b.groups != nil {
		out.Groups = result.Map(b.groups.list, func(g groupSummary) oncoShare { return oncoShare{Name: g.Name} })
		for i := range columns {
			g, c := &out.Groups[b.group[i]], &columns[i]
			g.Altered, g.Profiled = g.Altered+b2i(c.IsAltered()), g.Profiled+b2i(!c.NotProfiled)
		}
	}
	out.Profiled = len(distinct.cells) - out.NotProfiled
	out.Share = shareOf(out.Altered, out.Profiled, unlisted)
	for i := range out.Groups {
		g := &out.Groups[i]
		g.Share = shareOf(g.Altered, g.Profiled, unlisted)
	}
	return out
}

// shareOf returns a share, NaN without a denominator.
func shareOf(n, of int, unlisted bool) num {
	if of == 0 || unlisted {
		return nan
	}
	return num(float64(n) / float64(of))
}

// readClinical reads the tracks of --clinical and the attributes of --sort.
func (b *oncoBuilder) readClinical() error {
	for _, id := range words(b.in.String("clinical")) {
		t, err := b.clinicalTrack("clinical", id)
		if err != nil {
			return err
		}
		b.clinical = append(b.clinical, t)
	}
	return nil
}

// clinicalTrack reads an attribute. A patient whose samples have different categories has Mixed; numbers are
// averaged.
func (b *oncoBuilder) clinicalTrack(flag, id string) (t oncoClinical, err error) {
	if t.Attribute, err = attributeOf(b.in, b.s, flag, id); err != nil {
		return t, err
	}
	list, err := b.s.Values(t.Attribute)
	if err != nil {
		return t, err
	}
	numeric := list[0].Numbers().Numeric && slices.ContainsFunc(list[0].Sample, func(v string) bool { return v != "" })
	for _, members := range b.members {
		var texts []string
		sum, n := 0.0, 0
		for _, i := range members {
			text := list[0].Sample[i]
			if text != "" && !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
			low, high := study.Interval(text)
			if x := max(low, high); !math.IsNaN(x) {
				if math.IsInf(x, 1) { // a bound such as >89
					x = low
				}
				sum, n = sum+x, n+1
			}
		}
		text := strings.Join(texts, "")
		if len(texts) > 1 {
			text = "Mixed"
		}
		t.Values = append(t.Values, text)
		if numeric {
			t.Numbers = append(t.Numbers, sum/float64(n)) // NaN without a number
		}
	}
	return t, nil
}

// sortedBy returns the clinical tracks of --sort, by which the columns are sorted before the genes.
func (b *oncoBuilder) sortedBy() (list []*oncoprint.Clinical, err error) {
	for _, word := range words(b.in.String("sort")) {
		if word == "genes" || word == "id" {
			continue
		}
		t, err := b.clinicalTrack("sort", word)
		if err != nil {
			return nil, err
		}
		list = append(list, &t.Clinical)
	}
	return list, nil
}

// finish completes the answer with the matrix, in the order of the columns.
func (b *oncoBuilder) finish(a *oncoAnswer) {
	a.clinical = result.Map(b.clinical, func(t oncoClinical) string { return t.ID })
	a.Excluded = exclusions{}
	if b.groups != nil {
		a.SampleGroups, a.Excluded = b.groups.list, b.groups.excluded()
		if b.patients {
			shown := map[int]bool{}
			for _, members := range b.members {
				shown[b.samples.PatientOf[members[0]]] = true
			}
			a.Excluded = b.groups.count(b.groups.patients().Group, func(patient int) bool { return shown[patient] })
		}
	}
	for i := range b.distinct {
		a.Altered, a.Profiled = a.Altered+b2i(b.isAltered[i]), a.Profiled+b2i(b.isProfiled[i])
	}
	a.distinct = len(b.distinct)
	isMerged := result.Map(a.Tracks, func(t oncoTrack) bool { return strings.HasPrefix(t.Query, "[") })
	a.Rows = make([]oncoRow, 0, len(b.order))
	cells := make([]*string, len(b.order)*len(b.tracks))
	for _, i := range b.order {
		patient := b.samples.PatientOf[b.members[i][0]]
		row := oncoRow{Patient: b.samples.Patients[patient], Clinical: make([]any, 0, len(b.clinical))}
		row.Cells, cells = cells[:len(b.tracks):len(b.tracks)], cells[len(b.tracks):]
		if !b.patients {
			row.Sample = b.id(b.members[i])
		}
		if b.groups != nil {
			row.Group = b.groups.list[b.group[i]].Name
		}
		for k := range b.clinical {
			row.Clinical = append(row.Clinical, b.clinical[k].value(i))
		}
		for k := range b.tracks {
			row.Cells[k] = cellText(&b.tracks[k][i], isMerged[k])
		}
		a.Rows = append(a.Rows, row)
	}
	if partly := a.partlyProfiled(); partly != "" {
		b.r.Notice("profiled for some kinds of alteration of the track, not for all, and without one: " + partly)
	}
}

// partlyProfiled returns the numbers of samples that have no alteration of a track and were not profiled for all of
// its kinds, such as "TP53 31, KRAS 41".
func (a *oncoAnswer) partlyProfiled() string {
	var partly []string
	for _, t := range a.Tracks {
		if t.Partly > 0 {
			partly = append(partly, fmt.Sprintf("%s %d", t.Query, t.Partly))
		}
	}
	return strings.Join(partly[:min(10, len(partly))], ", ") + moreThan(len(partly), 10)
}

// value returns the value of a column, nil if missing.
func (t *oncoClinical) value(i int) any {
	switch {
	case t.Values[i] == "":
		return nil
	case t.Numbers != nil && !math.IsNaN(t.Numbers[i]) && !strings.ContainsAny(t.Values[i], "<>≤≥"):
		return t.Numbers[i]
	}
	return t.Values[i]
}

// noAlteration is the text of each cell without an alteration.
var noAlteration = ""

// cellText returns the alterations of a cell, "" if there are none, and nil if it was not profiled. With
// withGene, each has its gene.
func cellText(c *oncoprint.Cell, withGene bool) *string {
	switch {
	case c.NotProfiled:
		return nil
	case len(c.Events) == 0:
		return &noAlteration
	}
	var parts []string
	for _, e := range c.Events {
		text := ""
		switch e.Kind {
		case oql.Mutation:
			text = strings.TrimSpace(e.Class + " " + e.Change)
		case oql.CopyNumber:
			text = oql.CopyState(e.Copies)
		case oql.Fusion:
			text = "FUSION " + e.Change
		default:
			text = string(e.Kind) + map[bool]string{true: " high", false: " low"}[e.High]
		}
		for _, mark := range []struct {
			is   bool
			text string
		}{{e.Germline, " germline"}, {e.Driver, " driver"}} {
			if mark.is {
				text += mark.text
			}
		}
		if withGene {
			text = e.Gene + " " + text
		}
		if !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return new(strings.Join(parts, "; "))
}

// chart returns the data for the picture.
func (b *oncoBuilder) chart(a *oncoAnswer) charts.Data {
	d := charts.Oncoprint{Labels: charts.Labels{
		Title:    "Oncoprint (" + a.Study + ")",
		Subtitle: fmt.Sprintf("Altered in %d of %d profiled %s", a.Altered, a.Profiled, a.Unit), Count: a.Unit,
		Note: a.Excluded.note(a.Unit),
	}}
	if partly := a.partlyProfiled(); partly != "" {
		d.Note = strings.TrimSpace(d.Note + " Without an alteration, and profiled for some kinds only: " + partly + ".")
	}
	for _, i := range b.order {
		d.Columns = append(d.Columns, b.id(b.members[i]))
	}
	for k, cells := range b.tracks {
		t := charts.GeneTrack{Name: a.Tracks[k].shownName(a.Tracks), Share: percent(a.Tracks[k].Share)}
		for n, i := range b.order {
			c := &cells[i]
			cell := charts.GeneCell{
				NotProfiled: c.NotProfiled, Copies: c.Copies, Mutation: c.Mutation,
				Driver: c.Driver, Germline: c.Germline, Fusion: c.Fusion,
				Expression: []int{0, 1, -1}[c.Expression], Protein: []int{0, 1, -1}[c.Protein],
			}
			if text := a.Rows[n].Cells[k]; text != nil {
				cell.Text = *text
			}
			d.Drivers = d.Drivers || c.Driver
			t.Cells = append(t.Cells, cell)
		}
		d.Tracks = append(d.Tracks, t)
	}
	for k := range b.clinical {
		d.Clinical = append(d.Clinical, b.clinical[k].chart(b.order))
	}
	if b.groups != nil {
		for k, g := range b.groups.list {
			n := 0
			for _, of := range b.group {
				n += b2i(of == k)
			}
			d.Groups = append(d.Groups, charts.ColumnGroup{Name: g.Name, N: n})
		}
	}
	return d
}

// shownName returns the name of a track in a picture: the query if another track has the same name.
func (t oncoTrack) shownName(all []oncoTrack) string {
	if slices.ContainsFunc(all, func(o oncoTrack) bool { return o.Name == t.Name && o.Query != t.Query }) {
		return t.Query
	}
	return t.Name
}

// chart returns the track for the picture.
func (t *oncoClinical) chart(order []int) charts.ClinicalTrack {
	out := charts.ClinicalTrack{Name: t.Name}
	if t.Numbers != nil {
		out.Numbers = result.Map(order, func(i int) float64 { return t.Numbers[i] })
		return out
	}
	out.Categories, out.Category = study.Categories(result.Map(order, func(i int) string { return t.Values[i] }))
	return out
}
