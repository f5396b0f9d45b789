package article_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A reference with the identifier of its article is found even if one of its fields is wrong. With another
// article's title and author it is not found, and the answer names the article of the identifier.
func TestAnIdentifierIsOfTheArticleThatItsFieldsDescribe(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	type fields = map[string]any
	author := func(family string) []any { return []any{fields{"family": family, "given": "A B"}} }
	for _, id := range []fields{{"PMID": "90100001"}, {"DOI": "10.9999/synth.2023.101"}, {"PMCID": "PMC99900001"}} {
		correct := func() fields {
			f := fields{"title": realTitle(t), "author": author("Example"), "container-title": "J Synth Nutr",
				"issued": fields{"date-parts": []any{[]any{2023}}}, "volume": "12", "page": "101-9"}
			for name, value := range id {
				f[name] = value
			}
			return f
		}
		year := func(n int) fields { return fields{"date-parts": []any{[]any{n}}} }
		ask := func(list []fields) []found {
			text, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "x.json")
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			return references(t, clitest.Answer(t, app, command.Person, "search citation --json --from "+file))
		}
		var list []fields
		for _, lacks := range []string{"", "title", "author", "container-title", "volume", "page", "volume page container-title"} {
			for name, values := range map[string][]any{
				"": {nil}, "title": {misspell(realTitle(t), 12), misspell(realTitle(t), 9), strings.ToUpper(realTitle(t))},
				"author": {author("Exmaple"), author("Exampel")}, "issued": {year(2022), year(2024)},
				"container-title": {"Journal of Synthetic Nutrition", "J. Synth. Nutr."},
				"volume":          {"13"}, "page": {"102"},
			} {
				for _, value := range values {
					f := correct()
					f[name] = value
					for _, l := range strings.Fields(lacks) {
						delete(f, l)
					}
					delete(f, "")
					list = append(list, f)
				}
			}
		}
		for i, got := range ask(list) {
			if got.Match == nil || got.Match.PMID != "90100001" {
				t.Errorf("%v: got %s", list[i], got.Outcome)
			}
		}
		list = nil
		for _, lacks := range []string{"", "container-title", "volume page", "volume page issued", "author", "author volume page", "title volume page"} {
			f := correct()
			f["title"], f["author"] = "Lichens on the roofs of an invented town and the snails that eat them", author("Zander")
			for _, l := range strings.Fields(lacks) {
				delete(f, l)
			}
			list = append(list, f)
		}
		for i, got := range ask(list) {
			if got.Match != nil || got.Outcome != "other_identifier" || got.IdentifierOf == nil || got.IdentifierOf.PMID != "90100001" {
				t.Errorf("%v: got %+v", list[i], got)
			}
		}
	}
	line := "search citation 'Zander A. Lichens on the roofs of an invented town. J Synth Nutr. 2019;8:1. PMID: 90100002'"
	for door, shown := range clitest.AnswersByFormat(t, app, line) {
		if !strings.Contains(shown, "90100002") || !strings.Contains(shown, "Ergothioneine cures everything") || strings.Contains(shown, "Found, with") {
			t.Errorf("%s: %s", door, shown)
		}
	}
}

// misspell swaps two letters after each n letters of text.
func misspell(text string, n int) string {
	letters := []rune(text)
	for i := n; i < len(letters); i += n {
		letters[i-1], letters[i-2] = letters[i-2], letters[i-1]
	}
	return string(letters)
}
