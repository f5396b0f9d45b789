package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
)

// An everything is the answer of study compare --all.
type everything struct {
	Study     string           `json:"study_id"`
	Stratify  string           `json:"stratify_gene"`
	GroupBy   string           `json:"by"`
	Groups    []groupSize      `json:"groups"`
	Queries   []groupSummary   `json:"sample_groups,omitempty"` // of --group
	Excluded  exclusions       `json:"excluded"`                // samples without a group
	Tested    int              `json:"tested"`
	Kinds     []kindOfTests    `json:"kinds"`
	Omitted   []omittedSubject `json:"not_tested"`
	Strongest []string         `json:"strongest"` // at most ten with q below 0.05, in words
	Rows      []*difference    `json:"rows"`      // by q, then p

	picture
	by         string
	all        []*difference
	weakest    []string // further tests with a small q that is not below 0.05, in words
	shownRange string
}

type groupSize struct {
	Name     string `json:"group_name"`
	Samples  int    `json:"samples"`
	Patients int    `json:"patients"`
}

// kindOfTests summarizes the tests of one kind.
type kindOfTests struct {
	Kind        string `json:"kind"`
	Method      string `json:"method"`
	Tested      int    `json:"tested"`
	Untested    int    `json:"untested"`
	Significant int    `json:"significant"` // q below 0.05
	Basis       string `json:"basis"`
}

// An omittedSubject is an attribute, or a kind of data, that was not tested.
type omittedSubject struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

const (
	significant   = 0.05 // of q
	mostSentences = 10
)

// runCompareAll compares the groups in everything.
func runCompareAll(in *command.Input) (*result.Result, error) {
	if err := rejectWithAll(in); err != nil {
		return nil, err
	}
	draw, err := parseDrawing(in, "study compare --all", charts.Tests{})
	if err != nil {
		return nil, err
	}
	c, err := newComparison(in, draw)
	if err != nil {
		return nil, err
	}
	if draw.kind != "" && len(c.names) != 2 {
		return nil, result.Invalid(fmt.Sprintf("a volcano plot shows two groups; %s makes %d", c.groupBy, len(c.names)),
			in.LineWith(withoutChart(in)...)...)
	}
	r, err := c.compareEverything()
	if err == nil {
		addNotices(r, c.s)
	}
	return r, err
}

// rejectWithAll returns an error for flags that name what is compared, because --all compares everything.
func rejectWithAll(in *command.Input) error {
	return in.RejectUnused("cannot be used with --all, which compares everything", "target", "genes", "type")
}

func (c *comparison) compareEverything() (*result.Result, error) {
	limit, notice, err := limitOf(c.in)
	if err != nil {
		return nil, err
	}
	c.r.Notice(notice)
	a := &everything{
		Study: c.s.ID, GroupBy: c.groupBy, Queries: c.sampleGroups, Excluded: c.exclude(c.sample),
		Omitted: []omittedSubject{},
	}
	if a.by = c.groupBy; c.groupsByGene {
		a.Stratify, a.GroupBy, a.by = c.groupBy, "mutation", c.status()
	}
	if a.Groups, err = c.sizes(); err != nil {
		return nil, err
	}
	for _, test := range []func(a *everything) error{
		c.testAttributes, c.testMutations, c.testCopies, c.testVariants, c.testExpression,
	} {
		if err := test(a); isAbsent(err) {
			a.Omitted = append(a.Omitted, omittedSubject{"", err.Error()})
		} else if err != nil {
			return nil, err
		}
	}
	a.sort()
	c.noteRepeatedSamples(c.countRepeated(func(int) bool { return true }), "")
	from, to, shown, err := page(c.in, c.r, limit, len(a.all))
	if err != nil {
		return nil, err
	}
	a.Tested, a.Rows, a.shownRange = len(a.all), a.all[from:to], shown
	names := result.Map(a.Groups, func(g groupSize) string { return g.Name })
	a.Strongest = []string{}
	for _, d := range a.all[:min(mostSentences, len(a.all))] {
		if s := d.sentence(names); d.Q.under(significant) {
			a.Strongest = append(a.Strongest, s)
		} else {
			a.weakest = append(a.weakest, s)
		}
	}
	c.r.Payload = a
	if a.picture, err = c.draw.draw(c.r, a.chartData()); err != nil || !wantsRows(c.in) {
		return c.r, err
	}
	columns, err := c.columnsOf(a.Rows)
	if err != nil {
		return nil, err
	}
	return c.r, writeSamples(c.in, c.r, c.s, false, columns...)
}

