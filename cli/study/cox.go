package study

import (
	"math"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

type coxModel struct {
	Terms []coxTerm `json:"terms"`
	PH    num       `json:"ph_p"` // global test of proportional hazards
}

// coxTerm is one hazard ratio; null, with a reason, if it cannot be estimated.
type coxTerm struct {
	Name   string  `json:"name"`
	HR     num     `json:"hr"`
	Low    num     `json:"low"`
	High   num     `json:"high"`
	P      num     `json:"p"`
	Reason *string `json:"reason"`
}

// refer takes --reference, the group that hazard ratios compare with.
func (d *division) refer(in *command.Input) error {
	word := strings.ReplaceAll(strings.TrimSpace(in.String("reference")), "<=", "≤")
	if word == "" {
		return nil
	}
	d.reference = slices.IndexFunc(d.names, func(name string) bool { return strings.EqualFold(name, word) })
	if d.reference >= 0 {
		return nil
	}
	if len(d.names) == 0 {
		return result.Invalid("there is no group to compare with", in.Again("--reference", "")...)
	}
	near := command.Nearest(word, d.names)
	if near == "" {
		near = d.names[0]
	}
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
		if t, err := test.Trend(nil); err != nil {
			r.Notice("no test of trend: " + reason(err))
		} else {
			a.Trend = chiOf(t)
		}
	}
	columns, names, terms := d.terms(c)
	model, err := stats.Cox(c.Obs, columns, c.Strata)
	if err != nil {
		r.Notice("no hazard ratios: " + reason(err))
		return reason(err)
	}
	a.Cox = &coxModel{Terms: []coxTerm{}, PH: nan}
	for i, t := range model.Terms {
		term := coxTerm{names[i], num(t.HR.Estimate), num(t.HR.Low), num(t.HR.High), num(t.P), nil}
		why := ""
		switch {
		case t.Infinite:
			term.HR, why = nan, "no finite estimate, since one side has no event or has all of its events first; go by the log-rank test"
		case t.Aliased:
			why = "it does not vary among those at risk, or follows from the others"
		}
		if why != "" {
			term.Reason = &why
			r.Notice(names[i] + ": no hazard ratio: " + why)
		}
		a.Cox.Terms = append(a.Cox.Terms, term)
	}
	_, all := model.ProportionalHazards(terms)
	if a.Cox.PH = num(all.P); all.P < .05 {
		r.Notice("the hazards are not proportional (p " + a.Cox.PH.p() + "): a hazard ratio is an average over time")
	}
	return ""
}

// terms are the columns of the model, those of each group and covariate: the groups but
// the reference and those without patients, and the covariates.
func (d *division) terms(c *study.Cohort) (columns [][]float64, names []string, terms [][]int) {
	used := make([]bool, len(d.names))
	for _, g := range c.Group {
		used[g] = true
	}
	reference := d.reference
	if !used[reference] {
		reference = slices.Index(used, true)
	}
	var term []int
	for g, column := range study.Indicators(c.Group, len(d.names), reference) {
		if at := g + b2i(g >= reference); used[at] {
			term = append(term, len(columns))
			columns, names = append(columns, column), append(names, d.names[at]+" vs "+d.names[reference])
		}
	}
	terms = append(terms, term)
	for _, t := range c.Terms {
		shifted := make([]int, len(t))
		for i, column := range t {
			shifted[i] = column + len(term)
		}
		terms = append(terms, shifted)
	}
	return append(columns, c.Columns...), append(names, c.Names...), terms
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
