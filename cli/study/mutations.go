package study

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"biomcp/charts"
	"biomcp/cli/result"
	"biomcp/store/study"
	"biomcp/store/study/stats"
)

// A frequency tells how often a gene is mutated.
type frequency struct {
	Study       string      `json:"study_id"`
	Gene        string      `json:"gene"`
	Mutations   int         `json:"mutation_count"`
	Samples     int         `json:"unique_samples"`
	Total       int         `json:"total_samples"` // samples profiled for the gene
	Frequency   num         `json:"frequency"`
	Low         num         `json:"low"`
	High        num         `json:"high"`
	Denominator denominator `json:"denominator"`
	Silent      int         `json:"silent_variants_left_out"`
	Classes     []tally     `json:"top_variant_classes"`
	Changes     []tally     `json:"top_protein_changes"`
	Positions   []position  `json:"positions"`
	Length      *int        `json:"protein_length"` // in amino acids; null if the file does not give it
	Caveat      string      `json:"mutation_only_caveat"`
}

// A tally is a word with its number of occurrences; in JSON [name, n].
type tally struct {
	name string
	n    int
}

// MarshalJSON encodes t as [name, n].
func (t tally) MarshalJSON() ([]byte, error) { return json.Marshal([]any{t.name, t.n}) }

// A position counts the changes at one position of the protein.
type position struct {
	At     int     `json:"position"`
	Count  int     `json:"count"`
	Change *string `json:"change"` // null if there are several
	Class  string  `json:"class"`  // the most common class
	All    []tally `json:"changes"`
}

// name returns the change, or the changes of one residue, such as R273C/H, the most common first.
func (p position) name() string {
	const most = 3
	var residue string
	var ends []string
	for _, c := range p.All {
		change := strings.TrimPrefix(c.name, "p.")
		before, after, found := strings.Cut(change, strconv.Itoa(p.At))
		if !found {
			continue
		}
		if residue == "" || residue == "X" { // a splice site has no residue
			residue = before
		}
		if strings.Contains(after, "fs") {
			after = "fs"
		}
		if after = strings.TrimPrefix(after, "_"); !slices.Contains(ends, after) {
			ends = append(ends, after)
		}
	}
	switch {
	case len(p.All) == 1:
		return strings.TrimPrefix(p.All[0].name, "p.")
	case len(ends) == 0:
		return "position " + strconv.Itoa(p.At)
	case len(ends) > most:
		ends = append(ends[:most], "…")
	}
	return residue + strconv.Itoa(p.At) + strings.Join(ends, "/")
}

const topCount = 10 // maximum number of classes and of changes shown

func runMutations(q *queryParams) (*result.Result, error) {
	r := &result.Result{}
	rows := make([]frequency, 0, len(q.genes))
	var last *study.GeneMutations
	var unknown error
	for _, name := range q.genes {
		g, err := mutationsOf(q.in, q.study, "gene", name)
		if skipGene(r, q.genes, err) {
			unknown = cmp.Or(unknown, err)
			continue
		}
		if err != nil {
			return nil, err
		}
		last = g
		q.columns = append(q.columns, flagOf(g.Gene, g.Mutated, g.Profiled.Included))
		noteMutations(r, q.study, g)
		share := stats.Proportion(g.MutatedSamples, g.Profiled.N)
		rows = append(rows, frequency{
			Study: q.study.ID, Gene: g.Gene, Mutations: len(g.Variants), Samples: g.MutatedSamples, Total: g.Profiled.N,
			Frequency: num(share.Estimate), Low: num(share.Low), High: num(share.High),
			Denominator: denominatorOf(g.Profiled), Silent: g.Silent,
			Classes:   tallies(g.Variants, func(v study.Variant) string { return v.Class }),
			Changes:   tallies(g.Variants, func(v study.Variant) string { return v.Change }),
			Positions: positions(g.Variants), Caveat: caveat(q.study),
		})
		if g.ProteinLength > 0 {
			rows[len(rows)-1].Length = &g.ProteinLength
		}
	}
	if len(rows) == 0 {
		return nil, unknown
	}
	a := newAnswer("mutation_frequency", rows, mutationDoc)
	r.Payload = a
	next := []result.Argv{{"study", "cohort", "--study", q.study.ID, "--gene", rows[0].Gene}}
	r.Next = otherGenes(q.study, last, append(next, survivalOf(q.study, rows[0].Gene)...)...)
	if q.draw.kind == "" {
		return r, nil
	}
	var err error
	a.picture, err = q.draw.draw(r, rows[0].chartData(q.draw.form, last))
	return r, err
}

// caveat returns the note that structural variants are not included, or "" if the study has
// none.
func caveat(s *study.Study) string {
	if _, ok := s.Profile(study.StructuralVariants); !ok {
		return ""
	}
	return "This mutation-only result excludes fusions/SV; query structural variants with study query --type sv."
}

// tallies counts values, the most common first, then by name.
func tallies(variants []study.Variant, of func(study.Variant) string) []tally {
	counts := map[string]int{}
	for _, v := range variants {
		if word := of(v); word != "" {
			counts[word]++
		}
	}
	list := make([]tally, 0, len(counts))
	for name, n := range counts {
		list = append(list, tally{name, n})
	}
	slices.SortFunc(list, func(a, b tally) int { return cmp.Or(b.n-a.n, strings.Compare(a.name, b.name)) })
	return list
}

