package entreztest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/pubmed"
)

// A day is a calendar day as a number that sorts: year*10000 + month*100 + day.
// Zero is no date.
type day int32

func dayOf(t time.Time) day {
	return day(t.Year()*10000 + int(t.Month())*100 + t.Day())
}

func (d day) String() string {
	return fmt.Sprintf("%04d/%02d/%02d", d/10000, d/100%100, d%100)
}

// dayOfISO reads the "2006-01-02" in front of the dates of pubmed.Dates.
func dayOfISO(s string) day {
	if len(s) < 10 {
		return 0
	}
	y, e1 := strconv.Atoi(s[:4])
	m, e2 := strconv.Atoi(s[5:7])
	d, e3 := strconv.Atoi(s[8:10])
	if e1 != nil || e2 != nil || e3 != nil {
		return 0
	}
	return day(y*10000 + m*100 + d)
}

// firstDay is the first day a publication date can mean; PubMed sorts and
// limits by it. A season starts in March, June, September or January.
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

var monthNames = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// monthIn is the first month named in a MedlineDate such as "1998 Dec-1999 Jan".
func monthIn(medlineDate string) int {
	for _, word := range strings.FieldsFunc(medlineDate, func(r rune) bool { return r == ' ' || r == '-' || r == '/' }) {
		for i, name := range monthNames {
			if word == name {
				return i + 1
			}
		}
	}
	return 0
}

// parseDay reads YYYY[/MM[/DD]] (also with "-") as the days it covers.
func parseDay(s string) (lo, hi day, ok bool) {
	parts := strings.FieldsFunc(strings.TrimSpace(s), func(r rune) bool { return r == '/' || r == '-' })
	if len(parts) == 0 || len(parts) > 3 || len(parts[0]) != 4 {
		return 0, 0, false
	}
	var n [3]int
	for i, part := range parts {
		v, err := strconv.Atoi(part)
		if err != nil || v < 0 {
			return 0, 0, false
		}
		n[i] = v
	}
	y, m, d := n[0], n[1], n[2]
	switch len(parts) {
	case 1:
		return day(y*10000 + 101), day(y*10000 + 1231), true
	case 2:
		if m < 1 || m > 12 {
			return 0, 0, false
		}
		return day(y*10000 + m*100 + 1), day(y*10000 + m*100 + daysIn(y, m)), true
	}
	if m < 1 || m > 12 || d < 1 || d > daysIn(y, m) {
		return 0, 0, false
	}
	one := day(y*10000 + m*100 + d)
	return one, one, true
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
