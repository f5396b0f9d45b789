package evaluate

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"biomcp/entrez/record"
)

// Questions holds the queries of a test collection.
type Questions []Question

// A Question is a query with its relevance judgements: the gain of each relevant PMID. Seed is
// the document that the query was taken from, which is excluded from the ranking, or zero.
type Question struct {
	ID, Text string
	Seed     record.PMID
	Relevant map[record.PMID]float64
}

// Load reads a test collection from a folder: queries.jsonl (_id, text) and qrels.tsv
// (query-id, corpus-id, score; the first line is a heading). An _id that ends with a hyphen and
// a PMID names the seed. Load does not read the documents, which are PubMed XML for Import.
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
		questions = append(questions, Question{q.ID, q.Text, seedOf(q.ID), map[record.PMID]float64{}})
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
		if gain > 0 && pmid != questions[i].Seed {
			questions[i].Relevant[pmid] = gain
		}
		return cmp.Or(err1, err2)
	})
}

func seedOf(id string) record.PMID {
	_, seed, _ := strings.Cut(id, "-")
	pmid, err := record.ParsePMID(seed)
	if err != nil {
		return 0
	}
	return pmid
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

// WithAnswersIn returns the queries that have a relevant document among pmids. Their judgements are
// reduced to pmids.
func (questions Questions) WithAnswersIn(pmids map[record.PMID]bool) (subset Questions) {
	for _, q := range questions {
		relevant := maps.Clone(q.Relevant)
		maps.DeleteFunc(relevant, func(pmid record.PMID, _ float64) bool { return !pmids[pmid] })
		if len(relevant) > 0 {
			subset = append(subset, Question{q.ID, q.Text, q.Seed, relevant})
		}
	}
	return subset
}
