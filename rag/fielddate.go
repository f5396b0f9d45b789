package rag

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

var (
	anyTag    = regexp.MustCompile(`\[[^\]]*\]`)
	lastDates = regexp.MustCompile(`^last (\d{1,4} )?(day|month|year)s?$`)
	yearsOnly = regexp.MustCompile(`^(\d{4})\s*[-–]\s*(\d{4})$`)
)

// dateFilter reads a date or a range: 2020, 2020/05, 2018:2020, "2018/01/01"[dp] : "3000"[dp], last 5
// years, or 2018-2020.
func dateFilter(r *reader, value, _ string) (store.Filter, string, bool) {
	text := strings.ToLower(anyTag.ReplaceAllString(value, ""))
	text = strings.Join(strings.Fields(strings.Map(func(c rune) rune {
		if isQuote(c) {
			return -1
		}
		return c
	}, text)), " ")
	if m := lastDates.FindStringSubmatch(text); m != nil {
		return store.Filter{From: before(r.options.Today, m[1], m[2])}, "", true
	}
	text = yearsOnly.ReplaceAllString(text, "$1:$2")
	from, to, isRange := strings.Cut(text, ":")
	if from = strings.TrimSpace(from); !isRange {
		to = from
	}
	to = strings.TrimSpace(to)
	first, ok := record.ParseDate(from)
	last, ok2 := record.ParseDate(to)
	switch {
	case !ok || !ok2:
		return store.Filter{}, text + " is not a date such as 2020, 2020/05, 2020/05/11 or 2018:2020", false
	case last.Last().Number() < first.First().Number():
		return store.Filter{}, from + " is after " + to, false
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
