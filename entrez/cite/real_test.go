package cite

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/pubmed"
)

// sharedData is the folder of real data next to the module.
func sharedData(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", "data")
		}
	}
	t.Fatal("no go.mod above the test")
	return ""
}

func realArticles(t testing.TB) []*pubmed.Article {
	t.Helper()
	f, err := os.Open(filepath.Join(sharedData(t), "pubmed", "efetch-163.xml.gz"))
	if err != nil {
		t.Skipf("SKIPPED: the 163 real records are absent: %v", err)
	}
	defer f.Close()
	r, err := pubmed.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []*pubmed.Article
	for item, err := range pubmed.Scan(r) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Article != nil {
			out = append(out, item.Article)
		}
	}
	if len(out) != 163 {
		t.Fatalf("%d real records, want 163", len(out))
	}
	return out
}

func must(t testing.TB, style string, articles ...*pubmed.Article) string {
	t.Helper()
	text, err := FormatAll(style, articles)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRealRecordsReadBack writes all real records as one file in each data
// format, reads it back, and compares with the records.
func TestRealRecordsReadBack(t *testing.T) {
	articles := realArticles(t)
	risFile, err := readRIS(must(t, "ris", articles...))
	if err != nil {
		t.Fatal(err)
	}
	bibFile, err := readBibTeX(must(t, "bibtex", articles...))
	if err != nil {
		t.Fatal(err)
	}
	nbibFile, err := readNBIB(must(t, "nbib", articles...))
	if err != nil {
		t.Fatal(err)
	}
	cslFile, err := readCSL(must(t, "csl-json", articles...))
	if err != nil {
		t.Fatal(err)
	}
	if len(risFile) != 163 || len(bibFile) != 163 || len(nbibFile) != 163 || len(cslFile) != 163 {
		t.Fatalf("%d RIS, %d BibTeX, %d NBIB, %d CSL records", len(risFile), len(bibFile), len(nbibFile), len(cslFile))
	}
	numbers := 0
	for i, a := range articles {
		same := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s %s: %q, want %q", a.PMID, what, got, want)
			}
		}
		// White space is collapsed: one title has a no-break space.
		whole := strings.Join(strings.Fields(a.Title), " ")
		title := strings.TrimSuffix(whole, ".")
		year := fmt.Sprint(a.PublicationDate.Year)

		same("RIS AN", value(risFile[i], "AN"), a.PMID)
		same("RIS TI", value(risFile[i], "TI"), title)
		same("RIS JF", value(risFile[i], "JF"), a.Journal.Title)
		same("RIS DO", value(risFile[i], "DO"), a.DOI)
		same("RIS C2", value(risFile[i], "C2"), a.PMCID)
		same("RIS PY", value(risFile[i], "PY"), year)
		same("RIS VL", value(risFile[i], "VL"), a.Journal.Volume)
		number := "" // article number if there are no pages
		if a.Journal.Pages == "" {
			number = pii(a)
		}
		same("RIS SP", value(risFile[i], "SP"), a.Journal.StartPage+number)
		same("RIS EP", value(risFile[i], "EP"), a.Journal.EndPage) // NLM gives it written out
		same("RIS authors", fmt.Sprint(len(values(risFile[i], "AU"))), fmt.Sprint(len(a.Authors)))
		same("RIS AB", value(risFile[i], "AB"), strings.Join(strings.Fields(a.Abstract), " "))

		fields := bibFile[i].fields
		plain := func(name string) string {
			text, err := unLaTeX(strings.TrimSuffix(strings.TrimPrefix(value(fields, name), "{"), "}"))
			if err != nil {
				t.Errorf("%s %s: %v", a.PMID, name, err)
			}
			return text
		}
		same("BibTeX key", bibFile[i].key, "pmid"+a.PMID)
		same("BibTeX title", plain("title"), title)
		same("BibTeX journal", plain("journal"), a.Journal.Title)
		same("BibTeX year", plain("year"), year)
		same("BibTeX doi", value(fields, "doi"), a.DOI)
		if a.Journal.EndPage != "" {
			same("BibTeX pages", plain("pages"), a.Journal.StartPage+"--"+a.Journal.EndPage)
		}
		if len(a.Authors) > 0 {
			names := authorNames(value(fields, "author"))
			same("BibTeX authors", fmt.Sprint(len(names)), fmt.Sprint(len(a.Authors)))
			for j, author := range a.Authors {
				if author.CollectiveName == "" && author.Suffix == "" {
					same("BibTeX author", names[j], author.LastName+", "+author.ForeName)
				}
			}
		}

		same("BibTeX eid", plain("eid"), number)

		item := cslFile[i]
		same("CSL title", fmt.Sprint(item["title"]), title)
		same("CSL PMID", fmt.Sprint(item["PMID"]), a.PMID)
		same("CSL year", fmt.Sprint(item["issued"].(map[string]any)["date-parts"].([]any)[0].([]any)[0]), year)

		if number != "" {
			same("CSL number", fmt.Sprint(item["number"]), number)
			numbers++
		} else if item["number"] != nil {
			t.Errorf("%s CSL number %v", a.PMID, item["number"])
		}

		medline := nbibFile[i]
		var locations []string
		for _, l := range a.ELocations {
			locations = append(locations, l.Value+" ["+l.Type+"]")
		}
		same("NBIB LID", value(medline, "LID"), strings.Join(locations, "|"))
		same("NBIB TI", value(medline, "TI"), whole)
		same("NBIB AB", value(medline, "AB"), strings.Join(strings.Fields(a.Abstract), " "))
		same("NBIB MH", fmt.Sprint(len(values(medline, "MH"))), fmt.Sprint(len(a.Mesh)))
		same("NBIB authors", fmt.Sprint(len(values(medline, "FAU"))+len(values(medline, "CN"))), fmt.Sprint(len(a.Authors)))
		same("NBIB PG", value(medline, "PG"), a.Journal.Pages)
		same("NBIB TT", value(medline, "TT"), strings.Join(strings.Fields(a.VernacularTitle), " "))
	}
	if numbers != 11 {
		t.Errorf("%d articles with a number instead of pages, want 11", numbers)
	}
}

