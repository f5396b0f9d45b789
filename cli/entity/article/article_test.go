package article_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

func TestTwentyArticlesWithThreeKindsOfLinksAreSevenRequests(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 60, nil)
	ids := commandtest.GeneratedPMIDs(20)
	g, text := clitest.Read(t, commandtest.NCBI(t, srv), "get article "+strings.Join(ids, " ")+" references similar citedby --limit 3")
	if !slices.Equal(g.IDs(), ids) || srv.Count("elink") != 3 || srv.Count("esummary") > 3 || srv.Count() > 7 {
		t.Errorf("%d requests, %d ELinks: %v", srv.Count(), srv.Count("elink"), g.IDs())
	}
	for _, a := range g.Articles {
		if a.Similar == nil || a.CitedBy == nil {
			t.Fatalf("%s lacks a section that was asked for", a.PMID)
		}
		for _, s := range *a.Similar {
			if s.Title == "" {
				t.Errorf("%s has no title", s.PMID)
			}
		}
	}
	var keys []string
	for _, s := range g.Meta.Sources {
		keys = append(keys, s.Key)
	}
	if want := []string{"articles", "references", "similar", "citedby"}; !slices.Equal(keys, want) {
		t.Errorf("sources %v, want %v", keys, want)
	}
	if i := strings.Index(text, "elink.fcgi?"); i < 0 || strings.Index(text[i:], `"`) > 300 {
		t.Errorf("the address of links: %.600s", text[max(0, i):])
	}
}

func TestDOIsAreLookedUpInOneRequestAndVerified(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 120, func(i int, m *entreztest.SyntheticRecord) {
		m.PMCID, m.DOI = "", fmt.Sprintf("10.5555/Doi.%d", i)
		if i == 3 {
			m.DOI = "10.5555/doi.2" // two articles claim it
		}
	})
	var dois []string
	for i := range 119 {
		dois = append(dois, fmt.Sprintf("10.5555/doi.%d", i))
	}
	g, _ := clitest.Read(t, commandtest.NCBI(t, srv), "get article "+strings.Join(append(dois, "10.5555/doi.none"), " "))
	want := slices.Delete(commandtest.GeneratedPMIDs(119), 2, 4)
	if !slices.Equal(g.IDs(), want) {
		t.Errorf("%d articles: %v", len(g.Articles), g.IDs())
	}
	if want := []string{"10.5555/doi.2", "10.5555/doi.3", "10.5555/doi.none"}; !slices.Equal(g.NotFound, want) {
		t.Errorf("not found: %v", g.NotFound)
	}
	if first := commandtest.GeneratedPMIDs(4); !strings.Contains(strings.Join(g.Notices, "\n"), "several articles have the DOI 10.5555/doi.2: PMID "+first[2]+", "+first[3]) {
		t.Errorf("%v", g.Notices)
	}
	if srv.Count() != 7 { // converter, ESearch and ESummary twice, EFetch, ESummary for citing articles
		t.Errorf("%d requests: %d ESearches", srv.Count(), srv.Count("esearch"))
	}
}

// While the ID converter is down, PMC itself says which article has a PMCID. While that is down too,
// only the PMCIDs are affected.
func TestConverterFailure(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"article", "ids"} {
		t.Run(kind, func(t *testing.T) {
			srv := commandtest.PubMed(t)
			commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "idconv", Kind: entreztest.Down503, Times: -1})
			line := "get " + kind + " PMC99900001 10.9999/synth.2019.1 90100003"
			g, text := clitest.Read(t, commandtest.NCBI(t, srv), line)
			if len(g.NotFound)+len(g.Unavailable) > 0 {
				t.Errorf("not found %q, unavailable %q, want all found: %s", g.NotFound, g.Unavailable, text)
			}
			clitest.WantText(t, text, `"90100001"`, `"90100002"`, `"90100003"`, "the PMC ID converter did not answer, so "+
				"PMCIDs were looked up in PMC, and DOIs were looked up in PubMed (PMC ID converter answered")

			srv.Intercept(func(c *sourcetest.Call) (sourcetest.Reply, bool) {
				return sourcetest.Page(http.StatusBadGateway, "502", "no"), c.Endpoint == "esummary" && c.Get("db") == "pmc"
			})
			app := commandtest.NCBI(t, srv)
			g, text = clitest.Read(t, app, line)
			key := map[string]string{"article": "articles", "ids": "ids"}[kind]
			if len(g.NotFound) > 0 || !slices.Equal(g.Unavailable, []string{"PMC99900001"}) || g.Outcome(key) != result.Degraded {
				t.Errorf("not found %q, unavailable %q, want PMC99900001 unavailable: %s", g.NotFound, g.Unavailable, text)
			}
			clitest.WantText(t, text, `"90100002"`, `"90100003"`, "could not be looked for: PMC99900001: PMC ID converter")
			// With no article left, the failed lookup is not reported as "not found".
			if text, code := clitest.Ask(t, app, command.Person, "get "+kind+" PMC99900001 --json"); code != 1 || !strings.Contains(text, `"UPSTREAM"`) {
				t.Errorf("%s: exit %d: %s", kind, code, text)
			}
		})
	}
}

