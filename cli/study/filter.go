package study

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
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
		Use: "filter --study <id> [filters]", Short: "Find samples that meet criteria", Effect: command.Reads,
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
			f.Rare("amplified", "deleted", "expression-above", "expression-below", "cancer-type") // --group can do it
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
	if err := checkAnyCriterion(in); err != nil {
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
	byFlag, err := f.flagTests(&a)
	if err != nil {
		return nil, err
	}
	a.match(samples.IDs, append(tests, byFlag...), groups)
	f.r.Payload = a
	addNotices(f.r, s)
	columns := result.Map(byFlag, func(t *test) column { return flagOf(t.description, t.holds, t.hasData) })
	if groups != nil {
		columns = append(columns, groups.columns()...)
	}
	return f.r, writeSamples(in, f.r, s, false, columns...)
}

// checkAnyCriterion returns an error if there is no criterion, or an invalid one.
func checkAnyCriterion(in *command.Input) error {
	if !hasGroups(in) && !slices.ContainsFunc(filterFlags, func(c filterFlag) bool { return len(in.Strings(c.name)) > 0 }) {
		return result.Invalid(
			"study filter requires a criterion: --mutated, --amplified, --deleted, --expression-above, "+
				"--expression-below, --cancer-type or --group; study summary counts all samples", lineOf(in, "summary")...)
	}
	if len(in.Strings("mutated")) == 0 {
		if err := in.RejectUnused("requires --mutated", "include-silent"); err != nil {
			return err
		}
	}
	return checkCriteria(in)
}

// flagTests returns the tests of the flags and adds their criteria to an answer.
func (f *testBuilder) flagTests(a *filterAnswer) (tests []*test, err error) {
	for _, c := range filterFlags {
		for _, value := range f.in.Strings(c.name) {
			t, err := c.make(f, strings.TrimSpace(value))
			if err != nil {
				return nil, err
			}
			tests = append(tests, t)
			a.Criteria = append(a.Criteria, criterion{t.description, tallyOf(t.holds), tallyOf(t.hasData)})
		}
	}
	return tests, nil
}

// match adds the samples that meet all tests, in all and by group.
func (a *filterAnswer) match(ids []string, tests []*test, groups *sampleGroups) {
	for i, id := range ids {
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
}

// checkQueryLanguage returns an error if a value of --mutated is in cBioPortal's query language. It
// suggests the criteria as flags.
func checkQueryLanguage(in *command.Input) error {
	for _, v := range in.Strings("mutated") {
		gene, _ := splitChange(v)
		expression := expressionOf(in, v)
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
