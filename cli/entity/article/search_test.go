package article_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// sent runs a search and returns the parameters of its first ESearch request.
func sent(t *testing.T, srv *entreztest.Server, line string) url.Values {
	t.Helper()
	srv.ClearRequests()
	text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line)
	got := srv.Requests("esearch")
	clitest.WantExit(t, code, 0, text)
	if len(got) < 1 {
		t.Fatalf("%s: len(got) = %v, want >= 1: %s", line, len(got), text)
	}
	return got[0].Params
}

// A time in another spelling suggests the form that --last takes.
func TestLastAsPeopleWriteIt(t *testing.T) {
	for line, want := range map[string]string{
		"cancer --last 5":          "cancer --last 5y",
		"cancer --last 5 years":    "cancer --last 5y",
		"cancer --last 2 weeks":    "cancer --last 14d",
		"cancer --last 2w":         "cancer --last 14d",
		`cancer --last "6 months"`: "cancer --last 6m",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, commandtest.Disk(t), command.Agent, "search article "+line)
			clitest.WantExit(t, code, 2, text)
			clitest.WantText(t, text, "biomcp search article "+want+"\n")
		})
	}
}

func TestFiltersAreSentAsPubMedWritesThem(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	t.Cleanup(srv.ExpectTags) // with the tags typed here
	const always = ":3000/12/31"
	for flags, want := range map[string]string{
		`"mushroom OR amino acid"`:                      `(mushroom OR amino acid)`,
		`"a1 OR b2" --journal "J Synth Nutr"`:           `(a1 OR b2) AND "J Synth Nutr"[Journal]`,
		`mushroom --author "Muster J"`:                  `(mushroom) AND Muster J[Author]`,
		`--author "Invented Group (Testville)"`:         `"Invented Group (Testville)"[Author]`,
		`--journal "Invention (New Testville, N.T.)"`:   `"Invention (New Testville, N.T.)"[Journal]`,
		`--journal "Safety AND Health"`:                 `"Safety AND Health"[Journal]`,
		`--mesh Agaricales --mesh "Synth(a)pyrene"`:     `"Agaricales"[MeSH Terms] AND "Synth(a)pyrene"[MeSH Terms]`,
		`--pub-type rct --pub-type "Journal Article"`:   `"Randomized Controlled Trial"[Publication Type] AND "Journal Article"[Publication Type]`,
		`--language english`:                            `"english"[Language]`,
		`mushroom --species humans`:                     `(mushroom) AND "humans"[MeSH Terms]`,
		`mushroom --species animals`:                    `(mushroom) AND "animals"[MeSH Terms:noexp]`,
		`mushroom --review`:                             `(mushroom) AND "Review"[Publication Type]`,
		`mushroom --trial --review --meta-analysis`:     `(mushroom) AND ("Review"[Publication Type] OR "Clinical Trial"[Publication Type] OR "Meta-Analysis"[Publication Type])`,
		`--title ergothioneine --affiliation Testville`: `Testville[Affiliation] AND ergothioneine[Title]`,
		`--first-author "Muster J" --last-author Solo`:  `Muster J[Author - First] AND Solo[Author - Last]`,
		`mushroom --has-abstract`:                       `(mushroom) AND hasabstract`,
		`mushroom --free-full-text`:                     `(mushroom) AND "free full text"[Filter]`,
		`mushroom --exclude-retracted`:                  `((mushroom)) NOT "retracted publication"[Publication Type]`,
		`mushroom --no-preprints`:                       `((mushroom)) NOT "preprint"[Publication Type]`,
		`"a1 OR b2" --gene BRAF --exclude-retracted`:    `((a1 OR b2) AND BRAF[Title/Abstract]) NOT "retracted publication"[Publication Type]`,

		`-g BRAF -d melanoma --drug vemurafenib -k resistance`: `BRAF[Title/Abstract] AND (melanoma) AND (vemurafenib) AND (resistance)`,
		`-k mushroom -k trial`:                                 `(mushroom) AND (trial)`,
		`-g BRAF --gene "HLA-A"`:                               `BRAF[Title/Abstract] AND HLA-A[Title/Abstract]`,
		`--author Muster --author Solo`:                        `Muster[Author] AND Solo[Author]`,
		`--journal A1 --journal B2`:                            `"A1"[Journal] AND "B2"[Journal]`,
		`--keyword "synth(a)pyrene [blue]" --disease "a, b"`:   `(a, b) AND (synth(a)pyrene [blue])`,
		`--keyword '"amino acid"'`:                             `("amino acid")`,

		`--date-from 2023`:     `2023/01/01` + always + `[pdat]`,
		`--date-from 2023-04`:  `2023/04/01` + always + `[pdat]`,
		`--date-from 2023/4/5`: `2023/04/05` + always + `[pdat]`,
		`--date-to 2023`:       `1500/01/01:2023/12/31[pdat]`,
		`--date-to 2023-04`:    `1500/01/01:2023/04/30[pdat]`,
		`--date-to 2024-02`:    `1500/01/01:2024/02/29[pdat]`,
		`--date-to 2023-02`:    `1500/01/01:2023/02/28[pdat]`,
		`--date-to 2023-12`:    `1500/01/01:2023/12/31[pdat]`,
		`--date-to 2024-02-29`: `1500/01/01:2024/02/29[pdat]`,
		`--date-from 2022 --date-to 2023 --date-type edat`:   `2022/01/01:2023/12/31[edat]`,
		`--date-from 2022 --date-to 2023 --date-type mdat`:   `2022/01/01:2023/12/31[mdat]`,
		`--date-from 2022 --date-to 2023-1 --date-type crdt`: `2022/01/01:2023/01/31[crdt]`,
	} {
		t.Run(flags, func(t *testing.T) {
			if got := sent(t, srv, "search article --summaries 0 "+flags).Get("term"); got != want {
				t.Errorf("%s\n was sent as %s\n not as      %s", flags, got, want)
			}
		})
	}
}

