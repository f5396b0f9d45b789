package ncbi

import (
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
)

// UIDForm matches an ID: a whole number above 0.
var UIDForm = pattern.Lazy(`^[1-9][0-9]{0,9}$`)

// UIDs validates a list of IDs. It returns them in the given order without spaces, leading zeros
// and duplicates. The error is of kind Invalid.
func UIDs(ids []string) ([]string, error) {
	out := make([]string, 0, len(ids))
	seen := make(map[string]bool, len(ids))
	for _, given := range ids {
		id := strings.TrimLeft(strings.TrimSpace(given), "0")
		if !UIDForm().MatchString(id) {
			return nil, httpclient.Invalidf(
				"%s is not an NCBI id: ids are whole numbers above 0, of up to ten digits", ShortQuote(given))
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, httpclient.Invalidf("no ids were given")
	}
	return out, nil
}

// ShortQuote quotes the user's text for a message, cut to 40 characters.
func ShortQuote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return `"` + httpclient.Plain(s) + `"`
}

// StraightQuotes replaces typographic double quotes, as word processors write them, by those that Entrez reads as
// the limits of a phrase.
func StraightQuotes(term string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("“”„‟«»", r) {
			return '"'
		}
		return r
	}, term)
}
