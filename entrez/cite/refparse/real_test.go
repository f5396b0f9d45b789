package refparse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/cite"
	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
)

// realArticles reads the 163 real records next to the module.
func realArticles(t testing.TB) (all []*pubmed.Article) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "..", "shared", "data", "pubmed", "efetch-163.xml.gz"))
	if err != nil {
		t.Skipf("SKIPPED: the 163 real records are absent: %v", err)
	}
	defer f.Close()
	r, err := pubmed.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for item, err := range pubmed.Scan(r) {
		if err != nil {
			t.Fatal(err)
		}
		if item.Article != nil && item.Article.Book == nil {
			all = append(all, item.Article)
		}
	}
	return all
}

// damages lists changes that happen to a reference between its list and a paste.
var damages = map[string]func(string) string{
	"as printed": func(s string) string { return s },
	"without identifiers, numbered": func(s string) string {
		r := Reference{}
		return "[12] " + r.identifiers(s)
	},
	"in small letters":  strings.ToLower,
	"dashes and quotes": strings.NewReplacer("-", "–", `"`, "”", " ", "  ").Replace,
	"a letter lost": func(s string) string { // in the middle, which is in the title
		return s[:len(s)/3] + strings.Replace(s[len(s)/3:], "e", "", 1)
	},
	"without a stop at the end": func(s string) string { return strings.TrimRight(s, ".") },
}

// Real records, printed in this program's styles and slightly damaged, are parsed correctly.
func TestRealRecordsAreReadBack(t *testing.T) {
	articles := realArticles(t)
	fields := []string{"author", "title", "journal", "year", "volume", "page"}
	for _, style := range []string{"vancouver", "ama", "apa", "mla", "nature", "ris", "bibtex", "nbib"} {
		for name, damage := range damages {
			if style == "ris" || style == "bibtex" || style == "nbib" {
				if name != "as printed" {
					continue
				}
			}
			t.Run(style+"/"+name, func(t *testing.T) {
				right, of := map[string]int{}, map[string]int{}
				for _, a := range articles {
					text := damage(print(t, style, a))
					refs := Split(text)
					if len(refs) != 1 {
						t.Errorf("%d references of %q", len(refs), text)
						continue
					}
					for field, want := range wanted(a) {
						if want == "" {
							continue
						}
						of[field]++
						got := map[string]string{"author": refs[0].Author, "title": refs[0].Title, "journal": refs[0].Journal, "year": refs[0].Year, "volume": refs[0].Volume, "page": refs[0].Page}[field]
						if same(field, got, want) || field == "year" && got == fmt.Sprint(a.ElectronicDate.Year) {
							right[field]++
						} else if testing.Verbose() && os.Getenv("SHOW") == style+"/"+name {
							t.Logf("%s: %q, want %q: %s", field, got, want, text)
						}
					}
				}
				line := ""
				all, allOf := 0, 0
				for _, f := range fields {
					line += fmt.Sprintf("%s %d/%d  ", f, right[f], of[f])
					all += right[f]
					allOf += of[f]
				}
				t.Logf("%.1f %%: %s", 100*float64(all)/float64(allOf), line)
				if all*100 < allOf*90 {
					t.Errorf("%d of %d fields", all, allOf)
				}
			})
		}
	}
}

var month = pattern.Lazy(`(\b(?:19|20)\d\d) [A-Z][^:;]{2,20};`)

func print(t *testing.T, style string, a *pubmed.Article) string {
	t.Helper()
	base := style
	if style == "ama" || style == "nature" {
		base = "vancouver"
	}
	text, err := cite.Format(base, a)
	if err != nil {
		t.Fatal(err)
	}
	if style == "ama" { // no month, and no other date (AMA 3.11.1)
		return month().ReplaceAllString(text, "$1;")
	}
	if w := wanted(a); style == "nature" && w["page"] != "" && strings.Contains(w["author"], " ") && a.Authors[0].Initials != "" {
		return fmt.Sprintf("%s, %s. et al. %s. %s %s, %s (%s).", a.Authors[0].LastName, a.Authors[0].Initials[:1], trimPunctuation(w["title"]), a.Journal.ISOAbbreviation, w["volume"], w["page"], w["year"])
	}
	return text
}

func wanted(a *pubmed.Article) map[string]string {
	page, _, _ := strings.Cut(a.Journal.Pages, "-")
	author := ""
	if len(a.Authors) > 0 {
		author = strings.TrimSpace(a.Authors[0].LastName + " " + a.Authors[0].Initials + a.Authors[0].CollectiveName)
	}
	return map[string]string{
		"author": author, "title": a.Title, "journal": a.Journal.Title,
		"year": fmt.Sprint(a.IssueDate().Year), "volume": a.Journal.Volume, "page": page,
	}
}

func same(field, got, want string) bool {
	fold := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(normalize(s)), func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127) }), " ")
	}
	switch field {
	case "author": // the family name
		w := strings.Fields(fold(want))
		return len(w) > 0 && strings.HasPrefix(fold(got), w[0])
	case "title": // an abbreviation of the journal or a translation may replace it
		return strings.Contains(fold(got), fold(want)) || len(got) > 10 && strings.Contains(fold(want), fold(got)) || strings.Count(fold(got), " ") > 0 && len(fold(got)) == len(fold(want))-1
	case "journal":
		w, g := strings.Fields(strings.TrimPrefix(fold(want), "the ")), strings.Fields(strings.TrimPrefix(fold(got), "the "))
		return len(g) > 0 && len(w) > 0 && g[0][0] == w[0][0] && len(got) <= len(want)+20
	}
	return strings.EqualFold(got, want)
}
