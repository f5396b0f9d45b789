package article_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// exported returns the PMIDs of a RIS file in order.
func exported(text string) (pmids []string) {
	for line := range strings.Lines(text) {
		if id, ok := strings.CutPrefix(line, "AN  - "); ok {
			pmids = append(pmids, strings.TrimSpace(id))
		}
	}
	return pmids
}

func TestASearchIsExportedWhole(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 450, nil)
	app := commandtest.NCBI(t, srv)
	const all = "search article --date-from 1900 --date-to 2100 --sort pub_date --style ris"
	text, code := clitest.Ask(t, app, command.Person, all)
	whole := exported(text)
	if code != 0 || len(whole) != 450 || srv.Count("efetch") != 3 || srv.Count("esummary") != 0 {
		t.Fatalf("exit %d, %d citations, %d EFetches: %.300s", code, len(whole), srv.Count("efetch"), text)
	}
	text, _ = clitest.Ask(t, app, command.Person, all+" --limit 7 --offset 3")
	if got := exported(text); fmt.Sprint(got) != fmt.Sprint(whole[3:10]) {
		t.Errorf("%v, want %v", got, whole[3:10])
	}
	for style, mark := range map[string]string{"bibtex": "@article{", "nbib": "PMID- ", "csl-json": `"PMID":`} {
		t.Run(style, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Person, strings.Replace(all, "ris", style, 1)+" --limit 201")
			if n := strings.Count(text, mark); code != 0 || n != 201 {
				t.Errorf("%s: exit %d, %d citations: %.300s", style, code, n, text)
			}
		})
	}
}

// The name of the output file selects the citation style.
func TestCitationsAreWrittenToAFile(t *testing.T) {
	t.Parallel()
	app, dir := commandtest.NCBI(t, commandtest.PubMed(t)), t.TempDir()
	for line, want := range map[string]string{
		"search article ergothioneine --limit 2 -o DIR/a.bib":                      "@article{",
		"search article ergothioneine --limit 2 --style bibtex --output DIR/b.bib": "@article{",
		"search article ergothioneine --limit 2 -o DIR/c.RIS":                      "TY  - JOUR",
		"get article 90100001,90100002 citation --style nbib -o DIR/d.nbib":        "PMID- ",
		"get article 90100001,90100002 -o DIR/e.ris":                               "TY  - JOUR",
	} {
		if text, code := clitest.Ask(t, app, command.Person, strings.Replace(line, "DIR", dir, 1)); code != 0 || !strings.Contains(text, ": records: 2") {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
		file := line[strings.Index(line, "DIR/")+4:]
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || strings.Count(string(text), want) != 2 {
			t.Errorf("%s: %v: %s", line, err, text)
		}
	}
	for line, want := range map[string]string{
		"get article 90100001 citation --style ris -o x.bib": "try:   biomcp get article 90100001 citation --output x.bib --style bibtex\n",
		"get article 90100001 mesh -o x.bib":                 "try:   biomcp get article 90100001 mesh --output x.csv\n",
		"batch article 90100001 90100002 -o x.bib":           "try:   biomcp batch article 90100001 90100002 --output x.csv\n",
		"search article ergothioneine -o -":                  "try:   biomcp search article --help\n",
		"search article ergothioneine --style ris -o x.bib":  "try:   biomcp search article ergothioneine --output x.bib\n",
		"search mesh ergothioneine -o x.bib":                 "try:   biomcp search mesh ergothioneine --output x.csv\n",
	} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
}

func TestAnExportHasBounds(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 250, nil)
	app := commandtest.NCBI(t, srv)
	const all = "search article --date-from 1900 --date-to 2100 --style ris"
	text, code := clitest.Ask(t, app, command.Agent, all)
	if code != 2 || !strings.Contains(text, "250 hits to export; the maximum over MCP is 200") || !strings.Contains(text, "--date-from, --date-to or --last") || !strings.Contains(text, " --limit 200") {
		t.Errorf("exit %d: %.500s", code, text)
	}
	if text, code = clitest.Ask(t, app, command.Agent, all+" --limit 200"); code != 0 || len(exported(text)) != 200 {
		t.Errorf("exit %d: %.500s", code, text)
	}
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "esearch", Kind: entreztest.LyingCount, Extra: 10000, Times: -1})
	if text, code = clitest.Ask(t, app, command.Person, strings.Replace(all, "1900", "1901", 1)); code != 2 || !strings.Contains(text, "10250 hits to export; PubMed serves the first 9999 of a search: narrow the search with --date-from") {
		t.Errorf("exit %d: %.500s", code, text)
	}
	for _, line := range []string{all + " --json", all + " --pmids", all + " --count", all + " --by-year", all + " --limit 0", all + " --summaries 5"} {
		t.Run(line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, line); code != 2 {
				t.Errorf("%s: exit %d: %.300s", line, code, text)
			}
		})
	}
}

