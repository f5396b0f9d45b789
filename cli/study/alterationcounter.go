package study

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// An alterationCounter counts the altered samples of every gene.
type alterationCounter struct {
	in      *command.Input
	s       *study.Study
	r       *result.Result
	samples *study.Samples
	copies  study.Profile // copy number
	matrix  *study.Matrix // nil if copy number is not counted
	data    []alterationData

	mu     sync.Mutex
	byName map[string]*alteredGene
	nameOf map[string]string // name of the row for each known name of a gene
}

// count reads the kinds of data that hold events. If optional is set, it omits the kinds that the study
// lacks, with a notice, and returns an error only if the study has none of them.
func (c *alterationCounter) count(events []event, optional bool) (err error) {
	if c.samples, err = c.s.Samples(); err != nil {
		return err
	}
	var absent error
	for _, read := range []func(events []event) (study.Profile, error){c.countCopies, c.countMutations, c.countVariants} {
		p, err := read(events)
		if optional && isAbsent(err) {
			absent = cmp.Or(absent, err)
			c.r.Notice("not counted: " + err.Error())
			continue
		}
		if err != nil {
			return err
		}
		if p.File == "" {
			continue
		}
		on, err := c.s.ProfiledSamples(p, "")
		if err != nil {
			return err
		}
		addNotices(c.r, c.s, on.Notices)
		for _, e := range events {
			if dataOf(e) == p.Data {
				c.data = append(c.data, alterationData{eventNames[e].event, on.Basis, e})
			}
		}
	}
	if len(c.data) == 0 {
		return absent
	}
	slices.SortFunc(c.data, func(a, b alterationData) int { return cmp.Compare(a.event, b.event) })
	return nil
}

// isAbsent reports whether the study lacks a kind of data.
func isAbsent(err error) bool {
	var failure *result.Failure
	return study.IsKind(err, study.NoData) || errors.As(err, &failure) && failure.Code == result.NotFound
}

// dataOf returns the kind of data that holds an event.
func dataOf(e event) study.Data {
	return [eventKinds]study.Data{study.Mutations, study.CopyNumber, study.CopyNumber, study.StructuralVariants}[e]
}

func (c *alterationCounter) countMutations(events []event) (p study.Profile, err error) {
	if !slices.Contains(events, mutationEvent) {
		return p, c.in.RejectUnused("requires --type mutations or all", "include-silent")
	}
	left, err := c.s.EachMutated(c.in.Bool("include-silent"), func(g *study.AlteredGene) {
		c.add(mutationEvent, c.name(g), g.Samples)
	})
	if err != nil {
		return p, err
	}
	noteRows(c.r, c.s, "", left)
	p, _ = c.s.Profile(study.Mutations)
	return p, nil
}

func (c *alterationCounter) countVariants(events []event) (p study.Profile, err error) {
	if !slices.Contains(events, structuralVariant) {
		return p, nil
	}
	left, err := c.s.EachRearranged(func(g *study.AlteredGene) { c.add(structuralVariant, c.name(g), g.Samples) })
	if err != nil {
		return p, err
	}
	if n := left.NotProfiled + left.UnknownSample; n > 0 {
		c.r.Notice(english.Plural(n, "structural variant", "") +
			" not counted: the sample was not profiled for the gene, or is not in the study")
	}
	p, _ = c.s.Profile(study.StructuralVariants)
	return p, nil
}

func (c *alterationCounter) countCopies(events []event) (p study.Profile, err error) {
	if !slices.ContainsFunc(events, func(e event) bool { return dataOf(e) == study.CopyNumber }) {
		return p, nil
	}
	if p, err = discrete(c.s); err != nil {
		return p, err
	}
	c.copies = p
	if c.matrix, err = c.s.Matrix(p); err != nil {
		return p, err
	}
	addNotices(c.r, c.s, c.matrix.Notices)
	return p, c.matrix.Rows(func(gene string, values []float64) error {
		var altered [eventKinds][]int
		for i, x := range values {
			if e, is := copyEvent(x); is && slices.Contains(events, e) {
				altered[e] = append(altered[e], i)
			}
		}
		for e, samples := range altered {
			if samples != nil {
				c.add(event(e), gene, samples)
			}
		}
		return nil
	})
}

