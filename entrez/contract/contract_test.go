package contract

import (
	"net/url"
	"strings"
	"testing"

	"biomcp/entrez/httpclient"
)

func TestUndeclared(t *testing.T) {
	s := &httpclient.Source{ToolParam: "tool", Dependencies: []httpclient.Dependency{{Path: "panels/*", Params: "size page"}, {Path: "panels/*", Params: "sort"}, {Path: "list"}}}
	for _, c := range []struct{ path, query, want string }{
		{"panels/A", "size=1&page=2&sort=x&tool=me", ""},
		{"panels/A/B", "", "the address panels/A/B"},
		{"other", "", "the address other"},
		{"list", "size=1", "the parameter size of list"},
		{"panels/A", "order=x", "the parameter order of panels/A"},
	} {
		t.Run(c.path+"?"+c.query, func(t *testing.T) {
			params, err := url.ParseQuery(c.query)
			if got := UndeclaredPart(s, c.path, params); got != c.want || err != nil {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// The parts read of a reply are declared or follow from the type that it is decoded into.
func TestReadsOfAUse(t *testing.T) {
	type inner struct {
		Text string `xml:",innerxml"`
	}
	for want, u := range map[string]httpclient.Dependency{
		"a.b a.c d": {Reply: "a.{b,c} d"},
		"@code Count Id IdList eResult title title/*": {Decoded: (*struct {
			XMLName struct{} `xml:"eResult"`
			Count   *string
			Code    string   `xml:"code,attr"`
			IDs     []string `xml:"IdList>Id"`
			Title   inner    `xml:"title"`
		})(nil)},
	} {
		if got := strings.Join(ReplyParts(&u), " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestStrangeTags(t *testing.T) {
	s := &httpclient.Source{
		Dependencies: []httpclient.Dependency{{Path: "search", Params: "db=gene term", Tags: "PREF,GENE"}, {Path: "search", Params: "db=other"}, {Path: "spell"}},
		TagsOf:       func(p url.Values) []string { return p["term"] },
	}
	for path, want := range map[string]string{"search?db=gene&term=PREF": "", "search?db=gene&term=PREF&term=TID": "TID", "search?db=other&term=PREF": "PREF", "spell?term=PREF": ""} {
		at, query, _ := strings.Cut(path, "?")
		params, err := url.ParseQuery(query)
		if got := strings.Join(UndeclaredTags(s, at, params), " "); got != want || err != nil {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
