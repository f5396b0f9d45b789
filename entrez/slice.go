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

// otherHalf returns the size of one half of a slice, given those of the whole and of the other
// half. It returns unknown if the two contradict each other.
func otherHalf(whole, half int) int {
	if half > whole {
		return unknown
	}
	return whole - half
}

// A slice is a part of a query's results: those within a range of days, or those without a date,
// optionally restricted to a range of UIDs. The halves of a slice are disjoint and together make
// the whole, regardless of NCBI's counts.
type slice struct {
	from, to  time.Time // first and last day
	undated   bool
	low, high uint64 // first and last UID; high 0 means all UIDs
}

// slicer builds the searches for the slices of one search by one of two dates. [crdt], the creation
// date, suits a search where only completeness counts, since each record has exactly one. [dp], the
// publication date, suits one where the order counts. A record may have two publication dates
// (print and electronic), so a slice takes the records whose newest date lies in it.
type slicer struct {
	search SearchParams
	tag    string
	newest bool
	eras   slice // the outermost slice; its ends are open
}

// newSlicer returns a slicer for the search p by the date tag. Its calendar covers all records:
// PubMed begins in the 1780s and has issues dated ahead. Dates outside it belong to the first and
// last slice. The calendar is fixed, so that the slices of a search are the same every day.
func newSlicer(p SearchParams, tag string) *slicer {
	return &slicer{search: p, tag: tag, newest: tag == "dp", eras: slice{
		from: time.Date(1780, 1, 1, 0, 0, 0, 0, time.UTC),
		to:   time.Date(2079, 12, 31, 0, 0, 0, 0, time.UTC),
	}}
}

// begin formats the first day of a slice, or the open beginning.
func (s *slicer) begin(t time.Time) string {
	if !t.After(s.eras.from) {
		return firstDate
	}
	return t.Format("2006/01/02")
}

// end formats the last day of a slice, or the open end.
func (s *slicer) end(t time.Time) string {
	if !t.Before(s.eras.to) {
		return lastDate
	}
	return t.Format("2006/01/02")
}

// params returns the search for one slice. PubMed evaluates operators from left to right.
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

// split halves a slice along the calendar: years before months before days. NCBI treats a
// publication date that is only a year as the first of January, so coarse borders misplace fewer
// records. newer is the later half. ok is false for a single day and for records without a date.
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

// maxUID exceeds every UID. NCBI's own limit is 2^64-1, and PubMed's UIDs are below 10^8.
const maxUID = 1<<32 - 1

// splitUID halves a slice at the median of the UIDs in seen, so that the halves have about the same
// size. ok is false if the range is too small for the number of records that NCBI counts.
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
