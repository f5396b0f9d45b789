package entity

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

var dateForm = regexp.MustCompile(`^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?$`)

// Day reads YYYY, YYYY-MM or YYYY-MM-DD (also with slashes) as a calendar day.
// A missing month or day is the first of its span, or with end the last. help is
// the command that explains the flag.
func Day(flag, s string, end bool, help ...string) (time.Time, error) {
	bad := func(why string) (time.Time, error) {
		return time.Time{}, result.Invalid(fmt.Sprintf("--%s %q %s; write YYYY, YYYY-MM or YYYY-MM-DD", flag, command.Clip(s), why), help...)
	}
	m := dateForm.FindStringSubmatch(s)
	if m == nil {
		return bad("is not a date")
	}
	part := func(text string, missing int) int {
		if text == "" {
			return missing
		}
		n, _ := strconv.Atoi(text) // digits only, at most four
		return n
	}
	year, month := part(m[1], 0), part(m[2], 1)
	if year < 1500 || month < 1 || month > 12 {
		return bad("is not a date of the calendar")
	}
	if end {
		if m[2] == "" {
			month = 12
		}
		last := time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC)
		if m[3] == "" {
			return last, nil
		}
	}
	d := part(m[3], 1)
	t := time.Date(year, time.Month(month), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d || int(t.Month()) != month {
		return bad("is not a day of the calendar")
	}
	return t, nil
}

// Span is a date range with both ends, and what was added to make it one.
type Span struct {
	From, To time.Time
	Notice   string
}

// DateSpan completes and checks a range. The zero span is no range.
func DateSpan(from, to string, help ...string) (Span, error) {
	var s Span
	var err error
	if from == "" && to == "" {
		return s, nil
	}
	if from != "" {
		if s.From, err = Day("date-from", from, false, help...); err != nil {
			return s, err
		}
	} else {
		s.From = time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC)
		s.Notice = "--date-from was not given: the search has no lower bound"
	}
	if to != "" {
		if s.To, err = Day("date-to", to, true, help...); err != nil {
			return s, err
		}
	} else {
		s.To = time.Date(3000, 12, 31, 0, 0, 0, 0, time.UTC)
		s.Notice = "--date-to was not given: the search has no upper bound, and includes dates announced for the future"
	}
	if s.To.Before(s.From) {
		return s, result.Invalid(fmt.Sprintf("--date-from %s is later than --date-to %s", from, to), help...)
	}
	return s, nil
}
