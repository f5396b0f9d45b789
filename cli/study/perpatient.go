package study

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// perPatient is the test once more with each patient counted once, if some have several
// of the samples compared: samples of one patient are not independent. A patient has the
// mean of the samples, or is mutated if one of them is.
type perPatient struct {
	Patients int    `json:"patients"`
	Several  int    `json:"with_several_samples"` // of them
	Apart    int    `json:"excluded"`             // as their samples are in several groups
	Test     string `json:"test"`
	P        num    `json:"p_value"`
}

const countedOnce = "with each patient counted once"

// several counts the patients with more than one of the samples that are compared.
func (c *comparison) several(has func(sample int) bool) int {
	return several(c.samples, func(i int) bool { return c.sample[i] >= 0 && has(i) })
}

func several(samples *study.Samples, has func(sample int) bool) (patients int) {
	for _, of := range samples.ByPatient {
		n := 0
		for _, i := range of {
			n += b2i(has(i))
		}
		patients += b2i(n > 1)
	}
	return patients
}

// once is the value of each patient of a group: that which join makes of the patient's
// samples. The answer's test is to be made of them; it is nil if no patient has several samples.
func (c *comparison) once(has func(sample int) bool, join func(samples []int) float64) ([][]float64, *perPatient) {
	n := c.several(has)
	if n == 0 {
		return nil, nil
	}
	c.noteSeveral(n, countedOnce)
	groups, a := make([][]float64, len(c.names)), &perPatient{P: nan}
	for patient, of := range c.samples.ByPatient {
		of = slices.DeleteFunc(slices.Clone(of), func(i int) bool { return c.sample[i] < 0 || !has(i) })
		switch g := c.patient[patient]; {
		case len(of) == 0:
		case g < 0:
			a.Apart++
		default:
			groups[g] = append(groups[g], join(of))
			a.Patients, a.Several = a.Patients+1, a.Several+b2i(len(of) > 1)
		}
	}
	return groups, a
}

// unmutated says how many of the n samples of a mutant group are mutated themselves, "" for all.
func unmutated(g *study.GeneMutations, n int) string {
	if n == g.Samples {
		return ""
	}
	return fmt.Sprintf("%d of the %d profiled samples of %s-mutant are mutated; the others are of the same patients", g.Samples, n, g.Gene)
}

// noteSeveral says that some patients have several samples, and how the test is made once
// more, "" if it is not.
func (c *comparison) noteSeveral(n int, again string) {
	c.r.Notice(c.unmutated)
	noteSeveral(c.r, n, again)
}

func noteSeveral(r *result.Result, n int, again string) {
	if n == 0 {
		return
	}
	notice := english.Plural(n, "patient has", "patients have") + " several of the samples compared, which the test takes as independent"
	if again != "" {
		notice += "; " + again + " it is given as well"
	}
	r.Notice(notice)
}

// noteNumbers says of how many patients the mean is taken, as their samples have several numbers, and
// how many values are left out.
func noteNumbers(r *result.Result, attribute string, n study.Numbers) {
	noteApart(r, n.Several, attribute, "their mean is used")
	if of := slices.Sorted(maps.Keys(n.Bounds)); n.Numeric && len(of) > 0 {
		r.Notice(english.Plural(len(of), "value", "") + " of " + attribute + " left out as no more than a bound, such as " + n.Bounds[of[0]].Text)
	}
	if n.Numeric && n.Words > 0 {
		r.Notice(english.Plural(n.Words, "value", "") + " of " + attribute + " left out as no number, such as " + command.Clip(n.Word))
	}
}

// noteApart says of how many patients the samples have different values, and what is made of them.
func noteApart(r *result.Result, n int, of, used string) {
	if n > 0 {
		r.Notice(english.Plural(n, "patient has", "patients have") + " samples with different values of " + of + ": " + used)
	}
}

// noteFollowUp says whose time and status are used, where samples of a patient have different ones.
func noteFollowUp(r *result.Result, e study.Endpoint, f *study.FollowUp) {
	id := strings.ToUpper(e.ID)
	noteApart(r, f.Apart, id+"_MONTHS or "+id+"_STATUS", "the first sample with both is used")
}

// meansOnce is the test of patients' means, nil if no patient has several samples.
func (c *comparison) meansOnce(values []float64, has func(sample int) bool) *perPatient {
	groups, out := c.once(has, func(samples []int) float64 {
		sum := 0.0
		for _, i := range samples {
			sum += values[i]
		}
		return sum / float64(len(samples))
	})
	if out == nil {
		return nil
	}
	if out.Test = "Mann-Whitney"; len(groups) == 2 {
		if t, err := stats.MannWhitney(groups[0], groups[1]); err == nil {
			out.P = num(t.P)
		}
	} else {
		out.Test = "Kruskal-Wallis"
		if t, err := stats.KruskalWallis(groups...); err == nil {
			out.P = num(t.P)
		}
	}
	return out
}

// mutatedOnce is the test of patients with and without a mutated sample, nil if no
// patient has several samples.
func (c *comparison) mutatedOnce(mutated []bool, has func(sample int) bool) *perPatient {
	groups, out := c.once(has, func(samples []int) float64 {
		return float64(b2i(slices.ContainsFunc(samples, func(i int) bool { return mutated[i] })))
	})
	if out == nil {
		return nil
	}
	out.Test = "Fisher"
	table := make([][]int, len(c.names))
	for g, values := range groups {
		table[g] = make([]int, 2)
		for _, v := range values {
			table[g][1-int(v)]++
		}
	}
	if p, err := stats.FisherTable(table); err == nil {
		out.P = num(p)
	}
	return out
}

// add adds the line of the test to an answer.
func (p *perPatient) add(doc result.Doc) result.Doc {
	if p == nil || math.IsNaN(float64(p.P)) {
		return doc
	}
	apart := ""
	if p.Apart > 0 {
		apart = "; not counted: " + english.Plural(p.Apart, "patient", "") + " with samples in several groups"
	}
	return append(doc, result.Para{Text: fmt.Sprintf("Each patient counted once: %s p %s (%s, of whom %d have several samples%s)", p.Test, p.P.p(), english.Plural(p.Patients, "patient", ""), p.Several, apart)})
}
