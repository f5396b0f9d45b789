package jats

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// synthetic is a full text written by hand, with elements that the real ones lack.
const synthetic = `<?xml version="1.0"?>
<!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" "x.dtd">
<pmc-articleset><article article-type="research-article" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML">
<front>
 <journal-meta><journal-title-group><journal-title>Journal of Synthetic Results</journal-title></journal-title-group></journal-meta>
 <article-meta>
  <article-id pub-id-type="pmid">90000001</article-id><article-id pub-id-type="pmcid">PMC9000001</article-id>
  <article-id pub-id-type="doi">10.1000/syn.1</article-id>
  <title-group><article-title>CO<sub>2</sub> and <italic>E. coli</italic></article-title><subtitle>A study</subtitle></title-group>
  <contrib-group>
   <contrib contrib-type="author"><name><surname>Müller</surname><given-names>Jean-Luc A.</given-names><suffix>Jr</suffix></name><xref ref-type="aff" rid="a1">1</xref></contrib>
   <contrib contrib-type="author"><collab>The Yeast Group</collab></contrib>
   <contrib contrib-type="editor"><name><surname>Nobody</surname><given-names>N</given-names></name></contrib>
   <contrib><name><surname>Li</surname></name></contrib>
  </contrib-group>
  <author-notes><fn fn-type="coi-statement"><p>None declared.</p></fn></author-notes>
  <pub-date pub-type="collection"><year>2023</year></pub-date>
  <pub-date date-type="pub" publication-format="electronic"><day>7</day><month>3</month><year>2024</year></pub-date>
  <permissions><copyright-statement>© 2024 The Authors</copyright-statement><license xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>CC BY 4.0</license-p></license></permissions>
  <related-article related-article-type="retracted-article" ext-link-type="doi" xlink:href="10.1000/syn.0"/>
  <abstract><sec><title>Aim</title><p>To test.</p></sec></abstract>
  <abstract abstract-type="graphical"><title>Picture</title><p>A cat.</p></abstract>
  <kwd-group><kwd>yeast</kwd><kwd>CO<sub>2</sub></kwd></kwd-group>
  <funding-group><funding-statement>Grant 1.</funding-statement></funding-group>
 </article-meta>
</front>
<body>
 <p>Loose words.</p>
 <sec id="s1"><label>1</label><title>Methods</title>
  <p>Cited<sup><xref ref-type="bibr" rid="r1">1</xref>,<xref ref-type="bibr" rid="r2">2</xref></sup> and <xref ref-type="bibr" rid="r2">2</xref>, [<xref ref-type="bibr" rid="r1">1</xref>], (<xref ref-type="bibr" rid="r1">1</xref>), <xref ref-type="bibr" rid="r1">Smith 2009</xref>, <xref ref-type="bibr" rid="r1 r2"/> in <xref ref-type="fig" rid="f1">Fig. 1</xref>; 10<sup>3</sup> of 39.1<xref ref-type="table-fn" rid="t1">c</xref> and 5<xref ref-type="fn" rid="n1"><sup>1</sup></xref>.</p>
  <p>See <ext-link xlink:href="https://example.org/a">the site</ext-link>, <uri xlink:href="https://example.org/b">https://example.org/b</uri> or <email xlink:href="mailto:x@example.org">x@example.org</email><fn id="n2"><label>2</label><p>Aside.</p></fn>. List:
   <list list-type="order"><list-item><label>a.</label><p>First</p><list list-type="bullet"><list-item><p>Deep</p></list-item></list></list-item><list-item><p>Second</p></list-item></list> and after.</p>
  <disp-formula id="e1"><label>(1)</label><alternatives><tex-math>\documentclass{minimal}\begin{document}$$E = mc^2$$\end{document}</tex-math><mml:math><mml:mi>E</mml:mi></mml:math><graphic xlink:href="e1.gif"/></alternatives></disp-formula>
  <p>Inline <inline-formula><mml:math><mml:mfrac><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:mrow><mml:msqrt><mml:mi>b</mml:mi></mml:msqrt></mml:mfrac><mml:mo>&#x2062;</mml:mo><mml:msubsup><mml:mi>x</mml:mi><mml:mi>i</mml:mi><mml:mn>2</mml:mn></mml:msubsup></mml:math></inline-formula> and <inline-graphic xlink:href="g.gif"/>.</p>
  <sec id="s1a"><title>Sub</title><p>Below.</p></sec>
  <p>Tail of methods.</p>
 </sec>
 <sec><title>Results</title>
  <fig id="f1"><label>Fig. 1</label><caption><title>A picture</title><p>Of a cat.</p><p>Twice.</p></caption><alt-text>machine noise</alt-text><graphic xlink:href="f1.jpg"/><attrib>By C.</attrib></fig>
  <boxed-text><label>Box 1</label><caption><title>Key points</title></caption><p>One.</p></boxed-text>
  <disp-quote><p>So it goes.</p><attrib>V.</attrib></disp-quote>
  <preformat>a  b
 c</preformat>
  <def-list><def-item><term>ATP</term><def><p>energy</p></def></def-item></def-list>
  <supplementary-material id="sup1" xlink:href="s1.xlsx"><label>Table S1</label><caption><p>Raw data.</p></caption></supplementary-material>
  <table-wrap id="t1"><label>Table 1</label><caption><title>Doses</title></caption>
   <table><thead><tr><th rowspan="2">Drug</th><th colspan="2">Dose<xref ref-type="table-fn" rid="tf1">a</xref></th></tr><tr><th>low</th><th>high</th></tr></thead>
   <tbody><tr><td colspan="3">Adults</td></tr><tr><td rowspan="2">X</td><td>1</td><td>2</td></tr><tr><td colspan="2">3<break/>4</td></tr><tr><td>Y</td></tr></tbody></table>
   <table-wrap-foot><fn id="tf1"><label>a</label><p>in mg</p></fn><p>Source: us.</p></table-wrap-foot></table-wrap>
 </sec>
</body>
<back>
 <ack><p>Thanks.</p></ack>
 <app-group><app id="app1"><title>Appendix A</title><p>More.</p></app></app-group>
 <fn-group><fn id="n1"><label>1</label><p>A footnote.</p></fn></fn-group>
 <ref-list><title>References</title>
  <ref id="r1"><label>1.</label><element-citation><person-group person-group-type="author"><name><surname>Smith</surname><given-names>Ann B</given-names></name><etal/></person-group><article-title>On things.</article-title><source>J Thing</source><year>2009</year><volume>3</volume><issue>1</issue><fpage>5</fpage><lpage>9</lpage><pub-id pub-id-type="doi">10.1/x</pub-id><pub-id pub-id-type="pmid">123</pub-id></element-citation></ref>
  <ref id="r2"><label>2.</label><mixed-citation><name><surname>Lee</surname><given-names>C</given-names></name> (<year>2010</year>) <article-title>More</article-title>. <source>J Thing</source><volume>4</volume>: <fpage>1</fpage>. doi: <pub-id pub-id-type="doi">10.1/y</pub-id></mixed-citation></ref>
 </ref-list>
</back>
<floats-group><fig id="f9"><label>Fig. 9</label><caption><p>Floating.</p></caption></fig></floats-group>
<sub-article id="sa1"><front-stub><title-group><article-title>Decision letter</article-title></title-group></front-stub><body><p>Reject.</p></body><back><ref-list><ref id="x1"><mixed-citation>Not ours.</mixed-citation></ref></ref-list></back></sub-article>
</article></pmc-articleset>`

