package polite

import (
	"net/url"
	"testing"
)

func TestUndeclared(t *testing.T) {
	s := &Source{ToolParam: "tool", Uses: []Use{{Path: "panels/*", Params: "size page"}, {Path: "panels/*", Params: "sort"}, {Path: "list"}}}
	for _, c := range []struct{ path, query, want string }{
		{"panels/A", "size=1&page=2&sort=x&tool=me", ""},
		{"panels/A/B", "", "the address panels/A/B"},
		{"other", "", "the address other"},
		{"list", "size=1", "the parameter size of list"},
		{"panels/A", "order=x", "the parameter order of panels/A"},
	} {
		t.Run(c.path+"?"+c.query, func(t *testing.T) {
			params, err := url.ParseQuery(c.query)
			if got := s.Undeclared(c.path, params); got != c.want || err != nil {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
