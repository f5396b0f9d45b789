package pubmed

import (
	"fmt"
	"strings"
	"testing"
)

// titled decodes one record with a title, and returns the title.
func titled(t *testing.T, markup string) string {
	t.Helper()
	items, broken, final := scanned(strings.NewReader(set(rec(1, "<Article><ArticleTitle>"+markup+"</ArticleTitle></Article>"))))
	if len(items) != 1 || len(broken) > 0 || final != nil {
		t.Fatal(markup, broken, final)
	}
	return items[0].Article.Title
}

func TestInlineMarkup(t *testing.T) {
	for markup, want := range map[string]string{
		"plain":                                        "plain",
		" \n a \t b\r\nc ":                             "a b c",
		"a&#32;&#10; b&#160;c":                         "a b\u00a0c",
		"<b>a</b><i> b </i><u>c</u>":                   "a b c",
		"IL-1<sup> 2 </sup>x":                          "IL-1 ² x",
		"10<sup>&#x2212;3</sup>":                       "10⁻³",
		"10 <sup>5</sup>":                              "10 ⁵",
		"cm<sup>–2</sup>":                              "cm⁻²",
		"4<sup>th</sup>":                               "4ᵗʰ",
		"x<sup>0.5</sup>":                              "x^(0.5)",
		"C<sub>max</sub>":                              "Cₘₐₓ",
		"K<sub>d</sub>5":                               "K_(d)5",
		"t<sub>1/2</sub>":                              "t_(1/2)",
		"Apoe<sup>-/-</sup>":                           "Apoe⁻/⁻",
		"Cre<sup>fl/fl</sup>":                          "Creᶠˡ/ᶠˡ",
		"Sox9<sup>+/2</sup>":                           "Sox9^(+/2)",
		"a<sup>b<sub>2</sub></sup>":                    "a^(b₂)",
		"a<sub>b<sup>2</sup></sub>":                    "a_(b²)",
		"<i>a<sup>x</sup></i><sup><i>y</i></sup>":      "aˣʸ",
		"<sup></sup><sub> </sub>a<sup/>":               "a",
		"drug<sup>®</sup>":                             "drug®",
		"x<sup>a&amp;b</sup>":                          "x^(a&b)",
		"<sup>13</sup>C":                               "¹³C",
		"&lt;i&gt;&amp;amp;&quot;&apos;&#65;&#x1F9EC;": `<i>&amp;"'A🧬`,
		"<![CDATA[<i> & ]] ]]>]]&gt;":                  "<i> & ]] ]]>",
		"a<!-- b -->c<?d e?>f":                         "acf",
		"a<unknown>b</unknown>c":                       "abc",
	} {
		t.Run(markup, func(t *testing.T) {
			if got := titled(t, markup); got != want {
				t.Errorf("%s\n got %q\nwant %q", markup, got, want)
			}
		})
	}
}

