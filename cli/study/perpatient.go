package study

import (
	"fmt"
	"maps"
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
	Patients    int    `json:"patients"`
	WithSeveral int    `json:"with_several_samples"` // patients with several samples
	Conflicts   int    `json:"excluded"`             // patients excluded because their samples are in several groups
	Test        string `json:"test"`
	P           prob   `json:"p_value"`
	LogP        log10  `json:"log10_p_value"`
}

const oncePerPatient = "with each patient counted once"

// countRepeated returns the number of patients with more than one of the compared samples.
func (c *comparison) countRepeated(has func(sample int) bool) int {
	return countRepeatedPatients(c.samples, func(i int) bool { return c.sample[i] >= 0 && has(i) })
}

func countRepeatedPatients(samples *study.Samples, has func(sample int) bool) (patients int) {
	for _, of := range samples.ByPatient {
		n := 0
		for _, i := range of {
			n += b2i(has(i))
		}
		patients += b2i(n > 1)
	}
	return patients
}

// valuesPerPatient returns one value per patient for each group, combined by join from the values of the
// patient's samples. It returns nil if no patient has several samples. The caller performs the
// test.
func (c *comparison) valuesPerPatient(
	has func(sample int) bool, join func(samples []int) float64,
) ([][]float64, *perPatient) {
	n := c.countRepeated(has)
	if n == 0 {
		return nil, nil
	}
	c.noteRepeatedSamples(n, oncePerPatient)
	groups, a := make([][]float64, len(c.names)), &perPatient{}
	for patient, of := range c.samples.ByPatient {
		of = slices.DeleteFunc(slices.Clone(of), func(i int) bool { return c.sample[i] < 0 || !has(i) })
		switch g := c.patient[patient]; {
		case len(of) == 0:
		case g < 0:
			a.Conflicts++
		default:
			groups[g] = append(groups[g], join(of))
			a.Patients, a.WithSeveral = a.Patients+1, a.WithSeveral+b2i(len(of) > 1)
		}
	}
	return groups, a
}

// unmutatedNotice returns the notice about unmutated samples in the mutant group, which has n
// samples. It returns "" if all are mutated.
func unmutatedNotice(g *study.GeneMutations, n int) string {
	if n == g.MutatedSamples {
		return ""
	}
	return fmt.Sprintf("%d of the %d profiled samples of %s-mutant are mutated; the others are from the same patients",
		g.MutatedSamples, n, g.Gene)
}

// noteRepeatedSamples adds the notice that n patients have several samples. repetition
// describes the repeated test, "" if there is none.
func (c *comparison) noteRepeatedSamples(n int, repetition string) {
	c.r.Notice(c.unmutatedNotice)
	noteRepeatedSamples(c.r, n, repetition)
}

func noteRepeatedSamples(r *result.Result, n int, repetition string) {
	if n == 0 {
		return
	}
	notice := english.Plural(n, "patient has", "patients have") +
		" several of the samples compared, which the test treats as independent"
	if repetition != "" {
		notice += "; it is repeated " + repetition
	}
	r.Notice(notice)
}

// noteNumbers adds notices about patients whose samples have different numbers, and about
// excluded values.
func noteNumbers(r *result.Result, attribute string, n study.Numbers) {
	noteConflicts(r, n.AveragedPatients, attribute, "their mean is used")
	if of := slices.Sorted(maps.Keys(n.Bounds)); n.Numeric && len(of) > 0 {
		r.Notice(english.Plural(len(of), "value", "") + " of " + attribute +
			" excluded: only a bound is known, such as " + n.Bounds[of[0]].Text)
	}
	if n.Numeric && n.NonNumeric > 0 {
		r.Notice(english.Plural(n.NonNumeric, "value", "") + " of " + attribute + " excluded: not a number, such as " +
			command.Clip(n.LastNonNumeric))
	}
}

// noteConflicts adds the notice that n patients have samples with different values. used says which
// value is used.
func noteConflicts(r *result.Result, n int, of, used string) {
	if n > 0 {
		r.Notice(english.Plural(n, "patient has", "patients have") + " samples with different values of " + of +
			": " + used)
	}
}

// noteFollowUp adds the notice about patients whose samples have different follow-up.
func noteFollowUp(r *result.Result, e study.Endpoint, f *study.FollowUp) {
	id := strings.ToUpper(e.ID)
	noteConflicts(r, f.Conflicts, id+"_MONTHS or "+id+"_STATUS", "the first sample with both is used")
}

// meansPerPatient tests the patients' means. It returns nil if no patient has several samples.
func (c *comparison) meansPerPatient(values []float64, has func(sample int) bool) *perPatient {
	groups, out := c.valuesPerPatient(has, func(samples []int) float64 {
		return stats.Mean(result.Map(samples, func(i int) float64 { return values[i] }))
	})
	if out == nil {
		return nil
	}
	if out.Test = "Mann-Whitney"; len(groups) == 2 {
		if t, err := stats.MannWhitney(groups[0], groups[1]); err == nil {
			out.P, out.LogP = probOf(t.P, t.LogP)
		}
	} else {
		out.Test = "Kruskal-Wallis"
		if t, err := stats.KruskalWallis(groups...); err == nil {
			out.P, out.LogP = probOf(t.P, t.LogP)
		}
	}
	return out
}

// mutatedPerPatient tests patients with and without a mutated sample. It returns nil if no patient
// has several samples.
func (c *comparison) mutatedPerPatient(mutated []bool, has func(sample int) bool) *perPatient {
	groups, out := c.valuesPerPatient(has, func(samples []int) float64 {
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
	if p, log, err := stats.FisherTable(table); err == nil {
		out.P, out.LogP = probOf(p, log)
	}
	return out
}

// add adds the line of the test to an answer.
func (p *perPatient) add(doc result.Doc) result.Doc {
	if p == nil || !p.P.known {
		return doc
	}
	apart := ""
	if p.Conflicts > 0 {
		apart = "; not counted: " + english.Plural(p.Conflicts, "patient", "") + " with samples in several groups"
	}
	return append(doc, result.Para{Text: fmt.Sprintf(
		"Each patient counted once: %s p %s (%s, of whom %d have several samples%s)",
		p.Test, p.P.text(), english.Plural(p.Patients, "patient", ""), p.WithSeveral, apart)})
}
