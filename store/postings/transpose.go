package postings

import "context"

// TermCount holds the number of a term and its count in a chunk. The count is in the lowest
// countBits bits.
type TermCount uint32

const countBits = 10

// The limits of a TermCount. A higher count is stored as MaxCount.
const (
	MaxCount = 1<<countBits - 1
	MaxTerm  = 1<<(32-countBits) - 1
)

// NewTermCount returns the TermCount of a term, whose number is at most MaxTerm.
func NewTermCount(term, count uint32) TermCount {
	return TermCount(term<<countBits | min(count, MaxCount))
}

func (t TermCount) Term() uint32  { return uint32(t) >> countBits }
func (t TermCount) Count() uint32 { return uint32(t) & MaxCount }

// Transpose returns the given terms of each chunk from from up to to. A term's number is its index
// in terms, which must be sorted and have at most MaxTerm entries. The terms of a chunk are sorted.
func (s *Segment) Transpose(ctx context.Context, src Source, terms []string, from, to uint32) ([][]TermCount, error) {
	const usual = 128 // distinct terms of a typical chunk
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
