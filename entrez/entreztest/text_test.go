package entreztest

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestESpell(t *testing.T) {
	s := imaginary(t)
	for term, want := range map[string]string{
		"asthhma": "asthma", "asthmma AND micee": "asthma AND mice", "asthma": "", "inflamation[ti] OR zzzzqqqq": "inflammation[ti] OR zzzzqqqq",
		`"stm cells"`: "", "childhod asthma": "childhood asthma",
	} {
		t.Run(term, func(t *testing.T) {
			var r struct{ Query, CorrectedQuery, ERROR string }
			if err := xml.Unmarshal([]byte(ask(t, s, "espell.fcgi?term="+strings.NewReplacer(" ", "+", `"`, "%22").Replace(term))), &r); err != nil {
				t.Fatal(err)
			}
			if r.Query != term {
				t.Errorf("Query is %q, want %q", r.Query, term)
			}
			if r.CorrectedQuery != want {
				t.Errorf("CorrectedQuery is %q, want %q", r.CorrectedQuery, want)
			}
			if r.ERROR != "" {
				t.Errorf("ERROR is %q, want none", r.ERROR)
			}
		})
	}
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"kitten", "sitting", 3}, {"asthma", "asthma", 0}, {"abc", "acb", 2}, {"abcdef", "x", 3}} {
		t.Run(c.a, func(t *testing.T) {
			if got := editDistance(c.a, c.b, 2); got != min(c.want, 3) {
				t.Errorf("%s to %s: %d", c.a, c.b, got)
			}
		})
	}
}

func TestECitMatch(t *testing.T) {
	s := imaginary(t)
	lines := []string{
		"imag j lung res|2021|12|101|Müller JA|k1|", "Imaginary journal of lung research (Nowhere)|2021|12|101||k2|",
		"imag j lung res|1066|12|101|muller ja|wrong year|", "imag j lung res|2021|12|101|Nobody X|wrong author|",
		"no such journal|2021|12|101|x|k5|", "imag j lung res|2021|99|1|x|k6|", "imag j lung res|||||k7|", "garbage",
	}
	want := []string{
		"80000001", "80000001", "80000001", "80000001", "NOT_FOUND;INVALID_JOURNAL", "NOT_FOUND", "AMBIGUOUS 80000001,80000003",
	}
	got := strings.Split(strings.TrimSpace(ask(t, s, "ecitmatch.cgi?db=pubmed&retmode=xml&bdata="+strings.ReplaceAll(strings.Join(lines, "%0D"), " ", "+"))), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d lines: %q", len(got), got)
	}
	for i := range want {
		if got[i] != lines[i]+want[i] {
			t.Errorf("%s, want %s", got[i], lines[i]+want[i])
		}
	}
}

