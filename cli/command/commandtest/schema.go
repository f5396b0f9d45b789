package commandtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schemas returns the folder with the copies of the published JSON schemas.
func Schemas(t testing.TB) string {
	t.Helper()
	return filepath.Join(Root(t), "cli", "testdata", "schemas")
}

// Validate reports a test error if text, the answer to line, is not a single JSON document that
// matches the named schema.
func Validate(t testing.TB, name, line, text string) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	s, err := c.Compile(filepath.Join(Schemas(t), name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Errorf("%s: not one JSON document: %v\n%.500s", line, err, text)
		return
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s: %v\n%.800s", line, err, text)
	}
}

// RequireAllFields reports a test error if a field of the schema is absent. Optional fields must be
// present as null.
func RequireAllFields(t testing.TB, name, text string) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(Schemas(t), name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var s struct{ Properties map[string]json.RawMessage }
	var got map[string]json.RawMessage
	if err := json.Unmarshal(body, &s); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	for field := range s.Properties {
		if _, ok := got[field]; !ok {
			t.Errorf("%s: the field %q is absent", name, field)
		}
	}
}