func TestPagesAndOrdersOfASearch(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	for flags, want := range map[string]string{
		"":                                       "relevance  20",
		"--limit 7 --offset 2":                   "relevance 2 7",
		"--sort relevance --offset 40":           "relevance 40 20",
		"--sort author":                          "Author  9999",
		"--sort date":                            "pub_date  9999",
		"--count":                                "relevance  0",
		"--limit 0":                              "relevance  0",
		"--sort journal_name":                    "JournalName  9999",
		"--sort pub_date --limit 5 --offset 2":   "pub_date  9999", // the page is cut from the first block
		"--limit 1000":                           "relevance  1000",
		"--limit 5000":                           "relevance  1000",
		"--limit 20 --offset 9990":               "relevance 9990 9",
		"--limit 20 --offset 9979":               "relevance 9979 20",
		"--limit 20 --offset 9979 --sort author": "Author  9999",
	} {
		t.Run(flags, func(t *testing.T) {
			p := sent(t, srv, "search article mushroom --summaries 0 "+flags)
			if got := strings.Join([]string{p.Get("sort"), p.Get("retstart"), p.Get("retmax")}, " "); got != want {
				t.Errorf("%s: asked for %s, not %s", flags, got, want)
			}
		})
	}
	for flags, want := range map[string]string{
		"--limit 5000":             "limit lowered from 5000 to 1000",
		"--summaries 101":          "--summaries lowered from 101 to 100",
		"--date-type edat":         "--date-type has no effect without --date-from, --date-to or --last",
		"--count":                  "- **Hits:** 2\n",
		"--limit 20 --offset 9990": "limit lowered to 9: PubMed gives the first 9999 hits only",
		"--date-to 2023":           "--date-from was not given: the search has no lower bound",
		"--date-from 2023":         "--date-to was not given: the search has no upper bound",
	} {
		t.Run(flags, func(t *testing.T) {
			text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "search article mushroom "+flags)
			clitest.WantExit(t, code, 0, text)
			clitest.WantText(t, text, want)
		})
	}
}

func TestQueriesThatPubMedWouldMisreadAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		`"cancer[Title"`:                      "the query has unbalanced brackets",
		`NOT cancer`:                          "the query begins with NOT, which needs words before it",
		`'(NOT cancer) AND mice'`:             "the query begins with NOT, which needs words before it",
		`'cancer “of'`:                        "the query has an unbalanced quote",
		`cancer --mesh 'x“y”'`:                `--mesh is a single term and cannot contain a quote`,
		`NOT`:                                 "the query has operators and no word",
		`'(AND OR)'`:                          "the query has operators and no word",
		`"cancer]"`:                           "the query has unbalanced brackets",
		`"(cancer[Title)]"`:                   "the query has unbalanced",
		`"can)cer("`:                          "the query has unbalanced parentheses",
		`'cancer "of'`:                        "the query has an unbalanced quote",
		`cancer -k "a)b("`:                    "--keyword has unbalanced parentheses",
		`cancer --drug '"x'`:                  "--drug has an unbalanced quote",
		`cancer -d "a OR b"`:                  "--disease is a single term and cannot contain AND, OR or NOT",
		`cancer --mesh 'x"y'`:                 `--mesh is a single term and cannot contain a quote`,
		`cancer --gene ""`:                    "--gene: the value is empty",
		`cancer --gene BRAF -g " "`:           "--gene: the value is empty",
		"cancer --journal \"a\nb\"":           "--journal holds bytes that are not text",
		`cancer --offset 9223372036854775807`: "--offset must be at most 1000000000",
		`cancer --offset 9223372036854775807 --sort pub_date`: "--offset must be at most 1000000000",
		`cancer --date-from 2023-02-29`:                       `--date-from "2023-02-29" is not a date of the calendar`,
		`cancer --date-to May`:                                `--date-to "May" is not a date`,
		`cancer --summaries -1`:                               "--summaries must not be negative: -1",
		`cancer --last 5w`:                                    `--last "5w" is not a number of years`,
		`cancer --last "5y junk"`:                             "is not a number of years, months or days",
		`cancer --last 5y --date-from 2020`:                   "--last cannot be used with --date-from",
		`cancer --pmids --csv`:                                "an answer has one form: give one of --pmids, --csv",
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, commandtest.Disk(t), command.Agent, "search article "+line)
			clitest.WantExit(t, code, 2, text)
			clitest.WantText(t, text, want, "try:   biomcp search article ")
		})
	}
	app := commandtest.Disk(t)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	text, code := clitest.Ask(t, app, command.Agent, "search corpus mushroom --date-from May")
	clitest.WantExit(t, code, 2, text)
	clitest.WantText(t, text, "biomcp search corpus --help")
}

func TestStrictRefusesEveryKindOfBroaderSearch(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	type broader struct {
		app         *command.App
		query, want string
	}
	cases := []broader{{app, "mushroom AND xqzzyblorp", "“xqzzyblorp”"}}
	// PubMed's warnings on fields and quoted phrases (synthetic replies).
	for list, want := range map[string]string{
		"<ErrorList><FieldNotFound>Nonsense</FieldNotFound></ErrorList>":                          "“Nonsense”",
		"<WarningList><PhraseIgnored>the</PhraseIgnored></WarningList>":                           "PubMed does not search for, and ignored: “the”",
		"<WarningList><OutputMessage>Wildcards were cut</OutputMessage></WarningList>":            "PubMed says: Wildcards were cut",
		`<WarningList><QuotedPhraseNotFound>"blue mushroom"</QuotedPhraseNotFound></WarningList>`: "searched for its words separately: “blue mushroom”",
	} {
		says := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `<?xml version="1.0"?><eSearchResult><Count>0</Count><IdList/><QueryTranslation>blue AND mushroom</QueryTranslation>`+list+`</eSearchResult>`)
		}))
		defer says.Close()
		other := commandtest.NCBI(t, entreztest.New(t))
		other.Env.Network.Addresses["entrez"] = says.URL
		cases = append(cases, broader{other, "mushroom", want})
	}
	for _, c := range cases {
		line := "search article '" + c.query + "'"
		text, code := clitest.Ask(t, c.app, command.Agent, line)
		clitest.WantExit(t, code, 0, text)
		clitest.WantText(t, text, c.want)
		text, code = clitest.Ask(t, c.app, command.Agent, line+" --strict --json")
		clitest.WantExit(t, code, 1, text)
		clitest.WantText(t, text, `"ENTREZ"`, c.want, `"dropped_phrases"`)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "search article mushroom --strict"); code != 0 {
		t.Errorf("nothing was dropped: %s", text)
	}
}

func TestExcludeRetractedLeavesOutRetractedArticles(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	with, _ := clitest.Read(t, app, "search article ergothioneine")
	without, _ := clitest.Read(t, app, "search article ergothioneine --exclude-retracted")
	if len(with.PMIDs) != 3 {
		t.Errorf("%d hits with retracted articles, want 3: %v", len(with.PMIDs), with.PMIDs)
	}
	if slices.Equal(without.PMIDs, with.PMIDs) {
		t.Errorf("the hits are the same with --exclude-retracted: %v", without.PMIDs)
	}
	if slices.Contains(without.PMIDs, "90100002") {
		t.Errorf("the retracted article is among %v", without.PMIDs)
	}
}

