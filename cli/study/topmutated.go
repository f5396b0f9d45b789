package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

type topGenes struct {
	Study       string      `json:"study_id"`
	Total       int         `json:"total_samples"`
	Denominator denominator `json:"denominator"` // for any gene; each row has its own
	Genes       int         `json:"mutated_genes"`
	Rows        []topGene   `json:"rows"`
	Caveat      string      `json:"mutation_only_caveat"`

	shownRange string
}

type topGene struct {
	Gene     string `json:"gene"`
	Samples  int    `json:"mutated_samples"`
	Events   int    `json:"mutation_events"`
	Profiled int    `json:"profiled_samples"`
	Rate     num    `json:"mutation_rate"`
	Low      num    `json:"low"`
	High     num    `json:"high"`
}

func topMutated() *command.Command {
	return &command.Command{
		Use: "top-mutated --study <id>", Short: "Rank genes by mutated samples", Effect: command.Reads,
		Help: command.Help{
			Output: "Genes with mutated samples, mutation events, samples profiled for the gene, and the rate " +
				"with its 95 % interval (Wilson).",
			Surprises: "Ranked by mutated samples, then events; if genes are on different panels, the rate can " +
				"rank them differently.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			f.LimitP("l", 10, 50, "maximum number of genes")
			f.Offset()
			silentFlag(f)
			alterationFlag(f, "mutations")
			f.Hide("type")
			rowsFlag(f, "")
		},
		Examples: []command.Example{
			{Line: "biomcp study top-mutated -s synthetic_demo --limit 20", Explanation: "the most often mutated genes"},
		},
		Run: runTopMutated, Check: requireFlags("study"),
		Synonyms: []string{
			"topmutated", "top", "mutated", "mutated-genes", "frequent", "most-mutated", "top-genes", "genes",
		},
		ArgFlags: studyPlaces(),
	}
}

func runTopMutated(_ context.Context, in *command.Input) (*result.Result, error) {
	if kind := in.String("type"); kind != "mutations" {
		return nil, anotherCommand("study top-mutated counts mutations; study top-altered counts all kinds of alterations",
			lineOf(in, "top-altered", "--type", kind))
	}
	s, limit, r, err := openLimited(in)
	if err != nil {
		return nil, err
	}
	counts, left, err := s.MutatedGenes(in.Bool("include-silent"))
	if err != nil {
		return nil, err
	}
	p, _ := s.Profile(study.Mutations)
	any, err := s.ProfiledSamples(p, "")
	if err != nil {
		return nil, err
	}
	a := topGenes{
		Study: s.ID, Total: len(any.Samples.IDs), Denominator: denominatorOf(any), Genes: len(counts),
		Caveat: caveat(s),
	}
	from, to, shown, err := page(in, r, limit, len(counts))
	if err != nil {
		return nil, err
	}
	a.shownRange = shown
	for _, c := range counts[from:to] {
		rate := stats.Proportion(c.Samples, c.Profiled)
		a.Rows = append(a.Rows,
			topGene{c.Gene, c.Samples, c.Events, c.Profiled, num(rate.Estimate), num(rate.Low), num(rate.High)})
	}
	r.Payload = a
	noteRows(r, s, "", left)
	addNotices(r, s, any.Notices)
	if len(a.Rows) > 0 {
		r.Next = slices.Concat([]result.Argv{{"study", "query", "--study", s.ID, "--gene", a.Rows[0].Gene}},
			survivalOf(s, a.Rows[0].Gene), r.Next)
	}
	if !wantsRows(in) {
		return r, nil
	}
	var columns []column
	for _, g := range a.Rows {
		m, err := s.GeneMutations(g.Gene, in.Bool("include-silent"))
		if err != nil {
			return nil, err
		}
		columns = append(columns, flagOf(g.Gene, m.Mutated, m.Profiled.Included))
	}
	return r, writeSamples(in, r, s, false, columns...)
}

func (a topGenes) Doc() result.Doc {
	t := result.Table{
		Columns: result.Columns("Gene", ">Mutated Samples", ">Mutation Events", ">Profiled Samples",
			">Mutation Rate (95 % CI, Wilson)"),
	}
	for _, g := range a.Rows {
		t.Rows = append(t.Rows,
			[]string{g.Gene, count(g.Samples), count(g.Events), count(g.Profiled), rate(g.Rate, g.Low, g.High)})
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Top Mutated Genes: " + a.Study},
		result.Para{Text: fmt.Sprintf("%d samples; sequenced: %s; %s mutated%s",
			a.Total, a.Denominator.text(), english.Plural(a.Genes, "gene", ""), a.shownRange)},
	}
	if len(t.Rows) == 0 {
		return append(doc, result.Para{Text: "No gene is mutated."})
	}
	doc = append(doc, t)
	if a.Caveat != "" {
		doc = append(doc, result.Para{Text: "Note: " + a.Caveat})
	}
	return doc
}
