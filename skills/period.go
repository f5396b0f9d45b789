package skills

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"biomcp/entrez/pattern"
)

// datePart matches a date. Its groups are the day, the month, the day again and the year, or the year, the number
// of the month and the day: 1 June 2026, June 1st, 2026, 2026-06-01.
const datePart = `(?:the )?(?:(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?)?(?:last )?` +
	`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?|september|oct(?:ober)?|` +
	`nov(?:ember)?|dec(?:ember)?)\b\.?(?: (\d{1,2})(?:st|nd|rd|th)?\b)?(?:,? ((?:19|20)\d\d)\b)?|` +
	`((?:19|20)\d\d)(?:-(\d\d)\b(?:-(\d\d)\b)?|\b))`

// dateGroups is the number of groups of datePart.
const dateGroups = 7

var (
	periodPattern = pattern.Lazy(`(?i)\b(?:between|from) ` + datePart +
		` ?(?:and|to|until|till|through|up to|-|–) ?` + datePart)
	limitPattern = pattern.Lazy(`(?i)\b(since|from|after|before|until|till|up to|by|through|in|during|of|on) ` +
		`(?:the )?((?:end|start|beginning) of )?` + datePart)
	secondYear    = pattern.Lazy(`^(?i: ?(?:and|to|-|–) ?)(?:19|20)\d\d\b`)
	nextWord      = pattern.Lazy(`^ [\pL-]`)
	joiningWord   = pattern.Lazy(`^ (?i:and|or|but|on)\b`)
	latestPattern = pattern.Lazy(`(?i)\b(latest|newest|most recent) (?:[\w-]+ ){0,2}?` +
		`(?:papers?|articles?|publications?|literature|reviews?|studies|work|trials?)\b`)
	publishedIn = pattern.Lazy(`(?i)\b(?:published|dated|released) $`)
)

// dateFlags lists the date flags of a search that words.yaml, from which the classifier is made, does not list.
var dateFlags = [][]string{{"from", "--date-from", "{}"}, {"to", "--date-to", "{}"}, {"last", "--last", "{}"}}

// A calendarDate is a year, a month or a day, as its layout tells.
type calendarDate struct {
	time.Time
	layout string
}

// String formats the date without the units that it does not have.
func (d calendarDate) String() string { return d.Format(d.layout) }

// add returns the year, month or day n after d.
func (d calendarDate) add(n int) calendarDate {
	switch d.layout {
	case time.DateOnly:
		d.Time = d.AddDate(0, 0, n)
	case "2006-01":
		d.Time = d.AddDate(0, n, 0)
	default:
		d.Time = d.AddDate(n, 0, 0)
	}
	return d
}

// readDate parses the groups of datePart. A date without a year is the last that began before now. ok is false if
// the date does not exist.
func readDate(group []string, now time.Time) (d calendarDate, ok bool) {
	year, month, day := group[3]+group[4], group[5], group[0]+group[2]+group[6]
	if name := group[1]; name != "" {
		t, err := time.Parse("Jan", strings.ToUpper(name[:1])+strings.ToLower(name[1:3]))
		if err != nil {
			return d, false
		}
		month = t.Format("01")
	}
	text, years := month, 8 // 29 February is in one of 8 years at least
	d.layout = "2006"
	if month != "" {
		d.layout = "2006-01"
	}
	if day != "" {
		d.layout, text = time.DateOnly, month+"-"+("0" + day)[len(day)-1:]
	}
	first := now.Year()
	if n, err := strconv.Atoi(year); err == nil {
		first, years = n, 0
	}
	for y := first; y >= first-years; y-- {
		t, err := time.Parse(d.layout, strings.TrimSuffix(strconv.Itoa(y)+"-"+text, "-"))
		if d.Time = t; err == nil && (year != "" || !t.After(now)) {
			return d, true
		}
	}
	return d, false
}

// groupsOf returns the texts of n groups of a match from the group first on.
func groupsOf(text string, m []int, first, n int) (list []string) {
	for g := first; g < first+n; g++ {
		part := ""
		if m[2*g] >= 0 {
			part = text[m[2*g]:m[2*g+1]]
		}
		list = append(list, part)
	}
	return list
}

