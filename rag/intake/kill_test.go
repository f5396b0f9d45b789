package intake

import (
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "biomcp/build/testgc"
	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/pubmed"
	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// The environment of a child: what to do ("embed" with the address of a service),
// the data folder, and the folder to import or NCBI's address.
const childJob, childData, childFrom = "INTAKE_TEST_JOB", "INTAKE_TEST_DATA", "INTAKE_TEST_FROM"

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		if err := child(job, os.Getenv(childData), os.Getenv(childFrom)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child syncs until it is killed or done. It acknowledges on its standard output:
// "open", the file it begins with, and how many entries are stored.
func child(job, data, from string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: data})
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println("open")
	first, stored := "", 0
	o := Options{Store: s, batch: 100, Progress: func(p Progress) {
		if first == "" && p.File != "" {
			first = p.File
			fmt.Println("first", first)
		}
		if p.Stored > stored {
			stored = p.Stored
			fmt.Println("stored", stored)
		}
	}}
	switch kind, url, _ := strings.Cut(job, " "); kind {
	case "mirror":
		o.NoVectors = true
		err = mirrorChild(ctx, o, from, data)
	case "import":
		_, err = Import(ctx, o, from)
	case "embed":
		o.Embedder = served{url}
		var failed *rag.EmbedError
		if _, err = Import(ctx, o, from); errors.As(err, &failed) {
			err = nil // as the parent has it fail
		}
	default:
		_, err = Delta(ctx, o, unhurried{from}, Query{Key: "k", Term: "synthetic[tiab]"})
	}
	return err
}

// unhurried asks a simulated NCBI without the pace of the real client, which
// would make a hundred runs take minutes.
type unhurried struct{ base string }

func (u unhurried) get(ctx context.Context, path string, params url.Values) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.base+path+"?"+params.Encode(), nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, errors.New(resp.Status)
	}
	return resp.Body, nil
}

func (u unhurried) Search(ctx context.Context, p entrez.SearchParams) (*entrez.SearchResult, error) {
	body, err := u.get(ctx, "esearch.fcgi", url.Values{"db": {"pubmed"}, "term": {p.Term}, "retmax": {"9999"}})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	var x struct {
		Count int
		IDs   []string `xml:"IdList>Id"`
	}
	err = xml.NewDecoder(body).Decode(&x)
	return &entrez.SearchResult{Count: x.Count, IDs: x.IDs}, err
}

func (u unhurried) SearchAll(ctx context.Context, p entrez.SearchParams, each func([]string) error) (entrez.Tally, error) {
	found, err := u.Search(ctx, p)
	if err != nil {
		return entrez.Tally{}, err
	}
	return entrez.Tally{Promised: found.Count, Fetched: len(found.IDs)}, each(found.IDs)
}

func (u unhurried) Fetch(ctx context.Context, ids []string) (*entrez.FetchResult, error) {
	body, err := u.get(ctx, "efetch.fcgi", url.Values{"db": {"pubmed"}, "retmode": {"xml"}, "id": {strings.Join(ids, ",")}})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	got := &entrez.FetchResult{}
	for item, err := range pubmed.Scan(body) {
		if err != nil {
			return nil, err
		}
		got.Articles = append(got.Articles, item.Article)
	}
	return got, nil
}

// A sync that is killed at a random moment, twenty times of each kind, leaves a
// corpus that opens, loses nothing it has reported as stored, holds nothing twice, and is
// completed by the next run.
func TestKilledSyncsLoseNothing(t *testing.T) {
	t.Parallel()
	kills := 20
	if testing.Short() {
		kills = 2
	}
	t.Run("import", func(t *testing.T) {
		t.Parallel()
		files := []file{
			{records: many(1, 700)},
			{records: many(701, 300), deleted: []int{4, 800}},
			{records: revised(many(500, 250))},
			{records: append(many(2000, 399), pubmedRecord{pmid: 2399, lr: "2024-08-01"}), deleted: []int{2001, 600}},
			{records: revised(many(1, 20))},
		}
		names := map[string]string{}
		for i, f := range files {
			names[fmt.Sprint(i, ".xml")] = set(f.records, f.deleted...)
		}
		folder := write(t, names)
		states, starts := model(files)
		reached := 0
		killing(t, kills, "import", folder, func(s *store.Store, docs map[record.PMID]string, first string, stored int) bool {
			// The corpus is what the files leave after some number of entries: no
			// fewer than were acknowledged, no fewer than the time before.
			least := stored
			if first != "" {
				least = max(least, reached, starts[first]+stored)
			}
			for reached = least; reached < len(states) && states[reached] != digest(docs); reached++ {
			}
			if reached == len(states) {
				t.Fatalf("%d documents are not what any number of entries from %d on leaves", len(docs), least)
			}
			whole := reached == len(states)-1
			if whole {
				reached = 0 // the next corpus is a new one
			}
			return whole
		})
	})
	t.Run("delta", func(t *testing.T) {
		t.Parallel()
		srv := entreztest.New(t, entreztest.XML(strings.NewReader(set(many(1, 1500)))), entreztest.NoLimit())
		killing(t, kills, "delta", srv.EntrezURL(), func(s *store.Store, docs map[record.PMID]string, _ string, stored int) bool {
			if len(docs) < stored {
				t.Fatalf("%d acknowledged, %d there", stored, len(docs))
			}
			edat, moved, err := s.Checkpoint(t.Context(), "k")
			if err != nil || moved && (len(docs) != 1500 || edat != "2024-05-11T06:00:00Z") {
				t.Fatalf("watermark %q with %d documents, %v", edat, len(docs), err)
			}
			k, _, err := keyOf(t.Context(), s, "k")
			news, failed := NewsSince(t.Context(), s, "k", k.Round)
			if err != nil || failed != nil || len(news.Added) != len(docs) || k.FinishedRound != 0 && k.FinishedRound != k.Round {
				t.Fatalf("%d of %d documents are new in round %d, the last whole one is %d, %v %v", len(news.Added), len(docs), k.Round, k.FinishedRound, err, failed)
			}
			return moved
		})
	})
}

