package medgen

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/ncbi"
)

const captures = "../../../shared/data/breadth/eutils/"

func capture(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(captures + name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: the real data is absent: ", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestCapturedSummaries(t *testing.T) {
	var body struct{ Result map[string]json.RawMessage }
	if err := json.Unmarshal(capture(t, "esummary_medgen_2026.json"), &body); err != nil {
		t.Fatal(err)
	}
	c := ParseSummary(entrez.Doc{UID: "44287", Object: ncbi.Parse(body.Result["44287"])})
	for name, value := range map[string][2]string{
		"CUI": {c.CUI, "C0024796"}, "name": {c.Name, "Marfan syndrome"},
		"type": {c.SemanticType, "Disease or Syndrome"}, "successor": {c.Merged, ""},
	} {
		if got, want := value[0], value[1]; got != want {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
	if c.Truncated {
		t.Error("Cut is true, want false")
	}
	if c.Suppressed {
		t.Error("Suppressed is true, want false")
	}
	if !slices.Equal(c.IDs, []string{"MONDO:0007947", "OMIM:154700", "MESH:D008382", "ORPHA:284963", "ORPHA:558"}) {
		t.Errorf("ids %q", c.IDs)
	}
	if want := []Gene{{"FBN1", "2200", "15q21.1"}}; !slices.Equal(c.Genes, want) {
		t.Errorf("genes %+v, want %+v", c.Genes, want)
	}
	if want := []string{"Autosomal dominant inheritance"}; !slices.Equal(c.Inheritance, want) {
		t.Errorf("inheritance %q, want %q", c.Inheritance, want)
	}
	if len(c.Features) != 2 {
		t.Fatalf("%d features, want 2: %+v", len(c.Features), c.Features)
	}
	if want := (Feature{"HP:0001166", "Arachnodactyly"}); c.Features[1] != want {
		t.Errorf("second feature %+v, want %+v", c.Features[1], want)
	}
	if c.Definition != (Definition{Source: "GeneReviews", URL: "https://www.ncbi.nlm.nih.gov/books/NBK1335/"}) {
		t.Errorf("the text of GeneReviews is included, or its link is missing: %+v", c.Definition)
	}
	// A hereditary cancer syndrome has the type Finding.
	c = ParseSummary(entrez.Doc{UID: "382914", Object: ncbi.Parse(body.Result["382914"])})
	if c.SemanticType != "Finding" {
		t.Errorf("type %q, want Finding", c.SemanticType)
	}
	if got := c.Genes[0].Symbol; got != "BRCA1" {
		t.Errorf("gene %q, want BRCA1", got)
	}
}

var metaElement = regexp.MustCompile(`(?s)<ConceptMeta>(.*?)</ConceptMeta>`)

// The files hold the same concept ten years apart, as child elements and as escaped text.
func TestConceptmetaInItsOtherForms(t *testing.T) {
	for name, file := range map[string]string{"elements": "esummary_medgen_336867_2024.xml", "escaped": "esummary_medgen_336867_2014.xml"} {
		t.Run(name, func(t *testing.T) {
			inner := metaElement.FindStringSubmatch(string(capture(t, file)))[1]
			for _, text := range []string{inner, "<ConceptMeta>" + inner + "</ConceptMeta>"} {
				if name == "escaped" && text != inner {
					continue
				}
				m, err := parseMeta(text)
				if err != nil {
					t.Error(err)
				}
				if n := len(m.Features); n < 10 {
					t.Fatalf("%d features, want at least 10", n)
				}
				if got := m.Features[0].ID; got != "HP:0001537" {
					t.Errorf("first feature %s, want HP:0001537", got)
				}
				if got := m.MIM[0]; got != "300555" {
					t.Errorf("MIM number %s, want 300555", got)
				}
				if n := len(m.Inheritance); n != 1 {
					t.Errorf("%d modes of inheritance, want 1", n)
				}
				ids := m.ids()
				for id, want := range map[string]bool{
					"OMIM:300555": true, "OMIM:300535": false, "ORPHA:93623": true, "MESH:C564487": true,
				} {
					if got := slices.Contains(ids, id); got != want {
						t.Errorf("the ids contain %s: %v, want %v; ids %q", id, got, want, ids)
					}
				}
			}
		})
	}
}

// Synthetic summaries; the types of the values vary over the years.
func TestTypesOfOtherYears(t *testing.T) {
	for _, definition := range []string{`"A text"`, `{"value":"A text"}`, `""`, `null`, `[]`} {
		t.Run(definition, func(t *testing.T) {
			for _, kind := range []string{`"Finding"`, `{"value":"Finding"}`} {
				raw := `{"uid":"1","conceptid":"C0000001","title":"X","definition":` + definition + `,"semantictype":` + kind + `,"suppressed":"","merged":"","conceptmeta":""}`
				c := ParseSummary(entrez.Doc{UID: "1", Object: ncbi.Parse([]byte(raw))})
				if c.SemanticType != "Finding" {
					t.Errorf("%s: type %q, want Finding", raw, c.SemanticType)
				}
				if c.Definition != (Definition{}) {
					t.Errorf("%s: definition %+v, want none", raw, c.Definition)
				}
				for name, isNil := range map[string]bool{
					"synonyms": c.Synonyms == nil, "genes": c.Genes == nil,
					"features": c.Features == nil, "ids": c.IDs == nil,
				} {
					if isNil {
						t.Errorf("%s: the %s are nil", raw, name)
					}
				}
				if c.Truncated {
					t.Errorf("%s: Cut is true, want false", raw)
				}
			}
		})
	}
}

func TestConceptmetaThatIsCutKeepsWhatCame(t *testing.T) {
	c := ParseSummary(entrez.Doc{UID: "1", Object: ncbi.Parse([]byte(`{"conceptid":"C0000001","conceptmeta":"<Names><Name SAB=\"MSH\" SDUI=\"D1\">One &amp; two</Name><Name SAB=\"SNOMEDCT_US\">Theirs</Name></Names><OMIM><MIM>1547"}`))})
	if !c.Truncated {
		t.Error("Cut is false, want true")
	}
	if want := []string{"One & two"}; !slices.Equal(c.Synonyms, want) {
		t.Errorf("synonyms %q, want %q", c.Synonyms, want)
	}
	if got := c.IDs[0]; got != "MESH:D1" {
		t.Errorf("id %s, want MESH:D1", got)
	}
}

func TestParseID(t *testing.T) {
	for word, want := range map[string][2]string{
		"MONDO:0007947": {"MONDO:0007947", "MONDO:0007947"}, "mondo_0007947": {"MONDO:0007947", "MONDO:0007947"},
		"OMIM:154700": {"OMIM:154700", "154700"}, "MIM:154700": {"OMIM:154700", "154700"},
		"MESH:d008382": {"MESH:D008382", "D008382"}, "ORPHA:558": {"ORPHA:558", "Orphanet_558"}, "Orphanet_558": {"ORPHA:558", "Orphanet_558"},
		"HP:0001166": {"HP:0001166", "HP:0001166"}, "NCIT:C34807": {"NCIT:C34807", "C34807"},
		"154700": {}, "C0024796": {}, "OMIM:": {}, "OMIM:1 OR 2": {}, "Marfan": {},
	} {
		t.Run(word, func(t *testing.T) {
			if id, term, ok := ParseID(word); id != want[0] || term != want[1] || ok != (want[0] != "") {
				t.Errorf("%s: %q, %q, %v", word, id, term, ok)
			}
		})
	}
	for word, want := range map[string]bool{"C0024796": true, "cn517202": true, "C002479": false, "C00247961": false, "44287": false} {
		t.Run(word, func(t *testing.T) {
			if IsCUI(word) != want {
				t.Error(word)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, meta := range []string{
		`<Names><Name SDUI="D1" SAB="MSH">x</Name></Names><OMIM><MIM>1</MIM></OMIM>`, `&lt;Names&gt;&lt;Name SAB="ORDO" SDUI="Orphanet_5"&gt;y`,
		"<OMIM><MIM>1\x9d</MIM><MIM>none</MIM></OMIM>", `<ConceptMeta><AssociatedGenes><Gene gene_id="1">A</Gene></AssociatedGenes></ConceptMeta>`, `<Names><Name`, `</meta>`, "\xff&nosuch;", `<Definitions><Definition source="GeneReviews">z</Definition></Definitions>`,
	} {
		f.Add(meta, "Y")
	}
	f.Fuzz(func(t *testing.T, text, mark string) {
		raw, err := json.Marshal(map[string]string{"conceptid": "C0000001", "conceptmeta": text, "suppressed": mark, "merged": mark})
		if err != nil {
			t.Fatal(err)
		}
		c := ParseSummary(entrez.Doc{UID: "1", Object: ncbi.Parse(raw)})
		for _, id := range c.IDs {
			if again, _, ok := ParseID(id); !ok || again != id || !c.HasID(strings.ToLower(id)) {
				t.Errorf("%q is printed and not accepted", id)
			}
		}
		if linked[c.Definition.Source] && c.Definition.Text != "" {
			t.Errorf("%+v", c.Definition)
		}
	})
}
