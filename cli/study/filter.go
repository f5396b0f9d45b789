package study

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/symbols"
)

type filterAnswer struct {
	Study       string      `json:"study_id"`
	Criteria    []criterion `json:"criteria"`
	Total       int         `json:"total_study_samples"`
	Matched     int         `json:"matched_count"`
	Denominator denominator `json:"denominator"`
	Samples     []string    `json:"matched_sample_ids"`

	Groups   []filterGroup `json:"groups,omitempty"` // of --group
	Excluded exclusions    `json:"excluded,omitempty"`
}

type criterion struct {
	Description string `json:"description"`
	Matched     int    `json:"matched_count"`
	Profiled    int    `json:"profiled_count"`
}

// A test is one criterion. holds marks the samples that meet it, hasData those for which it can
// be evaluated.
type test struct {
	description    string
	holds, hasData []bool
}

const shownSamples = 50

type filterFlag struct {
	name, usage string
	make        func(f *testBuilder, value string) (*test, error)
}

// filterFlags lists the criteria in the order shown.
var filterFlags = []filterFlag{
	{"mutated", "samples with a mutation of the gene, or one change: TP53:R273H", (*testBuilder).mutationTest},
	{
		"amplified", "samples with an amplification (2) of the gene",
		func(f *testBuilder, g string) (*test, error) { return f.copyNumberTest(g, 2, "amplified") },
	},
	{
		"deleted", "samples with a deep deletion (-2) of the gene",
		func(f *testBuilder, g string) (*test, error) { return f.copyNumberTest(g, -2, "deleted") },
	},
	{
		"expression-above", "GENE:THRESHOLD, samples with more",
		func(f *testBuilder, v string) (*test, error) { return f.expressionTest(v, "expression-above", ">") },
	},
	{
		"expression-below", "GENE:THRESHOLD, samples with less",
		func(f *testBuilder, v string) (*test, error) { return f.expressionTest(v, "expression-below", "<") },
	},
	{"cancer-type", "samples of a cancer type, as the clinical file names it", (*testBuilder).cancerTypeTest},
}

func filter() *command.Command {
	return &command.Command{
		Use: "filter --study <id> [filters]", Short: "Find the samples that meet all of some criteria", Effect: command.Reads,
		Help: command.Help{
			Output: "For each criterion the samples that meet it and those that could, " +
				"and the samples that meet all.",
			Surprises: "A sample that was not profiled for a criterion is not in the denominator.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			for _, c := range filterFlags {
				f.Strings(c.name, c.usage)
				f.Group(command.FilterFlags, c.name)
			}
			f.AddSynonyms("mutated", "mutation", "mutations", "gene")
			groupFlags(f)
			silentFlag(f)
			rowsFlag(f, "")
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study filter -s synthetic_demo --mutated TP53 --expression-above EGFR:1",
				Explanation: "samples with both",
			},
			{
				Line:        "biomcp study filter -s synthetic_demo --group A='TP53: MUT & KRAS: AMP | AGE>=70'",
				Explanation: "samples of an expression in cBioPortal's query language, with clinical values",
			},
			{
				Line:        "biomcp study filter -s synthetic_demo --mutated TP53 --rows samples.csv",
				Explanation: "a file with a row for each sample",
			},
		},
		Run: runFilter, Check: checkFilter, Synonyms: []string{"samples", "select", "subset"},
		ArgFlags: append(studyPlaces(command.ArgFlag{Flag: "group", Accepts: func(word string) bool {
			return isExpression(word) && criteria(word) == nil
		}}, command.ArgFlag{Flag: "mutated"}),
			command.ArgFlag{Flag: "amplified", AcceptsTail: oneOf("amplified amplification amp gain gained high 2")},
			command.ArgFlag{Flag: "deleted", AcceptsTail: oneOf("deleted deletion del loss lost low -2")},
			command.ArgFlag{Flag: "expression-above", Separator: ":", AcceptsTail: func(string) bool { return true }},
			command.ArgFlag{Flag: "expression-below", Separator: ":", AcceptsTail: func(string) bool { return true }},
			command.ArgFlag{Flag: "cancer-type", Separator: " ", AcceptsTail: func(word string) bool {
				return strings.ToUpper(word) != word
			}}),
	}
}