// positions counts the variants at each protein position.
func positions(variants []study.Variant) []position {
	at := map[int][]study.Variant{}
	for _, v := range variants {
		if v.Position > 0 {
			at[v.Position] = append(at[v.Position], v)
		}
	}
	list := make([]position, 0, len(at))
	for p, here := range at {
		one := position{At: p, Count: len(here)}
		one.All = tallies(here, func(v study.Variant) string { return v.Change })
		if len(one.All) > 0 && one.All[0].n == one.Count {
			one.Change = &one.All[0].name
		}
		if class := tallies(here, func(v study.Variant) string { return v.Class }); len(class) > 0 {
			one.Class = class[0].name
		}
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b position) int { return a.At - b.At })
	return list
}

func mutationDoc(rows []frequency) result.Doc {
	if len(rows) > 1 {
		return frequencyTable(rows)
	}
	f := rows[0]
	doc := result.Doc{
		title("Mutation Frequency", f.Study, f.Gene),
		result.Table{Columns: result.Columns("Metric", ">Value"), Rows: [][]string{
			{"Mutation records", count(f.Mutations)},
			{"Unique samples", count(f.Samples)},
			{"Profiled samples", count(f.Total)},
			{"Frequency", percent(f.Frequency)},
			{"95 % interval (Wilson)", shares(f.Low, f.High)},
		}},
		result.Para{Text: "Denominator: " + f.Denominator.text()},
		result.Heading{Level: 2, Text: "Top Variant Classes"}, tallyTable("Class", f.Classes),
		result.Heading{Level: 2, Text: "Top Protein Changes"}, tallyTable("Change", f.Changes),
	}
	if f.Caveat != "" {
		doc = append(doc, result.Para{Text: "Note: " + f.Caveat})
	}
	return doc
}

func frequencyTable(rows []frequency) result.Doc {
	t := result.Table{
		Columns: result.Columns("Gene", ">Mutated Samples", ">Records", ">Profiled Samples",
			">Frequency (95 % CI, Wilson)", "Commonest Change"),
	}
	names := make([]string, len(rows))
	for i, f := range rows {
		change := ""
		if len(f.Changes) > 0 {
			change = f.Changes[0].name + " (" + count(f.Changes[0].n) + ")"
		}
		names[i] = f.Gene
		t.Rows = append(t.Rows, []string{
			f.Gene, count(f.Samples), count(f.Mutations), count(f.Total), rate(f.Frequency, f.Low, f.High), change,
		})
	}
	return result.Doc{title("Mutation Frequency", rows[0].Study, names...), t}
}

func tallyTable(name string, list []tally) result.Table {
	t := result.Table{Columns: result.Columns(name, ">Count")}
	for i, l := range list {
		if i == topCount {
			t.Rows = append(t.Rows, []string{"... and " + count(len(list)-i) + " more (--json has all)", ""})
			break
		}
		t.Rows = append(t.Rows, []string{l.name, count(l.n)})
	}
	if len(list) == 0 {
		t.Rows = [][]string{{"-", "0"}}
	}
	return t
}

// classNames shortens variant classes for charts.
var classNames = strings.NewReplacer("_Mutation", "", "Frame_Shift_", "Frameshift ", "In_Frame_", "In-Frame ",
	"Splice_Site", "Splice", "Translation_Start_Site", "Start Site", "_", " ")

// chartData returns the data for a chart of the given form.
func (f frequency) chartData(form charts.Data, g *study.GeneMutations) charts.Data {
	labels := charts.Labels{
		Title: f.Gene + " mutation classes (" + f.Study + ")", Group: "Variant class", Value: "Mutations", MutationClasses: true,
		Subtitle: english.Plural(f.Mutations, "mutation", "") + " in " + count(f.Samples) + " of " +
			f.Denominator.size(),
	}
	switch form.(type) {
	case charts.SampleValues:
		labels.Title = f.Gene + " mutation burden by sample (" + f.Study + ")"
		labels.Group, labels.Value = "Sample", "Mutation count"
		each := map[int]int{}
		for _, v := range g.Variants {
			each[v.Sample]++
		}
		d := charts.SampleValues{Labels: labels}
		for i, id := range g.Profiled.Samples.IDs {
			if each[i] > 0 {
				d.List = append(d.List, charts.Value{Name: id, Value: float64(each[i])})
			}
		}
		return d
	case charts.Positions:
		labels.Title = f.Gene + " mutations by protein position (" + f.Study + ")"
		labels.Position, labels.Count = "Amino acid position", "Mutations"
		if left := f.Mutations - total(f.Positions); left > 0 {
			labels.Note = english.Plural(left, "mutation has no protein position and is not drawn.",
				"mutations have no protein position and are not drawn.")
		}
		d := charts.Positions{Labels: labels, Length: g.ProteinLength}
		for _, p := range f.Positions {
			d.List = append(d.List,
				charts.Position{Residue: p.At, Count: p.Count, Name: p.name(), Class: classNames.Replace(p.Class)})
		}
		return d
	}
	return charts.Parts{Labels: labels, List: result.Map(f.Classes, func(c tally) charts.Value {
		return charts.Value{Name: classNames.Replace(c.name), Value: float64(c.n)}
	})}
}

func total(list []position) (n int) {
	for _, p := range list {
		n += p.Count
	}
	return n
}
