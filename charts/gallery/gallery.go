// Package gallery is one picture of each kind of chart in each situation that charts
// get wrong: few groups and many, long names, one value, none. The data is synthetic.
// Its test compares the pictures with those that were looked at; `go run ./build
// gallery DIR` writes them as a page.
package gallery

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"biomcp/charts"
)

// Example is one chart of the gallery.
type Example struct {
	Name  string // "survival-many"
	Chart charts.Chart
}

// situation is how many groups there are, how they are named, and how many values
// each has.
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
		return fmt.Sprintf("%d: Undifferentiated pleomorphic <sarcoma> & other soft-tissue malignancies, Immunoglobulinhypermutation≥2", i+1)
	}, 40},
	{"one", 1, func(int) string { return "TP53" }, 1},
	{"none", 0, nil, 0},
}

// Examples are all charts, the same ones at each call.
func Examples() (list []Example) {
	for _, s := range situations {
		for _, kind := range kinds {
			list = append(list, Example{kind.name + "-" + s.name, kind.make(s, rand.New(rand.NewPCG(1, uint64(s.groups))))})
		}
	}
	return list
}

var kinds = []struct {
	name string
	make func(s situation, r *rand.Rand) charts.Chart
}{
	{"bar", func(s situation, r *rand.Rand) charts.Chart {
		return charts.Bar{Labels: labels("TP53 mutation classes", "Variant class", "Count"), Bars: counts(s, r)}
	}},
	{"stacked-bar", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.StackedBar{Labels: labels("TP53 mutation status by DNMT3A", "Group", "Samples"),
			Parts: []charts.Part{{Name: "mutated"}, {Name: "not mutated"}}}
		for _, v := range counts(s, r) {
			ch.Categories = append(ch.Categories, v.Name)
			ch.Parts[0].Values = append(ch.Parts[0].Values, v.Value)
			ch.Parts[1].Values = append(ch.Parts[1].Values, float64(r.IntN(90)))
		}
		return ch
	}},
	{"pie", func(s situation, r *rand.Rand) charts.Chart {
		return charts.Pie{Labels: labels("TP53 mutation classes", "", ""), Slices: counts(s, r)}
	}},
	{"waterfall", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Waterfall{Labels: labels("Mutation burden by sample (synthetic)", "Sample", "Mutation count")}
		for i := range s.groups * s.values {
			ch.Samples = append(ch.Samples, charts.Value{Name: fmt.Sprintf("S%04d", i), Value: math.Floor(math.Exp(3 * r.NormFloat64() / 2))})
		}
		return ch
	}},
	{"heatmap", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Heatmap{Labels: labels("Co-mutation heatmap (synthetic)", "", ""), Legend: "Both-mutated sample count"}
		for i := range s.groups {
			ch.Rows = append(ch.Rows, s.label(i))
			row := make([]float64, s.groups)
			for j := range row {
				if row[j] = float64(r.IntN(40)); i == j {
					row[j] = math.NaN()
				}
			}
			ch.Values = append(ch.Values, row)
		}
		ch.Columns = ch.Rows
		return ch
	}},
	{"histogram", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Histogram{Labels: labels("FLT3 expression histogram (synthetic)", "Expression (z-score)", "Count")}
		for _, g := range samples(s, r) {
			ch.Values = append(ch.Values, g.Values...)
		}
		return ch
	}},
	{"density", func(s situation, r *rand.Rand) charts.Chart {
		return charts.Density{Labels: labels("FLT3 expression density (synthetic)", "Expression (z-score)", "Density"), Samples: samples(s, r)}
	}},
	{"box", func(s situation, r *rand.Rand) charts.Chart {
		return charts.Box{Labels: labels("FLT3 by DNMT3A status (synthetic)", "Group", "Expression (z-score)"), Samples: samples(s, r)}
	}},
	{"violin", func(s situation, r *rand.Rand) charts.Chart {
		return charts.Violin{Labels: labels("FLT3 by DNMT3A status (synthetic)", "Group", "Expression (z-score)"), Samples: samples(s, r)}
	}},
	{"ridgeline", func(s situation, r *rand.Rand) charts.Chart {
		return charts.Ridgeline{Labels: labels("FLT3 by DNMT3A status (synthetic)", "Group", "Expression (z-score)"), Samples: samples(s, r)}
	}},
	{"scatter", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Scatter{Labels: labels("FLT3 against MYC expression (synthetic)", "FLT3 (z-score)", "MYC (z-score)")}
		for i, g := range samples(s, r) {
			if i == 8 {
				break
			}
			p := charts.Points{Name: g.Name, X: g.Values}
			for _, x := range g.Values {
				p.Y = append(p.Y, .6*x+r.NormFloat64())
			}
			ch.Groups = append(ch.Groups, p)
		}
		return ch
	}},
	{"survival", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Survival{Labels: labels("DNMT3A Overall Survival Kaplan-Meier", "Time (months)", "Survival probability")}
		ch.Subtitle = "Log-rank chi-square 11.5, df 1, p 0.00069"
		for i := range s.groups {
			ch.Groups = append(ch.Groups, curve(s.label(i), s.values, 8+4*float64(i%5), r))
		}
		return ch
	}},
	{"lollipop", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Lollipop{Labels: labels("DNMT3A mutations by position (synthetic)", "Amino acid position", "Samples"), Length: 912}
		for i := range s.groups * 3 {
			at := 1 + r.IntN(912)
			ch.Positions = append(ch.Positions, charts.Position{At: at, Count: 1 + int(r.ExpFloat64()*4),
				Name: fmt.Sprintf("R%dH", at), Class: []string{"Missense", "Nonsense", "Frameshift Del"}[i%3]})
		}
		return ch
	}},
	{"forest", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Forest{Labels: labels("Cox hazard ratios (synthetic)", "Hazard ratio (95 % interval)", "")}
		for i := range s.groups {
			hr := math.Exp(r.NormFloat64() / 2)
			ch.Terms = append(ch.Terms, charts.Ratio{Name: s.label(i), HR: hr, Low: hr / 1.6, High: hr * 1.6, P: "0.03"})
		}
		return ch
	}},
	{"volcano", func(s situation, r *rand.Rand) charts.Chart {
		ch := charts.Volcano{Labels: labels("Genes mutated more often in DNMT3A-mutant samples (synthetic)", "log odds ratio", "-log10 q")}
		for i := range s.groups * 50 {
			effect := 1.2 * r.NormFloat64()
			ch.Tests = append(ch.Tests, charts.Test{Name: fmt.Sprintf("GENE%d", i), Effect: effect, Q: math.Exp(-math.Abs(effect) * r.ExpFloat64() * 1.5)})
		}
		return ch
	}},
}

