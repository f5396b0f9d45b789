package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// survivalAnswer is the answer of study survival.
type survivalAnswer struct {
	Study        string          `json:"study_id"`
	Gene         string          `json:"gene"`
	GroupBy      string          `json:"by"`
	Endpoint     string          `json:"endpoint"`
	Name         string          `json:"endpoint_name"`
	Unit         string          `json:"unit"`
	Denominator  denominator     `json:"denominator"`
	Excluded     exclusions      `json:"excluded"`
	Groups       []survivalGroup `json:"groups"`
	RMST         num             `json:"rmst_months"`
	RMSTWithout  []string        `json:"rmst_without"` // groups with fewer than 10 patients, ignored when choosing RMST
	LogRankP     prob            `json:"log_rank_p"`
	LogLogRankP  log10           `json:"log10_log_rank_p"`
	LogRank      *chiSquare      `json:"log_rank"`
	Strata       string          `json:"strata"`
	Trend        *chiSquare      `json:"trend"`
	Cox          *coxModel       `json:"cox"`
	SampleGroups []groupSummary  `json:"sample_groups,omitempty"` // of --group

	picture
	name         string            // display name of the attribute that defines the groups
	displayNames map[string]string // display names of the attributes of --adjust, by ID
	curves       []*stats.Curve
	cautions     []string // notices that a chart repeats
}

// caution adds a notice that the charts of the answer repeat.
func (a *survivalAnswer) caution(r *result.Result, text string) {
	r.Notice(text)
	a.cautions = append(a.cautions, text)
}

type survivalGroup struct {
	Name       string     `json:"group_name"`
	N          int        `json:"n_patients"`
	Events     int        `json:"n_events"`
	Censored   int        `json:"n_censored"`
	EventRate  num        `json:"event_rate"`
	RateLow    num        `json:"event_rate_low"` // Wilson interval
	RateHigh   num        `json:"event_rate_high"`
	Median     num        `json:"km_median_months"`
	MedianLow  num        `json:"median_low"`
	MedianHigh num        `json:"median_high"`
	Year1      num        `json:"survival_1yr"`
	Year3      num        `json:"survival_3yr"`
	Year5      num        `json:"survival_5yr"`
	RMST       num        `json:"rmst"` // months, up to rmst_months
	RMSTLow    num        `json:"rmst_low"`
	RMSTHigh   num        `json:"rmst_high"`
	Landmarks  []landmark `json:"landmarks"`
}

type landmark struct {
	Month    num  `json:"month"`
	Survival num  `json:"survival"` // null after the last follow-up
	Low      num  `json:"low"`
	High     num  `json:"high"`
	AtRisk   *int `json:"at_risk"`
}

type chiSquare struct {
	Chi2 num   `json:"chi2"`
	DF   int   `json:"df"`
	P    prob  `json:"p"`
	LogP log10 `json:"log10_p"`
}

func chiOf(t stats.Test) *chiSquare {
	c := &chiSquare{Chi2: num(t.Chi2), DF: t.DF}
	c.P, c.LogP = probOf(t.P, t.LogP)
	return c
}

func survival() *command.Command {
	return &command.Command{
		Use:   "survival --study <id> --gene <gene>|--by <name>",
		Short: "Compare the survival of groups", Effect: command.Reads,
		Help: command.Help{
			Output: "For each group the Kaplan-Meier median, survival at landmarks with 95 % intervals " +
				"(log-log) and numbers at risk, restricted mean; the log-rank test and Cox hazard ratios " +
				"(Efron ties) with the test of proportional hazards.",
			Surprises: "A hazard ratio compares with --reference; the default is wild type, diploid or the first " +
				"group. For an adjustment variable it compares with the largest category.\n" +
				"Patients who were not profiled, or whose time or status is missing, are excluded and counted; " +
				"so is a patient whose samples are in different groups. Numbers are averaged over a patient's " +
				"samples.\n" +
				"A landmark past the last follow-up has no value.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			geneFlag(f, "gene symbol; not needed with --by ATTRIBUTE")
			f.StringP("endpoint", "e", "os", "`os|dfs|pfs|dss|...`, as study summary lists them")
			f.String("by", "mutation",
				"groups by `mutation|cna|expression|ATTRIBUTE`, a clinical attribute such as SEX")
			f.String("cut", "", "groups up to and above a value of expression, cna or an attribute")
			f.Int("quantiles", 0, "2 to 10 groups by quantiles of expression or an attribute")
			f.String("reference", "", "`GROUP` that hazard ratios compare with")
			f.String("adjust", "", "clinical attributes to adjust hazard ratios for, with commas")
			f.String("strata", "", "clinical attribute whose categories are compared within")
			f.Bool("trend", false, "test for a trend over groups that have an order")
			f.String("months", "12,36,60", "landmarks in months, with commas")
			f.AddSynonyms("by", "attribute", "clinical", "group-by")
			f.AddSynonyms("cut", "cutoff", "cutpoint")
			f.Excludes("quantiles", "", "cut")
			f.Rare("cut", "reference", "strata", "trend", "months")
			groupFlags(f)
			f.Rare("group")
			silentFlag(f)
			fileFlag(f, "curve", "write the steps of the Kaplan-Meier curves to a file: .csv, .tsv, .jsonl or .xlsx")
			chartFlags(f, survivalForms...)
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study survival -s synthetic_demo -g TP53",
				Explanation: "overall survival with and without a mutation",
			},
			{
				Line: "biomcp study survival -s synthetic_demo -g EGFR --by expression --quantiles 3 " +
					"--adjust AGE,SEX --chart survival -o egfr.svg",
				Explanation: "by thirds of expression, adjusted, as a chart",
			},
			{
				Line: "biomcp study survival -s synthetic_demo -g TP53 --rows patients.csv --curve steps.csv",
				Explanation: "each patient with group, months, status (1 is an event) and covariates, and the steps " +
					"of the curves, as files",
			},
		},
		Run: runSurvival, Check: checkGrouping,
		Synonyms: []string{"km", "kaplan-meier", "kaplanmeier", "surv", "cox", "outcome", "prognosis"},
		ArgFlags: studyPlaces(command.ArgFlag{Flag: "endpoint", Accepts: oneOf("os dfs pfs dss")}, command.ArgFlag{Flag: "gene"}),
	}
}

