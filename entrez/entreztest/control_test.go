package entreztest

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// order posts to a control route, as another process does.
func order(t *testing.T, s *Server, name, body string) (int, string) {
	t.Helper()
	r, err := s.Client().Post(s.URL()+"/control/"+name, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

func obey(t *testing.T, s *Server, name, body string) string {
	t.Helper()
	status, text := order(t, s, name, body)
	if status != http.StatusOK {
		t.Fatalf("%s: %d %s", name, status, text)
	}
	return text
}

func TestControlRetracts(t *testing.T) {
	s := imaginary(t)
	obey(t, s, "clock", `{"now":"2025-06-07T08:00:00Z"}`)
	for _, pmid := range []string{"80000001", "80000005"} {
		t.Run(pmid, func(t *testing.T) { // the first has a list of corrections, the second has none
			obey(t, s, "retract", `{"pmid":"`+pmid+`","notice_pmid":"80000099"}`)
			a := s.Article(pmid)
			if !a.Retracted {
				t.Errorf("%s is not retracted", pmid)
			}
			if !slices.Contains(a.PublicationTypes, "Retracted Publication") {
				t.Errorf("%s: types %q, want Retracted Publication among them", pmid, a.PublicationTypes)
			}
			if want := "2025-06-07"; a.Dates.LastRevised != want {
				t.Errorf("%s: revised %s, want %s", pmid, a.Dates.LastRevised, want)
			}
			notice := a.Corrections[len(a.Corrections)-1]
			if notice.Type != "RetractionIn" {
				t.Errorf("%s: type of the last correction %s, want RetractionIn", pmid, notice.Type)
			}
			if notice.PMID != "80000099" {
				t.Errorf("%s: PMID of the notice %s, want 80000099", pmid, notice.PMID)
			}
		})
	}
	if got := look(t, s, "retracted publication[pt]"); len(got.IDs) != 3 {
		t.Errorf("retracted: %v", got.IDs)
	}
	if got := look(t, s, "2025/06/07[mdat]"); len(got.IDs) != 2 {
		t.Errorf("revised on the day: %v", got.IDs)
	}
	if got := ask(t, s, "esummary.fcgi?retmode=json&id=80000005"); !strings.Contains(got, `"reftype":"Retraction in","pmid":80000099`) {
		t.Error(got)
	}
	obey(t, s, "retract", `{"pmid":"80000001","notice_pmid":""}`)
	if n := strings.Count(string(s.Raw("80000001")), "Retracted Publication"); n != 1 {
		t.Errorf("retracted twice: %d types", n)
	}
	doc := ask(t, s, "efetch.fcgi?id=80000001,80000005")
	if err := readDTD(t, shared(t, "dtd/pubmed_250101.dtd")).check(doc); err != nil {
		t.Error(err)
	}
}

func TestControlRevisesAndDeletes(t *testing.T) {
	s := imaginary(t)
	obey(t, s, "clock", `{"now":"2025-06-07T08:00:00Z"}`)
	obey(t, s, "clock", `{"advance":"24h"}`)
	obey(t, s, "revise", `{"pmid":"80000005","title":"A <new> title & more","abstract":"Now with an abstract about quokkas."}`)
	obey(t, s, "revise", `{"pmid":"80000001","abstract":"Only this is left."}`)
	a := s.Article("80000005")
	for _, field := range []struct{ name, got, want string }{
		{"title", a.Title, "A <new> title & more"},
		{"abstract", a.Abstract, "Now with an abstract about quokkas."},
		{"last revision", a.Dates.LastRevised, "2025-06-08"},
		{"creation", a.Dates.Entrez, "2024-02-28"},
	} {
		if field.got != field.want {
			t.Errorf("%s %q, want %q", field.name, field.got, field.want)
		}
	}
	if got := look(t, s, "quokkas[tiab]"); !slices.Equal(got.IDs, []string{"80000005"}) {
		t.Errorf("new text: %v", got.IDs)
	}
	old := look(t, s, "obesity[ti]")
	if old.Count != "0" {
		t.Errorf("old text: count %s, want 0", old.Count)
	}
	if want := []string{"obesity"}; !slices.Equal(old.Errors.PhrasesNotFound, want) {
		t.Errorf("old text: not found %q, want %q", old.Errors.PhrasesNotFound, want)
	}
	b := s.Article("80000001")
	if want := "Only this is left."; b.Abstract != want {
		t.Errorf("abstract %q, want %q", b.Abstract, want)
	}
	if b.Copyright != "" {
		t.Errorf("copyright %q, want none", b.Copyright)
	}
	if err := readDTD(t, shared(t, "dtd/pubmed_250101.dtd")).check(ask(t, s, "efetch.fcgi?id=80000001,80000005")); err != nil {
		t.Error(err)
	}
	if got := obey(t, s, "delete", `{"pmids":["80000001","12"]}`); got != `{"deleted":["80000001"]}` {
		t.Error(got)
	}
	if got := fetched(ask(t, s, "efetch.fcgi?id=80000001,80000002")); got != "2" {
		t.Errorf("after deletion: %s", got)
	}
	for _, q := range []string{"80000001[uid]", "breathlessness", "childhood asthma[ti]"} {
		t.Run(q, func(t *testing.T) {
			if got := look(t, s, q); len(got.IDs) != 0 {
				t.Errorf("%s finds the deleted record: %v", q, got.IDs)
			}
		})
	}
	if got := ask(t, s, "elink.fcgi?id=80000003&linkname=pubmed_pubmed_citedin&retmode=json"); !strings.Contains(got, `"links":["80000002"]`) {
		t.Errorf("cited by the deleted record: %s", got)
	}
}

func TestControlAddsReplacesAndReads(t *testing.T) {
	s := imaginary(t)
	added := string(Synthetic(70000007, 3, func(m *SyntheticRecord) { m.Title = "Zebrafish sleep." }))
	obey(t, s, "records", added)
	if got := look(t, s, "zebrafish"); !slices.Equal(got.IDs, []string{"70000007"}) {
		t.Errorf("added: %v", got.IDs)
	}
	obey(t, s, "records", string(Synthetic(70000007, 3, func(m *SyntheticRecord) { m.Title = "Zebra sleep." })))
	if got := look(t, s, "zebrafish"); len(got.IDs) != 0 {
		t.Errorf("the replaced text finds %v", got.IDs)
	}
	if s.Len() != 6 {
		t.Errorf("%d records after a replacement, want 6", s.Len())
	}
	obey(t, s, "records", `<PubmedArticleSet>`+added+`<DeleteCitation><PMID Version="1">80000003</PMID></DeleteCitation></PubmedArticleSet>`)
	if s.Article("80000003") != nil {
		t.Error("DeleteCitation did not delete its record")
	}
	if s.Len() != 5 {
		t.Errorf("%d records after a deletion, want 5", s.Len())
	}
	obey(t, s, "jats", `<article><front><article-meta><article-id pub-id-type="pmc">42</article-id></article-meta></front></article>`)
	if got := ask(t, s, "efetch.fcgi?db=pmc&id=42"); !strings.Contains(got, "<article>") {
		t.Error(got)
	}
	obey(t, s, "pubtator", `{"PubTator3":[{"pmid":5}]}`)
	obey(t, s, "heading", `{"ui":"D000001","terms":["Calcimycin"]}`)
	if got := look(t, s, "calcimycin", "db", "mesh"); !slices.Equal(got.IDs, []string{"68000001"}) {
		t.Errorf("heading: %v", got.IDs)
	}
	obey(t, s, "withhold", `{"pmcid":"PMC42"}`)
	obey(t, s, "faults", `[{"endpoint":"einfo","kind":"limit-429","times":2,"retry_after":"3"}]`)
	for _, want := range []int{429, 429, 200} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			if status, _ := fetch(t, s, s.EntrezURL()+"einfo.fcgi"); status != want {
				t.Errorf("%d, want %d", status, want)
			}
		})
	}
	status, text := fetch(t, s, s.URL()+"/control/state")
	state := decode[State](t, text)
	if status != 200 {
		t.Errorf("status %d, want 200", status)
	}
	if state.Records != 5 {
		t.Errorf("%d records, want 5", state.Records)
	}
	if state.Limited != 2 {
		t.Errorf("%d limited requests, want 2", state.Limited)
	}
	if state.Requests != s.Count() {
		t.Errorf("%d requests, want %d", state.Requests, s.Count())
	}
	_, text = fetch(t, s, s.URL()+"/control/requests?endpoint=einfo")
	list := decode[[]Request](t, text)
	if len(list) != 3 {
		t.Fatalf("%d requests of einfo, want 3: %s", len(list), text)
	}
	if got := list[2].Status; got != 200 {
		t.Errorf("the third request of einfo has status %d, want 200", got)
	}
	_, text = fetch(t, s, s.URL()+"/control/record?pmid=70000007")
	if r := decode[struct{ XML string }](t, text); r.XML != added {
		t.Errorf("%s", text)
	}
	for _, name := range []string{"behave", "release", "kill-history", "forget"} {
		t.Run(name, func(t *testing.T) {
			if got := obey(t, s, name, ""); got != `{"ok":true}` {
				t.Errorf("%s: %s", name, got)
			}
		})
	}
	if s.Count() != 0 {
		t.Error("forget forgets nothing")
	}
}