func labels(title, x, y string) charts.Labels {
	return charts.Labels{Title: title, Subtitle: "193 sequenced samples; 18 patients excluded", X: x, Y: y, Note: "Synthetic data."}
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

// curve is a product-limit estimate of exponential times with the given mean, of which
// a third are censored.
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
		g.Leaving, g.End = append(g.Leaving, m.time), m.time
		if !m.event {
			g.Censored = append(g.Censored, m.time)
			continue
		}
		s *= 1 - 1/float64(n-i)
		if g.Events++; s <= .5 && math.IsNaN(g.Median) {
			g.Median = m.time
		}
		half := 1.96 * math.Sqrt(s*(1-s)/float64(n-i))
		g.Times, g.S = append(g.Times, m.time), append(g.S, s)
		g.Low, g.High = append(g.Low, math.Max(0, s-half)), append(g.High, math.Min(1, s+half))
	}
	return g
}

// Variant is a chart drawn with some options.
type Variant struct {
	Example
	Options charts.Options
}

// Variants are all examples at 600 and 1,600 pixels, light and dark.
func Variants() (list []Variant) {
	for _, e := range Examples() {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int{600, 1600} {
				name := fmt.Sprintf("%s-%d-%s", e.Name, width, theme)
				list = append(list, Variant{Example{name, e.Chart}, charts.Options{Theme: theme, Width: width}})
			}
		}
	}
	return list
}

// Page is an HTML page with all variants.
func Page() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("<!DOCTYPE html>\n<meta charset=utf-8>\n<title>biomcp: charts</title>\n<style>body{font-family:sans-serif} figure{display:inline-block;margin:8px}</style>\n")
	for _, v := range Variants() {
		picture, err := charts.SVG(v.Chart, v.Options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		fmt.Fprintf(&b, "<figure><figcaption>%s</figcaption>%s</figure>\n", v.Name, picture)
	}
	return b.Bytes(), nil
}
