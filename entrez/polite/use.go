package polite

import (
	"context"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Use is what the program relies on at an address of a source. A source declares an
// address more than once where its parts were seen in different places.
type Use struct {
	Path   string // under the source's address, as path.Match has it: "gene-panels/*"
	Params string // names of parameters, with blanks between them
	Seen   string // where and when: a capture, a document with its address, or "nobody"
}

// Undeclared says what of a request is not in s.Uses, "" where all is. at is the path
// under the source's address. The simulators refuse such requests, so that the table of
// what is relied on has all.
func (s *Source) Undeclared(at string, params url.Values) string {
	names, found := s.signature(), false
	for _, u := range s.Uses {
		if is, _ := path.Match(u.Path, at); !is {
			continue
		}
		found = true
		names = append(names, strings.Fields(u.Params)...)
	}
	if !found {
		return "the address " + at
	}
	for name := range params {
		if !slices.Contains(names, name) {
			return "the parameter " + name + " of " + at
		}
	}
	return ""
}

// IsCall reports whether a request's context belongs to a call of this package.
func IsCall(ctx context.Context) bool { return ctx.Value(callKey{}) != nil }
