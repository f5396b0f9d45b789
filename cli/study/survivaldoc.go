package study

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/charts"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/store/study/stats"
)

// subject names the gene, with the kind of grouping unless it is by mutation, or the attribute.
func (a *survivalAnswer) subject() string {
	switch {
	case a.Gene == "":
		return a.GroupBy
	case a.GroupBy == "mutation":
		return a.Gene
	}
	return a.Gene + " " + a.GroupBy
}

// chartSubject returns the subject with the display name of an attribute.
func (a *survivalAnswer) chartSubject() string {
	if a.Gene == "" {
		return cmp.Or(a.name, a.GroupBy)
	}
	return a.subject()
}

func (a *survivalAnswer) title() string {
	name, _, _ := strings.Cut(a.Name, " (")
	return a.chartSubject() + " " + name + " Kaplan-Meier"
}

func (a *survivalAnswer) Doc() result.Doc {
	t := result.Table{
		Columns: result.Columns("Group", ">N", ">Events", ">Censored", ">Event Rate", ">KM Median (95 % CI)", ">1yr",
			">3yr", ">5yr", ">RMST (95 % CI)"),
	}
	for _, g := range a.Groups {
		t.Rows = append(t.Rows, []string{g.Name, count(g.N), count(g.Events), count(g.Censored), percent(g.EventRate),
			interval(g.Median, g.MedianLow, g.MedianHigh, 1), g.Year1.fixed(3), g.Year3.fixed(3), g.Year5.fixed(3),
			interval(g.RMST, g.RMSTLow, g.RMSTHigh, 1)})
	}
	if !math.IsNaN(float64(a.RMST)) {
		t.Columns[len(t.Columns)-1].Note = "RMST: restricted mean up to " + a.RMST.fixed(1) + " months" + a.ignoredGroups()
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Survival: " + a.subject() + " (" + a.Study + ")"},
		result.Para{Text: "Endpoint: " + a.Name + ", in " + a.Unit},
		result.Para{Text: "Analysed: " + a.Denominator.text()},
	}
	if len(t.Rows) > 0 {
		doc = append(doc, t)
	}
	doc = addGroups(doc, a.SampleGroups)
	if l := a.landmarkTable(); len(l.Rows) > 0 {
		doc = append(doc, result.Heading{Level: 2, Text: "Landmarks"}, l)
	}
	doc = append(doc, result.Heading{Level: 2, Text: "Tests"},
		result.Para{Text: "Log-rank p-value: " + a.formatTest(a.LogRank, a.strataSuffix(a.Strata))})
	if a.Trend != nil {
		doc = append(doc, result.Para{Text: "Trend p-value: " + a.formatTest(a.Trend, "")})
	}
	if a.Cox != nil {
		rows := result.Map(a.Cox.Terms, func(term coxTerm) []string {
			return []string{
				term.Name, term.formatSides(term.N, term.ReferenceN),
				term.formatSides(term.Events, term.ReferenceEvents),
				interval(term.HR, term.Low, term.High, 3), term.P.text(),
			}
		})
		columns := result.Columns("Cox term", ">N", ">Events", ">Hazard Ratio (95 % CI)", ">p-value")
		doc = append(doc, result.Table{Columns: columns, Rows: rows})
		if a.Cox.Adjusted != nil {
			doc = append(doc, result.Para{Text: a.Cox.adjustedSummary(a.subject(), a.Cox.AdjustedFor)})
		}
		doc = append(doc, result.Para{Text: "Proportional hazards p-value: " + a.Cox.PH.text()})
	}
	return a.add(a.Excluded.add(doc, "patients"))
}

// ignoredGroups names the groups that were ignored when choosing the end of the restricted mean.
func (a *survivalAnswer) ignoredGroups() string {
	if len(a.RMSTWithout) == 0 {
		return ""
	}
	return fmt.Sprintf(", ignoring groups with fewer than %d patients: %s",
		fewPatients, strings.Join(a.RMSTWithout, ", "))
}

// strataSuffix returns the end of the log-rank test's text. name names the attribute of --strata.
func (a *survivalAnswer) strataSuffix(name string) string {
	if a.Strata == "" {
		return ""
	}
	return ", stratified by " + name
}

func (a *survivalAnswer) formatTest(t *chiSquare, suffix string) string {
	if t == nil {
		return "not available"
	}
	return fmt.Sprintf("%s (chi-square %s, %d df%s)", t.P.text(), t.Chi2.fixed(3), t.DF, suffix)
}

