package study

import "slices"

// A filterGroup holds the samples of a group that meet all criteria.
type filterGroup struct {
	groupSummary
	Matched []string `json:"matched_sample_ids"`
}

// groupTests returns the test for samples in a group of --group, or none, and adds the groups to an answer.
func (f *testBuilder) groupTests(a *filterAnswer) ([]*test, *sampleGroups, error) {
	if !hasGroups(f.in) {
		return nil, nil, nil
	}
	g, err := groupsOf(f.in, f.s, f.r, false)
	if err != nil {
		return nil, nil, err
	}
	t := &test{"in a group", make([]bool, len(g.of)), make([]bool, len(g.of))}
	for i, of := range g.of {
		t.hasData[i] = of >= -2
		t.holds[i] = slices.ContainsFunc(g.members, func(m []bool) bool { return m[i] })
	}
	for k, one := range g.list {
		a.Groups = append(a.Groups, filterGroup{one, []string{}})
		a.Criteria = append(a.Criteria, criterion{
			one.Name + ": " + one.Expression, tallyOf(g.members[k]), len(g.of) - one.Unknown,
		})
	}
	a.Excluded = g.excluded()
	return []*test{t}, g, nil
}
