package pubmed

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"
)

// rec returns a small record in which inner follows its PMID.
func rec(pmid int, inner string) string {
	return fmt.Sprintf(`<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">%d</PMID>%s</MedlineCitation></PubmedArticle>`, pmid, inner)
}

func set(records ...string) string {
	return "<PubmedArticleSet>\n" + strings.Join(records, "\n") + "\n</PubmedArticleSet>\n"
}

// Deeply nested elements break one record, or the file, but never overflow the stack.
func TestDeepNesting(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	const depth = 100_000
	deep := func(tag string) string {
		return strings.Repeat("<"+tag+">", depth) + strings.Repeat("</"+tag+">", depth)
	}
	for _, tag := range []string{"i", "math", "mrow", "ReferenceList", "Section", "PubmedArticle", "sup"} {
		t.Run(tag, func(t *testing.T) {
			for _, in := range []string{
				set(rec(1, deep(tag)), rec(2, "")), deep(tag), set(deep(tag), rec(2, "")), strings.Repeat("<"+tag+">", depth),
				set(rec(1, "<Article><ArticleTitle>"+deep(tag)+"</ArticleTitle></Article>"), rec(2, "")),
				"<!DOCTYPE a [" + strings.Repeat("<!ENTITY a [", depth) + "]>" + set(rec(1, "")),
			} {
				if got := outline(strings.NewReader(in), maxRecord); got == "" {
					t.Errorf("%s: neither a record nor an error", tag)
				}
			}
		})
	}
}

// outline summarizes a scan in one line: PMIDs, -PMIDs for deletions, !PMID: reason for broken
// records, and the final error.
func outline(r io.Reader, limit int) string {
	var out []string
	for item, err := range scan(r, limit) {
		var broken *RecordError
		switch {
		case errors.As(err, &broken):
			out = append(out, "!"+broken.PMID+": "+broken.Reason)
		case err != nil:
			out = append(out, fmt.Sprintf("%T: %v", err, err))
		case item.Article != nil:
			out = append(out, item.Article.PMID)
		}
		for _, id := range item.Deleted {
			out = append(out, "-"+id)
		}
	}
	return strings.Join(out, " ")
}

const laughs = `<!DOCTYPE PubmedArticleSet [
	<!-- "quotes' in a comment ]> --> <?pi isn't either ?>
	<!ENTITY lol "lol]>"><!ENTITY lol2 '&lol;&lol;&lol;'>
	<!ENTITY % mathml SYSTEM "file:///etc/passwd"> %mathml;
]>`

