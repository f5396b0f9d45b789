package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// A division assigns patients to groups.
type division struct {
	groups        study.Grouping
	values        []float64 // by patient, if numbers are cut into groups; for a bound the nearest possible number
	bounds        map[int]study.Bound
	names         []string
	groupBy, gene string
	name          string // display name of the attribute; "" for a gene
	basis         string
	reference     int                  // index of the reference group for hazard ratios
	ordered       bool                 // the groups have an order
	mutations     *study.GeneMutations // set if mutations define the groups
	sampleGroups  []groupSummary       // set if --group defines the groups
}

const mutant, wildtype = 0, 1 // group numbers of GeneMutations.GroupByMutation

const mostGroups = 20

// divide groups the patients of a study according to --by. Numbers remain one group until
// cutGroups.
func divide(in *command.Input, s *study.Study, r *result.Result) (*division, error) {
	if hasGroups(in) {
		return byGroup(in, s, r)
	}
	by := strings.ToLower(strings.TrimSpace(in.String("by")))
	switch by {
	case "mutation", "mutations", "gene", "":
		return byMutation(in, s, r, in.String("gene"))
	case "cna", "copy_number", "copy-number", "expression", "expr":
		return byValue(in, s, r, strings.HasPrefix(by, "c"))
	}
	if g := mutatedGene(s, by); g != "" && !in.Given("gene") {
		noteByGene(r, g)
		return byMutation(in, s, r, g)
	}
	a, err := attributeOf(in, s, "by", in.String("by"))
	if err != nil {
		return nil, err
	}
	values, err := s.Values(a)
	if err != nil {
		return nil, err
	}
	if g := in.String("gene"); g != "" {
		r.DocNotices = append(r.DocNotices, "--gene "+command.Clip(g)+" is ignored: the patients are grouped by "+a.ID)
	}
	d := &division{groupBy: a.ID, name: a.Name, basis: "patients with " + a.ID}
	n := values[0].PatientNumbers()
	cuts := in.Given("cut") || in.Given("quantiles")
	if n.Numeric && (cuts || distinct(values[0].OwnLevel()) > 5) {
		d.values, d.bounds = slices.Clone(n.Values), n.Bounds
		for patient, b := range n.Bounds {
			d.values[patient] = b.Nearest
		}
		n.Bounds = nil // bounds are grouped too, so they need no notice
		noteNumbers(r, a.ID, n)
		d.groups = study.GroupWithValue(d.values, "no value of "+a.ID, false)
		d.groups.Conflict = "a bound of " + a.ID + " that a cut divides"
		return d, nil
	}
	if cuts {
		return nil, result.Invalid(a.ID+" has categories, not numbers", in.LineWith("--cut", "", "--quantiles", "")...)
	}
	d.groups, err = s.GroupByAttribute(a)
	d.names, d.ordered = d.groups.Names, n.Numeric && n.NonNumeric == 0 || study.Ordered(d.groups.Names)
	return d, err
}

// byGroup groups patients by --group.
func byGroup(in *command.Input, s *study.Study, r *result.Result) (*division, error) {
	g, err := groupsOf(in, s, r, true)
	if err != nil {
		return nil, err
	}
	return &division{
		groups: g.patients(), names: g.names(), groupBy: "group", name: "Group", basis: "patients of the groups",
		reference: len(g.names()) - len(in.Strings("group")), sampleGroups: g.list,
	}, nil
}

func distinct(values []string) int {
	names, _ := study.Categories(values)
	return len(names)
}

func byMutation(in *command.Input, s *study.Study, r *result.Result, word string) (*division, error) {
	if top, _, err := s.MutatedGenes(false); strings.TrimSpace(word) == "" && err == nil && len(top) > 0 {
		return nil, result.Invalid("--gene is missing, or --by with a clinical attribute; "+
			"the gene mutated most often is "+top[0].Gene, in.LineWith("--by", "", "--gene", top[0].Gene)...)
	}
	g, err := geneOf(in, "gene", word)
	if err != nil {
		return nil, err
	}
	if in.Given("cut") || in.Given("quantiles") {
		return nil, result.Invalid("--cut and --quantiles divide numbers: "+
			"use them with --by expression, cna or an attribute", in.LineWith("--by", "expression")...)
	}
	m, err := mutationsOf(in, s, "gene", g)
	if err != nil {
		return nil, err
	}
	noteMutations(r, s, m)
	groups := m.GroupByMutation()
	return &division{
		groups: groups, names: groups.Names, groupBy: "mutation", gene: g,
		basis: "profiled for " + g + ": " + m.Profiled.Basis, reference: wildtype, mutations: m,
	}, nil
}

