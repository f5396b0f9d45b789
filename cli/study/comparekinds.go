package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// untestable reports whether an error means that the data of one gene or attribute allow no test.
func untestable(err error) bool {
	return errors.Is(err, stats.ErrOneGroup) || errors.Is(err, stats.ErrConstant)
}

// method names the test for two groups, or the one for more.
func (c *comparison) method(two, more string) string {
	if len(c.names) == 2 {
		return two
	}
	return more
}

// testAttributes tests each clinical attribute except the one that defines the groups.
func (c *comparison) testAttributes(a *everything) error {
	attributes, err := c.s.Attributes()
	if err != nil {
		return err
	}
	var list []study.Attribute
	for _, at := range attributes {
		switch err := at.DuplicateError(); {
		case err != nil:
			a.Omitted = append(a.Omitted, omittedSubject{at.ID, err.Error()})
		case c.groupName == "" || c.sampleGroups != nil || !strings.EqualFold(at.ID, c.groupBy):
			list = append(list, at)
		}
	}
	values, err := c.s.Values(list...)
	if err != nil {
		return err
	}
	var tests []*difference
	untested := 0
	for _, v := range values {
		d, err := c.testAttribute(v)
		switch {
		case untestable(err):
			a.Omitted = append(a.Omitted, omittedSubject{v.ID, reason(err)})
			untested++
		case err != nil:
			return err
		default:
			tests = append(tests, d)
		}
	}
	a.addKind(clinicalKind, "numbers: "+c.method("Wilcoxon", "Kruskal-Wallis")+"; categories: chi-square"+
		c.method(", Fisher for two", ""), c.basis("with the attribute"), tests, untested)
	return nil
}

// errIdentifier is returned for an attribute with a value of its own for most samples.
var errIdentifier = fmt.Errorf("%w: nearly every value is different", stats.ErrConstant)

func (c *comparison) testAttribute(v study.Values) (*difference, error) {
	d := &difference{Kind: clinicalKind, Name: v.ID, Unit: "patients", Statistic: nan, Effect: nan}
	of, values := c.patient, v.OwnLevel()
	if v.Data == study.SampleAttributes {
		of, d.Unit = c.sample, "samples"
	}
	if n := v.Numbers(); n.Numeric {
		err := d.testNumbers(c.split(of, n.Values, func(i int) bool { return !math.IsNaN(n.Values[i]) }))
		switch left := len(n.Bounds) + n.NonNumeric; {
		case c.isFollowUp(v.ID):
			d.Note = "ignores who had the event"
		case left > 0:
			d.Note = english.Plural(left, "value", "") + " excluded: not a number"
		}
		return d, err
	}
	names, place := study.Categories(values)
	filled := 0
	for i, p := range place {
		filled += b2i(p >= 0 && of[i] >= 0)
	}
	if len(names) > mostGroups && 2*len(names) > filled {
		return nil, errIdentifier
	}
	return d, d.testCategories(names, c.crossTabulate(of, len(names), func(i int) int { return place[i] }))
}

// newAltered returns the difference of a gene with the altered samples counted by group.
func (c *comparison) newAltered(kind event, gene string, n, altered []int) *difference {
	return &difference{
		Kind: eventNames[kind].event, Name: gene, Unit: "samples", N: n, Altered: altered, Statistic: nan, Effect: nan,
	}
}

// countByGroup counts samples by group.
func (c *comparison) countByGroup(samples []int) []int {
	counts := make([]int, len(c.names))
	for _, i := range samples {
		if g := c.sample[i]; g >= 0 {
			counts[g]++
		}
	}
	return counts
}

func (c *comparison) testMutations(a *everything) error {
	return c.testGenes(a, mutationEvent, func(fn func(g *study.AlteredGene)) (study.ExcludedRows, error) {
		return c.s.EachMutated(c.in.Bool("include-silent"), fn)
	})
}

func (c *comparison) testVariants(a *everything) error {
	return c.testGenes(a, structuralVariant, c.s.EachRearranged)
}