func pii(a *pubmed.Article) string {
	for _, l := range a.ELocations {
		if l.Type == "pii" {
			return l.Value
		}
	}
	return ""
}

// TestRealArticleNumbers checks that the number of an article without pages is where readers look
// for it, and that no other pii appears.
func TestRealArticleNumbers(t *testing.T) {
	withoutPages, source := 0, ""
	for _, a := range realArticles(t) {
		number := pii(a)
		if a.PMID == "39337454" {
			source = must(t, "vancouver", a)
		}
		for style, before := range map[string]string{"apa": ", Article ", "mla": ", article ", "vancouver": ":", "nbib": ":"} {
			t.Run(style, func(t *testing.T) {
				text := strings.ReplaceAll(must(t, style, a), "\n      ", " ")
				where := before + number
				switch {
				case number == "":
				case a.Journal.Pages == "" && strings.Count(text, where) != 1:
					t.Errorf("%s %s has no %q: %s", a.PMID, style, where, text)
				case a.Journal.Pages != "" && a.Journal.Pages != number && strings.Contains(text, where):
					t.Errorf("%s %s has %q: %s", a.PMID, style, where, text)
				}
			})
		}
		if a.Journal.Pages == "" {
			withoutPages++
		}
	}
	if withoutPages != 21 || !strings.Contains(source, ";25(18):9966. doi:") {
		t.Errorf("%d articles without pages; %s", withoutPages, source)
	}
}

// TestRealProse checks properties of all references in the three styles for reading.
func TestRealProse(t *testing.T) {
	doubled := regexp.MustCompile(`\.\.|,,|;;|\( |\(\)| ,| \.|\s\s|\*\*|%!|<nil>`)
	for _, a := range realArticles(t) {
		for _, style := range []string{"apa", "mla", "vancouver"} {
			t.Run(style, func(t *testing.T) {
				text := must(t, style, a)
				title := strings.TrimSuffix(strings.Join(strings.Fields(a.Title), " "), ".")
				if !strings.Contains(strings.NewReplacer("‘", "“", "’", "”", "'", `"`).Replace(text), strings.NewReplacer("‘", "“", "’", "”", "'", `"`).Replace(title)) {
					t.Errorf("%s %s: title is missing: %s", a.PMID, style, text)
				}
				if bad := doubled.FindString(strings.Replace(text, title, "T", 1)); bad != "" {
					t.Errorf("%s %s: %q in %s", a.PMID, style, bad, text)
				}
				if !strings.Contains(text, fmt.Sprint(a.PublicationDate.Year)) || !strings.Contains(text, a.DOI) || strings.Contains(text, "\n") {
					t.Errorf("%s %s: year or DOI is missing: %s", a.PMID, style, text)
				}
				if len(a.Authors) > 0 && a.Authors[0].CollectiveName == "" && !strings.HasPrefix(text, a.Authors[0].LastName) {
					t.Errorf("%s %s: does not begin with its author: %s", a.PMID, style, text)
				}
			})
		}
		if text := must(t, "vancouver", a); !strings.Contains(text, "PMID: "+a.PMID) || !strings.Contains(text, a.PMCID) {
			t.Errorf("%s: identifiers are missing: %s", a.PMID, text)
		}
	}
}