func parse(t *testing.T, xml string) *Article {
	t.Helper()
	a, err := Parse(strings.NewReader(xml))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// body parses the content of a body and returns its blocks.
func body(t *testing.T, xml string) []Block {
	t.Helper()
	a := parse(t, `<article><body>`+xml+`</body></article>`)
	if len(a.Body) != 1 {
		t.Fatalf("%d sections in %s", len(a.Body), xml)
	}
	return a.Body[0].Blocks
}

func TestFrontMatter(t *testing.T) {
	a := parse(t, synthetic)
	a.Abstracts[0].Sections[0].Blocks = nil
	a.Abstracts[1].Sections[0].Blocks = nil
	a.Body, a.Back, a.Refs, a.Footnotes = nil, nil, nil, a.Footnotes[:1]
	want := &Article{
		Type: "research-article", Title: "CO₂ and E. coli: A study", Authors: []string{"Müller JLA Jr", "The Yeast Group", "Li"},
		Journal: "Journal of Synthetic Results", Published: "2024-03-07", PMID: "90000001", PMCID: "PMC9000001", DOI: "10.1000/syn.1",
		Licence:  Licence{Copyright: "© 2024 The Authors", Text: "CC BY 4.0", URL: "https://creativecommons.org/licenses/by/4.0/"},
		Keywords: []string{"yeast", "CO₂"}, Funding: "Grant 1.",
		Related:   []RelatedArticle{{Type: "retracted-article", IDType: "doi", ID: "10.1000/syn.0"}},
		Abstracts: []Abstract{{Sections: []Section{{Level: 1, Title: "Aim"}}}, {Type: "graphical", Title: "Picture", Sections: []Section{{Level: 1}}}},
		Footnotes: []Note{{Type: "coi-statement", Text: "None declared."}},
	}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("front:\n got %+v\nwant %+v", a, want)
	}
}

