package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

type coxModel struct {
	N           int        `json:"n"`
	Events      int        `json:"events"`
	Terms       []coxTerm  `json:"terms"`
	AdjustedFor []string   `json:"adjusted_for"`
	Adjusted    *chiSquare `json:"adjusted"` // likelihood ratio test of the groups, given AdjustedFor
	PH          prob       `json:"ph_p"`     // global test of proportional hazards
	LogPH       log10      `json:"log10_ph_p"`

	reference int // index of the reference group
}

// adjustedSummary summarizes the test of the groups, adjusted for attributes, in one line.
func (m *coxModel) adjustedSummary(subject string, attributes []string) string {
	return fmt.Sprintf("%s, adjusted for %s: likelihood ratio p %s (chi-square %s, %d df)",
		subject, strings.Join(attributes, ", "), m.Adjusted.P.text(), m.Adjusted.Chi2.fixed(3), m.Adjusted.DF)
}

// A coxTerm is one hazard ratio. HR is null, with a reason, if it cannot be estimated.
type coxTerm struct {
	Name            string  `json:"name"`
	N               int     `json:"n"` // patients in the category, or all patients if the term is numeric
	Events          int     `json:"events"`
	ReferenceN      *int    `json:"reference_n"` // null for a numeric term
	ReferenceEvents *int    `json:"reference_events"`
	HR              num     `json:"hr"`
	Low             num     `json:"low"`
	High            num     `json:"high"`
	P               prob    `json:"p"`
	LogP            log10   `json:"log10_p"`
	Reason          *string `json:"reason"`

	group int // index of the compared group, -1 for an adjustment variable
}

// formatSides formats a number of the category and of its reference, or the number alone without a
// reference.
func (t coxTerm) formatSides(n int, reference *int) string {
	if reference == nil {
		return count(n)
	}
	return count(n) + " vs " + count(*reference)
}

// setReference sets the reference group from --reference. For copy number the default is the diploid
// group, if present.
func (d *division) setReference(in *command.Input) error {
	word := strings.ReplaceAll(strings.TrimSpace(in.String("reference")), "<=", "≤")
	if word == "" {
		if at := slices.Index(d.names, study.Diploid); d.groupBy == "cna" && at >= 0 {
			d.reference = at
		}
		return nil
	}
	d.reference = slices.IndexFunc(d.names, func(name string) bool { return strings.EqualFold(name, word) })
	if d.reference >= 0 {
		return nil
	}
	if len(d.names) == 0 {
		return result.Invalid("no group is available as a reference", in.LineWith("--reference", "")...)
	}
	near := cmp.Or(command.Nearest(word, d.names), d.names[0])
	return result.Invalid("--reference "+command.Clip(word)+" is not a group; available: "+strings.Join(d.names, ", "),
		in.LineWith("--reference", near)...)
}

