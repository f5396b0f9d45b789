package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// A Span is a range of days. A missing end is the zero Date.
type Span struct{ From, To record.Date }

// readSpan reads and checks the date flags. An end is "" or YYYY, YYYY-MM or YYYY-MM-DD (slashes
// are accepted too). A year or a month means its first day in --date-from and its last day in
// --date-to.
func readSpan(in *command.Input, help ...string) (Span, error) {
	var s Span
	from, to := in.String("date-from"), in.String("date-to")
	if last := in.String("last"); last != "" {
		return ReadLast(last, in.App.Now(), correctLast(in, last, help))
	}
	read := func(flag, text string) (record.Date, error) {
		d, ok := record.ParseDate(text)
		if !ok || d.Year < 1500 {
			try := help
			if i := strings.LastIndexAny(text, "-/"); i > 0 { // the day or the month does not exist
				if d, ok := record.ParseDate(text[:i]); ok && d.Year >= 1500 {
					try = in.LineWith("--"+flag, text[:i])
				}
			}
			if date := normalizeDate(text); date != "" {
				try = in.LineWith("--"+flag, date)
			} else if last := lastFlagValue(text); last != "" && flag == "date-from" && to == "" {
				try = in.LineWith("--"+flag, "", "--last", last)
			}
			message := fmt.Sprintf("--%s %q is not a date of the calendar; write YYYY, YYYY-MM or YYYY-MM-DD",
				flag, command.Clip(text))
			return d, result.Invalid(message, try...)
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
		return s, result.Invalid(fmt.Sprintf("--date-from %s is later than --date-to %s", from, to),
			in.LineWith("--date-from", to, "--date-to", from)...)
	}
	return s, nil
}

// normalizeDate converts a date in another unambiguous notation to ours: 01/2020 and January 2020
// become 2020-01. It returns "" if text is not such a date.
func normalizeDate(text string) string {
	text = strings.Join(strings.FieldsFunc(text,
		func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",/.-", r) }), " ")
	for _, layout := range []string{"1 2006", "January 2006", "Jan 2006", "2006 January", "2006 Jan"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format("2006-01")
		}
	}
	for _, layout := range []string{"January 2 2006", "Jan 2 2006", "2 January 2006", "2 Jan 2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// lastFlagValue returns the value of --last for a phrase such as "last year" (1y) or "2 weeks" (14d). It
// returns "" for any other text.
func lastFlagValue(text string) string {
	rest, last := strings.CutPrefix(strings.ToLower(strings.TrimSpace(text)), "last ")
	last = last || daysForm().MatchString(rest)
	if last && !strings.ContainsAny(rest, "0123456789") {
		rest = "1 " + rest
	}
	m := lastForm().FindStringSubmatch(rest)
	switch {
	case m == nil || !last:
		return ""
	case m[2] == "w":
		n, _ := strconv.Atoi(m[1]) // cannot fail: at most four digits
		return fmt.Sprint(7*n) + "d"
	}
	return m[1] + cmp.Or(m[2], "y")
}

// correctLast returns the command line with the intended value of --last for "5 years", 2w or 5, or
// help if there is none. Without quotes, the unit may be at the end of the query.
func correctLast(in *command.Input, last string, help []string) []string {
	if only := lastFlagValue(last); only != "" && only != strings.TrimSpace(last) {
		return in.LineWith("--last", only)
	}
	m := lastForm().FindStringSubmatch(strings.ToLower(last))
	if m == nil {
		return help
	}
	args, unit := slices.Clone(in.Args), cmp.Or(m[2], "y")
	if n := len(args) - 1; m[2] == "" && n >= 0 {
		if at := unitForm().FindStringSubmatch(args[n]); at != nil {
			args[n], unit = at[1], at[2]
		}
	}
	if number, err := strconv.Atoi(m[1]); err == nil && unit == "w" {
		m[1], unit = strconv.Itoa(7*number), "d"
	}
	if m[1]+unit == strings.TrimSpace(last) { // the value is well written, and too large
		return help
	}
	return in.Line(slices.DeleteFunc(args, func(a string) bool { return a == "" }), "--last", m[1]+unit)
}

var lastForm = pattern.Lazy(`^\s*([1-9]\d{0,3})\s*([ymdw]?)[a-z]*\s*$`)
var daysForm = pattern.Lazy(`^[1-9]\d{0,3}\s*(d|days?|w|weeks?|m|months?|y|years?)$`)
var unitForm = pattern.Lazy(`^(.*?)\s*\b([ymwd])(?:ear|onth|eek|ay)s?$`)

// ReadLast returns the range of days from some years, months or days before now until now. If last
// is invalid, the error suggests try.
func ReadLast(last string, now time.Time, try []string) (Span, error) {
	text := strings.TrimSpace(last)
	unit := text[max(0, len(text)-1):]
	n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(text, unit)))
	if err != nil || n < 1 || n > 5000 || !strings.Contains("ymd", unit) {
		message := fmt.Sprintf("--last %q is not a number of years, months or days; write 5y, 6m or 30d",
			command.Clip(last))
		return Span{}, result.Invalid(message, try...)
	}
	day := func(t time.Time) record.Date { return record.Date{Year: t.Year(), Month: int(t.Month()), Day: t.Day()} }
	from := now.AddDate(0, 0, -n)
	switch unit {
	case "y":
		from = now.AddDate(-n, 0, 0)
	case "m":
		from = now.AddDate(0, -n, 0)
	}
	if from.Year() < 1500 {
		return Span{}, result.Invalid(fmt.Sprintf("--last %s begins before 1500", last), try...)
	}
	return Span{From: day(from), To: day(now)}, nil
}