// testBuilder creates the tests for a study.
type testBuilder struct {
	in      *command.Input
	s       *study.Study
	samples *study.Samples
	r       *result.Result
}

func checkFilter(in *command.Input) error {
	if err := requireFlags("study")(in); err != nil {
		return err
	}
	if hasGroups(in) {
		return cmp.Or(checkGroups(in), checkCriteria(in))
	}
	return checkCriteria(in)
}

// checkCriteria returns an error if a criterion lists several genes or an expression criterion has no
// valid threshold.
func checkCriteria(in *command.Input) error {
	if err := checkQueryLanguage(in); err != nil {
		return err
	}
	for _, c := range filterFlags {
		var pairs []string
		for _, v := range in.Strings(c.name) {
			for _, g := range strings.Split(v, ",") {
				pairs = append(pairs, "--"+c.name, strings.TrimSpace(g))
			}
		}
		if len(pairs) > 2*len(in.Strings(c.name)) && c.name != "cancer-type" {
			return result.Invalid("--"+c.name+" takes one gene; repeat the flag for more, all of which must hold",
				in.LineWith(pairs...)...)
		}
		for _, v := range in.Strings(c.name) {
			if _, _, err := threshold(in, c.name, v); err != nil && strings.HasPrefix(c.name, "expression") {
				return err
			}
		}
	}
	return nil
}

