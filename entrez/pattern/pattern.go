// Package pattern compiles regular expressions where they are first used: a
// process that answers one command uses few of them, and compiling all of them
// took a tenth of its time.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles the expression once, at its first call,
// and panics there where the expression is wrong. It may be called concurrently.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
