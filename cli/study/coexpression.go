package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize/english"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// A coexpression is the answer for the correlation of one gene with every gene of an expression profile.
type coexpression struct {
	Study       string        `json:"study_id"`
	Gene        string        `json:"gene"`
	File        string        `json:"file"`
	Unit        string        `json:"unit"`
	Denominator denominator   `json:"denominator"` // samples with a value of the gene
	Tested      int           `json:"tested_genes"`
	Untested    int           `json:"untested_genes"`   // genes that are constant, or share fewer than three samples
	Incomplete  int           `json:"incomplete_genes"` // tested genes that lack a value in some of the samples
	Rows        []coexpressed `json:"rows"`

	picture
	all        []coexpressed
	shownRange string
}

// A coexpressed is the correlation of one gene with the requested one.
type coexpressed struct {
	Gene string `json:"gene"`
	N    int    `json:"n"` // samples with a value of both genes
	Rho  num    `json:"rho"`
	P    prob   `json:"p_value"`
	LogP log10  `json:"log10_p_value"`
	Q    prob   `json:"q"` // Benjamini-Hochberg, over the tested genes
	LogQ log10  `json:"log10_q"`
}

// coexpressionForms lists the forms of data for charts: of every gene, and of two genes.
var coexpressionForms = []charts.Data{charts.Tests{}, charts.Pairs{}}

func coexpressionCommand() *command.Command {
	return &command.Command{
		Use:   "coexpression --study <id> --gene <gene>",
		Short: "Correlate the expression of genes", Effect: command.Reads,
		Help: command.Help{
			Output: "One gene: Spearman's rho with every gene of the expression profile, p, and q over the genes " +
				"(Benjamini-Hochberg), the strongest first. Two genes with a comma: Spearman's and Pearson's " +
				"correlation of all samples and of those with a mutation of one, the other, both and none.",
			Surprises: "Ties have middle ranks; p comes from t with n - 2 degrees of freedom, as in R's cor.test with " +
				"exact = FALSE. A pair of genes counts the samples with a value of both. Two genes: a sample " +
				"counts as not profiled unless both genes were sequenced.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			geneFlag(f, "gene symbol, or two with a comma")
			f.String("target", "", "second gene, instead of a comma")
			f.AddSynonyms("gene", "x")
			f.AddSynonyms("target", "y")
			f.Rare("target")
			silentFlag(f)
			f.LimitP("l", 20, 500, "maximum number of genes correlated with one gene")
			f.Offset()
			chartFlags(f, coexpressionForms...)
		},
		Examples: []command.Example{
			{
				Line:        "biomcp study coexpression -s synthetic_demo -g ERBB2 --limit 10",
				Explanation: "the genes whose expression rises or falls most with that of ERBB2",
			},
			{
				Line:        "biomcp study coexpression -s synthetic_demo -g TP53,MDM2 --chart scatter",
				Explanation: "two genes, with the mutated samples marked",
			},
		},
		Run: runCoexpression, Check: checkGenes("gene"),
		Synonyms: []string{
			"co-expression", "coexpressed", "co-expressed", "correlation", "correlate", "correlated", "spearman",
		},
		ArgFlags: studyPlaces(command.ArgFlag{Flag: "gene", Separator: ","}),
	}
}

func runCoexpression(_ context.Context, in *command.Input) (*result.Result, error) {
	list, err := coexpressionGenes(in)
	if err != nil {
		return nil, err
	}
	if len(list) == 2 {
		return runCoexpressionPair(in, list[0], list[1])
	}
	if err := in.RejectUnused("requires two genes", "include-silent"); err != nil {
		return nil, err
	}
	draw, err := parseDrawing(in, "study coexpression of one gene", charts.Tests{})
	if err != nil {
		return nil, err
	}
	s, limit, r, err := openLimited(in)
	if err != nil {
		return nil, err
	}
	p, err := expression(s)
	if err != nil {
		return nil, err
	}
	v, err := geneValues(in, s, p, "gene", list[0])
	if err != nil {
		return nil, err
	}
	a := &coexpression{
		Study: s.ID, Gene: v.Gene, File: v.Profile.File, Unit: unitOf(v.Profile), Denominator: denominatorOf(v.Profiled),
	}
	noteValues(r, s, v)
	has := func(i int) bool { return v.Profiled.Included[i] }
	noteRepeatedSamples(r, countRepeatedPatients(v.Profiled.Samples, has), "")
	if err := a.correlate(s, v); err != nil {
		return nil, err
	}
	from, to, shown, err := page(in, r, limit, len(a.all))
	if err != nil {
		return nil, err
	}
	a.Tested, a.Rows, a.shownRange = len(a.all), a.all[from:to], shown
	r.Payload = a
	if len(a.Rows) > 0 {
		genes := a.Gene + "," + a.Rows[0].Gene
		pair := result.Argv{"study", "coexpression", "--study", s.ID, "--gene", genes, "--chart", "scatter"}
		r.Next = append([]result.Argv{pair}, r.Next...)
	}
	noteExactOrder(r, a.Rows)
	if a.picture, err = draw.draw(r, a.chartData()); err != nil || !wantsRows(in) {
		return r, err
	}
	columns, err := a.columns(s, v)
	if err != nil {
		return nil, err
	}
	return r, writeSamples(in, r, s, false, columns...)
}

