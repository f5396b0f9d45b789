package evaluate

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store"
)

// PartSizes holds the sizes of the random parts of a collection that Report measures.
var PartSizes = []int{60, 150, 300}

// draws is the number of random parts of each size.
const draws = 10

// A Run holds the measures of each query on whole collections, by the names of the collection
// and of the system.
type Run map[string]map[string][]Measures

// Report imports the collection in a folder and writes a table of the measures of each way to
// search it, with the differences of nDCG@10 and MAP from those of FTS5. It does this for the
// whole collection, with p-values, and for random parts, with the queries that have an answer
// in the part. A query is used for several parts, so their measures are not independent and
// have no p-values. v may be empty. Report adds the measures to now. Unless earlier is nil, it
// writes the mean differences from this earlier run with their 95 % intervals.
func Report(ctx context.Context, w io.Writer, dir string, v Vectors, now, earlier Run) error {
	questions, err := Load(dir)
	if err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "biomcp-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	whole, err := Import(ctx, filepath.Join(temp, "whole"), dir, v)
	if err != nil {
		return err
	}
	defer whole.Close()
	docs, err := whole.Documents(ctx)
	if err != nil {
		return err
	}
	t := &table{}
	if err := t.add(ctx, whole, docs, questions); err != nil {
		return err
	}
	name := filepath.Base(dir)
	if err := t.write(w, fmt.Sprintf("%s: %d documents", name, len(docs))); err != nil {
		return err
	}
	now[name] = map[string][]Measures{}
	for _, n := range seeds {
		each, err := whole.MeasureSimilar(ctx, questions, n)
		if err != nil {
			return err
		}
		if len(each) == 0 {
			break // the queries have no seed documents
		}
		system := fmt.Sprintf("like %d", n)
		now[name][system] = each
		m := Mean(each)
		_, err = fmt.Fprintf(w, "%-14s %8.4f %8.4f %11.4f %8.4f   %d queries, for the remaining relevant documents\n",
			system, m.NDCG10, m.MAP, m.Recall100, m.MRR, len(each))
		if err != nil {
			return err
		}
	}
	for i, system := range t.names {
		now[name][system] = t.measures[i]
	}
	if err := now.compare(w, name, earlier); err != nil {
		return err
	}
	for _, n := range PartSizes {
		if n >= len(docs) {
			continue
		}
		t := &table{parts: true}
		for draw := range draws {
			part := choose(docs, n, uint64(draw))
			if err := t.part(ctx, filepath.Join(temp, fmt.Sprintf("%d-%d", n, draw)), part, questions, v); err != nil {
				return err
			}
		}
		title := fmt.Sprintf("%s: %d random parts of %d documents", filepath.Base(dir), draws, n)
		if err := t.write(w, title); err != nil {
			return err
		}
	}
	return nil
}

// seeds holds the numbers of seed documents for measuring the search for similar documents.
var seeds = []int{1, 3, 5}

// compare writes the differences of a collection's measures from those of an earlier run.
func (r Run) compare(w io.Writer, name string, earlier Run) error {
	for _, system := range slices.Sorted(maps.Keys(r[name])) {
		each, before := r[name][system], earlier[name][system]
		if before == nil {
			continue
		}
		if len(before) != len(each) {
			return fmt.Errorf("the earlier run has %d queries of %s, not %d", len(before), name, len(each))
		}
		line := fmt.Sprintf("%-14s less the earlier run", system)
		for _, m := range compared {
			d, low, high := Interval(values(each, m.value), values(before, m.value))
			line += fmt.Sprintf("   %s %+.4f (%+.4f to %+.4f)", m.name, d, low, high)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// compared holds the measures by which systems and runs are compared.
var compared = []struct {
	name  string
	value func(Measures) float64
}{{"nDCG@10", func(m Measures) float64 { return m.NDCG10 }}, {"MAP", func(m Measures) float64 { return m.MAP }}}

// choose returns n random documents, which depend only on draw and n.
func choose(docs []*store.Document, n int, draw uint64) []*store.Document {
	part := make([]*store.Document, n)
	for i, at := range rand.New(rand.NewPCG(draw, uint64(n))).Perm(len(docs))[:n] {
		part[i] = docs[at]
	}
	return part
}

// A table holds the measures of each query for each system, FTS5 first.
type table struct {
	names    []string
	measures [][]Measures
	parts    bool // whether the measures are of several parts of a collection
}

func (t *table) part(ctx context.Context, dir string, docs []*store.Document, questions Questions, v Vectors) error {
	corpus, err := NewCorpus(ctx, dir, docs, v)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer corpus.Close()
	pmids := map[record.PMID]bool{}
	for _, d := range docs {
		pmids[d.PMID] = true
	}
	return t.add(ctx, corpus, docs, questions.WithAnswersIn(pmids))
}

// add measures all systems on a corpus.
func (t *table) add(ctx context.Context, c *Corpus, docs []*store.Document, questions Questions) error {
	fts, err := NewFTS5(ctx, docs)
	if err != nil {
		return err
	}
	defer fts.Close()
	for i, s := range append([]System{{"FTS5", fts.Rank}}, c.Systems()...) {
		each, err := questions.Measure(ctx, s.Rank)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		if i == len(t.names) {
			t.names, t.measures = append(t.names, s.Name), append(t.measures, nil)
		}
		t.measures[i] = append(t.measures[i], each...)
	}
	return nil
}

func (t *table) write(w io.Writer, title string) error {
	if len(t.measures) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s, %d queries\n%-14s %8s %8s %11s %8s   %s\n", title, len(t.measures[0]),
		"", "nDCG@10", "MAP", "recall@100", "MRR", "nDCG@10 − FTS5 (p)   MAP − FTS5 (p)")
	for i, each := range t.measures {
		if err != nil {
			return err
		}
		m := Mean(each)
		line := fmt.Sprintf("%-14s %8.4f %8.4f %11.4f %8.4f", t.names[i], m.NDCG10, m.MAP, m.Recall100, m.MRR)
		if i > 0 {
			for _, m := range compared {
				d, p := Bootstrap(values(each, m.value), values(t.measures[0], m.value))
				line += fmt.Sprintf("   %+.4f", d)
				if !t.parts {
					line += fmt.Sprintf(" (p %.4f)", p)
				}
			}
		}
		_, err = fmt.Fprintln(w, line)
	}
	if err == nil {
		_, err = fmt.Fprintln(w)
	}
	return err
}
