package study

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/charts"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// A contingency is the answer for a comparison of counts: mutated samples, or the categories of
// an attribute.
type contingency struct {
	question
	Denominator denominator   `json:"denominator"`
	Categories  []string      `json:"categories"` // set for an attribute
	Groups      []countsGroup `json:"groups"`
	Odds        num           `json:"odds_ratio"` // conditional estimate, first group against second
	Low         num           `json:"low"`
	High        num           `json:"high"`
	FisherP     prob          `json:"fisher_p"`
	LogFisherP  log10         `json:"log10_fisher_p"`
	Chi2        *chiSquare    `json:"chi_square"`
	CramersV    num           `json:"cramers_v"`
	PerPatient  *perPatient   `json:"per_patient"`

	picture
}

type countsGroup struct {
	Name    string `json:"group_name"`
	N       int    `json:"sample_count"`
	Mutated *int   `json:"mutated_count"`
	Rate    num    `json:"mutation_rate"`
	Low     num    `json:"low"`
	High    num    `json:"high"`
	Counts  []int  `json:"counts"` // by category
}

// newContingency returns the answer for a table of groups by categories, with its tests.
func (c *comparison) newContingency(heading string, table [][]int, basis denominator) *contingency {
	a := &contingency{
		question: c.question(heading), Denominator: basis, Odds: nan, Low: nan, High: nan, CramersV: nan,
	}
	for i, row := range table {
		g := countsGroup{Name: c.names[i], Counts: row, Rate: nan, Low: nan, High: nan}
		for _, n := range row {
			g.N += n
		}
		a.Denominator.N += g.N
		a.Groups = append(a.Groups, g)
	}
	if len(table) == 2 && len(table[0]) == 2 {
		t, err := stats.Fisher(table[0][0], table[0][1], table[1][0], table[1][1])
		if err == nil && !math.IsNaN(t.OddsRatio.Estimate) {
			a.FisherP, a.LogFisherP = probOf(t.P, t.LogP)
			a.Odds, a.Low, a.High = num(t.OddsRatio.Estimate), num(t.OddsRatio.Low), num(t.OddsRatio.High)
		} else if _, _, err := stats.FisherTable(table); err != nil {
			c.r.Notice("no Fisher test: " + reason(err))
		}
		return a
	}
	if p, log, err := stats.FisherTable(table); err == nil {
		a.FisherP, a.LogFisherP = probOf(p, log)
	} else if !errors.Is(err, stats.ErrTooLarge) {
		c.r.Notice("no Fisher test: " + reason(err))
	}
	if t, err := stats.ChiSquare(table); err == nil {
		a.Chi2, a.CramersV = chiOf(t.Test), num(t.CramersV)
		if t.LeastExpected < 5 && !a.FisherP.known {
			c.r.Notice("the chi-square p-value is inaccurate: an expected count is " + num(t.LeastExpected).fixed(1))
		}
	}
	return a
}

func compareMutations(c *comparison) (*result.Result, error) {
	if c.in.String("genes") == "all" {
		return c.compareEveryMutation()
	}
	target, err := gene(c.in, "target")
	if err != nil {
		return nil, err
	}
	m, err := mutationsOf(c.in, c.s, "target", target)
	if err != nil {
		return nil, err
	}
	noteMutations(c.r, c.s, m)
	a := c.newContingency("Mutation Rate", c.mutatedTable(m),
		denominator{Unit: "samples", Basis: c.basis("profiled for " + target + ": " + m.Profiled.Basis)})
	a.Target, a.PerPatient = target, c.mutatedPerPatient(m.Mutated, func(i int) bool { return m.Profiled.Included[i] })
	a.Excluded = c.exclude(c.sample, notProfiled("mutations of "+target, m.Profiled))
	for i := range a.Groups {
		g := &a.Groups[i]
		rate := stats.Proportion(g.Counts[0], g.N)
		g.Mutated, g.Rate, g.Low, g.High = &g.Counts[0], num(rate.Estimate), num(rate.Low), num(rate.High)
	}
	c.r.Payload = a
	value := flagOf(target, m.Mutated, m.Profiled.Included)
	by := cmp.Or(c.groupName, c.groupBy) + " (" + c.s.ID + ")"
	labels := charts.Labels{
		Title: target + " mutation rate by " + by, Subtitle: a.testSummary() + "; " + a.Denominator.size(),
		Group: c.groupLabel(), Value: "Mutation rate", Note: a.Excluded.note("samples"),
	}
	if _, ok := c.draw.form.(charts.Table); ok {
		labels.Title, labels.Count = target+" mutation status by "+by, "Samples"
		return c.finish(&a.picture, a.table(labels, []string{"mutated", "not mutated"}), "samples", value)
	}
	rates := result.Map(a.Groups, func(g countsGroup) charts.Rate {
		return charts.Rate{Name: g.Name, K: *g.Mutated, N: g.N, Low: float64(g.Low), High: float64(g.High)}
	})
	return c.finish(&a.picture, charts.Rates{Labels: labels, List: rates}, "samples", value)
}

