package entrez_test

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// pretend simulates ESearch over numbers, so that a million records are cheap. It supports the term
// "everything" and the operators added by slicing, evaluated from left to right as in PubMed, and
// returns at most 9,999 records. It is independent of entreztest, which performs real searches but
// not over a million records.
type pretend struct {
	records []dated
	lie     int                  // added to every count
	change  func(asked int)      // called before each request to change the records
	drop    func(asked int) bool // reports whether to omit an ID from a reply

	mu    sync.Mutex
	asked int
	wrong []string // unsupported requests
}

// dated is a record. Days are written 20240131; 0 means no date.
type dated struct{ uid, created, print, electronic int }

var (
	rangeOf = regexp.MustCompile(`^ (AND|NOT) (\d+(?:/\d+/\d+)?):(\d+(?:/\d+/\d+)?)\[(crdt|dp|uid)\]`)
	reach   = 9999
)

func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, "/", ""))
	return n
}

func (p *pretend) search(term string) ([]dated, bool) {
	term, ok := strings.CutPrefix(term, "(everything)")
	if !ok {
		return p.records, term == "everything"
	}
	found := p.records
	for term != "" {
		m := rangeOf.FindStringSubmatch(term)
		if m == nil {
			return nil, false
		}
		term = term[len(m[0]):]
		low, high := number(m[2]), number(m[3])
		in := func(n int) bool { return n != 0 && low <= n && n <= high }
		kept := found[:0:0]
		for _, r := range found {
			hit := in(r.uid)
			switch m[4] {
			case "crdt":
				hit = in(r.created)
			case "dp":
				hit = in(r.print) || in(r.electronic)
			}
			if hit == (m[1] == "AND") {
				kept = append(kept, r)
			}
		}
		found = kept
	}
	return found, true
}

// order sorts records as PubMed does by publication date.
func order(a, b dated) int { return cmp.Or(cmp.Compare(b.print, a.print), cmp.Compare(b.uid, a.uid)) }

func (p *pretend) RoundTrip(req *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.change != nil {
		p.change(p.asked)
	}
	q := req.URL.Query()
	found, ok := p.search(q.Get("term"))
	start, n := number(q.Get("retstart")), number(q.Get("retmax"))
	if !ok || start >= reach || n > reach {
		p.wrong = append(p.wrong, q.Get("term"))
	}
	found = slices.Clone(found)
	if q.Get("sort") == "pub_date" {
		slices.SortFunc(found, order)
	} else { // an arbitrary but fixed order
		slices.SortFunc(found, func(a, b dated) int { return cmp.Compare(a.uid*2654435761%1000003, b.uid*2654435761%1000003) })
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<eSearchResult><Count>%d</Count><IdList>", len(found)+p.lie)
	if p.drop != nil && len(found) > 0 && p.drop(p.asked) {
		fmt.Fprintf(&b, "<Id>%d</Id>", found[0].uid) // replaces the last ID
		found = found[:len(found)-1]
	}
	for _, r := range found[min(start, len(found)):min(start+n, reach, len(found))] {
		fmt.Fprintf(&b, "<Id>%d</Id>", r.uid)
	}
	b.WriteString("</IdList></eSearchResult>")
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(b.String()))}, nil
}
