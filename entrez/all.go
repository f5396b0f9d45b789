package entrez

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/record"
)

// Tally compares the number of records that NCBI promised with the number it returned. They differ
// if its counts are wrong or if the database changes during the search.
type Tally struct {
	Promised     int // count of the complete search
	Fetched      int // distinct IDs passed to yield
	Inconsistent int // replies whose count differs from the number of their IDs
}

// Complete reports whether no record is missing: every reply listed as many IDs as it counted, and all
// replies together as many as promised.
func (t Tally) Complete() bool { return t.Inconsistent == 0 && t.Fetched == t.Promised }

// SearchAll passes every ID that a PubMed search finds to yield, once, in lists of up to 9,999 and
// in unspecified order. If PubMed finds more records than it returns, the search is split into
// slices by creation date, a single day further by UID; records without a date come last. The same
// records give the same slices. Every slice is requested, even if it should be empty by the counts
// of others, because these may be older than a change of the database.
//
// SearchAll ignores DB, Sort, RetStart and RetMax of p. It stops at an error of yield and returns
// it unchanged. The tally is valid even if there is an error.
func (c *Client) SearchAll(ctx context.Context, p SearchParams, yield func(ids []string) error) (Tally, error) {
	p = SearchParams{Term: p.Term, RetMax: record.ResultWindow, AllowMissing: true}
	g := &searchAll{client: c, yield: yield, slicer: newSlicer(p, "crdt")}
	first, err := c.Search(ctx, p)
	if err != nil {
		return g.tally, err
	}
	g.tally.Promised = first.Count
	if first.Count <= record.ResultWindow {
		return g.tally, g.takeAll(first)
	}
	if err = g.take(first.IDs); err == nil {
		_, err = g.visit(ctx, g.slicer.eras, first.Count)
	}
	if err == nil {
		_, err = g.visit(ctx, slice{undated: true}, unknown)
	}
	return g.tally, err
}

// searchAll is the state of a SearchAll.
type searchAll struct {
	client  *Client
	slicer  *slicer
	yield   func([]string) error
	tally   Tally
	seen    idSet
	repeats int // consecutive replies without a new ID
}

// visit collects a slice and returns the number of records that NCBI counts in it. The reply for
// the slice itself decides whether it is complete. count is the size if known; it saves the request
// for a slice that is too large.
func (g *searchAll) visit(ctx context.Context, part slice, count int) (int, error) {
	newer, older, ok := part.split()
	if !ok || count <= record.ResultWindow {
		found, err := g.client.Search(ctx, g.slicer.params(part))
		if err != nil {
			return 0, err
		}
		if found.Count <= record.ResultWindow {
			return found.Count, g.takeAll(found)
		}
		if err := g.take(found.IDs); err != nil {
			return 0, err
		}
		if count = found.Count; !ok {
			if newer, older, ok = part.splitUID(found.IDs); !ok {
				g.tally.Inconsistent++ // NCBI counts more records than can exist
				return count, nil
			}
		}
	}
	n, err := g.visit(ctx, newer, unknown)
	if err == nil {
		_, err = g.visit(ctx, older, otherHalf(count, n))
	}
	return count, err
}

// maxRepeats is the maximum number of consecutive replies without a new ID. A correct server needs
// at most a few dozen, for the empty halves of the calendar.
const maxRepeats = 100

// takeAll takes a reply that should list all records it counts. It notes the reply as uneven if it
// does not.
func (g *searchAll) takeAll(found *SearchResult) error {
	distinct := slices.Clone(found.IDs)
	slices.Sort(distinct)
	if len(slices.Compact(distinct)) != found.Count {
		g.tally.Inconsistent++
	}
	return g.take(found.IDs)
}

// take passes the new ones of ids to yield. It fails after too many replies without any.
func (g *searchAll) take(ids []string) error {
	fresh := make([]string, 0, len(ids))
	for _, id := range ids {
		if g.seen.add(id) {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) > 0 {
		g.repeats = 0
		g.tally.Fetched += len(fresh)
		return g.yield(fresh)
	}
	if g.repeats++; g.repeats > maxRepeats {
		return &httpclient.Error{Kind: httpclient.Upstream, Service: Source.Label, Message: fmt.Sprintf(
			"%s contradicts itself: it counts %d records, returned %d, and counts more in empty parts of the search",
			Source.Label, g.tally.Promised, g.tally.Fetched)}
	}
	return nil
}

// idSet is a set of IDs. PubMed's are small numbers and take a bit each, so that all 40 million
// need 5 MB. Other IDs take a map entry each.
type idSet struct {
	bits  []uint64
	other map[string]struct{}
}

const mostBits = 1 << 28

// add adds an ID and reports whether it is new.
func (s *idSet) add(id string) bool {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil || n >= mostBits || strconv.FormatUint(n, 10) != id {
		if _, had := s.other[id]; had {
			return false
		}
		if s.other == nil {
			s.other = map[string]struct{}{}
		}
		s.other[id] = struct{}{}
		return true
	}
	word, bit := n/64, uint64(1)<<(n%64)
	if need := int(word) + 1 - len(s.bits); need > 0 {
		s.bits = append(s.bits, make([]uint64, need)...)
	}
	had := s.bits[word]&bit != 0
	s.bits[word] |= bit
	return !had
}
