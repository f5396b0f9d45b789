package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

func compare() *command.Command {
	return &command.Command{
		Use:   "compare --study <id> --gene <gene>|--by <name> --target <x>|--genes all|--all",
		Short: "Compare groups of samples", Effect: command.Reads,
		Help: command.Help{
			Output: "Two groups: Mann-Whitney with the probability of superiority and the shift " +
				"(Hodges-Lehmann) for numbers, Fisher's test with the conditional odds ratio for counts. " +
				"More groups: Kruskal-Wallis, or an exact or chi-square test. With --genes all, every " +
				"gene with its q-value (Benjamini-Hochberg). With --all, every clinical attribute, and every gene by " +
				"mutation, amplification, deep deletion, structural variant and expression: test, effect, p and q " +
				"as in cBioPortal's group comparison, and at most ten differences with q < 0.05 in words.",
			Surprises: "Only samples profiled for both sides are compared. A sample is mutant if its patient has " +
				"a mutated sample. If patients have several samples, the test is repeated with each " +
				"patient counted once. --all: Fisher's or the chi-square test of altered samples, Welch's t-test or " +
				"ANOVA of expression (RNA-seq as log2(1 + x)), Wilcoxon or Kruskal-Wallis and chi-square of " +
				"attributes; q is over the tests of one kind.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			geneFlag(f, "gene whose mutation divides the samples")
			f.String("by", "", "clinical `ATTRIBUTE` that divides instead of a gene")
			f.StringP("type", "t", "expression", "`expression|mutations|clinical`: what is compared")
			f.AddValueSynonyms("type", command.Synonyms{"expression": "expression mrna rna", "mutations": "mutations"})
			f.String("target", "", "gene, or attribute with --type clinical, that is compared")
			f.AddSynonyms("gene", "x")
			f.AddSynonyms("target", "y", "attribute")
			groupFlags(f)
			f.Rare("group")
			f.Enum("genes", "", "compare every gene; one is --target", "all")
			f.Bool("all", false, "compare every attribute and, of every gene, all kinds of data")
			f.AddSynonyms("all", "everything")
			f.LimitP("l", 20, 500, "maximum number of rows for --all and --genes all")
			f.Offset()
			f.Rare("genes")
			silentFlag(f)
			var forms []charts.Data
			for _, k := range comparisons {
				forms = append(forms, k.forms...)
			}
			chartFlags(f, append(forms, charts.Tests{})...)
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study compare -s synthetic_demo -g TP53 --type expression --target EGFR",
				Explanation: "a gene's expression with and without a mutation of another",
			},
			{
				Line:        "biomcp study compare -s synthetic_demo -g TP53 --type mutations --genes all --csv",
				Explanation: "a test of how often each gene is mutated then, as a table",
			},
			{
				Line:        "biomcp study compare -s synthetic_demo -g TP53 --all --chart volcano",
				Explanation: "every attribute and gene, in samples with and without a mutation",
			},
			{
				Line:        "biomcp study compare -s synthetic_demo --by SEX --type clinical --target AGE",
				Explanation: "an attribute between the categories of another",
			},
		},
		Run: runCompare, Check: checkCompare, Synonyms: []string{"comparison", "diff", "difference"},
		Variants: []command.Variant{
			{
				Names: []string{"scatter", "plot"},
				Flags: []string{"--chart", "scatter"},
			},
			{
				Names: []string{"enrichment", "mutation-enrichment"},
				Flags: []string{"--type", "mutations", "--genes", "all"},
			},
			{
				Names: []string{
					"expression-enrichment", "mrna-enrichment", "differential-expression", "diff-expression",
					"differentially-expressed",
				},
				Flags: []string{"--type", "expression", "--genes", "all"},
			},
			{
				Names: []string{
					"group-comparison", "compare-groups", "compare-all", "genomic-alterations", "alteration-enrichment",
					"clinical-enrichment", "clinical-comparison",
				},
				Flags: []string{"--all"},
			},
			{Names: []string{"volcano"}, Flags: []string{"--all", "--chart", "volcano"}},
		},
		ArgFlags: studyPlaces(
			command.ArgFlag{Flag: "type", Accepts: oneOf("expression mutations clinical")},
			command.ArgFlag{Flag: "gene"}, command.ArgFlag{Flag: "target"},
		),
	}
}