func TestUndescribedHitsAreANotice(t *testing.T) {
	srv := commandtest.PubMed(t)
	if err := srv.Add(entreztest.Generate(150, 5)); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	h, text := clitest.Read(t, app, "search article --date-from 1900 --date-to 2100 --limit 140")
	if len(h.PMIDs) != 140 {
		t.Errorf("len(h.PMIDs) = %v, want 140: %v", len(h.PMIDs), h.Notices)
	}
	if len(h.Results) != 100 {
		t.Errorf("len(h.Results) = %v, want 100: %v", len(h.Results), h.Notices)
	}
	clitest.WantText(t, text,
		"40 hits are listed without title or retraction mark",
		"--offset 100 --limit 40 --summaries 100",
		`"degraded"`)
	if less := clitest.Run(t, app, command.Agent, "search article --date-from 1900 --date-to 2100 --limit 140").Result.Smaller(.5); !strings.Contains(less.String(), "--limit 50") { // half of the 100 described hits
		t.Errorf("fewer are %s", less)
	}
	_, text = clitest.Read(t, app, "search article --date-from 1900 --date-to 2100 --limit 5")
	clitest.WantNoText(t, text, "retraction mark", `"degraded"`)
}

func TestAShortPageIsANoticeAndTheLastPage(t *testing.T) {
	srv := commandtest.PubMed(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.LyingCount, Extra: 50, Times: -1}); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"search article ergothioneine":  "PubMed counts 53 hits, 20 of them for this page, and gave 3",
		"search mesh ergothioneine":     "MeSH counts 51 hits, 10 of them for this page, and gave 1",
		"search mesh humans --offset 1": "MeSH counts 51 hits, 10 of them for this page, and gave 0",
	} {
		t.Run(line, func(t *testing.T) {
			_, text := clitest.Read(t, commandtest.NCBI(t, srv), line)
			clitest.WantText(t, text, want, `"degraded"`)
			clitest.WantNoText(t, text, "--offset "+fmt.Sprint(20), "--offset 10")
		})
	}
}

// TestPagesByDateDoNotOverlap simulates that NCBI orders records of one date differently each
// time.
func TestPagesByDateDoNotOverlap(t *testing.T) {
	srv := entreztest.New(t, entreztest.NoLimit())
	day := time.Date(2020, 5, 1, 0, 0, 0, 0, time.UTC)
	if err := srv.Add(entreztest.Generate(60, 9, entreztest.OnDay(day))); err != nil {
		t.Fatal(err)
	}
	if err := srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.ShuffledTies, Times: -1}); err != nil {
		t.Fatal(err)
	}
	app := commandtest.NCBI(t, srv)
	seen := map[string]bool{}
	for offset := 0; offset < 60; offset += 20 {
		h, _ := clitest.Read(t, app, fmt.Sprintf("search article --date-from 2020 --sort pub_date --summaries 0 --offset %d", offset))
		for _, id := range h.PMIDs {
			seen[id] = true
		}
	}
	if len(seen) != 60 {
		t.Errorf("three pages of 20 gave %d articles", len(seen))
	}
}

// Quotes as word processors write them limit a phrase, at each door that sends a term.
func TestTypographicQuotesLimitAPhrase(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, query := range []string{"“mushroom ergothioneine”", "„mushroom ergothioneine“", "«mushroom ergothioneine»", "“mushroom ergothioneine\""} {
		text, _ := clitest.Ask(t, app, command.Agent, "search article '"+query+"' --json")
		straight, _ := clitest.Ask(t, app, command.Agent, "search article '\"mushroom ergothioneine\"' --json")
		type reply struct {
			Term  string `json:"effective_term"`
			Total *int
		}
		var got, want reply
		if err := errors.Join(json.Unmarshal([]byte(text), &got), json.Unmarshal([]byte(straight), &want)); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if got.Term != want.Term || got.Total == nil || *got.Total != *want.Total {
			t.Errorf("%s: searched as %q, want %q", query, got.Term, want.Term)
		}
	}
	text, _ := clitest.Ask(t, app, command.Agent, "search article “mushroom or ergothioneine”")
	if strings.Contains(text, "is not an operator here") {
		t.Errorf("or in a phrase is reported as an operator: %s", text)
	}
}