func TestMathML(t *testing.T) {
	for markup, want := range map[string]string{
		"<mi>p</mi><mo>&lt;</mo><mn>0.05</mn>": "p<0.05",
		"<mfrac><mn>1</mn><mn>2</mn></mfrac>":  "1/2",
		"<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mfrac><mi>c</mi><mi>d</mi></mfrac></mfrac>":            "(a+b)/(c/d)",
		"<msup><mrow><mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>":                   "(a+b)²",
		"<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo><mo>(</mo><mi>b</mi><mo>)</mo></mrow><mn>2</mn></msup>":         "((a)(b))²",
		"<msup><mfenced><mi>a</mi><mi>b</mi></mfenced><mi>n</mi></msup>":                                           "(a,b)ⁿ",
		"<mfenced open='{' close='' separators=''><mi>a</mi><mi>b</mi></mfenced>":                                  "{ab",
		"<mfenced open='|' close='|' separators=';,'><mi>a</mi><mi>b</mi><mi>c</mi><mi>d</mi></mfenced>":           "|a;b,c,d|",
		"<msub><mi>K</mi><mi>D</mi></msub>":                                                                        "K_(D)",
		"<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>":                                                        "xᵢ²",
		"<msup><mi/><mn>131</mn></msup><mi>I</mi>":                                                                 "¹³¹I",
		"<mmultiscripts><mi>U</mi><mn>2</mn><none/><mprescripts/><mn>92</mn><mn>238</mn></mmultiscripts>":          "₉₂²³⁸U₂",
		"<msqrt><mi>x</mi></msqrt><mroot><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mn>3</mn></mroot>":            "√x³√(x+1)",
		"<mover><mi>x</mi><mo>^</mo></mover><mover><mi>AB</mi><mo>→</mo></mover>":                                  "x\u0302AB^(→)",
		"<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>":                                 "lim_(x→0)",
		"<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>":   "1, 2; 3",
		"<semantics><mi>x</mi><annotation>\\x</annotation><annotation-xml><mi>y</mi></annotation-xml></semantics>": "x",
		"<mi>f</mi><mo>&#x2061;</mo><mfenced><mi>x</mi></mfenced><mspace/><mtext>for all</mtext>":                  "f(x) for all",
		"\n <mrow>\n <mi> a </mi>\n</mrow> stray ":                                                                 "astray",
		"<mfrac><mn>1</mn></mfrac><msup><mi>a</mi><mi>b</mi><mi>c</mi></msup>":                                     "1/aᵇc",
	} {
		t.Run(markup, func(t *testing.T) {
			for _, prefix := range []string{"", "mml:"} {
				markup := "<math>" + markup + "</math>"
				if prefix != "" {
					markup = strings.ReplaceAll(strings.ReplaceAll(markup, "<m", "<mml:m"), "</m", "</mml:m")
				}
				if got := titled(t, "a "+markup+" z"); got != "a "+want+" z" {
					t.Errorf("%s\n got %q\nwant %q", markup, got, want)
				}
				if got, err := MathText([]byte(markup)); got != want || err != nil {
					t.Errorf("MathText %s\n got %q, %v\nwant %q", markup, got, err, want)
				}
			}
		})
	}
	for markup, want := range map[string]string{
		"<mi>x</mi>": "x", "<m:mfrac xmlns:m='y'><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac>": "1/2", "<math/>": "",
		"<math><mspace/> <mi> a\n b </mi><mspace/></math>": "a b",
	} {
		t.Run(markup, func(t *testing.T) {
			if got, err := MathText([]byte(markup)); got != want || err != nil {
				t.Errorf("MathText %s: %q, %v; want %q", markup, got, err, want)
			}
		})
	}
	for markup, want := range map[string]string{
		"": "MathML: record without an end", "x": "MathML: no element", "<math>": "MathML: record without an end", "<math><mi></math>": "MathML: <mi> is closed by </math>",
		"<math/> ": "MathML: text after the end of the element", "<math>&pi;</math>": `MathML: unknown or malformed reference "&pi;"`, "<math>\xff</math>": "MathML: invalid UTF-8 (byte 0xFF)",
	} {
		t.Run(markup, func(t *testing.T) {
			if got, err := MathText([]byte(markup)); got != "" || err == nil || err.Error() != want {
				t.Errorf("MathText %q: %q, %v; want %s", markup, got, err, want)
			}
		})
	}
}

func TestOperands(t *testing.T) {
	for operand, want := range map[string]string{
		"": "", "∑": "∑", "∑\u0302": "∑\u0302", "−": "−", "x": "x", "x\u0304": "x\u0304", "12.5%": "12.5%", "αβ": "αβ", "(a+b)": "(a+b)", "[1,2]": "[1,2]",
		"a+b": "(a+b)", "∑x": "(∑x)", "−1": "(−1)", "(a)(b)": "((a)(b))", "((a)": "(((a))", "a b": "(a b)", "<=": "(<=)", ")(": "()()", "(": "(", "+()": "(+())",
	} {
		t.Run(operand, func(t *testing.T) {
			if got := parenthesize(operand); got != want {
				t.Errorf("%q: %q, want %q", operand, got, want)
			}
		})
	}
}

func TestDates(t *testing.T) {
	for parts, want := range map[string]string{
		"2024|||":             "2024",
		"2024|5||":            "2024-05",
		"2024|May|11|":        "2024-05-11",
		"2024|september|1|":   "2024-09-01",
		"2024|Jan-Feb||":      "2024-01",
		"2024|13|1|":          "2024",
		"2024|02|29|":         "2024-02-29",
		"2023|02|29|":         "2023-02",
		"2023|Feb|0|":         "2023-02",
		"|5|1|":               "",
		"2024|Xyz|3|":         "2024",
		"2024|||Spring":       "2024",
		"0987|||":             "0987",
		"2024|123456789012||": "2024",
	} {
		t.Run(parts, func(t *testing.T) {
			p := strings.Split(parts, "|")
			items, _, _ := scanned(strings.NewReader(set(rec(1, fmt.Sprintf("<Article><Journal><JournalIssue><PubDate><Year>%s</Year><Month>%s</Month><Day>%s</Day><Season>%s</Season></PubDate></JournalIssue></Journal></Article>", p[0], p[1], p[2], p[3])))))
			if got := items[0].Article.PublicationDate; got.String() != want || got.Season != p[3] {
				t.Errorf("%s: %q", parts, got)
			}
		})
	}
	for medline, year := range map[string]string{
		"1998 Dec-1999 Jan": "1998", "2000 Spring": "2000", "1977-1978": "1977", "Winter 85/86 1986": "1986",
		"c123 4567": "4567", "12345": "1234", "85-86": "",
	} {
		t.Run(medline, func(t *testing.T) {
			items, _, _ := scanned(strings.NewReader(set(rec(1, "<Article><Journal><JournalIssue><PubDate><MedlineDate>"+medline+"</MedlineDate></PubDate></JournalIssue></Journal></Article>"))))
			if got := items[0].Article.PublicationDate; got.String() != year || got.MedlineDate != medline {
				t.Errorf("%s: %+v", medline, got)
			}
		})
	}
	for parts, want := range map[string]string{
		"2020|1|2||": "2020-01-02", "2020|1|2|6|": "2020-01-02T06:00", "2020|1|2|06|1": "2020-01-02T06:01",
		"2020|1|2|24|0": "2020-01-02", "2020|1|2|6|60": "2020-01-02", "2020|1||6|0": "2020-01", "|1|2|6|0": "",
	} {
		t.Run(parts, func(t *testing.T) {
			p := strings.Split(parts, "|")
			hour := ""
			if p[3] != "" {
				hour = "<Hour>" + p[3] + "</Hour>"
			}
			items, _, _ := scanned(strings.NewReader("<PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation><PubmedData><History>" +
				fmt.Sprintf("<PubMedPubDate PubStatus='entrez'><Year>%s</Year><Month>%s</Month><Day>%s</Day>%s<Minute>%s</Minute></PubMedPubDate><PubMedPubDate PubStatus='other'/>", p[0], p[1], p[2], hour, p[4]) +
				"</History></PubmedData></PubmedArticle>"))
			if got := items[0].Article.Dates; got != (Dates{Entrez: want}) {
				t.Errorf("%s: %+v", parts, got)
			}
		})
	}
}