func TestFormatTextListsMissingIDs(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"medline", "abstract", "xml"} {
		t.Run(format, func(t *testing.T) {
			app := commandtest.NCBI(t, commandtest.PubMed(t))
			// 90100002 names 90100003 as its retraction notice; article 7 does not exist.
			g, text := clitest.Read(t, app, "get article 90100002 7 --format "+format)
			if !slices.Equal(g.NotFound, []string{"7"}) || !slices.Equal(g.PMIDs, []string{"90100002"}) || g.Text == "" ||
				!slices.Contains(g.Notices, "not found: 7") || g.Outcome("articles") != result.Data {
				t.Errorf("%s: %s", format, text)
			}
			if text, code := clitest.Ask(t, app, command.Person, "get article 7 8 --json --format "+format); code != 1 || !strings.Contains(text, `"NOT_FOUND"`) || !strings.Contains(text, `"8"`) {
				t.Errorf("%s: exit %d: %s", format, code, text)
			}
			out := clitest.Run(t, app, command.Agent, "get article 90100001 90100002 90100003 --format "+format)
			if rest := out.Result.Smaller(0.7).String(); rest != "biomcp get article 90100001 90100002 --format "+format {
				t.Errorf("over the cap: %s", rest)
			}
		})
	}
}

func TestAnUnreadableRecordIsNotReportedAsNotFound(t *testing.T) {
	srv := commandtest.PubMed(t)
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "efetch", Kind: entreztest.BadRecord, IDs: []string{"90100002"}, Times: -1})
	app := commandtest.NCBI(t, srv)
	g, text := clitest.Read(t, app, "get article 90100001 10.9999/synth.2019.1")
	if !slices.Equal(g.IDs(), []string{"90100001"}) || len(g.NotFound) > 0 || !slices.Equal(g.Unavailable, []string{"10.9999/synth.2019.1"}) ||
		!strings.Contains(strings.Join(g.Notices, "\n"), "PubMed record 90100002") || g.Outcome("articles") != result.Degraded {
		t.Error(text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100002 --json"); code != 1 || !strings.Contains(text, `"UPSTREAM"`) || !strings.Contains(text, "90100002") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestEmptySectionsAreInTheJSON(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	_, text := clitest.Read(t, app, "get article 90100004 citedby similar annotations fulltext references")
	for _, want := range []string{`"citedby":[]`, `"annotations":[`, `"similar":[`, `"references":[]`, `"fulltext":null`} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(text, want) {
				t.Errorf("%s is missing in %s", want, text)
			}
		})
	}
	_, text = clitest.Read(t, app, "get article 90100004")
	for _, not := range []string{`"citedby"`, `"annotations"`, `"similar"`, `"fulltext"`} {
		t.Run(not, func(t *testing.T) {
			if strings.Contains(text, not) {
				t.Errorf("%s was not asked for", not)
			}
		})
	}
}

func TestLinksWithoutTitlesAreStillLinks(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 30, nil)
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "esummary", Kind: entreztest.HTML502, Times: -1})
	g, _ := clitest.Read(t, commandtest.NCBI(t, srv), "get article "+commandtest.GeneratedPMIDs(1)[0]+" similar")
	if len(*g.Articles[0].Similar) == 0 || g.Outcome("similar") != result.Degraded {
		t.Errorf("%+v", g)
	}
}

func TestALoweredLimitIsOneNotice(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	g, _ := clitest.Read(t, app, "get article 90100001 similar citedby references --limit 1001")
	if n := strings.Count(strings.Join(g.Notices, "\n"), "limit lowered"); n != 1 {
		t.Errorf("%d times: %v", n, g.Notices)
	}
	if g, _ = clitest.Read(t, app, "get article 90100001 abstract --limit 1001"); len(g.Notices) != 1 || !strings.HasPrefix(g.Notices[0], "--limit has no effect here; it applies to the sections mesh, ") {
		t.Errorf("%v", g.Notices)
	}
	if g, _ = clitest.Read(t, app, "get article 90100001 --offset 3"); len(g.Notices) == 0 || !strings.HasPrefix(g.Notices[0], "--offset has no effect here") {
		t.Errorf("%v", g.Notices)
	}
}