func TestRecords(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"two", set(rec(1, ""), rec(2, "")), "1 2"},
		{"none", "<PubmedArticleSet></PubmedArticleSet>", ""},
		{"none, one tag", `<?xml version="1.0" ?><PubmedArticleSet/>`, ""},
		{"byte order mark and prolog", "\uFEFF<?xml version='1.0' encoding='utf-8'?>\r\n<!-- <PubmedArticle> -->" + set(rec(1, "")), "1"},
		{"US-ASCII", `<?xml version="1.0" encoding="US-ASCII"?>` + set(rec(1, "")), "1"},
		{"several sets on end", "<?xml version=\"1.0\"?>" + set(rec(1, "")) + laughs + set(rec(2, "")), "1 2"},
		{"no set", rec(1, "") + "\n" + rec(2, ""), "1 2"},
		{"tags of any shape", "<PubmedArticleSet x='>'>" + "<PubmedArticle\n a = '>' b=\"/>\" ><MedlineCitation\tOwner = 'x' ><PMID\nVersion='3'\n>1</PMID\n></MedlineCitation ></PubmedArticle\n>" + "</PubmedArticleSet >", "1"},
		{"ends in a comment", set(rec(1, "<!-- </PubmedArticle><PubmedArticle> -->"), rec(2, "")), "1 2"},
		{"ends in CDATA", set(rec(1, "<Article><ArticleTitle><![CDATA[</PubmedArticle><PubmedArticle></PubmedArticleSet>]]></ArticleTitle></Article>"), rec(2, "")), "1 2"},
		{"ends in an instruction", set(rec(1, "<?x </PubmedArticle><PubmedArticle>?>"), rec(2, "")), "1 2"},
		{"unknown elements", set("<Odd a='b'>text &odd; <![CDATA[<PubmedArticle>]]></Odd>", rec(1, "<Odd><Odder/>&amp;</Odd>")), "1"},
		{"deletions", set("<DeleteCitation><PMID Version='1'>7</PMID>\n<PMID>8</PMID></DeleteCitation>", rec(1, ""), "<DeleteDocument/>"), "-7 -8 1"},
		{"a wrong deletion", set("<DeleteCitation><PMID>7</PMID><PMID>x</PMID><PMID>8</PMID></DeleteCitation>", rec(1, "")), `-7 -8 !: "x" in a list of deletions is not a PMID 1`},
		{"books without articles", "<BookDocumentSet><BookDocument><PMID>5</PMID></BookDocument><DeleteDocument><PMID>6</PMID></DeleteDocument></BookDocumentSet>", "5 -6"},

		{"declared entities", laughs + set(rec(1, "<Article><ArticleTitle>&lol2;</ArticleTitle></Article>"), rec(2, "")), `!1: unknown or malformed reference "&lol2;" 2`},
		{"unknown entity where nobody reads", set(rec(1, "<Odd>&nbsp;</Odd>"), rec(2, "")), `!1: unknown or malformed reference "&nbsp;" 2`},
		{"unknown entity in an attribute", set(rec(1, "<Odd a='&nbsp;'/>"), rec(2, "")), `!1: malformed attribute in <Odd 2`},
		{"bare ampersand", set(rec(1, "<Odd>R & D</Odd>"), rec(2, "")), `!1: unknown or malformed reference "& D" 2`},
		{"null character", set(rec(1, "<Odd>&#0;</Odd>"), rec(2, "")), `!1: unknown or malformed reference "&#0;" 2`},
		{"surrogate", set(rec(1, "<Odd>&#xD800;</Odd>"), rec(2, "")), `!1: unknown or malformed reference "&#xD800;" 2`},
		{"overflow", set(rec(1, "<Odd>&#4294967361;</Odd>"), rec(2, "")), `!1: unknown or malformed reference "&#4294967361;" 2`},
		{"invalid UTF-8", set(rec(1, "<Odd>caf\xE9</Odd>"), rec(2, "")), "!1: invalid UTF-8 (byte 0xE9) 2"},
		{"control character", set(rec(1, "<Odd>a\x07b</Odd>"), rec(2, "")), "!1: character U+0007 is not allowed in XML 2"},
		{"noncharacter", set(rec(1, "<Odd>\uFFFF</Odd>"), rec(2, "")), "!1: character U+FFFF is not allowed in XML 2"},
		{"tags crossed", set(rec(1, "<a><b></a></b>"), rec(2, "")), "!1: <b> is closed by </a> 2"},
		{"longer end tag", set(rec(1, "<a></ab>"), rec(2, "")), "!1: <a> is closed by </ab> 2"},
		{"unquoted attribute", set(rec(1, "<a b=c/>"), rec(2, "")), "!1: malformed attribute in <a 2"},
		{"less-than in an attribute", set(rec(1, "<a b='<'/>"), rec(2, "")), "!1: malformed attribute in <a 2"},
		{"name", set(rec(1, "<1a/>"), rec(2, "")), `!1: malformed tag name "1a" 2`},
		{"CDATA end in text", set(rec(1, "<a>]]></a>"), rec(2, "")), "!1: ]]> outside a CDATA section 2"},
		{"two hyphens in a comment", set(rec(1, "<!-- a -- b -->"), rec(2, "")), "!1: malformed comment or declaration 2"},
		{"DOCTYPE in a record", set(rec(1, "<!DOCTYPE a>"), rec(2, "")), "!1: malformed comment or declaration 2"},
		{"too deep", set(rec(1, strings.Repeat("<i>", 300)+strings.Repeat("</i>", 300)), rec(2, "")), "!1: elements nested deeper than 200 2"},
		{"no PMID", set("<PubmedArticle/>", "<PubmedArticle><MedlineCitation/></PubmedArticle>", rec(2, "")), `!: "" is not a PMID !: "" is not a PMID 2`},
		{"PMID of letters", set(strings.Replace(rec(1, ""), ">1<", ">PMC1<", 1), rec(0, ""), rec(2, "")), `!: "PMC1" is not a PMID !: "0" is not a PMID 2`},

		{"no end before the next", set("<PubmedArticle><MedlineCitation><PMID>1</PMID><Article>", rec(2, "")), "!1: it does not end before the next one begins 2"},
		{"no end and no PMID", set("<PubmedArticle><MedlineCitation>", rec(2, "")), "!: it does not end before the next one begins 2"},
		{"no end before that of the set", set(rec(2, ""), "<PubmedArticle><PMID>1</PMID>") + set(rec(3, "")), "2 !1: it does not end before its set does 3"},
		{"comment without an end", set(rec(1, "<!-- "), rec(2, ""), rec(3, "")), "!1: a comment, CDATA section or instruction in it does not end 2 3"},
		{"CDATA without an end", set(rec(1, "<a><![CDATA[ "), rec(2, ""), rec(3, "")), "!1: a comment, CDATA section or instruction in it does not end 2 3"},
		{"instruction without an end", set(rec(1, "<?a "), rec(2, "")), "!1: a comment, CDATA section or instruction in it does not end 2"},
		{"comment without an end in the last", set(rec(1, ""), rec(2, "<!-- ")), "1 !2: a comment, CDATA section or instruction in it does not end"},
		{"comment that swallows a record", set(rec(1, "<!-- "), rec(2, ""), rec(3, "<!-- good -->")), "!1: malformed comment or declaration 2 3"},
		{"start tag without an end", set("<PubmedArticle <PMID>1</PMID></PubmedArticle>", rec(2, "")), "!1: its start tag is malformed 2"},
		{"tag without an end", set(rec(1, "<a"), rec(2, "")), "!1: malformed attribute in <a 2"},
		{"no set, comment without an end", rec(1, "<!-- ") + rec(2, ""), "!1: a comment, CDATA section or instruction in it does not end 2"},

		{"nothing", "", "*pubmed.FormatError: this is not PubMed XML but an empty input"},
		{"white space", "\n \n", "*pubmed.FormatError: this is not PubMed XML but an empty input"},
		{"byte order mark alone", "\uFEFF", "*pubmed.FormatError: this is not PubMed XML but an empty input"},
		{"prolog alone", `<?xml version="1.0" ?>` + "\n", "*pubmed.FormatError: this is not PubMed XML but a document without content"},
		{"HTML", "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html>", "*pubmed.FormatError: this is not PubMed XML but an HTML page"},
		{"a set of other elements", "<PubmedArticleSet><Article><PMID>1</PMID></Article></PubmedArticleSet>",
			"*pubmed.FormatError: this is not PubMed XML but a set of other elements (\"Article\")"},
		{"HTML without a DOCTYPE", "<HTML><body>502", "*pubmed.FormatError: this is not PubMed XML but an HTML page"},
		{"JSON", ` {"error":"API rate limit exceeded"}`, "*pubmed.FormatError: this is not PubMed XML but JSON"},
		{"text", "PMID- 1\nTI  - x", "*pubmed.FormatError: this is not PubMed XML but text"},
		{"text that has a tag", "Error <b>", "*pubmed.FormatError: this is not PubMed XML but text"},
		{"gzip", "\x1f\x8b\x08\x00", "*pubmed.FormatError: this is not PubMed XML but gzip data"},
		{"zip", "PK\x03\x04\x14\x00\x00\x00", "*pubmed.FormatError: this is not PubMed XML but a zip archive; unpack it first"},
		{"empty zip", "PK\x05\x06\x00\x00\x00\x00", "*pubmed.FormatError: this is not PubMed XML but a zip archive; unpack it first"},
		{"UTF-16", "\xFF\xFE<\x00P\x00", "*pubmed.FormatError: this is not PubMed XML but UTF-16 or UTF-32 text; only UTF-8 is read"},
		{"UTF-16 without a mark", "\x00<\x00P", "*pubmed.FormatError: this is not PubMed XML but UTF-16 or UTF-32 text; only UTF-8 is read"},
		{"Latin-1", `<?xml version="1.0" encoding="ISO-8859-1"?>` + set(rec(1, "")), `*pubmed.FormatError: this is not PubMed XML but XML in "ISO-8859-1"; only UTF-8 is read`},
		{"another root", `<?xml version="1.0"?><pmc-articleset><article/></pmc-articleset>`, `*pubmed.FormatError: this is not PubMed XML but XML of another kind ("pmc-articleset")`},
		{"something behind", set(rec(1, "")) + "<html>", "1 *pubmed.FormatError: this is not PubMed XML but an HTML page"},
		{"text behind", set(rec(1, "")) + "oops", "1 *pubmed.FormatError: this is not PubMed XML but something else after the last record"},
		{"NCBI's error", "<?xml version=\"1.0\"?>\n<!DOCTYPE eEfetchResult PUBLIC \"x\" \"y\">\n<eFetchResult>\n\t<ERROR>ID list is\n empty! &lt;0&gt; R&D</ERROR>\n</eFetchResult>", "*pubmed.ReplyError: NCBI answered: ID list is empty! <0> R&D"},
		{"NCBI's error among records", set(rec(1, ""), "<ERROR>gone</ERROR>"), "1 *pubmed.ReplyError: NCBI answered: gone"},
		{"cut between records", "<PubmedArticleSet>" + rec(1, ""), "1 *pubmed.TruncatedError: PubMed XML is cut short at byte 127, after 1 records"},
		{"cut in a record", "<PubmedArticleSet>" + rec(1, "") + rec(23, "")[:90], "1 *pubmed.TruncatedError: PubMed XML is cut short at byte 217 in record 23, after 1 records"},
		{"cut in a comment", set(rec(1, "")) + "<!-- ", "1 *pubmed.TruncatedError: PubMed XML is cut short at byte 154, after 1 records"},
		{"cut in the root", "<PubmedArticleSet a='", "*pubmed.TruncatedError: PubMed XML is cut short at byte 21, after 0 records"},
		{"root without an end", "<PubmedArticleSet <a>" + strings.Repeat(" ", 1<<17), "*pubmed.FormatError: this is not PubMed XML but XML with a malformed <PubmedArticleSet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := outline(strings.NewReader(c.input), maxRecord); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := outline(iotest.OneByteReader(strings.NewReader(c.input)), maxRecord); got != c.want {
				t.Errorf("byte by byte: got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestOverlongRecordLosesNoOther(t *testing.T) {
	const limit = 300 << 10
	long := strings.Repeat("x", 2*limit)
	for name, inner := range map[string]string{
		"text":       "<a>" + long + "</a>",
		"comment":    "<!-- " + long + " -->",
		"CDATA":      "<a><![CDATA[" + long + "]]></a>",
		"tag":        "<a b='" + long + "'/>",
		"elements":   strings.Repeat("<a>b</a>", limit/4),
		"no comment": "<!-- " + long,
		"end tag":    "<a></a" + long,
	} {
		t.Run(name, func(t *testing.T) {
			input := set(rec(1, ""), rec(2, inner), rec(3, ""), rec(4, inner), rec(5, ""))
			want := "1 !2: longer than 307200 bytes 3 !4: longer than 307200 bytes 5"
			if got := outline(strings.NewReader(input), limit); got != want {
				t.Errorf("%.200s", got)
			}
		})
	}
	if got := outline(strings.NewReader(set(rec(1, "<a>"+long+"</a>"))), maxRecord); got != "1" {
		t.Errorf("a long record within the limit: %.200s", got)
	}
}

// The time to read a hostile file, which makes each of its records search the rest, must be linear
// in its size.
func TestHostileCommentsTakeLinearTime(t *testing.T) {
	const n = 200_000
	open := strings.Repeat("<PubmedArticle><!--", n)
	if got := strings.Count(outline(strings.NewReader(set(open)), maxRecord), "!"); got != n {
		t.Error(got, "records without an end of a comment")
	}
	if got := outline(strings.NewReader(set(open, "--></PubmedArticle>", rec(9, ""))), maxRecord); !strings.HasSuffix(got, " 9") {
		t.Errorf("%.200s", got)
	}
}

// Every prefix of a file yields its complete records, and reports the truncation.
func TestEveryPrefix(t *testing.T) {
	input := "<?xml version='1.0'?>\n" + set(rec(1, "<!-- > -->"), rec(2, "<a b='>'>&lt;</a>"), "<DeleteCitation><PMID>3</PMID></DeleteCitation>")
	end := strings.LastIndex(input, ">") + 1
	for n := range end {
		want := strings.Count(input[:n], "</PubmedArticle>") + strings.Count(input[:n], "</DeleteCitation>")
		items, broken, final := scanned(strings.NewReader(input[:n]))
		var cut *TruncatedError
		var format *FormatError
		if len(items) != want || len(broken) > 0 || !errors.As(final, &cut) && (n > 40 || !errors.As(final, &format)) {
			t.Fatalf("%q: %d items, want %d; %v %v", input[:n], len(items), want, broken, final)
		}
		if cut != nil && (!errors.Is(final, io.ErrUnexpectedEOF) || cut.Records != want || cut.Offset != int64(n)) {
			t.Fatalf("%q: %+v", input[:n], cut)
		}
	}
}

func TestReadErrorsPassThrough(t *testing.T) {
	broken := errors.New("broken pipe")
	for _, err := range []error{broken, context.Canceled, context.DeadlineExceeded} {
		t.Run(fmt.Sprint(err), func(t *testing.T) {
			input := "<PubmedArticleSet>" + rec(1, "") + rec(2, "")[:50]
			items, _, final := scanned(io.MultiReader(strings.NewReader(input), iotest.ErrReader(err)))
			if len(items) != 1 || !errors.Is(final, err) {
				t.Errorf("%d items, %v instead of %v", len(items), final, err)
			}
		})
	}
	if _, _, final := scanned(emptyReads{}); !errors.Is(final, io.ErrNoProgress) {
		t.Error("a reader that never gives anything:", final)
	}
	_, _, final := scanned(io.MultiReader(strings.NewReader(set(rec(1, ""))), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if _, ok := errors.AsType[*TruncatedError](final); !ok {
		t.Error("a transfer cut behind the last record:", final)
	}
}

type emptyReads struct{}

func (emptyReads) Read([]byte) (int, error) { return 0, nil }

func TestStopEarly(t *testing.T) {
	n := 0
	for range Scan(strings.NewReader(set(rec(1, "<a>"), rec(2, ""), rec(3, "")))) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Error(n)
	}
}

func TestRawIsTheRecord(t *testing.T) {
	want := []string{rec(1, ""), rec(2, "<a>&x;</a>"), rec(3, "")}
	i := 0
	for item, err := range Scan(strings.NewReader(set(want...))) {
		if string(item.Raw) != want[i] {
			t.Errorf("%s (%v)", item.Raw, err)
		}
		i++
	}
	if i != 3 {
		t.Error(i, "items")
	}
}

// A randomReader returns reads of random length.
type randomReader struct {
	r    io.Reader
	rand *rand.Rand
}

func (r randomReader) Read(p []byte) (int, error) {
	return r.r.Read(p[:min(len(p), r.rand.IntN(5000))])
}

type sevenReader struct{ r io.Reader }

func (s sevenReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(7, len(p))]) }

