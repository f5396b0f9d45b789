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

// perPatient repeats a test with each patient counted once, if some patients have several of
// the compared samples: samples of one patient are not independent. A patient has the mean of
// the samples, or is mutated if one of them is.
type perPatient struct {
	Patients int    `json:"patients"`
	Several  int    `json:"with_several_samples"` // patients with several samples
	Apart    int    `json:"excluded"`             // patients excluded because their samples are in several groups
	Test     string `json:"test"`
	P        num    `json:"p_value"`
}

const countedOnce = "with each patient counted once"

// several returns the number of patients with more than one of the compared samples.
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

// once returns one value per patient for each group, combined by join from the values of the
// patient's samples. It returns nil if no patient has several samples. The caller performs the
// test.
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

// unmutated returns the notice about unmutated samples in the mutant group, which has n
// samples. It returns "" if all are mutated.
func unmutated(g *study.GeneMutations, n int) string {
	if n == g.Samples {
		return ""
	}
	return fmt.Sprintf("%d of the %d profiled samples of %s-mutant are mutated; the others are from the same patients", g.Samples, n, g.Gene)
}

// noteSeveral adds the notice that n patients have several samples. again describes the
// repeated test, "" if there is none.
func (c *comparison) noteSeveral(n int, again string) {
	c.r.Notice(c.unmutated)
	noteSeveral(c.r, n, again)
}

func noteSeveral(r *result.Result, n int, again string) {
	if n == 0 {
		return
	}
	notice := english.Plural(n, "patient has", "patients have") + " several of the samples compared, which the test treats as independent"
	if again != "" {
		notice += "; it is repeated " + again
	}
	r.Notice(notice)
}

// noteNumbers adds notices about patients whose samples have different numbers, and about
// excluded values.
func noteNumbers(r *result.Result, attribute string, n study.Numbers) {
	noteApart(r, n.Several, attribute, "their mean is used")
	if of := slices.Sorted(maps.Keys(n.Bounds)); n.Numeric && len(of) > 0 {
		r.Notice(english.Plural(len(of), "value", "") + " of " + attribute + " excluded: only a bound is known, such as " + n.Bounds[of[0]].Text)
	}
	if n.Numeric && n.Words > 0 {
		r.Notice(english.Plural(n.Words, "value", "") + " of " + attribute + " excluded: not a number, such as " + command.Clip(n.Word))
	}
}

// noteApart adds the notice that n patients have samples with different values. used says which
// value is used.
func noteApart(r *result.Result, n int, of, used string) {
	if n > 0 {
		r.Notice(english.Plural(n, "patient has", "patients have") + " samples with different values of " + of + ": " + used)
	}
}

// noteFollowUp adds the notice about patients whose samples have different follow-up.
func noteFollowUp(r *result.Result, e study.Endpoint, f *study.FollowUp) {
	id := strings.ToUpper(e.ID)
	noteApart(r, f.Apart, id+"_MONTHS or "+id+"_STATUS", "the first sample with both is used")
}

// meansOnce tests the patients' means. It returns nil if no patient has several samples.
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

// mutatedOnce tests patients with and without a mutated sample. It returns nil if no patient
// has several samples.
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