// mutatedTable counts mutated and unmutated samples of each group, among those profiled.
func (c *comparison) mutatedTable(m *study.GeneMutations) [][]int {
	return c.crossTabulate(c.sample, 2, func(i int) int {
		if !m.Profiled.Included[i] {
			return -1
		}
		return 1 - b2i(m.Mutated[i])
	})
}

// crossTabulate counts samples or patients by group and column. column returns a negative number to
// skip one.
func (c *comparison) crossTabulate(of []int, columns int, column func(i int) int) [][]int {
	table := make([][]int, len(c.names))
	for g := range table {
		table[g] = make([]int, columns)
	}
	for i, g := range of {
		if at := column(i); g >= 0 && at >= 0 {
			table[g][at]++
		}
	}
	return table
}

// table returns the counts of the groups for a chart.
func (a *contingency) table(labels charts.Labels, parts []string) charts.Table {
	d := charts.Table{Labels: labels, Groups: result.Map(a.Groups, func(g countsGroup) string { return g.Name })}
	for j, name := range parts {
		counts := result.Map(a.Groups, func(g countsGroup) float64 { return float64(g.Counts[j]) })
		d.Parts = append(d.Parts, charts.Part{Name: name, Counts: counts})
	}
	return d
}

// compareClinical compares an attribute, as numbers or as categories.
// A clinicalTarget is the attribute that study compare --type clinical compares.
type clinicalTarget struct {
	study.Attribute
	of       []int  // group of each patient, or of each sample
	unit     string // "patients" or "samples"
	values   []string
	numbers  study.Numbers
	basis    denominator
	excluded exclusions
	labels   charts.Labels
}

// column returns the values for the file of --rows.
func (t *clinicalTarget) column() column {
	return column{t.ID, func(i int) any {
		switch {
		case t.numbers.Numeric:
			return cell(t.numbers.Values[i])
		case t.values[i] == "":
			return nil
		}
		return t.values[i]
	}}
}

func compareClinical(c *comparison) (*result.Result, error) {
	attribute, err := attributeOf(c.in, c.s, "target", c.in.String("target"))
	if err != nil {
		return nil, err
	}
	v, err := c.s.Values(attribute)
	if err != nil {
		return nil, err
	}
	t := &clinicalTarget{
		Attribute: attribute, of: c.patient, unit: "patients", values: v[0].OwnLevel(), numbers: v[0].Numbers(),
	}
	if attribute.Data == study.SampleAttributes {
		t.of, t.unit = c.sample, "samples"
	}
	t.basis = denominator{Unit: t.unit, Basis: c.basis("with " + t.ID)}
	t.labels = charts.Labels{Title: t.Name + " by " + c.status() + " (" + c.s.ID + ")", Group: c.groupLabel()}
	_, wantsCounts := c.draw.form.(charts.Table)
	asNumbers := t.numbers.Numeric && !wantsCounts
	t.excluded = c.exclude(t.of, exclusionRule{"no value of " + t.ID, func(i int) bool {
		return t.values[i] == "" || asNumbers && math.IsNaN(t.numbers.Values[i])
	}})
	t.labels.Note = t.excluded.note(t.unit)
	if c.isFollowUp(t.ID) {
		c.r.Notice(t.ID + " is the time to an event or to the last follow-up: " +
			"this comparison ignores who had the event; study survival does not")
	}
	switch {
	case asNumbers:
		return c.compareNumbers(t)
	case c.draw.kind != "" && !wantsCounts:
		return nil, result.Invalid(t.ID+" has categories, which are drawn as "+
			strings.Join(charts.Kinds(charts.Table{}), " or "), c.in.LineWith("--chart", "bar")...)
	}
	return c.compareCategories(t)
}

