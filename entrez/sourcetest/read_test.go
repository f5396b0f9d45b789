package sourcetest

import (
	"net/http"
	"testing"

	"biomcp/entrez/httpclient"
)

// A simulator sends only the parts that a source declares, so that reading any other part yields
// nothing.
func TestOnlyWhatIsDeclaredIsSent(t *testing.T) {
	for _, c := range []struct{ reads, kind, body, want string }{
		{"results.{name,ids} total", JSONType, `{"total":2,"took":3,"results":[{"name":"a","ids":[1,2],"more":{"name":"x"}},{"other":1}]}`, `{"total":2,"results":[{"name":"a","ids":[1,2]},{}]}`},
		{"*.name", JSONType, `[{"x":{"name":"a","b":1}}]`, `[{"x":{"name":"a"}}]`},
		{"", JSONType, `{"all":1}`, `{"all":1}`},
		{"name", JSONType, `{"broken":`, `{"broken":`},
		{"list item @id text/*", XMLType, `<?xml version="1.0"?><list xmlns="urn:x" n="1"><item id="1" no="2">a</item><other><item id="3"/><other/></other><text>b<i>c</i></text><!-- <item> --><gone/></list>`,
			`<?xml version="1.0"?><list xmlns="urn:x"><item id="1">a</item><text>b<i>c</i></text><!-- <item> --></list>`},
		{"list item @id", XMLType, `<list><p:item id='a>"b' no="1"><![CDATA[<other>]]></p:item><other a="'>"><!-- </other> --></other>t</list>`,
			`<list><p:item id='a>"b'><![CDATA[<other>]]></p:item>t</list>`},
	} {
		got := KeepDeclared([]httpclient.Dependency{{Reply: c.reads}}, Reply{Status: http.StatusOK, Type: c.kind, Body: []byte(c.body)})
		if string(got.Body) != c.want {
			t.Errorf("%s of %s: %s, want %s", c.reads, c.body, got.Body, c.want)
		}
	}
	if got := KeepDeclared([]httpclient.Dependency{{Reply: "a"}}, Reply{Status: http.StatusNotFound, Body: []byte(`{"b":1}`)}); string(got.Body) != `{"b":1}` {
		t.Errorf("a refusal: %s", got.Body)
	}
}
