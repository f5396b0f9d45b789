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
func Lazy(expr string) func() *regexp.Regexp { return (&lazy{expr: expr}).compiled }

// lazy takes half the memory of a sync.OnceValue, before any expression is used.
type lazy struct {
	expr string
	once sync.Once
	re   *regexp.Regexp
}

func (l *lazy) compiled() *regexp.Regexp {
	l.once.Do(func() { l.re = regexp.MustCompile(l.expr) })
	return l.re
}