// Every status of the DTD has its own field.
func TestEveryPubStatus(t *testing.T) {
	statuses := strings.Fields("received accepted epublish ppublish revised aheadofprint retracted ecollection pmc pmcr pubmed pubmedr premedline medline medliner entrez pmc-release")
	var history strings.Builder
	for i, status := range statuses {
		fmt.Fprintf(&history, "<PubMedPubDate PubStatus='%s'><Year>%d</Year></PubMedPubDate>", status, 2001+i)
	}
	items, _, _ := scanned(strings.NewReader("<PubmedArticle><MedlineCitation><PMID>1</PMID></MedlineCitation><PubmedData><History>" + history.String() + "</History></PubmedData></PubmedArticle>"))
	equal(t, "dates", items[0].Article.Dates, Dates{
		Received: "2001", Accepted: "2002", Epublish: "2003", Ppublish: "2004", Revised: "2005", AheadOfPrint: "2006",
		Retracted: "2007", Ecollection: "2008", PMC: "2009", PMCR: "2010", Pubmed: "2011", PubmedR: "2012",
		Premedline: "2013", Medline: "2014", MedlineR: "2015", Entrez: "2016", PMCRelease: "2017",
	})
}

func TestIdentifiers(t *testing.T) {
	for in, want := range map[string]string{
		"0000-0002-1825-0097": "0000-0002-1825-0097", "0000000218250097": "0000-0002-1825-0097",
		"https://orcid.org/0000-0002-1825-0097": "0000-0002-1825-0097", "0000 0002 1694 233x": "0000-0002-1694-233X",
		"0000‐0002‐1825‐0097": "0000-0002-1825-0097", "0000-0002-1825-0098": "", "0000-0002-1825-009": "",
		"0000-0002-1825-00977": "", "X000-0002-1825-0097": "", "": "", "0000-0000-0000-0000": "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := NormalizeORCID(in); got != want {
				t.Errorf("ORCID %q: %q", in, got)
			}
		})
	}
	for in, want := range map[string]string{
		"PMC3531190": "PMC3531190", "3531190": "PMC3531190", " pmc3531190 ": "PMC3531190", "PMC3531190.2": "PMC3531190",
		"pmc-id: PMC5122160;": "PMC5122160", "pmc-id: PMC5122160;manuscript-id: NIHMS1;": "PMC5122160",
		"PMC": "", "NIHMS1": "", "": "", "PMC12a": "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := NormalizePMCID(in); got != want {
				t.Errorf("PMCID %q: %q", in, got)
			}
		})
	}
	for in, want := range map[string]string{
		"10.1000/xyz": "10.1000/xyz", "doi:10.1000/XyZ": "10.1000/XyZ", "DOI: 10.1000/x": "10.1000/x",
		"https://doi.org/10.1000/x": "10.1000/x", "http://dx.doi.org/10.1000/x": "10.1000/x",
		"doi:https://doi.org/10.1000/x": "10.1000/x", "S1111": "", "": "", "http://example.org/10.1000/x": "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := NormalizeDOI(in); got != want {
				t.Errorf("DOI %q: %q", in, got)
			}
		})
	}
}

func TestName(t *testing.T) {
	for want, a := range map[string]Author{
		"Doe JA Jr": {LastName: "Doe", ForeName: "Jane A", Initials: "JA", Suffix: "Jr"},
		"Plato":     {LastName: "Plato"},
		"A Group":   {CollectiveName: "A Group"},
	} {
		t.Run(want, func(t *testing.T) {
			if got := a.Name(); got != want {
				t.Errorf("%q instead of %q", got, want)
			}
		})
	}
}
