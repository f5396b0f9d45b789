package ctgov_test

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/ctgov"
	"biomcp/entrez/ctgov/ctgovtest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

const captures = "../../../shared/data/breadth/ctgov/"

func client(t *testing.T, s *sourcetest.Server) *httpclient.Client {
	t.Helper()
	return s.Network(t)
}

func simulated(t *testing.T) (*sourcetest.Server, *httpclient.Client) {
	t.Helper()
	s := sourcetest.New(t, sourcetest.NoLimit(), sourcetest.WithoutNetwork())
	ctgovtest.AddTo(s)
	return s, client(t, s)
}

// Only the first page has a total, and the last page has no token.
func TestPages(t *testing.T) { synctest.Test(t, testPages) }

func testPages(t *testing.T) {
	s, c := simulated(t)
	q := ctgov.Query{Condition: ctgov.Words("melanoma"), Sort: "@relevance", Fields: []string{"NCTId"}}
	first, err := ctgov.Search(t.Context(), c, q, "", 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Studies) != 3 {
		t.Fatalf("%d studies on the first page, want 3", len(first.Studies))
	}
	if first.Total == nil || *first.Total != 4 {
		t.Fatalf("total of the first page %v, want 4", first.Total)
	}
	if first.Next == "" {
		t.Fatal("the first page has no token")
	}
	last, err := ctgov.Search(t.Context(), c, q, first.Next, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(last.Studies) != 1 {
		t.Fatalf("%d studies on the last page, want 1", len(last.Studies))
	}
	if last.Total != nil {
		t.Fatalf("total of the last page %d, want none", *last.Total)
	}
	if last.Next != "" {
		t.Fatalf("token of the last page %q, want none", last.Next)
	}
	if q.Condition = "skin"; q.Fields != nil {
		_, err = ctgov.Search(t.Context(), c, q, first.Next, 3)
	}
	if !httpclient.IsKind(err, httpclient.Refused) {
		t.Errorf("a token of another query: %v", err)
	}
	if p := s.Requests()[1].Params; p.Has("countTotal") || p.Get("fields") != "NCTId" {
		t.Errorf("%v", p)
	}
}

func TestStudiesComeInOneRequestAlsoByAFormerNumber(t *testing.T) {
	s, c := simulated(t)
	got, err := ctgov.Studies(t.Context(), c, []string{"NCT99000901", "nct99000002", "NCT00000001"}, []string{"NCTId", "NCTIdAlias"})
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v, want two studies", got, err)
	}
	if !got[0].HasID("nct99000901") {
		t.Errorf("%s is not found by its former number", got[0].ID())
	}
	if !got[1].HasID("NCT99000002") || got[1].HasID("NCT99000901") {
		t.Errorf("second study %s, want NCT99000002", got[1].ID())
	}
	if s.Count() != 1 {
		t.Errorf("%d requests, want 1", s.Count())
	}
}

func capture(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join(captures, name))
	if err != nil {
		t.Skip("no captures here: ", err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	body, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// replayed returns the page that a client parses from a captured reply. It wraps a single study in
// a page.
func replayed(t *testing.T, name string) *ctgov.Page {
	t.Helper()
	body := capture(t, name)
	if !strings.Contains(string(body), `"studies"`) {
		body = slices.Concat([]byte(`{"studies":[`), body, []byte(`]}`))
	}
	s := sourcetest.New(t, sourcetest.NoLimit(), sourcetest.WithoutNetwork())
	ctgovtest.AddTo(s)
	s.Replay(map[string]sourcetest.Reply{"studies?countTotal=true&fields=NCTId&pageSize=5": {Status: 200, Type: sourcetest.JSONType, Body: body}})
	p, err := ctgov.Search(t.Context(), client(t, s), ctgov.Query{Fields: []string{"NCTId"}}, "", 5)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRealPages(t *testing.T) {
	for name, want := range map[string]struct {
		n, total int // -1: none
		next     bool
	}{
		"search_phelan_limit5.json": {5, 21, true}, "search_phelan_next.json": {5, -1, true}, "search_phelan_limit50.json": {3, 3, false},
		"search_nsclc_egfr_l858r.json": {2, 2, false}, "search_keytruda_limit3.json": {3, 2846, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := replayed(t, name)
			total := -1
			if p.Total != nil {
				total = *p.Total
			}
			if len(p.Studies) != want.n || (total < 0) != (want.total < 0) || (p.Next != "") != want.next {
				t.Errorf("%s: %d studies of %d, next %q", name, len(p.Studies), total, p.Next)
			}
		})
	}
}

// The heading "Exclusion Criteria:" is inside an inclusion criterion of NCT04280705.
func TestRealEligibility(t *testing.T) {
	for name, want := range map[string]struct {
		in, out       int
		first, barred string
	}{
		"study_NCT04280705.json.gz": {8, 5, "Admitted to a hospital", "Alanine Transaminase (ALT) or Aspartate Transaminase (AST) > 5 times"},
		"get_nct02576665.json":      {13, 12, "Patient has given written", "Patient has a history of other malignancy"},
		"get_nct06382129.json":      {12, 26, "Voluntarily sign", "Previous histological"},
		"get_nct06604689.json":      {10, 4, "Pathologically confirmed", "Multiple primary"},
	} {
		t.Run(name, func(t *testing.T) {
			c := replayed(t, name).Studies[0].Criteria()
			if len(c.Inclusion) != want.in || len(c.Exclusion) != want.out || len(c.Other) != 0 ||
				!strings.HasPrefix(c.Inclusion[0], want.first) || !strings.HasPrefix(c.Exclusion[0], want.barred) {
				t.Errorf("%s: %d and %d: %q %q", name, len(c.Inclusion), len(c.Exclusion), c.Inclusion, c.Exclusion)
			}
		})
	}
}

func TestARealStudyWithResults(t *testing.T) {
	s := replayed(t, "study_NCT04280705.json.gz").Studies[0]
	r := s.Get("resultsSection")
	for path, want := range map[string]string{
		"outcomeMeasuresModule.outcomeMeasures.#": "43", "outcomeMeasuresModule.outcomeMeasures.0.classes.0.categories.0.measurements.0.lowerLimit": "13",
		"outcomeMeasuresModule.outcomeMeasures.0.analyses.0.pValue": "<0.001", "adverseEventsModule.eventGroups.0.deathsNumAffected": "77",
	} {
		t.Run(path, func(t *testing.T) {
			if got := r.Get(path).String(); got != want {
				t.Errorf("%s: %s", path, got)
			}
		})
	}
	if got := string(ctgov.SnakeCase(r.Get("outcomeMeasuresModule.outcomeMeasures.0"))); !strings.Contains(got, `"time_frame":`) || strings.Contains(got, "timeFrame") {
		t.Error(got)
	}
}

func FuzzStudies(f *testing.F) {
	f.Add([]byte(`{"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT00000001"}}}],"totalCount":1}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if !json.Valid(body) {
			return
		}
		s := sourcetest.New(t, sourcetest.NoLimit(), sourcetest.WithoutNetwork())
		ctgovtest.AddTo(s)
		s.Replay(map[string]sourcetest.Reply{"studies?countTotal=true&fields=NCTId&pageSize=5": {Status: 200, Type: sourcetest.JSONType, Body: body}})
		cfg := s.Config()
		cfg.MaxRetries = -1
		c, err := httpclient.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := ctgov.Search(t.Context(), c, ctgov.Query{Fields: []string{"NCTId"}}, "", 5); err == nil {
			for _, s := range p.Studies {
				s.Criteria()
			}
		}
	})
}
