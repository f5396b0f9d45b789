package study

import (
	"cmp"
	"math"
	"strconv"

	"github.com/dustin/go-humanize/english"

	"biomcp/charts"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// copyNumber holds the distribution of a gene's copy number.
type copyNumber struct {
	Study         string      `json:"study_id"`
	Gene          string      `json:"gene"`
	Total         int         `json:"total_samples"`
	Deep          int         `json:"deep_deletion"`
	Shallow       int         `json:"shallow_deletion"`
	Diploid       int         `json:"diploid"`
	Gain          int         `json:"gain"`
	Amplification int         `json:"amplification"`
	Denominator   denominator `json:"denominator"`
}

func (c copyNumber) buckets() []charts.Value {
	return []charts.Value{
		{Name: "Deep Del", Value: float64(c.Deep)}, {Name: "Shallow Del", Value: float64(c.Shallow)},
		{Name: "Diploid", Value: float64(c.Diploid)}, {Name: "Gain", Value: float64(c.Gain)},
		{Name: "Amplification", Value: float64(c.Amplification)},
	}
}

// discrete returns the copy-number profile with whole numbers from -2 to 2.
func discrete(s *study.Study) (study.Profile, error) {
	p, ok := s.Profile(study.CopyNumber, "DISCRETE", "DISCRETE_LONG")
	if !ok || p.Datatype != "" && p.Datatype != "DISCRETE" && p.Datatype != "DISCRETE_LONG" {
		return p, result.Missing(s.ID+" has no discrete copy number data (-2 to 2)",
			"study", "summary", "--study", s.ID)
	}
	return p, nil
}

func runCopyNumber(q *queryParams) (*result.Result, error) {
	r := &result.Result{}
	p, err := discrete(q.study)
	if err != nil {
		return nil, err
	}
	var rows []copyNumber
	var unknown error
	for _, name := range q.genes {
		v, err := geneValues(q.in, q.study, p, "gene", name)
		if skipGene(r, q.genes, err) {
			unknown = cmp.Or(unknown, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		c := copyNumber{Study: q.study.ID, Gene: v.Gene, Denominator: denominatorOf(v.Profiled)}
		other := 0
		states := []*int{&c.Deep, &c.Shallow, &c.Diploid, &c.Gain, &c.Amplification}
		for _, x := range v.Values {
			if at := study.State(x); at >= 0 {
				*states[at]++
			} else if !math.IsNaN(x) {
				other++
			}
		}
		c.Total = c.Deep + c.Shallow + c.Diploid + c.Gain + c.Amplification
		if other > 0 {
			r.Notice(english.Plural(other, "value", "") + " of " + c.Gene +
				" not counted: not a copy-number state (-2 to 2)")
		}
		noteValues(r, q.study, v)
		q.columns = append(q.columns, valueOf(v.Gene, v.Values, v.Profiled.Included))
		rows = append(rows, c)
	}
	if len(rows) == 0 {
		return nil, unknown
	}
	a := newAnswer("cna_distribution", rows, copyNumberDoc)
	r.Payload = a
	r.Next = survivalOf(q.study, rows[0].Gene, "--by", "cna")
	labels := charts.Labels{
		Title: rows[0].Gene + " CNA distribution (" + rows[0].Study + ")", Subtitle: rows[0].Denominator.size(), Group: "Bucket",
		Value: "Count",
	}
	a.picture, err = q.draw.draw(r, charts.Parts{Labels: labels, List: rows[0].buckets()})
	return r, err
}

func copyNumberDoc(rows []copyNumber) result.Doc {
	if len(rows) > 1 {
		t := result.Table{
			Columns: result.Columns("Gene", ">Deep Del", ">Shallow Del", ">Diploid", ">Gain", ">Amplification",
				">Total"),
		}
		names := make([]string, len(rows))
		for i, c := range rows {
			names[i] = c.Gene
			t.Rows = append(t.Rows, []string{
				c.Gene, count(c.Deep), count(c.Shallow), count(c.Diploid), count(c.Gain), count(c.Amplification),
				count(c.Total),
			})
		}
		return result.Doc{title("CNA Distribution", rows[0].Study, names...), t}
	}
	c := rows[0]
	return result.Doc{
		title("CNA Distribution", c.Study, c.Gene),
		result.Table{Columns: result.Columns("Bucket", ">Count"), Rows: [][]string{
			{"Deep deletion (-2)", count(c.Deep)}, {"Shallow deletion (-1)", count(c.Shallow)},
			{"Diploid (0)", count(c.Diploid)},
			{"Gain (1)", count(c.Gain)}, {"Amplification (2)", count(c.Amplification)},
			{"Total samples", count(c.Total)},
		}},
		result.Para{Text: "Denominator: " + c.Denominator.text()},
	}
}

// A distribution describes a gene's expression.
type distribution struct {
	Study   string `json:"study_id"`
	Gene    string `json:"gene"`
	File    string `json:"file"`
	Unit    string `json:"unit"`
	Samples int    `json:"sample_count"`
	spread
	Denominator denominator `json:"denominator"`

	values []float64
}

// expression returns the expression profile, preferring z-scores.
func expression(s *study.Study) (study.Profile, error) {
	p, ok := s.Profile(study.Expression, "Z-SCORE", "LOG2-VALUE", "CONTINUOUS")
	if !ok {
		return p, result.Missing(s.ID+" has no expression data", "study", "summary", "--study", s.ID)
	}
	return p, nil
}

// unitOf returns the unit of an expression profile's values.
func unitOf(p study.Profile) string {
	switch p.Datatype {
	case "Z-SCORE":
		return "z-score"
	case "LOG2-VALUE":
		return "log2 value"
	}
	return "value as in the file"
}

func describe(s *study.Study, v *study.GeneValues) distribution {
	d := stats.Describe(v.Values)
	return distribution{
		Study: s.ID, Gene: v.Gene, File: v.Profile.File, Unit: unitOf(v.Profile), Samples: d.N, spread: spreadOf(d),
		Denominator: denominatorOf(v.Profiled), values: v.Values,
	}
}

func runExpression(q *queryParams) (*result.Result, error) {
	r := &result.Result{}
	p, err := expression(q.study)
	if err != nil {
		return nil, err
	}
	var rows []distribution
	var unknown error
	for _, name := range q.genes {
		v, err := geneValues(q.in, q.study, p, "gene", name)
		if skipGene(r, q.genes, err) {
			unknown = cmp.Or(unknown, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		noteValues(r, q.study, v)
		q.columns = append(q.columns, valueOf(v.Gene, v.Values, v.Profiled.Included))
		rows = append(rows, describe(q.study, v))
	}
	if len(rows) == 0 {
		return nil, unknown
	}
	a := newAnswer("expression_distribution", rows, expressionDoc)
	r.Payload = a
	r.Next = survivalOf(q.study, rows[0].Gene, "--by", "expression", "--quantiles", "2")
	d := rows[0]
	labels := charts.Labels{
		Title: d.Gene + " expression " + q.draw.kind + " (" + d.Study + ")", Subtitle: d.Denominator.size(),
		Value: "Expression (" + d.Unit + ")",
	}
	a.picture, err = q.draw.draw(r, charts.Distribution{Labels: labels, Values: d.values})
	return r, err
}

func expressionDoc(rows []distribution) result.Doc {
	if len(rows) > 1 {
		t := result.Table{Columns: result.Columns("Gene", ">Samples", ">Mean", ">Median", ">Min", ">Q1", ">Q3", ">Max")}
		names := make([]string, len(rows))
		for i, d := range rows {
			names[i] = d.Gene
			t.Rows = append(t.Rows, []string{
				d.Gene, count(d.Samples), d.Mean.fixed(3), d.Median.fixed(3),
				d.Min.fixed(3), d.Q1.fixed(3), d.Q3.fixed(3), d.Max.fixed(3),
			})
		}
		return result.Doc{
			title("Expression Distribution", rows[0].Study, names...), t,
			result.Para{Text: "Unit: " + rows[0].Unit + ", from " + rows[0].File},
		}
	}
	d := rows[0]
	return result.Doc{
		title("Expression Distribution", d.Study, d.Gene),
		result.Table{Columns: result.Columns("Metric", ">Value"), Rows: [][]string{
			{"File", d.File}, {"Unit", d.Unit}, {"Sample count", count(d.Samples)}, {"Mean", d.Mean.fixed(6)},
			{"Median", d.Median.fixed(6)},
			{"Min", d.Min.fixed(6)}, {"Max", d.Max.fixed(6)}, {"Q1", d.Q1.fixed(6)}, {"Q3", d.Q3.fixed(6)},
		}},
		result.Para{Text: "Denominator: " + d.Denominator.text()},
	}
}

// fusions holds the structural variants of a gene.
type fusions struct {
	Study       string      `json:"study_id"`
	Gene        string      `json:"gene"`
	Samples     int         `json:"unique_samples"`
	Frequency   num         `json:"frequency"`
	Low         num         `json:"low"`
	High        num         `json:"high"`
	Reason      *string     `json:"frequency_reason"` // why there is no frequency; null if there is one
	Denominator denominator `json:"denominator"`
	Rows        []fusion    `json:"rows"`
}

var unlistedReason = "no list says which samples were examined for structural variants"

// readCount parses a number of reads. It returns nil if the field is blank or not a number.
func readCount(field string) *int {
	n, err := strconv.Atoi(field)
	if err != nil {
		return nil
	}
	return &n
}

// reads formats a number of reads.
func reads(n *int) string {
	if n == nil {
		return "-"
	}
	return count(*n)
}

type fusion struct {
	Sample string `json:"sample_id"`
	Site1  string `json:"site1_gene"`
	Site2  string `json:"site2_gene"`
	Frame  string `json:"frame_effect"`
	Tumor  *int   `json:"tumor_split_read_count"` // null if unknown
	Normal *int   `json:"normal_split_read_count"`
	Event  string `json:"event_info"`
}

func runStructural(q *queryParams) (*result.Result, error) {
	r := &result.Result{}
	var rows []fusions
	var unknown error
	for _, name := range q.genes {
		list, on, left, err := q.study.StructuralVariants(name)
		if len(list)+left.NotProfiled+left.UnknownSample == 0 && err == nil {
			err = checkGeneKnown(q.in, q.study, "gene", name)
		}
		if skipGene(r, q.genes, err) {
			unknown = cmp.Or(unknown, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		f := fusions{Study: q.study.ID, Gene: name, Denominator: denominatorOf(on)}
		seen := make([]bool, len(on.Included))
		for _, v := range list {
			seen[v.Sample] = true
			f.Rows = append(f.Rows, fusion{
				on.Samples.IDs[v.Sample], v.Site1, v.Site2, v.Frame, readCount(v.TumorSplitReads),
				readCount(v.NormalSplitReads), v.Event,
			})
		}
		f.Samples = tallyOf(seen)
		tested := on.Included
		if on.Unlisted { // a sample without a variant may not have been examined
			tested, f.Denominator.N = seen, 0
			f.Frequency, f.Low, f.High, f.Reason = nan, nan, nan, &unlistedReason
		} else {
			share := stats.Proportion(f.Samples, on.N)
			f.Frequency, f.Low, f.High = num(share.Estimate), num(share.Low), num(share.High)
		}
		q.columns = append(q.columns, flagOf(name, seen, tested))
		noteRows(r, q.study, " of "+name, left)
		addNotices(r, q.study, on.Notices)
		rows = append(rows, f)
	}
	if len(rows) == 0 {
		return nil, unknown
	}
	r.Payload = newAnswer("structural_variants", rows, fusionDoc)
	return r, nil
}

func fusionDoc(rows []fusions) result.Doc {
	var doc result.Doc
	for _, f := range rows {
		of := " of " + f.Denominator.text() + ": " + rate(f.Frequency, f.Low, f.High)
		if f.Reason != nil {
			of = " with a structural variant; no rate, because " + *f.Reason
		}
		doc = append(doc, title("Structural Variants", f.Study, f.Gene),
			result.Para{Text: english.Plural(f.Samples, "sample", "") + of})
		if len(f.Rows) == 0 {
			continue
		}
		fusionRows := result.Map(f.Rows, func(v fusion) []string {
			split := "tumor " + reads(v.Tumor) + "/normal " + reads(v.Normal)
			return []string{v.Sample, v.Site1, v.Site2, v.Frame, split, v.Event}
		})
		columns := result.Columns("Sample", "Site 1 Gene", "Site 2 Gene", "Frame/Effect", "Split Reads", "Event Info")
		doc = append(doc, result.Table{Columns: columns, Rows: fusionRows})
	}
	return doc
}