// coexpressionGenes returns the one or two genes of --gene and --target.
func coexpressionGenes(in *command.Input) ([]string, error) {
	list, err := genes(in, "gene")
	if err != nil {
		return nil, err
	}
	if in.Given("target") {
		second, err := gene(in, "target")
		if err != nil {
			return nil, err
		}
		list = append(list, second)
	}
	isRepeated := len(list) == 2 && list[0] == list[1] || len(list) == 1 && len(words(in.String("gene"))) > 1
	switch {
	case isRepeated:
		return nil, result.Invalid("the two genes are the same", in.LineWith("--gene", list[0], "--target", "")...)
	case len(list) == 0:
		return nil, result.Invalid("--gene is missing", "study", "coexpression", "--help")
	case len(list) > 2:
		return nil, result.Invalid("--gene takes one gene, or two with a comma",
			in.LineWith("--gene", strings.Join(list[:2], ","), "--target", "")...)
	}
	return list, nil
}

// columns returns the values of the gene and of each shown gene for the file of --rows.
func (a *coexpression) columns(s *study.Study, v *study.GeneValues) ([]column, error) {
	columns := []column{valueOf(v.Gene, v.Values, v.Profiled.Included)}
	for _, row := range a.Rows {
		o, err := s.GeneValues(v.Profile, row.Gene)
		if err != nil {
			return nil, err
		}
		columns = append(columns, valueOf(row.Gene, o.Values, o.Profiled.Included))
	}
	return columns, nil
}

// correlate correlates the gene with every other gene of its table, the strongest correlation first.
func (a *coexpression) correlate(s *study.Study, v *study.GeneValues) error {
	matrix, err := s.Matrix(v.Profile)
	if err != nil {
		return err
	}
	ranked := stats.NewRankedSample(v.Values)
	var one sync.Mutex
	err = matrix.Rows(func(gene string, values []float64) error {
		if gene == v.Row {
			return nil
		}
		c, err := ranked.Spearman(values)
		one.Lock()
		defer one.Unlock()
		if errors.Is(err, stats.ErrEmpty) || errors.Is(err, stats.ErrConstant) {
			a.Untested++
			return nil
		}
		if err != nil {
			return err
		}
		row := coexpressed{Gene: gene, N: c.N, Rho: num(c.Rho)}
		row.P, row.LogP = probOf(c.P, c.LogP)
		a.all = append(a.all, row)
		a.Incomplete += b2i(c.N < v.Profiled.N)
		return nil
	})
	if err != nil {
		return err
	}
	for i, q := range falseDiscovery(a.all, func(c coexpressed) prob { return c.P }) {
		a.all[i].Q, a.all[i].LogQ = probOf(math.Exp(q), q)
	}
	slices.SortFunc(a.all, func(x, y coexpressed) int {
		return cmp.Or(cmp.Compare(math.Abs(float64(y.Rho)), math.Abs(float64(x.Rho))), strings.Compare(x.Gene, y.Gene))
	})
	return nil
}

// falseDiscovery returns the logarithms of the q-values of rows with p-values, NaN if p is unknown.
func falseDiscovery[T any](rows []T, p func(T) prob) []float64 {
	return stats.FalseDiscovery(result.Map(rows, func(row T) float64 {
		if v := p(row); v.known {
			return v.log
		}
		return math.NaN()
	}))
}

// noteExactOrder adds a notice about shown genes without a p-value.
func noteExactOrder(r *result.Result, rows []coexpressed) {
	exact := slices.DeleteFunc(slices.Clone(rows), func(c coexpressed) bool { return c.P.known })
	if len(exact) > 0 {
		names := result.Map(exact, func(c coexpressed) string { return c.Gene })
		r.Notice("no p-value of " + strings.Join(names[:min(5, len(names))], ", ") + moreThan(len(names), 5) +
			": the samples have the same or the opposite order")
	}
}

func (a *coexpression) chartData() charts.Tests {
	d := charts.Tests{Labels: charts.Labels{
		Title: "Genes co-expressed with " + a.Gene + " (" + a.Study + ")", Value: "Spearman's rho with " + a.Gene,
		Subtitle: fmt.Sprintf("%s, %s", a.Denominator.size(), english.Plural(a.Tested, "gene", "")),
	}}
	d.List = result.Map(a.all, func(c coexpressed) charts.Test {
		t := charts.Test{Name: c.Gene, Effect: float64(c.Rho), Log10Q: math.NaN()}
		if c.Q.known {
			t.Log10Q = c.LogQ.value()
		}
		return t
	})
	return d
}

func (a *coexpression) Doc() result.Doc {
	t := result.Table{Columns: result.Columns("Gene", ">N", ">Spearman rho", ">p-value", ">q-value")}
	for _, c := range a.Rows {
		t.Rows = append(t.Rows, []string{c.Gene, count(c.N), c.Rho.fixed(3), c.P.text(), c.Q.text()})
	}
	lacking := ""
	if a.Incomplete > 0 {
		lacking = fmt.Sprintf("; %s no value in some of these samples, which that pair leaves out (N)",
			english.Plural(a.Incomplete, "gene has", "genes have"))
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Co-expression: " + a.Gene + " (" + a.Study + ")"},
		result.Para{Text: fmt.Sprintf("%s tested%s, %d not testable; q by Benjamini and Hochberg",
			english.Plural(a.Tested, "gene", ""), a.shownRange, a.Untested)},
	}
	if len(t.Rows) > 0 {
		doc = append(doc, t)
	}
	return a.add(append(doc,
		result.Para{Text: "Samples with a value of " + a.Gene + ": " + a.Denominator.text() + lacking},
		result.Para{Text: "Unit: " + a.Unit + ", from " + a.File}))
}