// file is the content of a file of the import.
type file struct {
	records []pubmedRecord
	deleted []int
}

// revised is the records with a later date and another title.
func revised(records []pubmedRecord) []pubmedRecord {
	for i := range records {
		records[i].lr, records[i].title = "2024-07-01", fmt.Sprintf("Synthetic revision %d", records[i].pmid)
	}
	return records
}

// model is what a corpus holds after each entry of the files, as a digest, and
// the number of entries before each file. In these files a later record is never
// older than the one before it, and nothing deleted comes back.
func model(files []file) (states []uint64, starts map[string]int) {
	docs := map[record.PMID]string{}
	states, starts = []uint64{digest(docs)}, map[string]int{}
	for i, f := range files {
		starts[fmt.Sprint(i, ".xml")] = len(states) - 1
		for _, r := range f.records {
			docs[record.PMID(r.pmid)] = cmp.Or(r.title, fmt.Sprint("Synthetic title ", r.pmid))
			states = append(states, digest(docs))
		}
		for _, pmid := range f.deleted {
			delete(docs, record.PMID(pmid))
			states = append(states, digest(docs))
		}
	}
	return states, starts
}

// digest is equal for equal sets of titles.
func digest(docs map[record.PMID]string) (sum uint64) {
	for pmid, title := range docs {
		h := fnv.New64a()
		fmt.Fprint(h, pmid, title)
		sum += h.Sum64()
	}
	return sum
}

// killing runs children until kills of them were killed. It uses one corpus until it is
// complete, then the next. After each run it calls check with the content of the corpus, the
// file at which the run began and the records it acknowledged. check reports whether the corpus
// is complete.
func killing(t *testing.T, kills int, job, from string, check func(s *store.Store, docs map[record.PMID]string, first string, stored int) bool) {
	whole := 300 * time.Millisecond // a guess, until a run has come to its end
	for killed := 0; killed < kills; {
		data := t.TempDir()
		for done := false; !done; {
			wait := rand.N(whole)
			if killed >= kills {
				wait = -1
			}
			r := run(t, job, data, from, wait)
			if r.killed {
				killed++
			} else if wait < 0 {
				whole = max(whole, r.took)
			}
			s, docs := contents(t, data)
			done = check(s, docs, r.first, r.stored)
			if !r.killed {
				if m, err := s.Models(t.Context()); !done || err != nil || len(m) != 1 || !m[0].InUse || m[0].Missing != 0 {
					t.Fatalf("a run that came to its end left %d documents and models %+v, %v", len(docs), m, err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// ran is the report of a child.
type ran struct {
	first  string // the file it began with
	stored int    // the last acknowledgement
	killed bool
	took   time.Duration // since it had opened the corpus
}

// run runs a child and kills it some time after it has opened the corpus; a
// negative time is never.
func run(t *testing.T, job, data, from string, wait time.Duration) (r ran) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+job, childData+"="+data, childFrom+"="+from)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var opened time.Time
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch word, rest, _ := strings.Cut(lines.Text(), " "); word {
		case "open":
			opened = time.Now()
			if wait >= 0 {
				defer time.AfterFunc(wait, func() { _ = cmd.Process.Kill() }).Stop()
			}
		case "first":
			r.first = rest
		case "stored":
			if r.stored, err = strconv.Atoi(rest); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if r.killed = errors.As(err, &exit) && exit.ExitCode() < 0; err != nil && !r.killed {
		t.Fatalf("the child failed: %v %s", err, stderr.String())
	}
	r.took = time.Since(opened)
	return r
}

// contents opens a corpus and returns the titles it holds. The index must hold
// the chunks of these documents and no other, none twice.
func contents(t *testing.T, data string) (*store.Store, map[record.PMID]string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: data})
	if err != nil {
		t.Fatalf("the corpus does not open: %v", err)
	}
	docs := map[record.PMID]string{}
	for d, err := range s.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		docs[d.PMID] = d.Title
	}
	hits, err := s.Search(t.Context(), store.All{}, store.Filter{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	indexed := map[record.PMID]bool{}
	for _, h := range hits {
		if _, ok := docs[h.PMID]; !ok || indexed[h.PMID] {
			t.Fatalf("the index holds %d twice, or without a document", h.PMID)
		}
		indexed[h.PMID] = true
	}
	if len(indexed) != len(docs) {
		t.Fatalf("%d documents, %d in the index", len(docs), len(indexed))
	}
	return s, docs
}
