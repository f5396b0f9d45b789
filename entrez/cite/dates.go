package cite

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
)

// A date is a day, a month, a season, a year, or a range of two of them.
type date struct {
	from, to point  // to is zero if the date is not a range
	season   string // Spring, Winter-Spring, or other text of the record
}

type point struct{ year, month, day int }

var (
	months    = []string{"", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
	mlaMonths = []string{
		"", "Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.",
	}
	dateWord   = pattern.Lazy(`\d+|\pL+|[-/–]`)
	seasonWord = pattern.Lazy(`^(?i:spring|summer|fall|autumn|winter)$`)
)

// readDate converts a PubDate. NLM puts ranges into Season ("Jan-Mar") and into MedlineDate ("1998
// Dec-1999 Jan", "2000 Nov 4-10", "1977-1978", "2000 Spring").
func readDate(p pubmed.PubDate) date {
	switch {
	case p.MedlineDate != "":
		if d, ok := readSpan(p.MedlineDate); ok && d.from.year == p.Year {
			return d
		}
	case p.Season != "":
		if d, ok := readSpan(strconv.Itoa(p.Year) + " " + p.Season); ok {
			return d
		}
		return date{from: point{year: p.Year}, season: oneLine(p.Season)}
	}
	return date{from: point{p.Year, p.Month, p.Day}}
}

// readSpan parses a date in NLM's form. It returns false if s has any other words.
func readSpan(s string) (date, bool) {
	var d date
	current := &d.from // the point that the next word belongs to
	var seasons []string
	if strings.Trim(dateWord().ReplaceAllString(s, ""), " ") != "" {
		return d, false
	}
	for _, w := range dateWord().FindAllString(s, -1) {
		n, err := strconv.Atoi(w)
		month := slices.IndexFunc(months, func(m string) bool {
			return m != "" && strings.HasPrefix(strings.ToLower(w), strings.ToLower(m))
		})
		switch {
		case strings.ContainsAny(w, "-/–"):
			if current == &d.to || d.from.year == 0 {
				return d, false
			}
			current = &d.to
		case err == nil && len(w) == 4 && current.year == 0:
			current.year = n
		case err == nil && len(w) <= 2 && current.day == 0 && n >= 1 && n <= 31:
			current.day = n
		case month > 0 && current.month == 0:
			current.month = month
		case seasonWord().MatchString(w):
			seasons = append(seasons, w)
		default:
			return d, false
		}
	}
	d.season = strings.Join(seasons, "-")
	if d.from.month == 0 && d.from.day > 0 || d.season != "" && (d.from.month > 0 || d.to != point{}) {
		return d, false
	}
	if d.to != (point{}) { // the second date omits what it shares with the first
		d.to.year = cmp.Or(d.to.year, d.from.year)
		if d.to.month == 0 && d.to.day > 0 {
			d.to.month = d.from.month
		}
	}
	return d, d.from.year > 0
}

func (d date) year() string {
	if d.from.year == 0 {
		return ""
	}
	return strconv.Itoa(d.from.year)
}

// nlmDate returns a date in NLM's form: 2006 Mar 1, 2013 Jan-Mar, 2000 Spring.
func nlmDate(p pubmed.PubDate) string {
	switch {
	case p.MedlineDate != "":
		return oneLine(p.MedlineDate)
	case p.Year == 0:
		return ""
	case p.Season != "":
		return strconv.Itoa(p.Year) + " " + oneLine(p.Season)
	}
	d := point{p.Year, p.Month, p.Day}
	return d.words(months, "%[1]d %[2]s %[3]d", "%[1]d %[2]s")
}

// words formats a day or a month. The arguments of both formats are year, month and day.
func (p point) words(months []string, day, month string) string {
	switch {
	case p.month < 1 || p.month > 12:
		return strconv.Itoa(p.year)
	case p.day == 0:
		return fmt.Sprintf(month, p.year, months[p.month])
	}
	return fmt.Sprintf(day, p.year, months[p.month], p.day)
}

// mla returns a date in MLA's form: "15 Mar. 2020", "Jan.-Mar. 2013", "spring 2021", "2020".
func (d date) mla() string {
	write := func(p point) string { return p.words(mlaMonths, "%[3]d %[2]s %[1]d", "%[2]s %[1]d") }
	switch {
	case d.from.year == 0:
		return ""
	case d.season != "":
		return strings.ToLower(d.season) + " " + d.year()
	case d.to == point{}:
		return write(d.from)
	case d.to.year != d.from.year:
		return write(d.from) + "–" + write(d.to)
	}
	first := strings.TrimSuffix(write(d.from), " "+d.year())
	if d.from.month == d.to.month && d.from.day > 0 {
		first = strconv.Itoa(d.from.day)
	}
	return first + "–" + write(d.to)
}
