package study

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/result"
	"biomcp/store/study"
)

// exclusions are what an analysis leaves out: with what it is made of, they add up to all samples
// or patients of the study.
type exclusions []study.Excluded

// add adds the list to an answer; unit is samples or patients.
func (e exclusions) add(doc result.Doc, unit string) result.Doc {
	if len(e) == 0 {
		return doc
	}
	items := result.Map(e, func(one study.Excluded) string { return fmt.Sprintf("%d: %s", one.N, one.Reason) })
	return append(doc, result.Heading{Level: 2, Text: "Excluded " + strings.ToUpper(unit[:1]) + unit[1:]}, result.List{Items: items})
}

// note is what a chart says of them.
func (e exclusions) note(unit string) string {
	n := 0
	for _, one := range e {
		n += one.N
	}
	if n == 0 {
		return ""
	}
	return english.Plural(n, strings.TrimSuffix(unit, "s"), "") + " excluded."
}

// absence is a reason for which a sample or patient is not compared.
type absence struct {
	reason string
	of     func(i int) bool
}

// unprofiled is a reason for all samples that a profile of a gene does not have.
func unprofiled(of string, on *study.Profiled) absence {
	return absence{"not profiled for " + of, func(i int) bool { return !on.In[i] }}
}

// exclude counts what is not compared, of groups of samples or patients, each for the first reason
// that holds. As in study.Join a dividing gene comes before the target, an attribute after it.
func (c *comparison) exclude(of []int, target ...absence) exclusions {
	divided := []absence{{c.ungrouped, func(i int) bool { return of[i] == -1 }}, {c.conflict, func(i int) bool { return of[i] == -2 }}}
	reasons := append(target, divided...)
	if c.gene {
		reasons = append(divided, target...)
	}
	n := make([]int, len(reasons))
	for i := range of {
		for k, r := range reasons {
			if r.of(i) {
				n[k]++
				break
			}
		}
	}
	list := exclusions{}
	for k, r := range reasons {
		if n[k] > 0 {
			list = append(list, study.Excluded{Reason: r.reason, N: n[k]})
		}
	}
	return list
}
