package entity

import (
	"fmt"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// Day reads YYYY, YYYY-MM or YYYY-MM-DD (also with slashes) as a calendar day.
// A missing month or day is the first of its span, or with end the last. help is
// the command that explains the flag.
func Day(flag, s string, end bool, help ...string) (time.Time, error) {
	d, ok := record.ParseDate(s)
	if !ok || d.Year < 1500 {
		return time.Time{}, result.Invalid(fmt.Sprintf("--%s %q is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD", flag, command.Clip(s)), help...)
	}
	if end {
		return d.Last().Time(), nil
	}
	return d.First().Time(), nil
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
