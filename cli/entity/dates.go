package entity

import (
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// Span is a range of days; an end that was not given is the zero Date.
type Span struct{ From, To record.Date }

// readSpan reads and checks a range. Each end is "" or YYYY, YYYY-MM or
// YYYY-MM-DD (also with slashes), which is read as its first or its last day.
func readSpan(in *command.Input, help ...string) (Span, error) {
	var s Span
	from, to := in.String("date-from"), in.String("date-to")
	read := func(flag, text string) (record.Date, error) {
		d, ok := record.ParseDate(text)
		if !ok || d.Year < 1500 {
			try := help
			if i := strings.LastIndexAny(text, "-/"); i > 0 { // a day or a month that does not exist
				if d, ok := record.ParseDate(text[:i]); ok && d.Year >= 1500 {
					try = in.Again("--"+flag, text[:i])
				}
			}
			return d, result.Invalid(fmt.Sprintf("--%s %q is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD", flag, command.Clip(text)), try...)
		}
		return d, nil
	}
	if from != "" {
		d, err := read("date-from", from)
		if err != nil {
			return s, err
		}
		s.From = d.First()
	}
	if to != "" {
		d, err := read("date-to", to)
		if err != nil {
			return s, err
		}
		s.To = d.Last()
	}
	if from != "" && to != "" && s.To.Number() < s.From.Number() {
		return s, result.Invalid(fmt.Sprintf("--date-from %s is later than --date-to %s", from, to), in.Again("--date-from", to, "--date-to", from)...)
	}
	return s, nil
}
