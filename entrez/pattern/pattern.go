// Package pattern compiles regular expressions at their first use. A process that answers one
// command uses few of them, and compiling all of them took a tenth of its time.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles the expression once, at its first call. That call panics if
// the expression is invalid. The function is safe for concurrent use.
func Lazy(expr string) func() *regexp.Regexp { return (&lazy{expr: expr}).regexp }

// lazy needs half the memory of a sync.OnceValue before its first use.
type lazy struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

func (l *lazy) regexp() *regexp.Regexp {
	l.once.Do(func() { l.re = regexp.MustCompile(l.expr) })
	return l.re
}
