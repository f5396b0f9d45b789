package study

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/charts"
	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
)

// kinds lists the data types of study query with their synonyms and the forms of data for
// charts.
var kinds = []kind{
	{"mutations", "mutation", []charts.Data{charts.Parts{}, charts.SampleValues{}, charts.Positions{}}, runMutations},
	{"cna", "copy-number", []charts.Data{charts.Parts{}}, runCopyNumber},
	{"expression", "expr", []charts.Data{charts.Distribution{}}, runExpression},
	{"sv", "fusion structural-variant", nil, runStructural},
}

type kind struct {
	name, synonyms string
	forms          []charts.Data
	run            func(q *queryParams) (*result.Result, error)
}

func query() *command.Command {
	return &command.Command{
		Use: "query --study <id> --gene <gene>", Short: "Show how a gene is altered or expressed", Effect: command.Reads,
		Help: command.Help{
			Output: "How often the gene is altered in the samples profiled for it, with the commonest classes " +
				"and changes; or the distribution of its values. Several genes, separated by commas, are " +
				"one table.",
			Surprises: "The rate refers to the samples profiled for the gene according to the study's case lists " +
				"and panels, not to all samples.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			geneFlag(f, "gene symbol, or several with commas")
			f.StringP("type", "t", "mutations", "`mutations|cna|expression|sv`: which data")
			f.AddSynonyms("type", "data", "data-type")
			silentFlag(f)
			var forms []charts.Data
			for _, k := range kinds {
				forms = append(forms, k.forms...)
			}
			chartFlags(f, forms...)
		},
		Examples: []command.Example{
			{Line: "biomcp study query -s synthetic_demo -g TP53", Explanation: "how often a gene is mutated, and how"},
			{
				Line:        "biomcp study query -s synthetic_demo -g TP53 --chart lollipop -o tp53.svg",
				Explanation: "the changed positions of the protein",
			},
			{
				Line:        "biomcp study query -s synthetic_demo -g TP53,KRAS,EGFR --csv",
				Explanation: "several genes, as a table for a spreadsheet",
			},
		},
		Run: runQuery, Check: checkQuery,
		Synonyms: []string{"mutation", "frequency", "gene", "alterations"},
		Variants: []command.Variant{
			{Names: []string{"lollipop"}, Flags: []string{"--chart", "lollipop"}},
			{Names: []string{"expression"}, Flags: []string{"--type", "expression"}},
		},
		ArgFlags: studyPlaces(command.ArgFlag{Flag: "type", Accepts: isKind}, command.ArgFlag{Flag: "gene", Separator: ","}),
	}
}

// checkQuery implements Command.Check. Without a gene, it suggests the table of the mutated genes.
func checkQuery(in *command.Input) error {
	if err := requireFlags("study")(in); err != nil {
		return err
	}
	if !in.Given("gene") && isKind(in.String("type")) {
		return noGene(in)
	}
	return checkGenes("gene")(in)
}

// noGene returns the error for a missing gene. It suggests the table of all genes, except for expression.
func noGene(in *command.Input) error {
	word := in.String("type")
	for _, k := range kinds {
		if (k.name == "cna" || k.name == "sv") && k.named(word) {
			return anotherCommand("--gene is missing; study top-altered ranks the altered genes of a study",
				lineOf(in, "top-altered", "--type", k.name))
		}
	}
	if !kinds[0].named(word) {
		return result.Invalid("--gene is missing", "study", "query", "--help")
	}
	return anotherCommand("--gene is missing; study top-mutated ranks the mutated genes of a study",
		lineOf(in, "top-mutated"))
}

// queryParams holds the parameters of a query.
type queryParams struct {
	in    *command.Input
	study *study.Study
	genes []string
	draw  *drawing

	columns []column // for --rows, one per gene
}

// answerOf is the answer of a query: one result, or a list if several genes were requested.
type answerOf[T any] struct {
	Type    string `json:"query_type"`
	Result  *T     `json:"result,omitempty"`
	Results []T    `json:"results,omitempty"`

	picture
	doc func(rows []T) result.Doc
}

// Doc describes one gene, or shows a table of several.
func (a *answerOf[T]) Doc() result.Doc {
	if a.Result != nil {
		return a.add(a.doc([]T{*a.Result}))
	}
	return a.add(a.doc(a.Results))
}

// newAnswer combines the results of the genes into an answer.
func newAnswer[T any](kind string, rows []T, doc func([]T) result.Doc) *answerOf[T] {
	a := &answerOf[T]{Type: kind, doc: doc}
	if len(rows) == 1 {
		a.Result = &rows[0]
	} else {
		a.Results = rows
	}
	return a
}

func runQuery(_ context.Context, in *command.Input) (*result.Result, error) {
	word := strings.ToLower(strings.TrimSpace(in.String("type")))
	for _, k := range kinds {
		if !k.named(word) {
			continue
		}
		if k.name != kinds[0].name {
			if err := in.RejectUnused("requires --type mutations", "include-silent"); err != nil {
				return nil, err
			}
		}
		list, err := genes(in, "gene")
		if err != nil {
			return nil, err
		}
		what, forms := "study query --type "+k.name, k.forms
		if len(list) > 1 && !in.Given("chart") {
			what, forms = "study query of several genes", nil
		}
		draw, err := parseDrawing(in, what, forms...)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, noGene(in)
		}
		if len(list) > 50 {
			return nil, result.Invalid("--gene takes at most 50 genes",
				in.LineWith("--gene", strings.Join(list[:50], ","))...)
		}
		if len(list) > 1 && draw.kind != "" {
			return nil, result.Invalid("a chart shows one gene", in.LineWith("--gene", list[0])...)
		}
		s, err := open(in)
		if err != nil {
			return nil, err
		}
		q := &queryParams{in: in, study: s, genes: list, draw: draw}
		r, err := k.run(q)
		if err == nil {
			err = writeSamples(in, r, s, false, q.columns...)
		}
		return r, err
	}
	names := result.Map(kinds, func(k kind) string { return k.name })
	return nil, invalidValue(in, "type", word, names, "")
}

// invalidValue returns the error for a flag value that is not one of words. It suggests the
// nearest valid value, or the first one. suffix is appended to the list.
func invalidValue(in *command.Input, flag, word string, words []string, suffix string) error {
	near := cmp.Or(command.Nearest(word, words), words[0])
	message := fmt.Sprintf("--%s: %q is not one of %s%s", flag, command.Clip(word), strings.Join(words, ", "), suffix)
	return result.Invalid(message, in.LineWith("--"+flag, near)...)
}

// isKind reports whether word is a valid value of --type.
func isKind(word string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return k.named(word) })
}

// named reports whether word names the data type.
func (k kind) named(word string) bool {
	return command.MatchesName(strings.TrimSpace(word), k.name, strings.Fields(k.synonyms))
}

// title returns the heading of an answer about one or several genes.
func title(analysis, study string, genes ...string) result.Block {
	return result.Heading{Level: 1, Text: "Study " + analysis + ": " + strings.Join(genes, ", ") + " (" + study + ")"}
}
