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
	Adjusted    *chiSquare `json:"adjusted"` // likelihood ratio test of the groups, given these
	PH          num        `json:"ph_p"`     // global test of proportional hazards

	reference int // the group that others are compared with
}

// adjusted is the test of the groups in a line.
func (m *coxModel) adjusted(subject string) string {
	return fmt.Sprintf("%s, adjusted for %s: likelihood ratio p %s (chi-square %s, %d df)", subject, strings.Join(m.AdjustedFor, ", "), m.Adjusted.P.p(), m.Adjusted.Chi2.fixed(3), m.Adjusted.DF)
}

// coxTerm is one hazard ratio; null, with a reason, if it cannot be estimated.
type coxTerm struct {
	Name            string  `json:"name"`
	N               int     `json:"n"` // patients of the category, or all if the term is a number
	Events          int     `json:"events"`
	ReferenceN      *int    `json:"reference_n"` // null for a number
	ReferenceEvents *int    `json:"reference_events"`
	HR              num     `json:"hr"`
	Low             num     `json:"low"`
	High            num     `json:"high"`
	P               num     `json:"p"`
	Reason          *string `json:"reason"`

	group int // which one it is of, -1 for an adjuster
}

// sides is a number of a category and that of its reference, or one of all.
func (t coxTerm) sides(n int, reference *int) string {
	if reference == nil {
		return count(n)
	}
	return count(n) + " vs " + count(*reference)
}

// refer takes --reference, the group that hazard ratios compare with. Copy number is compared
// with the diploid state, where there is one.
func (d *division) refer(in *command.Input) error {
	word := strings.ReplaceAll(strings.TrimSpace(in.String("reference")), "<=", "≤")
	if word == "" {
		if at := slices.Index(d.names, study.Diploid); d.by == "cna" && at >= 0 {
			d.reference = at
		}
		return nil
	}
	d.reference = slices.IndexFunc(d.names, func(name string) bool { return strings.EqualFold(name, word) })
	if d.reference >= 0 {
		return nil
	}
	if len(d.names) == 0 {
		return result.Invalid("there is no group to compare with", in.Again("--reference", "")...)
	}
	near := cmp.Or(command.Nearest(word, d.names), d.names[0])
	return result.Invalid("--reference "+command.Clip(word)+" is no group; there is: "+strings.Join(d.names, ", "), in.Again("--reference", near)...)
}

// test fills the tests. What cannot be tested is a notice, and the hazard ratios as a
// whole are the reason that is returned.
func (a *survived) test(in *command.Input, c *study.Cohort, d *division, r *result.Result) (untested string) {
	test, err := stats.LogRank(c.Obs, c.Group, c.Strata)
	if err != nil {
		r.Notice("no log-rank test: " + reason(err))
		return reason(err)
	}
	a.LogRank, a.LogRankP = chiOf(test.Test), num(test.P)
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
	a.Cox = &coxModel{N: model.N, Events: model.Events, Terms: terms, PH: nan, reference: d.reference}
	if len(c.Columns) > 0 {
		a.Cox.AdjustedFor = words(strings.ToUpper(in.String("adjust")))
		if without, err := stats.Cox(c.Obs, c.Columns, c.Strata); err == nil && model.Against(without).DF > 0 {
			a.Cox.Adjusted = chiOf(model.Against(without))
		}
	}
	if len(d.names) > 2 && a.Groups[d.reference].Events == 0 {
		r.Notice("the others are compared with " + d.names[d.reference] + ", which has no events: --reference names another group")
	}
	for i, t := range model.Terms {
		term := &a.Cox.Terms[i]
		term.HR, term.Low, term.High, term.P = num(t.HR.Estimate), num(t.HR.Low), num(t.HR.High), num(t.P)
		why := ""
		switch {
		case t.Infinite:
			term.HR, why = nan, "no finite estimate, since one side has no event or has all of its events first; go by the log-rank test"
		case t.Aliased:
			why = "it does not vary among those at risk, or follows from the others"
		}
		if why != "" {
			term.Reason = &why
			r.Notice(term.Name + ": no hazard ratio: " + why)
		}
	}
	_, all := model.ProportionalHazards(parts)
	if a.Cox.PH = num(all.P); all.P < .05 {
		r.Notice("the hazards are not proportional (p " + a.Cox.PH.p() + "): a hazard ratio is an average over time")
	}
	return ""
}

// terms are the columns of the model with their names and sizes, and the columns of each
// part of it: the groups but the reference and those without patients, then each covariate.
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
			columns, terms = append(columns, column), append(terms, coxTerm{Name: d.names[at] + " vs " + d.names[d.reference], group: at})
		}
	}
	parts = append(parts, groups)
	sized(terms, c, columns, groups)
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
			sized(terms, c, columns, shifted)
		}
	}
	return columns, terms, parts
}

// sized gives the terms of the categories of a part their sizes. The reference is who is in
// none of them.
func sized(terms []coxTerm, c *study.Cohort, columns [][]float64, part []int) {
	n, events := members(c, func(i int) bool {
		return !slices.ContainsFunc(part, func(k int) bool { return columns[k][i] == 1 })
	})
	for _, k := range part {
		t := &terms[k]
		t.ReferenceN, t.ReferenceEvents = &n, &events
		t.N, t.Events = members(c, func(i int) bool { return columns[k][i] == 1 })
	}
}

// members counts patients and their events.
func members(c *study.Cohort, is func(i int) bool) (n, events int) {
	for i, o := range c.Obs {
		if is(i) {
			n, events = n+1, events+b2i(o.Event)
		}
	}
	return n, events
}

// drawable reports whether some hazard ratio has an estimate.
func (a *survived) drawable() bool {
	return a.Cox != nil && slices.ContainsFunc(a.Cox.Terms, func(t coxTerm) bool { return !math.IsNaN(float64(t.HR)) })
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
