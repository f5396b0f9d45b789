package jats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

func TestHostileInput(t *testing.T) {
	lol := `<!DOCTYPE article [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><article><body><p>&b;</p></body></article>`
	for name, r := range map[string]io.Reader{
		"empty":           strings.NewReader(""),
		"HTML":            strings.NewReader("<html><body>502 Bad Gateway</body></html>"),
		"PubMed XML":      strings.NewReader("<PubmedArticleSet></PubmedArticleSet>"),
		"cut short":       strings.NewReader(synthetic[:2000]),
		"own entities":    strings.NewReader(lol),
		"external entity": strings.NewReader(`<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><article><body><p>&x;</p></body></article>`),
		"too deep":        strings.NewReader("<article><body>" + strings.Repeat("<sec>", documentBounds.depth) + strings.Repeat("</sec>", documentBounds.depth) + "</body></article>"),
		"not UTF-8":       strings.NewReader("<article><body><p>\xff</p></body></article>"),
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			_, err := Parse(r)
			if _, ok := errors.AsType[*FormatError](err); !ok {
				t.Errorf("%s: %v; want a *FormatError", name, err)
			}
		})
	}
	broken := errors.New("connection reset")
	if _, err := Parse(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("the reader's error is lost: %v", err)
	}
	if got := body(t, "<p>a&nbsp;b&beta;</p>")[0].Text; got != "a bβ" {
		t.Errorf("HTML's entities: %q", got)
	}
}

// TestBounds uses small limits: a document at the limit is read, and one above it is rejected.
func TestBounds(t *testing.T) {
	const text = `<a x="1"><b>c</b><d/></a>` // 3 elements, an attribute, a text; 2 deep
	enough := bounds{bytes: len(text), nodes: 5, depth: 2}
	if _, err := readTree(strings.NewReader(text), enough); err != nil {
		t.Fatal(err)
	}
	for _, less := range []bounds{{len(text) - 1, 5, 2}, {len(text), 4, 2}, {len(text), 5, 1}} {
		_, err := readTree(strings.NewReader(text), less)
		var bad *FormatError
		if !errors.As(err, &bad) || strings.Contains(bad.Reason, "EOF") {
			t.Errorf("%+v: %v", less, err)
		}
	}
	if documentBounds.bytes > 64<<20 || documentBounds.nodes > 4<<20 || documentBounds.depth > 100 {
		t.Errorf("bounds of a document: %+v", documentBounds)
	}
}

// TestHostileTables checks that spans of a billion cells add at most the spare cells of a document,
// here a small number.
func TestHostileTables(t *testing.T) {
	const spare = 1 << 14
	wide := strings.Repeat(`<td colspan="99999999" rowspan="99999999">x</td>`, 300)
	stairs := strings.Repeat(`<td rowspan="0">a</td><td>b</td>`, 2000)
	for name, xml := range map[string]string{
		"spans":    `<table><tr>` + wide + `</tr>` + strings.Repeat("<tr><td/></tr>", 300) + `</table>`,
		"gaps":     `<table><tr>` + stairs + `</tr>` + strings.Repeat("<tr/>", 500) + `</table>`,
		"one long": `<table><tr>` + strings.Repeat("<td/>", 5000) + `</tr>` + strings.Repeat("<tr><td/></tr>", 5000) + `</table>`,
		"negative": `<table><tr><td colspan="-5" rowspan="x">x</td></tr></table>`,
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			tree, err := readTree(strings.NewReader(`<article><body>`+xml+`</body></article>`), documentBounds)
			if err != nil {
				t.Fatal(err)
			}
			p := &parser{article: &Article{}, refs: map[string]int{}, spare: spare}
			p.read(tree.find("article"))
			cells := 0
			for _, row := range p.article.Body[0].Blocks[0].Grid.Rows {
				cells += len(row)
			}
			if own := strings.Count(xml, "<td"); cells < own || cells > own+spare+2*maxColspan {
				t.Errorf("%s: %d cells of %d", name, cells, own)
			}
		})
	}
	if spareCells > 1<<20 {
		t.Errorf("a document may have %d cells to spare", spareCells)
	}
}

// TestHostileNesting checks that deeply nested elements are rendered only once.
func TestHostileNesting(t *testing.T) {
	const words = 100_000
	text := strings.Repeat("word ", words)
	for _, tag := range []string{
		`sup`, `xref ref-type="bibr"`, `ext-link href="x"`, `fn`, `fig`, `boxed-text`, `list`, `math`, `msup`, `inline-formula`, `td`, `disp-quote`,
	} {
		t.Run(tag, func(t *testing.T) {
			name, _, _ := strings.Cut(tag, " ")
			xml := "<article><body><p>" + strings.Repeat("<"+tag+">", 90) + text + strings.Repeat("</"+name+">", 90) + "</p></body></article>"
			start := time.Now()
			a := parse(t, xml)
			if n := strings.Count(a.Body[0].Text(), "word"); n != words {
				t.Errorf("%s: %d words, want %d", tag, n, words)
			}
			t.Logf("%s: %v", tag, time.Since(start))
		})
	}
}

// A million nested elements are rejected, wherever they begin.
func TestDeepNesting(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	const depth = 1 << 20
	for _, tag := range []string{"sec", "p", "list", "table", "mrow", "sub-article", "caption"} {
		t.Run(tag, func(t *testing.T) {
			deep := strings.Repeat("<"+tag+">", depth) + strings.Repeat("</"+tag+">", depth)
			for _, xml := range []string{deep, "<article><body>" + deep + "</body></article>", "<article><front><article-meta>" + deep} {
				var refused *FormatError
				if _, err := Parse(strings.NewReader(xml)); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "nested deeper") {
					t.Errorf("%s: %v", tag, err)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(synthetic))
	f.Add([]byte(`<article><body><sup><xref ref-type="bibr">1</xref></sup><table><tr><td rowspan="0"/></tr><tr/></table></body></article>`))
	f.Add([]byte(`<article><body><list><def-list/></list><disp-formula><math><mfrac/></math></disp-formula></body></article>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Parse(strings.NewReader(string(data)))
		if err != nil {
			var bad *FormatError
			var absent *NoArticleError
			if !errors.As(err, &bad) && !errors.As(err, &absent) {
				t.Fatalf("error of another type: %v", err)
			}
			return
		}
		a.Outline()
		if _, err := json.Marshal(a); err != nil {
			t.Fatal(err)
		}
		if a.Body == nil || a.Back == nil || a.Refs == nil || a.Authors == nil || a.Footnotes == nil {
			t.Error("a list is nil")
		}
		level := 0
		for _, s := range a.Body {
			if s.Level < 1 || s.Level > level+1 || s.Blocks == nil {
				t.Errorf("section %+v after level %d", s, level)
			}
			level = s.Level
		}
	})
}
