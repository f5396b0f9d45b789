package pubtator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/pubtator"
)

// synthetic is an export with all the loose types of the format in one document, written by hand.
const synthetic = `{"PubTator3":[{"_id":"101|PMC7","id":101,"pmid":101,"pmcid":"PMC7","passages":[
 {"infons":{"type":"title","section_type":"TITLE"},"offset":"0","text":"Aspirin and TP53 in mice",
  "annotations":[
   {"id":"1","infons":{"type":"Chemical","identifier":"MESH:D001241","database":"ncbi_mesh","name":"Aspirin","accession":"@CHEMICAL_Aspirin"},"text":"Aspirin","locations":[{"offset":0,"length":7}]},
   {"id":2,"infons":{"type":"Gene","identifier":7157,"normalized":[7157],"name":"TP53"},"text":"TP53","locations":[{"offset":12,"length":4},{"offset":"40","length":4}]},
   {"id":"3","infons":{"type":"Species","identifier":"10090","name":"10090","accession":null},"text":"mice","locations":[{"offset":20,"length":4}]},
   "not an annotation"]},
 {"infons":{"type":"abstract"},"offset":25,"text":"TP53 again; Frobnicate; frobnicate","annotations":[
   {"infons":{"type":"Gene","identifier":["7157","22059"]},"text":"p53","locations":[]},
   {"infons":{"type":"Gene","identifier":"7157","name":"TP53"},"text":"TP53","locations":[{"offset":25,"length":4}]},
   {"infons":{"type":"Chemical","identifier":"-","name":null},"text":"Frobnicate","locations":[{"offset":37,"length":10}]},
   {"infons":{"type":"Chemical","identifier":null},"text":"frobnicate","locations":[{"offset":49,"length":10}]},
   {"infons":null,"text":5}]},
 {"infons":[],"offset":-3,"text":null,"annotations":null}],
 "relations":[{"infons":{"score":"0.5","type":"Association","role1":{"identifier":"7157","type":"Gene","name":"TP53"},"role2":{"identifier":"MESH:D001241","type":"Chemical","name":"Aspirin"}}},
  {"infons":{"score":"NaN","type":"x","role1":{"type":"Gene"}}},{"infons":{}}]}]}`

func TestParseToleratesLooseTypes(t *testing.T) {
	docs, err := pubtator.Parse([]byte(synthetic))
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 1 {
		t.Fatalf("%d documents, want 1: %+v", len(docs), docs)
	}
	if got := docs[0].PMID; got != "101" {
		t.Errorf("PMID %q, want 101", got)
	}
	if n := len(docs[0].Annotations); n != 8 {
		t.Fatalf("%d annotations, want 8: %+v", n, docs[0].Annotations)
	}
	all := docs[0].Annotations
	want := []pubtator.Annotation{
		{Text: "Aspirin", Type: "Chemical", Identifier: "MESH:D001241", Database: "ncbi_mesh", Name: "Aspirin", Accession: "@CHEMICAL_Aspirin", Mentions: 1},
		{Text: "TP53", Type: "Gene", Identifier: "7157", Name: "TP53", Mentions: 2},
		{Text: "mice", Type: "Species", Identifier: "10090", Name: "10090", Mentions: 1},
	}
	if got := all[:3]; !reflect.DeepEqual(got, want) {
		t.Errorf("title's annotations:\n got %+v\nwant %+v", got, want)
	}
	body := all[3:]
	if got := body[0].Identifier; got != "7157;22059" {
		t.Errorf("identifiers %q, want 7157;22059", got)
	}
	if got := body[2].Identifier; got != "" {
		t.Errorf("identifier %q, want none", got)
	}
	if got := body[4].Text; got != "5" {
		t.Errorf("text %q, want 5", got)
	}
}

