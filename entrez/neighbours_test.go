package entrez_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

func TestMatchCitations(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		a := sim.Article("80000001")
		whole := entrez.Citation{Journal: a.Journal.Abbreviation, Year: fmt.Sprint(a.PublicationDate.Year),
			Volume: a.Journal.Volume, FirstPage: a.Journal.StartPage, Author: a.Authors[0].Name()}
		wrong := whole
		wrong.Journal = "no such journal"
		dirty := whole
		dirty.Author = "a|b\r\nline0|c"
		got, err := c.MatchCitations(t.Context(), []entrez.Citation{wrong, whole, dirty, {Journal: whole.Journal}})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "wrong", got[0].Reason, "NOT_FOUND;INVALID_JOURNAL")
		equal(t, "right", got[1].PMID, "80000001")
		equal(t, "sent", sim.Requests("ecitmatch")[0].Params.Get("bdata"), strings.Join([]string{
			line(wrong, 0), line(whole, 1), line(entrez.Citation{whole.Journal, whole.Year, whole.Volume, whole.FirstPage, "a b line0 c"}, 2),
			line(entrez.Citation{Journal: whole.Journal}, 3)}, "\r"))
		_, err = c.MatchCitations(t.Context(), []entrez.Citation{{}})
		wants(t, err, httpclient.Invalid)
		sim.Fail(entreztest.Fault{Endpoint: "ecitmatch", Kind: entreztest.Error200, Text: "the service is closed"})
		_, err = c.MatchCitations(t.Context(), []entrez.Citation{whole})
		if e := wants(t, err, httpclient.Refused); !strings.Contains(e.Message, "the service is closed") {
			t.Error(e.Message)
		}
	})
}

func line(c entrez.Citation, i int) string {
	return fmt.Sprintf("%s|%s|%s|%s|%s|line%d|", c.Journal, c.Year, c.Volume, c.FirstPage, c.Author, i)
}

func TestMatchCitationsInBatches(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		var asked []entrez.Citation
		for i := range 230 {
			asked = append(asked, entrez.Citation{Author: fmt.Sprint("nobody ", i)})
		}
		got, err := c.MatchCitations(t.Context(), asked)
		if err != nil || len(got) != 230 {
			t.Fatalf("%d, %v", len(got), err)
		}
		for i, m := range got {
			if m.Reason != "NOT_FOUND" {
				t.Errorf("%d: %+v", i, m)
			}
		}
		equal(t, "requests", sim.Count("ecitmatch"), 3)
	})
}

func TestFullText(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		text, err := c.FullText(t.Context(), "PMC8000001")
		if err != nil || !strings.HasPrefix(string(text), "<article ") || !strings.HasSuffix(string(text), "</article>") ||
			!strings.Contains(string(text), "Nothing was inhaled") {
			t.Errorf("%v\n%s", err, text)
		}
		_, err = c.FullText(t.Context(), "PMC99")
		if e := wants(t, err, httpclient.NotFound); !strings.Contains(e.Message, "no article PMC99") {
			t.Error(e.Message)
		}
		sim.Withhold("PMC8000001")
		_, err = c.FullText(t.Context(), "8000001")
		if e := wants(t, err, httpclient.NotFound); !strings.Contains(e.Message, "publisher") {
			t.Error(e.Message)
		}
		for _, id := range []string{"", "PMC", "PMC0", "10.1/x", "PMC1,PMC2"} {
			_, err = c.FullText(t.Context(), id)
			wants(t, err, httpclient.Invalid)
		}
	})
}
