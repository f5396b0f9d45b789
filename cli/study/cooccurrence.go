package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

type coOccurrenceAnswer struct {
	Study string   `json:"study_id"`
	Genes []string `json:"genes"`
	Total int      `json:"total_samples"` // profiled for all genes
	Basis string   `json:"sample_universe_basis"`
	Pairs []pair   `json:"pairs"`

	SampleGroups []groupSummary `json:"sample_groups,omitempty"` // of --group; each is tested apart

	picture
}

// A pair holds the counts and tests of two genes, in the samples profiled for both.
type pair struct {
	Group          string      `json:"group,omitempty"` // of --group
	A              string      `json:"gene_a"`
	B              string      `json:"gene_b"`
	BothMutated    int         `json:"both_mutated"`
	OnlyA          int         `json:"a_only"`
	OnlyB          int         `json:"b_only"`
	NeitherMutated int         `json:"neither"`
	Denominator    denominator `json:"denominator"`
	LogOdds        num         `json:"log_odds_ratio"`
	Odds           num         `json:"odds_ratio"` // conditional maximum likelihood
	Low            num         `json:"low"`
	High           num         `json:"high"`
	P              prob        `json:"p_value"` // Fisher, two-sided
	LogP           log10       `json:"log10_p_value"`
	Q              prob        `json:"q"` // Benjamini-Hochberg, over the pairs
	LogQ           log10       `json:"log10_q"`
	PerPatient     *perPatient `json:"per_patient"` // test with one sample per patient; null if no patient has several
	Tendency       string      `json:"tendency"`
}

// pairForms lists the forms of data for charts of gene pairs.
var pairForms = []charts.Data{charts.Expectations{}, charts.Parts{}, charts.Matrix{}}

func coOccurrence() *command.Command {
	return &command.Command{
		Use:   "co-occurrence --study <id> --genes <symbol,...>",
		Short: "Test which genes mutate together", Effect: command.Reads,
		Help: command.Help{
			Output: "For each pair the samples with both, one and none, the conditional odds ratio with its " +
				"exact 95 % interval, Fisher's p, and q over the pairs (Benjamini-Hochberg).",
			Surprises: "Each pair counts the samples profiled for both genes. If patients have several samples, " +
				"the test is repeated with one sample per patient: the first in the sample file that was " +
				"profiled for both genes, mutated or not. A tendency is named only if q and that p are " +
				"both below 0.05.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			f.StringP("genes", "g", "", "2 to 10 symbols with commas")
			f.AddSynonyms("genes", "gene", "symbols", "symbol")
			groupFlags(f)
			f.Rare("group")
			silentFlag(f)
			chartFlags(f, pairForms...)
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR",
				Explanation: "which of three genes go with each other, and which exclude each other",
			},
		},
		Run: runCoOccurrence, Check: checkGenes("genes"),
		Synonyms: []string{
			"cooccurrence", "cooccur", "co-occur", "coocc", "mutual-exclusivity", "exclusivity", "comutation",
			"co-mutation", "comutated",
		},
		ArgFlags: studyPlaces(command.ArgFlag{Flag: "genes", Separator: ","}),
	}
}

