package study

import (
	"fmt"
	"math"

	"biomcp/charts"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// numericComparison is the answer for a comparison of numbers: expression, or a clinical attribute.
type numericComparison struct {
	question
	Unit        string         `json:"unit"` // unit of the values
	Denominator denominator    `json:"denominator"`
	Groups      []numericGroup `json:"groups"`
	U           num            `json:"mann_whitney_u"`
	P           prob           `json:"mann_whitney_p"`
	LogP        log10          `json:"log10_mann_whitney_p"`
	Exact       bool           `json:"exact"`
	Superiority num            `json:"superiority"` // probability that a value of the first group is greater
	Shift       num            `json:"shift"`       // Hodges-Lehmann estimate, first group minus second
	ShiftLow    num            `json:"shift_low"`
	ShiftHigh   num            `json:"shift_high"`
	Kruskal     *kruskal       `json:"kruskal_wallis"`
	PerPatient  *perPatient    `json:"per_patient"`
	Correlation *correlation   `json:"correlation"` // set for --chart scatter

	picture
}

// A correlation relates the expression of the grouping gene to that of the target, over all
// groups.
type correlation struct {
	N       int   `json:"n"`
	R       num   `json:"r"` // Pearson
	Low     num   `json:"low"`
	High    num   `json:"high"`
	P       prob  `json:"p"`
	LogP    log10 `json:"log10_p"`
	Rho     num   `json:"rho"` // Spearman
	RhoP    prob  `json:"rho_p"`
	LogRhoP log10 `json:"log10_rho_p"`
}

func (c *correlation) text() string {
	return fmt.Sprintf("Pearson r %s, p %s; Spearman rho %s, p %s; n=%d", interval(c.R, c.Low, c.High, 3), c.P.text(),
		c.Rho.fixed(3), c.RhoP.text(), c.N)
}

type kruskal struct {
	chiSquare
	EpsilonSquared num `json:"epsilon_squared"`
}

type numericGroup struct {
	Name string `json:"group_name"`
	N    int    `json:"sample_count"`
	spread
}

// A spread summarizes the distribution of numbers.
type spread struct {
	Mean   num `json:"mean"`
	Median num `json:"median"`
	Min    num `json:"min"`
	Max    num `json:"max"`
	Q1     num `json:"q1"`
	Q3     num `json:"q3"`
}

func spreadOf(d stats.Summary) spread {
	return spread{num(d.Mean), num(d.Median), num(d.Min), num(d.Max), num(d.Q1), num(d.Q3)}
}

// newNumericComparison returns the comparison of the values of groups, with the statistical test.
func (c *comparison) newNumericComparison(
	heading string, groups [][]float64, basis denominator, unit string,
) *numericComparison {
	a := &numericComparison{
		question: c.question(heading), Unit: unit, Denominator: basis, U: nan, Superiority: nan, Shift: nan,
		ShiftLow: nan, ShiftHigh: nan,
	}
	a.Denominator.N = 0
	for i, g := range groups {
		d := stats.Describe(g)
		a.Denominator.N += d.N
		a.Groups = append(a.Groups, numericGroup{c.names[i], d.N, spreadOf(d)})
	}
	if len(groups) == 2 {
		t, err := stats.MannWhitney(groups[0], groups[1])
		if err != nil {
			c.r.Notice("no Mann-Whitney test: " + reason(err))
			return a
		}
		a.U, a.Exact, a.Superiority = num(t.U), t.Exact, num(t.Superiority)
		a.P, a.LogP = probOf(t.P, t.LogP)
		shift := t.Shift()
		a.Shift, a.ShiftLow, a.ShiftHigh = num(shift.Estimate), num(shift.Low), num(shift.High)
		return a
	}
	t, err := stats.KruskalWallis(groups...)
	if err != nil {
		c.r.Notice("no Kruskal-Wallis test: " + reason(err))
		return a
	}
	a.Kruskal = &kruskal{*chiOf(t.Test), num(t.EpsilonSquared)}
	return a
}

func compareExpression(c *comparison) (*result.Result, error) {
	p, err := expression(c.s)
	if err != nil {
		return nil, err
	}
	if c.in.String("genes") == "all" {
		return c.compareEveryExpression(p)
	}
	target, err := gene(c.in, "target")
	if err != nil {
		return nil, err
	}
	v, err := geneValues(c.in, c.s, p, "target", target)
	if err != nil {
		return nil, err
	}
	assayed, err := c.s.ProfiledSamples(v.Profile, target)
	if err != nil {
		return nil, err
	}
	noteRow(c.r, c.s, v)
	groups := c.split(c.sample, v.Values, func(i int) bool { return v.Profiled.Included[i] })
	a := c.newNumericComparison("Expression", groups,
		denominator{Unit: "samples", Basis: c.basis("profiled for " + target + ": " + v.Profiled.Basis)}, unitOf(p))
	a.Target, a.PerPatient = target, c.meansPerPatient(v.Values, func(i int) bool { return v.Profiled.Included[i] })
	a.Excluded = c.exclude(c.sample, notProfiled("expression of "+target, assayed),
		exclusionRule{"no value of " + target, func(i int) bool { return !v.Profiled.Included[i] }})
	c.r.Payload = a
	labels := charts.Labels{
		Title: target + " by " + c.status() + " (" + c.s.ID + ")", Subtitle: a.testSummary() + "; " + a.Denominator.size(), Group: c.groupLabel(),
		Value: "Expression (" + a.Unit + ")", Note: a.Excluded.note("samples"),
	}
	var data charts.Data = c.chartSamples(groups, labels)
	if _, ok := c.draw.form.(charts.Pairs); ok {
		if data, a.Correlation, err = c.scatterPairs(p, v, labels); err != nil {
			return nil, err
		}
	}
	return c.finish(&a.picture, data, "samples", valueOf(target, v.Values, v.Profiled.Included))
}

// basis describes the samples that are compared.
func (c *comparison) basis(target string) string {
	if c.groupsByGene {
		return "profiled for mutations of " + c.groupBy + ", and " + target
	}
	if c.sampleGroups != nil {
		return "in a group, and " + target
	}
	return "with " + c.groupBy + ", and " + target
}

// scatterPairs returns the expression of the grouping gene and of the target for a scatter chart, and
// their correlation.
func (c *comparison) scatterPairs(
	p study.Profile, target *study.GeneValues, labels charts.Labels,
) (charts.Data, *correlation, error) {
	if !c.groupsByGene {
		return nil, nil, result.Invalid("a scatter chart compares the expression of two genes: use --gene",
			c.in.LineWith("--chart", "box")...)
	}
	v, err := geneValues(c.in, c.s, p, "gene", c.groupBy)
	if err != nil {
		return nil, nil, err
	}
	labels.Title = c.groupBy + " vs " + target.Gene + " expression (" + c.s.ID + ")"
	labels.Comparison, labels.Value = c.groupBy+" expression ("+unitOf(p)+")", target.Gene+" expression ("+unitOf(p)+")"
	d := charts.Pairs{Labels: labels, Groups: make([]charts.Points, len(c.names))}
	var x, y []float64
	for i, g := range c.sample {
		if g >= 0 && v.Profiled.Included[i] && target.Profiled.Included[i] {
			x, y = append(x, v.Values[i]), append(y, target.Values[i])
			points := &d.Groups[g]
			points.Comparisons, points.Values = append(points.Comparisons, v.Values[i]), append(points.Values, target.Values[i])
		}
	}
	for i, name := range c.names {
		d.Groups[i].Name = name
	}
	out, err := newCorrelation(x, y)
	if err != nil {
		c.r.Notice("no correlation: " + reason(err))
		d.Subtitle = fmt.Sprintf("%d samples, no correlation: %s", len(x), reason(err))
		return d, nil, nil
	}
	noteUndefinedP(c.r, out)
	d.Subtitle = out.text()
	return d, out, nil
}

// testSummary summarizes the test in one line.
func (a *numericComparison) testSummary() string {
	switch {
	case a.Kruskal != nil:
		return "Kruskal-Wallis p " + a.Kruskal.P.text() + " (chi-square " + a.Kruskal.Chi2.fixed(3) + ", " +
			count(a.Kruskal.DF) + " df)"
	case len(a.Groups) == 2:
		method := ""
		if a.Exact {
			method = " (exact)"
		}
		return "Mann-Whitney p " + a.P.text() + method
	}
	return ""
}

func (a *numericComparison) Doc() result.Doc {
	t := result.Table{Columns: result.Columns("Group", ">N", ">Mean", ">Median", ">Min", ">Max", ">Q1", ">Q3")}
	for _, g := range a.Groups {
		t.Rows = append(t.Rows, []string{
			g.Name, count(g.N), g.Mean.fixed(3), g.Median.fixed(3),
			g.Min.fixed(3), g.Max.fixed(3), g.Q1.fixed(3), g.Q3.fixed(3),
		})
	}
	doc := append(a.head(), t)
	if !math.IsNaN(float64(a.U)) {
		doc = append(doc, result.Para{Text: "Mann-Whitney U: " + a.U.fixed(1)},
			result.Para{Text: "Probability that a value of " + a.Groups[0].Name + " is greater: " +
				a.Superiority.fixed(3) + "; shift " + interval(a.Shift, a.ShiftLow, a.ShiftHigh, 3)})
	}
	if a.Kruskal != nil {
		doc = append(doc, result.Para{Text: "Epsilon squared: " + a.Kruskal.EpsilonSquared.fixed(3)})
	}
	if line := a.testSummary(); line != "" {
		doc = append(doc, result.Para{Text: line})
	}
	doc = append(a.PerPatient.add(doc), result.Para{Text: "Compared: " + a.Denominator.text() + "; unit: " + a.Unit})
	doc = a.Excluded.add(doc, a.Denominator.Unit)
	if a.Correlation != nil {
		doc = append(doc, result.Heading{Level: 2, Text: "Correlation with " + a.Stratify},
			result.Para{Text: "Over all groups, for the compared samples with a value of both genes: " +
				a.Correlation.text()})
	}
	return a.add(doc)
}
