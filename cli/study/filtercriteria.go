package study

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/symbols"
)

// testBuilder creates the tests for a study.
type testBuilder struct {
	in      *command.Input
	s       *study.Study
	samples *study.Samples
	r       *result.Result
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
