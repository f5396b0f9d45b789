package record

import (
	"cmp"
	"time"
)

// Date is a Gregorian date of known precision: 2024, 2024-05 or 2024-05-11. Unknown parts are 0. A
// date with a day has a month, and one with a month has a year. The zero Date means no date.
type Date struct{ Year, Month, Day int }

// ParseDate parses YYYY, YYYY-MM or YYYY-MM-DD. It accepts slashes, and months and days of one
// digit. It returns false for any other text and for a month or day that does not exist.
func ParseDate(s string) (Date, bool) {
	var n [3]int
	last := 0
	for i, start := 0, 0; ; i++ {
		if i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n[last] = 10*n[last] + int(s[i]-'0')
			continue
		}
		if digits := i - start; last == 0 && digits != 4 || digits < 1 || last > 0 && digits > 2 {
			return Date{}, false
		}
		if i == len(s) {
			break
		}
		if last == 2 || s[i] != '-' && s[i] != '/' {
			return Date{}, false
		}
		start = i + 1
		last++
	}
	d := Date{n[0], n[1], n[2]}
	known := [3]bool{d.Year > 0, d.Month > 0, d.Day > 0}
	return d, known[last] && d == d.OnCalendar()
}

// HyphenateDate returns a date written YYYYMMDD as YYYY-MM-DD, without any text that follows it. A text
// shorter than 8 bytes is returned unchanged.
func HyphenateDate(s string) string {
	if len(s) < 8 {
		return s
	}
	return s[:4] + "-" + s[4:6] + "-" + s[6:8]
}

// OnCalendar returns d without a month or day that does not exist.
func (d Date) OnCalendar() Date {
	switch {
	case d.Year == 0 || d.Month < 1 || d.Month > 12:
		return Date{Year: d.Year}
	case d.Day < 1 || d.Day > daysIn(d.Year, d.Month):
		return Date{Year: d.Year, Month: d.Month}
	}
	return d
}

// First returns the first day of d. d must not be zero.
func (d Date) First() Date { return Date{d.Year, max(d.Month, 1), max(d.Day, 1)} }

// Last returns the last day of d. d must not be zero.
func (d Date) Last() Date {
	d.Month = cmp.Or(d.Month, 12)
	d.Day = cmp.Or(d.Day, daysIn(d.Year, d.Month))
	return d
}

// Number returns d as yyyymmdd, so that days compare as numbers. Unknown parts are 00.
func (d Date) Number() int { return d.Year*10000 + d.Month*100 + d.Day }

// String returns 2024, 2024-05 or 2024-05-11, or "" for the zero Date.
func (d Date) String() string { return string(d.Append(make([]byte, 0, 10))) }

// Append appends the text of String to b.
func (d Date) Append(b []byte) []byte {
	if d.Year == 0 {
		return b
	}
	b = AppendTwo(AppendTwo(b, d.Year/100), d.Year%100)
	if d.Month == 0 {
		return b
	}
	b = AppendTwo(append(b, '-'), d.Month)
	if d.Day == 0 {
		return b
	}
	return AppendTwo(append(b, '-'), d.Day)
}

// AppendTwo appends a number below 100 with two digits.
func AppendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// NilIfZero returns a pointer to v, or nil if v is the zero value. JSON writes nil as null, which means
// unknown.
func NilIfZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
