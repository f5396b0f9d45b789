package article_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// PubMed has the dates of journals as they print them.
func TestPubDateOfEveryForm(t *testing.T) {
	t.Parallel()
	dates := map[string]string{ // by PubDate
		"<MedlineDate>1976-1977</MedlineDate>":                 "1976",
		"<MedlineDate>Dec 2011</MedlineDate>":                  "2011-12",
		"<MedlineDate>Summer 2017</MedlineDate>":               "2017",
		"<MedlineDate>20 Dec 2010</MedlineDate>":               "2010-12-20",
		"<MedlineDate>[1952]</MedlineDate>":                    "1952",
		"<MedlineDate>1998 Dec-1999 Jan</MedlineDate>":         "1998-12",
		"<MedlineDate>2000 Spring</MedlineDate>":               "2000",
		"<MedlineDate>15-31 September 2009</MedlineDate>":      "2009-09-15",
		"<MedlineDate>c1987</MedlineDate>":                     "1987", // by the date for sorting
		"<Year>2016</Year><Month>Mar</Month><Day>1</Day>":      "2016-03-01",
		"<Year>2016</Year><Month>02</Month>":                   "2016-02",
		"<Year>2016</Year><Season>Fall</Season>":               "2016",
		"<MedlineDate>31 Feb 2012</MedlineDate>":               "2012-02",
		"<Year>2012</Year>":                                    "2012",
		"<MedlineDate>1st Quarter 2004</MedlineDate>":          "2004",
		"<MedlineDate>2003 Jul-Aug</MedlineDate>":              "2003-07",
		"<MedlineDate>1999 Oct 28-Nov 3</MedlineDate>":         "1999-10-28",
		"<MedlineDate>1989 Jan-1990 Feb;Suppl 3</MedlineDate>": "1989-01",
		"<MedlineDate>Marburg, 1994</MedlineDate>":             "1994",
		"<MedlineDate>2007 14th</MedlineDate>":                 "2007",
		"<MedlineDate>2008 May 5-7; 2009 June</MedlineDate>":   "2008-05-05",
		"<MedlineDate>Winter 1999-Spring 2000</MedlineDate>":   "1999",
		"<MedlineDate>28 Sept-4 Oct 1996</MedlineDate>":        "1996-09-28",
		"<MedlineDate>March 1995</MedlineDate>":                "1995-03",
	}
	srv := commandtest.PubMed(t)
	var records, pmids []string
	want := map[string]string{}
	for date, iso := range dates {
		pmid := fmt.Sprint(90700001 + len(pmids))
		pmids, want[pmid] = append(pmids, pmid), iso
		records = append(records, fmt.Sprintf(`<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">%s</PMID><Article>`+
			`<Journal><JournalIssue><PubDate>%s</PubDate></JournalIssue><Title>J Test</Title></Journal>`+
			`<ArticleTitle>Dated %s.</ArticleTitle></Article></MedlineCitation></PubmedArticle>`, pmid, date, pmid))
	}
	set := "<PubmedArticleSet>" + strings.Join(records, "\n") + "</PubmedArticleSet>"
	if err := srv.Add(strings.NewReader(set)); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	text, code := clitest.Ask(t, app, command.Agent, "search article dated[Title] --limit 50 --json")
	if code != 0 {
		t.Fatalf("exit %d, want 0: %s", code, text)
	}
	rows := gjson.Get(text, "results").Array()
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d: %s", len(rows), len(want), text)
	}
	for _, row := range rows {
		pmid := row.Get("pmid").String()
		if got := row.Get("pub_date").String(); got != want[pmid] {
			t.Errorf("%s: pub_date %q, want %q", row.Get("source"), got, want[pmid])
		}
	}
	table, code := clitest.Ask(t, app, command.Agent, "search article dated[Title] --csv --fields pmid,year,pub_date")
	if code != 0 {
		t.Errorf("exit %d, want 0: %s", code, table)
	}
	for pmid, date := range want {
		if row := pmid + "," + date[:4] + "," + date + "\n"; !strings.Contains(table, row) {
			t.Errorf("got\n%s\nwant the row %q", table, row)
		}
	}
}