func runCoOccurrence(_ context.Context, in *command.Input) (*result.Result, error) {
	draw, err := parseDrawing(in, "study co-occurrence", pairForms...)
	if err != nil {
		return nil, err
	}
	list, err := coOccurrenceGenes(in)
	if err != nil {
		return nil, err
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	r := &result.Result{}
	mutations, err := readMutations(in, s, r, list)
	if err != nil {
		return nil, err
	}
	list = result.Map(mutations, func(m *study.GeneMutations) string { return m.Gene })
	a := &coOccurrenceAnswer{
		Study: s.ID, Genes: list, Basis: "samples profiled for both genes of a pair: " + mutations[0].Profiled.Basis,
	}
	if hasGroups(in) {
		return coOccurrenceByGroup(in, s, r, a, mutations)
	}
	tested := a.countTested(mutations)
	samples := mutations[0].Profiled.Samples
	noteRepeatedSamples(r, countRepeatedPatients(samples, func(i int) bool { return tested[i] }),
		"with one sample per patient")
	if err := a.addPairs(samples, mutations, ""); err != nil {
		return nil, err
	}
	r.Payload = a
	columns := result.Map(mutations, func(m *study.GeneMutations) column {
		return flagOf(m.Gene, m.Mutated, m.Profiled.Included)
	})
	if a.picture, err = draw.draw(r, a.chartData(draw.form)); err == nil {
		err = writeSamples(in, r, s, false, columns...)
	}
	return r, err
}

// coOccurrenceGenes returns the 2 to 10 different genes of --genes.
func coOccurrenceGenes(in *command.Input) ([]string, error) {
	typed := len(words(in.String("genes")))
	list, err := genes(in, "genes")
	if err != nil {
		return nil, err
	}
	switch {
	case typed < 2 || typed > 10:
		return nil, result.Invalid("--genes takes 2 to 10 symbols with commas", "study", "co-occurrence", "--help")
	case len(list) < 2:
		return nil, result.Invalid("--genes takes 2 to 10 different genes", "study", "co-occurrence", "--help")
	}
	return list, nil
}

// readMutations reads the mutations of genes. It leaves out unknown genes with a notice if two others remain.
func readMutations(
	in *command.Input, s *study.Study, r *result.Result, list []string,
) (mutations []*study.GeneMutations, err error) {
	var unknown error
	for _, g := range list {
		m, err := mutationsOf(in, s, "genes", g)
		if skipGene(r, list, err) {
			unknown = cmp.Or(unknown, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		mutations = append(mutations, m)
		noteMutations(r, s, m)
	}
	if len(mutations) < 2 {
		return nil, unknown
	}
	return mutations, nil
}

// countTested counts the samples profiled for all genes. It returns those that are part of at least one pair's test.
func (a *coOccurrenceAnswer) countTested(mutations []*study.GeneMutations) []bool {
	tested := make([]bool, len(mutations[0].Mutated))
	for i := range tested {
		n := 0
		for _, m := range mutations {
			n += b2i(m.Profiled.Included[i])
		}
		tested[i] = n > 1
		a.Total += b2i(n == len(mutations))
	}
	return tested
}

func pairOf(samples *study.Samples, m, n *study.GeneMutations) (pair, error) {
	p := pair{
		A: m.Gene, B: n.Gene, Denominator: denominator{Unit: "samples", Basis: "profiled for both: " + m.Profiled.Basis},
	}
	cell := func(i int) int { return 2*b2i(!m.Mutated[i]) + b2i(!n.Mutated[i]) }
	var table, once [4]int // both mutated, only the first, only the second, neither
	patients, repeated := 0, 0
	for _, of := range samples.ByPatient {
		of = slices.DeleteFunc(slices.Clone(of), func(i int) bool { return !m.Profiled.Included[i] || !n.Profiled.Included[i] })
		for k, i := range of {
			table[cell(i)]++
			if k == 0 {
				once[cell(i)]++
				patients++
			}
		}
		p.Denominator.N += len(of)
		repeated += b2i(len(of) > 1)
	}
	p.BothMutated, p.OnlyA, p.OnlyB, p.NeitherMutated = table[0], table[1], table[2], table[3]
	t, err := fisherOf(table)
	if err != nil {
		return p, err
	}
	p.P, p.LogP = probOf(t.P, t.LogP)
	p.Odds, p.Low, p.High = num(t.OddsRatio.Estimate), num(t.OddsRatio.Low), num(t.OddsRatio.High)
	p.LogOdds = logOdds(p.BothMutated, p.OnlyA, p.OnlyB, p.NeitherMutated)
	if repeated == 0 {
		return p, nil
	}
	// A patient's samples are not independent. The second test takes one per patient, as
	// OpenPBTA does for co-occurrence (Shapiro et al., Cell Genom 2023; 3:100340).
	if t, err = fisherOf(once); err == nil {
		p.PerPatient = &perPatient{Patients: patients, WithSeveral: repeated, Test: "Fisher"}
		p.PerPatient.P, p.PerPatient.LogP = probOf(t.P, t.LogP)
	}
	return p, err
}

// logP returns the logarithm of p, or NaN if p is undefined.
func (p pair) logP() float64 {
	if !p.P.known {
		return math.NaN()
	}
	return p.P.log
}

// fisherOf performs Fisher's test of a table. P is NaN if a margin is zero.
func fisherOf(table [4]int) (stats.FisherTest, error) {
	t, err := stats.Fisher(table[0], table[1], table[2], table[3])
	if err == nil && math.IsNaN(t.OddsRatio.Estimate) {
		t.P = math.NaN()
	}
	return t, err
}

// logOdds returns the log of the sample odds ratio. If a cell is zero, it adds 0.5 to every
// cell (Haldane 1956; Anscombe 1956). If a margin is zero, it returns NaN.
func logOdds(a, b, c, d int) num {
	if a+b == 0 || c+d == 0 || a+c == 0 || b+d == 0 {
		return nan
	}
	add := 0.0
	if a == 0 || b == 0 || c == 0 || d == 0 {
		add = .5
	}
	return num(math.Log((float64(a) + add) * (float64(d) + add) / ((float64(b) + add) * (float64(c) + add))))
}

// isShown reports whether a tendency of the pair is shown: by q and, if patients have several samples, by
// the p of one sample per patient.
func (p pair) isShown() bool {
	return p.Q.under(.05) && (p.PerPatient == nil || p.PerPatient.P.under(.05))
}

func tendency(p pair) string {
	switch {
	case !p.Q.known:
		return "not testable"
	case !p.isShown():
		return "none shown"
	case p.LogOdds < 0:
		return "mutual exclusivity"
	}
	return "co-occurrence"
}

// chartData returns the data for a chart of the given form.
func (a *coOccurrenceAnswer) chartData(form charts.Data) charts.Data {
	labels := charts.Labels{
		Title: "Co-occurrence in " + a.Study, Subtitle: count(a.Total) + " samples profiled for all genes",
		Group: "Gene pair", Value: "Both mutated",
	}
	p := a.Pairs[0]
	contingency := labels
	contingency.Title = p.A + " / " + p.B + " contingency (" + a.Study + ")"
	contingency.Subtitle = fmt.Sprintf("%s: both expected in %.1f, odds ratio %s, Fisher p %s",
		p.Denominator.size(), p.expected(), interval(p.Odds, p.Low, p.High, 2), p.P.text())
	contingency.Group, contingency.Value = "Mutated", "Samples"
	parts := []charts.Value{
		{Name: "Both", Value: float64(p.BothMutated)}, {Name: p.A + " only", Value: float64(p.OnlyA)},
		{Name: p.B + " only", Value: float64(p.OnlyB)}, {Name: "Neither", Value: float64(p.NeitherMutated)},
	}
	switch form.(type) {
	case charts.Parts:
		return charts.Parts{Labels: contingency, List: parts}
	case charts.Matrix:
		labels.Title = "Co-mutation heatmap (" + a.Study + ")"
		labels.Value = "Odds ratio (blue: below 1, red: above 1)"
		labels.Note = "No pair shows a tendency (Fisher, Benjamini-Hochberg). "
		if slices.ContainsFunc(a.Pairs, pair.isShown) {
			labels.Note = "* q < 0.05 (Fisher, Benjamini-Hochberg). "
			if slices.ContainsFunc(a.Pairs, func(p pair) bool { return p.PerPatient != nil }) {
				labels.Note += "With one sample per patient, p < 0.05 too. "
			}
		}
		if slices.ContainsFunc(a.Pairs, func(p pair) bool { return math.IsNaN(float64(p.Odds)) }) {
			labels.Note += "-: a gene is mutated in no sample, or in all."
		}
		d := charts.Matrix{Labels: labels, Rows: a.Genes, Columns: a.Genes}
		for range a.Genes {
			d.Ratios = append(d.Ratios, slices.Repeat([]float64{math.NaN()}, len(a.Genes)))
			d.Stars = append(d.Stars, make([]bool, len(a.Genes)))
		}
		for _, p := range a.Pairs {
			i, j := slices.Index(a.Genes, p.A), slices.Index(a.Genes, p.B)
			d.Ratios[i][j], d.Ratios[j][i] = float64(p.Odds), float64(p.Odds)
			d.Stars[i][j] = p.isShown()
			d.Stars[j][i] = d.Stars[i][j]
		}
		return d
	}
	labels.Value = "Samples with both mutated"
	labels.Note = "The expected number assumes independent genes with the same frequencies."
	if len(a.Pairs) == 1 {
		return charts.Parts{Labels: contingency, List: parts}
	}
	return charts.Expectations{Labels: labels, List: result.Map(a.Pairs, func(p pair) charts.Expectation {
		return charts.Expectation{Name: p.A + " + " + p.B, Observed: float64(p.BothMutated), Expected: p.expected()}
	})}
}

// expected returns the number of samples that would have both genes mutated if the mutations
// were independent, or 0 without samples.
func (p pair) expected() float64 {
	n := p.BothMutated + p.OnlyA + p.OnlyB + p.NeitherMutated
	return float64(p.BothMutated+p.OnlyA) * float64(p.BothMutated+p.OnlyB) / float64(max(1, n))
}

// patientsColumn is the name of the column of the test with one sample per patient.
const patientsColumn = "p-value (patients)"

func (a *coOccurrenceAnswer) Doc() result.Doc {
	columns := []string{
		"Gene A", "Gene B", ">Both", ">A only", ">B only", ">Neither", ">Log Odds Ratio", ">Odds Ratio (95 % CI)",
		">p-value", ">q-value", "Tendency",
	}
	repeated := slices.ContainsFunc(a.Pairs, func(p pair) bool { return p.PerPatient != nil })
	if repeated {
		columns = slices.Insert(columns, 10, ">"+patientsColumn)
	}
	if a.SampleGroups != nil {
		columns = append([]string{"Group"}, columns...)
	}
	t := result.Table{Columns: result.Columns(columns...), Pairs: true}
	a.explain(t.Columns)
	for _, p := range a.Pairs {
		odds := "-"
		if !math.IsNaN(float64(p.Odds)) {
			odds = p.Odds.fixed(2) + " (" + span(p.Low, p.High, 2) + ")"
		}
		row := []string{
			p.A, p.B, count(p.BothMutated), count(p.OnlyA), count(p.OnlyB), count(p.NeitherMutated),
			p.LogOdds.fixed(3), odds, p.P.text(), p.Q.text(),
		}
		switch {
		case p.PerPatient != nil:
			row = append(row, p.PerPatient.P.text()+" ("+count(p.PerPatient.Patients)+")")
		case repeated:
			row = append(row, "-")
		}
		if row = append(row, p.Tendency); a.SampleGroups != nil {
			row = append([]string{p.Group}, row...)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 1 {
		shown := []int{}
		for j, name := range columns {
			if !slices.Contains([]string{">Log Odds Ratio", ">p-value", ">" + patientsColumn, "Tendency"}, name) {
				shown = append(shown, j)
			}
		}
		t.Narrow = result.Narrow(t, shown...)
		t.Narrow.Pairs = true
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Co-occurrence: " + a.Study},
		result.Para{Text: "Genes: " + strings.Join(a.Genes, ", ")},
		result.Para{Text: "Total samples: " + count(a.Total) + " profiled for all genes"},
		result.Para{Text: "Sample universe: " + a.Basis},
		t,
	}
	return a.add(addGroups(doc, a.SampleGroups))
}

// explain adds notes to the columns whose numbers require one.
func (a *coOccurrenceAnswer) explain(columns []result.Column) {
	added := slices.ContainsFunc(a.Pairs, func(p pair) bool { return p.Odds == 0 || math.IsInf(float64(p.Odds), 1) })
	for i, c := range columns {
		switch {
		case c.Name == "Log Odds Ratio" && added:
			columns[i].Note = "Log Odds Ratio: 0.5 was added to each count of a pair with a 0"
		case c.Name == patientsColumn:
			columns[i].Note = patientsColumn + ": one sample per patient, the first in the sample file that was profiled " +
				"for both genes"
		}
	}
}
