package ncbi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/polite"
)

func TestDecodeXMLIsLenient(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"HTML entities":    {"<r><name>caf&eacute; &amp; bar</name></r>", "café & bar"},
		"broken UTF-8":     {"<r><name>a\xffb</name></r>", "a\uFFFDb"},
		"another encoding": {`<?xml version="1.0" encoding="ISO-8859-1"?><r><name>ü</name></r>`, "ü"},
	} {
		t.Run(name, func(t *testing.T) {
			var v struct {
				Name string `xml:"name"`
			}
			if err := DecodeXML([]byte(c.body), &v); err != nil || v.Name != c.want {
				t.Errorf("%q, %v", v.Name, err)
			}
		})
	}
	if err := DecodeXML([]byte("<r><name>cut o"), &struct{}{}); err == nil {
		t.Error("half a document is one")
	}
}

// NCBI writes an empty value in many ways, and a number with quotation marks or without.
func TestValuesOfAnyType(t *testing.T) {
	for text, want := range map[string][]string{`"a"`: {"a"}, `["a",2,"",null]`: {"a", "2"}, `7`: {"7"}, `null`: nil, `""`: nil, `[]`: nil, `{"a":1}`: nil} {
		t.Run(text, func(t *testing.T) {
			var got Texts
			if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	type row struct{ ID Text }
	for text, want := range map[string]Many[row]{`[{"id":7},{"id":"8"}]`: {{"7"}, {"8"}}, `""`: nil, `null`: nil, `{"id":1}`: nil} {
		t.Run("rows "+text, func(t *testing.T) {
			var got Many[row]
			if err := json.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	if got := List([]string{" a ", "", " "}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
	if got := List(nil); got == nil {
		t.Error("a list is nil")
	}
}

func TestUIDs(t *testing.T) {
	if got, err := UIDs("summary", []string{" 7", "0012", "7"}); err != nil || !slices.Equal(got, []string{"7", "12"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, ids := range [][]string{nil, {"x"}, {"0"}, {"12345678901"}, {strings.Repeat("9", 60)}} {
		t.Run(fmt.Sprintf("%.60s", strings.Join(ids, " ")), func(t *testing.T) {
			got, err := UIDs("summary", ids)
			if !polite.IsKind(err, polite.Invalid) || len(err.Error()) > 200 {
				t.Errorf("%q: %q, %v", ids, got, err)
			}
		})
	}
}
