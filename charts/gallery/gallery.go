// Package gallery shows each kind of chart with data that charts often draw badly: few groups and
// many, long names, one value, no value. The data is synthetic.
//
// Its test compares the images with those in testdata, which were checked by eye. After an
// intended change, update them and look at the difference:
//
//	go test ./charts/gallery -update
//	git diff charts/gallery/testdata
//	go run ./build gallery DIR        # all of them on one page, light and dark
package gallery

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"biomcp/charts"
)

// An Example is one chart of the gallery.
type Example struct {
	Name  string // such as "survival-many"
	Chart charts.Chart
}

// A situation sets the number of groups, their names and the number of values per group.
type situation struct {
	name   string
	groups int
	label  func(i int) string
	values int
}

var situations = []situation{
	{"few", 2, func(i int) string { return []string{"DNMT3A-mutant", "DNMT3A-wildtype"}[i] }, 80},
	{"many", 20, func(i int) string { return fmt.Sprintf("Group %d", i+1) }, 60},
	{"long", 4, func(i int) string {
		return fmt.Sprintf("%d: Undifferentiated pleomorphic <sarcoma> & other soft-tissue malignancies, "+
			"Immunoglobulinhypermutation≥2", i+1)
	}, 40},
	{"one", 1, func(int) string { return "TP53" }, 1},
	{"none", 0, nil, 0},
}

// Examples returns all charts: each kind with each form of data that it shows. Every call returns
// equal charts.
func Examples() (list []Example, err error) {
	for _, s := range situations {
		done := map[string]bool{}
		for _, data := range forms {
			d := data(s, rand.New(rand.NewPCG(1, uint64(s.groups))))
			for _, kind := range charts.Kinds(d) {
				ch, err := charts.New(kind, d)
				if err != nil {
					return nil, err
				}
				name := kind + "-" + s.name
				if done[kind] {
					name = fmt.Sprintf("%s-of-%s-%s", kind, strings.ToLower(reflect.TypeOf(d).Name()), s.name)
				}
				done[kind] = true
				list = append(list, Example{name, ch})
			}
		}
	}
	return list, nil
}