// runTests runs the tests and adds a notice for each one that is impossible. untested is the reason
// why there are no hazard ratios at all, or "".
func (a *survivalAnswer) runTests(in *command.Input, c *study.Cohort, d *division, r *result.Result) (untested string) {
	test, err := stats.LogRank(c.Obs, c.Group, c.Strata)
	if err != nil {
		r.Notice("no log-rank test: " + reason(err))
		return reason(err)
	}
	a.LogRank = chiOf(test.Test)
	a.LogRankP, a.LogLogRankP = a.LogRank.P, a.LogRank.LogP
	if in.Bool("trend") {
		if t, err := test.Trend(); err != nil {
			r.Notice("no test of trend: " + reason(err))
		} else {
			a.Trend = chiOf(t)
		}
	}
	columns, terms, parts := d.terms(c)
	model, err := stats.Cox(c.Obs, columns, c.Strata)
	if err != nil {
		r.Notice("no hazard ratios: " + reason(err))
		return reason(err)
	}
	a.Cox = &coxModel{N: model.N, Events: model.Events, Terms: terms, reference: d.reference}
	if len(c.Columns) > 0 {
		a.Cox.AdjustedFor = words(strings.ToUpper(in.String("adjust")))
		if without, err := stats.Cox(c.Obs, c.Columns, c.Strata); err == nil && model.LikelihoodRatioTest(without).DF > 0 {
			a.Cox.Adjusted = chiOf(model.LikelihoodRatioTest(without))
		}
	}
	if len(d.names) > 2 && a.Groups[d.reference].Events == 0 {
		r.Notice("the reference group " + d.names[d.reference] + " has no events: choose another one with --reference")
	}
	for i, t := range model.Terms {
		term := &a.Cox.Terms[i]
		term.HR, term.Low, term.High = num(t.HR.Estimate), num(t.HR.Low), num(t.HR.High)
		term.P, term.LogP = probOf(t.P, t.LogP)
		why := ""
		switch {
		case t.Infinite:
			term.HR = nan
			why = "no finite estimate, because one side has no event or has all of its events first; " +
				"use the log-rank test"
		case t.Aliased:
			why = "it does not vary among those at risk, or is determined by the other terms"
		}
		if why != "" {
			term.Reason = &why
			r.Notice(term.Name + ": no hazard ratio: " + why)
		}
	}
	_, all := model.ProportionalHazards(parts)
	if a.Cox.PH, a.Cox.LogPH = probOf(all.P, all.LogP); a.Cox.isViolated() {
		r.Notice("the hazards are not proportional (p " + a.Cox.PH.text() + "): a hazard ratio is an average over time")
	}
	return ""
}

// terms returns the columns of the model, the names and sizes of their terms, and the columns
// of each part of the model. The parts are the groups, without the reference and empty groups,
// and then each covariate.
func (d *division) terms(c *study.Cohort) (columns [][]float64, terms []coxTerm, parts [][]int) {
	used := make([]bool, len(d.names))
	for _, g := range c.Group {
		used[g] = true
	}
	if !used[d.reference] {
		d.reference = slices.Index(used, true)
	}
	var groups []int
	for g, column := range study.Indicators(c.Group, len(d.names), d.reference) {
		if at := g + b2i(g >= d.reference); used[at] {
			groups = append(groups, len(columns))
			columns = append(columns, column)
			terms = append(terms, coxTerm{Name: d.names[at] + " vs " + d.names[d.reference], group: at})
		}
	}
	parts = append(parts, groups)
	setSizes(terms, c, columns, groups)
	columns = append(columns, c.Columns...)
	for _, name := range c.Names {
		terms = append(terms, coxTerm{Name: name, group: -1})
	}
	for i, t := range c.Terms {
		shifted := result.Map(t, func(column int) int { return column + len(groups) })
		if parts = append(parts, shifted); c.Numeric[i] {
			one := &terms[shifted[0]]
			one.N, one.Events = members(c, func(int) bool { return true })
		} else {
			setSizes(terms, c, columns, shifted)
		}
	}
	return columns, terms, parts
}

// setSizes sets the sizes of the terms of a categorical part. The reference consists of the
// patients in none of its categories.
func setSizes(terms []coxTerm, c *study.Cohort, columns [][]float64, part []int) {
	n, events := members(c, func(i int) bool {
		return !slices.ContainsFunc(part, func(k int) bool { return columns[k][i] == 1 })
	})
	for _, k := range part {
		t := &terms[k]
		t.ReferenceN, t.ReferenceEvents = &n, &events
		t.N, t.Events = members(c, func(i int) bool { return columns[k][i] == 1 })
	}
}

// members returns the number of patients for whom is holds, and of their events.
func members(c *study.Cohort, is func(i int) bool) (n, events int) {
	for i, o := range c.Obs {
		if is(i) {
			n, events = n+1, events+b2i(o.Event)
		}
	}
	return n, events
}

// isViolated reports whether the test rejects proportional hazards.
func (m *coxModel) isViolated() bool { return m != nil && m.PH.under(.05) }

// hasEstimate reports whether at least one hazard ratio has an estimate.
func (a *survivalAnswer) hasEstimate() bool {
	return a.Cox != nil && slices.ContainsFunc(a.Cox.Terms, func(t coxTerm) bool { return !math.IsNaN(float64(t.HR)) })
}

// b2i returns 1 if b is true and 0 otherwise.
func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