// comparisons lists the types of study compare.
var comparisons = []struct {
	name  string
	forms []charts.Data // data for charts
	all   bool          // supports --genes all
	run   func(c *comparison) (*result.Result, error)
}{
	{"expression", []charts.Data{charts.Samples{}, charts.Pairs{}}, true, compareExpression},
	{"mutations", []charts.Data{charts.Rates{}, charts.Table{}}, true, compareMutations},
	{"clinical", []charts.Data{charts.Samples{}, charts.Table{}}, false, compareClinical},
}

// A comparison holds what to compare and the groups to compare.
type comparison struct {
	in           *command.Input
	s            *study.Study
	r            *result.Result
	draw         *drawing
	samples      *study.Samples
	groupBy      string   // gene or attribute that defines the groups
	groupName    string   // display name of the attribute that defines the groups; "" for a gene
	groupsByGene bool     // by is a gene
	geneNames    []string // names of the gene in the mutation file
	names        []string
	patient      []int // by patient: index in names, negative if none
	sample       []int // by sample: index in names, -1 if none

	unmutatedNotice string         // notice about unmutated samples of mutant patients
	ungroupedReason string         // why a sample or patient has no group
	conflictReason  string         // why a patient whose samples are in several groups is excluded
	otherReasons    []string       // why a sample or patient with -3, -4, ... has no group
	sampleGroups    []groupSummary // set if --group defines the groups
}

// A question describes what was compared, in every answer about one target.
type question struct {
	Study     string `json:"study_id"`
	Stratify  string `json:"stratify_gene"`
	GroupBy   string `json:"by"`
	Target    string `json:"target_gene"`
	Attribute string `json:"target_attribute"`

	Excluded exclusions `json:"excluded"`

	SampleGroups []groupSummary `json:"sample_groups,omitempty"` // of --group

	heading string
}

func (c *comparison) question(heading string) question {
	q := question{Study: c.s.ID, GroupBy: c.groupBy, heading: heading, SampleGroups: c.sampleGroups}
	if c.groupsByGene {
		q.Stratify, q.GroupBy = c.groupBy, "mutation"
	}
	return q
}

// head returns the heading of the answer and what was compared.
func (q question) head() result.Doc {
	divided, target := "Stratify gene: "+q.Stratify, "Target gene: "+q.Target
	if q.Stratify == "" {
		divided = "By: " + q.GroupBy
	}
	if q.Attribute != "" {
		target = "Target attribute: " + q.Attribute
	}
	return addGroups(result.Doc{
		result.Heading{Level: 1, Text: "Study Group Comparison: " + q.heading},
		result.Para{Text: divided + " | " + target + " | Study: " + q.Study},
	}, q.SampleGroups)
}

