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
			if r.Query != term || r.CorrectedQuery != want || r.ERROR != "" {
				t.Errorf("%s: %+v, want %s", term, r, want)
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
			if status != 200 || r.Status != "ok" || len(r.Records) != 1 || r.Records[0] != want {
				t.Errorf("%s: %d %+v", query, status, r)
			}
			if r.Date != "2026-01-02 03:04:05" {
				t.Errorf("date %s", r.Date)
			}
		})
	}
	if _, body := fetch(t, s, s.IDConvURL()+"?ids=80000002"); !strings.Contains(body, `"pmid":80000002`) {
		t.Errorf("the pmid is no number: %s", body)
	}
	for _, query := range []string{"ids=PMC8000001,10.1/x", "ids=80000001,PMC1", "ids=x", "ids=", "ids=" + strings.TrimSuffix(strings.Repeat("1,", 201), ",")} {
		t.Run(fmt.Sprintf("%.60s", query), func(t *testing.T) {
			if status, r := get(query); status != 400 || r.Status != "error" || r.Message == "" {
				t.Errorf("%.40s: %d %+v", query, status, r)
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
	if len(docs) != 2 || docs[0].PMID != 80000001 || docs[1].PMID != 80000002 {
		t.Fatalf("%d documents", len(docs))
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
	if !kinds["Chemical"] || !kinds["Disease"] || !kinds["Species"] {
		t.Errorf("kinds %v", kinds)
	}
	if _, err := s.AddPubTator([]byte(`{"PubTator3":[{"_id":"80000001|None","pmid":80000001,"passages":[]}]}`)); err != nil {
		t.Fatal(err)
	}
	if got := get("80000001"); len(got[0].Passages) != 0 {
		t.Error("a given export is not used")
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
	if !strings.Contains(sum, `{"idtype":"pmcid","value":"PMC8000001"}`) || !strings.Contains(sum, `"9":{"uid":"9","error"`) {
		t.Error(sum)
	}
	s.Withhold("PMC8000001")
	if got := ask(t, s, "efetch.fcgi?db=pmc&id=8000001"); strings.Contains(got, "<body>") || !strings.Contains(got, "does not allow downloading") {
		t.Errorf("withheld: %s", got)
	}
	if _, err := s.AddJATS([]byte("<article><front/></article>")); err == nil {
		t.Error("a text without a PMCID is taken")
	}
}

func TestPMCFrameIsThatOfTheCapture(t *testing.T) {
	want, _, _ := strings.Cut(read(t, shared(t, "eutils/efetch_pmc.xml")), "<article ")
	got, _, _ := strings.Cut(ask(t, imaginary(t), "efetch.fcgi?db=pmc&id=8000001"), "<article ")
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
