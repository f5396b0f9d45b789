package study

import (
	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// A coexpressionPair is the answer for the expression of two genes.
type coexpressionPair struct {
	Study       string       `json:"study_id"`
	Genes       []string     `json:"genes"`
	File        string       `json:"file"`
	Unit        string       `json:"unit"`
	Denominator denominator  `json:"denominator"` // samples with a value of both genes
	Correlation *correlation `json:"correlation"` // null if it is undefined
	Groups      []pairGroup  `json:"groups"`

	picture
}

// A pairGroup holds the samples with one mutation status of both genes.
type pairGroup struct {
	Name        string       `json:"group_name"`
	N           int          `json:"sample_count"`
	Correlation *correlation `json:"correlation"`

	x, y []float64
}

// firstMutated shifted left by the index of a gene, 0 or 1, marks the gene as mutated in a group number.
const firstMutated, mutationUnknown = 1, 4

func runCoexpressionPair(in *command.Input, first, second string) (*result.Result, error) {
	if err := in.RejectUnused("requires one gene", "limit", "offset"); err != nil {
		return nil, err
	}
	draw, err := parseDrawing(in, "study coexpression of two genes", charts.Pairs{})
	if err != nil {
		return nil, err
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	p, err := expression(s)
	if err != nil {
		return nil, err
	}
	r := &result.Result{}
	var values [2]*study.GeneValues
	for i, g := range []string{first, second} {
		if values[i], err = geneValues(in, s, p, "gene", g); err != nil {
			return nil, err
		}
		noteValues(r, s, values[i])
	}
	x, y := values[0], values[1]
	a := &coexpressionPair{
		Study: s.ID, Genes: []string{first, second}, File: x.Profile.File, Unit: unitOf(x.Profile),
		Denominator: denominator{Unit: "samples", Basis: x.Profiled.Basis},
	}
	status, err := mutationStatus(in, r, s, first, second)
	if err != nil {
		return nil, err
	}
	has := func(i int) bool { return x.Profiled.Included[i] && y.Profiled.Included[i] }
	xs, ys := a.divide(x, y, status, has)
	a.Denominator.N = len(xs)
	noteRepeatedSamples(r, countRepeatedPatients(x.Profiled.Samples, has), "")
	if a.Correlation, err = newCorrelation(xs, ys); err != nil {
		r.Notice("no correlation: " + reason(err))
	}
	noteUndefinedP(r, a.Correlation)
	for i := range a.Groups {
		a.Groups[i].Correlation, _ = newCorrelation(a.Groups[i].x, a.Groups[i].y) // null in a small group
	}
	r.Payload = a
	r.Next = []result.Argv{{"study", "coexpression", "--study", s.ID, "--gene", first}}
	if a.picture, err = draw.draw(r, a.chartData()); err != nil {
		return nil, err
	}
	group := column{"mutations", func(i int) any { return a.Groups[status[i]].Name }}
	return r, writeSamples(in, r, s, true, valueOf(first, x.Values, x.Profiled.Included),
		valueOf(second, y.Values, y.Profiled.Included), group)
}

// divide divides the samples with both values into groups by mutation status. It returns the values of all of them.
func (a *coexpressionPair) divide(
	x, y *study.GeneValues, status []int, has func(sample int) bool,
) (xs, ys []float64) {
	for _, name := range []string{
		"wild type", a.Genes[0] + " mutated", a.Genes[1] + " mutated", "both mutated", "not profiled for mutations",
	} {
		a.Groups = append(a.Groups, pairGroup{Name: name})
	}
	for i := range x.Values {
		if has(i) {
			g := &a.Groups[status[i]]
			g.N++
			g.x, g.y = append(g.x, x.Values[i]), append(g.y, y.Values[i])
			xs, ys = append(xs, x.Values[i]), append(ys, y.Values[i])
		}
	}
	return xs, ys
}

// mutationStatus returns the group of each sample by the mutation of two genes. In a study without
// mutation data every status is unknown.
func mutationStatus(in *command.Input, r *result.Result, s *study.Study, first, second string) ([]int, error) {
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	status := make([]int, len(samples.IDs))
	for i, g := range []string{first, second} {
		m, err := mutationsOf(in, s, "gene", g)
		if study.IsKind(err, study.NoData) {
			r.Notice("the samples are not divided by mutation: " + err.Error())
			for k := range status {
				status[k] = mutationUnknown
			}
			return status, nil
		}
		if err != nil {
			return nil, err
		}
		noteMutations(r, s, m)
		for k, profiled := range m.Profiled.Included {
			switch {
			case !profiled:
				status[k] = mutationUnknown
			case m.Mutated[k] && status[k] != mutationUnknown:
				status[k] |= firstMutated << i
			}
		}
	}
	return status, nil
}

// newCorrelation correlates two measurements of the same samples.
func newCorrelation(x, y []float64) (*correlation, error) {
	c, err := stats.Correlation(x, y)
	if err != nil {
		return nil, err
	}
	out := &correlation{N: c.N, R: num(c.R.Estimate), Low: num(c.R.Low), High: num(c.R.High), Rho: num(c.Rho)}
	out.P, out.LogP = probOf(c.P, c.LogP)
	out.RhoP, out.LogRhoP = probOf(c.RhoP, c.LogRhoP)
	return out, nil
}

// noteUndefinedP adds notices that explain the missing p-values of a correlation.
func noteUndefinedP(r *result.Result, c *correlation) {
	if c == nil {
		return
	}
	if !c.P.known {
		r.Notice("no p-value of r: all points lie on a line, up to rounding")
	}
	if !c.RhoP.known {
		r.Notice("no p-value of rho: both genes have the samples in the same or the opposite order")
	}
}

func (a *coexpressionPair) chartData() charts.Pairs {
	d := charts.Pairs{Labels: charts.Labels{
		Title:      a.Genes[0] + " vs " + a.Genes[1] + " expression (" + a.Study + ")",
		Comparison: a.Genes[0] + " expression (" + a.Unit + ")",
		Value:      a.Genes[1] + " expression (" + a.Unit + ")", Subtitle: a.Denominator.size(),
	}}
	if a.Correlation != nil {
		d.Subtitle = a.Correlation.text()
	}
	for i, g := range a.Groups {
		if g.N > 0 {
			d.Groups = append(d.Groups,
				charts.Points{Name: g.Name, Muted: i == mutationUnknown, Comparisons: g.x, Values: g.y})
		}
	}
	return d
}

func (a *coexpressionPair) Doc() result.Doc {
	t := result.Table{
		Columns: result.Columns("Samples", ">N", ">Spearman rho", ">p-value", ">Pearson r (95 % CI)", ">p-value of r"),
	}
	add := func(name string, n int, c *correlation) {
		if c == nil {
			t.Rows = append(t.Rows, []string{name, count(n), "-", "-", "-", "-"})
			return
		}
		t.Rows = append(t.Rows,
			[]string{name, count(n), c.Rho.fixed(3), c.RhoP.text(), interval(c.R, c.Low, c.High, 3), c.P.text()})
	}
	add("all", a.Denominator.N, a.Correlation)
	for _, g := range a.Groups {
		if g.N > 0 {
			add(g.Name, g.N, g.Correlation)
		}
	}
	return a.add(result.Doc{
		result.Heading{Level: 1, Text: "Study Co-expression: " + a.Genes[0] + " and " + a.Genes[1] + " (" + a.Study + ")"},
		t,
		result.Para{Text: "Samples with a value of both genes: " + a.Denominator.text()},
		result.Para{Text: "Unit: " + a.Unit + ", from " + a.File},
	})
}