func TestReadersOfAnyGrain(t *testing.T) {
	var input []byte
	for _, name := range []string{"articles.xml", "books.xml"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("testdata/" + name)
			if err != nil {
				t.Fatal(err)
			}
			input = append(input, data...)
		})
	}
	s := newSynthetic()
	input = append(input, syntheticHead...)
	for range 100 { // more than one buffer
		input = append(input, s.record()...)
	}
	input = append(input, "</PubmedArticleSet>"...)
	want, broken, final := scanned(bytes.NewReader(input))
	if len(want) != 107 || len(broken) > 0 || final != nil {
		t.Fatal(len(want), broken, final)
	}
	for name, r := range map[string]io.Reader{
		"one byte":         iotest.OneByteReader(bytes.NewReader(input)),
		"seven bytes":      sevenReader{bytes.NewReader(input)},
		"random":           randomReader{bytes.NewReader(input), rand.New(rand.NewPCG(3, 4))},
		"data with an EOF": iotest.DataErrReader(bytes.NewReader(input)),
		"half":             iotest.HalfReader(bytes.NewReader(input)),
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			got, broken, final := scanned(r)
			if len(got) != len(want) || len(broken) > 0 || final != nil {
				t.Errorf("%s: %d items, %v %v", name, len(got), broken, final)
				return
			}
			for i := range got {
				if d := diff(got[i], want[i]); d != "" || !bytes.Equal(got[i].Raw, want[i].Raw) {
					t.Errorf("%s, item %d: %s", name, i, d)
				}
			}
		})
	}
}