// byValue groups by copy number, or by expression averaged over a patient's samples.
func byValue(in *command.Input, s *study.Study, r *result.Result, copies bool) (*division, error) {
	g, err := gene(in, "gene")
	if err != nil {
		return nil, err
	}
	d := &division{groupBy: "expression", gene: g}
	p, err := expression(s)
	if copies {
		d.groupBy = "cna"
		p, err = discrete(s)
	}
	if err != nil {
		return nil, err
	}
	v, err := geneValues(in, s, p, "gene", g)
	if err != nil {
		return nil, err
	}
	noteValues(r, s, v)
	d.basis = "profiled for " + g + ": " + v.Profiled.Basis
	if copies {
		return d, d.byCopies(in, v)
	}
	d.values = v.PatientMeans()
	d.groups = study.GroupWithValue(d.values, "not profiled for "+g, true)
	return d, nil
}

// byCopies groups by copy-number state, or by --cut into states up to the cut and above it.
func (d *division) byCopies(in *command.Input, v *study.GeneValues) error {
	names, part := study.States, study.State
	switch {
	case in.Given("quantiles"):
		return result.Invalid("--quantiles does not apply to copy number, which has states from -2 to 2: use --cut",
			in.LineWith("--quantiles", "", "--cut", "1")...)
	case in.Given("cut"):
		at, err := cutAt(in)
		if err != nil {
			return err
		}
		names, _ = study.Cut(nil, at)
		part = func(code float64) int {
			if study.State(code) < 0 {
				return -1
			}
			return b2i(float64(study.State(code)-2) > at)
		}
	}
	d.groups, d.names, d.ordered = v.GroupByCopyNumber(names, part), names, true
	return nil
}

// cutAt returns the number given by --cut.
func cutAt(in *command.Input) (float64, error) {
	at, err := strconv.ParseFloat(in.String("cut"), 64)
	if err != nil || math.IsNaN(at) || math.IsInf(at, 0) {
		try := in.LineWith("--cut", "")
		first, _, _ := strings.Cut(in.String("cut"), ",")
		if _, err := strconv.ParseFloat(first, 64); err == nil {
			try = in.LineWith("--cut", first)
		}
		return 0, result.Invalid("--cut takes one number, such as 60; "+
			"the default is the median, and --quantiles makes several groups", try...)
	}
	return at, nil
}

// cutGroups divides the numbers of the analyzed patients into groups and drops empty groups. It
// removes patients whose bound may fall into several groups, by joining again.
func (d *division) cutGroups(in *command.Input, c *study.Cohort, r *result.Result, join func() *study.Cohort) error {
	if d.values != nil {
		values := result.Map(c.Patients, func(patient int) float64 { return d.values[patient] })
		if err := d.cut(in, c, values, r); err != nil {
			return err
		}
		d.groups.Names = d.names
		for i, patient := range c.Patients {
			d.groups.Group[patient] = c.Group[i]
			if b, bound := d.bounds[patient]; bound && c.Group[i] != b2i(b.IsLowerBound)*(len(d.names)-1) {
				d.groups.Group[patient] = -2
			}
		}
		*c = *join()
	}
	if d.groupBy == "mutation" {
		return nil
	}
	place, kept := make([]int, len(d.names)), []string{}
	for _, g := range c.Group {
		place[g] = 1
	}
	for g, used := range place {
		place[g] = len(kept)
		if used > 0 {
			kept = append(kept, d.names[g])
		}
	}
	for i, g := range c.Group {
		c.Group[i] = place[g]
	}
	if d.names = kept; len(kept) > mostGroups {
		message := fmt.Sprintf("%s makes %d groups; at most %d are compared", d.groupBy, len(kept), mostGroups)
		return result.Invalid(message, in.LineWith("--by", "mutation")...)
	}
	return nil
}

func (d *division) cut(in *command.Input, c *study.Cohort, values []float64, r *result.Result) error {
	d.ordered = true
	n := in.Int("quantiles")
	switch {
	case in.Given("cut"):
		at, err := cutAt(in)
		if err != nil {
			return err
		}
		d.names, c.Group = study.Cut(values, at)
		return nil
	case in.Given("quantiles") && (n < 2 || n > 10):
		return result.Invalid("--quantiles must be 2 to 10", in.LineWith("--quantiles", "2")...)
	case !in.Given("quantiles"):
		n = 2
		r.Notice(d.groupBy + " is divided at its median; use --cut or --quantiles to change that")
	}
	d.names, c.Group = study.Quantiles(values, n)
	if len(d.names) < n {
		r.Notice(fmt.Sprintf("tied values make %d groups instead of %d", len(d.names), n))
	}
	return nil
}