func TestSectionsInReadingOrder(t *testing.T) {
	a := parse(t, synthetic)
	var got []string
	for _, s := range append(a.Body, a.Back...) {
		got = append(got, fmt.Sprintf("%d %s|%s|%d", s.Level, s.Label, s.Title, len(s.Blocks)))
	}
	want := []string{
		"1 ||1", "1 1|Methods|6", "2 |Sub|1", "2 ||1", "1 |Results|7",
		"1 |Acknowledgements|1", "1 |Appendix A|1", "1 |Figures and tables|1", "1 |Decision letter|0", "2 ||1", "2 |References of Decision letter|1",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("sections:\n got %q\nwant %q", got, want)
	}
	if n := a.Footnotes[1]; n != (Note{ID: "n1", Label: "1", Text: "A footnote."}) {
		t.Errorf("footnote: %+v", n)
	}
}

func TestOutlineCountsSubsections(t *testing.T) {
	a := parse(t, `<article><body><p>one</p><sec><title>A</title><p>one two</p><sec><title>B</title><p>one</p><sec><title>C</title><p>one</p></sec></sec></sec>
	 <sec><title>D</title></sec></body><back><ref-list><ref><mixed-citation>one two three</mixed-citation></ref></ref-list></back></article>`)
	want := []Heading{
		{Level: 1, Words: 1}, {Level: 1, Title: "A", Words: 4}, {Level: 2, Title: "B", Words: 2}, {Level: 3, Title: "C", Words: 1},
		{Level: 1, Title: "D"}, {Level: 1, Title: "References", Words: 3},
	}
	if got := a.Outline(); !reflect.DeepEqual(got, want) {
		t.Errorf("outline:\n got %+v\nwant %+v", got, want)
	}
}

// The words of a section are its own and those of all below it, for sections of any levels.
func TestOutlineOfDrawnLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		sections := make([]Section, rng.IntN(8))
		for i := range sections {
			text := strings.TrimSpace(strings.Repeat("w ", rng.IntN(4)))
			sections[i] = Section{Level: 1 + rng.IntN(4), Blocks: []Block{{Kind: Paragraph, Text: text}}}
		}
		for i, h := range headings(sections) {
			want := 0
			for j := i; j < len(sections) && (j == i || sections[j].Level > sections[i].Level); j++ {
				want += len(strings.Fields(sections[j].Text()))
			}
			if h.Words != want || h.Level != sections[i].Level {
				t.Fatalf("section %d of %v: %d words at level %d, want %d", i, sections, h.Words, h.Level, want)
			}
		}
	}
}