func runSurvival(_ context.Context, in *command.Input) (*result.Result, error) {
	draw, err := parseDrawing(in, "study survival", survivalForms...)
	if err != nil {
		return nil, err
	}
	months, err := landmarks(in)
	if err != nil {
		return nil, err
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	e, err := endpointOf(in, s)
	if err != nil {
		return nil, err
	}
	r := &result.Result{}
	f, err := s.FollowUp(e)
	if err != nil {
		return nil, err
	}
	noteFollowUp(r, e, f)
	p, err := readPatients(in, s, r, f)
	if err != nil {
		return nil, err
	}
	d, c := p.division, p.Cohort
	a := &survivalAnswer{
		Study: s.ID, Gene: d.gene, GroupBy: d.groupBy, Endpoint: e.ID, Name: e.Name, Unit: "months",
		Excluded: append(exclusions{}, c.Excluded...), Strata: in.String("strata"),
		Denominator: denominator{len(c.Patients), "patients", d.basis + p.adjusted()}, RMST: nan, name: d.name, SampleGroups: d.sampleGroups,
	}
	a.displayNames = displayNames(s, p.covariates, a.Strata)
	a.estimate(c, d.names, months)
	untested := a.runTests(in, c, d, r)
	if err := a.checkChart(in, draw.kind, untested); err != nil {
		return nil, err
	}
	a.noteSmallGroups(r)
	addNotices(r, s)
	r.Payload = a
	a.suggest(in, s, d, r)
	if a.picture, err = draw.draw(r, a.chartData(draw.form)); err == nil {
		err = a.writeRows(in, r, s, c, d, p.covariates, p.strata)
	}
	if err == nil {
		err = a.writeCurves(in, r)
	}
	return r, err
}

// suggest adds commands that go on from the answer.
func (a *survivalAnswer) suggest(in *command.Input, s *study.Study, d *division, r *result.Result) {
	if in.String("chart") == "" && a.Denominator.N > 0 {
		flags := []string{"--chart", "survival"}
		if d.gene == "" {
			flags = append(flags, "--gene", "") // it is ignored
		}
		r.Next = []result.Argv{in.LineWith(flags...)}
	}
	if d.gene != "" {
		r.Next = append(r.Next,
			result.Argv{"study", "compare", "--study", s.ID, "--gene", d.gene, "--type", "mutations", "--genes", "all"})
	}
	if d.mutations != nil {
		r.Next = otherGenes(s, d.mutations, r.Next...)
	}
}

// mostCurves is the maximum number of survival curves in a chart.
const mostCurves = 12

// checkChart returns an error if a chart of the kind would show no estimate or too many curves. untested is the reason
// why there are no hazard ratios, or "".
func (a *survivalAnswer) checkChart(in *command.Input, kind, untested string) error {
	reached := func(g survivalGroup) bool {
		return slices.ContainsFunc(g.Landmarks, func(l landmark) bool { return l.AtRisk != nil })
	}
	groups := 0
	for _, c := range a.curves {
		groups += b2i(c != nil)
	}
	switch {
	case kind == "survival" && groups > mostCurves:
		instead := "forest"
		if !a.hasEstimate() {
			instead = "bar"
		}
		return result.Invalid(fmt.Sprintf("%d curves look too similar; at most %d are drawn: use --chart %s, "+
			"or an attribute with fewer groups", groups, mostCurves, instead), in.LineWith("--chart", instead)...)
	case kind == "forest" && !a.hasEstimate():
		return result.Missing("no hazard ratio can be drawn: "+cmp.Or(untested, "none has a finite estimate"),
			in.LineWith("--chart", "survival")...)
	case kind == "bar" && !slices.ContainsFunc(a.Groups, reached):
		return result.Missing("no survival at a landmark can be drawn: no patient was followed up to a month of --months",
			in.LineWith("--chart", "survival")...)
	}
	return nil
}

// landmarks returns the months given by --months, sorted.
func landmarks(in *command.Input) ([]float64, error) {
	var list []float64
	for _, word := range words(in.String("months")) {
		m, err := strconv.ParseFloat(word, 64)
		if err != nil || !(m >= 0) || math.IsInf(m, 0) || len(list) == 20 {
			return nil, result.Invalid("--months takes up to 20 numbers of months with commas, such as 12,36,60",
				in.LineWith("--months", "12,36,60")...)
		}
		list = append(list, m)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// words splits a list at commas and spaces.
func words(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

// estimate computes the curves and estimates of the groups.
func (a *survivalAnswer) estimate(c *study.Cohort, names []string, months []float64) {
	obs := make([][]stats.Obs, len(names))
	for i, o := range c.Obs {
		obs[c.Group[i]] = append(obs[c.Group[i]], o)
	}
	for g := range names {
		curve, err := stats.KaplanMeier(obs[g])
		if err != nil { // a group without patients
			curve = nil
		}
		a.curves = append(a.curves, curve)
	}
	end := a.horizon(names)
	for g, name := range names {
		a.Groups = append(a.Groups, survivalGroupOf(name, a.curves[g], months, end))
	}
}

// Groups with fewer patients or events get a notice, and groups with fewer patients do not
// limit the restricted mean.
const fewPatients, fewEvents = 10, 5

// horizon returns the end time of restricted means: the shortest last follow-up among groups
// with at least fewPatients patients, or among all groups if none has that many.
func (a *survivalAnswer) horizon(names []string) float64 {
	most := 0
	for _, c := range a.curves {
		if c != nil {
			most = max(most, c.N)
		}
	}
	end := math.Inf(1)
	for g, c := range a.curves {
		switch {
		case c == nil:
		case c.N < fewPatients && most >= fewPatients:
			a.RMSTWithout = append(a.RMSTWithout, names[g])
		default:
			end = math.Min(end, c.Last)
		}
	}
	if !math.IsInf(end, 0) {
		a.RMST = num(end)
	}
	return end
}

// noteSmallGroups adds a notice for each group with few patients or events.
func (a *survivalAnswer) noteSmallGroups(r *result.Result) {
	for _, g := range a.Groups {
		if g.N > 0 && (g.N < fewPatients || g.Events < fewEvents) {
			a.caution(r, "caution: "+g.Name+" has "+english.Plural(g.N, "patient", "")+" and "+
				english.Plural(g.Events, "event", "")+"; its estimates and tests are uncertain")
		}
	}
}

func survivalGroupOf(name string, c *stats.Curve, months []float64, end float64) survivalGroup {
	out := survivalGroup{
		Name: name, EventRate: nan, RateLow: nan, RateHigh: nan, Median: nan, MedianLow: nan, MedianHigh: nan,
		Year1: nan, Year3: nan, Year5: nan, RMST: nan, RMSTLow: nan, RMSTHigh: nan,
	}
	if c == nil {
		return out
	}
	out.N, out.Events, out.Censored = c.N, c.Events, c.N-c.Events
	rate := stats.Proportion(c.Events, c.N)
	out.EventRate, out.RateLow, out.RateHigh = num(rate.Estimate), num(rate.Low), num(rate.High)
	m := c.Median()
	out.Median, out.MedianLow, out.MedianHigh = num(m.Estimate), num(m.Low), num(m.High)
	mean := c.RestrictedMean(end)
	out.RMST, out.RMSTLow, out.RMSTHigh = num(mean.Estimate), num(mean.Low), num(mean.High)
	for _, y := range []struct {
		month float64
		to    *num
	}{{12, &out.Year1}, {36, &out.Year3}, {60, &out.Year5}} {
		if p, ok := c.At(y.month); ok {
			*y.to = num(p.Survival)
		}
	}
	for _, month := range months {
		l := landmark{Month: num(month), Survival: nan, Low: nan, High: nan}
		if p, ok := c.At(month); ok {
			l.Survival, l.Low, l.High, l.AtRisk = num(p.Survival), num(p.Low), num(p.High), new(c.AtRisk(month))
		}
		out.Landmarks = append(out.Landmarks, l)
	}
	return out
}

// reason returns the text of an error of package stats without the package name.
func reason(err error) string { return strings.TrimPrefix(err.Error(), "stats: ") }