func runCompare(_ context.Context, in *command.Input) (*result.Result, error) {
	word, all := strings.ToLower(strings.TrimSpace(in.String("type"))), oneOf("all everything")
	switch {
	case in.Bool("all"):
		return runCompareAll(in)
	case all(word) || all(in.String("target")):
		return nil, result.Invalid("--type takes one kind of data and --target one gene; --all compares everything",
			in.LineWith("--type", "", "--target", "", "--all", "true")...)
	}
	var names []string
	for _, k := range comparisons {
		names = append(names, k.name)
		if word != k.name && word != strings.TrimSuffix(k.name, "s") && !(k.name == "expression" && word == "expr") {
			continue
		}
		what, forms := "study compare --type "+k.name, k.forms
		unused := in.RejectUnused("requires --genes all", "limit", "offset")
		if in.String("genes") == "all" {
			if !k.all {
				return nil, result.Invalid("--genes all compares mutations or expression",
					in.LineWith("--type", "mutations")...)
			}
			what, forms = what+" --genes all", []charts.Data{charts.Tests{}}
			unused = in.RejectUnused("cannot be used with --genes all", "target")
		} else if strings.TrimSpace(in.String("target")) == "" {
			return nil, noTarget(in, k.all)
		}
		if unused != nil {
			return nil, unused
		}
		draw, err := parseDrawing(in, what, forms...)
		if err != nil {
			return nil, err
		}
		c, err := newComparison(in, draw)
		if err != nil {
			return nil, err
		}
		if !c.groupsByGene && k.name != "mutations" {
			if err := in.RejectUnused("requires --gene or --type mutations", "include-silent"); err != nil {
				return nil, err
			}
		}
		if len(c.names) != 2 && in.String("genes") == "all" {
			message := fmt.Sprintf("--genes all compares two groups; %s makes %d; --all compares any number",
				c.groupBy, len(c.names))
			return nil, result.Invalid(message, in.LineWith("--genes", "", "--type", "", "--all", "true")...)
		}
		r, err := k.run(c)
		if err == nil {
			addNotices(r, c.s)
		}
		return r, err
	}
	return nil, invalidValue(in, "type", word, names, "")
}

// checkCompare implements Command.Check. It requires groups and something to compare.
func checkCompare(in *command.Input) error {
	if err := checkGrouping(in); err != nil {
		return err
	}
	target, clinical := in.String("target"), strings.EqualFold(in.String("type"), "clinical")
	switch {
	case !in.Given("gene") && !in.Given("by") && !hasGroups(in):
		return noGroups()
	case in.Bool("all"):
		return rejectWithAll(in)
	case in.String("genes") != "all" && target == "":
		return noTarget(in, !clinical)
	case target != "" && !clinical:
		return checkGene(in, strings.TrimSpace(target))
	}
	return nil
}

func noGroups() error {
	return result.Invalid("--gene is missing, or --by with a clinical attribute, or --group", "study", "compare", "--help")
}

// noTarget returns the error for a comparison without --target.
func noTarget(in *command.Input, allGenes bool) error {
	return result.Invalid("--target names what is compared: a gene, or an attribute with --type clinical"+
		"; --genes all compares every gene, --all everything", withTarget(in, allGenes)...)
}

// withTarget returns the line to suggest if --target is missing: --genes all for a given type of data and two
// groups, --all without a type.
func withTarget(in *command.Input, allGenes bool) result.Argv {
	by, g := in.String("by"), in.String("gene")
	if by != "" && g != "" {
		return in.LineWith("--gene", "", "--target", g)
	}
	if (by+g != "" || hasGroups(in)) && allGenes && (!in.Given("chart") || in.String("chart") == "volcano") {
		switch c, err := newComparison(in, nil); {
		case err == nil && len(c.names) == 2 && in.Given("type"):
			return in.LineWith("--genes", "all")
		case err == nil && (len(c.names) == 2 || !in.Given("chart")):
			return in.LineWith("--type", "", "--all", "true")
		}
	}
	if by+g != "" && in.String("study") != "" && strings.EqualFold(in.String("type"), "clinical") {
		return lineOf(in, "summary") // lists the attributes
	}
	return result.Argv{"study", "compare", "--help"}
}

func newComparison(in *command.Input, draw *drawing) (*comparison, error) {
	by, g := strings.TrimSpace(in.String("by")), strings.TrimSpace(in.String("gene"))
	switch {
	case hasGroups(in):
	case by != "" && g != "":
		return nil, result.Invalid("--gene cannot be used with --by: both define the groups", in.LineWith("--by", "")...)
	case by == "" && g == "":
		return nil, noGroups()
	case g != "":
		var err error
		if g, err = gene(in, "gene"); err != nil {
			return nil, err
		}
	}
	s, err := open(in)
	if err != nil {
		return nil, err
	}
	c := &comparison{in: in, s: s, r: &result.Result{}, draw: draw, groupBy: g, groupsByGene: g != ""}
	if c.samples, err = s.Samples(); err != nil {
		return nil, err
	}
	if hasGroups(in) {
		return c, c.groupByExpression()
	}
	if g := mutatedGene(s, by); by != "" && g != "" {
		c.groupBy, c.groupsByGene = g, true
		noteByGene(c.r, g)
	}
	if c.groupsByGene {
		return c, c.groupByGene(c.groupBy)
	}
	return c, c.groupByAttribute(by)
}