func runFilter(_ context.Context, in *command.Input) (*result.Result, error) {
	if !hasGroups(in) && !slices.ContainsFunc(filterFlags, func(c filterFlag) bool { return len(in.Strings(c.name)) > 0 }) {
		return nil, result.Invalid(
			"study filter requires a criterion: --mutated, --amplified, --deleted, --expression-above, "+
				"--expression-below, --cancer-type or --group; study summary counts all samples", lineOf(in, "summary")...)
	}
	if len(in.Strings("mutated")) == 0 {
		if err := in.RejectUnused("requires --mutated", "include-silent"); err != nil {
			return nil, err
		}
	}
	if err := checkCriteria(in); err != nil {
		return nil, err
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	samples, err := s.Samples()
	if err != nil {
		return nil, err
	}
	f := &testBuilder{in, s, samples, &result.Result{}}
	a := filterAnswer{Study: s.ID, Total: len(samples.IDs)}
	tests, groups, err := f.groupTests(&a)
	if err != nil {
		return nil, err
	}
	for _, c := range filterFlags {
		for _, value := range in.Strings(c.name) {
			t, err := c.make(f, strings.TrimSpace(value))
			if err != nil {
				return nil, err
			}
			tests = append(tests, t)
			a.Criteria = append(a.Criteria, criterion{t.description, tallyOf(t.holds), tallyOf(t.hasData)})
		}
	}
	for i, id := range samples.IDs {
		if slices.ContainsFunc(tests, func(t *test) bool { return !t.hasData[i] }) {
			continue
		}
		a.Denominator.N++
		if !slices.ContainsFunc(tests, func(t *test) bool { return !t.holds[i] }) {
			a.Samples = append(a.Samples, id)
			for k := range a.Groups {
				if groups.members[k][i] {
					a.Groups[k].Matched = append(a.Groups[k].Matched, id)
				}
			}
		}
	}
	slices.Sort(a.Samples)
	for _, g := range a.Groups {
		slices.Sort(g.Matched)
	}
	a.Matched = len(a.Samples)
	a.Denominator.Unit, a.Denominator.Basis = "samples", "profiled for every criterion"
	f.r.Payload = a
	addNotices(f.r, s)
	if groups != nil {
		tests = tests[1:]
	}
	columns := result.Map(tests, func(t *test) column { return flagOf(t.description, t.holds, t.hasData) })
	if groups != nil {
		columns = append(columns, groups.columns()...)
	}
	return f.r, writeSamples(in, f.r, s, false, columns...)
}

func tallyOf(list []bool) (n int) {
	for _, b := range list {
		n += b2i(b)
	}
	return n
}

func (f *testBuilder) gene(g string) (string, error) {
	g = symbols.Spell(g)
	if g == "" {
		return "", result.Invalid("a criterion has no gene", f.in.LineWith()...)
	}
	return g, checkGene(f.in, g)
}

func (f *testBuilder) mutationTest(g string) (*test, error) {
	g, change := splitChange(g)
	g, err := f.gene(g)
	if err != nil {
		return nil, err
	}
	m, err := f.s.GeneMutations(g, f.in.Bool("include-silent"))
	if err != nil {
		return nil, err
	}
	noteMutations(f.r, f.s, m)
	hasData := m.Profiled.Included
	if known, _ := f.s.KnowsGene(g); !m.HasRows && !known {
		f.r.Notice("no sample can be tested for a mutation of " + g + ": the symbol is unknown")
		hasData = make([]bool, len(hasData))
	}
	if change == "" {
		return &test{"mutated " + g, m.Mutated, hasData}, nil
	}
	holds := make([]bool, len(hasData))
	for _, v := range m.Variants {
		changed := strings.TrimPrefix(strings.ToUpper(v.Change), "P.") == change
		holds[v.Sample] = holds[v.Sample] || changed && m.Mutated[v.Sample]
	}
	return &test{"mutated " + g + " " + change, holds, hasData}, nil
}

// checkQueryLanguage returns an error if a value of --mutated is in cBioPortal's query language. It
// suggests the criteria as flags.
func checkQueryLanguage(in *command.Input) error {
	for _, v := range in.Strings("mutated") {
		gene, _ := splitChange(v)
		expression := expressionOf(v)
		if isSymbol(gene) || criteria(v) != nil || expression == "" {
			continue
		}
		rest := []string{"--mutated", "", "--group", expression}
		for _, other := range in.Strings("mutated") {
			if other != v {
				rest = append(rest, "--mutated", other)
			}
		}
		return result.Invalid("--mutated takes a gene or one change; --group takes an expression", in.LineWith(rest...)...)
	}
	pairs, translated := []string{"--mutated", ""}, false
	for _, v := range in.Strings("mutated") {
		one := criteria(v)
		if gene, _ := splitChange(v); isSymbol(gene) || one == nil {
			one = []string{"--mutated", v}
		} else {
			translated = true
		}
		pairs = append(pairs, one...)
	}
	if !translated {
		return nil
	}
	for _, flag := range []string{"amplified", "deleted"} { // LineWith replaces the typed values of these
		for _, v := range in.Strings(flag) {
			pairs = append(pairs, "--"+flag, v)
		}
	}
	return result.Invalid("study filter has a flag for each criterion", in.LineWith(pairs...)...)
}

// values reads the values of a gene from a profile of the study. If the gene has no row, no
// sample counts as profiled and a notice says so.
func (f *testBuilder) values(
	profile func(*study.Study) (study.Profile, error), name string,
) (g string, v *study.GeneValues, err error) {
	if g, err = f.gene(name); err != nil {
		return "", nil, err
	}
	p, err := profile(f.s)
	if err != nil {
		return "", nil, err
	}
	v, err = f.s.GeneValues(p, g)
	if study.IsKind(err, study.NotFound) {
		f.r.Notice(p.File + " has no row of " + g + ": no sample can be tested for the criterion" +
			didYouMean(nearestRow(f.s, p, g)))
		n := len(f.samples.IDs)
		none := &study.ProfiledSamples{Included: make([]bool, n)}
		v, err = &study.GeneValues{Profile: p, Profiled: none, Values: make([]float64, n)}, nil
	}
	return g, v, err
}

func (f *testBuilder) copyNumberTest(name string, state float64, word string) (*test, error) {
	g, v, err := f.values(discrete, name)
	if err != nil {
		return nil, err
	}
	return f.valueTest(word+" "+g, v, func(x float64) bool { return study.State(x) == study.State(state) }), nil
}

func (f *testBuilder) valueTest(description string, v *study.GeneValues, meets func(float64) bool) *test {
	t := &test{description, make([]bool, len(v.Values)), v.Profiled.Included}
	for i, x := range v.Values {
		t.holds[i] = v.Profiled.Included[i] && meets(x)
	}
	noteInstead(f.r, v.PreferredFile, v.Gene, v.Profile.File)
	addNotices(f.r, f.s, v.Profiled.Notices)
	return t
}

// threshold parses GENE:THRESHOLD. For input such as EGFR>1 the error suggests the right form.
func threshold(in *command.Input, flag, value string) (g string, limit float64, err error) {
	i := strings.LastIndexByte(value, ':')
	if i > 0 {
		limit, err = strconv.ParseFloat(strings.TrimSpace(value[i+1:]), 64)
	}
	try, said := result.Argv{"study", "filter", "--help"}, "is not GENE:THRESHOLD"
	parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("=<>≤≥ ", r) })
	_, noNumber := strconv.ParseFloat(strings.Join(parts[min(1, len(parts)):], " "), 64)
	switch {
	case i > 0 && err == nil && !math.IsNaN(limit) && !math.IsInf(limit, 0):
		return value[:i], limit, nil
	case i > 0 && (err == nil || math.IsInf(limit, 0)):
		said = "has no finite threshold"
	case i < 0 && len(parts) == 2 && noNumber == nil:
		try = nil
		for _, v := range in.Strings(flag) {
			try = append(try, "--"+flag, cmp.Or(map[string]string{value: strings.Join(parts, ":")}[v], v))
		}
		try = in.LineWith(try...)
	}
	return "", 0, result.Invalid(fmt.Sprintf("--%s: %q %s", flag, command.Clip(value), said), try...)
}