// testGenes tests each gene that has the event in a sample of a group, except the one that defines the groups.
func (c *comparison) testGenes(
	a *everything, kind event, each func(fn func(g *study.AlteredGene)) (study.ExcludedRows, error),
) error {
	p, found := c.s.Profile(dataOf(kind))
	if !found {
		return result.Missing("no " + eventNames[kind].event + " data in " + c.s.ID)
	}
	on, err := c.s.ProfiledSamples(p, "")
	if err != nil {
		return err
	}
	profiled, err := c.s.ProfiledCounts(p, c.sample, len(c.names))
	if err != nil {
		return err
	}
	if profiled.Unlisted() {
		return result.Missing(eventNames[kind].event + ": " + unlistedReason)
	}
	var tests []*difference
	untested := 0
	left, err := each(func(g *study.AlteredGene) {
		altered := c.countByGroup(g.Samples)
		own := kind == mutationEvent && c.groupsByGene && g.Matches(c.groupBy)
		if own || !slices.ContainsFunc(altered, func(n int) bool { return n > 0 }) {
			return
		}
		d := c.newAltered(kind, g.Gene, profiled.Of(g), altered)
		if err := d.testAltered(); err != nil {
			untested++
			return
		}
		tests = append(tests, d)
	})
	if err != nil {
		return err
	}
	if kind == mutationEvent {
		noteRows(c.r, c.s, "", left)
	}
	addNotices(c.r, c.s, on.Notices)
	a.addKind(eventNames[kind].event, c.method("Fisher", "chi-square"),
		c.basis("profiled for the gene: "+on.Basis), tests, untested)
	return nil
}

// testCopies tests the amplifications and the deep deletions of each gene.
func (c *comparison) testCopies(a *everything) error {
	p, err := discrete(c.s)
	if err != nil {
		return err
	}
	matrix, err := c.s.Matrix(p)
	if err != nil {
		return err
	}
	var tests [eventKinds][]*difference
	var untested [eventKinds]int
	var mu sync.Mutex
	err = matrix.Rows(func(gene string, values []float64) error {
		n, altered := make([]int, len(c.names)), [eventKinds][]int{}
		for i, x := range values {
			g := c.sample[i]
			if g < 0 || study.State(x) < 0 {
				continue
			}
			n[g]++
			if e, is := copyEvent(x); is {
				if altered[e] == nil {
					altered[e] = make([]int, len(c.names))
				}
				altered[e][g]++
			}
		}
		for e, counts := range altered {
			if counts == nil {
				continue
			}
			d := c.newAltered(event(e), gene, n, counts)
			err := d.testAltered()
			mu.Lock()
			if err != nil {
				untested[e]++
			} else {
				tests[e] = append(tests[e], d)
			}
			mu.Unlock()
		}
		return nil
	})
	if err != nil {
		return err
	}
	addNotices(c.r, c.s, matrix.Notices)
	for _, e := range []event{amplification, deepDeletion} {
		a.addKind(eventNames[e].event, c.method("Fisher", "chi-square"),
			c.basis("with a copy number of the gene in "+p.File), tests[e], untested[e])
	}
	return nil
}

// testExpression tests the expression of each gene.
func (c *comparison) testExpression(a *everything) error {
	p, toLog, err := measured(c.s)
	if err != nil {
		return err
	}
	matrix, err := c.s.Matrix(p)
	if err != nil {
		return err
	}
	var tests []*difference
	var mu sync.Mutex
	untested := 0
	err = matrix.Rows(func(gene string, values []float64) error {
		if toLog {
			for i, x := range values {
				values[i] = log2Of(x)
			}
		}
		d := &difference{Kind: expressionKind, Name: gene, Unit: "samples", Statistic: nan, Effect: nan}
		err := d.testMeans(c.split(c.sample, values, func(i int) bool { return !math.IsNaN(values[i]) }))
		mu.Lock()
		defer mu.Unlock()
		if untestable(err) {
			untested++
			return nil
		}
		tests = append(tests, d)
		return err
	})
	if err != nil {
		return err
	}
	addNotices(c.r, c.s, matrix.Notices)
	unit := unitOf(p)
	if toLog {
		unit = "log2(1 + value)"
	}
	a.addKind(expressionKind, c.method("Welch's t", "ANOVA"),
		c.basis("with a value of the gene in "+p.File+"; unit: "+unit), tests, untested)
	return nil
}

