package article_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/pubmed"
)

// cites returns a synthetic record with a reference list; each reference is "citation",
// "citation|pubmed 1" or "citation|doi 10.1/x".
func cites(pmid string, references ...string) string {
	var list strings.Builder
	for _, r := range references {
		citation, ids, _ := strings.Cut(r, "|")
		list.WriteString("<Reference><Citation>" + citation + "</Citation>")
		if kind, id, given := strings.Cut(ids, " "); given {
			list.WriteString(`<ArticleIdList><ArticleId IdType="` + kind + `">` + id + "</ArticleId></ArticleIdList>")
		}
		list.WriteString("</Reference>")
	}
	return `<PubmedArticleSet><PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">` + pmid + `</PMID><Article PubModel="Print">` +
		`<Journal><JournalIssue CitedMedium="Print"><PubDate><Year>2020</Year></PubDate></JournalIssue><Title>Journal of synthetic nutrition</Title></Journal>` +
		`<ArticleTitle>A synthetic review.</ArticleTitle><Language>eng</Language></Article></MedlineCitation><PubmedData><ReferenceList>` + list.String() +
		`</ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>`
}

type citedWork struct {
	Citation, PMID, DOI, PMCID, Title, Source, URL *string
	Retracted                                      *bool
	Authors, From                                  []string
}

// short renders a reference as "PMID from citation: title", with - for null.
func (w citedWork) short() string {
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	return fmt.Sprintf("%s %s %s: %s", text(w.PMID), strings.Join(w.From, "+"), text(w.Citation), text(w.Title))
}

type citing struct {
	PMID       string
	References []citedWork
	Retrieved  map[string]int     `json:"retrieved_count"`
	URLs       map[string]*string `json:"elink_url"`
}

func referencesOf(t *testing.T, app *command.App, line string) (articles []citing, g clitest.Reply) {
	t.Helper()
	g, text := clitest.Read(t, app, line)
	var answer struct{ Articles []citing }
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Articles, g
}

const ergothioneineCures = "Ergothioneine cures everything."

func TestReferencesAreTheUnionOfRecordAndELink(t *testing.T) {
	t.Parallel()
	down := func(endpoint string) func(*entreztest.Server) {
		return func(srv *entreztest.Server) {
			commandtest.Fail(t, srv, entreztest.Fault{Endpoint: endpoint, Kind: entreztest.Down503, Times: -1})
		}
	}
	own := []string{"Zeta Z. A book.", "Trial|doi 10.9999/SYNTH.2023.101", "Cures|pubmed 90100002", "Wrong|pubmed 0", "Wrong too|pubmed 0", "Cures|pubmed 90100002"}
	const trial = "Ergothioneine in cultivated mushrooms: a randomised trial of TNF-α and O₂ uptake."
	alone := []string{"- record Zeta Z. A book.: -", "- record Trial: -", "90100002 record Cures: -", "- record Wrong: -", "- record Wrong too: -"}
	described := slices.Clone(alone)
	described[2] = "90100002 record Cures: " + ergothioneineCures
	for name, c := range map[string]struct {
		change  func(*entreztest.Server)
		want    []string
		state   result.State
		sources string
		notice  string
	}{
		"ELink": {func(*entreztest.Server) {}, []string{
			alone[0], "90100001 record+elink Trial: " + trial, "90100002 record+elink Cures: " + ergothioneineCures, alone[3], alone[4],
			"90100003 elink -: Retraction: Ergothioneine cures everything.",
		}, result.Data, "PubMed, PubMed ELink, PubMed ESummary", ""},
		"no ELink": {down("elink"), described, result.Degraded, "PubMed, PubMed ESummary", "the references of 90100009 come from the record alone"},
		"no ESummary": {down("esummary"), []string{
			alone[0], alone[1], "90100002 record+elink Cures: -", alone[3], alone[4], "90100001 elink -: -", "90100003 elink -: -",
		}, result.Degraded, "PubMed, PubMed ELink", "titles and retraction marks of References are missing"},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			srv := commandtest.PubMed(t)
			if err := srv.Add(strings.NewReader(cites("90100009", own...))); err != nil {
				t.Fatal(err)
			}
			c.change(srv)
			commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "elink", Kind: entreztest.ExtraUID, IDs: []string{"90100001", "90100003"}, Times: -1})
			articles, g := referencesOf(t, commandtest.NCBI(t, srv), "get article 90100009 references")
			a := articles[0]
			var got []string
			for _, r := range a.References {
				got = append(got, r.short())
				if r.Authors == nil || (r.URL == nil) != (r.PMID == nil && r.DOI == nil) || (r.Retracted == nil) != (r.Title == nil) {
					t.Errorf("%s: %+v", name, r)
				}
			}
			if !slices.Equal(got, c.want) || a.Retrieved["references"] != len(c.want) {
				t.Errorf("%s: %d references\n%s\nwant\n%s", name, a.Retrieved["references"], strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			url, there := a.URLs["references"]
			if !there || (url == nil) != (name == "no ELink") {
				t.Errorf("%s: elink_url %v", name, a.URLs)
			}
			if g.Outcome("references") != c.state || !strings.Contains(strings.Join(g.Notices, "\n"), c.notice) {
				t.Errorf("%s: %s, %q", name, g.Outcome("references"), g.Notices)
			}
			for _, s := range g.Meta.Sources {
				if s.Key == "references" && strings.Join(s.Sources, ", ") != c.sources {
					t.Errorf("%s: sources %v", name, s.Sources)
				}
			}
		})
	}
}