// sizes counts the samples and patients of the groups. It returns an error if fewer than two groups have
// samples.
func (c *comparison) sizes() ([]groupSize, error) {
	sizes, filled := make([]groupSize, len(c.names)), 0
	for i, name := range c.names {
		sizes[i].Name = name
	}
	for _, g := range c.sample {
		if g >= 0 {
			sizes[g].Samples++
		}
	}
	for _, g := range c.patient {
		if g >= 0 {
			sizes[g].Patients++
		}
	}
	for _, g := range sizes {
		filled += b2i(g.Samples > 0)
	}
	if filled < 2 {
		return nil, result.Invalid("fewer than two groups have samples", "study", "summary", "--study", c.s.ID)
	}
	return sizes, nil
}

// addKind adds the tests of one kind with their q-values.
func (a *everything) addKind(kind, method, basis string, tests []*difference, untested int) {
	k := kindOfTests{Kind: kind, Method: method, Tested: len(tests), Untested: untested, Basis: basis}
	for i, q := range falseDiscovery(tests, func(d *difference) prob { return d.P }) {
		tests[i].Q, tests[i].LogQ = probOf(math.Exp(q), q)
		k.Significant += b2i(tests[i].Q.under(significant))
	}
	a.Kinds, a.all = append(a.Kinds, k), append(a.all, tests...)
}

func (a *everything) sort() {
	slices.SortFunc(a.all, func(x, y *difference) int {
		return cmp.Or(cmp.Compare(x.Q.log, y.Q.log), cmp.Compare(x.P.log, y.P.log), strings.Compare(x.Kind, y.Kind),
			strings.Compare(x.Name, y.Name))
	})
}

// columnsOf returns the columns of --rows for the samples of the groups: the group, and the value of each shown
// attribute or gene.
func (c *comparison) columnsOf(rows []*difference) ([]column, error) {
	columns := []column{c.groupOf(c.sample)}
	for _, d := range rows {
		all, err := c.columnOf(d)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column{all.name, func(i int) any {
			if c.sample[i] < 0 {
				return nil
			}
			return all.value(i)
		}})
	}
	return columns, nil
}

// chartSuffixes maps kinds to what follows a gene's name in a chart.
var chartSuffixes = map[string]string{
	eventNames[mutationEvent].event: "mut", eventNames[amplification].event: "amp", eventNames[deepDeletion].event: "del",
	eventNames[structuralVariant].event: "SV", expressionKind: "expr",
}

func (a *everything) chartData() charts.Data {
	const notDrawn = " Clinical attributes have no ratio and are not drawn."
	d := charts.Tests{Labels: charts.Labels{
		Title:        "Genes compared between the groups (" + a.Study + ")",
		Value:        "log2 ratio; of expression the difference of means",
		Significance: "-log10 p", Note: strings.TrimSpace(a.Excluded.note("samples") + notDrawn),
	}}
	d.Subtitle = a.Groups[0].Name + " against " + a.Groups[1].Name
	for _, t := range a.all {
		if t.Kind != clinicalKind {
			d.List = append(d.List, charts.Test{
				Name: t.Name + " " + chartSuffixes[t.Kind], Effect: float64(t.Effect),
				Log10Q: t.LogQ.value(), Log10P: t.LogP.value(),
			})
		}
	}
	return d
}