// measured returns the expression profile for a comparison of means, preferring values to z-scores as
// cBioPortal does. toLog reports whether log2(1 + x) of the values is compared.
func measured(s *study.Study) (p study.Profile, toLog bool, err error) {
	p, ok := s.Profile(study.Expression, "CONTINUOUS", "LOG2-VALUE", "Z-SCORE")
	if !ok {
		_, err = expression(s)
		return p, false, err
	}
	return p, p.Datatype == "CONTINUOUS" && strings.Contains(strings.ToLower(p.StableID), "rna_seq"), nil
}

// log2Of returns log2(1 + x), with 0 for a negative value (cBioPortal's ExpressionEnrichmentUtil).
func log2Of(x float64) float64 { return math.Log2(1 + max(x, 0)) }

// columnOf returns the values of an attribute or a gene for --rows.
func (c *comparison) columnOf(d *difference) (column, error) {
	name := d.Name + " " + d.Kind
	switch d.Kind {
	case clinicalKind:
		return c.attributeColumn(d)
	case expressionKind:
		p, toLog, err := measured(c.s)
		if err != nil {
			return column{}, err
		}
		v, err := c.s.GeneValues(p, d.Name)
		if err != nil {
			return column{}, err
		}
		if toLog {
			v.Values = result.Map(v.Values, log2Of)
		}
		return valueOf(name, v.Values, v.Profiled.Included), nil
	case eventNames[mutationEvent].event:
		m, err := c.s.GeneMutations(d.Name, c.in.Bool("include-silent"))
		if err != nil {
			return column{}, err
		}
		return flagOf(name, m.Mutated, m.Profiled.Included), nil
	case eventNames[structuralVariant].event:
		list, on, _, err := c.s.StructuralVariants(d.Name)
		if err != nil {
			return column{}, err
		}
		altered := make([]bool, len(on.Included))
		for _, v := range list {
			altered[v.Sample] = true
		}
		return flagOf(name, altered, on.Included), nil
	}
	return c.copiesOf(name, d)
}

// attributeColumn returns the values of an attribute for --rows.
func (c *comparison) attributeColumn(d *difference) (column, error) {
	all, err := c.s.Attributes()
	if err != nil {
		return column{}, err
	}
	at := slices.IndexFunc(all, func(a study.Attribute) bool { return a.ID == d.Name && a.Level+"s" == d.Unit })
	v, err := c.s.Values(all[at])
	if err != nil {
		return column{}, err
	}
	n := v[0].Numbers()
	return column{d.Name, func(i int) any {
		own := i
		if d.Unit == "patients" {
			own = c.samples.PatientOf[i]
		}
		switch {
		case n.Numeric:
			return cell(n.Values[own])
		case v[0].Sample[i] == "":
			return nil
		}
		return v[0].Sample[i]
	}}, nil
}

// copiesOf returns the amplifications or deep deletions of a gene for --rows.
func (c *comparison) copiesOf(name string, d *difference) (column, error) {
	p, err := discrete(c.s)
	if err != nil {
		return column{}, err
	}
	v, err := c.s.GeneValues(p, d.Name)
	if err != nil {
		return column{}, err
	}
	altered, known := make([]bool, len(v.Values)), make([]bool, len(v.Values))
	for i, x := range v.Values {
		e, is := copyEvent(x)
		altered[i], known[i] = is && eventNames[e].event == d.Kind, study.State(x) >= 0
	}
	return flagOf(name, altered, known), nil
}
