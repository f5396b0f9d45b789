package entreztest

import (
	"fmt"
	"strings"
	"time"

	"biomcp/entrez/pubmed"
	calendar "biomcp/entrez/record"
)

// A day is a calendar day as a sortable number: year*10000 + month*100 + day. Zero means unknown.
type day int32

func dayOf(t time.Time) day {
	return day(t.Year()*10000 + int(t.Month())*100 + t.Day())
}

func (d day) String() string {
	return fmt.Sprintf("%04d/%02d/%02d", d/10000, d/100%100, d%100)
}

// dayOfISO parses the "2006-01-02" at the start of a date of pubmed.Dates.
func dayOfISO(s string) day {
	d, _ := calendar.ParseDate(s[:min(len(s), len("2006-01-02"))])
	return day(d.Number())
}

// firstDay returns the first day of a publication date, by which PubMed sorts and limits. Seasons
// start in March, June, September or January.
func firstDay(d pubmed.PubDate) day {
	if d.Year == 0 {
		return 0
	}
	month := d.Month
	switch {
	case month != 0:
	case d.Season == "Spring":
		month = 3
	case d.Season == "Summer":
		month = 6
	case d.Season == "Fall" || d.Season == "Autumn":
		month = 9
	default:
		month = max(monthIn(d.MedlineDate), 1)
	}
	return day(d.Year*10000 + month*100 + max(d.Day, 1))
}

// monthIn returns the first month in a MedlineDate such as "1998 Dec-1999 Jan", or 0.
func monthIn(medlineDate string) int {
	isSeparator := func(r rune) bool { return r == ' ' || r == '-' || r == '/' }
	for _, word := range strings.FieldsFunc(medlineDate, isSeparator) {
		if t, err := time.Parse("Jan", word); err == nil {
			return int(t.Month())
		}
	}
	return 0
}

// parseDay parses YYYY[/MM[/DD]], also with hyphens, and returns its first and last day.
func parseDay(s string) (lo, hi day, ok bool) {
	d, ok := calendar.ParseDate(strings.TrimSpace(s))
	return day(d.First().Number()), day(d.Last().Number()), ok
}
