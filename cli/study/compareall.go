package study

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"biomcp/charts"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// everyGene is the answer for a comparison of every gene.
type everyGene struct {
	Study    string     `json:"study_id"`
	Stratify string     `json:"stratify_gene"`
	GroupBy  string     `json:"by"`
	Type     string     `json:"type"`
	Groups   []string   `json:"groups"`
	Tested   int        `json:"tested_genes"`
	Untested int        `json:"untested_genes"` // genes without variation, or without values in a group
	Basis    string     `json:"basis"`
	Excluded exclusions `json:"excluded"` // samples without a group; each row counts the samples profiled for its gene
	Rows     []geneTest `json:"rows"`

	picture
	all        []geneTest
	shownRange string
}

// A geneTest is the result for one gene: counts of mutated samples, or medians of expression.
type geneTest struct {
	Gene    string  `json:"gene"`
	N       []int   `json:"n"`       // samples by group
	Mutated []int   `json:"mutated"` // mutated samples by group
	Median  []num   `json:"median"`
	Odds    num     `json:"odds_ratio"`
	Shift   num     `json:"shift"` // first group minus second
	Low     num     `json:"low"`
	High    num     `json:"high"`
	P       prob    `json:"p_value"`
	LogP    log10   `json:"log10_p_value"`
	Q       prob    `json:"q"`
	LogQ    log10   `json:"log10_q"`
	effect  float64 // Odds or Shift, for the chart
}

func (c *comparison) compareEveryMutation() (*result.Result, error) {
	counts, _, err := c.s.MutatedGenes(c.in.Bool("include-silent"))
	if err != nil {
		return nil, err
	}
	a := c.newEveryGene("mutations")
	for _, g := range counts {
		m, err := c.s.GeneMutations(g.Gene, c.in.Bool("include-silent"))
		if err != nil {
			return nil, err
		}
		if c.groupsByGene && slices.Equal(m.Names, c.geneNames) {
			continue
		}
		a.Basis = c.basis("profiled for the gene: " + m.Profiled.Basis)
		t := c.mutatedTable(m)
		test, err := stats.Fisher(t[0][0], t[0][1], t[1][0], t[1][1])
		if err != nil || math.IsNaN(test.OddsRatio.Estimate) {
			a.Untested++
			continue
		}
		row := geneTest{
			Gene: g.Gene, N: []int{t[0][0] + t[0][1], t[1][0] + t[1][1]}, Mutated: []int{t[0][0], t[1][0]}, Shift: nan,
			Odds: num(test.OddsRatio.Estimate), Low: num(test.OddsRatio.Low), High: num(test.OddsRatio.High),
			effect: test.OddsRatio.Estimate,
		}
		row.P, row.LogP = probOf(test.P, test.LogP)
		a.all = append(a.all, row)
	}
	return c.rank(a, "Odds ratio")
}

