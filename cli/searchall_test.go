package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
)

type allAnswer struct {
	Query    string
	Sections []struct {
		Entity, Outcome string
		Total           *int
		Results         []map[string]any
		Error           *struct{ Code, Message string }
	}
	Notices []string
	Meta    struct {
		Next []string `json:"next_commands"`
	} `json:"_meta"`
}

func (a allAnswer) text(t *testing.T) string {
	t.Helper()
	var out []string
	for _, s := range a.Sections {
		total := "null"
		if s.Total != nil {
			total = fmt.Sprint(*s.Total)
		}
		out = append(out, fmt.Sprintf("%s %s %s", s.Entity, s.Outcome, total))
	}
	return strings.Join(out, ", ")
}

func searchedAll(t *testing.T, srv *entreztest.Server, line string) (got allAnswer, code int, asked []string) {
	t.Helper()
	text, code, asked := exchanges(t, srv, "search all "+line+" --json")
	validate(t, "search_all.response", line, text)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err, text)
	}
	return got, code, asked
}

// section describes the part of an answer about one entity.
func (a allAnswer) section(name string) string {
	for _, s := range a.Sections {
		if s.Entity == name {
			if s.Total == nil {
				return s.Outcome + " null"
			}
			return fmt.Sprintf("%s %d, %d shown", s.Outcome, *s.Total, len(s.Results))
		}
	}
	return ""
}

func TestSearchAll(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	got, code, asked := searchedAll(t, srv, "-g OCRL --limit 1")
	if code != 0 || got.section("disease") != "data 2, 1 shown" || got.section("article") != "empty 0, 0 shown" ||
		got.section("gene") != "empty 0, 0 shown" || len(got.Sections) > 7 { // the simulator has no gene OCRL
		t.Errorf("exit %d, %s, %q", code, got.text(t), asked)
	}
	if !strings.Contains(strings.Join(got.Meta.Next, "\n"), "biomcp search disease --gene=OCRL") {
		t.Errorf("%q", got.Meta.Next)
	}
	// A disease is the query of the disease search; a keyword is part of every query.
	for line, want := range map[string]string{"-d marfan": "data 2, 2 shown", "marfan": "data 2, 2 shown", "-k marfan -g FBN1": "data 1, 1 shown"} {
		t.Run(line, func(t *testing.T) {
			if got, code, _ := searchedAll(t, srv, line); code != 0 || got.section("disease") != want {
				t.Errorf("%s: exit %d, %s", line, code, got.text(t))
			}
		})
	}
	// A term that an entity has no filter for makes its search inapplicable.
	if got, _, _ := searchedAll(t, srv, "--drug imatinib"); got.section("disease") != "inapplicable null" || !strings.Contains(strings.Join(got.Notices, " "), "search disease has no filter for a drug") {
		t.Errorf("%s, %q", got.text(t), got.Notices)
	}
	// With other terms the search uses those, and a notice names the unused term.
	got, _, _ = searchedAll(t, srv, "-d marfan --drug imatinib")
	said := strings.Join(got.Notices, " ")
	for _, s := range got.Sections {
		if s.Outcome == "inapplicable" {
			t.Errorf("%s is left out", s.Entity)
		}
	}
	if got.section("disease") != "data 2, 2 shown" || !strings.Contains(said, "search disease has no filter for a drug: its hits are for the rest") || strings.Contains(said, "search article has no filter") {
		t.Errorf("%s, %q", got.text(t), got.Notices)
	}
	for line, want := range map[string]string{"": "needs a gene", "-g ''": "needs a gene", "--limit 0 x": "--limit"} {
		t.Run(line, func(t *testing.T) {
			if text, code, _ := exchanges(t, srv, "search all "+line); code != 2 || !strings.Contains(text, want) {
				t.Errorf("%q: exit %d: %s", line, code, text)
			}
		})
	}
}

func TestSearchAllCountsOnly(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	got, code, asked := searchedAll(t, srv, "-g OCRL --counts-only")
	if code != 0 || got.section("disease") != "data 2, 0 shown" || len(asked) > 2*len(got.Sections) {
		t.Errorf("exit %d, %s, %q", code, got.text(t), asked)
	}
	for _, s := range got.Sections {
		if (s.Results == nil) != (s.Error != nil) {
			t.Errorf("%s: results %v, error %v", s.Entity, s.Results, s.Error)
		}
	}
	for _, r := range srv.Requests() {
		if db := r.Params.Get("db"); (db == "medgen" || db == "pubmed") && (r.Endpoint != "esearch" || r.Params.Get("retmax") != "0") {
			t.Errorf("more than a number is asked for: %s %v", r.Endpoint, r.Params)
		}
	}
}

// An entity without hits has the total 0, even if its search does not count, and is not
// suggested.
func TestSearchAllOffersNothingThatWasEmpty(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, flag := range []string{"", " --counts-only"} {
		text := answer(t, app, command.Agent, "search all melanoma"+flag)
		if !strings.Contains(text, "| drug | 0 | empty |") || strings.Contains(text, "biomcp search drug") || !strings.Contains(text, "| trial | 4 | data |") {
			t.Errorf("%q: %s", flag, text)
		}
	}
}

