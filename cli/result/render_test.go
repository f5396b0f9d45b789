package result

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

type sample struct {
	Rows int `json:"rows"`
	doc  Doc
}

func (s sample) Doc() Doc { return s.doc }

type boundSample struct{ sample }

func (boundSample) SchemaBound() {}

func render(t *testing.T, o Outcome, f Format) (out, errs string) {
	t.Helper()
	var a, b bytes.Buffer
	if err := Render(&a, &b, o, f); err != nil {
		if _, ok := err.(*Failure); !ok {
			t.Fatal(err)
		}
	}
	return a.String(), b.String()
}

func TestMarkdownEscapesText(t *testing.T) {
	for in, want := range map[string]string{
		"p<0.05 and x <y":           "p<0.05 and x \\<y",
		"<script>alert(1)</script>": "\\<script>alert(1)\\</script>",
		"![x](http://evil)":         "![x\\](http://evil)",
		"[x]: http://evil":          "\\[x]: http://evil",
		"for cancer[mh]: 213":       "for cancer[mh]: 213",
		"a[ti], [tiab]: b[mh]":      "a[ti], [tiab]: b[mh]",
		"[see](x)":                  "[see\\](x)",
		"HLA-A*02:01":               "HLA-A*02:01",
		"HLA-A*02:01, HLA-B*07:02":  "HLA-A\\*02:01, HLA-B\\*07:02",
		"CYP2C19 *2/*17, *1/*2":     "CYP2C19 *2/*17, *1/*2",
		"*2* and **strong**":        "\\*2\\* and \\*\\*strong\\*\\*",
		"a ** b ** c":               "a ** b ** c",
		"a\x1b[31mred\x1b[0m":       "a[31mred[0m",
		"two\nlines":                "two lines",
		"AT&T &amp; x":              "AT&T \\&amp; x",
		"http://a.b/?x=1&y=2; &z":   "http://a.b/?x=1&y=2; &z",
		"rtl \u202Eevil":            "rtl evil",
		"TNF-α ≥ 5 µg":              "TNF-α ≥ 5 µg",
		"bad \xff utf8":             "bad \uFFFD utf8",
	} {
		t.Run(in, func(t *testing.T) {
			if got := escapeInline(in); got != want {
				t.Errorf("escapeInline(%q) = %q, want %q", in, got, want)
			}
		})
	}
	out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: Doc{
		Para{Text: "# not a heading\n- not a list\n1. nor this\n> nor a quote\n--a-flag\n--"},
		Table{Columns: Columns("A|B", ">n"), Rows: [][]string{{"x|y\nz", "1"}, {"", "2"}}},
		Fields{{"Searched as", "AREA[Keyword](\"p<x\")"}, {"Title", "[`a`](b)"}},
		Fence{Lang: "text", Text: "```\nfence"},
	}}}}, Format{})
	want := "\\# not a heading\n\n\\- not a list\n\n1\\. nor this\n\n\\> nor a quote\n\n--a-flag\n\n\\--\n\n" +
		"| A\\|B | n |\n| --- | ---: |\n| x\\|y z | 1 |\n| - | 2 |\n\n" +
		"- **Searched as:** `AREA[Keyword](\"p<x\")`\n- **Title:** [\\`a\\`\\](b)\n\n" +
		"````text\n```\nfence\n````\n"
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}

