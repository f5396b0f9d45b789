package resolve

import (
	"slices"
	"strings"
)

// Fold returns name in lower case without hyphens, underscores and spaces, so that spellings of one
// name compare equal: PD-L1, PDL1 and "pd l1".
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -\u2010\u2011\u2012\u2013_", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// ContainsFolded reports whether names contains name, comparing folded names.
func ContainsFolded(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return Fold(n) == Fold(name) })
}
