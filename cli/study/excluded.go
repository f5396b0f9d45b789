package study

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/result"
	"biomcp/store/study"
)

// exclusions counts the samples or patients that an analysis excluded. Included and excluded
// ones add up to the whole study.
type exclusions []study.ExclusionCount

// add appends the list to an answer. unit is "samples" or "patients".
func (e exclusions) add(doc result.Doc, unit string) result.Doc {
	if len(e) == 0 {
		return doc
	}
	items := result.Map(e, func(x study.ExclusionCount) string { return fmt.Sprintf("%d: %s", x.N, x.Reason) })
	return append(doc, result.Heading{Level: 2, Text: "Excluded " + strings.ToUpper(unit[:1]) + unit[1:]},
		result.List{Items: items})
}

// note summarizes the exclusions for a chart.
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

// An exclusionRule is a reason for excluding samples or patients. applies reports whether it
// holds for sample or patient i.
type exclusionRule struct {
	reason  string
	applies func(i int) bool
}

// notProfiled returns the rule that excludes all samples not profiled for the data that of
// names.
func notProfiled(of string, on *study.ProfiledSamples) exclusionRule {
	return exclusionRule{"not profiled for " + of, func(i int) bool { return !on.Included[i] }}
}

// exclude counts the samples or patients that are not compared, each for the first reason that
// applies. As in study.Join, the reasons of a grouping gene precede those of the target, and
// those of a grouping attribute follow them.
func (c *comparison) exclude(of []int, target ...exclusionRule) exclusions {
	divided := []exclusionRule{
		{c.ungroupedReason, func(i int) bool { return of[i] == -1 }},
		{c.conflictReason, func(i int) bool { return of[i] == -2 }},
	}
	for k, reason := range c.otherReasons {
		divided = append(divided, exclusionRule{reason, func(i int) bool { return of[i] == -3-k }})
	}
	reasons := append(target, divided...)
	if c.groupsByGene {
		reasons = append(divided, target...)
	}
	n := make([]int, len(reasons))
	for i := range of {
		for k, r := range reasons {
			if r.applies(i) {
				n[k]++
				break
			}
		}
	}
	list := exclusions{}
	for k, r := range reasons {
		if n[k] > 0 {
			list = append(list, study.ExclusionCount{Reason: r.reason, N: n[k]})
		}
	}
	return list
}