func TestSummaryCountsAndOrders(t *testing.T) {
	docs, err := pubtator.Parse([]byte(synthetic))
	if err != nil {
		t.Fatal(err)
	}
	got := docs[0].Summary()
	want := []pubtator.Group{
		{Type: "Gene", Mentions: 4, Entities: []pubtator.Entity{
			{Identifier: "7157", Name: "TP53", Mentions: 3, Texts: []string{"TP53"}},
			{Identifier: "7157;22059", Name: "p53", Mentions: 1, Texts: []string{"p53"}},
		}},
		{Type: "Chemical", Mentions: 3, Entities: []pubtator.Entity{
			{Name: "Frobnicate", Mentions: 2, Texts: []string{"Frobnicate", "frobnicate"}},
			{Identifier: "MESH:D001241", Database: "ncbi_mesh", Accession: "@CHEMICAL_Aspirin", Name: "Aspirin", Mentions: 1, Texts: []string{"Aspirin"}},
		}},
		{Type: "", Mentions: 1, Entities: []pubtator.Entity{{Name: "5", Mentions: 1, Texts: []string{"5"}}}},
		{Type: "Species", Mentions: 1, Entities: []pubtator.Entity{{Identifier: "10090", Name: "mice", Mentions: 1, Texts: []string{"mice"}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("summary:\n got %+v\nwant %+v", got, want)
	}
}

func TestSummaryKeepsVariantsOfOneRSNumberApart(t *testing.T) {
	docs, err := pubtator.Parse([]byte(`{"pmid":"1","passages":[{"annotations":[
	 {"text":"V600E","infons":{"type":"Variant","identifier":"a","rsid":"rs113488022","accession":"@VARIANT_p.V600E_BRAF_human","name":"p.V600E"}},
	 {"text":"V600G","infons":{"type":"Variant","identifier":"b","rsid":"rs113488022","accession":"@VARIANT_p.V600G_BRAF_human","name":"p.V600G"}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	entities := docs[0].Summary()[0].Entities
	if len(entities) != 2 {
		t.Fatalf("%d entities, want 2: %+v", len(entities), entities)
	}
	if got := entities[0].Name; got != "p.V600E" {
		t.Errorf("first entity %q, want p.V600E", got)
	}
	if got := entities[1].Identifier; got != "rs113488022" {
		t.Errorf("second identifier %q, want rs113488022", got)
	}
}

func TestParseEnvelopes(t *testing.T) {
	const one = `{"id":"5","passages":[]}`
	for name, c := range map[string]struct {
		body string
		n    int
	}{
		"PubTator3":    {`{"PubTator3":[` + one + `,` + one + `]}`, 2},
		"collection":   {`{"source":"PubTator","documents":[` + one + `]}`, 1},
		"list":         {`[` + one + `]`, 1},
		"one document": {one, 1},
		"lines":        {one + "\n" + one + "\n", 2},
		"nothing":      {`{"PubTator3":[]}`, 0},
		"empty body":   {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			docs, err := pubtator.Parse([]byte(c.body))
			if err != nil {
				t.Error(err)
			}
			if docs == nil {
				t.Error("the documents are nil")
			}
			if len(docs) != c.n {
				t.Errorf("%d documents, want %d", len(docs), c.n)
			}
			for _, d := range docs {
				if d.PMID != "5" {
					t.Errorf("%s: PMID %q", name, d.PMID)
				}
			}
		})
	}
}

func TestParseRefusesWhatIsNoExport(t *testing.T) {
	for _, body := range []string{
		`<html>502 Bad Gateway</html>`, `{"detail":"Could not retrieve publications"}`, `{"error":"x"}`,
		`{"PubTator3":"none"}`, `{"PubTator3":[{"passages":[]}`, `7`, `"text"`, `null`, `[1]`,
	} {
		t.Run(body, func(t *testing.T) {
			docs, err := pubtator.Parse([]byte(body))
			var bad *pubtator.FormatError
			if !errors.As(err, &bad) || bad.Reason == "" {
				t.Errorf("%s: documents %v, error %v; want a *FormatError", body, docs, err)
			}
		})
	}
}

// The summary of a real export counts every mention of its text.
func TestRealExports(t *testing.T) {
	for name, top := range map[string]string{
		"export_20516115.json": "BRCA1", "export_22663011.json": "Melanoma",
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(sharedData(t), "pubtator", name))
			if err != nil {
				t.Skipf("SKIPPED: real PubTator exports are absent: %v", err)
			}
			docs, err := pubtator.Parse(data)
			if err != nil || len(docs) != 1 {
				t.Fatalf("%s: %d documents, error %v", name, len(docs), err)
			}
			mentions, found := strings.Count(string(data), `"length":`), map[string]bool{}
			counted := 0
			for _, g := range docs[0].Summary() {
				for _, e := range g.Entities {
					counted += e.Mentions
					found[e.Name] = true
					if e.Identifier == "" || strings.Contains(e.Identifier, "tmVar") {
						t.Errorf("%s: %s %q has identifier %q", name, g.Type, e.Name, e.Identifier)
					}
				}
			}
			if mentions == 0 {
				t.Error("the export has no mentions")
			}
			if counted != mentions {
				t.Errorf("the summary counts %d mentions, want %d", counted, mentions)
			}
			if !found[top] {
				t.Errorf("the summary lacks %q", top)
			}
		})
	}
}

// JSON nested a million levels deep is rejected, and the deepest nesting that encoding/json allows
// is parsed quickly.
func TestDeepNesting(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(32 << 20))
	for _, depth := range []int{4000, 1 << 20} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			deep := strings.Repeat("[", depth) + strings.Repeat("]", depth)
			objects := strings.Repeat(`{"passages":[`, depth) + strings.Repeat("]}", depth)
			for _, in := range []string{
				deep, objects, strings.Repeat("[", depth), `[{"id":` + deep + `}]`, `[{"passages":` + deep + `}]`,
				`[{"passages":[{"annotations":[{"infons":{"identifier":` + deep + `,"type":` + objects + `}}]}]}]`,
				`[{"relations":[{"infons":{"role1":` + objects + `}}]}]`,
			} {
				var bad *pubtator.FormatError
				if _, err := pubtator.Parse([]byte(in)); err != nil && !errors.As(err, &bad) {
					t.Errorf("%.60s: %v", in, err)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(synthetic))
	f.Add([]byte(`[{"passages":[{"annotations":[{"infons":{"identifier":[[["x"]]]}}]}]}]`))
	f.Add([]byte(`{"id":1,"passages":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, err := pubtator.Parse(data)
		if err != nil {
			if _, ok := errors.AsType[*pubtator.FormatError](err); !ok {
				t.Fatalf("error of another type: %v", err)
			}
			return
		}
		summaries := [][]pubtator.Group{}
		for _, d := range docs {
			summaries = append(summaries, d.Summary())
			annotated := 0
			for _, a := range d.Annotations {
				annotated += a.Mentions
			}
			for _, g := range d.Summary() {
				for _, e := range g.Entities {
					annotated -= e.Mentions
				}
			}
			if annotated != 0 {
				t.Errorf("the summary misses %d mentions", annotated)
			}
		}
		out, err := json.Marshal(summaries)
		var back any
		if err != nil || json.Unmarshal(out, &back) != nil || holdsNull(back) {
			t.Errorf("as JSON: %v %s", err, out)
		}
	})
}

func holdsNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return slices.ContainsFunc(v, holdsNull)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), holdsNull)
	}
	return false
}

// sharedData returns the folder of captured replies, which is outside the module.
func sharedData(t *testing.T) string {
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
