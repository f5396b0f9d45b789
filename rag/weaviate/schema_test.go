package weaviate

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/weaviate/weaviate/entities/models"

	"biomcp/entrez/record"
	"biomcp/store"
)

func TestAClassWithAnotherSchemaIsNotWritten(t *testing.T) {
	for name, test := range map[string]struct {
		change func(c *models.Class)
		says   string // "": it is ours
	}{
		"ours":            {func(*models.Class) {}, ""},
		"with more":       {func(c *models.Class) { c.Properties = append(c.Properties, &models.Property{Name: "mine"}) }, ""},
		"another program": {func(c *models.Class) { c.Description = "Papers" }, "not created by biomcp"},
		"another layout":  {func(c *models.Class) { c.Description = strings.Replace(c.Description, `"layout":1`, `"layout":2`, 1) }, "layout 2"},
		"one index more":  {func(c *models.Class) { property(c, propTerms).IndexFilterable = property(c, propPMID).IndexFilterable }, "property terms"},
		"other terms": {func(c *models.Class) {
			c.Description = strings.Replace(c.Description, `"analysis":`, `"analysis":9`, 1)
		}, "analysis version 9"},
		"other distance": {func(c *models.Class) {
			c.VectorConfig[passage.String()].VectorIndexConfig.(map[string]any)["distance"] = "dot"
		}, "cosine"},
		"no vector":         {func(c *models.Class) { c.VectorConfig = nil }, "cosine"},
		"stop words":        {func(c *models.Class) { c.InvertedIndexConfig.Stopwords.Preset = "en" }, "stop words"},
		"no such property":  {func(c *models.Class) { c.Properties = c.Properties[1:] }, "lacks the property pmid"},
		"another type":      {func(c *models.Class) { c.Properties[0].DataType = []string{"int"} }, "property pmid"},
		"another splitting": {func(c *models.Class) { property(c, propTerms).Tokenization = "word" }, "property terms"},
		"not indexed":       {func(c *models.Class) { property(c, propDate).IndexRangeFilters = nil }, "property date"},
	} {
		t.Run(name, func(t *testing.T) {
			x, f := faked(t, func(_ *fake, r *http.Request, _ string) *http.Response {
				switch r.Method {
				case http.MethodDelete:
					return reply(200, "")
				case http.MethodPost:
					return nil
				}
				var c models.Class // as it comes from a server
				text, _ := json.Marshal((&Index{class: DefaultClass}).newClass(2, 0, 1))
				if err := json.Unmarshal(text, &c); err != nil {
					t.Error(err)
				}
				test.change(&c)
				text, _ = json.Marshal(c)
				return reply(200, string(text))
			})
			err := x.Ensure(t.Context())
			if test.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantKind(t, err, Invariant, test.says, DefaultClass)
			wantKind(t, x.Put(t.Context(), docsOf(1)), Invariant)
			// UseModels removes it, unless another program created it.
			err = x.UseModels(t.Context(), store.Model{Name: "m", Dim: 2}, store.Model{})
			if dropped := f.count("DELETE /v1/schema/"+DefaultClass) == 1; dropped == strings.Contains(test.says, "not created by") || dropped != (err == nil) {
				t.Errorf("renewed: dropped %v, %v", dropped, err)
			}
			if n := f.count("POST /v1/batch/objects"); n > 0 {
				t.Errorf("%d batches were sent", n)
			}
		})
	}
}

func property(c *models.Class, name string) *models.Property {
	for _, p := range c.Properties {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// Ensure creates a missing class with as many copies as there are nodes, at most
// three; Check fails with Missing.
func TestEnsureCreatesAMissingClass(t *testing.T) {
	for name, test := range map[string]struct {
		nodes string
		want  int64
	}{
		"one":     {`{"nodes":[{}]}`, 1},
		"three":   {`{"nodes":[{},{},{}]}`, 3},
		"nine":    {`{"nodes":[{},{},{},{},{},{},{},{},{}]}`, 3},
		"unknown": {`{}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var made *models.Class
			x, f := faked(t, func(_ *fake, r *http.Request, body string) *http.Response {
				switch r.Method + " " + r.URL.Path {
				case "GET /v1/schema/" + DefaultClass:
					if made == nil {
						return reply(404, "")
					}
					return nil
				case "GET /v1/nodes":
					return reply(200, test.nodes)
				case "POST /v1/schema":
					made = &models.Class{}
					if err := json.Unmarshal([]byte(body), made); err != nil {
						t.Error(err)
					}
					// Another process has just created it.
					return reply(422, `{"error":[{"message":"class name PubMedChunk already exists"}]}`)
				}
				return nil
			})
			wantKind(t, x.Check(t.Context()), Missing)
			if err := x.Delete(t.Context(), []record.PMID{1}); err != nil {
				t.Error(err)
			}
			for range x.Chunks(t.Context(), 0) {
				t.Error("a chunk of nothing")
			}
			for range 2 {
				if err := x.Ensure(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if made.ReplicationConfig.Factor != test.want || made.ReplicationConfig.AsyncEnabled != (test.want > 1) {
				t.Errorf("made with %+v, want %d copies", made.ReplicationConfig, test.want)
			}
			if n := f.count("POST /v1/schema"); n != 1 {
				t.Errorf("made %d times", n)
			}
		})
	}
}

// Ensure stores the dimension of the vectors; another dimension is then an error until
// UseModels.
func TestVectorsOfAnotherDimensionNeedUseModels(t *testing.T) {
	dim, dropped := 0, false
	answer := func(_ *fake, r *http.Request, body string) *http.Response {
		switch {
		case r.Method == http.MethodDelete:
			dropped = true
			return reply(200, "")
		case r.Method == http.MethodPut:
			var c models.Class
			if err := json.Unmarshal([]byte(body), &c); err != nil {
				t.Error(err)
			}
			have, _ := readNote(c.Description)
			dim = have.Dim
			return reply(200, body)
		case r.URL.Path == "/v1/schema/"+DefaultClass && dropped:
			return reply(404, "")
		case r.URL.Path == "/v1/schema/"+DefaultClass:
			text, _ := json.Marshal((&Index{class: DefaultClass}).newClass(dim, 0, 1))
			return reply(200, string(text))
		}
		return nil
	}
	x, _ := faked(t, answer)
	if err := x.Ensure(t.Context()); err != nil || dim != 2 {
		t.Errorf("dimension %d, %v", dim, err)
	}
	other, _ := faked(t, answer)
	if err := other.UseModels(t.Context(), store.Model{Name: "n", Dim: 2}, store.Model{}); err != nil || dropped {
		t.Errorf("another model of the same dimension: dropped %v, %v", dropped, err)
	}
	other.models[passage].dim = 3
	wantKind(t, other.Ensure(t.Context()), Invariant, "dimension 2", "dimension 3")
	other.models[passage].dim = 2
	if err := other.UseModels(t.Context(), store.Model{Name: "n", Dim: 3}, store.Model{}); err != nil || !dropped {
		t.Errorf("another dimension: dropped %v, %v", dropped, err)
	}
}
