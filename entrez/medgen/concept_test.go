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
	c := Read(entrez.Doc{UID: "44287", Object: ncbi.Parse(body.Result["44287"])})
	if c.Cut || c.CUI != "C0024796" || c.Name != "Marfan syndrome" || c.SemanticType != "Disease or Syndrome" || c.Merged != "" || c.Suppressed {
		t.Errorf("%+v", c)
	}
	if !slices.Equal(c.IDs, []string{"MONDO:0007947", "OMIM:154700", "MESH:D008382", "ORPHA:284963", "ORPHA:558"}) {
		t.Errorf("ids %q", c.IDs)
	}
	if !slices.Equal(c.Genes, []Gene{{"FBN1", "2200", "15q21.1"}}) || !slices.Equal(c.Inheritance, []string{"Autosomal dominant inheritance"}) ||
		len(c.Features) != 2 || c.Features[1] != (Feature{"HP:0001166", "Arachnodactyly"}) {
		t.Errorf("%+v", c)
	}
	if c.Definition != (Definition{Source: "GeneReviews", URL: "https://www.ncbi.nlm.nih.gov/books/NBK1335/"}) {
		t.Errorf("the text of GeneReviews is passed on, or not linked: %+v", c.Definition)
	}
	// A hereditary cancer syndrome is a Finding.
	c = Read(entrez.Doc{UID: "382914", Object: ncbi.Parse(body.Result["382914"])})
	if c.SemanticType != "Finding" || c.Genes[0].Symbol != "BRCA1" {
		t.Errorf("%+v", c)
	}
}

var metaElement = regexp.MustCompile(`(?s)<ConceptMeta>(.*?)</ConceptMeta>`)

// The same concept ten years apart: child elements, and escaped text.
func TestConceptmetaInItsOtherForms(t *testing.T) {
	for name, file := range map[string]string{"elements": "esummary_medgen_336867_2024.xml", "escaped": "esummary_medgen_336867_2014.xml"} {
		t.Run(name, func(t *testing.T) {
			inner := metaElement.FindStringSubmatch(string(capture(t, file)))[1]
			for _, text := range []string{inner, "<ConceptMeta>" + inner + "</ConceptMeta>"} {
				if name == "escaped" && text != inner {
					continue
				}
				m, err := parseMeta(text)
				if err != nil || len(m.Features) < 10 || m.MIM[0] != "300555" || m.Features[0].ID != "HP:0001537" || len(m.Inheritance) != 1 {
					t.Errorf("%s: %+v, %v", name, m, err)
				}
				if ids := m.ids(); !slices.Contains(ids, "OMIM:300555") || slices.Contains(ids, "OMIM:300535") || !slices.Contains(ids, "ORPHA:93623") || !slices.Contains(ids, "MESH:C564487") {
					t.Errorf("%s: %q", name, ids)
				}
			}
		})
	}
}

// Written by hand (synthetic): values change their types with the years.
func TestTypesOfOtherYears(t *testing.T) {
	for _, definition := range []string{`"A text"`, `{"value":"A text"}`, `""`, `null`, `[]`} {
		t.Run(definition, func(t *testing.T) {
			for _, kind := range []string{`"Finding"`, `{"value":"Finding"}`} {
				raw := `{"uid":"1","conceptid":"C0000001","title":"X","definition":` + definition + `,"semantictype":` + kind + `,"suppressed":"","merged":"","conceptmeta":""}`
				c := Read(entrez.Doc{UID: "1", Object: ncbi.Parse([]byte(raw))})
				if c.SemanticType != "Finding" || c.Definition != (Definition{}) || c.Synonyms == nil || c.Genes == nil || c.Features == nil || c.IDs == nil || c.Cut {
					t.Errorf("%s: %+v", raw, c)
				}
			}
		})
	}
}

func TestConceptmetaThatIsCutKeepsWhatCame(t *testing.T) {
	c := Read(entrez.Doc{UID: "1", Object: ncbi.Parse([]byte(`{"conceptid":"C0000001","conceptmeta":"<Names><Name SAB=\"MSH\" SDUI=\"D1\">One &amp; two</Name><Name SAB=\"SNOMEDCT_US\">Theirs</Name></Names><OMIM><MIM>1547"}`))})
	if !c.Cut || !slices.Equal(c.Synonyms, []string{"One & two"}) || c.IDs[0] != "MESH:D1" {
		t.Errorf("%+v", c)
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
		c := Read(entrez.Doc{UID: "1", Object: ncbi.Parse(raw)})
		for _, id := range c.IDs {
			if again, _, ok := ParseID(id); !ok || again != id || !c.Has(strings.ToLower(id)) {
				t.Errorf("%q is printed and not accepted", id)
			}
		}
		if linked[c.Definition.Source] && c.Definition.Text != "" {
			t.Errorf("%+v", c.Definition)
		}
	})
}
