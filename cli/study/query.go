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

// kinds are what study query and study filter can ask for, with other words for it and
// the forms of data that charts of it show.
var kinds = []kind{
	{"mutations", "mutation", []charts.Data{charts.Parts{}, charts.PerSample{}, charts.Positions{}}, runMutations},
	{"cna", "copy_number copy-number", []charts.Data{charts.Parts{}}, runCopyNumber},
	{"expression", "expr", []charts.Data{charts.Distribution{}}, runExpression},
	{"sv", "fusion fusions structural_variants", nil, runStructural},
}

type kind struct {
	name, others string
	forms        []charts.Data
	run          func(q *queried) (*result.Result, error)
}

func query() *command.Command {
	return &command.Command{
		Use: "query", Short: "Show how a gene is altered or expressed", Effect: command.Reads,
		Help: command.Help{
			Output:    "How often the gene is altered in the samples profiled for it, with the commonest classes and changes; or the distribution of its values. Several genes, separated by commas, are one table.",
			Surprises: "The rate is of the samples profiled for the gene, by the study's case lists and panels, not of all its samples.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			geneFlag(f, "gene symbol, or several with commas")
			f.StringP("type", "t", "mutations", "`mutations|cna|expression|sv`")
			f.Also("type", "data", "data-type")
			silentFlag(f)
			var forms []charts.Data
			for _, k := range kinds {
				forms = append(forms, k.forms...)
			}
			chartFlags(f, forms...)
		},
		Examples: []command.Example{
			{Line: "biomcp study query -s synthetic_demo -g TP53", Does: "how often a gene is mutated, and how"},
			{Line: "biomcp study query -s synthetic_demo -g TP53 --chart lollipop -o tp53.svg", Does: "the changed positions of the protein"},
		},
		Run: runQuery, Check: given("study", "gene"), Also: []string{"mutation", "frequency", "gene", "alterations"},
		Places: wordsFor(command.Place{Flag: "type", Is: isKind}, command.Place{Flag: "gene", Join: ","}),
	}
}

// queried is what a query asks for.
type queried struct {
	in    *command.Input
	study *study.Study
	genes []string
	draw  *drawing

	columns []column // of --rows, one for each gene
}

// answerOf is the answer of a query: one result, or a list of them where several
// genes were asked for.
type answerOf[T any] struct {
	Type    string `json:"query_type"`
	Result  *T     `json:"result,omitempty"`
	Results []T    `json:"results,omitempty"`

	picture
	doc func(rows []T) result.Doc
}

// Doc describes one gene, or is a table of several.
func (a *answerOf[T]) Doc() result.Doc {
	if a.Result != nil {
		return a.add(a.doc([]T{*a.Result}))
	}
	return a.add(a.doc(a.Results))
}

// answered makes the answer from the result of each gene.
func answered[T any](kind string, rows []T, doc func([]T) result.Doc) *answerOf[T] {
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
		if word != k.name && !oneOf(k.others)(word) {
			continue
		}
		if k.name != kinds[0].name {
			if err := in.Unused("goes with --type mutations", "include-silent"); err != nil {
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
		draw, err := asked(in, what, forms...)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, result.Invalid("--gene is missing", "study", "query", "--help")
		}
		if len(list) > 50 {
			return nil, result.Invalid("--gene takes at most 50 genes", in.Again("--gene", strings.Join(list[:50], ","))...)
		}
		if len(list) > 1 && draw.kind != "" {
			return nil, result.Invalid("a chart shows one gene", in.Again("--gene", list[0])...)
		}
		s, err := open(in)
		if err != nil {
			return nil, err
		}
		q := &queried{in: in, study: s, genes: list, draw: draw}
		r, err := k.run(q)
		if err == nil {
			err = writeSamples(in, r, s, false, q.columns...)
		}
		return r, err
	}
	names := result.Map(kinds, func(k kind) string { return k.name })
	return nil, noneOf(in, "type", word, names, "")
}

// noneOf refuses a word that a flag does not take, with the nearest one that it takes, or
// the first.
func noneOf(in *command.Input, flag, word string, words []string, more string) error {
	near := cmp.Or(command.Nearest(word, words), words[0])
	return result.Invalid(fmt.Sprintf("--%s: %q is not one of %s%s", flag, command.Clip(word), strings.Join(words, ", "), more), in.Again("--"+flag, near)...)
}

// isKind accepts the words of --type.
func isKind(word string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return oneOf(k.name + " " + k.others)(word) })
}

// title is the heading of an answer about one or several genes.
func title(what, study string, genes ...string) result.Block {
	return result.Heading{Level: 1, Text: "Study " + what + ": " + strings.Join(genes, ", ") + " (" + study + ")"}
}