func (a *everything) Doc() result.Doc {
	names := result.Map(a.Groups, func(g groupSize) string { return g.Name })
	doc := addGroups(result.Doc{
		result.Heading{Level: 1, Text: "Study Group Comparison: everything"},
		result.Para{Text: "By: " + a.by + " | Study: " + a.Study},
	}, a.Queries)
	if len(a.Queries) == 0 {
		doc = append(doc, result.Table{
			Columns: result.Columns("Group", ">Samples", ">Patients"),
			Rows: result.Map(a.Groups, func(g groupSize) []string {
				return []string{g.Name, count(g.Samples), count(g.Patients)}
			}),
		})
	}
	kinds := result.Table{Columns: result.Columns("Kind", ">Tested", ">q < 0.05", ">Not Testable", "Test", "Compared")}
	for _, k := range a.Kinds {
		kinds.Rows = append(kinds.Rows,
			[]string{k.Kind, count(k.Tested), count(k.Significant), count(k.Untested), k.Method, k.Basis})
	}
	kinds.Narrow = result.Narrow(kinds, 0, 1, 2, 3)
	doc = append(doc, result.Heading{Level: 2, Text: "Tests"}, kinds,
		result.Para{Text: "q by Benjamini and Hochberg, over the tests of a kind"})
	if len(a.Omitted) > 0 {
		doc = append(doc, result.Para{Text: "Not tested:"}, result.List{Items: result.Map(a.Omitted, omittedSubject.text)})
	}
	if len(a.all) > 0 {
		heading := result.Heading{Level: 2, Text: fmt.Sprintf("All %d Tests%s", a.Tested, a.shownRange)}
		doc = append(append(doc, a.inWords()...), heading, a.table(names))
	}
	return a.add(a.Excluded.add(doc, "samples"))
}

// inWords describes the differences with q < 0.05. If there is none, it describes the tests with the smallest q and
// claims no difference.
func (a *everything) inWords() result.Doc {
	n := 0
	for _, k := range a.Kinds {
		n += k.Significant
	}
	if n == 0 {
		return result.Doc{
			result.Heading{Level: 2, Text: "No Difference with q < 0.05"},
			result.Para{Text: "The tests with the smallest q are not evidence of a difference:"},
			result.List{Items: a.weakest},
		}
	}
	heading := "Differences with q < 0.05"
	if n > len(a.Strongest) {
		heading = fmt.Sprintf("Strongest %d of %d %s", len(a.Strongest), n, heading)
	}
	return result.Doc{result.Heading{Level: 2, Text: heading}, result.List{Items: a.Strongest}}
}

func (o omittedSubject) text() string { return strings.TrimPrefix(o.Name+": "+o.Reason, ": ") }

// mostGroupColumns is the number of groups that have columns of their own.
const mostGroupColumns = 4

func (a *everything) table(names []string) result.Table {
	columns := []string{"Kind", "Name"}
	grouped := len(names) <= mostGroupColumns
	if grouped {
		columns = append(columns, names...)
	}
	t := result.Table{Columns: result.Columns(append(columns, "Effect", "Test", ">p-value", ">q-value")...)}
	for _, d := range a.Rows {
		row := []string{d.Kind, d.Name}
		for i := range names {
			if grouped {
				row = append(row, d.cell(i))
			}
		}
		test := d.Test
		if d.Note != "" {
			test += " (" + d.Note + ")"
		}
		t.Rows = append(t.Rows, append(row, d.effect(), test, d.P.text(), d.Q.text()))
	}
	last := len(t.Columns) - 1
	t.Narrow = result.Narrow(t, 0, 1, last-3, last)
	for i, d := range a.Rows {
		if note, _, _ := strings.Cut(d.Note, ":"); note != "" {
			t.Narrow.Rows[i][2] += "; " + note
		}
	}
	return t
}
