package ragtest

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"biomcp/entrez/record"
)

// Questions are the queries of a test collection.
type Questions []Question

// Question is a query with its relevance judgements: the gain of each relevant
// PMID.
type Question struct {
	ID, Text string
	Relevant map[record.PMID]float64
}

// Load reads a test collection from a folder: queries.jsonl (_id, text) and
// qrels.tsv (query-id, corpus-id, score; the first line is a heading). It does not
// read the documents, which are PubMed XML to be imported.
func Load(dir string) (Questions, error) {
	var questions Questions
	place := map[string]int{}
	err := eachLine(filepath.Join(dir, "queries.jsonl"), func(line string) error {
		var q struct {
			ID   string `json:"_id"`
			Text string
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return err
		}
		place[q.ID] = len(questions)
		questions = append(questions, Question{q.ID, q.Text, map[record.PMID]float64{}})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return questions, eachLine(filepath.Join(dir, "qrels.tsv"), func(line string) error {
		field := strings.Split(line, "\t")
		if field[0] == "query-id" {
			return nil
		}
		i, ok := place[field[0]]
		if !ok || len(field) != 3 {
			return fmt.Errorf("judgement %q has no query, or not three fields", line)
		}
		pmid, err1 := record.ParsePMID(field[1])
		gain, err2 := strconv.ParseFloat(field[2], 64)
		if gain > 0 {
			questions[i].Relevant[pmid] = gain
		}
		return cmp.Or(err1, err2)
	})
}

func eachLine(path string, use func(string) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if err := use(lines.Text()); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return lines.Err()
}

// Measures are measures of a ranking, each between 0 and 1.
type Measures struct{ NDCG10, Recall100, MAP, MRR float64 }

func (m Measures) String() string {
	return fmt.Sprintf("nDCG@10 %.4f  recall@100 %.4f  MAP %.4f  MRR %.4f", m.NDCG10, m.Recall100, m.MAP, m.MRR)
}

// Evaluate measures the ranking of one query like trec_eval: gains are discounted
// by log2(rank + 1) and divided by those of the ideal order (K. Järvelin, J.
// Kekäläinen, ACM TOIS 20, 2002); for average precision, relevant documents that
// are not ranked have precision 0.
func Evaluate(ranked []record.PMID, relevant map[record.PMID]float64) (m Measures) {
	if len(relevant) == 0 {
		return m
	}
	found, dcg := 0.0, 0.0
	for i, pmid := range ranked {
		gain, ok := relevant[pmid]
		if !ok {
			continue
		}
		found++
		m.MAP += found / float64(i+1)
		if found == 1 {
			m.MRR = 1 / float64(i+1)
		}
		if i < 10 {
			dcg += gain / math.Log2(float64(i)+2)
		}
		if i < 100 {
			m.Recall100++
		}
	}
	ideal := 0.0
	for i, pmid := range slices.SortedFunc(maps.Keys(relevant), func(a, b record.PMID) int { return cmp.Compare(relevant[b], relevant[a]) }) {
		if i < 10 {
			ideal += relevant[pmid] / math.Log2(float64(i)+2)
		}
	}
	n := float64(len(relevant))
	m.NDCG10, m.MAP, m.Recall100 = dcg/ideal, m.MAP/n, m.Recall100/n
	return m
}

// Measure returns the mean measures over all queries of the rankings that rank
// returns. rank is called from several goroutines.
func (questions Questions) Measure(rank func(Question) ([]record.PMID, error)) (mean Measures, err error) {
	each := make([]Measures, len(questions))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range questions {
		group.Go(func() error {
			ranked, err := rank(q)
			each[i] = Evaluate(ranked, q.Relevant)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return mean, err
	}
	n := float64(len(questions))
	for _, m := range each {
		mean.NDCG10 += m.NDCG10 / n
		mean.Recall100 += m.Recall100 / n
		mean.MAP += m.MAP / n
		mean.MRR += m.MRR / n
	}
	return mean, nil
}