func TestControlRefuses(t *testing.T) {
	s := imaginary(t)
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"nosuch", "", 404}, {"retract", `{"pmid":"12"}`, 404}, {"revise", `{"pmid":"12"}`, 404},
		{"retract", `{"pmid":"80000004"}`, 400}, // a book
		{"retract", `nonsense`, 400}, {"retract", `{"pmids":"80000001"}`, 400}, {"delete", ``, 400},
		{"records", `<PubmedArticleSet><PubmedArticle><Medline`, 400}, {"clock", `{}`, 400}, {"clock", `{"now":"yesterday"}`, 400},
		{"clock", `{"advance":"soon"}`, 400}, {"faults", `[{"kind":"nosuch"}]`, 400}, {"jats", `<article/>`, 400},
		{"pubtator", `{"PubTator3":[{}]}`, 400}, {"heading", `{"ui":"x"}`, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, text := order(t, s, c.name, c.body)
			if status != c.status {
				t.Errorf("%s %s: status %d, want %d", c.name, c.body, status, c.status)
			}
			if want := `{"error":"`; !strings.HasPrefix(text, want) {
				t.Errorf("%s %s: %s, want prefix %s", c.name, c.body, text, want)
			}
			if !json.Valid([]byte(text)) {
				t.Errorf("%s %s: %s, want valid JSON", c.name, c.body, text)
			}
		})
	}
	for _, name := range []string{"nosuch", "record?pmid=1"} {
		t.Run(name, func(t *testing.T) {
			if status, _ := fetch(t, s, s.URL()+"/control/"+name); status != 404 {
				t.Errorf("GET %s: %d", name, status)
			}
		})
	}
	if s.Len() != 5 {
		t.Errorf("%d records are left", s.Len())
	}
}