// NLM 1 has the title beside the other metadata.
func TestTitleOfNLM1(t *testing.T) {
	if got := parse(t, `<article><front><article-meta><article-title>Old <italic>style</italic></article-title></article-meta></front></article>`).Title; got != "Old style" {
		t.Errorf("title %q", got)
	}
}

// Footnotes of the article stand in its back. Elsewhere they are text of their section.
func TestFootnotesStayWhereTheyStand(t *testing.T) {
	const notes = `<fn-group><fn><p>Word.</p></fn></fn-group>`
	for place, c := range map[string]struct {
		xml       string
		footnotes int
	}{
		"back":                  {`<article><body><p>x</p></body><back>` + notes + `</back></article>`, 1},
		"body":                  {`<article><body>` + notes + `</body></article>`, 0},
		"section of the body":   {`<article><body><sec><title>A</title>` + notes + `</sec></body></article>`, 0},
		"appendix":              {`<article><back><app><title>A</title>` + notes + `</app></back></article>`, 0},
		"section of the back":   {`<article><back><sec><title>A</title>` + notes + `</sec></back></article>`, 0},
		"acknowledgement":       {`<article><back><ack>` + notes + `</ack></back></article>`, 0},
		"group of appendices":   {`<article><back><app-group>` + notes + `</app-group></back></article>`, 0},
		"sub-article's own end": {`<article><sub-article><body><p>x</p></body><back>` + notes + `</back></sub-article></article>`, 0},
	} {
		a := parse(t, c.xml)
		text := ""
		for _, s := range append(a.Body, a.Back...) {
			text += s.Text()
		}
		if kept := strings.Contains(text, "Word."); len(a.Footnotes) != c.footnotes || kept != (c.footnotes == 0) {
			t.Errorf("%s: %d footnotes, in the text %t, want %d", place, len(a.Footnotes), kept, c.footnotes)
		}
	}
}

// An element of a list that has no text is not an item.
func TestEmptyElementsOfLists(t *testing.T) {
	for _, empty := range []string{"", "<label/>", "<p/>"} {
		got := body(t, `<list>`+empty+`<list-item><p>One</p></list-item></list>`)
		if len(got) != 1 || len(got[0].Items) != 1 {
			t.Errorf("with %q: %+v", empty, got)
		}
	}
}

func TestOutlineOfTheFirstSection(t *testing.T) {
	a := parse(t, `<article><body><sec><title>A</title><sec><title>B</title><p>one two</p></sec></sec></body></article>`)
	if got := a.Outline(); len(got) != 2 || got[0].Words != 2 || got[1].Words != 2 {
		t.Errorf("outline: %+v", got)
	}
}

// A script that Unicode cannot represent must not become part of the number before it.
func TestScripts(t *testing.T) {
	for xml, want := range map[string]string{
		"10<sup>2.5</sup>": "10^(2.5)", "K<sub>D</sub>": "K_(D)", "x<sup>(a.b)</sup>": "x^(a.b)", "10<sup>-3</sup>": "10⁻³",
		"H<sub>2</sub>O": "H₂O", "1<sup>st</sup>": "1ˢᵗ", "a<sup/>b": "ab", "M<italic>m<sup>2</sup></italic>": "Mm²",
	} {
		t.Run(xml, func(t *testing.T) {
			if got := body(t, "<p>"+xml+"</p>")[0].Text; got != want {
				t.Errorf("%s: %q, want %q", xml, got, want)
			}
		})
	}
}