// compareNumbers compares the numbers of an attribute between the groups.
func (c *comparison) compareNumbers(t *clinicalTarget) (*result.Result, error) {
	noteNumbers(c.r, t.ID, t.numbers)
	numbers := t.numbers.Values
	has := func(i int) bool { return !math.IsNaN(numbers[i]) }
	groups := c.split(t.of, numbers, has)
	a := c.newNumericComparison("Clinical", groups, t.basis, "value of "+t.ID)
	if t.unit == "samples" {
		a.PerPatient = c.meansPerPatient(numbers, has)
	}
	a.Attribute, a.Excluded = t.ID, t.excluded
	c.r.Payload = a
	t.labels.Subtitle, t.labels.Value = a.testSummary()+"; "+a.Denominator.size(), t.Name
	return c.finish(&a.picture, c.chartSamples(groups, t.labels), t.unit, t.column())
}

// compareCategories counts the categories of an attribute in the groups.
func (c *comparison) compareCategories(t *clinicalTarget) (*result.Result, error) {
	names, place := study.Categories(t.values)
	if len(names) > mostGroups {
		return nil, result.Invalid(t.ID+" has "+count(len(names))+" categories; at most "+
			count(mostGroups)+" can be compared", "study", "summary", "--study", c.s.ID)
	}
	table := c.crossTabulate(t.of, len(names), func(i int) int { return place[i] })
	if t.unit == "samples" {
		c.noteRepeatedSamples(c.countRepeated(func(i int) bool { return place[i] >= 0 }), "")
	}
	a := c.newContingency("Clinical", table, t.basis)
	a.Attribute, a.Categories, a.Excluded = t.ID, names, t.excluded
	c.r.Payload = a
	t.labels.Subtitle = a.testSummary() + "; " + a.Denominator.size()
	t.labels.Count = strings.ToUpper(t.unit[:1]) + t.unit[1:]
	return c.finish(&a.picture, a.table(t.labels, names), t.unit, t.column())
}

// isFollowUp reports whether an attribute is the time to an event or to the last follow-up.
func (c *comparison) isFollowUp(attribute string) bool {
	endpoints, _ := c.s.Endpoints() // the attributes were read without error
	return slices.ContainsFunc(endpoints, func(e study.Endpoint) bool { return strings.EqualFold(e.ID+"_MONTHS", attribute) })
}

// testSummary summarizes the test in one line: the exact test, or the chi-square test if the table
// is too large for the exact one.
func (a *contingency) testSummary() string {
	if !a.FisherP.known && a.Chi2 != nil {
		return fmt.Sprintf("Chi-square p %s (%s, %d df)", a.Chi2.P.text(), a.Chi2.Chi2.fixed(3), a.Chi2.DF)
	}
	return "Fisher p " + a.FisherP.text()
}

func (a *contingency) Doc() result.Doc {
	var t result.Table
	if a.Attribute != "" {
		t.Columns = result.Columns("Group", ">N")
		for _, c := range a.Categories {
			t.Columns = append(t.Columns, result.Column{Name: c, Right: true})
		}
		for _, g := range a.Groups {
			t.Rows = append(t.Rows, append([]string{g.Name, count(g.N)}, result.Map(g.Counts, count)...))
		}
	} else {
		t.Columns = result.Columns("Group", ">N", ">Mutated", ">Mutation Rate (95 % CI, Wilson)")
		for _, g := range a.Groups {
			t.Rows = append(t.Rows, []string{g.Name, count(g.N), count(*g.Mutated), rate(g.Rate, g.Low, g.High)})
		}
	}
	doc := append(a.head(), t, result.Para{Text: "Fisher p-value: " + a.FisherP.text()})
	if !math.IsNaN(float64(a.Odds)) {
		doc = append(doc,
			result.Para{Text: "Odds ratio of " + a.Groups[0].Name + ": " + interval(a.Odds, a.Low, a.High, 3)})
	}
	if a.Chi2 != nil {
		doc = append(doc, result.Para{Text: "Chi-square " + a.Chi2.Chi2.fixed(3) + ", " + count(a.Chi2.DF) +
			" df, p " + a.Chi2.P.text() + "; Cramér's V " + a.CramersV.fixed(3)})
	}
	doc = append(a.PerPatient.add(doc), result.Para{Text: "Compared: " + a.Denominator.text()})
	return a.add(a.Excluded.add(doc, a.Denominator.Unit))
}