func TestClock(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := imaginary(t, Clock(func() time.Time { return at }))
	s.SetNow(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
	at = at.Add(time.Hour)
	s.Advance(time.Minute)
	if got := s.Now().Format(time.RFC3339); got != "2020-01-01T01:01:00Z" {
		t.Errorf("now %s", got)
	}
}

func TestSyntheticRecordsAreValidAndAlwaysTheSame(t *testing.T) {
	var docs []string
	for range 2 {
		data, err := io.ReadAll(Generate(120, 9))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, string(data))
	}
	if docs[0] != docs[1] {
		t.Error("the same seed gives other records")
	}
	other, err := io.ReadAll(Generate(120, 10))
	if err != nil {
		t.Fatal(err)
	}
	if string(other) == docs[0] {
		t.Error("another seed gives the same records")
	}
	if err := xml.Unmarshal([]byte(docs[0]), new(struct{})); err != nil {
		t.Fatal(err)
	}
	s := New(t, XML(strings.NewReader(docs[0])), WithoutNetwork(), NoLimit())
	if s.Len() != 120 {
		t.Fatalf("%d records", s.Len())
	}
	last := s.Article("70000120")
	if got := last.Dates.Entrez[:4]; got != "2024" {
		t.Errorf("the last record is of %s, want 2024", got)
	}
	if last.Title == "" {
		t.Error("the last record has no title")
	}
	if last.Journal.Abbreviation == "" {
		t.Error("the last record has no journal abbreviation")
	}
	if len(last.Authors) == 0 {
		t.Error("the last record has no authors")
	}
	if err := readDTD(t, shared(t, "dtd/pubmed_250101.dtd")).check(docs[0]); err != nil {
		t.Error(err)
	}
}