func TestNextCommandsLeaveOutWhatWasAsked(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string][]string{
		"90100001":                           {"similar citedby", "fulltext", "citation --style ris"},
		"90100001 similar":                   {"citedby", "fulltext", "citation --style ris"},
		"90100001 similar citedby citation":  {"citation --style ris", "fulltext"},
		"90100001 fulltext":                  {"similar citedby", "citation --style ris"}, // it has no full text
		"90100001 all":                       nil,
		"90100001 citation --style apa":      {"similar citedby", "fulltext"},
		"90100001 citedby mesh grants":       {"similar", "fulltext", "citation --style ris"},
		"90100001 similar citedby fulltext ": {"citation --style ris"},
	} {
		t.Run(line, func(t *testing.T) {
			g, _ := clitest.Read(t, app, "get article "+line)
			for i := range want {
				want[i] = "biomcp get article 90100001 " + want[i]
			}
			// The annotations add commands for what the article is about.
			next := slices.DeleteFunc(slices.Clone(g.Meta.Next), func(l string) bool { return !strings.HasPrefix(l, "biomcp get article ") })
			if leads := len(g.Meta.Next) - len(next); !slices.Equal(next, want) || (leads > 0) != strings.Contains(line, "all") {
				t.Errorf("after %s: %q", line, g.Meta.Next)
			}
		})
	}
}

func TestEveryGetNamesItsSources(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, key := range map[string]string{
		"get article 90100001": "articles", "get article 90100001 --format medline": "articles", "get ids 90100001": "ids",
		"get spelling ergothionine": "spellings", "get database PubMed": "databases",
	} {
		t.Run(line, func(t *testing.T) {
			if g, text := clitest.Read(t, app, line); g.Outcome(key) != result.Data {
				t.Errorf("%s: %s", line, text)
			}
		})
	}
}

func TestCardAndSectionAgreeOnMajorHeadings(t *testing.T) {
	srv := entreztest.New(t)
	record := string(entreztest.Synthetic(71, 1))
	before, after, found := strings.Cut(record, "<MeshHeadingList>")
	if !found {
		t.Fatal("the record has no headings")
	}
	record = before + `<MeshHeadingList><MeshHeading><DescriptorName UI="D1" MajorTopicYN="N">Mushrooms</DescriptorName><QualifierName UI="Q1" MajorTopicYN="Y">chemistry</QualifierName></MeshHeading>` + after
	if err := srv.Add(strings.NewReader("<PubmedArticleSet>" + record + "</PubmedArticleSet>")); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	card, _ := clitest.Ask(t, app, command.Agent, "get article 71")
	section, _ := clitest.Ask(t, app, command.Agent, "get article 71 mesh")
	if !strings.Contains(card, "Mushrooms (major)") || !strings.Contains(section, "| Mushrooms | yes |") {
		t.Errorf("%s\n%s", card, section)
	}
}

func TestAFormulaThatIsAPictureIsNamed(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 1, func(_ int, m *entreztest.SyntheticRecord) { m.PMCID = "PMC71" })
	if _, err := srv.AddJATS([]byte(`<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><article-id pub-id-type="pmc">71</article-id></article-meta></front><body><sec><title>T</title>` +
		`<disp-formula id="e1"><label>(3)</label><graphic xlink:href="eq3.gif"/></disp-formula></sec></body></article>`)); err != nil {
		t.Fatal(err)
	}
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get article "+commandtest.GeneratedPMIDs(1)[0]+" fulltext")
	if code != 0 || !strings.Contains(text, "[formula: image eq3.gif] (3)") || strings.Contains(text, "```text\n(3)") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// PubMed's matcher tolerates differences; the answer reports each.
func TestACitationIsCheckedAgainstTheRecord(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for flags, want := range map[string]string{
		`--year 2019 --volume 8 --page 1 --author "Retracta R"`: `"outcome":"found"`,
		`--year 2018 --volume 8 --page 1`:                       "it appeared 2019 Winter, not 2018",
		`--year 2019 --volume 8 --page 1 --author "Nobody N"`:   "Nobody N is not among its authors",
	} {
		t.Run(flags, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, `search citation --json --journal "J Synth Nutr" `+flags)
			if code != 0 || !strings.Contains(text, want) || !strings.Contains(text, `"90100002"`) ||
				strings.Contains(text, `"outcome":"disagrees"`) == strings.Contains(want, "found") {
				t.Errorf("%s: exit %d: %s", flags, code, text)
			}
		})
	}
}

// A failed lookup of an id does not hide that the caller canceled.
func TestACancelledLookUpIsNotReportedAsNotFound(t *testing.T) {
	srv := commandtest.PubMed(t)
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "idconv", Kind: entreztest.Stall, Times: -1})
	defer srv.Release()
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		_ = srv.Await(ctx, 1, "idconv") // otherwise the end of the test cancels it
		cancel(errors.New("gone"))
	}()
	out := cli.Run(ctx, commandtest.NCBI(t, srv), command.IO{}, []string{"get", "article", "90100001", "PMC99900001"}, command.Agent)
	if out.Result != nil || out.Failure == nil || out.Failure.Code != result.Upstream {
		t.Errorf("%+v %+v", out.Result, out.Failure)
	}
}
