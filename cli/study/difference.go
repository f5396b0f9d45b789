package study

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize/english"
	"gonum.org/v1/gonum/stat"

	"biomcp/cli/result"
	"biomcp/store/study/stats"
)

// The kinds of differences that are no events.
const (
	clinicalKind   = "clinical"
	expressionKind = "expression"
)

// A difference is one test of study compare --all.
type difference struct {
	Kind       string    `json:"kind"` // clinical, expression or the name of an event
	Name       string    `json:"name"` // gene or attribute
	Unit       string    `json:"unit"` // samples or patients
	N          []int     `json:"n"`    // by group, as all lists but df
	Altered    []int     `json:"altered"`
	Mean       []num     `json:"mean"` // set for expression
	SD         []num     `json:"sd"`
	Median     []num     `json:"median"`     // set for a numeric attribute
	Categories []string  `json:"categories"` // set for another attribute
	Counts     [][]int   `json:"counts"`     // by group and category
	Test       string    `json:"test"`
	Statistic  num       `json:"statistic"` // null for Fisher's test
	DF         []float64 `json:"df"`        // of chi-square or t; between and within groups of F
	Effect     num       `json:"effect"`    // null if infinite: no altered sample in one group
	Measure    string    `json:"effect_measure"`
	P          prob      `json:"p_value"`
	LogP       log10     `json:"log10_p_value"`
	Q          prob      `json:"q"` // Benjamini-Hochberg, over the tests of the kind
	LogQ       log10     `json:"log10_q"`
	Note       string    `json:"note"`
}

// The names of the tests and effects.
const (
	log2Ratio    = "log2 ratio"
	cramersV     = "Cramér's V"
	meanShift    = "difference of means"
	etaSquared   = "eta squared"
	medianShift  = "Hodges-Lehmann shift"
	epsilonShare = "epsilon squared"
)

// testAltered tests the numbers of altered samples: with Fisher's test for two groups, otherwise with the
// chi-square test. It returns an error if fewer than two groups have profiled samples.
func (d *difference) testAltered() error {
	if len(d.N) == 2 {
		if d.N[0] == 0 || d.N[1] == 0 {
			return stats.ErrOneGroup
		}
		p, log, err := stats.FisherP(d.Altered[0], d.N[0]-d.Altered[0], d.Altered[1], d.N[1]-d.Altered[1])
		d.Test, d.Measure = "Fisher", log2Ratio
		d.Effect = num(math.Log2(float64(d.Altered[0]) / float64(d.N[0]) / (float64(d.Altered[1]) / float64(d.N[1]))))
		d.P, d.LogP = probOf(p, log)
		return err
	}
	table := make([][]int, len(d.N))
	for i, n := range d.N {
		table[i] = []int{d.Altered[i], n - d.Altered[i]}
	}
	d.Test, d.Measure = "chi-square", cramersV
	t, err := stats.ChiSquare(table)
	if errors.Is(err, stats.ErrConstant) { // every sample is altered: as in cBioPortal, p is 1
		d.P, d.LogP = probOf(1, 0)
		return nil
	}
	d.setChiSquare(t)
	return err
}

func (d *difference) setChiSquare(t stats.TableTest) {
	d.Statistic, d.DF, d.Effect = num(t.Chi2), []float64{float64(t.DF)}, num(t.CramersV)
	d.P, d.LogP = probOf(t.P, t.LogP)
	if t.LeastExpected < 5 {
		d.Note = "p is inaccurate: expected count " + num(t.LeastExpected).fixed(1)
	}
}

// testMeans tests values of expression, without groups of fewer than two: with Welch's t-test for two groups,
// otherwise with an analysis of variance.
func (d *difference) testMeans(groups [][]float64) error {
	var kept [][]float64
	for _, g := range groups {
		mean, sd := nan, nan
		if len(g) >= 2 {
			m, variance := stat.MeanVariance(g, nil)
			mean, sd, kept = num(m), num(math.Sqrt(variance)), append(kept, g)
		}
		d.N, d.Mean, d.SD = append(d.N, len(g)), append(d.Mean, mean), append(d.SD, sd)
	}
	if len(kept) < 2 {
		return stats.ErrOneGroup
	}
	var t stats.MeanTest
	var err error
	if d.Test, d.Measure = "Welch's t", meanShift; len(kept) == 2 {
		t, err = stats.WelchT(kept[0], kept[1])
	} else {
		d.Test, d.Measure = "ANOVA", etaSquared
		t, err = stats.ANOVA(kept...)
	}
	d.Statistic, d.DF, d.Effect = num(t.Statistic), t.DF, num(t.Effect)
	d.P, d.LogP = probOf(t.P, t.LogP)
	return err
}

// testNumbers tests the values of an attribute: with Wilcoxon's test for two groups, otherwise with that of
// Kruskal and Wallis.
func (d *difference) testNumbers(groups [][]float64) error {
	var kept [][]float64
	for _, g := range groups {
		s := stats.Describe(g)
		if d.N, d.Median = append(d.N, s.N), append(d.Median, num(s.Median)); s.N > 0 {
			kept = append(kept, g)
		}
	}
	if len(kept) == 2 {
		t, err := stats.MannWhitney(kept[0], kept[1])
		if err != nil {
			return err
		}
		d.Test, d.Measure, d.Statistic = "Wilcoxon", medianShift, num(t.U)
		d.Effect = num(t.ShiftEstimate())
		d.P, d.LogP = probOf(t.P, t.LogP)
		return nil
	}
	t, err := stats.KruskalWallis(kept...)
	d.Test, d.Measure = "Kruskal-Wallis", epsilonShare
	d.Statistic, d.DF, d.Effect = num(t.Chi2), []float64{float64(t.DF)}, num(t.EpsilonSquared)
	d.P, d.LogP = probOf(t.P, t.LogP)
	return err
}

