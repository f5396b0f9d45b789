package rag

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

// datePatterns holds the patterns of values of dates.
type datePatterns struct{ anyTag, lastDates, yearsOnly *regexp.Regexp }

var patternsOfDates = sync.OnceValue(func() datePatterns {
	return datePatterns{
		anyTag:    regexp.MustCompile(`\[[^\]]*\]`),
		lastDates: regexp.MustCompile(`^last (\d{1,4} )?(day|month|year)s?$`),
		yearsOnly: regexp.MustCompile(`^(\d{4})\s*[-–]\s*(\d{4})$`),
	}
})

// dateText returns a value of a date without quotes and tags.
func dateText(value string) string {
	text := strings.Map(func(c rune) rune {
		if isQuote(c) {
			return -1
		}
		return c
	}, strings.ToLower(patternsOfDates().anyTag.ReplaceAllString(value, "")))
	return strings.Join(strings.Fields(text), " ")
}

// parseDates parses a date or a range: 2020, 2020/05, 2018:2020, "2018/01/01"[dp] : "3000"[dp], last 5
// years, or 2018-2020.
func parseDates(r *reader, value string) (first, last record.Date, ok bool) {
	text := dateText(value)
	if m := patternsOfDates().lastDates.FindStringSubmatch(text); m != nil {
		text = before(r.options.Today, m[1], m[2]) + ":" + r.options.Today.Format(time.DateOnly)
	}
	from, to, isRange := strings.Cut(patternsOfDates().yearsOnly.ReplaceAllString(text, "$1:$2"), ":")
	if !isRange {
		to = from
	}
	first, ok = record.ParseDate(strings.TrimSpace(from))
	last, ok2 := record.ParseDate(strings.TrimSpace(to))
	return first, last, ok && ok2
}

// dateFilter returns the filter of a date or a range.
func dateFilter(r *reader, value, _ string) (store.Filter, string, bool) {
	first, last, ok := parseDates(r, value)
	switch {
	case !ok:
		return store.Filter{}, dateText(value) + " is not a date such as 2020, 2020/05, 2020/05/11 or 2018:2020", false
	case last.Last().Number() < first.First().Number():
		return store.Filter{}, first.String() + " is after " + last.String(), false
	}
	return store.Filter{From: first.String(), To: last.String()}, "", true
}

// before returns the date n days, months or years before today.
func before(today time.Time, count, unit string) string {
	n, err := strconv.Atoi(strings.TrimSpace(count))
	if err != nil {
		n = 1
	}
	switch unit {
	case "day":
		today = today.AddDate(0, 0, -n)
	case "month":
		today = today.AddDate(0, -n, 0)
	default:
		today = today.AddDate(-n, 0, 0)
	}
	return today.Format(time.DateOnly)
}
