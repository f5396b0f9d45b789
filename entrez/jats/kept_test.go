package jats

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryElementIsKept has a word in each element that a rule of its own could drop.
func TestEveryElementIsKept(t *testing.T) {
	a := parse(t, `<article xmlns:xlink="x"><front><article-meta><product><source>WORD1</source></product><product>WORD2</product>
<supplementary-material><label>WORD3</label></supplementary-material></article-meta><notes><p>WORD4</p></notes><notes><p>WORD5</p></notes></front>
<body><sec><title>S</title><def-list><title>WORD6</title><term-head>WORD7</term-head><def-head>WORD8</def-head>
<def-item><term>WORD9</term><term>WORD10</term><def><p>WORD11</p></def><def><p>WORD12</p></def></def-item></def-list>
<list><title>WORD13</title><list-item><label>WORD14</label><title>WORD15</title><p>WORD16</p></list-item></list></sec></body>
<back><ref-list><title>WORD17</title><p>WORD18</p><ref><mixed-citation>WORD19</mixed-citation><note><p>WORD20</p></note></ref>
<ref-list><title>WORD21</title><ref>WORD22</ref></ref-list></ref-list></back>
<sub-article><front-stub><abstract><p>WORD23</p></abstract><trans-abstract><title>WORD24</title><sec><title>WORD25</title><p>WORD26</p></sec></trans-abstract></front-stub>
<body><p>WORD27</p></body><back><ref-list><ref><element-citation><source>WORD28</source><pub-id pub-id-type="pmid">90299</pub-id></element-citation></ref></ref-list></back></sub-article></article>`)
	var all strings.Builder
	for _, s := range append(a.Body, a.Back...) {
		all.WriteString(s.Label + " " + s.Title + "\n" + s.Text() + "\n")
	}
	for _, r := range a.Refs {
		all.WriteString(r.List + " " + r.Line() + "\n")
	}
	for i := 1; i <= 28; i++ {
		if n := strings.Count(all.String()+"\n", fmt.Sprintf("WORD%d", i)); n == 0 {
			t.Errorf("WORD%d is lost", i)
		}
	}
	if !strings.Contains(all.String(), "PMID: 90299") {
		t.Errorf("the PMID of a reference of a sub-article is lost:\n%s", all.String())
	}
	for _, want := range []string{"WORD9, WORD10:\nWORD11\nWORD12", "WORD7:\nWORD8"} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no %q in\n%s", want, all.String())
		}
	}
}

func TestTermsAreNotJoinedToTheirMeanings(t *testing.T) {
	for label, want := range map[string]string{"ABC": "ABC:", "ABC:": "ABC:", "x =": "x =", "": ""} {
		b := Block{Kind: List, Terms: true}
		if got := b.ItemLabel(Item{Label: label, Blocks: []Block{{Kind: Paragraph, Text: "y"}}}); got != want {
			t.Errorf("term %q: %q, want %q", label, got, want)
		}
	}
	got := body(t, `<table><tr><td><def-list><def-item><term>AB</term><def><p>a b</p></def></def-item><def-item><term>CD</term><def><p>c d</p></def></def-item></def-list></td></tr></table>`)
	if cell, want := got[0].Grid.Rows[0][0], "AB: a b CD: c d"; cell != want {
		t.Errorf("definitions in a cell: %q, want %q", cell, want)
	}
	if b := body(t, `<list><list-item><label>1.</label><p>One</p></list-item></list>`)[0]; b.ItemLabel(b.Items[0]) != "1." {
		t.Errorf("label of an item: %q", b.ItemLabel(b.Items[0]))
	}
}