// A source that fails affects only its own section, whose total is then unknown.
func TestSearchAllOfWhichSomeFails(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "esummary", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	got, code, _ := searchedAll(t, srv, "-g OCRL")
	if code != 0 || got.section("disease") != "unavailable null" || got.section("article") != "empty 0, 0 shown" ||
		!strings.Contains(strings.Join(got.Notices, " "), "search disease did not answer") {
		t.Errorf("exit %d, %s, %q", code, got.text(t), got.Notices)
	}
	for _, endpoint := range []string{"esearch", "studies"} {
		t.Run(endpoint, func(t *testing.T) {
			if err := srv.Fail(entreztest.Fault{Endpoint: endpoint, Kind: entreztest.HTML502, Times: -1}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if text, code, _ := exchanges(t, srv, "search all -g OCRL --json"); code != 1 || !strings.Contains(text, `"UPSTREAM"`) {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	const validator = "batch.response"
	for line, want := range map[string]string{
		"disease C0024796 382914 MONDO:0010359":     "esearch esummary",
		"disease C0024796 C9999999":                 "esearch esearch esummary",
		"disease C0024796 44287":                    "esearch esummary",
		"disease 'Marfan syndrome' Melanoma":        "esearch esummary",
		"article 90100001 90100003":                 "efetch esummary",
		"article 90100001 90100003 99999999 --json": "efetch efetch esummary esummary",
		"disease C0024796 382914 genes":             "esearch esummary",
	} {
		t.Run(line, func(t *testing.T) {
			text, code, asked := exchanges(t, srv, "batch "+line+" --json")
			validate(t, validator, line, text)
			slices.Sort(asked)
			if code != 0 || strings.Join(asked, " ") != want {
				t.Errorf("%s: exit %d, %q: %s", line, code, asked, text)
			}
		})
	}
	text, code, _ := exchanges(t, srv, "batch disease OCRL C0024796 xqzzyblorp --json")
	for _, want := range []string{
		`{"input":"OCRL","status":"failed","result":null,"error":{"code":"NOT_FOUND","message":"OCRL is a gene, not a disease"`,
		`{"input":"C0024796","status":"found","result":{"cui":"C0024796"`, `"summary":{"total":3,"found":1,"failed":2}`, `"2 of 3 failed: OCRL, xqzzyblorp"`,
	} {
		t.Run(want, func(t *testing.T) {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("exit %d, want %s: %s", code, want, text)
			}
		})
	}
	text, code, _ = exchanges(t, srv, "batch disease xqzzyblorp C9999999 --json")
	if code != 1 || !strings.Contains(text, `"details":{"items":[{"input":"xqzzyblorp","status":"failed"`) {
		t.Errorf("exit %d: %s", code, text)
	}
	validate(t, "error", "none found", text)
	many := ""
	for i := range 11 {
		many += fmt.Sprintf(" %d", 100+i)
	}
	for line, want := range map[string]string{
		"disease" + many: "11 ids at once; batch disease takes at most 10", "dizease 1": `no entity \"dizease\"`, "disease": "which disease?", "gene BRAF TP53 pathway": "no section \\\"pathway\\\"", "disease genes": "which disease?", "spelling x": "no entity",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code, _ := exchanges(t, srv, "batch "+line+" --json"); code != 2 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

// Two ids may share a record, and one id may have several.
func TestBatchOfIdsThatShareRecords(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	text, code, _ := exchanges(t, srv, "batch gene BRAF 673 TP53 MLH1 1 2 3 4 5 6 8 --json")
	if code != 0 || strings.Count(text, `"result":{"symbol":"BRAF"`) != 2 || !strings.Contains(text, `"summary":{"total":11,"found":4,"failed":7}`) ||
		!strings.Contains(text, `{"input":"8","status":"failed","result":null,"error":{"code":"NOT_FOUND","message":"no gene found for 8"`) {
		t.Errorf("exit %d: %s", code, text)
	}
	// The words of an id may be separate arguments, as in get.
	for _, line := range []string{"batch variant 13961 'MYD88 L265P' --json", "batch variant 'MYD88 L265P' --json", "batch variant MYD88 L265P 13961 --json"} {
		t.Run(line, func(t *testing.T) {
			text, code, _ = exchanges(t, srv, line)
			if code != 0 || strings.Count(text, `{"input":"MYD88 L265P","status":"found"`) != 1 || strings.Contains(text, `"status":"failed"`) {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}

func TestBatchOfASourceThatIsDown(t *testing.T) {
	t.Parallel()
	srv := breadth(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code, _ := exchanges(t, srv, "batch article 90100001 90100003 --json")
	if code != 1 || !strings.Contains(text, `"code":"UPSTREAM"`) || !strings.Contains(text, `"items":[`) {
		t.Errorf("exit %d: %s", code, text)
	}
}