func TestRetractedReferenceIsMarkedOnce(t *testing.T) {
	text, code := clitest.Ask(t, commandtest.NCBI(t, commandtest.PubMed(t)), command.Agent, "get article 90100001 references")
	if code != 0 || strings.Count(text, "RETRACTED") != 1 || !strings.Contains(text, "| RETRACTED: "+ergothioneineCures+" |") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// A table of other rows than articles cannot be a file of citations; the error suggests a format
// that can.
func TestOtherTablesAreNotWrittenAsCitations(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	text, code := clitest.Ask(t, app, command.Person, "get article 90100001 mesh -o refs.ris")
	if code != 2 || !strings.Contains(text, "cannot be written as citations\ntry:   biomcp get article 90100001 mesh --output refs.csv\n") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// References that PubMed does not describe are named if they are shown, and only then.
func TestOnlyReferencesShownAreNamedAsNotDescribed(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	if err := srv.Add(strings.NewReader(cites("90100009", "Gone|pubmed 90109901", "Gone too|pubmed 90109902", "Cures|pubmed 90100002"))); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	for flags, want := range map[string]string{"": "no description of 90109901, 90109902", "--refs 2": "no description of 90109902", "--offset 1": "no description of 90109902", "--refs 3": ""} {
		_, g := referencesOf(t, app, "get article 90100009 references "+flags)
		if text := strings.Join(g.Notices, "\n"); !strings.Contains(text, want) || want == "" && strings.Contains(text, "description") {
			t.Errorf("%s: %s", flags, text)
		}
	}
}

// TestManyReferencesAreReadInTurn follows the commands for the rest and for less of a list
// that is longer than an answer.
func TestManyReferencesAreReadInTurn(t *testing.T) {
	var list []string
	for i := range 400 {
		list = append(list, fmt.Sprintf("Reference-%03d. %s", i+1, strings.Repeat("word ", 30)))
	}
	srv := commandtest.PubMed(t)
	if err := srv.Add(strings.NewReader(cites("90100009", list...))); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	follow := func(line, before string) (seen string) {
		for n := 0; n < 20 && line != ""; n++ {
			args, err := words.Split(strings.TrimPrefix(line, "biomcp "))
			if err != nil {
				t.Fatal(err)
			}
			text, _ := cli.RenderAnswer(cli.Run(t.Context(), app, command.IO{}, args, command.Agent), strings.Contains(line, "--json"), 20000)
			seen += text
			_, line, _ = strings.Cut(text, before)
			line = line[:max(0, strings.IndexAny(line, "\"\n"))]
		}
		return seen
	}
	text := follow("get article 90100009 references --limit 400", "The rest:\n\n```\n")
	for i := range list {
		if mark := fmt.Sprintf("Reference-%03d.", i+1); strings.Count(text, mark) != 1 {
			t.Errorf("%s is shown %d times", mark, strings.Count(text, mark))
		}
	}
	if text = follow("get article 90100009 references --limit 400 --json", `"try":"`); !strings.Contains(text, `"Reference-001. `) || strings.Count(text, `"VALIDATION"`) > 2 {
		t.Errorf("%.2000s", text)
	}
	for flags, want := range map[string]string{
		"--limit 3": "1 2 3", "--limit 2 --refs 7-": "7 8", "--limit 2 --offset 398": "399 400", "--limit 2 --offset 1 --refs 10-20": "11 12", "--refs 6-7": "6 7",
	} {
		t.Run(flags, func(t *testing.T) {
			articles, g := referencesOf(t, app, "get article 90100009 references "+flags)
			var got []string
			for _, r := range articles[0].References {
				got = append(got, strings.TrimLeft((*r.Citation)[len("Reference-"):len("Reference-")+3], "0"))
			}
			if strings.Join(got, " ") != want || !strings.Contains(strings.Join(g.Notices, "\n"), "shown") {
				t.Errorf("%v, want %s: %q", got, want, g.Notices)
			}
		})
	}
	if articles, g := referencesOf(t, app, "get article 90100009 references"); len(articles[0].References) != 50 || !strings.Contains(strings.Join(g.Notices, "\n"), "biomcp get article 90100009 references --offset 50 --json") {
		t.Errorf("%d references, %q", len(articles[0].References), g.Notices)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100009 references --offset 400"); code != 2 || !strings.Contains(text, "--offset 400 is past the end: there are 400") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100009 references --refs 401-"); code != 2 || !strings.Contains(text, "has 400 references, not a number 401") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100009 --refs 3"); code != 2 || !strings.Contains(text, "--refs requires the section references") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// All references of 163 real records are present, with or without a PMID.
func TestRealReferencesAreAllThere(t *testing.T) {
	if testing.Short() {
		t.Skip("compares megabytes, in one goroutine")
	}
	t.Parallel()
	file := filepath.Join(commandtest.Root(t), "../shared/data/pubmed/efetch-163.xml.gz")
	f, err := os.Open(file)
	if err != nil {
		t.Skip("SKIPPED: the real records are not next to the project: ", file)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	own := map[string][]pubmed.Reference{}
	var ids []string
	for item, err := range pubmed.Scan(z) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Article != nil {
			own[item.Article.PMID] = item.Article.References
			ids = append(ids, item.Article.PMID)
		}
	}
	srv := entreztest.New(t, entreztest.File(file))
	articles, _ := referencesOf(t, commandtest.NCBI(t, srv), "get article "+strings.Join(ids, " ")+" references --limit 1000")
	all, withoutPMID := 0, 0
	for _, a := range articles {
		left := map[string]bool{}
		for _, r := range own[a.PMID] {
			left[r.Citation] = true
		}
		for _, r := range a.References {
			all++
			if r.PMID == nil {
				withoutPMID++
			}
			if r.Citation != nil {
				delete(left, *r.Citation)
			}
		}
		for citation := range left {
			t.Run(citation, func(t *testing.T) {
				t.Errorf("%s lacks %s", a.PMID, citation)
			})
		}
	}
	t.Logf("%d references of %d records, %d of them without a PMID", all, len(articles), withoutPMID)
	if withoutPMID < 1900 {
		t.Errorf("%d references have no PMID", withoutPMID)
	}
}