// TestIdentifiersOfReferences checks the fields and the line of each form of citation.
func TestIdentifiersOfReferences(t *testing.T) {
	ids := `<pub-id pub-id-type="pmid">123</pub-id><pub-id pub-id-type="pmc">45</pub-id><pub-id pub-id-type="doi">10.1000/x</pub-id>`
	for citation, want := range map[string]string{
		`<element-citation><source>J</source><year>2001</year>` + ids + `</element-citation>`: "[1] J. 2001. PMID: 123. PMCID: PMC45. doi: 10.1000/x",

		`<mixed-citation><source>J</source>` + ids + `</mixed-citation>`:                               "[1] J. PMID: 123. PMCID: PMC45. doi: 10.1000/x",
		`<mixed-citation>J. PMID: <pub-id pub-id-type="pmid">123</pub-id></mixed-citation>`:            "[1] J. PMID: 123",
		`<mixed-citation>See 10.1000/X. <pub-id pub-id-type="doi">10.1000/x</pub-id></mixed-citation>`: "[1] See 10.1000/X. 10.1000/x",
		`<element-citation><source>Page 1234</source>` + ids + `</element-citation>`:                   "[1] Page 1234. PMID: 123. PMCID: PMC45. doi: 10.1000/x",
	} {
		r := parse(t, `<article><back><ref-list><ref>`+citation+`</ref></ref-list></back></article>`).Refs[0]
		if r.Line() != want {
			t.Errorf("%s\n got %s\nwant %s", citation, r.Line(), want)
		}
		if strings.Contains(citation, `"pmid"`) && r.PMID != "123" {
			t.Errorf("%s: PMID %q", citation, r.PMID)
		}
		if strings.Contains(citation, `"doi"`) && r.DOI != "10.1000/x" {
			t.Errorf("%s: DOI %q", citation, r.DOI)
		}
	}
	for link, want := range map[string]string{
		`<ext-link xlink:href="https://doi.org/10.1000/x">a</ext-link>`:                                  "||10.1000/x",
		`<ext-link ext-link-type="pmid" xlink:href="77">a</ext-link>`:                                    "77||",
		`<uri xlink:href="https://pubmed.ncbi.nlm.nih.gov/77/"/>`:                                        "77||",
		`<ext-link xlink:href="https://www.ncbi.nlm.nih.gov/pubmed/77">a</ext-link>`:                     "77||",
		`<ext-link xlink:href="https://pmc.ncbi.nlm.nih.gov/articles/PMC8/"/>`:                           "|PMC8|",
		`<pub-id pub-id-type="doi">https://doi.org/10.1000/y</pub-id>`:                                   "||10.1000/y",
		`<ext-link xlink:href="https://doi.org/10.1000/z"/><pub-id pub-id-type="doi">10.1000/y</pub-id>`: "||10.1000/y",
	} {
		r := parse(t, `<article xmlns:xlink="x"><back><ref-list><ref><mixed-citation>Words. `+link+`</mixed-citation></ref></ref-list></back></article>`).Refs[0]
		if got := r.PMID + "|" + r.PMCID + "|" + r.DOI; got != want {
			t.Errorf("%s: %s, want %s", link, got, want)
		}
	}
}

// A reference of several works keeps the identifiers of each.
func TestReferenceOfSeveralWorks(t *testing.T) {
	r := parse(t, `<article><back><ref-list><ref><label>1</label><element-citation><source>A</source><pub-id pub-id-type="pmid">11</pub-id></element-citation>
<element-citation><source>B</source><pub-id pub-id-type="pmid">22</pub-id></element-citation></ref></ref-list></back></article>`).Refs[0]
	if want := "[1] A. PMID: 11; B. PMID: 22"; r.Line() != want || r.PMID != "11" || len(r.Works) != 2 || r.Works[1].PMID != "22" {
		t.Errorf("%+v: %s, want %s", r, r.Line(), want)
	}
}

