package ncbi

import (
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/entrez/polite"
)

// UIDForm is the form of an id: a whole number above 0.
var UIDForm = pattern.Lazy(`^[1-9][0-9]{0,9}$`)

// UIDs checks and tidies a list of ids: no blanks, no leading zeros, each once,
// in the order given. The error is of kind Invalid.
func UIDs(ids []string) ([]string, error) {
	out := make([]string, 0, len(ids))
	seen := make(map[string]bool, len(ids))
	for _, given := range ids {
		id := strings.TrimLeft(strings.TrimSpace(given), "0")
		if !UIDForm().MatchString(id) {
			return nil, polite.Invalidf("%s is not an id of NCBI: ids are whole numbers above 0, of up to ten "+
				"digits", ShortQuote(given))
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, polite.Invalidf("no ids were given")
	}
	return out, nil
}

// ShortQuote quotes what a user wrote, for a message.
func ShortQuote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return `"` + polite.Plain(s) + `"`
}