func (a *survivalAnswer) landmarkTable() result.Table {
	t := result.Table{Columns: result.Columns("Group", ">Month", ">Survival (95 % CI)", ">At Risk")}
	for _, g := range a.Groups {
		for _, l := range g.Landmarks {
			survival := interval(l.Survival, l.Low, l.High, 3)
			t.Rows = append(t.Rows, []string{g.Name, fmt.Sprint(float64(l.Month)), survival, entity.FormatNumber(l.AtRisk)})
		}
	}
	return t
}

// interval formats an estimate with its limits.
func interval(estimate, low, high num, decimals int) string {
	if math.IsNaN(float64(estimate)) {
		return "-"
	}
	return estimate.fixed(decimals) + " (" + span(low, high, decimals) + ")"
}

// survivalForms lists the forms of data for charts of survival.
var survivalForms = []charts.Data{charts.Curves{}, charts.Shares{}, charts.Ratios{}}

// chartData returns the data for a chart of the given form.
func (a *survivalAnswer) chartData(form charts.Data) charts.Data {
	labels := charts.Labels{
		Title: a.title(), Time: "Time (" + a.Unit + ")", Share: "Survival probability",
		Subtitle: a.Study + ", " + count(a.Denominator.N) + " " + a.Denominator.Unit,
		Note:     a.chartNote(),
	}
	if a.LogRank != nil {
		labels.Subtitle += fmt.Sprintf(": log-rank p %s (chi-square %s, %d df%s)", a.LogRank.P.text(),
			a.LogRank.Chi2.fixed(2), a.LogRank.DF, a.strataSuffix(a.displayName(strings.ToUpper(a.Strata))))
	}
	switch form.(type) {
	case charts.Shares:
		return a.landmarkShares(labels)
	case charts.Ratios:
		labels.Title, labels.Value = a.chartSubject()+" hazard ratios ("+a.Study+")", "Hazard ratio (95 % CI)"
		d := charts.Ratios{Labels: labels}
		if a.Cox == nil {
			return d
		}
		if a.Cox.Adjusted != nil { // the log-rank test is not adjusted
			d.Subtitle = fmt.Sprintf("%s, %d %s with %s. %s", a.Study, a.Cox.N, a.Denominator.Unit,
				english.Plural(a.Cox.Events, "event", ""),
				a.Cox.adjustedSummary(a.chartSubject(), result.Map(a.Cox.AdjustedFor, a.displayName)))
		}
		for _, t := range a.Cox.Terms {
			d.Terms = append(d.Terms, charts.Ratio{
				Name: a.termName(t), N: t.formatSides(t.N, t.ReferenceN), Events: t.formatSides(t.Events, t.ReferenceEvents),
				Estimate: float64(t.HR), Low: float64(t.Low), High: float64(t.High), P: t.P.text(),
			})
		}
		d.Subtitle += a.hazardsCaution()
		return d
	}
	d := charts.Curves{Labels: labels, Unit: a.Unit}
	ratios := a.ratios()
	for g, c := range a.curves {
		if c != nil {
			curve := curveOf(a.Groups[g], c)
			if len(ratios) > 2 {
				curve.Ratio = ratios[g]
			}
			d.Groups = append(d.Groups, curve)
		}
	}
	for g, ratio := range ratios {
		if len(ratios) == 2 && g != a.Cox.reference {
			d.Subtitle += "; " + a.Groups[g].Name + " " + ratio
		}
	}
	if len(ratios) > 0 && len(a.Cox.AdjustedFor) > 0 {
		d.Subtitle += "; HR adjusted for " + strings.Join(result.Map(a.Cox.AdjustedFor, a.displayName), ", ")
	}
	d.Subtitle += a.hazardsCaution()
	return d
}

