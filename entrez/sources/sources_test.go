package sources_test

import (
	"regexp"
	"testing"

	"biomcp/entrez/contract"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sources"
)

func TestSourcesAreComplete(t *testing.T) {
	names, lanes := map[string]bool{}, map[string]httpclient.Rate{}
	for _, s := range sources.All() {
		if !regexp.MustCompile(`^[a-z_]+$`).MatchString(s.Name) || names[s.Name] || s.Label == "" {
			t.Errorf("%q is no name for a source, or named twice", s.Name)
		}
		names[s.Name] = true
		if u, err := httpclient.ParseAddress(s.Address); err != nil || u.Scheme != "https" || u.String() != s.Address {
			t.Errorf("%s: the address %s is not an https URL that ends in a slash", s.Name, s.Address)
		}
		if s.Rate.Group == "" || s.Rate.PerSecond < 1 || s.Key.Variable != "" && (s.Rate.WithKey <= s.Rate.PerSecond || s.Key.Param == "") {
			t.Errorf("%s: %+v, %+v", s.Name, s.Rate, s.Key)
		}
		if other, ok := lanes[s.Rate.Group]; ok && other != s.Rate {
			t.Errorf("%s: lane %s has the rates %+v and %+v", s.Name, s.Rate.Group, other, s.Rate)
		}
		lanes[s.Rate.Group] = s.Rate
		for _, u := range s.Dependencies {
			if u.Evidence == "" {
				t.Errorf("%s: no evidence is given for %s", s.Name, u.Path)
			}
		}
		for _, k := range append(s.Contract(), httpclient.Expectation{Call: s.Ping}) {
			if what := contract.UndeclaredPart(s, k.Call.Path, k.Call.Params); what != "" {
				t.Errorf("%s does not declare %s", s.Name, what)
			}
		}
		if s.Ping == nil || s.Ping.Op == "" || s.Ping.Form == httpclient.Text {
			t.Errorf("%s: the smallest call has no name, or a reply that cannot be seen to be whole", s.Name)
		}
	}
}