func TestWhatCameBeforeAnExportFailedIsShown(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "x.ris")
	for form, rest := range map[string]string{
		"--style ris":      "--style ris --offset 600 --limit 250",
		"--output " + file: "--offset 600 --limit 250 --output " + strings.TrimSuffix(file, ".ris") + "-601.ris",
	} {
		commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
			commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "efetch", Kind: entreztest.Down503, From: 4, Times: -1})
			const line = "search article --date-from 1900 --date-to 2100 "
			out := cli.Run(t.Context(), app, command.IO{Err: io.Discard}, strings.Fields(line+form+" --limit 850"), command.Person)
			if out.Failure == nil || out.Failure.Code != "UPSTREAM" || out.Result == nil {
				t.Fatalf("%+v", out)
			}
			if !slices.Contains(out.Result.Notices, "only the first 600 of 850 hits were exported; the rest: biomcp "+line+rest) {
				t.Errorf("%q", out.Result.Notices)
			}
		}, entreztest.XML(entreztest.Generate(900, 1, func(int, *entreztest.SyntheticRecord) {})))
	}
	if text, err := os.ReadFile(file); err != nil || len(exported(string(text))) != 600 {
		t.Errorf("%v, %d in the file", err, len(exported(string(text))))
	}
}

func TestHitsByYear(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 100, nil)
	app := commandtest.NCBI(t, srv)
	app.Now = func() time.Time { return time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC) }
	for line, want := range map[string]string{
		"--species humans --by-year":                                    "2005 2024",
		"--species humans --date-from 2010 --by-year":                   "2010 2024",
		"--species humans --date-to 2015 --by-year":                     "1996 2015",
		"--species humans --date-from 2011-06 --date-to 2012 --by-year": "2011 2012",
		"--species humans --last 2y --by-year":                          "2022 2024",
	} {
		t.Run(line, func(t *testing.T) {
			srv.ClearRequests()
			h, text := clitest.Read(t, app, "search article --no-cache "+line)
			part := map[bool]string{strings.Contains(line, "2011-06"): "2011 is counted from 2011-06", strings.Contains(line, "last"): "2022 is counted from 2022-06-0"}[true]
			if marked := strings.Join(h.Notices, "; "); strings.Contains(marked, "is counted from") != (part != "") || !strings.Contains(marked, part) {
				t.Errorf("%s: %q", line, marked)
			}
			years := strings.Split(strings.SplitAfter(text, `"years":[`)[1], "]")[0]
			var first, last, n, total int
			for part := range strings.SplitSeq(years, "},") {
				var year, count int
				if _, err := fmt.Sscanf(strings.NewReplacer(" ", "", "\n", "").Replace(part), `{"year":%d,"count":%d`, &year, &count); err != nil {
					t.Fatal(err, part)
				}
				if n++; n == 1 {
					first = year
				}
				last, total = year, total+count
			}
			if got := fmt.Sprint(first, last); got != want || n != last-first+1 || srv.Count("esearch") != n+1 || len(h.Results) != 0 || len(h.PMIDs) != 0 {
				t.Errorf("%s: years %s, %d of them, %d searches", line, got, n, srv.Count("esearch"))
			}
			if !strings.Contains(line, "date") && !strings.Contains(line, "last") || strings.Contains(line, "2011-06") {
				if total != h.Total && line != "--species humans --by-year" {
					t.Errorf("%s: %d in all years, %d in all", line, total, h.Total)
				}
			}
		})
	}
	if h, text := clitest.Read(t, app, "search article qqzzxv --by-year"); h.Total != 0 || strings.Count(strings.ReplaceAll(text, " ", ""), `"count":0`) != 20 {
		t.Errorf("words that PubMed does not know: %s", text)
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "search article --species humans --date-to 2015 --date-from 1996 --by-year"); strings.Contains(text, "of other years") {
		t.Errorf("of dates that were given: %s", text)
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "search article --species humans --by-year"); !strings.Contains(text, "of the hits are from other years") {
		t.Errorf("hits before the first year: %s", text)
	}
	twice := entreztest.New(t, entreztest.File(filepath.Join(commandtest.Root(t), "entrez", "entreztest", "testdata", "synthetic.xml"))) // its first record is dated 2020 and 2021
	if text, _, _ := clitest.AskUncached(t, twice, "search article sodium[Title] --by-year"); !strings.Contains(text, "**Hits:** 1\n") || !strings.Contains(text, "the years sum to 2: an article") {
		t.Errorf("an article of two years: %s", text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "search article --species humans --date-from 1900 --by-year"); code != 2 || !strings.Contains(text, "at most 60 years") || !strings.Contains(text, "--date-from 1965") {
		t.Errorf("exit %d: %s", code, text)
	}
}
