package jats

import (
	"encoding/xml"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func realTexts(t *testing.T) map[string][]byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	data := filepath.Join(dir, "..", "shared", "data")
	names, _ := filepath.Glob(filepath.Join(data, "jats", "*.nxml"))
	names = append(names, filepath.Join(data, "eutils", "efetch_pmc.xml"))
	replies, _ := filepath.Glob(filepath.Join(data, "t4", "captures", "peer", "*_efetch_pmc[0-9]*.xml"))
	names = append(names, replies...)
	out := map[string][]byte{}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Skipf("SKIPPED: real full texts are absent: %v", err)
		}
		out[filepath.Base(name)] = body
	}
	return out
}

// TestNoWordIsLost finds every word of each real body's character data in the parsed text, in the
// same order.
func TestNoWordIsLost(t *testing.T) {
	for name, body := range realTexts(t) {
		a, err := Parse(strings.NewReader(string(body)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got strings.Builder
		for _, s := range a.Body {
			got.WriteString(s.Label + " " + s.Title + "\n" + s.Text() + "\n")
		}
		want := characterData(t, body, "body", "object-id")
		missing(t, name+" body", want, got.String())

		got.Reset()
		for _, abstract := range a.Abstracts {
			got.WriteString(abstract.Title + "\n")
			for _, s := range abstract.Sections {
				got.WriteString(s.Title + "\n" + s.Text() + "\n")
			}
		}
		missing(t, name+" abstract", characterData(t, body, "abstract"), got.String())

		got.Reset()
		for _, r := range a.Refs {
			got.WriteString(strings.Join([]string{r.Label, r.Text, r.PMID, r.PMCID, r.DOI}, " ") + "\n")
		}
		found := map[string]bool{}
		for _, w := range words(got.String()) {
			found[w] = true
		}
		for _, w := range words(characterData(t, body, "ref")) {
			if !found[w] {
				t.Errorf("%s references: %q is lost", name, w)
			}
		}
	}
}

// missing returns the first word of want that got lacks at its place. Got may have additional
// words: cells repeated by spans, and addresses of links.
func missing(t *testing.T, name, want, got string) {
	t.Helper()
	have, at := words(got), 0
	wanted := words(want)
	if len(wanted) < 5 && strings.TrimSpace(want) != "" {
		t.Errorf("%s: only %d words to compare", name, len(wanted))
	}
	for i, w := range wanted {
		from := at
		for at < len(have) && have[at] != w {
			at++
		}
		if at == len(have) {
			t.Errorf("%s: %q is lost, after %q", name, w, strings.Join(wanted[max(0, i-8):i], " "))
			at = from
			continue
		}
		at++
	}
	t.Logf("%s: %d words, %d in the text", name, len(wanted), len(have))
}

// words returns runs of letters and digits, with scripts as plain characters. A script is one word
// with its base.
func words(s string) []string {
	s = norm.NFKC.String(strings.NewReplacer("_(", "", "^(", "", "⁽", "", "₍", "").Replace(s))
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// characterData returns the text inside the elements of one name, with a space at the start and end
// of each block.
func characterData(t *testing.T, body []byte, element string, excluded ...string) string {
	t.Helper()
	joins := func(e xml.Name, attrs []xml.Attr) bool {
		switch e.Local {
		case "italic", "bold", "sup", "sub", "ext-link", "underline", "sc":
			return true
		case "xref": // a mark is a separate word, but "Figure 1" is text
			return slices.ContainsFunc(attrs, func(a xml.Attr) bool {
				return a.Name.Local == "ref-type" && a.Value != "bibr" && a.Value != "table-fn" && a.Value != "fn"
			})
		}
		return false
	}
	var joined []bool
	d := xml.NewDecoder(strings.NewReader(string(body)))
	var out strings.Builder
	inside, skip, script := 0, 0, false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if x.Name.Local == element || inside > 0 {
				inside++
			}
			if skip > 0 || inside > 0 && len(excluded) > 0 && x.Name.Local == excluded[0] {
				skip++
			}
			script = x.Name.Local == "sup" || x.Name.Local == "sub"
			if joined = append(joined, joins(x.Name, x.Attr)); !joined[len(joined)-1] {
				out.WriteByte(' ')
			}
		case xml.EndElement:
			inside, skip = max(0, inside-1), max(0, skip-1)
			if !joined[len(joined)-1] {
				out.WriteByte(' ')
			}
			joined = joined[:len(joined)-1]
		case xml.CharData:
			if inside > 0 && skip == 0 {
				text := string(x)
				if script { // the parenthesis of x^(n/2) is the script's or the renderer's
					text = strings.TrimPrefix(text, "(")
				}
				out.WriteString(text)
			}
			script = false
		}
	}
}

// TestRealTextsReadWell checks the most visible parts of real texts.
func TestRealTextsReadWell(t *testing.T) {
	for name, body := range realTexts(t) {
		a, err := Parse(strings.NewReader(string(body)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for field, text := range map[string]string{
			"title": a.Title, "PMID": a.PMID, "DOI": a.DOI, "journal": a.Journal, "licence": a.Licence.Text + a.Licence.Copyright,
		} {
			if text == "" {
				t.Errorf("%s: no %s", name, field)
			}
		}
		if !strings.HasPrefix(a.PMCID, "PMC") {
			t.Errorf("%s: PMCID %q", name, a.PMCID)
		}
		want := "2018-11" // a printed issue
		if regexp.MustCompile(`<pub-date[^>]*>\s*<day>`).Match(body) {
			want = "2012-10-01"
		}
		if len(a.Published) != len(want) {
			t.Errorf("%s: published %q, want a date such as %s", name, a.Published, want)
		}
		if len(a.Body) == 0 {
			t.Errorf("%s: no body", name)
		}
		for _, s := range a.Body {
			for _, b := range s.Blocks {
				if b.Kind == Table && (b.Grid == nil || b.Label == "" || b.Title == "") {
					t.Errorf("%s: table %+v", name, b)
				}
				if b.Grid != nil {
					for _, row := range b.Grid.Rows {
						if len(row) != len(b.Grid.Columns()) {
							t.Errorf("%s %s: a row of %d cells under %d columns", name, b.Label, len(row), len(b.Grid.Columns()))
						}
					}
				}
			}
		}
		total := 0
		for _, h := range a.Outline() {
			if h.Level == 1 {
				total += h.Words
			}
		}
		own := 0
		for _, s := range append(a.Body, a.Back...) {
			own += s.words()
		}
		if own == 0 || total < own {
			t.Errorf("%s: the outline counts %d words, the sections %d", name, total, own)
		}
	}
	pntd := realTexts(t)["pntd.0002065.nxml"]
	a, err := Parse(strings.NewReader(string(pntd)))
	if err != nil {
		t.Fatal(err)
	}
	var tables []Block
	for _, s := range a.Body {
		for _, b := range s.Blocks {
			if b.Kind == Table {
				tables = append(tables, b)
			}
		}
	}
	if len(tables) != 5 {
		t.Fatalf("%d tables, want 5", len(tables))
	}
	if len(a.Refs) != 32 {
		t.Fatalf("%d references, want 32", len(a.Refs))
	}
	if want := "20682906"; a.Refs[1].PMID != want {
		t.Fatalf("PMID of the second reference %q, want %q", a.Refs[1].PMID, want)
	}
	if len(a.Authors) != 6 {
		t.Fatalf("authors %q, want 6", a.Authors)
	}
	if got := strings.Join(tables[0].Grid.Columns(), " | "); got != "District | Goats / n | Goats / Seroprevalence (%) | Goats / 95% C.I. | Sheep / n | Sheep / Seroprevalence (%) | Sheep / 95% C.I." {
		t.Errorf("columns of table 1: %s", got)
	}
	if got := strings.Join(tables[0].Grid.Rows[0], " | "); got != "Maganja da Costa | 92 | 39.1 [c] | 29.7, 49.5 | 11 | 54.6 [b] | 25.6, 80.7" {
		t.Errorf("first row of table 1: %s", got)
	}
}

// Each reference of a real text has the PMID and the DOI of its pub-id elements.
func TestIDsOfRealReferences(t *testing.T) {
	reference := regexp.MustCompile(`(?s)<ref\b.*?</ref>`)
	for name, body := range realTexts(t) {
		a, err := Parse(strings.NewReader(string(body)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for kind, id := range map[string]func(Reference) string{
			"pmid": func(r Reference) string { return r.PMID }, "doi": func(r Reference) string { return r.DOI },
		} {
			pattern := regexp.MustCompile(`<pub-id pub-id-type="` + kind + `"[^>]*>\s*([^<\s]+)\s*<`)
			var want, got []string
			for _, ref := range reference.FindAll(body, -1) {
				if m := pattern.FindSubmatch(ref); m != nil {
					want = append(want, html.UnescapeString(string(m[1])))
				}
			}
			for _, r := range a.Refs {
				if id(r) != "" {
					got = append(got, id(r))
				}
			}
			t.Logf("%s: %d of %d references have a %s", name, len(want), len(a.Refs), kind)
			if len(got) < len(want) {
				t.Errorf("%s: %d references with a %s, want %d", name, len(got), kind, len(want))
			}
			for _, w := range want {
				if !slices.Contains(got, w) {
					t.Errorf("%s: no reference has the %s %s", name, kind, w)
				}
			}
		}
	}
}