func (c *comparison) compareEveryExpression(p study.Profile) (*result.Result, error) {
	matrix, err := c.s.Matrix(p)
	if err != nil {
		return nil, err
	}
	on, err := c.s.ProfiledSamples(p, "")
	if err != nil {
		return nil, err
	}
	addNotices(c.r, c.s, on.Notices, matrix.Notices)
	a := c.newEveryGene("expression")
	a.Basis = c.basis("with a value of the gene in " + p.File)
	var one sync.Mutex
	err = matrix.Rows(func(gene string, values []float64) error {
		groups := c.sortedGroups(values)
		t, err := stats.MannWhitney(groups[0], groups[1])
		effect := math.NaN()
		if err == nil && c.draw.kind != "" {
			effect = t.ShiftEstimate()
		}
		one.Lock()
		defer one.Unlock()
		if errors.Is(err, stats.ErrOneGroup) || errors.Is(err, stats.ErrConstant) {
			a.Untested++
			return nil
		}
		if err != nil {
			return err
		}
		x, y := stats.Quantile(groups[0], 0.5), stats.Quantile(groups[1], 0.5)
		row := geneTest{
			Gene: gene, N: []int{len(groups[0]), len(groups[1])}, Median: []num{num(x), num(y)}, Odds: nan,
			Shift: nan, Low: nan, High: nan, effect: effect,
		}
		row.P, row.LogP = probOf(t.P, t.LogP)
		a.all = append(a.all, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r, err := c.rank(a, "Shift (Hodges-Lehmann, "+unitOf(p)+")")
	if err != nil {
		return nil, err
	}
	return r, c.addShifts(a.Rows, p)
}

// sortedGroups returns the values of each group, sorted.
func (c *comparison) sortedGroups(values []float64) [][]float64 {
	groups := c.split(c.sample, values, func(i int) bool { return !math.IsNaN(values[i]) })
	for _, g := range groups {
		slices.Sort(g)
	}
	return groups
}

// addShifts computes the shifts of the shown rows only, because a shift takes longer than the
// test of a gene.
func (c *comparison) addShifts(rows []geneTest, p study.Profile) error {
	for i := range rows {
		v, err := c.s.GeneValues(p, rows[i].Gene)
		if err != nil {
			return err
		}
		groups := c.sortedGroups(v.Values)
		t, err := stats.MannWhitney(groups[0], groups[1])
		if err != nil {
			return err
		}
		shift := t.Shift()
		rows[i].Shift, rows[i].Low, rows[i].High = num(shift.Estimate), num(shift.Low), num(shift.High)
	}
	return nil
}

func (c *comparison) newEveryGene(kind string) *everyGene {
	a := &everyGene{Study: c.s.ID, GroupBy: c.groupBy, Type: kind, Groups: c.names, Excluded: c.exclude(c.sample)}
	if c.groupsByGene {
		a.Stratify, a.GroupBy = c.groupBy, "mutation"
	}
	return a
}

// rank adds q-values, sorts by p-value and applies --limit and --offset. effect names the
// effect measure, for the axis of the chart.
func (c *comparison) rank(a *everyGene, effect string) (*result.Result, error) {
	c.noteRepeatedSamples(c.countRepeated(func(int) bool { return true }), "")
	limit, notice, err := limitOf(c.in)
	if err != nil {
		return nil, err
	}
	c.r.Notice(notice)
	logs := result.Map(a.all, func(t geneTest) float64 { return t.P.log })
	for i, q := range stats.FalseDiscovery(logs) {
		a.all[i].Q, a.all[i].LogQ = probOf(math.Exp(q), q)
	}
	slices.SortFunc(a.all, func(x, y geneTest) int {
		return cmp.Or(cmp.Compare(x.P.log, y.P.log), strings.Compare(x.Gene, y.Gene))
	})
	from, to, shown, err := page(c.in, c.r, limit, len(a.all))
	if err != nil {
		return nil, err
	}
	a.Tested, a.Rows, a.shownRange = len(a.all), a.all[from:to], shown
	c.r.Payload = a
	d := charts.Tests{EffectIsRatio: a.Type == "mutations", Labels: charts.Labels{
		Title: "Genes by " + c.status() + ": " + a.Type + " (" + c.s.ID + ")", Value: effect,
		Subtitle: fmt.Sprintf("%s against %s, %d genes", c.names[0], c.names[1], a.Tested),
		Note:     a.Excluded.note("samples"),
	}}
	d.List = result.Map(a.all, func(t geneTest) charts.Test {
		return charts.Test{Name: t.Gene, Effect: t.effect, Log10Q: t.LogQ.value()}
	})
	return c.finish(&a.picture, d, "samples")
}

func (a *everyGene) Doc() result.Doc {
	t := result.Table{
		Columns: result.Columns("Gene", ">"+a.Groups[0], ">"+a.Groups[1], ">Odds Ratio (95 % CI)", ">p-value",
			">q-value"),
	}
	if a.Type == "expression" {
		t.Columns[3].Name = "Shift (Hodges-Lehmann, 95 % CI)"
	}
	for _, g := range a.Rows {
		row := []string{g.Gene}
		for i, n := range g.N {
			if a.Type == "mutations" {
				row = append(row, fmt.Sprintf("%d of %d", g.Mutated[i], n))
			} else {
				row = append(row, fmt.Sprintf("median %s of %d", g.Median[i].fixed(3), n))
			}
		}
		estimate := g.Odds
		if a.Type == "expression" {
			estimate = g.Shift
		}
		t.Rows = append(t.Rows, append(row, interval(estimate, g.Low, g.High, 3), g.P.text(), g.Q.text()))
	}
	t.Narrow = result.Narrow(t, 0, 3, 5)
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Group Comparison: every gene by " + a.Type},
		result.Para{Text: a.Groups[0] + " against " + a.Groups[1] + " | Study: " + a.Study},
		result.Para{Text: fmt.Sprintf("%d genes tested%s, %d not testable; q by Benjamini and Hochberg",
			a.Tested, a.shownRange, a.Untested)},
	}
	if len(t.Rows) > 0 {
		doc = append(doc, t, result.Para{Text: "Samples " + a.Basis})
	}
	return a.add(a.Excluded.add(doc, "samples"))
}
