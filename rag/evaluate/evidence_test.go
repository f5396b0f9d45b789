package evaluate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/intake"
	"biomcp/store"
)

// The passage shown for a question holds a sentence of the results in most abstracts, with and
// without their labels, in at most 60 words on average. Before Evidence, 7 % had one.
func TestEvidenceHoldsResults(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: passages are measured on a whole collection")
	}
	const (
		length  = 430 // the longest passage of search corpus
		least   = 0.85
		longest = 60
	)
	dir := filepath.Join(realData(t, "retrieval"), "pubmedqa")
	questions, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	text := map[record.PMID]string{}
	for _, q := range questions {
		for pmid := range q.Relevant {
			text[pmid] = q.Text
		}
	}
	f, err := os.Open(filepath.Join(dir, "corpus.xml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := pubmed.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	type figures struct{ shown, held, words float64 }
	labelled, bare := figures{}, figures{}
	a := analyze.New()
	for item, err := range pubmed.Scan(unpacked) {
		if err != nil {
			t.Fatal(err)
		}
		d, err := intake.Document(item.Article)
		if err != nil {
			t.Fatal(err)
		}
		results := resultsOf(d)
		if results == nil {
			continue
		}
		for _, of := range []*figures{&labelled, &bare} {
			passage := rag.ParseQuery(a, text[d.PMID]).Evidence(a, d, length)
			of.shown++
			of.words += float64(len(strings.Fields(strings.ReplaceAll(passage, "…", ""))))
			for _, sentence := range results {
				if strings.Contains(passage, sentence) {
					of.held++
					break
				}
			}
			d = withoutLabels(d)
		}
	}
	for name, of := range map[string]figures{"with labels": labelled, "without labels": bare} {
		t.Logf("%s: %.0f abstracts, %.3f show a result, %.1f words", name, of.shown, of.held/of.shown, of.words/of.shown)
		if of.shown < 900 || of.held/of.shown < least || of.words/of.shown > longest {
			t.Errorf("%s: got %.3f of %.0f abstracts and %.1f words, want at least %g of 900 and at most %d words",
				name, of.held/of.shown, of.shown, of.words/of.shown, least, longest)
		}
	}
}

// resultsOf returns the sentences of an abstract's results, or nil if no section has that label or
// the abstract has only results.
func resultsOf(d *store.Document) (sentences []string) {
	other := false
	for _, s := range d.Sections {
		if label := strings.ToLower(s.Label); strings.Contains(label, "result") || strings.Contains(label, "finding") {
			sentences = append(sentences, strings.SplitAfter(s.Text, ". ")...)
		} else if label != "" {
			other = true
		}
	}
	if !other {
		return nil
	}
	for i, s := range sentences {
		sentences[i] = strings.TrimSpace(s)
	}
	return sentences
}

// withoutLabels returns a document with the sections of d as running text.
func withoutLabels(d *store.Document) *store.Document {
	var texts []string
	for _, s := range d.Sections {
		texts = append(texts, s.Text)
	}
	bare := *d
	bare.Abstract, bare.Sections = strings.Join(texts, " "), nil
	return &bare
}
