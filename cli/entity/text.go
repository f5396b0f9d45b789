package entity

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Range is a range of numbers, including both ends.
type Range struct{ From, To int }

// ParseRange parses 3, 2-4, or 5- for an open end. Numbers start at 1, and the end must not be
// before the start.
func ParseRange(text string) (r Range, ok bool) {
	first, last, several := strings.Cut(text, "-")
	from, err := strconv.Atoi(first)
	r = Range{from, from}
	if several {
		r.To = math.MaxInt
	}
	if last != "" {
		var bad error
		r.To, bad = strconv.Atoi(last)
		err = cmp.Or(err, bad)
	}
	return r, err == nil && 1 <= r.From && r.From <= r.To
}

// FormatNumber formats *n. It returns "" if n is nil.
func FormatNumber[N int | int64 | float64](n *N) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// Deref returns *s, or "" if s is nil.
func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// EtAl joins the first n names, followed by "et al." if there are more.
func EtAl(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:n], ", ") + ", et al."
}

// Truncate shortens s to at most n characters at the end of a word, and appends " …".
func Truncate(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := string(r[:n])
	if i := strings.LastIndexByte(head, ' '); i > 0 {
		head = head[:i]
	}
	return head + " …"
}