// TestMedlineOfNLM parses captured records in NLM's MEDLINE format, writes them again, and compares
// line by line, including the line breaks.
func TestMedlineOfNLM(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(sharedData(t), "eutils", "medline_*.txt"))
	if len(files) == 0 {
		t.Skip("SKIPPED: captured MEDLINE records are absent")
	}
	records := 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range strings.Split(strings.TrimSpace(string(body)), "\n\n") {
			var want []string // NLM leaves white space at the end of some lines
			for _, l := range strings.Split(text, "\n") {
				want = append(want, strings.TrimRight(l, " "))
			}
			fields, err := readNBIB(strings.Join(want, "\n") + "\n\n")
			if err != nil {
				t.Fatal(err)
			}
			a := articleOf(fields[0])
			if !strings.Contains(value(fields[0], "SO"), "doi: ") { // older records have it in AID alone
				a.DOI = ""
			}
			got := must(t, "nbib", a)
			compareMedline(t, want, strings.Split(strings.TrimSuffix(got, "\n\n"), "\n"))
			records++
		}
	}
	if records != 6 {
		t.Errorf("%d records compared, want 6", records)
	}
}

// compareMedline compares the lines with tags that are still in use.
func compareMedline(t *testing.T, want, got []string) {
	t.Helper()
	keep := func(lines []string) (out []string) {
		tag := ""
		for _, l := range lines {
			if l[0] != ' ' {
				tag = strings.TrimSpace(l[:4])
			}
			// DA and PUBM are gone; the history now has times.
			if !slices.Contains([]string{"DA", "PUBM", "PHST", "AD", "RN", "IS"}, tag) {
				out = append(out, l)
			}
		}
		return out
	}
	want, got = keep(want), keep(got)
	have := map[string]bool{}
	for _, l := range got {
		have[l] = true
	}
	for _, l := range want {
		if !have[l] {
			t.Errorf("NLM's line is not ours: %q", l)
		}
	}
	if len(want) != len(got) {
		t.Errorf("%d lines, NLM has %d:\n%s", len(got), len(want), strings.Join(got, "\n"))
	}
}

// articleOf fills an Article from the tags of a MEDLINE record.
func articleOf(fields []tagged) *pubmed.Article {
	v := func(tag string) string { return value(fields, tag) }
	date := func(s string) pubmed.PubDate {
		var p pubmed.PubDate
		fmt.Sscanf(s, "%4d%2d%2d", &p.Year, &p.Month, &p.Day)
		return p
	}
	issued := func(s string) pubmed.PubDate {
		var p pubmed.PubDate
		month := ""
		fmt.Sscanf(s, "%d %s %d", &p.Year, &month, &p.Day)
		p.Month = max(0, slices.Index(months, month))
		return p
	}
	time := func(s string) string { return strings.Replace(strings.ReplaceAll(s, "/", "-"), " ", "T", 1) }
	dashed := func(s string) string {
		if len(s) == 8 {
			return s[:4] + "-" + s[4:6] + "-" + s[6:]
		}
		return s
	}
	a := &pubmed.Article{
		PMID: v("PMID"), Status: v("STAT"), Title: v("TI"), Abstract: v("AB"), Language: values(fields, "LA"), AuthorsComplete: true,
		Journal: pubmed.Journal{
			Title: v("JT"), Abbreviation: v("TA"), Volume: v("VI"), Issue: v("IP"), Pages: v("PG"), NLMID: v("JID"), Country: v("PL"),
		},
		PublicationTypes: values(fields, "PT"), PMCID: v("PMC"), PublicationStatus: v("PST"), PubModel: v("PUBM"),
		PublicationDate: issued(v("DP")), ElectronicDate: date(v("DEP")), CitationSubsets: values(fields, "SB"),
		Dates: pubmed.Dates{
			Completed: dashed(v("DCOM")), LastRevised: dashed(v("LR")), Pubmed: time(v("EDAT")), Medline: time(v("MHDA")), Entrez: time(v("CRDT")),
		},
	}
	full := values(fields, "FAU")
	for i, short := range values(fields, "AU") {
		last, fore, _ := strings.Cut(full[i], ", ")
		a.Authors = append(a.Authors, pubmed.Author{LastName: last, ForeName: fore, Initials: strings.TrimPrefix(short, last+" ")})
	}
	for _, id := range values(fields, "LID") {
		text, kind, _ := strings.Cut(strings.TrimSuffix(id, "]"), " [")
		a.ELocations = append(a.ELocations, pubmed.ELocation{Type: kind, Value: text})
	}
	for _, id := range values(fields, "AID") {
		text, kind, _ := strings.Cut(strings.TrimSuffix(id, "]"), " [")
		a.ArticleIDs = append(a.ArticleIDs, pubmed.ArticleID{Type: kind, Value: text})
		if kind == "doi" {
			a.DOI = text
		}
	}
	for _, heading := range values(fields, "MH") {
		parts := strings.Split(heading, "/")
		m := pubmed.Mesh{Descriptor: strings.TrimPrefix(parts[0], "*"), Major: strings.HasPrefix(parts[0], "*")}
		for _, q := range parts[1:] {
			m.Qualifiers = append(m.Qualifiers, pubmed.Qualifier{Name: strings.TrimPrefix(q, "*"), Major: strings.HasPrefix(q, "*")})
		}
		a.Mesh = append(a.Mesh, m)
	}
	return a
}