func TestRunningText(t *testing.T) {
	a := parse(t, synthetic)
	blocks := a.Body[1].Blocks
	if got, want := blocks[0].Text, "Cited [1,2] and [2], [1], (1), Smith 2009, [1,2] in Fig. 1; 10³ of 39.1 [c] and 5 [note 1]."; got != want {
		t.Errorf("citations:\n got %s\nwant %s", got, want)
	}
	if got, want := blocks[1].Text, "See the site (https://example.org/a), https://example.org/b or x@example.org [note: 2 Aside.]. List:"; got != want {
		t.Errorf("links:\n got %s\nwant %s", got, want)
	}
	wantList := Block{Kind: List, Ordered: true, Items: []Item{
		{Label: "a.", Blocks: []Block{{Kind: Paragraph, Text: "First"}, {Kind: List, Items: []Item{{Blocks: []Block{{Kind: Paragraph, Text: "Deep"}}}}}}},
		{Blocks: []Block{{Kind: Paragraph, Text: "Second"}}},
	}}
	if !reflect.DeepEqual(blocks[2], wantList) {
		t.Errorf("list: %+v", blocks[2])
	}
	if blocks[3].Text != "and after." {
		t.Errorf("after the list: %+v", blocks[3])
	}
	if want := (Block{Kind: Formula, ID: "e1", Label: "(1)", Text: "E = mc^2", TeX: true, Files: []string{"e1.gif"}}); !reflect.DeepEqual(blocks[4], want) {
		t.Errorf("formula: %+v", blocks[4])
	}
	if got, want := blocks[5].Text, "Inline (a+1)/(√b)xᵢ² and [image: g.gif]."; got != want {
		t.Errorf("inline formula:\n got %s\nwant %s", got, want)
	}
}

func TestBlocks(t *testing.T) {
	a := parse(t, synthetic)
	want := []Block{
		{Kind: Figure, ID: "f1", Label: "Fig. 1", Title: "A picture", Text: "Of a cat.\nTwice.\nBy C.", Files: []string{"f1.jpg"}},
		{Kind: Box, Label: "Box 1", Title: "Key points", Blocks: []Block{{Kind: Paragraph, Text: "One."}}},
		{Kind: Quote, Blocks: []Block{{Kind: Paragraph, Text: "So it goes."}, {Kind: Paragraph, Text: "V."}}},
		{Kind: Code, Text: "a  b\n c"},
		{Kind: List, Terms: true, Items: []Item{{Label: "ATP", Blocks: []Block{{Kind: Paragraph, Text: "energy"}}}}},
		{Kind: Supplement, ID: "sup1", Label: "Table S1", Text: "Raw data.", Files: []string{"s1.xlsx"}},
		{
			Kind: Table, ID: "t1", Label: "Table 1", Title: "Doses",
			Grid: &Grid{
				Header: [][]string{{"Drug", "Dose [a]", "Dose [a]"}, {"Drug", "low", "high"}},
				Rows:   [][]string{{"Adults", "", ""}, {"X", "1", "2"}, {"X", "3 4", "3 4"}, {"Y", "", ""}},
			},
			Notes: []Note{{ID: "tf1", Label: "a", Text: "in mg"}, {Text: "Source: us."}},
		},
	}
	got := a.Body[4].Blocks
	for i := range want {
		if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("block %d:\n got %+v\nwant %+v", i, got[i], want[i])
		}
	}
	if got := want[6].Grid.Columns(); !reflect.DeepEqual(got, []string{"Drug", "Dose [a] / low", "Dose [a] / high"}) {
		t.Errorf("columns: %q", got)
	}
}

func TestReferences(t *testing.T) {
	want := []Reference{
		{Number: 1, ID: "r1", Label: "1.", Text: "Smith AB, et al. On things. J Thing. 2009;3(1):5-9.", PMID: "123", DOI: "10.1/x"},
		{Number: 2, ID: "r2", Label: "2.", Text: "Lee C (2010) More. J Thing 4: 1. doi: 10.1/y", DOI: "10.1/y"},
	}
	if got := parse(t, synthetic).Refs; !reflect.DeepEqual(got, want) {
		t.Errorf("references:\n got %+v\nwant %+v", got, want)
	}
	// A citation has the number of its reference, even after references without an id.
	a := parse(t, `<article><body><p>Cited <xref ref-type="bibr" rid="r3"/>.</p></body><back><ref-list><ref>One</ref><ref>Two</ref><ref id="r3">Three</ref></ref-list></back></article>`)
	if len(a.Refs) != 3 || a.Refs[2].Number != 3 || a.Body[0].Text() != "Cited [3]." {
		t.Errorf("%+v, %q", a.Refs, a.Body[0].Text())
	}
}

