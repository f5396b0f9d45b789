package study

import (
	"math"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// addPairs tests the pairs of genes. group is the group of the samples, or "".
func (a *coOccurrenceAnswer) addPairs(samples *study.Samples, mutations []*study.GeneMutations, group string) error {
	var logs []float64
	first := len(a.Pairs)
	for i, m := range mutations {
		for _, n := range mutations[i+1:] {
			p, err := pairOf(samples, m, n)
			if err != nil {
				return err
			}
			p.Group = group
			a.Pairs, logs = append(a.Pairs, p), append(logs, p.logP())
		}
	}
	for i, q := range stats.FalseDiscovery(logs) {
		p := &a.Pairs[first+i]
		p.Q, p.LogQ = probOf(math.Exp(q), q)
		p.Tendency = tendency(*p)
	}
	return nil
}

// coOccurrenceByGroup completes the answer with the pairs of each group of --group.
func coOccurrenceByGroup(
	in *command.Input, s *study.Study, r *result.Result, a *coOccurrenceAnswer, mutations []*study.GeneMutations,
) (*result.Result, error) {
	g, err := groupsOf(in, s, r, false)
	if err != nil {
		return nil, err
	}
	if in.IsSet("chart") {
		return nil, result.Invalid("a chart of co-occurrence shows all samples; without --chart the table has each group",
			in.LineWith(withoutChart(in)...)...)
	}
	for i := range g.of {
		inGroup := slices.ContainsFunc(g.members, func(m []bool) bool { return m[i] })
		untested := slices.ContainsFunc(mutations, func(m *study.GeneMutations) bool { return !m.Profiled.Included[i] })
		a.Total += b2i(inGroup && !untested)
	}
	for k, members := range g.members {
		own := result.Map(mutations, func(m *study.GeneMutations) *study.GeneMutations { return within(m, members) })
		if err := a.addPairs(g.samples, own, g.list[k].Name); err != nil {
			return nil, err
		}
	}
	a.SampleGroups, a.Basis = g.list, a.Basis+", in the samples of each group"
	r.Payload = a
	columns := result.Map(mutations, func(m *study.GeneMutations) column {
		return flagOf(m.Gene, m.Mutated, m.Profiled.Included)
	})
	return r, writeSamples(in, r, s, false, append(columns, g.columns()...)...)
}

// within restricts the mutations of a gene to some samples.
func within(m *study.GeneMutations, samples []bool) *study.GeneMutations {
	restricted, profiled := *m, *m.Profiled
	profiled.Included = make([]bool, len(samples))
	for i, in := range samples {
		profiled.Included[i] = in && m.Profiled.Included[i]
	}
	restricted.Profiled = &profiled
	return &restricted
}
