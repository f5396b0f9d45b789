package entity

import (
	"cmp"
	"fmt"
	"slices"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// expectedHits returns how many hits the page should have, given the total.
func (s *SearchOf[H]) expectedHits(q *Query, total *int) int {
	if total == nil || s.Pages.Limit == 0 {
		return 0
	}
	return max(0, min(q.Limit, *total-q.Offset))
}

// addPages adds the commands for the next page and for a smaller one. A page with fewer hits than
// requested is the last.
func (s *SearchOf[H]) addPages(in *command.Input, q *Query, page *PageOf[H], res *result.Result) {
	end := q.Offset + q.Limit
	more := page.Retrieved >= q.Limit && (page.Total == nil || end < *page.Total)
	if page.Err != nil { // the rest of the page is missing
		end, more = q.Offset+page.Retrieved, true
	}
	before := len(res.Next)
	switch {
	case page.Next != "":
		res.Next = append(res.Next, LineFrom(in, q.Offset+page.Retrieved+1, "--page-token", page.Next, "--offset", ""))
	case s.Pages.Tokens:
	case more && (s.Pages.Window == 0 || end < s.Pages.Window || q.Sort != "" && q.Sort == s.Pages.DeepSort):
		res.Next = append(res.Next, LineFrom(in, end+1, "--offset", fmt.Sprint(end)))
	}
	if s.isData(in) && page.Retrieved > 0 && (more || page.Next != "") {
		of := cmp.Or(FormatNumber(page.Total), "more")
		notice := fmt.Sprintf("these are hits %d to %d of %s", q.Offset+1, q.Offset+page.Retrieved, of)
		switch {
		case page.Err != nil:
			notice += ", because the source then failed"
		case !in.Given("limit"):
			notice += ", the maximum of one answer"
		}
		if len(res.Next) > before {
			notice += "; the next: " + res.Next[before].String()
		}
		res.Notice(notice)
	}
	if res.Smaller == nil {
		res.Smaller = SmallerPage(in, "limit", page.Retrieved)
	}
}

// LineFrom returns this command line with flags for the hits from number n on. Its files get free names,
// so that it does not replace the files of the previous hits.
func LineFrom(in *command.Input, n int, pairs ...string) result.Argv {
	return in.LineWith(append(pairs, in.NextFiles(n)...)...)
}

// MaxRows is the maximum number of rows in an answer for another program, such as --csv.
const MaxRows = 10_000

// maxAgentRows is the maximum number of rows of data for an agent without --limit, because its
// answers are limited in size.
const maxAgentRows = 200

// ExportsRows reports whether the lists of an answer are for another program: of this command, or of
// one that this command is a part of.
func ExportsRows(in *command.Input) bool { return IsData(in) || in.Whole }

// RowLimit returns --limit, and a notice if it exceeds the maximum. In an answer for another program
// the maximum is [MaxRows], which is also the default there.
func RowLimit(in *command.Input) (n int, lowered string, err error) {
	switch {
	case !ExportsRows(in):
		return in.Limit()
	case in.Given("limit"):
		return in.LimitUpTo(MaxRows)
	}
	return DefaultRows(in), "", nil
}

// DefaultRows returns the number of rows of an answer for another program without --limit.
func DefaultRows(in *command.Input) int {
	if in.Policy == command.Agent {
		return maxAgentRows
	}
	return MaxRows
}

// isData reports whether the answer is meant for another program: a table of values, or a list of ids.
func (s *SearchOf[H]) isData(in *command.Input) bool {
	return IsData(in) || slices.ContainsFunc(s.Forms, in.IsSet)
}

// dataLimit returns the maximum number of hits in an answer for another program. lowered is a
// notice if --limit exceeds it.
func (s *SearchOf[H]) dataLimit(in *command.Input, offset int) (limit int, lowered string) {
	most := MaxRows
	if s.Pages.Data != nil {
		most = s.Pages.Data(in)
	}
	if in.Given("limit") {
		if limit = in.Int("limit"); limit > most {
			lowered = fmt.Sprintf("limit lowered from %d to %d, the most this command gives at once", limit, most)
		}
		return min(limit, most), lowered
	}
	if in.Policy == command.Agent {
		most = min(most, maxAgentRows)
	}
	if left := s.Pages.Window - offset; left > 0 {
		most = min(most, left)
	}
	return most, ""
}

// SmallerPage returns a function that returns the command for a share of n hits. flag sets their number.
func SmallerPage(in *command.Input, flag string, n int) func(float64) result.Argv {
	return func(share float64) result.Argv {
		if n < 2 {
			return nil
		}
		return in.LineWith("--"+flag, fmt.Sprint(result.Share(n, share)))
	}
}

// A page is a range of rows of a list, and the end of a notice with the command for the next rows.
type page struct {
	from, to, total int
	next            string
}

// pageOf returns the page of a list of n rows that --limit and --offset select. Without these flags
// it is the whole list.
func pageOf(in *command.Input, n int) (p page, err error) {
	p = page{to: n, total: n}
	if in.Changed("offset") {
		if p.from, err = in.Offset(); err == nil && p.from > 0 && p.from >= n && n > 0 {
			err = PastEndError(in, n)
		}
		p.from = min(p.from, n)
	}
	if in.Changed("limit") && err == nil {
		var limit int
		if limit, _, err = RowLimit(in); err == nil && p.from+limit < n {
			p.to = p.from + limit
			p.next = "; the next: " + LineFrom(in, p.to+1, "--offset", fmt.Sprint(p.to)).String()
		}
	}
	return p, err
}

// PastEndError returns the error for an --offset after the last of n rows.
func PastEndError(in *command.Input, n int) error {
	return result.Invalid(fmt.Sprintf("--offset %d is past the end: there are %d", in.Int("offset"), n),
		in.LineWith("--offset", "")...)
}

// notice returns a notice if a page is not the whole list of a record.
func (p page) notice(label, id string, alone bool) []string {
	if p.to-p.from == p.total {
		return nil
	}
	text := fmt.Sprintf("%s of %s: %d of %d shown", label, id, p.to-p.from, p.total)
	if alone {
		text += p.next
	}
	return []string{text}
}

// hitCount formats the number of hits and the range of those in the answer.
func hitCount(total *int, offset, n int) string {
	of := cmp.Or(FormatNumber(total), "total unknown")
	switch {
	case total != nil && *total == 0, total == nil && n+offset == 0:
		return "0"
	case n == 0 && offset == 0:
		return of
	case n == 0:
		return fmt.Sprintf("%s; none after the first %d", of, offset)
	}
	return fmt.Sprintf("%s, shown %d to %d", of, offset+1, offset+n)
}