func TestFormulas(t *testing.T) {
	for xml, want := range map[string]string{
		`<disp-formula>E = mc<sup>2</sup> (J)</disp-formula>`:                                                              "E = mc² (J)",
		`<disp-formula><tex-math>$x_1$</tex-math></disp-formula>`:                                                          "x_1",
		`<disp-formula><alternatives><graphic href="a.gif"/></alternatives></disp-formula>`:                                "",
		`<disp-formula><math><mfenced open="[" close="]"><mi>a</mi><mi>b</mi></mfenced></math>, text</disp-formula>`:       "[a,b], text",
		`<disp-formula><math><mroot><mi>x</mi><mn>3</mn></mroot></math></disp-formula>`:                                    "³√x",
		`<disp-formula><math><msub><mi>K</mi><mi>D</mi></msub></math></disp-formula>`:                                      "K_(D)",
		`<disp-formula><math><semantics><mi>y</mi><annotation>\tex</annotation></semantics></math></disp-formula>`:         "y",
		`<disp-formula><math><munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi></math></disp-formula>`:      "∑ᵢⁿi",
		`<disp-formula><math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable></math></disp-formula>`: "1, 2",

		// As in package pubmed, after decoding XML's escapes and HTML's entities.
		`<disp-formula><math><mover><mi>x</mi><mo>¯</mo></mover><mo>&lt;</mo><mi>&beta;</mi><mspace/><mtext>R&amp;D]]&gt;</mtext></math></disp-formula>`: "x\u0304<β R&D]]>",
		`<disp-formula><math><mmultiscripts><mi>I</mi><mprescripts/><none/><mn>131</mn></mmultiscripts></math></disp-formula>`:                           "¹³¹I",
		`<disp-formula><math><mfenced open="&quot;" close="" separators="&amp;"><mi>a</mi><mi>b</mi></mfenced></math></disp-formula>`:                    `"a&b`,
		`<disp-formula xmlns:m="x"><m:math><m:mtext>for <bold>all</bold> x<sup>2</sup></m:mtext><m:mphantom>y</m:mphantom></m:math></disp-formula>`:      "for all x²",
		`<disp-formula xmlns:m="x"><m:math><m:1b>a</m:1b> b</m:math></disp-formula>`:                                                                     "a b",
	} {
		t.Run(xml, func(t *testing.T) {
			blocks := body(t, xml)
			if len(blocks) != 1 || blocks[0].Kind != Formula || blocks[0].Text != want {
				t.Errorf("%s\n got %+v\nwant %q", xml, blocks, want)
			}
		})
	}
}

func TestRepliesWithoutArticle(t *testing.T) {
	for reply, reason := range map[string]string{
		`<pmc-articleset><Reply Id="9" error="The following PMCID is not available: 9"/></pmc-articleset>`: "The following PMCID is not available: 9",
		`<eFetchResult><ERROR>ID list is empty!</ERROR></eFetchResult>`:                                    "ID list is empty!",
		`<pmc-articleset></pmc-articleset>`:                                                                "the reply is empty",
	} {
		t.Run(reply, func(t *testing.T) {
			_, err := Parse(strings.NewReader(reply))
			var absent *NoArticleError
			if !errors.As(err, &absent) || absent.Reason != reason {
				t.Errorf("%s: %v", reply, err)
			}
		})
	}
	// An article that must not be shared only has its front matter.
	a := parse(t, `<pmc-articleset><article><!--The publisher does not allow downloading of the full text.--><front/></article></pmc-articleset>`)
	if len(a.Body) != 0 || a.Body == nil || a.Refs == nil {
		t.Errorf("front alone: %+v", a)
	}
}

// BenchmarkParse_1MB parses a text of a megabyte with paragraphs, citations and tables.
func BenchmarkParse_1MB(b *testing.B) {
	inner := synthetic[strings.Index(synthetic, "<body>")+6 : strings.Index(synthetic, "</body>")]
	text := "<article><body>" + strings.Repeat(inner, 1<<20/len(inner)) + "</body></article>"
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(strings.NewReader(text)); err != nil {
			b.Fatal(err)
		}
	}
}