// copyEvent returns the event of a copy number, if it is one.
func copyEvent(x float64) (e event, is bool) {
	switch study.State(x) {
	case 0:
		return deepDeletion, true
	case len(study.States) - 1:
		return amplification, true
	}
	return 0, false
}

// name returns the name of a gene in the answer: one for all kinds of data, which may use different ones.
func (c *alterationCounter) name(g *study.AlteredGene) string {
	name := g.Gene
	for _, other := range g.Names() {
		if known := c.nameOf[other]; known != "" {
			name = known
		}
	}
	if c.matrix != nil {
		if row, ok := c.matrix.RowOf(g); ok {
			name = row
		}
	}
	for _, other := range g.Names() {
		c.nameOf[other] = name
	}
	return name
}

// add adds the altered samples of a gene.
func (c *alterationCounter) add(e event, gene string, samples []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.byName[gene]
	if g == nil {
		g = &alteredGene{Gene: gene}
		c.byName[gene] = g
	}
	g.altered[e] = append(g.altered[e], samples...)
}

// rank returns the genes with altered samples, by their number, then by the number of events, then by name.
func (c *alterationCounter) rank() (genes []*alteredGene) {
	events := map[*alteredGene]int{}
	for _, g := range c.byName {
		seen := map[int]bool{}
		for _, samples := range g.altered {
			events[g] += len(samples)
			for _, i := range samples {
				seen[i] = true
			}
		}
		g.Samples = len(seen)
		genes = append(genes, g)
	}
	slices.SortFunc(genes, func(a, b *alteredGene) int {
		return cmp.Or(b.Samples-a.Samples, events[b]-events[a], strings.Compare(a.Gene, b.Gene))
	})
	return genes
}

// addRates adds the rates of a gene. It returns the samples that are profiled for at least one kind of event.
func (c *alterationCounter) addRates(g *alteredGene) ([]bool, error) {
	any := make([]bool, len(c.samples.IDs))
	fields := [eventKinds]**alterationCount{&g.Mutations, &g.Amplifications, &g.DeepDeletions, &g.StructuralVariants}
	for _, d := range c.data {
		n := &alterationCount{Samples: len(g.altered[d.event]), Rate: nan, Low: nan, High: nan}
		on, err := c.profiled(d.event, g.Gene)
		switch {
		case study.IsKind(err, study.NotFound):
			continue // the table of copy number lacks the gene
		case err != nil:
			return nil, err
		}
		g.counts[d.event], *fields[d.event] = n, n
		if on.Unlisted {
			continue
		}
		for i, in := range on.Included {
			any[i] = any[i] || in
		}
		rate := stats.Proportion(n.Samples, on.N)
		n.Profiled, n.Rate, n.Low, n.High = &on.N, num(rate.Estimate), num(rate.Low), num(rate.High)
	}
	if listed := tallyOf(any) > 0; listed {
		for _, samples := range g.altered { // a sample with a structural variant was examined, listed or not
			for _, i := range samples {
				any[i] = true
			}
		}
	}
	g.Profiled = tallyOf(any)
	rate := stats.Proportion(min(g.Samples, g.Profiled), g.Profiled)
	g.Rate, g.Low, g.High = num(rate.Estimate), num(rate.Low), num(rate.High)
	return any, nil
}

// profiled returns the samples profiled for a kind of event in a gene.
func (c *alterationCounter) profiled(e event, gene string) (*study.ProfiledSamples, error) {
	if dataOf(e) != study.CopyNumber {
		p, _ := c.s.Profile(dataOf(e))
		return c.s.ProfiledSamples(p, gene)
	}
	v, err := c.s.GeneValues(c.copies, gene)
	if err != nil {
		return nil, err
	}
	on := *v.Profiled
	on.N = 0
	for i, x := range v.Values {
		on.Included[i] = on.Included[i] && study.State(x) >= 0
		on.N += b2i(on.Included[i])
	}
	return &on, nil
}
