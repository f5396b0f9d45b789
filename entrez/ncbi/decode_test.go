package ncbi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
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

func TestList(t *testing.T) {
	if got := List([]string{" a ", "", " "}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%q", got)
	}
	if got := List(nil); got == nil {
		t.Error("a list is nil")
	}
}

func TestUIDs(t *testing.T) {
	if got, err := UIDs([]string{" 7", "0012", "7"}); err != nil || !slices.Equal(got, []string{"7", "12"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, ids := range [][]string{nil, {"x"}, {"0"}, {"12345678901"}, {strings.Repeat("9", 60)}} {
		t.Run(fmt.Sprintf("%.60s", strings.Join(ids, " ")), func(t *testing.T) {
			got, err := UIDs(ids)
			if !httpclient.IsKind(err, httpclient.Invalid) || len(err.Error()) > 200 {
				t.Errorf("%q: %q, %v", ids, got, err)
			}
		})
	}
}

func TestStraightQuotes(t *testing.T) {
	const term = `“a b”[ti] AND „c“ OR «d» NOT "e" AND alzheimer’s 5′`
	if got, want := StraightQuotes(term), `"a b"[ti] AND "c" OR "d" NOT "e" AND alzheimer’s 5′`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