func TestNewReader(t *testing.T) {
	var packed bytes.Buffer
	for _, part := range []string{set(rec(1, "")), set(rec(2, ""))} {
		t.Run(fmt.Sprintf("%.60s", part), func(t *testing.T) {
			z := gzip.NewWriter(&packed)
			if _, err := io.WriteString(z, part); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
	whole := packed.String()
	for _, c := range []struct{ name, input, want string }{
		{"plain", set(rec(1, "")), "1"},
		{"gzip, two members", whole, "1 2"},
		{"gzip cut short", whole[:len(whole)-20], "1 *pubmed.TruncatedError: PubMed XML is cut short"},
		{"empty", "", "*pubmed.FormatError: this is not PubMed XML but an empty input"},
		{"one byte", "<", "*pubmed.TruncatedError: PubMed XML is cut short at byte 1, after 0 records"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.name), func(t *testing.T) {
			r, err := NewReader(strings.NewReader(c.input))
			if err != nil {
				t.Fatal(c.name, err)
			}
			if got := outline(r, maxRecord); !strings.HasPrefix(got, c.want) {
				t.Errorf("%s: %s", c.name, got)
			}
		})
	}
	if _, err := NewReader(strings.NewReader("\x1f\x8bnot gzip")); err == nil {
		t.Error("a broken gzip header is accepted")
	}
	broken := errors.New("broken pipe")
	if _, err := NewReader(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Error(err)
	}
}
