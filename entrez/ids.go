package entrez

import (
	"regexp"
	"strings"
	"sync"
)

// lazily compiles an expression when it is first needed: most runs of a program
// need few, and all of them would be a good part of its start.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var uidForm = lazily(`^[1-9][0-9]{0,9}$`)

// uids checks and tidies a list of UIDs: no blanks, no leading zeros, each once,
// in the order given.
func uids(op string, ids []string) ([]string, error) {
	out := make([]string, 0, len(ids))
	seen := make(map[string]bool, len(ids))
	for _, given := range ids {
		id := strings.TrimLeft(strings.TrimSpace(given), "0")
		if !uidForm().MatchString(id) {
			return nil, invalid(op, "%s is not an id of NCBI: ids are whole numbers above 0, of up to ten digits", shortQuote(given))
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	if len(out) == 0 {
		return nil, invalid(op, "no ids were given")
	}
	return out, nil
}

func shortQuote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return `"` + plain(s) + `"`
}
