package study

import (
	"slices"
	"testing"
)

// The group of a patient does not depend on the order of the samples: a group, else several groups, else the
// first unknown reason, else no group.
func TestGroupPatientsInAnyOrder(t *testing.T) {
	for _, c := range []struct {
		samples []int
		want    int
	}{
		{[]int{-1, -1}, -1}, {[]int{-1, -3}, -3}, {[]int{-1, -4, -3}, -3}, {[]int{-3, 0}, 0}, {[]int{-1, 1}, 1},
		{[]int{0, 1}, -2}, {[]int{-2, -3}, -2}, {[]int{0, -2}, -2},
	} {
		all := &Samples{Patients: []string{"P"}, ByPatient: [][]int{{}}}
		for i := range c.samples {
			all.ByPatient[0] = append(all.ByPatient[0], i)
		}
		reversed := slices.Clone(c.samples)
		slices.Reverse(reversed)
		for _, group := range [][]int{c.samples, reversed} {
			if got := all.GroupPatients(group); got[0] != c.want {
				t.Errorf("GroupPatients(%v): want %d, got %d", group, c.want, got[0])
			}
		}
	}
}
