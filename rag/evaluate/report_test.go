package evaluate

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

func TestBootstrapOfPairs(t *testing.T) {
	better, equal := make([]float64, 40), make([]float64, 40)
	worse := make([]float64, 40)
	for i := range better {
		worse[i] = float64(i%5) / 10
		better[i] = worse[i] + 0.1 + float64(i%3)/100
		equal[i] = worse[i] + float64(i%2*2-1)/10 // as often above as below
	}
	if d, p := Bootstrap(better, worse); math.Abs(d-0.10975) > 1e-9 || p > 0.001 {
		t.Errorf("always better: %g (p %g)", d, p)
	}
	if d, p := Bootstrap(equal, worse); math.Abs(d) > 1e-9 || p < 0.9 {
		t.Errorf("no better: %g (p %g)", d, p)
	}
	if d, p := Bootstrap(worse, worse); d != 0 || p != 1 {
		t.Errorf("the same: %g (p %g)", d, p)
	}
	if d, p := Bootstrap(nil, nil); d != 0 || p != 1 {
		t.Errorf("no queries: %g (p %g)", d, p)
	}
}

func TestIntervalsOfDifferences(t *testing.T) {
	a, b := make([]float64, 100), make([]float64, 100)
	for i := range a {
		a[i] = 0.1 + float64(i%2)/5 // 0.1 and 0.3: a mean of 0.2 with a standard error of 0.01
	}
	d, low, high := Interval(a, b)
	if math.Abs(d-0.2) > 1e-9 || math.Abs(low-(0.2-1.96*0.01)) > 0.002 || math.Abs(high-(0.2+1.96*0.01)) > 0.002 {
		t.Errorf("%g, %g to %g", d, low, high)
	}
	if d, low, high := Interval(nil, nil); d != 0 || low != 0 || high != 0 {
		t.Errorf("no queries: %g, %g to %g", d, low, high)
	}
}

func TestQueriesOfAPart(t *testing.T) {
	all := Questions{
		{"a", "one", 0, map[record.PMID]float64{1: 1, 2: 3}},
		{"b", "two", 0, map[record.PMID]float64{3: 1}},
	}
	some := all.WithAnswersIn(map[record.PMID]bool{2: true, 9: true})
	if len(some) != 1 || some[0].ID != "a" || len(some[0].Relevant) != 1 || some[0].Relevant[2] != 3 {
		t.Errorf("%v", some)
	}
	if len(all[0].Relevant) != 2 {
		t.Error("the judgements of the whole collection were changed")
	}
}

// collection writes a synthetic collection of n documents, each on one of several
// diseases, with one query for each disease.
func collection(t *testing.T, n int) string {
	t.Helper()
	topics := []string{"cataract lens opacity", "insulin glucose diabetes", "asthma bronchial airway", "stroke cerebral infarction", "renal dialysis kidney"}
	dir := t.TempDir()
	var docs, queries, judged strings.Builder
	docs.WriteString("<PubmedArticleSet>")
	judged.WriteString("query-id\tcorpus-id\tscore\n")
	for i := range n {
		topic := i % len(topics)
		words := strings.Fields(topics[topic])
		fmt.Fprintf(&docs, "<PubmedArticle><MedlineCitation><PMID Version=\"1\">%d</PMID><Article><ArticleTitle>%s in case %d</ArticleTitle><Abstract><AbstractText>We saw %s and %s in patients of ward %d.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>\n",
			100+i, words[i%3], i, words[(i+1)%3], words[i/5%3], i%7)
		fmt.Fprintf(&judged, "q%d\t%d\t1\n", topic, 100+i)
	}
	docs.WriteString("</PubmedArticleSet>")
	for i, topic := range topics {
		fmt.Fprintf(&queries, "{\"_id\": \"q%d\", \"text\": \"What is known of %s?\"}\n", i, strings.Fields(topic)[0])
	}
	for name, text := range map[string]string{"corpus.xml": docs.String(), "queries.jsonl": queries.String(), "qrels.tsv": judged.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReportOfACollection(t *testing.T) {
	var out strings.Builder
	dir, now := collection(t, 90), Run{}
	name := filepath.Base(dir)
	earlier := Run{name: {"words": make([]Measures, 5)}, "another": {"words": make([]Measures, 3)}}
	if err := Report(t.Context(), &out, dir, Vectors{}, now, earlier); err != nil {
		t.Fatal(err)
	}
	if got := now[name]["both"]; len(got) != 5 || got[0].NDCG10 == 0 {
		t.Errorf("%+v", now)
	}
	if err := now.compare(io.Discard, name, Run{name: {"words": make([]Measures, 4)}}); err == nil {
		t.Error("runs of different queries were compared")
	}
	for _, want := range []string{": 90 documents, 5 queries\n", "FTS5 ", "words          less the earlier run   nDCG@10 +", "words ", "meaning ", "both ", ": 10 random parts of 60 documents, "} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%q is missing", want)
			}
		})
	}
	if strings.Contains(out.String(), "parts of 150") {
		t.Error("parts are larger than the collection")
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

func TestCollectionsThatCannotBeRead(t *testing.T) {
	for name, damage := range map[string]func(dir string) error{
		"no queries":    func(dir string) error { return os.Remove(filepath.Join(dir, "queries.jsonl")) },
		"no judgements": func(dir string) error { return os.Remove(filepath.Join(dir, "qrels.tsv")) },
		"a judgement of a query that is not there": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "qrels.tsv"), []byte("q99\t100\t1\n"), 0o600)
		},
		"no documents": func(dir string) error { return os.Remove(filepath.Join(dir, "corpus.xml")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := collection(t, 10)
			if err := damage(dir); err != nil {
				t.Fatal(err)
			}
			if err := Report(t.Context(), &strings.Builder{}, dir, Vectors{}, Run{}, nil); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
	}
}