func TestIDConverter(t *testing.T) {
	s := imaginary(t)
	s.SetNow(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	get := func(query string) (int, idconvReply) {
		status, body := fetch(t, s, s.IDConvURL()+"?format=json&"+query)
		return status, decode[idconvReply](t, body)
	}
	trial := idconvRecord{DOI: "10.99999/imag.2021.101", PMCID: "PMC8000001", PMID: 80000001}
	for query, want := range map[string]idconvRecord{
		"ids=80000001&idtype=pmid": trial, "ids=PMC8000001": trial, "ids=10.99999/IMAG.2021.101": trial,
		"ids=80000002": {PMID: 80000002, Status: "error", Message: "Identifier not found in PMC"},
		"ids=PMC1":     {PMCID: "PMC1", Status: "error", Message: "Identifier not found in PMC"},
	} {
		t.Run(query, func(t *testing.T) {
			status, r := get(query)
			want.RequestedID = regexp.MustCompile(`ids=([^&]*)`).FindStringSubmatch(query)[1]
			if status != 200 {
				t.Errorf("HTTP status is %d, want 200", status)
			}
			if r.Status != "ok" {
				t.Errorf("status is %q, want ok", r.Status)
			}
			if !slices.Equal(r.Records, []idconvRecord{want}) {
				t.Errorf("records are %+v, want only %+v", r.Records, want)
			}
			if want := "2026-01-02 03:04:05"; r.Date != want {
				t.Errorf("date is %s, want %s", r.Date, want)
			}
		})
	}
	if _, body := fetch(t, s, s.IDConvURL()+"?ids=80000002"); !strings.Contains(body, `"pmid":80000002`) {
		t.Errorf("the pmid is not a number: %s", body)
	}
	for _, query := range []string{"ids=PMC8000001,10.1/x", "ids=80000001,PMC1", "ids=x", "ids=", "ids=" + strings.TrimSuffix(strings.Repeat("1,", 201), ",")} {
		t.Run(fmt.Sprintf("%.60s", query), func(t *testing.T) {
			status, r := get(query)
			if status != 400 {
				t.Errorf("HTTP status is %d, want 400", status)
			}
			if r.Status != "error" {
				t.Errorf("status is %q, want error", r.Status)
			}
			if r.Message == "" {
				t.Error("the reply has no message")
			}
		})
	}
}

func TestPubTatorAnnotationsAreAtTheirLocations(t *testing.T) {
	s := imaginary(t)
	get := func(ids string) []bioDocument {
		_, body := fetch(t, s, s.PubTatorURL()+"publications/export/biocjson?pmids="+ids)
		return decode[struct{ PubTator3 []bioDocument }](t, body).PubTator3
	}
	docs := get("80000001,999,80000002")
	var pmids []int
	for _, d := range docs {
		pmids = append(pmids, d.PMID)
	}
	if want := []int{80000001, 80000002}; !slices.Equal(pmids, want) {
		t.Fatalf("documents of %v, want %v", pmids, want)
	}
	kinds := map[string]bool{}
	for _, d := range docs {
		whole := []rune(d.Passages[0].Text + " " + d.Passages[1].Text)
		for _, p := range d.Passages {
			if got := string(whole[p.Offset : p.Offset+len([]rune(p.Text))]); got != p.Text {
				t.Errorf("passage at %d is %q", p.Offset, got)
			}
			for _, a := range p.Annotations {
				kinds[a.Infons.Type] = true
				at := a.Locations[0]
				if got := string(whole[at.Offset : at.Offset+at.Length]); got != a.Text {
					t.Errorf("%q is annotated as %q", got, a.Text)
				}
			}
		}
	}
	for _, want := range []string{"Chemical", "Disease", "Species"} {
		if !kinds[want] {
			t.Errorf("no annotation of type %s, only %v", want, kinds)
		}
	}
	if _, err := s.AddPubTator([]byte(`{"PubTator3":[{"_id":"80000001|None","pmid":80000001,"passages":[]}]}`)); err != nil {
		t.Fatal(err)
	}
	if got := get("80000001"); len(got[0].Passages) != 0 {
		t.Error("the reply is not the export that the test added")
	}
	if status, _ := fetch(t, s, s.PubTatorURL()+"publications/export/biocjson?pmids="); status != 400 {
		t.Errorf("no ids: %d", status)
	}
}

func TestPMC(t *testing.T) {
	s := imaginary(t)
	got := ask(t, s, "efetch.fcgi?db=pmc&id=PMC8000001,7&retmode=xml")
	for _, want := range []string{pmcProlog + "<article ", "<p>Nothing was inhaled by anybody.</p>", `<error id="7">The following PMCID is not available: 7</error>`, "</pmc-articleset>"} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(got, want) {
				t.Errorf("%s is missing in %s", want, got)
			}
		})
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
	if got := look(t, s, "asthma", "db", "pmc"); !slices.Equal(got.IDs, []string{"8000001"}) {
		t.Errorf("esearch db=pmc: %+v", got)
	}
	sum := ask(t, s, "esummary.fcgi?db=pmc&retmode=json&id=8000001,9")
	if want := `{"idtype":"pmcid","value":"PMC8000001"}`; !strings.Contains(sum, want) {
		t.Errorf("%s is missing in %s", want, sum)
	}
	if want := `"9":{"uid":"9","error"`; !strings.Contains(sum, want) {
		t.Errorf("%s is missing in %s", want, sum)
	}
	s.Withhold("PMC8000001")
	withheld := ask(t, s, "efetch.fcgi?db=pmc&id=8000001")
	if strings.Contains(withheld, "<body>") {
		t.Errorf("a withheld article has a body: %s", withheld)
	}
	if want := "does not allow downloading"; !strings.Contains(withheld, want) {
		t.Errorf("%q is missing in the withheld article: %s", want, withheld)
	}
	if _, err := s.AddJATS([]byte("<article><front/></article>")); err == nil {
		t.Error("AddJATS accepts a text without a PMCID")
	}
}

func TestPMCFrameIsThatOfTheCapture(t *testing.T) {
	want, _, _ := strings.Cut(read(t, shared(t, "eutils/efetch_pmc.xml")), "<article ")
	got, _, _ := strings.Cut(ask(t, imaginary(t), "efetch.fcgi?db=pmc&id=8000001"), "<article ")
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
