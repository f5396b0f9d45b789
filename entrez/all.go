package entrez

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"biomcp/entrez/polite"
	"biomcp/entrez/record"
)

// Tally compares what NCBI said there is with what it gave out. They differ when
// its counts are wrong, or the database changes while it is read.
type Tally struct {
	Promised int // the count of the whole search
	Fetched  int // distinct ids handed on
	Uneven   int // replies whose count is not the number of ids in them
}

// Whole reports whether nothing was left out: every reply named as many ids as it
// counted, and in all they named as many as were promised.
func (t Tally) Whole() bool { return t.Uneven == 0 && t.Fetched == t.Promised }

// SearchAll hands on every id that the search of PubMed finds, each once, in lists of up
// to 9,999, in no promised order. Where PubMed finds more than it gives out, the
// search is cut into slices by creation date, a single day further by UID, and
// records without a date come last. The same records give the same slices. Every
// slice is asked for, also one that should be empty by the counts of others: they
// may be older than a change of the database.
//
// DB, Sort, RetStart and RetMax of p are not used. An error of each ends it
// and is returned unchanged. The tally is good also when there is an error.
func (c *Client) SearchAll(ctx context.Context, p SearchParams, each func(ids []string) error) (Tally, error) {
	p = SearchParams{Term: p.Term, RetMax: record.ResultWindow, Uneven: true}
	g := &gathering{client: c, each: each, slicer: newSlicer(p, "crdt")}
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

// gathering is a SearchAll under way.
type gathering struct {
	client *Client
	slicer *slicer
	each   func([]string) error
	tally  Tally
	seen   idSet
	idle   int // answers in a row that brought nothing new
}

// visit gathers a slice and returns how many records NCBI counts in it. The
// slice's own answer decides whether it was given out whole. count is what is
// known of it before: it saves asking for a slice that is too big.
func (g *gathering) visit(ctx context.Context, part slice, count int) (int, error) {
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
				g.tally.Uneven++ // NCBI counts more than can be there
				return count, nil
			}
		}
	}
	n, err := g.visit(ctx, newer, unknown)
	if err == nil {
		_, err = g.visit(ctx, older, rest(count, n))
	}
	return count, err
}

// maxIdle is how many answers in a row may bring nothing new. An honest server
// needs a few dozen at most, for the empty halves of the calendar.
const maxIdle = 100

// takeAll takes a reply that names all it counts, and notes where it does not.
func (g *gathering) takeAll(found *SearchResult) error {
	distinct := slices.Clone(found.IDs)
	slices.Sort(distinct)
	if len(slices.Compact(distinct)) != found.Count {
		g.tally.Uneven++
	}
	return g.take(found.IDs)
}

func (g *gathering) take(ids []string) error {
	fresh := make([]string, 0, len(ids))
	for _, id := range ids {
		if g.seen.add(id) {
			fresh = append(fresh, id)
		}
	}
	if len(fresh) > 0 {
		g.idle = 0
		g.tally.Fetched += len(fresh)
		return g.each(fresh)
	}
	if g.idle++; g.idle > maxIdle {
		return &polite.Error{Kind: polite.Upstream, Service: Source.Label, Message: fmt.Sprintf(
			"%s contradicts itself: it counts %d records, has given out %d, and counts on where there are none",
			Source.Label, g.tally.Promised, g.tally.Fetched)}
	}
	return nil
}

// idSet remembers ids. PubMed's are small numbers and take a bit each, so that
// all 40 million need 5 MB; others take a map's entry.
type idSet struct {
	bits  []uint64
	other map[string]struct{}
}

const mostBits = 1 << 28

// add reports whether the id is new.
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