// testCategories tests the categories of an attribute: with Fisher's test for two categories and two groups,
// otherwise with the chi-square test. It drops the categories that no group has.
func (d *difference) testCategories(names []string, table [][]int) error {
	d.Counts = make([][]int, len(table))
	for j, name := range names {
		if !slices.ContainsFunc(table, func(row []int) bool { return row[j] > 0 }) {
			continue
		}
		d.Categories = append(d.Categories, name)
		for i, row := range table {
			d.Counts[i] = append(d.Counts[i], row[j])
		}
	}
	for _, row := range table {
		n := 0
		for _, k := range row {
			n += k
		}
		d.N = append(d.N, n)
	}
	t, err := stats.ChiSquare(d.Counts)
	if err != nil {
		return err
	}
	d.Test, d.Measure = "chi-square", cramersV
	if d.setChiSquare(t); len(table) == 2 && len(d.Categories) == 2 {
		p, log, err := stats.FisherP(d.Counts[0][0], d.Counts[0][1], d.Counts[1][0], d.Counts[1][1])
		d.Test, d.Statistic, d.DF, d.Note = "Fisher", nan, nil, ""
		d.P, d.LogP = probOf(p, log)
		return err
	}
	return nil
}

// number describes the number of group i: of altered samples, the mean, the median, or the samples with the
// category that differs most between groups.
func (d *difference) number(i int) (value float64, text string) {
	switch {
	case d.Mean != nil:
		return float64(d.Mean[i]), d.Mean[i].fixed(2)
	case d.Median != nil:
		return float64(d.Median[i]), d.Median[i].fixed(2)
	}
	k := 0
	if d.Altered != nil {
		k = d.Altered[i]
	} else {
		k = d.Counts[i][d.distinctive()]
	}
	return float64(k) / float64(d.N[i]), fmt.Sprintf("%d of %d", k, d.N[i])
}

// isShare reports whether number describes a share of the group.
func (d *difference) isShare() bool { return d.Mean == nil && d.Median == nil }

// cell describes group i in a table.
func (d *difference) cell(i int) string {
	value, text := d.number(i)
	switch {
	case d.Mean != nil:
		return fmt.Sprintf("mean %s (n=%d)", text, d.N[i])
	case d.Median != nil:
		return fmt.Sprintf("median %s (n=%d)", text, d.N[i])
	case d.Counts != nil:
		text = d.Categories[d.distinctive()] + ": " + text
	}
	return text + " (" + percent(num(value)) + ")"
}

// distinctive returns the category whose share differs most between groups.
func (d *difference) distinctive() (at int) {
	most := -1.0
	for j := range d.Categories {
		low, high := math.Inf(1), math.Inf(-1)
		for i, n := range d.N {
			if n > 0 {
				share := float64(d.Counts[i][j]) / float64(n)
				low, high = min(low, share), max(high, share)
			}
		}
		if high-low > most {
			at, most = j, high-low
		}
	}
	return at
}

// effect formats the effect with its measure.
func (d *difference) effect() string {
	if math.IsInf(float64(d.Effect), -1) {
		return d.Measure + " -∞"
	}
	return d.Measure + " " + d.Effect.fixed(3)
}

// verbs maps the kinds of events to what is said of a gene.
var verbs = map[string]string{
	eventNames[mutationEvent].event: "is mutated in", eventNames[amplification].event: "is amplified in",
	eventNames[deepDeletion].event:      "is deeply deleted in",
	eventNames[structuralVariant].event: "has a structural variant in",
}

// sentence describes the difference in words. names are the groups.
func (d *difference) sentence(names []string) string {
	subject := d.Name + " " + verbs[d.Kind]
	switch {
	case d.Mean != nil:
		subject = d.Name + " expression has mean"
	case d.Median != nil:
		subject = d.Name + " has median"
	case d.Counts != nil:
		subject = d.Name + " is " + d.Categories[d.distinctive()] + " in"
	}
	groups, unit := d.extremes(), " "+d.Unit
	texts := result.Map(groups, func(i int) string {
		value, text := d.number(i)
		if !d.isShare() {
			return fmt.Sprintf("%s in %s (n=%d)", text, names[i], d.N[i])
		}
		text += unit + " of " + names[i] + " (" + percent(num(value)) + ")"
		unit = ""
		return text
	})
	if len(groups) < len(d.N) {
		texts[0] += ", the lowest,"
		texts[1] += ", the highest"
	}
	return fmt.Sprintf("%s %s; %s, %s p %s, q %s", subject, english.WordSeries(texts, "and"), d.effect(), d.Test,
		d.P.text(), d.Q.text())
}

// extremes returns the groups, or those with the lowest and the highest number if there are more than three.
func (d *difference) extremes() []int {
	all := make([]int, len(d.N))
	for i := range all {
		all[i] = i
	}
	if len(all) <= 3 {
		return all
	}
	number := func(i int) float64 {
		value, _ := d.number(i)
		return value
	}
	all = slices.DeleteFunc(all, func(i int) bool { return math.IsNaN(number(i)) })
	slices.SortStableFunc(all, func(i, j int) int { return cmp.Compare(number(i), number(j)) })
	return []int{all[0], all[len(all)-1]}
}