func (f *testBuilder) expressionTest(value, flag, sign string) (*test, error) {
	name, limit, err := threshold(f.in, flag, value)
	if err != nil {
		return nil, err
	}
	g, v, err := f.values(expression, strings.TrimSpace(name))
	if err != nil {
		return nil, err
	}
	bound := strconv.FormatFloat(limit, 'f', -1, 64)
	description := "expression " + sign + " " + bound + " for " + g + " (" + unitOf(v.Profile) + ")"
	meets := func(x float64) bool { return sign == ">" && x > limit || sign == "<" && x < limit }
	return f.valueTest(description, v, meets), nil
}

// cancerTypeTest returns the test for samples whose CANCER_TYPE or CANCER_TYPE_DETAILED equals value.
func (f *testBuilder) cancerTypeTest(value string) (*test, error) {
	if value == "" {
		return nil, result.Invalid("--cancer-type is empty", f.in.LineWith()...)
	}
	n := len(f.samples.IDs)
	t := &test{"cancer type = " + value, make([]bool, n), make([]bool, n)}
	var words []string
	for _, id := range []string{"CANCER_TYPE", "CANCER_TYPE_DETAILED"} {
		a, err := f.s.Attribute(id)
		if study.IsKind(err, study.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		values, err := f.s.Values(a)
		if err != nil {
			return nil, err
		}
		for i, v := range values[0].Sample {
			t.hasData[i] = t.hasData[i] || v != ""
			t.holds[i] = t.holds[i] || strings.EqualFold(strings.TrimSpace(v), value)
		}
		names, _ := study.Categories(values[0].Sample)
		words = append(words, names...)
	}
	if words == nil {
		return nil, result.Missing(f.s.ID+" names no cancer types", "study", "summary", "--study", f.s.ID)
	}
	if tallyOf(t.holds) == 0 {
		others := "; available: " + strings.Join(words[:min(10, len(words))], ", ")
		f.r.Notice("no sample has the cancer type " + command.Clip(value) +
			cmp.Or(command.DidYouMean(value, words), others))
	}
	return t, nil
}

func (a filterAnswer) Doc() result.Doc {
	t := result.Table{Columns: result.Columns("Filter", ">Matching Samples", ">Profiled Samples")}
	for _, c := range a.Criteria {
		t.Rows = append(t.Rows, []string{c.Description, count(c.Matched), count(c.Profiled)})
	}
	ids := slices.Clone(a.Samples[:min(shownSamples, len(a.Samples))])
	if more := len(a.Samples) - len(ids); more > 0 {
		ids = append(ids, "... and "+count(more)+" more (use --json for full list)")
	}
	if len(ids) == 0 {
		ids = []string{"None"}
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Filter: " + a.Study},
		result.Heading{Level: 2, Text: "Criteria"}, t,
		result.Heading{Level: 2, Text: "Result"},
		result.Table{Columns: result.Columns("Metric", ">Value"), Rows: [][]string{
			{"Study Total Samples", count(a.Total)}, {"Profiled For Every Criterion", count(a.Denominator.N)},
			{"Intersection", count(a.Matched)},
		}},
		result.Heading{Level: 2, Text: "Matched Samples"}, result.List{Items: ids},
	}
	doc = addGroups(doc, result.Map(a.Groups, func(g filterGroup) groupSummary { return g.groupSummary }))
	return a.Excluded.add(doc, "samples")
}