// forms holds a function for each form of data that makes synthetic data.
var forms = []func(s situation, r *rand.Rand) charts.Data{
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Values{Labels: labels("TP53 mutations by group"), List: counts(s, r)}
		d.Value = "Mutations"
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Parts{Labels: labels("TP53 mutations by group"), List: counts(s, r)}
		d.Value = "Mutations"
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Table{
			Labels: labels("TP53 mutation status by group"),
			Parts:  []charts.Part{{Name: "mutated"}, {Name: "not mutated"}},
		}
		for _, v := range counts(s, r) {
			d.Groups = append(d.Groups, v.Name)
			d.Parts[0].Counts = append(d.Parts[0].Counts, v.Value)
			d.Parts[1].Counts = append(d.Parts[1].Counts, float64(r.IntN(90)))
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Rates{Labels: labels("TP53 mutation rate by group")}
		d.Value = "Mutation rate"
		for i, v := range counts(s, r) {
			p := v.Value / 61
			half := 1.96 * math.Sqrt(p*(1-p)/61)
			d.List = append(d.List, charts.Rate{
				Name: s.label(i), K: int(v.Value), N: 61, Low: math.Max(0, p-half), High: math.Min(1, p+half),
			})
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Shares{Labels: labels("DNMT3A survival at 36 months")}
		d.Value = "Survival at 36 months"
		for i, v := range counts(s, r) {
			p := v.Value / 61
			half := 1.96 * math.Sqrt(p*(1-p)/61)
			name := fmt.Sprintf("%s (n=61, %d at risk)", s.label(i), int(v.Value/2))
			d.List = append(d.List, charts.Share{Name: name, Value: p, Low: math.Max(0, p-half), High: math.Min(1, p+half)})
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Expectations{Labels: labels("Co-occurrence")}
		d.Group, d.Value = "Gene pair", "Samples with both mutated"
		for _, v := range counts(s, r) {
			d.List = append(d.List, charts.Expectation{Name: v.Name, Observed: v.Value, Expected: math.Round(10*v.Value*(.4+r.Float64())) / 10})
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.SampleValues{Labels: labels("Mutation burden by sample")}
		d.Group, d.Value = "Sample", "Mutation count"
		for i := range s.groups * s.values {
			burden := math.Ceil(math.Exp(3 * r.NormFloat64() / 2))
			d.List = append(d.List, charts.Value{Name: fmt.Sprintf("S%04d", i), Value: burden})
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Matrix{Labels: labels("Co-mutation heatmap")}
		d.Value = "Odds ratio (* q < 0.05)"
		for i := range s.groups {
			d.Rows = append(d.Rows, s.label(i))
			row, stars := make([]float64, s.groups), make([]bool, s.groups)
			for j := range row {
				switch {
				case j < i: // the odds ratio does not depend on the order of the genes
					row[j], stars[j] = d.Ratios[j][i], d.Stars[j][i]
				case i == j:
					row[j] = math.NaN()
				default:
					row[j] = []float64{math.NaN(), 0, math.Inf(1), math.Exp(r.NormFloat64())}[min(3, (7*i+3*j)%29)]
					stars[j] = row[j] > 3
				}
			}
			d.Ratios, d.Stars = append(d.Ratios, row), append(d.Stars, stars)
		}
		d.Columns = d.Rows
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Distribution{Labels: labels("FLT3 expression")}
		for _, g := range samples(s, r) {
			d.Values = append(d.Values, g.Values...)
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		return charts.Samples{Labels: labels("FLT3 by DNMT3A status"), Groups: samples(s, r)}
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Pairs{Labels: labels("FLT3 vs MYC expression")}
		d.Comparison, d.Value = "FLT3 expression (z-score)", "MYC expression (z-score)"
		all := samples(s, r)
		for _, g := range all[:min(8, len(all))] {
			p := charts.Points{Name: g.Name, Comparisons: g.Values}
			for _, x := range g.Values {
				p.Values = append(p.Values, .6*x+r.NormFloat64())
			}
			d.Groups = append(d.Groups, p)
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Curves{Labels: labels("DNMT3A Overall Survival Kaplan-Meier"), Unit: "months"}
		for i := range s.groups {
			d.Groups = append(d.Groups, curve(s.label(i), s.values, 8+4*float64(i%5), r))
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Positions{Labels: labels("DNMT3A mutations by protein position"), Length: 912}
		for i := range s.groups * 3 {
			at := 1 + r.IntN(912)
			d.List = append(d.List, charts.Position{Residue: at, Count: 1 + int(r.ExpFloat64()*4),
				Name: fmt.Sprintf("R%dH", at), Class: []string{"Missense", "Nonsense", "Frameshift Del"}[i%3]})
		}
		return d
	},
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Ratios{Labels: labels("DNMT3A hazard ratios")}
		d.Value = "Hazard ratio (95 % CI)"
		for i := range s.groups {
			logHR, se := r.NormFloat64()/2, math.Log(1.6)/1.96
			n := 40 + r.IntN(900)
			p := math.Erfc(math.Abs(logHR/se) / math.Sqrt2) // the p-value that fits the interval
			d.Terms = append(d.Terms, charts.Ratio{
				Name: s.label(i), N: fmt.Sprintf("%d vs 137", n), Events: fmt.Sprintf("%d vs 61", min(n, 9+i)),
				Estimate: math.Exp(logHR), Low: math.Exp(logHR - 1.96*se), High: math.Exp(logHR + 1.96*se),
				P: fmt.Sprintf("%.3f", p),
			})
		}
		return d
	},
	oncoprint,
	func(s situation, r *rand.Rand) charts.Data {
		d := charts.Tests{Labels: labels("Genes mutated more often in DNMT3A-mutant samples"), EffectIsRatio: true}
		d.Value = "Odds ratio"
		for i := range s.groups * 20 {
			effect := 1.2 * r.NormFloat64()
			q := math.Exp(-math.Abs(effect) * r.ExpFloat64() * 1.5)
			test := charts.Test{Name: fmt.Sprintf("GENE%d", i), Effect: math.Exp(effect), Log10Q: math.Log10(q)}
			if i%13 == 5 {
				test.Effect = []float64{0, math.Inf(1)}[i%2]
			}
			d.List = append(d.List, test)
		}
		return d
	},
}

// labels returns the labels of a synthetic study.
func labels(title string) charts.Labels {
	return charts.Labels{
		Title:    title,
		Subtitle: "193 sequenced samples; 18 patients excluded",
		Note:     "Synthetic data.",
		Group:    "Group",
		Value:    "Expression (z-score)",
		Count:    "Samples",
		Share:    "Survival probability",
		Time:     "Time (months)",
		Position: "Amino acid position",
	}
}

func counts(s situation, r *rand.Rand) (values []charts.Value) {
	for i := range s.groups {
		values = append(values, charts.Value{Name: s.label(i), Value: float64(1 + r.IntN(60))})
	}
	return values
}

func samples(s situation, r *rand.Rand) (list []charts.Sample) {
	for i := range s.groups {
		g := charts.Sample{Name: s.label(i)}
		for range s.values {
			g.Values = append(g.Values, r.NormFloat64()+.3*float64(i%5))
		}
		list = append(list, g)
	}
	return list
}

// curve returns a product-limit estimate from n exponential times with the given mean. A third of
// them are censored.
func curve(name string, n int, mean float64, r *rand.Rand) charts.Curve {
	g := charts.Curve{Name: name, N: n, Median: math.NaN()}
	type member struct {
		time  float64
		event bool
	}
	members := make([]member, n)
	for i := range members {
		members[i] = member{mean * r.ExpFloat64(), r.IntN(3) > 0}
	}
	slices.SortFunc(members, func(a, b member) int { return int(math.Copysign(1, a.time-b.time)) })
	s := 1.0
	for i, m := range members {
		g.FollowUp, g.End = append(g.FollowUp, m.time), m.time
		if !m.event {
			g.Censored = append(g.Censored, m.time)
			continue
		}
		s *= 1 - 1/float64(n-i)
		if g.Events++; s <= .5 && math.IsNaN(g.Median) {
			g.Median = m.time
		}
		half := 1.96 * math.Sqrt(s*(1-s)/float64(n-i))
		g.Times, g.Survival = append(g.Times, m.time), append(g.Survival, s)
		g.Low, g.High = append(g.Low, math.Max(0, s-half)), append(g.High, math.Min(1, s+half))
	}
	return g
}

// Page returns an HTML page with all examples, narrow and wide, light and dark.
func Page() ([]byte, error) {
	examples, err := Examples()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<meta charset=utf-8>\n<title>biomcp: charts</title>\n" +
		"<style>body{font-family:sans-serif} figure{display:inline-block;margin:8px}</style>\n")
	for _, e := range examples {
		for _, o := range []charts.Options{
			{Width: 600}, {Width: 1600}, {Width: 600, Theme: "dark"}, {Width: 1600, Theme: "dark"},
		} {
			picture, err := charts.SVG(e.Chart, o)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
			fmt.Fprintf(&b, "<figure><figcaption>%s</figcaption>%s</figure>\n", e.Name, picture)
		}
	}
	return b.Bytes(), nil
}
