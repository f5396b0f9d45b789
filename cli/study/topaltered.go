package study

import (
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

// An event is a kind of alteration of a gene.
type event int

const (
	mutationEvent event = iota
	amplification
	deepDeletion
	structuralVariant
	eventKinds
)

// eventNames names each kind of event and the samples that have it.
var eventNames = [eventKinds]struct{ event, samples string }{
	{"mutation", "Mutated"}, {"amplification", "Amplified"}, {"deep deletion", "Deep Deletion"},
	{"structural variant", "Structural Variant"},
}

// alterationTypes maps the values of --type to kinds of events.
var alterationTypes = []struct {
	name   string
	events []event
}{
	{"all", []event{mutationEvent, amplification, deepDeletion, structuralVariant}},
	{"mutations", []event{mutationEvent}},
	{"cna", []event{amplification, deepDeletion}},
	{"amp", []event{amplification}},
	{"homdel", []event{deepDeletion}},
	{"sv", []event{structuralVariant}},
}

// A topAlteredAnswer is the answer of study top-altered.
type topAlteredAnswer struct {
	Study string           `json:"study_id"`
	Type  string           `json:"type"`
	Total int              `json:"total_samples"`
	Data  []alterationData `json:"data"`
	Genes int              `json:"altered_genes"`
	Rows  []*alteredGene   `json:"rows"`

	picture
	shownRange string
}

// alterationData names the samples examined for one kind of event.
type alterationData struct {
	Event string `json:"event"`
	Basis string `json:"basis"`

	event event
}

// An alteredGene counts the samples with events in one gene.
type alteredGene struct {
	Gene               string           `json:"gene"`
	Samples            int              `json:"altered_samples"`  // with any of the events
	Profiled           int              `json:"profiled_samples"` // for at least one of the events
	Rate               num              `json:"alteration_rate"`
	Low                num              `json:"low"`
	High               num              `json:"high"`
	Mutations          *alterationCount `json:"mutations"` // null if not counted, or without data of the gene
	Amplifications     *alterationCount `json:"amplifications"`
	DeepDeletions      *alterationCount `json:"deep_deletions"`
	StructuralVariants *alterationCount `json:"structural_variants"`

	altered [eventKinds][]int // samples
	counts  [eventKinds]*alterationCount
}

type alterationCount struct {
	Samples  int  `json:"samples"`
	Profiled *int `json:"profiled_samples"` // null if no list names the samples
	Rate     num  `json:"rate"`
	Low      num  `json:"low"`
	High     num  `json:"high"`
}

func topAltered() *command.Command {
	return &command.Command{
		Use:   "top-altered --study <id>",
		Short: "Rank genes by altered samples", Effect: command.Reads,
		Help: command.Help{
			Output: "Genes with the samples that are mutated, amplified, deeply deleted or carry a structural " +
				"variant, each as a number and per cent of the samples profiled for it, and the samples with any " +
				"of these. --type ranks by one kind.",
			Surprises: "Amplification is state 2, deep deletion -2; gains and shallow deletions do not count. The rate " +
				"of any alteration refers to the samples profiled for at least one kind. If no list names the " +
				"samples examined for structural variants, they have a number and no rate.",
		},
		Flags: func(f *command.Flags) {
			studyFlag(f)
			alterationFlag(f, "all")
			f.Rare("type")
			f.LimitP("l", 10, 50, "maximum number of genes")
			f.Offset()
			silentFlag(f)
			chartFlags(f, charts.Rates{})
		},
		Examples: []command.Example{
			{Line: "biomcp study top-altered -s synthetic_demo", Explanation: "the genes altered in most samples, in any way"},
			{
				Line:        "biomcp study top-altered -s synthetic_demo --type cna --limit 20",
				Explanation: "the genes most often amplified or deeply deleted",
			},
		},
		Run: runTopAltered, Check: requireFlags("study"),
		Synonyms: []string{"altered", "altered-genes", "most-altered", "topaltered"},
		Variants: []command.Variant{
			{
				Names: []string{"top-cna", "cna-genes", "copy-number-genes", "top-copy-number", "top-cnv"},
				Flags: []string{"--type", "cna"},
			},
			{Names: []string{"top-amplified", "amplified-genes", "top-amp"}, Flags: []string{"--type", "amp"}},
			{Names: []string{"top-deleted", "deleted-genes", "top-homdel"}, Flags: []string{"--type", "homdel"}},
			{
				Names: []string{"top-sv", "sv-genes", "top-fusions", "fusion-genes", "structural-variant-genes"},
				Flags: []string{"--type", "sv"},
			},
		},
		ArgFlags: studyPlaces(command.ArgFlag{Flag: "type", Accepts: oneOf("all mutations cna amp homdel sv")}),
	}
}

// alterationFlag adds --type with the kinds of events that are counted.
func alterationFlag(f *command.Flags, def string) {
	var names []string
	for _, t := range alterationTypes {
		names = append(names, t.name)
	}
	f.Enum("type", def, "what counts", names...)
	f.AddValueSynonyms("type", command.Synonyms{
		"all": "any everything", "mutations": "mut snv", "cna": "cnv copy-number",
		"amp": "amplification amplified", "homdel": "deletion deleted deep-deletion", "sv": "fusion structural-variant",
	})
	f.AddSynonyms("type", "data", "data-type", "t")
}

func runTopAltered(_ context.Context, in *command.Input) (*result.Result, error) {
	draw, err := parseDrawing(in, "study top-altered", charts.Rates{})
	if err != nil {
		return nil, err
	}
	s, limit, r, err := openLimited(in)
	if err != nil {
		return nil, err
	}
	a := &topAlteredAnswer{Study: s.ID, Type: in.String("type")}
	c := &alterationCounter{in: in, s: s, r: r, byName: map[string]*alteredGene{}, nameOf: map[string]string{}}
	for _, t := range alterationTypes {
		if t.name != a.Type {
			continue
		}
		if err := c.count(t.events, t.name == "all"); err != nil {
			return nil, err
		}
	}
	a.Total, a.Data = len(c.samples.IDs), c.data
	genes := c.rank()
	from, to, shown, err := page(in, r, limit, len(genes))
	if err != nil {
		return nil, err
	}
	a.Genes, a.Rows, a.shownRange = len(genes), genes[from:to], shown
	var columns []column
	for _, g := range a.Rows {
		profiled, err := c.addRates(g)
		if err != nil {
			return nil, err
		}
		columns = append(columns, g.column(profiled))
	}
	r.Payload = a
	addNotices(r, s)
	if len(a.Rows) > 0 {
		query := result.Argv{"study", "query", "--study", s.ID, "--gene", a.Rows[0].Gene}
		if data := dataOf(a.Data[0].event); data != study.Mutations {
			types := map[study.Data]string{study.CopyNumber: "cna", study.StructuralVariants: "sv"}
			query = append(query, "--type", types[data])
		}
		r.Next = slices.Concat([]result.Argv{query}, r.Next)
	}
	rated := slices.ContainsFunc(a.Rows, func(g *alteredGene) bool { return g.Profiled > 0 })
	if draw.kind != "" && !rated && len(a.Rows) > 0 {
		return nil, result.Missing("no rates to draw: "+unlistedReason, in.LineWith(withoutChart(in)...)...)
	}
	if a.picture, err = draw.draw(r, a.chartData()); err != nil {
		return nil, err
	}
	return r, writeSamples(in, r, s, false, columns...)
}

// column returns the events of each sample, "none" for profiled samples without one.
func (g *alteredGene) column(profiled []bool) column {
	texts := map[int][]string{}
	for kind, samples := range g.altered {
		for _, i := range samples {
			texts[i] = append(texts[i], eventNames[kind].event)
		}
	}
	return column{g.Gene, func(i int) any {
		switch {
		case texts[i] != nil:
			return strings.Join(texts[i], "; ")
		case profiled[i]:
			return "none"
		}
		return nil
	}}
}

func (a *topAlteredAnswer) chartData() charts.Rates {
	kinds := result.Map(a.Data, func(d alterationData) string { return d.Event })
	d := charts.Rates{Labels: charts.Labels{
		Title: "Most altered genes (" + a.Study + ")", Subtitle: strings.Join(kinds, ", "), Group: "Gene",
		Value: "Altered samples of those profiled",
	}}
	for _, g := range a.Rows {
		d.List = append(d.List, charts.Rate{
			Name: g.Gene, K: g.Samples, N: g.Profiled, Low: float64(g.Low), High: float64(g.High),
		})
	}
	return d
}

func (a *topAlteredAnswer) Doc() result.Doc {
	columns := []string{"Gene", ">Any Alteration"}
	if len(a.Data) == 1 {
		columns = columns[:1]
	}
	for _, d := range a.Data {
		columns = append(columns, ">"+eventNames[d.event].samples)
	}
	t := result.Table{Columns: result.Columns(columns...)}
	for _, g := range a.Rows {
		row := []string{g.Gene, ratio(g.Samples, &g.Profiled, g.Rate)}
		if len(a.Data) == 1 {
			row = row[:1]
		}
		for _, d := range a.Data {
			text := "-"
			if n := g.counts[d.event]; n != nil {
				text = ratio(n.Samples, n.Profiled, n.Rate)
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	genes := english.Plural(a.Genes, "gene", "")
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Study Top Altered Genes: " + a.Study},
		result.Para{Text: fmt.Sprintf("%d samples; %s altered%s", a.Total, genes, a.shownRange)},
	}
	if len(t.Rows) == 0 {
		return append(doc, result.Para{Text: "No gene is altered."})
	}
	items := result.Map(a.Data, func(d alterationData) string { return d.Event + ": " + d.Basis })
	return a.add(append(doc, t, result.Para{Text: "Profiled samples:"}, result.List{Items: items}))
}

// ratio formats a number of samples as "12 of 150 (8.0 %)", or as "12" if it has no rate.
func ratio(k int, n *int, share num) string {
	if n == nil || share != share {
		return count(k)
	}
	return fmt.Sprintf("%d of %d (%s)", k, *n, percent(share))
}