// groupByGene groups samples and patients into mutant and wild type. A sample that was not profiled
// for the gene has no group.
func (c *comparison) groupByGene(g string) error {
	m, err := mutationsOf(c.in, c.s, "gene", g)
	if err != nil {
		return err
	}
	noteMutations(c.r, c.s, m)
	groups := m.GroupByMutation()
	c.geneNames = m.Names
	n := 0
	c.names, c.patient, c.sample = groups.Names, groups.Group, make([]int, len(c.samples.IDs))
	for i, of := range c.samples.PatientOf {
		if c.sample[i] = groups.Group[of]; !m.Profiled.Included[i] {
			c.sample[i] = -1
		}
		n += b2i(c.sample[i] == mutant)
	}
	c.unmutatedNotice, c.ungroupedReason = unmutatedNotice(m, n), notProfiled("mutations of "+g, m.Profiled).reason
	return nil
}

// groupByExpression groups samples and patients by --group.
func (c *comparison) groupByExpression() error {
	g, err := groupsOf(c.in, c.s, c.r, true)
	if err != nil {
		return err
	}
	c.groupBy, c.groupName, c.names, c.sample, c.patient = "group", "Group", g.names(), g.of, g.patients().Group
	c.ungroupedReason, c.conflictReason, c.otherReasons, c.sampleGroups = noGroup, severalGroups, g.reasons, g.list
	return nil
}

func (c *comparison) groupByAttribute(id string) error {
	a, err := attributeOf(c.in, c.s, "by", id)
	if err != nil {
		return err
	}
	v, err := c.s.Values(a)
	if err != nil {
		return err
	}
	c.groupBy, c.groupName = a.ID, a.Name
	all, places := study.Categories(slices.Concat(v[0].Sample, v[0].Patient))
	if len(all) < 2 || len(all) > mostGroups {
		message := fmt.Sprintf("%s has %s; 2 to %d can be compared",
			a.ID, english.Plural(len(all), "category", ""), mostGroups)
		return result.Invalid(message, "study", "summary", "--study", c.s.ID)
	}
	c.names, c.sample, c.patient = all, places[:len(v[0].Sample)], places[len(v[0].Sample):]
	groups, err := c.s.GroupByAttribute(a)
	if a.Data == study.SampleAttributes {
		c.patient = groups.Group
	}
	c.ungroupedReason, c.conflictReason = groups.Reason, groups.Conflict
	return err
}

// split returns the values of each group, for those with a group and a value.
func (c *comparison) split(of []int, values []float64, has func(i int) bool) [][]float64 {
	groups := make([][]float64, len(c.names))
	for i, v := range values {
		if of[i] >= 0 && has(i) {
			groups[of[i]] = append(groups[of[i]], v)
		}
	}
	return groups
}

// finish draws the chart, writes the file of --rows and returns the answer.
func (c *comparison) finish(p *picture, data charts.Data, unit string, columns ...column) (*result.Result, error) {
	var err error
	if *p, err = c.draw.draw(c.r, data); err == nil {
		err = c.writeValues(unit, columns...)
	}
	return c.r, err
}

// chartSamples returns the values of the groups for a chart.
func (c *comparison) chartSamples(groups [][]float64, labels charts.Labels) charts.Samples {
	d := charts.Samples{Labels: labels}
	for i, g := range groups {
		d.Groups = append(d.Groups, charts.Sample{Name: c.names[i], Values: g})
	}
	return d
}

// status names the gene's status or the attribute that defines the groups, for the title of a
// chart.
func (c *comparison) status() string {
	if c.groupsByGene {
		return c.groupBy + " status"
	}
	return c.groupName
}

// groupLabel returns the label of the groups in a chart.
func (c *comparison) groupLabel() string { return cmp.Or(c.groupName, "Group") }