func TestNoticesFirstNextCommandsLast(t *testing.T) {
	r := &Result{Payload: sample{Rows: 1, doc: Doc{Heading{1, "T"}}}, Notices: []string{"n1"}, Next: []Argv{{"get", "article", "a; rm"}}}
	out, errs := render(t, Outcome{Result: r}, Format{})
	if want := "**Note:** n1\n\n# T\n\n## Next\n\n```\nbiomcp get article 'a; rm'\n```\n"; out != want {
		t.Errorf("markdown: got %q, want %q", out, want)
	}
	if errs != "" {
		t.Errorf("standard error: got %q, want nothing", errs)
	}
	out, _ = render(t, Outcome{Result: r}, Format{JSON: true})
	var got struct {
		Rows    int
		Notices []string
		Meta    struct {
			Next    []string        `json:"next_commands"`
			Sources []SectionSource `json:"section_sources"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if got.Rows != 1 {
		t.Errorf("rows: got %d, want 1", got.Rows)
	}
	if want := "n1"; got.Notices[0] != want {
		t.Errorf("first notice: got %q, want %q", got.Notices[0], want)
	}
	if want := "biomcp get article 'a; rm'"; got.Meta.Next[0] != want {
		t.Errorf("first next command: got %q, want %q", got.Meta.Next[0], want)
	}
	if got.Meta.Sources == nil {
		t.Error("section_sources: got null, want a list")
	}
}

func TestSchemaBoundJSONIsOnlyThePayload(t *testing.T) {
	r := &Result{Payload: boundSample{sample{Rows: 2}}, Notices: []string{"said aside"}}
	out, errs := render(t, Outcome{Result: r}, Format{JSON: true})
	if want := "{\"rows\":2}\n"; out != want {
		t.Errorf("standard output: got %q, want %q", out, want)
	}
	if want := "notice: said aside\n"; errs != want {
		t.Errorf("standard error: got %q, want %q", errs, want)
	}
}

func TestFailureText(t *testing.T) {
	f := Invalid("no entity \"artcle\"\x1b[2J", "search", "article")
	out, errs := render(t, Outcome{Failure: f}, Format{})
	if out != "" {
		t.Errorf("standard output: got %q, want nothing", out)
	}
	if want := "error: no entity \"artcle\"[2J\ntry:   biomcp search article\n"; errs != want {
		t.Errorf("standard error: got %q, want %q", errs, want)
	}
	out, errs = render(t, Outcome{Failure: f, Result: &Result{Payload: sample{}}}, Format{JSON: true})
	var e envelope
	if err := json.Unmarshal([]byte(out), &e); err != nil {
		t.Fatal(err)
	}
	if errs != "" {
		t.Fatalf("standard error with --json: got %q, want nothing", errs)
	}
	if e.Error.Code != Validation {
		t.Errorf("code: got %s, want %s", e.Error.Code, Validation)
	}
	if want := "biomcp search article"; e.Error.Details["try"] != want {
		t.Errorf("try: got %q, want %q", e.Error.Details["try"], want)
	}
}

func rows(n int) Result {
	tab := Table{Columns: Columns("id", "title"), Main: true}
	for i := range n {
		tab.Rows = append(tab.Rows, []string{fmt.Sprint(i), strings.Repeat("word ", 10)})
	}
	return Result{
		Payload:      sample{Rows: n, doc: Doc{Heading{1, "Rows"}, tab}},
		ContinueFrom: func(at int) Argv { return Argv{"more", fmt.Sprint(at)} },
	}
}

func TestJSONIsNotCut(t *testing.T) {
	r := rows(500)
	out, _ := render(t, Outcome{Result: &r}, Format{Max: 5000, JSON: true})
	if !strings.Contains(out, `"VALIDATION"`) && len(out) > 5000 {
		t.Errorf("JSON over the bound: %s", out)
	}
}

func TestProseIsEmphasisedInMarkdownOnly(t *testing.T) {
	doc := Doc{Prose{"HLA-A*02:01. \ufdd0J Heat\ufdd0, \ufdd07\ufdd0(2).", "\ufdd0"}}
	for width, want := range map[int]string{0: "HLA-A*02:01. *J Heat*, *7*(2).\n", 80: "HLA-A*02:01. J Heat, 7(2).\n"} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			if got, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: doc}}}, Format{Width: width, Terminal: width > 0}); !strings.Contains(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestTerminalLinesFitTheWidth(t *testing.T) {
	doc := Doc{
		Heading{1, strings.Repeat("Long title ", 20)},
		Alert{"RETRACTED: " + strings.Repeat("see the notice ", 12)},
		Para{strings.Repeat("漢字とかな交じり文 and words ", 20)},
		Fields{{"Journal", strings.Repeat("Annals of Something ", 8)}, {"Empty", ""}, {"DOI", "10.1/x"}},
		List{Items: []string{strings.Repeat("item ", 40), "b"}, Ordered: true},
		Quote{strings.Repeat("passage ", 40)},
		Table{Columns: Columns("PMID", "Title", ">Year"), Rows: [][]string{
			{"12345678", "Μελέτη της νόσου " + strings.Repeat("θεραπεία ", 15), "2024"},
			{"1", "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字", "-"},
		}},
	}
	for _, width := range []int{40, 80, 132} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: doc}}}, Format{Terminal: true, Width: width})
			for _, l := range strings.Split(out, "\n") {
				if w := runewidth.StringWidth(l); w > width {
					t.Errorf("width %d: %d columns: %q", width, w, l)
				}
			}
			if strings.Contains(out, "\x1b") {
				t.Error("colour without being asked")
			}
			for _, want := range []string{"12345678", "2024", "10.1/x"} {
				if !strings.Contains(out, want) {
					t.Errorf("width %d: %q is missing", width, want)
				}
			}
			if strings.Count(out, "θεραπεία") != 15 {
				t.Errorf("width %d: table text was cut: %d", width, strings.Count(out, "θεραπεία"))
			}
		})
	}
	out, _ := render(t, Outcome{Result: &Result{Payload: sample{doc: doc}}}, Format{Terminal: true, Color: true, Width: 80})
	if !strings.Contains(out, "\x1b[1;36m") {
		t.Error("no colour though asked")
	}
}

func TestVerbatimIsUnchanged(t *testing.T) {
	text := "TY  - JOUR\nTI  - <b>*x*</b> | `y`\nER  - \n"
	r := &Result{Payload: sample{doc: Doc{Verbatim{text}}}, Notices: []string{"aside"}}
	for _, f := range []Format{{}, {Terminal: true, Color: true}} {
		out, errs := render(t, Outcome{Result: r}, f)
		if out != text {
			t.Errorf("%+v: got %q, want %q", f, out, text)
		}
		if want := "notice: aside\n"; errs != want {
			t.Errorf("%+v: standard error: got %q, want %q", f, errs, want)
		}
	}
}