// TestSharedShapes reads the made-up texts with the rarer elements.
func TestSharedShapes(t *testing.T) {
	names, _ := filepath.Glob("../../../shared/data/t4/references/jats_770*.xml")
	if len(names) == 0 {
		t.Skip("SKIPPED: made-up full texts are absent")
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		a, err := Parse(strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, s := range append(a.Body, a.Back...) {
			got.WriteString(s.Label + " " + s.Title + "\n" + s.Text() + "\n")
		}
		marks := regexp.MustCompile(`\b[A-Z]+[0-9]\b`).FindAllString(characterData(t, body, "body"), -1)
		if len(marks) == 0 {
			t.Errorf("%s: nothing to compare", name)
		}
		for _, mark := range marks {
			if !strings.Contains(got.String(), mark) {
				t.Errorf("%s: %s is lost", name, mark)
			}
		}
	}
}

func TestInitialsKeepTheirLetters(t *testing.T) {
	for given, want := range map[string]string{"ʿAlī Ḥasan": "ʿAḤ", "Élie": "É", "Jean-Luc A.": "JLA", "MA": "MA", "JAP": "JAP", "JEAN": "J", "ʿ": "ʿ", "": ""} {
		if got := initialsOf(given); got != want {
			t.Errorf("%s: %q, want %q", given, got, want)
		}
	}
}

// A citation of any parts has each of them once, in the order of the style, and no mark without a part.
func TestCitationOfAnyParts(t *testing.T) {
	parts := []struct{ name, text string }{
		{"article-title", "Title"}, {"source", "Journal"}, {"publisher-loc", "Place"}, {"publisher-name", "House"},
		{"year", "2009"}, {"volume", "3"}, {"issue", "1"}, {"fpage", "5"}, {"lpage", "9"}, {"elocation-id", "e7"},
	}
	for set := range 1 << len(parts) {
		if set&3 == 0 { // of no title and source: the text as it stands
			continue
		}
		xml, has := "", map[string]string{}
		for i, p := range parts {
			if set>>i&1 == 1 {
				xml += "<" + p.name + ">" + p.text + "</" + p.name + ">"
				has[p.name] = p.text
			}
		}
		pages, rest := has["fpage"], has["elocation-id"]
		if last := has["lpage"]; last != "" {
			pages += "-" + last
		}
		if pages == "" {
			pages, rest = rest, ""
		}
		location := has["year"]
		for _, p := range []struct{ before, text, after string }{{";", has["volume"], ""}, {"(", has["issue"], ")"}, {":", pages, ""}} {
			if p.text != "" {
				location += p.before + p.text + p.after
			}
		}
		publisher := has["publisher-loc"]
		if has["publisher-loc"] != "" && has["publisher-name"] != "" {
			publisher += ": "
		}
		publisher += has["publisher-name"]
		var want []string
		for _, s := range []string{has["article-title"], has["source"], publisher, strings.TrimLeft(location, ";:"), rest} {
			if s != "" {
				want = append(want, s+".")
			}
		}
		a := parse(t, `<article><back><ref-list><ref><element-citation>`+xml+`</element-citation></ref></ref-list></back></article>`)
		got := ""
		if len(a.Refs) > 0 {
			got = a.Refs[0].Text
		}
		if got != strings.Join(want, " ") {
			t.Fatalf("%s\n got %q\nwant %q", xml, got, strings.Join(want, " "))
		}
	}
}

// The best type of date wins, in any order. The release in PMC is no publication.
func TestDateOfPublication(t *testing.T) {
	date := func(kind, year string) string {
		return `<pub-date pub-type="` + kind + `"><year>` + year + `</year></pub-date>`
	}
	for xml, want := range map[string]string{
		date("epub", "2020") + date("ppub", "2021"): "2020", date("ppub", "2021") + date("epub", "2020"): "2020",
		date("pmc-release", "2019"): "", date("pmc-release", "2019") + date("ppub", "2021"): "2021", date("unheard-of", "2018"): "2018",
		date("unheard-of", "2018") + date("collection", "2017"): "2017", date("epub", "1000"): "1000", date("epub", "9999"): "9999",
		date("epub", "999"): "", date("epub", "10000"): "", date("epub", "") + date("ppub", "2021"): "2021",
	} {
		if got := parse(t, `<article><front><article-meta>`+xml+`</article-meta></front></article>`).Published; got != want {
			t.Errorf("%s: %q, want %q", xml, got, want)
		}
	}
}

// Rows stand in their order, in and outside the bodies of a table, whatever text stands between them.
func TestRowsInAndOutsideBodies(t *testing.T) {
	row := func(text string) string { return "<tr><td>" + text + "</td></tr>" }
	got := body(t, `<table-wrap><label>T</label><p>Aside.</p><table>`+row("1")+`<tbody>`+row("2")+`</tbody>`+row("3")+`<tfoot>`+row("4")+`</tfoot>`+row("5")+`</table></table-wrap>`)
	if rows := fmt.Sprint(got[0].Grid.Rows); rows != "[[1] [2] [3] [4] [5]]" {
		t.Errorf("rows %s", rows)
	}
	if len(got) != 2 || got[1].Text != "Aside." {
		t.Errorf("what stands beside the table: %+v", got)
	}
}

func TestCopyright(t *testing.T) {
	const year, holder, statement = "<copyright-year>2020</copyright-year>", "<copyright-holder>Us</copyright-holder>", "<copyright-statement>All ours</copyright-statement>"
	for xml, want := range map[string]string{
		statement: "All ours", statement + year + holder: "All ours", year + holder: "© 2020 Us", holder: "©  Us", year: "", "": "",
	} {
		if got := parse(t, `<article><front><article-meta><permissions>`+xml+`</permissions></article-meta></front></article>`).Licence.Copyright; got != want {
			t.Errorf("%s: %q, want %q", xml, got, want)
		}
	}
}

// A part of a part, such as the reply to a letter, is read as well.
func TestPartsOfParts(t *testing.T) {
	part := func(name, text, inner string) string {
		return "<" + name + "><front-stub><title-group><article-title>" + text + "</article-title></title-group></front-stub><body><p>" + text +
			" text.</p></body>" + inner + "</" + name + ">"
	}
	a := parse(t, `<article><body><p>x</p></body>`+part("sub-article", "Letter", part("response", "Reply", part("sub-article", "Rejoinder", "")))+`</article>`)
	var got []string
	for _, s := range a.Back {
		got = append(got, strings.TrimSpace(s.Title+" "+s.Text()))
	}
	if want := "[Letter Letter text. Reply Reply text. Rejoinder Rejoinder text.]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
