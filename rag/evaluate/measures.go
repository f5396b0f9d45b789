package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"

	"github.com/sourcegraph/conc/pool"

	"biomcp/entrez/record"
)

// Measures holds measures of a ranking, each from 0 to 1.
type Measures struct{ NDCG10, Recall100, MAP, MRR float64 }

func (m Measures) String() string {
	return fmt.Sprintf("nDCG@10 %.4f  recall@100 %.4f  MAP %.4f  MRR %.4f", m.NDCG10, m.Recall100, m.MAP, m.MRR)
}

// Evaluate measures the ranking of one query like trec_eval. Gains are discounted by log2(rank
// + 1) and divided by those of the ideal order (K. Järvelin, J. Kekäläinen, ACM TOIS 20, 2002).
// For average precision, relevant documents that are not ranked have precision zero.
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
	byGain := func(a, b record.PMID) int { return cmp.Compare(relevant[b], relevant[a]) }
	for i, pmid := range slices.SortedFunc(maps.Keys(relevant), byGain) {
		if i < 10 {
			ideal += relevant[pmid] / math.Log2(float64(i)+2)
		}
	}
	n := float64(len(relevant))
	m.NDCG10, m.MAP, m.Recall100 = dcg/ideal, m.MAP/n, m.Recall100/n
	return m
}

// A Ranker ranks documents for a query, best first.
type Ranker func(ctx context.Context, query string) ([]record.PMID, error)

// Measure returns the measures of each query, in order. It calls rank from several goroutines.
func (questions Questions) Measure(ctx context.Context, rank Ranker) ([]Measures, error) {
	each := make([]Measures, len(questions))
	group := pool.New().WithErrors().WithFirstError().WithMaxGoroutines(runtime.GOMAXPROCS(0))
	for i, q := range questions {
		group.Go(func() error {
			ranked, err := rank(ctx, q.Text)
			ranked = slices.DeleteFunc(ranked, func(pmid record.PMID) bool { return pmid == q.Seed })
			each[i] = Evaluate(ranked, q.Relevant)
			return err
		})
	}
	return each, group.Wait()
}

// Mean returns the mean of measures.
func Mean(list []Measures) (mean Measures) {
	n := float64(len(list))
	for _, m := range list {
		mean.NDCG10 += m.NDCG10 / n
		mean.Recall100 += m.Recall100 / n
		mean.MAP += m.MAP / n
		mean.MRR += m.MRR / n
	}
	return mean
}