// landmarkShares returns the survival of the groups at the latest landmark that most of them
// reach, because a rate of events ignores how long the patients were followed.
func (a *survivalAnswer) landmarkShares(labels charts.Labels) charts.Shares {
	at, most := 0, 0
	for i := range a.landmarkCount() {
		reached := 0
		for _, g := range a.Groups {
			reached += b2i(i < len(g.Landmarks) && g.Landmarks[i].AtRisk != nil)
		}
		if reached >= most {
			at, most = i, reached
		}
	}
	labels.Group, labels.Value = cmp.Or(a.name, "Group"), "Survival"
	d := charts.Shares{Labels: labels}
	for _, g := range a.Groups {
		share := charts.Share{Name: fmt.Sprintf("%s (n=%d)", g.Name, g.N)}
		share.Value, share.Low, share.High = math.NaN(), math.NaN(), math.NaN()
		if at < len(g.Landmarks) {
			l := g.Landmarks[at]
			d.Value = fmt.Sprintf("Survival at %g %s", float64(l.Month), a.Unit)
			d.Title = a.chartSubject() + ": " + d.Value
			share.Value, share.Low, share.High = float64(l.Survival), float64(l.Low), float64(l.High)
			if share.Name = fmt.Sprintf("%s (n=%d, no follow-up)", g.Name, g.N); l.AtRisk != nil {
				share.Name = fmt.Sprintf("%s (n=%d, %d at risk)", g.Name, g.N, *l.AtRisk)
			}
		}
		d.List = append(d.List, share)
	}
	return d
}

// landmarkCount returns the number of landmarks.
func (a *survivalAnswer) landmarkCount() (n int) {
	for _, g := range a.Groups {
		n = max(n, len(g.Landmarks))
	}
	return n
}

// displayName returns the display name of an attribute of --adjust.
func (a *survivalAnswer) displayName(id string) string { return cmp.Or(a.displayNames[id], id) }

// termName returns the name of a term for a chart: an adjustment variable with its display name.
func (a *survivalAnswer) termName(t coxTerm) string {
	if id, category, ok := strings.Cut(t.Name, ": "); t.group < 0 && ok {
		return a.displayName(id) + ": " + category
	} else if t.group < 0 {
		return a.displayName(t.Name)
	}
	return t.Name
}

// chartNote returns the exclusions and the cautions for the note of a chart.
func (a *survivalAnswer) chartNote() string {
	note := a.Excluded.note("patients")
	for _, text := range a.cautions {
		text = strings.TrimSuffix(strings.TrimPrefix(text, "caution: "), ".")
		note = strings.TrimSpace(note + " Caution: " + text + ".")
	}
	return note
}

// hazardsCaution qualifies the hazard ratios of a chart if the hazards are not proportional.
// For two groups it adds the difference of their restricted means.
func (a *survivalAnswer) hazardsCaution() string {
	if !a.Cox.isViolated() {
		return ""
	}
	text := ". Caution: the hazards are not proportional (p " + a.Cox.PH.text() + "); HR is an average over time"
	if len(a.Groups) != 2 || len(a.Cox.AdjustedFor) > 0 {
		return text
	}
	g, reference := a.Groups[1-a.Cox.reference], a.Groups[a.Cox.reference]
	difference := g.RMST - reference.RMST
	half := num(math.Hypot(float64(g.RMSTHigh-g.RMST), float64(reference.RMSTHigh-reference.RMST)))
	if math.IsNaN(float64(half)) {
		return text
	}
	return text + "; difference of restricted means up to " + a.RMST.fixed(1) + " " + a.Unit + ": " +
		interval(difference, difference-half, difference+half, 1)
}

// ratios returns the hazard ratios as chart labels, by group number. It is empty without a
// model.
func (a *survivalAnswer) ratios() map[int]string {
	list := map[int]string{}
	if a.Cox == nil {
		return list
	}
	list[a.Cox.reference] = "HR 1, reference"
	for _, t := range a.Cox.Terms {
		switch {
		case t.group < 0:
		case t.Reason != nil:
			list[t.group] = "HR not estimable"
		default:
			list[t.group] = "HR " + interval(t.HR, t.Low, t.High, 2) + ", p " + t.P.text()
		}
	}
	return list
}

// curveOf converts an estimate to a curve for a chart.
func curveOf(g survivalGroup, c *stats.Curve) charts.Curve {
	out := charts.Curve{Name: g.Name, N: g.N, Events: g.Events, End: c.Last, Median: float64(g.Median)}
	for _, p := range c.Points {
		if p.Events > 0 {
			out.Times, out.Survival = append(out.Times, p.Time), append(out.Survival, p.Survival)
			out.Low, out.High = append(out.Low, p.Low), append(out.High, p.High)
		}
		for range p.Events + p.Censored {
			out.FollowUp = append(out.FollowUp, p.Time)
		}
		if p.Censored > 0 {
			out.Censored = append(out.Censored, p.Time)
		}
	}
	return out
}