// claimDates claims the dates of a question that begin or end a period: before March 2021. It claims a date that
// does not exist for the kind nodate, which no command accepts. The recognisers read years in other places.
func (q *question) claimDates(now time.Time) {
	for _, m := range periodPattern().FindAllStringSubmatchIndex(q.text, -1) {
		first, second := groupsOf(q.text, m, 1, dateGroups), groupsOf(q.text, m, 1+dateGroups, dateGroups)
		if first[3]+first[4] == "" {
			first[3] = second[3] + second[4] // from March to June 2021
		}
		if !q.readable(first, m[1], now) || !q.readable(second, m[1], now) {
			continue
		}
		from, hasFrom := readDate(first, now)
		to, hasTo := readDate(second, now)
		if hasFrom && hasTo {
			q.claimPeriod("from", m[0], m[1], from.String(), to.String())
		} else {
			q.claim("nodate", m[0], m[1])
		}
	}
	for _, m := range limitPattern().FindAllStringSubmatchIndex(q.text, -1) {
		word, part := strings.ToLower(q.text[m[2]:m[3]]), strings.ToLower(groupsOf(q.text, m, 2, 1)[0])
		group := groupsOf(q.text, m, 3, dateGroups)
		isDay := group[0]+group[2]+group[6] != ""
		isWithin := strings.Contains(" in during of on ", " "+word+" ")
		switch hasYear := group[3]+group[4] != ""; {
		case !q.readable(group, m[1], now), secondYear().MatchString(q.text[m[1]:]):
			continue
		case !hasYear && (isWithin || word == "by" || word == "through"), word == "on" && !isDay:
			continue
		case isWithin && group[4] != "" && group[5] == "": // the recognisers read "in 2019"
			continue
		}
		d, ok := readDate(group, now)
		isEnd := strings.HasPrefix(part, "end")
		switch {
		case !ok:
			q.claim("nodate", m[0], m[1])
		case isWithin:
			q.claimPeriod("from", m[0], m[1], d.String(), d.String())
		case word == "after", isEnd && (word == "since" || word == "from"):
			q.claimPeriod("from", m[0], m[1], d.add(1).String(), "")
		case word == "since", word == "from":
			q.claimPeriod("from", m[0], m[1], d.String(), "")
		case word == "before" && !isEnd:
			q.claimPeriod("to", m[0], m[1], "", d.add(-1).String())
		default:
			q.claimPeriod("to", m[0], m[1], "", d.String())
		}
	}
}

// orderPeriod swaps the limits of a period that ends before it begins: 2022 to 2019. Two limits of their own, before
// 2003 and after 2010, leave nothing between them. They become the kind nodate.
func (q *question) orderPeriod() {
	from, to := q.values["from"], q.values["to"]
	if !isLater(from, to) {
		return
	}
	isLimit := func(s span) bool { return s.kind == "from" || s.kind == "to" }
	first := slices.IndexFunc(q.spans, isLimit)
	if first < 0 || !slices.ContainsFunc(q.spans[first+1:], isLimit) {
		q.values["from"], q.values["to"] = to, from
		return
	}
	for i, s := range q.spans {
		if isLimit(s) {
			q.spans[i].kind = "nodate"
		}
	}
	delete(q.values, "from")
	delete(q.values, "to")
}

// readable reports whether the groups of a date that ends at an offset are one: without a year it needs a clock, and a
// word such as may or mar is a month only at the end of a part of the sentence.
func (q *question) readable(group []string, end int, now time.Time) bool {
	if group[3]+group[4] != "" {
		return true
	}
	name := group[1]
	isWord := len(name) < 4 || strings.EqualFold(name, "march")
	isLower := name != "" && unicode.IsLower(rune(name[0]))
	rest := q.text[end:]
	isFollowed := nextWord().MatchString(rest) && !joiningWord().MatchString(rest)
	return !now.IsZero() && !(isWord && isLower && group[0]+group[2] == "" && isFollowed)
}

// claimPeriod claims a part of the text for the start and the end of a period; "" is no limit.
func (q *question) claimPeriod(kind string, begin, end int, from, to string) {
	if !q.claim(kind, begin, end) {
		return
	}
	if from != "" {
		q.values["from"] = append(q.values["from"], from)
	}
	if to != "" {
		q.values["to"] = append(q.values["to"], to)
	}
}

// claimPublished claims a word such as published before a date, which says what the date is of.
func (q *question) claimPublished() {
	for _, s := range q.spans {
		if s.kind != "from" && s.kind != "to" && s.kind != "last" {
			continue
		}
		if at := publishedIn().FindStringIndex(q.text[:s.from]); at != nil {
			q.claim("said", at[0], at[1]-1)
		}
	}
}

// losesDate reports whether the commands of an Intent leave out a date of the question, or the end of its period.
func (q question) losesDate(a scoredAsk) bool {
	return slices.ContainsFunc(q.spans, func(s span) bool { return s.kind == "nodate" }) ||
		a.uses["date"] && len(q.values["to"]) > 0
}

// claimSort claims a word that asks for the newest texts. It runs after an Intent is chosen, since the word is a
// feature of questions too.
func (q *question) claimSort() {
	m := latestPattern().FindStringSubmatchIndex(q.text)
	if m == nil || len(q.values["sort"]) > 0 || !q.claim("sort", m[2], m[3]) {
		return
	}
	q.values["sort"] = []string{"date"}
	slices.SortFunc(q.spans, func(a, b span) int { return a.from - b.from })
}

// isLater reports whether the first of some dates begins after the first of others, in the units that both have.
func isLater(dates, others []string) bool {
	if len(dates) == 0 || len(others) == 0 {
		return false
	}
	n := min(len(dates[0]), len(others[0]))
	return dates[0][:n] > others[0][:n]
}
