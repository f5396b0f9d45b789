package postings

import "context"

// TermCount is how often a chunk has a term: the number of the term, and the count in
// the lowest countBits bits.
type TermCount uint32

const countBits = 10

// Greatest numbers of a TermCount. A higher count is kept as MaxCount.
const (
	MaxCount = 1<<countBits - 1
	MaxTerm  = 1<<(32-countBits) - 1
)

// NewTermCount returns the count of a term of a number up to MaxTerm.
func NewTermCount(term, count uint32) TermCount {
	return TermCount(term<<countBits | min(count, MaxCount))
}

func (t TermCount) Term() uint32  { return uint32(t) >> countBits }
func (t TermCount) Count() uint32 { return uint32(t) & MaxCount }

// Transpose returns which of some terms each chunk has, of those from one up to
// another: the numbers of terms are positions in the list, which is sorted and has at most
// MaxTerm; those of a chunk are in its order.
func (s *Segment) Transpose(ctx context.Context, src Source, terms []string, from, to uint32) ([][]TermCount, error) {
	const usual = 128 // different terms of a chunk
	out, room := make([][]TermCount, to-from), make([]TermCount, usual*(to-from))
	for i := range out {
		out[i] = room[i*usual : i*usual : (i+1)*usual]
	}
	dict, list := s.Finder(src), listReader{seg: s, src: src, from: from}
	for n, term := range terms {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		has, err := dict.find([]byte(term))
		if err != nil {
			return nil, err
		}
		if !has {
			continue
		}
		if err := list.open(dict.entry); err != nil {
			return nil, err
		}
		for list.block() && list.docs[0] < to {
			for i, chunk := range list.docs[:list.n] {
				if chunk >= from && chunk < to {
					out[chunk-from] = append(out[chunk-from], NewTermCount(uint32(n), list.tfs[i]))
				}
			}
		}
		if list.err != nil {
			return nil, list.err
		}
	}
	return out, nil
}
