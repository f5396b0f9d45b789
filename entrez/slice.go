package entrez

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"biomcp/entrez/record"
)

// unknown is the size of a slice that has not been counted.
const unknown = -1

// rest is the size of one half by that of the whole and the other half, where
// the two agree.
func rest(whole, half int) int {
	if half > whole {
		return unknown
	}
	return whole - half
}

// A slice is a part of a query's results: those dated within some days, or those
// without a date, and of these perhaps those within a range of UIDs. The halves
// of a slice are disjoint, and their union is the whole, whatever NCBI counts.
type slice struct {
	from, to  time.Time // days, both within
	undated   bool
	low, high uint64 // UIDs, both within; high 0: all
}

// slicer writes slices of one search. Two kinds of date are used. [crdt], the day
// the record was made, which each has exactly one of, serves where only
// completeness counts. [dp], the publication date, serves where the order does;
// a record may have two of these (print and electronic), so a slice takes those
// whose newest one lies in it.
type slicer struct {
	search SearchParams
	tag    string
	newest bool
	eras   slice // the outermost slice; its ends are open
}

// newSlicer's calendar is what is split: PubMed reaches back to the 1780s, and has
// issues dated ahead. What lies outside belongs to the first and last slice. It
// is fixed, so that the slices of a search do not depend on the day.
func newSlicer(p SearchParams, tag string) *slicer {
	return &slicer{search: p, tag: tag, newest: tag == "dp", eras: slice{
		from: time.Date(1780, 1, 1, 0, 0, 0, 0, time.UTC),
		to:   time.Date(2079, 12, 31, 0, 0, 0, 0, time.UTC),
	}}
}

func (s *slicer) begin(t time.Time) string {
	if !t.After(s.eras.from) {
		return firstDate
	}
	return t.Format("2006/01/02")
}

func (s *slicer) end(t time.Time) string {
	if !t.Before(s.eras.to) {
		return lastDate
	}
	return t.Format("2006/01/02")
}

// params is the search for a slice alone. PubMed reads operators from left to
// right.
func (s *slicer) params(part slice) SearchParams {
	p := s.search
	if part.undated {
		p.Term = fmt.Sprintf("(%s) NOT %s:%s[%s]", p.Term, firstDate, lastDate, s.tag)
	} else {
		p.Term = fmt.Sprintf("(%s) AND %s:%s[%s]", p.Term, s.begin(part.from), s.end(part.to), s.tag)
		if s.newest && part.to.Before(s.eras.to) {
			p.Term += fmt.Sprintf(" NOT %s:%s[%s]", part.to.AddDate(0, 0, 1).Format("2006/01/02"), lastDate, s.tag)
		}
	}
	if part.high > 0 {
		p.Term += fmt.Sprintf(" AND %d:%d[uid]", part.low, part.high)
	}
	return p
}

// split halves a slice along the calendar, years before months before days: a
// publication date that is only a year is the first of January to NCBI, so the
// coarser a border, the fewer records it can misplace. newer is the later half.
// A single day and what has no date are not split so.
func (part slice) split() (newer, older slice, ok bool) {
	if part.undated || part.high > 0 || part.from.Equal(part.to) {
		return slice{}, slice{}, false
	}
	var border time.Time // first day of the newer half
	switch y1, m1, d1 := part.from.Date(); {
	case part.from.Year() != part.to.Year():
		border = time.Date(y1+(part.to.Year()-y1+1)/2, 1, 1, 0, 0, 0, 0, time.UTC)
	case m1 != part.to.Month():
		border = time.Date(y1, m1+(part.to.Month()-m1+1)/2, 1, 0, 0, 0, 0, time.UTC)
	default:
		border = time.Date(y1, m1, d1+(part.to.Day()-d1+1)/2, 0, 0, 0, 0, time.UTC)
	}
	newer, older = part, part
	newer.from, older.to = border, border.AddDate(0, 0, -1)
	return newer, older, true
}

// maxUID is beyond every UID; NCBI's own limit is 2^64-1, and PubMed is below 10^8.
const maxUID = 1<<32 - 1

// splitUID halves a slice at the median of the UIDs seen of it, which makes the
// halves about equal wherever its records lie. ok is false where it is too small
// to hold what NCBI says it does.
func (part slice) splitUID(seen []string) (newer, older slice, ok bool) {
	if part.high == 0 {
		part.low, part.high = 1, maxUID
	}
	if part.high-part.low < record.ResultWindow {
		return slice{}, slice{}, false
	}
	var within []uint64
	for _, id := range seen {
		if n, err := strconv.ParseUint(id, 10, 64); err == nil && n >= part.low && n < part.high {
			within = append(within, n)
		}
	}
	middle := part.low + (part.high-part.low)/2
	if len(within) > 0 {
		slices.Sort(within)
		middle = within[len(within)/2]
	}
	newer, older = part, part
	newer.low, older.high = middle+1, middle
	return newer, older, true
}
